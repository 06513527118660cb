// The page: the choice of a scenario, its settings, the runs, the scenario's text, and links and files to share.

import { For, Match, Show, Switch, createEffect, createMemo, createSignal, onMount, untrack } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import { Compare } from "./compare";
import { Controls } from "./controls";
import { Edit } from "./edit";
import { EXPERIMENTS } from "./experiments";
import { unpack } from "./link";
import { settingsOf, type Example, type LabState, type Setting } from "./model";
import { short } from "./quantity";
import { Runner, type Problem } from "./runner";
import { read, groups, type Scenario } from "./scenario";
import { Schema, type Node } from "./schema";
import { Share } from "./share";
import { Stage, type Shown } from "./stage";
import type { Outcome } from "./traces";

export interface Data {
  version: string;
  examples: Example[];
  schema: Node;
}

/** Number of events after which the page asks the user if the run shall continue. */
const MANY_EVENTS = 1e6;

type Tab = "play" | "compare" | "edit" | "share";
const TABS: { id: Tab; name: string }[] = [{ id: "play", name: "Play" }, { id: "compare", name: "Compare" }, { id: "edit", name: "Edit" }, { id: "share", name: "Share" }];

function begin(id: string): LabState {
  const experiment = EXPERIMENTS.find((one) => one.id === id) ?? EXPERIMENTS[0];
  return {
    example: experiment.example ?? null, text: experiment.text ?? "", set: experiment.set ?? [], b: experiment.b ?? [],
    two: (experiment.b ?? []).length > 0, seed: 1, experiment: experiment.id,
  };
}

