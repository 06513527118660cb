// Events that a user can ask about: losses, reductions of the window, retransmissions.

import { short } from "./quantity";
import { story, type Step } from "./story";
import { at, before, type Drop, type Outcome } from "./traces";

export type Kind = "loss" | "cut" | "again";

export interface Moment {
  kind: Kind;
  t: number;
  flow: number;
  /** The lost packet, if the event is a loss. */
  drop?: Drop;
  /** Sequence number, if the event is a retransmission. */
  seq?: number;
  /** Windows before and after, if the event is a reduction. */
  from?: number;
  to?: number;
}

export const KINDS: { kind: Kind; word: string; few: string }[] = [
  { kind: "loss", word: "loss", few: "Nothing was lost in this run." },
  { kind: "cut", word: "window cut", few: "No window was reduced in this run." },
  { kind: "again", word: "retransmission", few: "No packet was sent again in this run." },
];

/** Share of the window that a reduction takes at least, and its least size in segments. */
const CUT = { share: 0.05, segments: 1 };

/** Returns the events of a kind in the order of time. */
export function moments(outcome: Outcome, kind: Kind): Moment[] {
  if (kind === "loss") return outcome.drops.map((drop) => ({ kind, t: drop.t, flow: drop.flow, drop }));
  const found: Moment[] = [];
  outcome.flows.forEach((_, flow) => {
    if (kind === "again") {
      const { t, v } = outcome.resent[flow];
      for (let i = 0; i < t.length; i++) found.push({ kind, t: t[i], flow, seq: v[i] });
      return;
    }
    const { t, v } = outcome.cwnd[flow];
    for (let i = 1; i < t.length; i++) {
      const fall = v[i - 1] - v[i];
      if (fall >= CUT.segments && fall >= CUT.share * v[i - 1]) found.push({ kind, t: t[i], flow, from: v[i - 1], to: v[i] });
    }
  });
  return found.sort((a, b) => a.t - b.t);
}

/** Returns the event that is nearest to time `t`; null if there is none. */
export function nearest(all: Moment[], t: number): Moment | null {
  let best: Moment | null = null;
  for (const one of all) if (!best || Math.abs(one.t - t) < Math.abs(best.t - t)) best = one;
  return best;
}

/** Returns the chain of events around a moment in words. */
export function tell(outcome: Outcome, moment: Moment): Step[] {
  if (moment.drop) return story(outcome, moment.drop);
  return moment.kind === "again" ? retransmission(outcome, moment) : reduction(outcome, moment);
}

/** Puts the event itself among the steps of a loss. */
function within(outcome: Outcome, drop: Drop, own: Step): Step[] {
  return [...story(outcome, drop), own].sort((a, b) => a.t - b.t);
}

function retransmission(outcome: Outcome, { flow, t, seq }: Moment): Step[] {
  const name = outcome.flows[flow].name;
  const lost = outcome.drops.findLast((drop) => drop.flow === flow && drop.seq === seq && drop.t <= t);
  const mode = at(outcome.recovery[flow], t);
  const how = mode === 2 ? "after its retransmission timer expired" : mode === 1 ? "in fast recovery" : "outside of recovery";
  if (lost) return within(outcome, lost, { t, chosen: true, text: `${name} sends the packet again ${how}.` });
  return [{
    t,
    chosen: true,
    text:
      `${name} sends a packet again ${how}, though no copy of it had been lost: the packet or its acknowledgment was still on its way, or had arrived. ` +
      (mode === 2 ? "After a timeout a sender without further knowledge repeats what was outstanding." : "The sender took missing acknowledgments for a loss."),
  }];
}

function reduction(outcome: Outcome, { flow, t, from, to }: Moment): Step[] {
  const name = outcome.flows[flow].name;
  const own = { t, text: `The congestion window of ${name} falls from ${short(from ?? NaN)} to ${short(to ?? NaN)} segments.`, chosen: true };
  // Losses of this flow since its former reduction; a window answers the first of them.
  const earlier = moments(outcome, "cut").findLast((one) => one.flow === flow && one.t < t);
  const lost = outcome.drops.filter((drop) => drop.flow === flow && drop.t <= t && drop.t > (earlier?.t ?? -Infinity));
  const again = at(outcome.recovery[flow], t);
  if (lost.length) return within(outcome, lost[0], own);
  const unanswered = again > 0 ? outcome.drops.findLast((drop) => drop.flow === flow && drop.t <= t) : undefined;
  if (unanswered) return within(outcome, unanswered, own);
  const queue = longest(outcome, t);
  return [{
    ...own,
    text: `${own.text} No packet of this flow was lost since ${earlier ? `its former reduction at ${earlier.t.toFixed(3)} s` : "it began"}: the control acts on delay, on marks or on its own schedule.${queue}`,
  }];
}

/** Returns a sentence about the longest queue at a time. */
function longest(outcome: Outcome, t: number): string {
  const held = Object.entries(outcome.queue).filter(([, { t: times }]) => before(times, t) >= 0).map(([name, series]) => ({ name, packets: at(series, t) }));
  const most = held.reduce((best, one) => (one.packets > best.packets ? one : best), { name: "", packets: 0 });
  return most.name ? ` ${most.packets} packets wait at ${most.name}.` : "";
}
