// The state of the page: a scenario, changes of its settings, and the settings in which run B differs from run A.

export type Setting = [path: string, value: string];

/** A control by formulas: growth per round trip in congestion avoidance, and the window after a loss, in segments. */
export interface Formulas {
  grow: string;
  cut: string;
}

/** Name of the control by formulas in variants. */
export const OWN = "own";

/** Reno's rules, with which a control of one's own begins. */
export const RENO: Formulas = { grow: "1", cut: "flight / 2" };

/** State of the page, as a link carries it. */
export interface LabState {
  /** Name of an example; null if the user wrote the scenario. */
  example: string | null;
  /** Text of the scenario that the user wrote; empty for an example. */
  text: string;
  /** Settings of both runs. */
  set: Setting[];
  /** Settings of run B only; they override those of `set`. */
  b: Setting[];
  /** True if two runs are shown. */
  two: boolean;
  seed: number;
  /** Upper bound of the random delay of each flow's start, seconds, as replications have it; without it, none. */
  jitter?: number;
  /** Name of the guided experiment that was chosen, if any. */
  experiment?: string;
  /** Formulas of the control `own`, if they differ from Reno's. */
  own?: Formulas;
}

export interface Example {
  name: string;
  summary: string;
  text: string;
  files: Record<string, string>;
}

/** Returns the settings with the setting at `path` replaced or added, or removed if `value` is undefined. */
export function put(settings: Setting[], path: string, value: string | undefined): Setting[] {
  const at = settings.findIndex(([known]) => known === path);
  if (value === undefined) return settings.filter(([known]) => known !== path);
  if (at < 0) return [...settings, [path, value]];
  return settings.map((one, i) => (i === at ? [path, value] : one));
}

export function get(settings: Setting[], path: string): string | undefined {
  return settings.find(([known]) => known === path)?.[1];
}

/** Returns the settings of a run; those of run B alone replace common ones. */
export function settingsOf(state: LabState, run: "a" | "b"): Setting[] {
  if (run === "a") return state.set;
  const over = new Map(state.b);
  return [...state.set.filter(([path]) => !over.has(path)), ...state.b];
}

/** Replaces each path with `*` by the paths that it stands for, as the command line does: `flow.*.start` becomes `flow.0.start`, `flow.1.start` and so on. */
export function expand(text: string, settings: Setting[]): Setting[] {
  return settings.flatMap(([path, value]): Setting[] => {
    const [kind, key, ...rest] = path.split(".");
    // A text that does not write its tables out leaves the path as it is, and the core tells what it takes.
    const count = key === "*" ? [...text.matchAll(new RegExp(`^\\[\\[${kind.replace(/\W/g, "")}\\]\\]`, "gm"))].length : 0;
    return count ? Array.from({ length: count }, (_, i) => [[kind, i, ...rest].join("."), value]) : [[path, value]];
  });
}

/** Returns true if a run has a control of one's own. */
export function hasOwn(state: LabState, run: "a" | "b"): boolean {
  return settingsOf(state, run).some(([path, value]) => path.endsWith(".variant") && value.split("+").includes(OWN));
}

/** Returns why the command line cannot repeat a run of the page; empty if it can. */
export function alone(state: LabState, run: "a" | "b"): string {
  if (hasOwn(state, run)) return "This run has a control by your formulas, which runs in this page alone: no command makes it.";
  if (state.jitter) return `The flows of this run start with a random delay of up to ${state.jitter} s. In Python: run(seed=${state.seed}, jitter_s=${state.jitter}).`;
  return "";
}

/** Quotes a word for a POSIX shell if it needs quotes. */
function quoted(word: string): string {
  return /^[\w.,:=/%+@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Returns the command line that makes the same run. */
export function command(state: LabState, run: "a" | "b"): string {
  const settings = settingsOf(state, run).map(([path, value]) => `--set ${quoted(`${path}=${value}`)}`);
  const file = state.example ?? "scenario.toml";
  return ["ackclock run", file, ...settings, `--seed ${state.seed}`, "--json - | sha256sum"].join(" ");
}
