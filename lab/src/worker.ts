// Runs one scenario at a time, in steps of some milliseconds; messages are read between the steps.

import { Core, Fault, Refused, type Table } from "../../crates/web/js/core.mjs";
import type { Formulas } from "./model";
import { NONE, type Drop, type FlowRow, type Frames, type Hops, type Outcome, type Series } from "./traces";

export interface Run {
  id: number;
  /** Arguments from which the core's command `start` is made. */
  given: { scenario: string; files: Record<string, string>; set: [string, string][]; seed: number; radio: boolean; duration: number; packets: boolean; own?: Formulas };
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

export type ToWorker = { module: WebAssembly.Module } | { run: Run } | { check: Run } | { stop: number };

export type FromWorker =
  | { ready: true }
  | { id: number; checked: { version: string; scenario_hash: string; scenario: unknown } }
  | { id: number; progress: number; now: number; events: number }
  | { id: number; long: { events: number; fraction: number } }
  | { id: number; stopped: true }
  | { id: number; refused: { path: string; line: number | null; text: string }[] }
  | { id: number; fault: string }
  | { id: number; replication: Replication }
  | { id: number; replicated: true }
  | { id: number; outcome: Outcome };

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
    const work = "run" in data ? data.run : data.check;
    latest = work.id;
    try {
      if ("check" in data) check(work);
      else if (work.replications) await replicate(work, work.replications);
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

function check({ id, given: { scenario, files, set, seed, own } }: Run) {
  post({ id, checked: core.json({ do: "check", scenario, files, set, seed, own }) });
}

async function run({ id, given, most }: Run) {
  const began = performance.now();
  const { scenario, files, set, seed, radio, duration, packets, own } = given;
  const traces = ["cwnd", "state", "throughput", "drops", ...(packets ? ["queue", "segments", "hops"] : []), ...(radio && packets ? ["frames"] : []), ...(radio ? ["positions"] : [])];
  core.json({ do: "start", scenario, files, set, seed, own, traces, bin_s: Math.max(duration / 240, 1e-3) });
  let looks = 2;
  for (;;) {
    const stepped = performance.now();
    const progress = core.json({ do: "step", looks });
    if (progress.done) {
      if (latest !== id) return give(id);
      const outcome = read(progress, duration, radio, packets);
      outcome.took = performance.now() - began;
      post({ id, outcome }, buffers(outcome));
      core.call({ do: "forget" });
      if (progress.memory_bytes > LARGE) core = new Core(module);
      return;
    }
    post({ id, progress: progress.now_s / progress.end_s, now: progress.now_s, events: progress.events });
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

function read(progress: { sha256?: string; events: number }, end: number, radio: boolean, packets: boolean): Outcome {
  const summary = JSON.parse(core.text({ do: "summary" }));
  const flows = summary.flows.length;
  const cwnd = core.table("cwnd");
  const state = core.table("state");
  const nothing = () => many(flows).map((one) => one.end());
  const segments = packets ? sequence(core.table("segments"), flows) : { sent: nothing(), resent: nothing(), acked: nothing() };
  return {
    sha256: progress.sha256 ?? "",
    events: progress.events,
    end,
    took: 0,
    flows: summary.flows,
    links: summary.links,
    jain: summary.fairness.jain,
    version: summary.manifest.version,
    cwnd: variable(cwnd, "cwnd", flows),
    ssthresh: variable(cwnd, "ssthresh", flows),
    rtt: variable(state, "rtt", flows),
    recovery: variable(state, "recovery", flows),
    throughput: bins(core.table("throughput"), flows),
    ...segments,
    queue: packets ? queues(core.table("queue")) : {},
    drops: lost(core.table("drops")),
    hops: packets ? hops(core.table("hops")) : null,
    frames: radio && packets ? frames(core.table("frames")) : null,
    positions: radio ? positions(core.table("positions")) : {},
  };
}

function numbers(table: Table, name: string) {
  const column = table.columns[name];
  if (!column || column.type === "label") throw new Error(`no numbers ${name}`);
  return column.values;
}

function labels(table: Table, name: string) {
  const column = table.columns[name];
  if (!column || column.type !== "label") throw new Error(`no labels ${name}`);
  return column;
}

/** Collector of values over time in growing buffers. */
class Growing {
  private t = new Float64Array(256);
  private v = new Float64Array(256);
  private n = 0;
  add(t: number, v: number) {
    if (this.n === this.t.length) {
      const [t, v] = [new Float64Array(this.n * 2), new Float64Array(this.n * 2)];
      t.set(this.t);
      v.set(this.v);
      [this.t, this.v] = [t, v];
    }
    this.t[this.n] = t;
    this.v[this.n++] = v;
  }
  end(): Series {
    return { t: this.t.slice(0, this.n), v: this.v.slice(0, this.n) };
  }
}

const many = (count: number) => Array.from({ length: count }, () => new Growing());
const ended = (each: Growing[]) => each.map((one) => one.end());

function variable(table: Table, name: string, flows: number): Series[] {
  const [time, flow, variable, value] = [numbers(table, "time_s"), numbers(table, "flow"), labels(table, "variable"), numbers(table, "value")];
  const code = variable.names.indexOf(name);
  const out = many(flows);
  for (let i = 0; i < table.rows; i++) if (variable.values[i] === code) out[flow[i]].add(time[i], value[i]);
  return ended(out);
}

function bins(table: Table, flows: number): Series[] {
  const [time, flow, rate] = [numbers(table, "time_s"), numbers(table, "flow"), numbers(table, "throughput_bps")];
  const out = many(flows);
  for (let i = 0; i < table.rows; i++) out[flow[i]].add(time[i], rate[i]);
  return ended(out);
}

function queues(table: Table): Record<string, Series> {
  const [time, link, packets] = [numbers(table, "time_s"), labels(table, "place"), numbers(table, "packets")];
  const out = many(link.names.length);
  for (let i = 0; i < table.rows; i++) out[link.values[i]].add(time[i], packets[i]);
  return Object.fromEntries(out.map((one, i) => [link.names[i], one.end()]));
}

function sequence(table: Table, flows: number): { sent: Series[]; resent: Series[]; acked: Series[] } {
  const [time, event, flow, seq] = [numbers(table, "time_s"), labels(table, "event"), numbers(table, "flow"), numbers(table, "seq")];
  const [send, ack] = ["send", "ack"].map((name) => event.names.indexOf(name));
  const [sent, resent, acked] = [many(flows), many(flows), many(flows)];
  const highest = new Float64Array(flows).fill(-1);
  for (let i = 0; i < table.rows; i++) {
    const f = flow[i];
    if (event.values[i] === send) {
      if (seq[i] > highest[f]) {
        highest[f] = seq[i];
        sent[f].add(time[i], seq[i]);
      } else resent[f].add(time[i], seq[i]);
    } else if (event.values[i] === ack) acked[f].add(time[i], seq[i]);
  }
  return { sent: ended(sent), resent: ended(resent), acked: ended(acked) };
}

function lost(table: Table): Drop[] {
  const [time, place, flow, cause, seq] = [numbers(table, "time_s"), labels(table, "place"), numbers(table, "flow"), labels(table, "cause"), numbers(table, "seq")];
  return Array.from({ length: table.rows }, (_, i) => ({
    t: time[i],
    flow: flow[i],
    cause: cause.names[cause.values[i]] ?? "",
    place: place.names[place.values[i]] ?? "",
    seq: seq[i],
  }));
}

/** Returns the row numbers in order of the rows' times. */
function order(times: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({ length: times.length }, (_, i) => i).sort((a, b) => times[a] - times[b]);
}

function hops(table: Table): Hops {
  const enqueued = numbers(table, "enqueued_s");
  const by = order(enqueued);
  const floats = (name: string) => {
    const from = numbers(table, name);
    return Float64Array.from(by, (i) => from[i]);
  };
  const codes = (name: string) => {
    const { values, names } = labels(table, name);
    return [Uint32Array.from(by, (i) => values[i]), names] as const;
  };
  const ints = (name: string) => {
    const from = numbers(table, name);
    return Int32Array.from(by, (i) => from[i]);
  };
  const [place, places] = codes("place");
  const [kind, kinds] = codes("kind");
  const [cause, causes] = codes("cause");
  const out = { enqueued: floats("enqueued_s"), begins: floats("begins_s"), ends: floats("ends_s"), arrives: floats("arrives_s") };
  let longest = 0;
  for (let i = 0; i < table.rows; i++) longest = Math.max(longest, out.arrives[i] - out.enqueued[i]);
  return { ...out, place, places, kind, kinds, cause, causes, flow: ints("flow"), bytes: ints("bytes"), longest };
}

function frames(table: Table): Frames {
  const by = order(numbers(table, "time_s"));
  const floats = (name: string) => {
    const from = numbers(table, name);
    return Float64Array.from(by, (i) => from[i]);
  };
  const codes = (name: string) => {
    const column = table.columns[name];
    if (column.type === "label") return [Uint32Array.from(by, (i) => column.values[i]), column.names] as const;
    return [new Uint32Array(table.rows).fill(NONE), [] as string[]] as const;
  };
  const [from, nodes] = codes("from");
  const [to, targets] = codes("to");
  const [kind, kinds] = codes("kind");
  const [lost, causes] = codes("lost");
  const [begins, ends] = [floats("time_s"), floats("end_s")];
  let longest = 0;
  for (let i = 0; i < table.rows; i++) longest = Math.max(longest, ends[i] - begins[i]);
  return { begins, ends, from, to, nodes, targets, kind, kinds, flow: floats("flow"), lost, causes, longest };
}

function positions(table: Table): Record<string, [number, number]> {
  const [node, x, y] = [labels(table, "node"), numbers(table, "x_m"), numbers(table, "y_m")];
  const out: Record<string, [number, number]> = {};
  for (let i = 0; i < table.rows; i++) out[node.names[node.values[i]]] ??= [x[i], y[i]];
  return out;
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
