// The runs of a figure: each point of each curve once, on both background workers.

import type { Figure } from "./guides";
import { expand, type LabState, type Setting } from "./model";
import type { Runner } from "./runner";
import type { FlowRow } from "./traces";

const sum = (values: number[]) => values.reduce((total, one) => total + one, 0);
const mean = (values: number[]) => sum(values) / values.length;
const known = (flows: FlowRow[], column: string) => flows.map((flow) => flow[column]).filter((value): value is number => typeof value === "number");

/** Quantities of figures, from the flows of a run and its duration. */
export const MEASURES: Record<string, (flows: FlowRow[], duration: number) => number> = {
  "new-data-bytes": (flows, duration) => (sum(known(flows, "sent_bytes")) - sum(known(flows, "retransmitted_bytes"))) / duration,
  "goodput-kbps": (flows) => sum(known(flows, "goodput_bps")) / 1e3,
  "goodput-mbps": (flows) => sum(known(flows, "goodput_bps")) / 1e6,
  "throughput-mbps": (flows) => sum(known(flows, "throughput_bps")) / 1e6,
  "rtt-ms": (flows) => 1e3 * mean(known(flows, "sampled_rtt_mean_s")),
  "delay-ms": (flows) => 1e3 * mean(known(flows, "transit_delay_mean_s")),
};

/** Values of a figure: for each curve, for each point; NaN before its run has ended. */
export type Values = number[][];

export const empty = ({ runs }: Figure): Values => runs.map((row) => row.map(() => NaN));

export interface Heard {
  value(values: Values, done: number, all: number): void;
  refused(text: string): void;
  ended(): void;
}

interface Task {
  text: number;
  set: Setting[];
  /** Curves and points that this run gives. */
  places: [curve: number, point: number][];
}

/** Returns the runs of a figure, each once, though several curves may read it. */
function tasks(figure: Figure, own: Setting[]): Task[] {
  // What `expand` returns are copies: a worker does not take the proxies of the page's state.
  const owns = figure.texts.map((text) => expand(text, own));
  const found = new Map<string, Task>();
  // All curves of a point before the next point, so that the figure grows from left to right.
  for (let point = 0; point < figure.xs.length; point++) {
    for (let curve = 0; curve < figure.runs.length; curve++) {
      const [text, set] = figure.runs[curve][point];
      // Points and curves come last: a slider cannot take their place.
      const all = [...owns[text], ...set];
      const key = `${text} ${JSON.stringify(all)}`;
      const task = found.get(key) ?? { text, set: all, places: [] };
      task.places.push([curve, point]);
      found.set(key, task);
    }
  }
  return [...found.values()];
}

/** Runs a figure; returns a function that stops it. */
export function draw(figure: Figure, state: LabState, runners: Runner[], heard: Heard): () => void {
  const waiting = tasks(figure, state.set);
  const all = waiting.length;
  const values = empty(figure);
  let done = 0;
  let stopped = false;
  const next = (runner: Runner) => {
    const task = waiting.shift();
    if (!task || stopped) return;
    const ended = () => {
      if (stopped) return;
      heard.value(values.map((row) => [...row]), ++done, all);
      if (done === all) heard.ended();
      next(runner);
    };
    const given = { scenario: figure.texts[task.text], files: {}, set: task.set, seed: state.seed, jitter: 0, packets: false };
    runner.start(given, {
      replicated(one) {
        for (const [curve, point] of task.places) {
          const chosen = figure.curves[curve].flows;
          const flows = chosen.length ? chosen.map((i) => one.flows[i]) : one.flows;
          values[curve][point] = MEASURES[figure.measure](flows, one.duration);
        }
      },
      refused(problems) {
        if (!stopped) heard.refused(problems.map((one) => one.text).join("\n"));
        ended();
      },
      replicatedAll: ended,
    }, { replications: { count: 1, jitter: 0 } });
  };
  for (const runner of runners) next(runner);
  return () => {
    stopped = true;
    for (const runner of runners) runner.stop();
  };
}

/** Returns round numbers from about `low` to about `high`. */
export function ticks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= raw * 0.999) ?? raw;
  const out = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-6; tick += step) out.push(Number(tick.toPrecision(12)));
  return out;
}
