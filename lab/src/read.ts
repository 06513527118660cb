// Tables of the core as series, packets and losses, in the form in which the page draws them.

import type { Core, Table } from "../../crates/web/js/core.mjs";
import { NONE, type Drop, type Frames, type Hops, type Outcome, type Series } from "./traces";

/** Returns what the page shows of the finished run of the core. */
export function outcome(core: Core, progress: { sha256?: string; events: number }, end: number, radio: boolean, packets: boolean): Outcome {
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

/** Returns the row numbers in order of the rows' times; null if the rows are in order. */
function order(times: ArrayLike<number>, place?: Uint32Array, places = 0): Uint32Array | null {
  let sorted = true;
  for (let i = 1; i < times.length && sorted; i++) sorted = times[i - 1] <= times[i];
  if (sorted) return null;
  return (place && merged(times, place, places)) ?? Uint32Array.from({ length: times.length }, (_, i) => i).sort((a, b) => times[a] - times[b]);
}

/** Like `order`, by merging the rows of all places; null if the rows of a place are not in order of time, as those of a queue are. */
function merged(times: ArrayLike<number>, place: Uint32Array, places: number): Uint32Array | null {
  const counts = new Uint32Array(places + 1);
  for (const one of place) counts[one + 1]++;
  for (let i = 0; i < places; i++) counts[i + 1] += counts[i];
  const [next, rows] = [counts.slice(), new Uint32Array(place.length)];
  for (let i = 0; i < place.length; i++) {
    const at = next[place[i]]++;
    if (at > counts[place[i]] && times[rows[at - 1]] > times[i]) return null;
    rows[at] = i;
  }
  const [ahead, out] = [counts.slice(0, places), new Uint32Array(place.length)];
  for (let i = 0; i < out.length; i++) {
    let [best, least] = [-1, Infinity];
    for (let one = 0; one < places; one++) {
      if (ahead[one] === counts[one + 1]) continue;
      const t = times[rows[ahead[one]]];
      if (t < least || best < 0) [best, least] = [one, t];
    }
    out[i] = rows[ahead[best]++];
  }
  return out;
}

/** Access to the columns of a table, with the rows in the order `by`, or in their own if it is null. */
function columns(table: Table, by: Uint32Array | null) {
  return {
    floats(name: string) {
      const from = numbers(table, name);
      if (!by) return from instanceof Float64Array ? from : Float64Array.from(from);
      const out = new Float64Array(by.length);
      for (let i = 0; i < by.length; i++) out[i] = from[by[i]];
      return out;
    },
    ints(name: string) {
      const from = numbers(table, name);
      if (!by) return from instanceof Int32Array ? from : Int32Array.from(from);
      const out = new Int32Array(by.length);
      for (let i = 0; i < by.length; i++) out[i] = from[by[i]];
      return out;
    },
    codes(name: string) {
      const column = table.columns[name];
      if (column.type !== "label") return [new Uint32Array(table.rows).fill(NONE), [] as string[]] as const;
      if (!by) return [column.values, column.names] as const;
      const out = new Uint32Array(by.length);
      for (let i = 0; i < by.length; i++) out[i] = column.values[by[i]];
      return [out, column.names] as const;
    },
  };
}

function hops(table: Table): Hops {
  const where = labels(table, "place");
  const { floats, ints, codes } = columns(table, order(numbers(table, "enqueued_s"), where.values, where.names.length));
  const [place, places] = codes("place");
  const [kind, kinds] = codes("kind");
  const [cause, causes] = codes("cause");
  const out = { enqueued: floats("enqueued_s"), begins: floats("begins_s"), ends: floats("ends_s"), arrives: floats("arrives_s") };
  return { ...out, place, places, kind, kinds, cause, causes, flow: ints("flow"), bytes: ints("bytes"), longest: longest(out.enqueued, out.arrives) };
}

function longest(from: Float64Array, to: Float64Array): number {
  let most = 0;
  for (let i = 0; i < from.length; i++) if (to[i] - from[i] > most) most = to[i] - from[i];
  return most;
}

function frames(table: Table): Frames {
  const { floats, codes } = columns(table, order(numbers(table, "time_s")));
  const [from, nodes] = codes("from");
  const [to, targets] = codes("to");
  const [kind, kinds] = codes("kind");
  const [lost, causes] = codes("lost");
  const [begins, ends] = [floats("time_s"), floats("end_s")];
  return { begins, ends, from, to, nodes, targets, kind, kinds, flow: floats("flow"), lost, causes, longest: longest(begins, ends) };
}

function positions(table: Table): Record<string, [number, number]> {
  const [node, x, y] = [labels(table, "node"), numbers(table, "x_m"), numbers(table, "y_m")];
  const out: Record<string, [number, number]> = {};
  for (let i = 0; i < table.rows; i++) out[node.names[node.values[i]]] ??= [x[i], y[i]];
  return out;
}
