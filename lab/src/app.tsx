// The page: the choice of a scenario, its settings, the runs, the scenario's text, and links and files to share.

import { For, Match, Show, Switch, batch, createEffect, createMemo, createSignal, onMount, untrack } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import { Compare } from "./compare";
import { Controls } from "./controls";
import { Edit } from "./edit";
import { LiveFigure } from "./figure";
import { GuidePanel } from "./guide";
import { GROUPS, GUIDES, begin, guide, type Step } from "./guides";
import { Learn } from "./learn";
import { flip } from "./palette";
import { guided, unpack } from "./link";
import { RENO, expand, hasOwn, put, settingsOf, type Example, type LabState, type Setting } from "./model";
import { short } from "./quantity";
import { Runner, type Problem } from "./runner";
import { read, groups, knobs, type Scenario } from "./scenario";
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

type Tab = "learn" | "play" | "compare" | "edit" | "share";
const TABS: { id: Tab; name: string }[] = [{ id: "learn", name: "Learn" }, { id: "play", name: "Play" }, { id: "compare", name: "Compare" }, { id: "edit", name: "Edit" }, { id: "share", name: "Share" }];

/** Guide with which the page begins if its address holds neither a guide nor a state. */
const FIRST = guide("vegas") ?? GUIDES[0];

