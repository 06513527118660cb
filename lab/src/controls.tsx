// Sliders and choices for the settings of a scenario.

import { For, Index, Show, createMemo, createSignal, createUniqueId } from "solid-js";
import { RENO, get, hasOwn, put, type Formulas, type LabState, type Setting } from "./model";
import type { Problem } from "./runner";
import { STEPS, scale } from "./scales";
import type { Field, Schema } from "./schema";
import type { Group, Scenario } from "./scenario";

export interface Change {
  set(list: "set" | "b", settings: Setting[]): void;
  own(formulas: Formulas): void;
}

interface Props {
  state: LabState;
  schema: Schema;
  scenario: Scenario;
  groups: Group[];
  /** Original values of the scenario's settings, by path. */
  first: Map<string, string>;
  problems: Problem[];
  change: Change;
}

export function Controls(props: Props) {
  return (
    <form class="controls" aria-label="Settings" onSubmit={(event) => event.preventDefault()}>
      {/* Fields are identified by position, so that a slider stays the same element while it is moved and the scenario is checked. */}
      <Index each={props.groups}>
        {(group) => (
          <details open={group().open}>
            <summary>{group().title}</summary>
            <Index each={group().fields}>{(field) => <Setting {...props} field={field()} />}</Index>
          </details>
        )}
      </Index>
      <Own {...props} />
      <Any {...props} />
    </form>
  );
}

/** A control for a setting of both runs; if run B has its own value, a control for each run. */
function Setting(props: Props & { field: Field }) {
  const path = () => props.field.path;
  const split = () => props.state.two && get(props.state.b, path()) !== undefined;
  const valueA = () => get(props.state.set, path()) ?? props.field.value;
  const change = (list: "set" | "b", value: string | undefined) => props.change.set(list, put(props.state[list], path(), value));
  const problem = () => props.problems.find((one) => one.path === path());
  return (
    <div class="setting" classList={{ split: split(), wrong: !!problem() }}>
      <div class="setting-head">
        <span class="setting-name" title={props.field.about}>{props.field.label}</span>
        <Show when={props.state.two}>
          <button
            type="button" class="splitter" aria-pressed={split()} title={split() ? "Use A's value in both runs" : "Give run B a value of its own"}
            aria-label={`${split() ? "A ≠ B" : "A = B"}: ${props.field.label} (${path()}): own value in run B`} onClick={() => change("b", split() ? undefined : valueA())}
          >
            {split() ? "A ≠ B" : "A = B"}
          </button>
        </Show>
      </div>
      <Input {...props} run={split() ? "A" : ""} value={valueA()} onValue={(value) => change("set", value)} />
      <Show when={split()}>
        <Input {...props} run="B" value={get(props.state.b, path()) ?? ""} onValue={(value) => change("b", value)} />
      </Show>
      <Show when={problem()}>{(one) => <p class="problem" role="alert">{one().text.split("\n").slice(0, 3).join(" · ")}</p>}</Show>
    </div>
  );
}

function Input(props: Props & { field: Field; run: string; value: string; onValue: (value: string) => void }) {
  const id = createUniqueId();
  const name = () => `${props.field.label} (${props.field.path})${props.run ? ` of run ${props.run}` : ""}`;
  const form = () => props.field.form;
  const marks = createMemo(() => scale(props.field, props.first.get(props.field.path) ?? props.field.value, props.scenario.duration));
  const options = () => {
    const given = form();
    return given.form === "choice" ? given.options : [];
  };
  return (
    <div class="input">
      <Show when={props.run}><span class={`run run-${props.run.toLowerCase()}`} aria-hidden="true">{props.run}</span></Show>
      <Show when={form().form === "choice"}>
        <select id={id} aria-label={name()} onChange={(event) => props.onValue(event.currentTarget.value)}>
          <Show when={!options().some((one) => one.value === props.value)}><option selected>{props.value}</option></Show>
          <For each={options()}>
            {(one) => <option value={one.value} title={one.about} selected={one.value === props.value}>{one.value}</option>}
          </For>
        </select>
      </Show>
      <Show when={form().form === "switch"}>
        <input id={id} type="checkbox" aria-label={name()} checked={props.value === "true"} onChange={(event) => props.onValue(String(event.currentTarget.checked))} />
      </Show>
      <Show when={["quantity", "number", "text"].includes(form().form)}>
        <Show when={marks()}>
          {(one) => (
            <input
              type="range" min="0" max={STEPS} step="1" aria-label={name()} aria-valuetext={props.value} value={one().position(props.value)}
              onInput={(event) => props.onValue(one().value(event.currentTarget.valueAsNumber))}
            />
          )}
        </Show>
        <input
          id={id} type="text" class="value" aria-label={`${name()}, typed`} value={props.value} spellcheck={false} autocomplete="off"
          onChange={(event) => props.onValue(event.currentTarget.value.trim().replace(/^(\d+),(\d+)/, "$1.$2"))}
        />
      </Show>
    </div>
  );
}

