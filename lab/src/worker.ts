// Runs one scenario at a time, in steps of some milliseconds; messages are read between the steps.

import { Core, Fault, Refused } from "../../crates/web/js/core.mjs";
import type { Formulas } from "./model";
import { read as described, type Described } from "./scenario";
import { outcome as outcomeOf } from "./read";
import type { FlowRow, Outcome } from "./traces";

export interface Run {
  id: number;
  /** Arguments from which the core's command `start` is made. */
  given: { scenario: string; files: Record<string, string>; set: [string, string][]; seed: number; jitter: number; packets: boolean; own?: Formulas };
  /** Number of events after which the run stops and the page asks the user; no limit if absent. */
  most?: number;
  /** If given, the scenario is run with `count` further seeds without traces; `jitter` is their start jitter, s. */
  replications?: { count: number; jitter: number };
}

/** Results of one replication. */
export interface Replication {
  flows: FlowRow[];
  /** Duration of the run, seconds. */
  duration: number;
}

export type ToWorker = { module: WebAssembly.Module } | { run: Run } | { stop: number };

export type FromWorker =
  | { ready: true }
  | { id: number; checked: Checked }
  | { id: number; progress: number; now: number; events: number }
  | { id: number; long: { events: number; fraction: number } }
  | { id: number; stopped: true }
  | { id: number; refused: { path: string; line: number | null; text: string }[] }
  | { id: number; fault: string }
  | { id: number; replication: Replication }
  | { id: number; replicated: true }
  | { id: number; outcome: Outcome };

/** The checked scenario, with which a run begins. */
export interface Checked {
  scenario_hash: string;
  scenario: Described;
}

/** Time until the first report of a run's progress, and between further reports, milliseconds. */
const QUIET = { first: 120, then: 40 };

/** Memory above which the module is replaced after a run, to free the memory, bytes. */
const LARGE = 192 << 20;

let module: WebAssembly.Module;
let core: Core;
let latest = 0;

const post = (message: FromWorker, transfer: Transferable[] = []) => self.postMessage(message, { transfer });

/** Lets the worker receive messages. A port is faster than a timer, which browsers delay by at least 4 ms. */
const { port1, port2 } = new MessageChannel();
const breathe = () =>
  new Promise<void>((resolve) => {
    port2.onmessage = () => resolve();
    port1.postMessage(0);
  });

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if ("module" in data) {
    module = data.module;
    core = new Core(module);
    post({ ready: true });
  } else if ("stop" in data) {
    latest = data.stop;
  } else {
    const work = data.run;
    latest = work.id;
    try {
      if (work.replications) await replicate(work, work.replications);
      else await run(work);
    } catch (why) {
      if (why instanceof Refused) post({ id: work.id, refused: why.problems });
      else {
        core = new Core(module);
        post({ id: work.id, fault: why instanceof Error ? why.message : String(why) });
      }
      if (!(why instanceof Refused || why instanceof Fault)) console.error(why);
    }
  }
};

async function run({ id, given, most }: Run) {
  const began = performance.now();
  const { scenario, files, set, seed, jitter, packets, own } = given;
  const checked: Checked = core.json({ do: "check", scenario, files, set, seed, own });
  post({ id, checked });
  const { duration, radio } = described(checked.scenario);
  const traces = ["cwnd", "state", "throughput", "drops", ...(packets ? ["queue", "segments", "hops"] : []), ...(radio && packets ? ["frames"] : []), ...(radio ? ["positions"] : [])];
  core.json({ do: "start", scenario, files, set, seed, own, traces, jitter_s: jitter, bin_s: Math.max(duration / 240, 1e-3) });
  let looks = 2;
  let said = began + QUIET.first - QUIET.then;
  for (;;) {
    const stepped = performance.now();
    const progress = core.json({ do: "step", looks });
    if (progress.done) {
      if (latest !== id) return give(id);
      const outcome = outcomeOf(core, progress, duration, radio, packets);
      outcome.took = performance.now() - began;
      post({ id, outcome }, buffers(outcome));
      core.call({ do: "forget" });
      if (progress.memory_bytes > LARGE) core = new Core(module);
      return;
    }
    if (performance.now() - said > QUIET.then) {
      said = performance.now();
      post({ id, progress: progress.now_s / progress.end_s, now: progress.now_s, events: progress.events });
    }
    await breathe();
    if (latest !== id) return give(id);
    if (most && progress.events > most) {
      post({ id, long: { events: progress.events, fraction: progress.now_s / progress.end_s } });
      core.call({ do: "forget" });
      core = new Core(module);
      return;
    }
    // The number of looks is adapted so that a step takes about 12 ms.
    looks = Math.max(1, Math.min(64, Math.round((looks * 12) / Math.max(performance.now() - stepped, 1))));
  }
}

async function replicate({ id, given: { scenario, files, set, seed, own } }: Run, { count, jitter }: { count: number; jitter: number }) {
  for (let r = 0; r < count; r++) {
    core.json({ do: "start", scenario, files, set, seed: seed + r, own, jitter_s: jitter });
    for (;;) {
      const { done } = core.json({ do: "step", looks: 8 });
      await breathe();
      if (latest !== id) return give(id);
      if (done) break;
    }
    const { flows, manifest } = JSON.parse(core.text({ do: "summary" }));
    post({ id, replication: { flows, duration: manifest.duration_s } });
  }
  core.call({ do: "forget" });
  post({ id, replicated: true });
}

function give(id: number) {
  core.call({ do: "forget" });
  post({ id, stopped: true });
}

/** Returns the buffers of an outcome, which are transferred to the page without a copy. */
function buffers(outcome: Outcome): Transferable[] {
  const found = new Set<ArrayBuffer>();
  const walk = (value: unknown) => {
    if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
    else if (value && typeof value === "object") Object.values(value).forEach(walk);
  };
  const { flows: _flows, links: _links, drops: _drops, ...arrays } = outcome;
  walk(arrays);
  return [...found];
}
