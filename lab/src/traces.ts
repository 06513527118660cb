// The series and packets of a finished run, in the form in which the page draws them.

/** Values over time; each value holds until the time of the next one. */
export interface Series {
  t: Float64Array;
  v: Float64Array;
}

/** Transmissions of packets on links: parallel arrays, in the order in which packets joined queues. */
export interface Hops {
  enqueued: Float64Array;
  begins: Float64Array;
  ends: Float64Array;
  arrives: Float64Array;
  /** Index into `places`. */
  place: Uint32Array;
  places: string[];
  flow: Int32Array;
  /** Index into `kinds`. */
  kind: Uint32Array;
  kinds: string[];
  bytes: Int32Array;
  /** Index into `causes`; `NONE` if the packet arrived. */
  cause: Uint32Array;
  causes: string[];
  /** Longest time of a packet from joining a queue to arriving at the link's far end, seconds. */
  longest: number;
}

/** Transmissions in radio networks, in order of time. */
export interface Frames {
  begins: Float64Array;
  ends: Float64Array;
  from: Uint32Array;
  to: Uint32Array;
  nodes: string[];
  targets: string[];
  kind: Uint32Array;
  kinds: string[];
  flow: Float64Array;
  lost: Uint32Array;
  causes: string[];
  longest: number;
}

export const NONE = 0xffffffff;

/** A packet that was lost. */
export interface Drop {
  t: number;
  flow: number;
  cause: string;
  place: string;
  seq: number;
}

export interface FlowRow {
  name: string;
  variant: string;
  goodput_bps: number;
  throughput_bps: number;
  lost_packets_total: number;
  retransmitted_packets: number;
  timeouts: number;
  fast_retransmits: number;
  rtt_mean_s: number | null;
  fct_s: number | null;
  [column: string]: unknown;
}

export interface LinkRow {
  name: string;
  link: string;
  utilisation: number;
  queue_mean_packets: number;
  queue_max_packets: number;
  [column: string]: unknown;
}

export interface Outcome {
  sha256: string;
  events: number;
  end: number;
  /** Time from the command to the outcome, milliseconds. */
  took: number;
  flows: FlowRow[];
  links: LinkRow[];
  jain: number | null;
  version: string;
  cwnd: Series[];
  ssthresh: Series[];
  rtt: Series[];
  /** Loss recovery over time: 0 none, 1 fast recovery, 2 recovery after a timeout. */
  recovery: Series[];
  throughput: Series[];
  sent: Series[];
  resent: Series[];
  acked: Series[];
  /** Number of packets in the queue of each link direction, by the direction's name `a>b`. */
  queue: Record<string, Series>;
  drops: Drop[];
  hops: Hops | null;
  frames: Frames | null;
  /** Position of each node at the start, if the run has a radio network. */
  positions: Record<string, [number, number]>;
}

/** Returns the index of the last time at or before `t`; -1 if there is none. */
export function before(times: Float64Array, t: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the value at time `t`; NaN before the first value. */
export function at(series: Series, t: number): number {
  const i = before(series.t, t);
  return i < 0 ? NaN : series.v[i];
}
