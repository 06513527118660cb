// The chain of events before and after a loss, in words, from the run's traces.

import { short } from "./quantity";
import { at, before, type Drop, type Outcome, type Series } from "./traces";

export interface Step {
  t: number;
  text: string;
  /** True for the event that the user chose. */
  chosen?: boolean;
}

/** Explanations of causes whose names are not clear enough. */
const CAUSES: Record<string, string> = {
  queue: "the queue was full",
  aqm: "the queue discipline dropped it on purpose, before the queue was full",
  random: "the link lost it at random, whatever the load",
  "bit-error": "a bit error damaged it",
  outage: "the link was down",
};

/** Returns the index of the first value after `t` for which `holds`; -1 if there is none. */
function next({ t: times, v }: Series, t: number, holds: (value: number, i: number) => boolean): number {
  for (let i = before(times, t) + 1; i < times.length; i++) if (holds(v[i], i)) return i;
  return -1;
}

/** Returns the cause of a loss, the way in which the sender detected it, and the sender's reaction, step by step. */
export function story(outcome: Outcome, drop: Drop): Step[] {
  const flow = outcome.flows[drop.flow];
  const steps: Step[] = [];
  const queue = outcome.queue[drop.place];
  const waiting = queue ? at(queue, drop.t) : NaN;
  const why = CAUSES[drop.cause] ?? `the cause is "${drop.cause}"`;
  const held = Number.isNaN(waiting) || !["queue", "aqm"].includes(drop.cause) ? "" : `, with ${waiting} packets in it`;
  steps.push({ t: drop.t, text: `A packet of ${flow.name} is lost at ${drop.place}: ${why}${held}.` });
  const together = outcome.drops.filter((one) => one.flow === drop.flow && Math.abs(one.t - drop.t) < rttOf(outcome, drop));
  if (together.length > 1) steps[0].text += ` ${together.length} packets of this flow are lost within one round trip.`;
  const cwnd = outcome.cwnd[drop.flow];
  if (!cwnd?.t.length) {
    steps.push({ t: drop.t, text: `${flow.name} has no congestion control: it sends on as before.` });
    return steps;
  }
  const window = at(cwnd, drop.t);
  if (!Number.isNaN(window)) steps[0].text += ` The congestion window is ${short(window)} segments.`;

  const recovery = outcome.recovery[drop.flow];
  const already = at(recovery, drop.t);
  if (already === 1) steps.push({ t: drop.t, text: "The sender is in fast recovery already, so that this loss brings no further reduction by itself." });
  const found = next(recovery, drop.t, (value) => value > 0);
  const resent = next(outcome.resent[drop.flow], drop.t, (seq) => seq === drop.seq);
  const again = resent < 0 ? NaN : outcome.resent[drop.flow].t[resent];
  if (found >= 0 && already !== 1) {
    const t = recovery.t[found];
    const kind = recovery.v[found];
    const later = `${short((t - drop.t) * 1000)} ms later`;
    const ssthresh = at(outcome.ssthresh[drop.flow], t);
    const after = at(cwnd, t);
    const limits = Number.isNaN(ssthresh) ? "" : `, ssthresh ${short(ssthresh)}`;
    steps.push({
      t,
      text:
        kind === 1
          ? `${later} acknowledgments tell the sender that something is missing. It takes this for congestion and enters fast recovery: window ${short(after)} segments${limits}.`
          : `${later} the retransmission timer expires: no acknowledgment has come that told of the loss. The window falls to ${short(after)} segments${limits}.`,
    });
    const end = next(recovery, t, (value) => value === 0);
    if (end >= 0) steps.push({ t: recovery.t[end], text: `Recovery ends after ${short((recovery.t[end] - t) * 1000)} ms; the window is ${short(at(cwnd, recovery.t[end]))} segments.` });
  }
  if (!Number.isNaN(again)) steps.push({ t: again, text: "The lost packet is sent again." });
  else if (outcome.resent[drop.flow].t.length === 0 || resent < 0) steps.push({ t: outcome.end, text: "The lost packet is not sent again before the run ends." });
  return steps.sort((a, b) => a.t - b.t);
}

function rttOf(outcome: Outcome, drop: Drop): number {
  const rtt = at(outcome.rtt[drop.flow] ?? { t: new Float64Array(), v: new Float64Array() }, drop.t);
  return Number.isNaN(rtt) ? 0.1 : rtt;
}