export function App(props: { data: Data; module: Promise<WebAssembly.Module>; start: string }) {
  const schema = new Schema(props.data.schema);
  const runners = { check: new Runner(props.module), a: new Runner(props.module), b: new Runner(props.module) };
  const replicators = { a: new Runner(props.module), b: new Runner(props.module) };
  const [state, setState] = createStore<LabState>(begin("vegas"));
  const [tab, setTab] = createSignal<Tab>("play");
  const [scenario, setScenario] = createSignal<Scenario | null>(null);
  const [hash, setHash] = createSignal("");
  const [problems, setProblems] = createSignal<Problem[]>([]);
  const [outcomes, setOutcomes] = createSignal<{ a?: Outcome; b?: Outcome }>({});
  const [shownFor, setShownFor] = createSignal<Scenario | null>(null);
  const [progress, setProgress] = createSignal<Record<string, number>>({});
  const [long, setLong] = createSignal<{ events: number; fraction: number } | null>(null);
  const [took, setTook] = createSignal(0);
  const [time, setTime] = createSignal(0);
  const [playing, setPlaying] = createSignal(false);
  const [word, setWord] = createSignal("");
  const [first, setFirst] = createSignal(new Map<string, string>());
  const [ready, setReady] = createSignal(false);
  /** True after the user has chosen another scenario, until its first results arrive. */
  const [switching, setSwitching] = createSignal(false);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const example = createMemo(() => props.data.examples.find((one) => one.name === state.example));
  const text = () => example()?.text ?? state.text;
  const shownGroups = createMemo(() => {
    const one = scenario();
    return one ? groups(schema, one) : [];
  });
  const shown = createMemo<Shown[]>(() => {
    const { a, b } = outcomes();
    const list: Shown[] = a ? [{ run: "A", outcome: a }] : [];
    return b && state.two ? [...list, { run: "B", outcome: b }] : list;
  });
  const busy = () => Object.keys(progress()).length > 0;

  onMount(async () => {
    try {
      const given = await unpack(props.start);
      if (given && given.example !== null && !props.data.examples.some((one) => one.name === given.example)) throw new Error(`it names the example “${given.example.slice(0, 60)}”, which this page does not have`);
      if (given) setState(reconcile(given));
    } catch (why) {
      setWord(`The link cannot be read: ${(why as Error).message}. The page shows its first experiment instead.`);
    }
    setReady(true);
  });

  /** Identity of the simulated scenario; if it changes, the page is reset. */
  let subject = "";
  let began = 0;
  const given = (run: "a" | "b", one: Scenario | null, packets: boolean) => ({
    scenario: text(), files: example()?.files ?? {}, set: settingsOf(state, run).map(([path, value]): Setting => [path, value]), seed: state.seed,
    radio: one?.radio ?? false, duration: one?.duration ?? 1, packets,
  });
  /** Begins the runs. A long run does not record single packets, which take most of the memory. */
  const start = (isLong = false) => {
    began = performance.now();
    setLong(null);
    runners.check.start(given("a", null, false), {
      refused(found) {
        setProblems(found);
        for (const one of [runners.a, runners.b]) one.stop();
        setProgress({});
      },
      checked(described, scenarioHash) {
        const one = read(described as Record<string, unknown>);
        const now = `${state.example}\n${state.example ? "" : state.text}`;
        const fresh = now !== subject;
        subject = now;
        if (fresh) setSwitching(true);
        setScenario(one);
        setHash(scenarioHash);
        setProblems([]);
        if (fresh) setFirst(new Map(groups(schema, one).flatMap((group) => group.fields).map((field) => [field.path, field.value])));
        simulate(one, fresh, isLong);
      },
    }, { check: true });
  };

  const simulate = (one: Scenario, fresh: boolean, isLong: boolean) => {
    const found: { a?: Outcome; b?: Outcome } = {};
    const wanted: ("a" | "b")[] = state.two ? ["a", "b"] : ["a"];
    if (!state.two) runners.b.stop();
    for (const run of wanted) {
      setProgress((now) => ({ ...now, [run]: 0 }));
      const leave = () => setProgress(({ [run]: _, ...others }) => others);
      runners[run].start(given(run, one, !isLong), {
        progress: (fraction) => setProgress((now) => ({ ...now, [run]: fraction })),
        long(events, fraction) {
          leave();
          setLong({ events, fraction });
        },
        refused(list) {
          leave();
          setProblems((now) => [...now, ...list]);
        },
        done(outcome) {
          leave();
          found[run] = outcome;
          if (wanted.some((each) => !found[each])) return;
          setShownFor(one);
          setOutcomes(found);
          setSwitching(false);
          setTook(performance.now() - began);
          if (fresh) {
            setTime(0);
            setPlaying(!calm.matches);
          } else if (untrack(time) > outcome.end) setTime(outcome.end);
        },
      }, isLong ? {} : { most: MANY_EVENTS });
    }
  };

  createEffect(() => {
    if (!ready()) return;
    // Read everything that a run depends on, so that a change starts the runs again.
    void [text(), JSON.stringify(state.set), JSON.stringify(state.b), state.two, state.seed];
    untrack(() => start());
  });

  const stop = () => {
    for (const one of [runners.a, runners.b]) one.stop();
    setProgress({});
    setWord("The run was stopped. Move a slider, or choose something else, to run again.");
  };
  const choose = (value: string) => {
    const [kind, name] = value.split(":");
    setWord("");
    if (kind === "experiment") return setState(reconcile(begin(name)));
    setState(reconcile({ example: name, text: "", set: [], b: [], two: false, seed: 1 } satisfies LabState));
  };
  const experiment = () => EXPERIMENTS.find((one) => one.id === state.experiment);
  const chosen = () => (state.experiment ? `experiment:${state.experiment}` : state.example ? `example:${state.example}` : "own:");
  /** Start jitter of replications, s: ten times the round-trip propagation delay of all links together, at most a tenth of the run. */
  const jitter = () => {
    const one = scenario();
    if (!one) return 0;
    const trip = 2 * one.links.reduce((sum, link) => sum + (link.delay || 0), 0) || 0.1;
    return Number(Math.min(10 * trip, one.duration / 10).toPrecision(2));
  };
  const general = () => {
    const known = new Set(shownGroups().flatMap((group) => group.fields.map((field) => field.path)));
    return problems().filter((one) => !known.has(one.path));
  };
  const edited = (value: string) => setState({ example: null, text: value, experiment: undefined, set: [], b: [] });

  const flip = () => {
    const root = document.documentElement;
    const isDark = root.dataset.theme === "dark" || (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    root.dataset.theme = isDark ? "light" : "dark";
    window.dispatchEvent(new Event("theme"));
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const at = (TABS.findIndex((one) => one.id === tab()) + step + TABS.length) % TABS.length;
    setTab(TABS[at].id);
    document.getElementById(`tab-${TABS[at].id}`)?.focus();
  };

  return (
    <>
      <a class="skip" href="#main">To the runs</a>
      <header class="top">
        <div class="brand">
          <svg viewBox="0 0 32 20" aria-hidden="true"><path d="M1 17 L9 5 V12 L17 3 V11 L25 3 V11 L31 4" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linejoin="round" stroke-linecap="round" /></svg>
          <h1>ackclock lab</h1>
        </div>
        <label class="choose">
          <span>What to simulate</span>
          <select value={chosen()} onChange={(event) => choose(event.currentTarget.value)}>
            <optgroup label="Experiments"><For each={EXPERIMENTS}>{(one) => <option value={`experiment:${one.id}`} selected={chosen() === `experiment:${one.id}`}>{one.title}</option>}</For></optgroup>
            <optgroup label="Examples"><For each={props.data.examples}>{(one) => <option value={`example:${one.name}`} selected={chosen() === `example:${one.name}`} title={one.summary}>{one.name}</option>}</For></optgroup>
            <Show when={chosen() === "own:"}><option value="own:" selected>your own text</option></Show>
          </select>
        </label>
        <label class="seed"><span>Seed</span><input type="number" min="0" step="1" value={state.seed} onChange={(event) => Number.isSafeInteger(event.currentTarget.valueAsNumber) && event.currentTarget.valueAsNumber >= 0 && setState("seed", event.currentTarget.valueAsNumber)} /></label>
        <button type="button" class="toggle" aria-pressed={state.two} onClick={() => setState("two", !state.two)}>Two runs</button>
        <button type="button" class="toggle" onClick={flip} aria-label="Dark or light">◐</button>
        <div class="tabs" role="tablist" aria-label="Views" onKeyDown={keys}>
          <For each={TABS}>
            {(one) => <button type="button" role="tab" id={`tab-${one.id}`} aria-selected={tab() === one.id} aria-controls="main" tabindex={tab() === one.id ? 0 : -1} onClick={() => setTab(one.id)}>{one.name}</button>}
          </For>
        </div>
      </header>
      <div class="status" role="status">
        <Show when={word()}><p class="word">{word()}</p></Show>
        <Show when={long()}>
          {(one) => (
            <p class="word">
              The run was stopped after {short(one().events / 1e6)} million events, {short(one().fraction * 100)} % of its time.{" "}
              <button type="button" onClick={() => start(true)}>Run it to the end, without single packets</button>
            </p>
          )}
        </Show>
        <Show when={busy()}>
          <p class="busy">
            <progress max="1" value={Math.min(...Object.values(progress()))} aria-label="Progress of the runs" />
            <button type="button" onClick={stop}>Stop</button>
          </p>
        </Show>
      </div>
      <main id="main" tabindex="-1" classList={{ [tab()]: true }}>
        <Switch>
          <Match when={tab() === "play"}>
            <aside>
              <Show when={experiment()} fallback={<Show when={example()}>{(one) => <p class="story">{one().summary}</p>}</Show>}>
                {(one) => (
                  <section class="story" aria-label="Experiment">
                    <h2>{one().title}</h2>
                    <p><b>Predict.</b> {one().question}</p>
                    <p><b>Watch.</b> {one().watch}</p>
                    <details><summary>Why</summary><p>{one().why}</p></details>
                  </section>
                )}
              </Show>
              <Show when={scenario()}>
                {(one) => <Controls state={state} schema={schema} scenario={one()} groups={shownGroups()} first={first()} problems={problems()} change={{ set: (list, settings: Setting[]) => setState(list, settings) }} />}
              </Show>
            </aside>
            <section class="right" aria-label="Runs" classList={{ stale: problems().length > 0 || switching() }} aria-busy={switching()}>
              <Show when={general().length}>
                <div class="problems" role="alert"><For each={general()}>{(one) => <pre>{one.text}</pre>}</For></div>
              </Show>
              <Show when={shown().length ? shownFor() : null} fallback={<p class="waiting">{problems().length ? "" : "The first run begins …"}</p>}>
                {(one) => <Stage scenario={one()} runs={shown()} differences={state.b} time={time()} onTime={setTime} playing={playing()} onPlaying={setPlaying} />}
              </Show>
              <Show when={shown().length}>
                <p class="facts" data-took={took()}>
                  {shown().map(({ run, outcome }) => `${run}: ${outcome.events.toLocaleString("en")} events in ${Math.round(outcome.took)} ms`).join(" · ")} · shown {Math.round(took())} ms after the change
                </p>
              </Show>
            </section>
          </Match>
          <Match when={tab() === "compare"}>
            <Compare
              two={state.two} runners={replicators} jitter={jitter()} subject={JSON.stringify(state)}
              given={(run) => (problems().length ? null : given(run, scenario(), false))}
            />
          </Match>
          <Match when={tab() === "edit"}>
            <Edit text={text()} name={state.example} problems={problems()} settings={state.set.length + state.b.length} onText={edited} />
          </Match>
          <Match when={tab() === "share"}>
            <Share state={state} text={text()} runs={shown()} version={props.data.version} scenarioHash={hash()} stale={busy() || problems().length > 0} />
          </Match>
        </Switch>
      </main>
    </>
  );
}
