// Replications of both runs with the same seeds, made in the background; the intervals narrow as they arrive.

import { For, Show, createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import { rate, short } from "./quantity";
import type { Runner } from "./runner";
import { interval, pValue, type Interval } from "./statistics";
import type { FlowRow } from "./traces";
import type { Run, Replication } from "./worker";

const MOST = 200;

interface Measure {
  name: string;
  of: (flow: FlowRow) => number;
  format: (value: number) => string;
  /** True if the sum over all flows has a meaning. */
  sums?: boolean;
}

/** Row of the sum over all flows. */
const ALL = -1;

const MEASURES: Measure[] = [
  { name: "Goodput", of: (flow) => flow.goodput_bps, format: (v) => rate(v), sums: true },
  { name: "Mean RTT", of: (flow) => (typeof flow.packet_rtt_mean_s === "number" ? flow.packet_rtt_mean_s : NaN), format: (v) => `${short(v * 1000)} ms` },
  { name: "Lost packets", of: (flow) => flow.lost_packets_total ?? 0, format: (v) => short(v), sums: true },
];

export function Compare(props: { two: boolean; runners: { a: Runner; b: Runner }; given: (run: "a" | "b") => Run["given"] | null; jitter: number; subject: string; preset?: { replications: number; jitter: number } }) {
  const [found, setFound] = createSignal<{ a: Replication[]; b: Replication[] }>({ a: [], b: [] });
  const [running, setRunning] = createSignal(false);
  const [count, setCount] = createSignal(props.preset?.replications ?? 20);
  const [jitter, setJitter] = createSignal<number | null>(props.preset?.jitter ?? null);
  const [word, setWord] = createSignal("");
  const bound = () => jitter() ?? props.jitter;
  const stop = () => {
    props.runners.a.stop();
    props.runners.b.stop();
    setRunning(false);
  };
  const start = () => {
    setWord("");
    setFound({ a: [], b: [] });
    setRunning(true);
    for (const run of ["a", "b"] as const) {
      const given = props.given(run);
      if (!given) continue;
      props.runners[run].start(given, {
        replicated: (one) => setFound((now) => ({ ...now, [run]: [...now[run], one] })),
        refused(problems) {
          setWord(problems.map((one) => one.text).join("\n"));
          stop();
        },
        replicatedAll: () => Math.min(found().a.length, found().b.length) >= count() && setRunning(false),
      }, { replications: { count: count(), jitter: bound() } });
    }
  };
  // If the settings change, earlier results do not apply any more.
  createEffect(on(() => props.subject, () => {
    stop();
    setFound({ a: [], b: [] });
  }, { defer: true }));
  onCleanup(stop);

  const pairs = () => Math.min(found().a.length, found().b.length);
  const flows = createMemo(() => found().a[0]?.flows ?? []);
  const rows = (measure: Measure) => [
    ...flows().slice(0, 20).map((flow, i) => ({ name: flow.name, flow: i })),
    ...(measure.sums && flows().length > 1 ? [{ name: "all flows", flow: ALL }] : []),
  ];
  const values = (run: "a" | "b", measure: Measure, flow: number) =>
    found()[run].slice(0, pairs()).map(({ flows }) => (flow === ALL ? flows.reduce((sum, one) => sum + measure.of(one), 0) : measure.of(flows[flow])));
  const cell = (measure: Measure, { mean, half }: Interval) => `${mean < 0 ? "−" : ""}${measure.format(Math.abs(mean))}${Number.isNaN(half) ? "" : ` ± ${measure.format(half)}`}`;
  const verdict = (difference: Interval) => {
    if (difference.n < 2) return "two replications are the least";
    if (difference.deviation === 0) return difference.mean === 0 ? "equal in every replication" : "the same difference in every replication: nothing is random here, and an interval would mean nothing";
    const p = pValue(Math.abs(difference.mean) / (difference.deviation / Math.sqrt(difference.n)), difference.n - 1);
    if (Math.abs(difference.mean) <= difference.half) return `no difference beyond chance (p = ${short(p, 2)})`;
    return `${difference.mean > 0 ? "B is higher" : "B is lower"} (p ${p < 0.001 ? "< 0.001" : `= ${short(p, 2)}`})`;
  };
  return (
    <div class="share compare">
      <section>
        <h2>Is the difference more than chance?</h2>
        <p>
          Both runs are repeated on seeds N, N + 1, …, and each flow starts later by a random time. Replication r of A and of B has the same seed, so that both meet the same random events, and the
          difference is taken pair by pair. Intervals are Student-t, 95 %.
        </p>
        <Show when={props.two} fallback={<p class="word">There is one run. Switch “Two runs” on, and give run B another value.</p>}>
          <p class="buttons">
            <label>Replications <input type="number" min="2" max={MOST} value={count()} onChange={(event) => setCount(Math.min(Math.max(Math.round(event.currentTarget.valueAsNumber) || 2, 2), MOST))} /></label>
            <label>Start jitter, s <input type="number" min="0" step="any" value={bound()} onChange={(event) => setJitter(Math.max(event.currentTarget.valueAsNumber || 0, 0))} /></label>
            <Show when={running()} fallback={<button type="button" onClick={start}>Start</button>}><button type="button" onClick={stop}>Stop</button></Show>
            <span role="status">{pairs() ? `${pairs()} of ${count()} pairs` : running() ? "the first pair runs" : ""}</span>
          </p>
        </Show>
        <Show when={word()}><pre class="problem" role="alert">{word()}</pre></Show>
      </section>
      <Show when={pairs()}>
        <For each={MEASURES}>
          {(measure) => (
            <section>
              <h2>{measure.name}</h2>
              <div class="scroll" tabindex="0" role="region" aria-label={`${measure.name}, means and differences`}>
                <table>
                  <thead><tr><th scope="col">Flow</th><th scope="col">Run A</th><th scope="col">Run B</th><th scope="col">B minus A</th><th scope="col">Verdict</th></tr></thead>
                  <tbody>
                    <For each={rows(measure)}>
                      {({ name, flow }) => {
                        const [a, b] = [() => values("a", measure, flow), () => values("b", measure, flow)];
                        const difference = () => interval(b().map((one, k) => one - a()[k]));
                        return (
                          <tr>
                            <th scope="row">{name}</th><td>{cell(measure, interval(a()))}</td><td>{cell(measure, interval(b()))}</td>
                            <td>{cell(measure, difference())}</td><td>{verdict(difference())}</td>
                          </tr>
                        );
                      }}
                    </For>
                  </tbody>
                </table>
              </div>
            </section>
          )}
        </For>
      </Show>
    </div>
  );
}