/** The control by formulas. Any text that is no formula is refused by the core's parser, which runs nothing. */
function Own(props: Props) {
  const uses = () => hasOwn(props.state, "a") || (props.state.two && hasOwn(props.state, "b"));
  const formulas = () => props.state.own ?? RENO;
  const field = (key: keyof Formulas, label: string) => {
    const problem = () => props.problems.find((one) => one.path === `own.${key}`);
    return (
      <label class="stacked" classList={{ wrong: !!problem() }}>
        {label}
        <input
          type="text" class="value formula" value={formulas()[key]} spellcheck={false} autocomplete="off" aria-invalid={!!problem()}
          onChange={(event) => props.change.own({ ...formulas(), [key]: event.currentTarget.value })}
        />
        <Show when={problem()}>{(one) => <span class="problem" role="alert">{one().text.split("\n").join(" · ")}</span>}</Show>
      </label>
    );
  };
  return (
    <details open={uses()}>
      <summary>A control of your own</summary>
      {field("grow", "Grow by, segments per round trip")}
      {field("cut", "Cut to, segments, at a loss")}
      <p class="about">
        {uses() ? "" : "Choose the variant “own” for a flow. "}
        Names: <code>cwnd</code>, <code>ssthresh</code>, <code>flight</code> in segments; <code>rtt</code>, <code>min_rtt</code>, <code>time</code> in seconds. Functions: <code>min max sqrt cbrt log exp abs</code> and{" "}
        <code>if(rtt &gt; 1.1 * min_rtt, -1, 1)</code>. Slow start and recovery are those of <code>sack</code>.
      </p>
    </details>
  );
}

/** A control for any other setting of the scenario, which is chosen by its path. */
function Any(props: Props) {
  const [path, setPath] = createSignal("");
  const [value, setValue] = createSignal("");
  const shown = createMemo(() => new Set(props.groups.flatMap((group) => group.fields.map((field) => field.path))));
  // Some thousand paths, which change with the flows and links only.
  const [open, setOpen] = createSignal(false);
  const tables = createMemo(() => JSON.stringify([...props.scenario.flows.slice(0, 8).map(({ key }) => ["flow", key]), ...props.scenario.links.slice(0, 8).map(({ key }) => ["link", key])]));
  const paths = createMemo(() => (open() ? (JSON.parse(tables()) as [string, string][]).flatMap(([list, key]) => props.schema.paths(`${list}.${key}`, props.schema.item(list))) : []));
  const own = createMemo(() => [
    ...props.state.set.filter(([path]) => !shown().has(path)).map((one) => ({ one, list: "set" as const })),
    ...props.state.b.filter(([path]) => !shown().has(path)).map((one) => ({ one, list: "b" as const })),
  ]);
  const about = () => paths().find((one) => one.path === path())?.about;
  const add = (list: "set" | "b") => {
    if (!path() || !value()) return;
    props.change.set(list, put(props.state[list], path(), value()));
    setPath("");
    setValue("");
  };
  return (
    <details open={own().length > 0} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Any other setting</summary>
      <For each={own()}>
        {({ one, list }) => (
          <div class="own">
            <Show when={list === "b"}><span class="run run-b">B</span></Show>
            <code>{one[0]} = {one[1]}</code>
            <button type="button" aria-label={`Remove ${one[0]}`} onClick={() => props.change.set(list, put(props.state[list], one[0], undefined))}>×</button>
          </div>
        )}
      </For>
      <label class="stacked">
        Path
        <input type="text" list="paths" value={path()} placeholder="flow.0.tcp.initial_window" spellcheck={false} onInput={(event) => setPath(event.currentTarget.value.trim())} />
      </label>
      <datalist id="paths"><For each={paths()}>{(one) => <option value={one.path}>{one.about.slice(0, 90)}</option>}</For></datalist>
      <Show when={about()}><p class="about">{about()}</p></Show>
      <label class="stacked">
        Value
        <input type="text" value={value()} spellcheck={false} onInput={(event) => setValue(event.currentTarget.value)} />
      </label>
      <div class="buttons">
        <button type="button" onClick={() => add("set")}>{props.state.two ? "Set in both" : "Set"}</button>
        <Show when={props.state.two}><button type="button" onClick={() => add("b")}>Set in B</button></Show>
      </div>
    </details>
  );
}