export function App(props: { data: Data; module: Promise<WebAssembly.Module>; start: string }) {
  const schema = new Schema(props.data.schema);
  const runners = { a: new Runner(props.module), b: new Runner(props.module) };
  const replicators = { a: new Runner(props.module), b: new Runner(props.module) };
  const [state, setState] = createStore<LabState>(begin(FIRST));
  const [tab, setTab] = createSignal<Tab>("play");
  const [scenario, setScenario] = createSignal<Scenario | null>(null);
  const [hash, setHash] = createSignal("");
  const [problems, setProblems] = createSignal<Problem[]>([]);
  const [outcomes, setOutcomes] = createSignal<{ a?: Outcome; b?: Outcome }>({});
  const [shownFor, setShownFor] = createSignal<Scenario | null>(null);
  const [progress, setProgress] = createSignal<Record<string, number>>({});
  /** True from a change until its results, or its mistakes, are shown. */
  const [pending, setPending] = createSignal(true);
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
    return one ? [...knobs(schema, one, guide(state.experiment)?.figure?.knobs ?? []), ...groups(schema, one)] : [];
  });
  const shown = createMemo<Shown[]>(() => {
    const { a, b } = outcomes();
    const list: Shown[] = a ? [{ run: "A", outcome: a }] : [];
    return b && state.two ? [...list, { run: "B", outcome: b }] : list;
  });
  const busy = () => Object.keys(progress()).length > 0;

  /** Sets the state of the page to the guide or the state in a link; an empty link changes nothing. */
  const open = async (link: string) => {
    try {
      const name = guided(link);
      const found = guide(name ?? "");
      if (name !== null && !found) throw new Error(`it names the guide “${name}”, which this page does not have`);
      const given = found ? begin(found) : await unpack(link);
      if (given && given.example !== null && !props.data.examples.some((one) => one.name === given.example)) throw new Error(`it names the example “${given.example.slice(0, 60)}”, which this page does not have`);
      if (given) setState(reconcile(given));
    } catch (why) {
      setWord(`The link cannot be read: ${(why as Error).message}. The page shows ${ready() ? "what it showed before" : "its first experiment instead"}.`);
    }
    setReady(true);
  };
  onMount(() => {
    void open(props.start);
    window.addEventListener("hashchange", () => {
      if (!location.hash) return;
      setWord("");
      setTab("play");
      void open(location.hash);
    });
  });

  /** Identity of the scenario of the last run, before settings; a change of it stops the runs in progress. */
  let subject = "";
  let shownSubject = "";
  const given = (run: "a" | "b", packets: boolean) => ({
    scenario: text(), files: example()?.files ?? {}, set: expand(text(), settingsOf(state, run)), seed: state.seed, jitter: state.jitter ?? 0,
    packets, own: hasOwn(state, run) ? { ...(state.own ?? RENO) } : undefined,
  });
  /** Begins the runs. A long run does not record single packets, which take most of the memory. */
  const start = (isLong = false) => {
    const began = performance.now();
    const now = `${state.example}\n${state.example ? "" : state.text}`;
    const wanted: ("a" | "b")[] = state.two ? ["a", "b"] : ["a"];
    // Runs of another scenario are of no use any more.
    if (now !== subject || !state.two) runners.b.stop();
    if (now !== subject) runners.a.stop();
    subject = now;
    const found: { a?: Outcome; b?: Outcome } = {};
    const mistakes: { a: Problem[]; b: Problem[] } = { a: [], b: [] };
    let checked: Scenario | null = null;
    const leave = (run: "a" | "b") => setProgress(({ [run]: _, ...others }) => others);
    const end = (run: "a" | "b", outcome: Outcome) => {
      leave(run);
      found[run] = outcome;
      if (wanted.some((each) => !found[each]) || !checked) return;
      const fresh = now !== shownSubject;
      shownSubject = now;
      setShownFor(checked);
      setOutcomes(found);
      setSwitching(false);
      setPending(false);
      setTook(performance.now() - began);
      if (fresh) {
        setTime(0);
        setPlaying(!calm.matches);
      } else if (untrack(time) > outcome.end) setTime(outcome.end);
    };
    setLong(null);
    setPending(true);
    for (const run of wanted) {
      runners[run].start(given(run, !isLong), {
        checked: (one) => run === "a" && batch(() => {
          checked = read(one.scenario);
          if (now !== shownSubject) setSwitching(true);
          setScenario(checked);
          setHash(one.scenario_hash);
          setProblems([...mistakes.a, ...mistakes.b]);
          if (now !== shownSubject) setFirst(new Map(shownGroups().flatMap((group) => group.fields).map((field) => [field.path, field.value])));
        }),
        progress: (fraction) => setProgress((now) => ({ ...now, [run]: fraction })),
        long: (events, fraction) => batch(() => {
          leave(run);
          setLong({ events, fraction });
        }),
        refused: (list) => batch(() => {
          leave(run);
          mistakes[run] = list;
          // Both runs often have the same mistake.
          setProblems([...mistakes.a, ...mistakes.b.filter((one) => mistakes.a.every(({ text }) => text !== one.text))]);
        }),
        done: (outcome) => batch(() => end(run, outcome)),
      }, isLong ? {} : { most: MANY_EVENTS });
    }
  };

  createEffect(() => {
    if (!ready()) return;
    // Read everything that a run depends on, so that a change starts the runs again.
    void [text(), JSON.stringify(state.set), JSON.stringify(state.b), JSON.stringify(state.own), state.two, state.seed, state.jitter];
    untrack(() => start());
  });

  const stop = () => {
    for (const one of [runners.a, runners.b]) one.stop();
    setProgress({});
    setPending(false);
    setWord("The run was stopped. Move a slider, or choose something else, to run again.");
  };
  const choose = (value: string) => {
    const [kind, name] = value.split(":");
    setWord("");
    const one = kind === "guide" && guide(name);
    if (one) return setState(reconcile(begin(one)));
    setState(reconcile({ example: name, text: "", set: [], b: [], two: false, seed: 1 } satisfies LabState));
  };
  const current = () => guide(state.experiment);
  const [step, setStep] = createSignal<Step | null>(null);
  /** Applies the settings of a step to the state with which its guide began. */
  const take = (wanted: Step) => {
    const one = current();
    if (!one) return;
    const { set, b } = begin(one);
    const over = (settings: Setting[], more: Setting[] = []) => more.reduce((all, [path, value]) => put(all, path, value), settings);
    const both = { set: over(set, wanted.set), b: over(b, wanted.b) };
    setState({ ...both, two: both.b.length > 0 });
    setStep(wanted);
    if (wanted.view) setTab(wanted.view);
  };
  const preset = () => {
    const { replications, jitter } = step() ?? {};
    return replications === undefined || jitter === undefined || !current()?.steps.includes(step()!) ? undefined : { replications, jitter };
  };
  const chosen = () => (state.experiment ? `guide:${state.experiment}` : state.example ? `example:${state.example}` : "own:");
  /** Start jitter of replications, s: ten times the round-trip propagation delay of all links together, at most a tenth of the run. */
  const jitter = () => {
    const one = scenario();
    if (!one) return 0;
    const trip = 2 * one.links.reduce((sum, link) => sum + (link.delay || 0), 0) || 0.1;
    return Number(Math.min(10 * trip, one.duration / 10).toPrecision(2));
  };
  const general = () => {
    const known = new Set(shownGroups().flatMap((group) => group.fields.map((field) => field.path)));
    return problems().filter((one) => !known.has(one.path) && !one.path.startsWith("own."));
  };
  const edited = (value: string) => setState({ example: null, text: value, experiment: undefined, set: [], b: [] });

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
            <For each={GROUPS}>
              {(group) => (
                <optgroup label={group.title}>
                  <For each={GUIDES.filter((one) => one.group === group.id)}>{(one) => <option value={`guide:${one.id}`} selected={chosen() === `guide:${one.id}`}>{one.title}</option>}</For>
                </optgroup>
              )}
            </For>
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
          <Match when={tab() === "learn"}>
            <Learn current={state.experiment} onOpen={(id) => { choose(`guide:${id}`); setTab("play"); }} />
          </Match>
          <Match when={tab() === "play"}>
            <aside>
              <Show when={current()} fallback={<Show when={example()}>{(one) => <p class="story">{one().summary}</p>}</Show>}>
                {(one) => <GuidePanel guide={one()} onStep={take} />}
              </Show>
              <Show when={scenario()}>
                {(one) => <Controls state={state} schema={schema} scenario={one()} groups={shownGroups()} first={first()} problems={problems()} change={{ set: (list, settings: Setting[]) => setState(list, settings), own: (formulas) => setState("own", formulas) }} />}
              </Show>
            </aside>
            <section class="right" aria-label="Runs" classList={{ stale: problems().length > 0 || switching() }} aria-busy={switching()}>
              <Show when={general().length}>
                <div class="problems" role="alert"><For each={general()}>{(one) => <pre>{one.text}</pre>}</For></div>
              </Show>
              <Show when={current()?.figure} keyed>{(one) => <LiveFigure figure={one} state={state} runners={[replicators.a, replicators.b]} />}</Show>
              <Show when={shown().length ? shownFor() : null} fallback={<p class="waiting">{problems().length ? "" : "The first run begins …"}</p>}>
                {(one) => <Stage scenario={one()} runs={shown()} differences={state.b} time={time()} onTime={setTime} playing={playing()} onPlaying={setPlaying} />}
              </Show>
              <Show when={shown().length}>
                <p class="facts" data-took={took()}>
                  <Show when={state.jitter}>Flows start with a random delay of up to {state.jitter} s, as in a replication. </Show>
                  {shown().map(({ run, outcome }) => `${run}: ${outcome.events.toLocaleString("en")} events in ${Math.round(outcome.took)} ms`).join(" · ")} · shown {Math.round(took())} ms after the change
                </p>
              </Show>
            </section>
          </Match>
          <Match when={tab() === "compare"}>
            <Compare
              two={state.two} runners={replicators} jitter={jitter()} preset={preset()} subject={JSON.stringify(state)}
              given={(run) => (problems().length ? null : given(run, false))}
            />
          </Match>
          <Match when={tab() === "edit"}>
            <Edit schema={schema} text={text()} name={state.example} problems={problems()} settings={state.set.length + state.b.length} onText={edited} />
          </Match>
          <Match when={tab() === "share"}>
            <Share state={state} text={text()} runs={shown()} version={props.data.version} scenarioHash={hash()} stale={pending() || problems().length > 0} />
          </Match>
        </Switch>
      </main>
    </>
  );
}
