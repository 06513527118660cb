// The animations of the runs, the control of the time shown, and charts of quantities over time.

import { For, Index, Show, batch, createEffect, createMemo, createSignal, onCleanup, onMount, untrack } from "solid-js";
import { Chart, highest, type Line } from "./chart";
import { layout } from "./layout";
import { colour, css, dash } from "./palette";
import { Picture } from "./picture";
import { rate, short } from "./quantity";
import { KINDS, moments, nearest, tell, type Kind } from "./moments";
import type { Setting } from "./model";
import type { Scenario } from "./scenario";
import { at, type Outcome, type Series } from "./traces";

export interface Shown {
  run: "A" | "B";
  outcome: Outcome;
}

interface Quantity {
  name: string;
  unit: string;
  format: (value: number) => string;
  /** Curves of a run; values at the cursor are shown for curves with a label. */
  lines: (outcome: Outcome) => Line[];
  /** Kind of event that a click on the chart asks about. */
  event: Kind;
}

const named = (series: Series[], style: Line["style"]) => (outcome: Outcome): Line[] =>
  outcome.flows.map((flow, i) => ({ label: flow.name, series: series[i], colour: i, style })).filter((line) => line.series.t.length);

function queueLines(outcome: Outcome): Line[] {
  // At most three queues, the longest on average first. Except for the first, each has a mean of at least one packet.
  const mean = new Map(outcome.links.map((link) => [link.name, link.queue_mean_packets]));
  const all = Object.entries(outcome.queue).map(([name, series]) => ({ name, series, mean: mean.get(name) ?? 0 })).sort((a, b) => b.mean - a.mean);
  const fullest = all.filter((one, i) => i === 0 || one.mean >= 1).slice(0, 3);
  return fullest.map(({ name, series }, i) => ({ label: name, series, colour: i + 5, style: "step", solid: true }));
}

const QUANTITIES: Quantity[] = [
  {
    name: "Congestion window", unit: "segments", event: "cut", format: (v) => short(v),
    lines: (o) => [...named(o.cwnd, "step")(o), ...named(o.ssthresh, "faint")(o).map((line) => ({ ...line, label: "" }))],
  },
  { name: "Throughput", unit: "b/s", event: "cut", format: (v) => rate(v), lines: (o) => named(o.throughput, "line")(o) },
  { name: "Queue", unit: "packets", event: "loss", format: (v) => short(v), lines: queueLines },
  { name: "Round-trip time", unit: "ms", event: "loss", format: (v) => `${short(v * 1000)} ms`, lines: (o) => named(o.rtt, "points")(o) },
  {
    name: "Sequence number", unit: "acknowledged; dots: sent again", event: "again", format: (v) => (v >= 1e6 ? `${short(v / 1e6)} M` : v >= 1e3 ? `${short(v / 1e3)} k` : short(v)),
    lines: (o) => [...named(o.acked, "step")(o), ...named(o.resent, "points")(o).map((line) => ({ ...line, label: "" }))],
  },
];

/** Time between two changes of the numbers while the picture moves, milliseconds. */
const TOLD = 120;
/** Steps of the control of the time. */
const STEPS = 2000;

const SPEEDS = [1, 1 / 4, 1 / 10, 1 / 40, 1 / 100, 1 / 400, 1 / 1000, 1 / 10000];
const speedWord = (speed: number) => (speed === 1 ? "as fast as life" : `${Math.round(1 / speed)} times slower`);

export function Stage(props: { scenario: Scenario; runs: Shown[]; differences: Setting[]; time: number; onTime: (t: number) => void; playing: boolean; onPlaying: (on: boolean) => void }) {
  const end = () => props.runs[0].outcome.end;
  const natural = () => {
    // At this speed a packet takes about a second to cross the link with the longest propagation delay.
    const delays = props.scenario.links.map((link) => link.delay).filter((delay) => delay > 0);
    const wanted = props.scenario.links.length ? Math.max(0.001, ...delays) / 1.2 : 1 / 400;
    return SPEEDS.reduce((best, one) => (Math.abs(Math.log(one / wanted)) < Math.abs(Math.log(best / wanted)) ? one : best));
  };
  const [chosen, setChosen] = createSignal<number | null>(null);
  const speed = () => chosen() ?? natural();
  const [packets, setPackets] = createSignal(0);
  let drawn = 0;
  const [pace, setPace] = createSignal(0);

  /** The time that is shown as a number. While the picture moves, it changes in steps long enough to be read. */
  const [told, setTold] = createSignal(props.time);
  createEffect(() => {
    if (!props.playing) setTold(props.time);
  });

  let frame = 0;
  const play = () => {
    let [last, said] = [performance.now(), 0];
    const paces: number[] = [];
    const tick = (now: number) => {
      frame = requestAnimationFrame(tick);
      const passed = Math.min(Math.max(now - last, 0) / 1000, 0.1);
      last = now;
      paces.push(passed);
      if (paces.length >= 30) setPace(Math.round(30 / paces.splice(0).reduce((sum, one) => sum + one, 0)));
      const next = Math.min(props.time + passed * speed(), end());
      batch(() => {
        props.onTime(next);
        if (now - said > TOLD) {
          said = now;
          setTold(next);
          setPackets(drawn);
        }
        if (next >= end()) props.onPlaying(false);
      });
    };
    frame = requestAnimationFrame(tick);
  };
  createEffect(() => {
    cancelAnimationFrame(frame);
    if (props.playing) untrack(play);
  });
  onCleanup(() => cancelAnimationFrame(frame));

  /** The time as the nearest step of its control, which is drawn anew only if that changes. */
  const place = createMemo(() => (Math.round((props.time / end()) * STEPS) / STEPS) * end());
  const toggle = () => {
    if (!props.playing && props.time >= end()) props.onTime(0);
    props.onPlaying(!props.playing);
  };
  const scrub = (t: number) => {
    props.onPlaying(false);
    props.onTime(t);
  };
  const [kind, setKind] = createSignal<Kind>("loss");
  const [telling, setTelling] = createSignal(false);
  const word = () => KINDS.find((one) => one.kind === kind())!.word;
  const drops = createMemo(() => [...new Set(props.runs.flatMap(({ outcome }) => moments(outcome, kind()).map((one) => one.t)))].sort((a, b) => a - b));
  /** Tells the event of a kind that is nearest to a time, if one is within `reach` seconds. */
  const pick = (run: Shown, wanted: Kind, t: number, reach: number) => {
    const found = nearest(moments(run.outcome, wanted), t);
    if (!found || Math.abs(found.t - t) > reach) return;
    setKind(wanted);
    setTelling(true);
    scrub(found.t);
  };
  const toDrop = (step: 1 | -1) => {
    const all = drops();
    const next = step > 0 ? all.find((t) => t > props.time + 1e-9) : all.findLast((t) => t < props.time - 1e-9);
    if (next !== undefined) scrub(next);
  };

  return (
    <div class="stage">
      <div class="pictures" classList={{ two: props.runs.length > 1 }}>
        <Index each={props.runs}>{(run) => <View scenario={props.scenario} run={run()} differences={run().run === "B" ? props.differences : []} time={props.time} speed={speed()} onPackets={(count) => {
          drawn = count;
          if (!props.playing) setPackets(count);
        }} onPick={(kind, t) => pick(run(), kind, t, end())} />}</Index>
      </div>
      <div class="transport" role="group" aria-label="Time">
        <button type="button" class="play" aria-label={props.playing ? "Pause" : "Play"} onClick={toggle}>
          <svg viewBox="0 0 20 20" aria-hidden="true"><path d={props.playing ? "M5 3h4v14H5zM11 3h4v14h-4z" : "M5 3l12 7-12 7z"} /></svg>
        </button>
        <input
          type="range" class="time" min="0" max={end()} step={end() / STEPS} value={place()} aria-label="Time of the simulation"
          aria-valuetext={`${short(told(), 4)} seconds`} onInput={(event) => scrub(event.currentTarget.valueAsNumber)}
        />
        <output class="clock">{told().toFixed(end() < 10 ? 3 : 2)} s</output>
        <button type="button" onClick={() => toDrop(-1)} disabled={!drops().length} aria-label={`To the ${word()} before`}>‹</button>
        <select class="kind" aria-label="Event" onChange={(event) => setKind(event.currentTarget.value as Kind)}>
          <For each={KINDS}>{(one) => <option value={one.kind} selected={one.kind === kind()}>{one.word}</option>}</For>
        </select>
        <button type="button" onClick={() => toDrop(1)} disabled={!drops().length} aria-label={`To the next ${word()}`}>›</button>
        <select aria-label="Speed of the picture" onChange={(event) => setChosen(Number(event.currentTarget.value))}>
          <For each={SPEEDS}>{(one) => <option value={one} selected={one === speed()}>{speedWord(one)}</option>}</For>
        </select>
        <span class="pace" aria-hidden="true">{packets() === 1 ? "1 packet" : `${packets()} packets`}{pace() && props.playing ? ` · ${pace()} pictures/s` : ""}</span>
      </div>
      <Stories runs={props.runs} time={told()} onTime={scrub} kind={kind()} open={telling()} onOpen={setTelling} />
      <Legend runs={props.runs} />
      <For each={QUANTITIES}>{(quantity) => <Row quantity={quantity} runs={props.runs} end={end()} time={props.time} told={told()} onTime={scrub} onPick={(run, t) => pick(run, quantity.event, t, end() / 40)} />}</For>
      <Results runs={props.runs} />
    </div>
  );
}

function View(props: { scenario: Scenario; run: Shown; differences: Setting[]; time: number; speed: number; onPackets: (count: number) => void; onPick: (kind: Kind, t: number) => void }) {
  let canvas!: HTMLCanvasElement;
  const [size, setSize] = createSignal({ width: 0, height: 0 });
  const picture = createMemo(() => {
    void css("--ink"); // The theme.
    const { width, height } = size();
    return width ? new Picture(canvas, { width, height }, props.scenario, props.run.outcome, layout(props.scenario, props.run.outcome.positions)) : null;
  });
  onMount(() => {
    const watch = new ResizeObserver(([{ contentRect: { width, height } }]) => setSize({ width, height }));
    watch.observe(canvas);
    onCleanup(() => watch.disconnect());
  });
  createEffect(() => {
    const one = picture();
    if (!one) return;
    one.draw(props.time, props.speed);
    if (props.run.run === "A") props.onPackets(one.packets);
  });
  const lost = () => props.run.outcome.drops.length;
  return (
    <figure class="view">
      <figcaption><span class={`run run-${props.run.run.toLowerCase()}`}>{props.run.run}</span> {[...new Set(props.run.outcome.flows.map((flow) => flow.variant))].slice(0, 5).join(", ")} <small>{props.differences.slice(0, 2).map(([path, value]) => `${path.split(".").slice(1).join(" ")} = ${value}`).join(", ")}</small></figcaption>
      <canvas ref={canvas} role="img" aria-label={`Network of run ${props.run.run}: ${props.scenario.nodes.length} nodes, ${props.run.outcome.flows.length} flows, ${lost()} packets lost`} onClick={(event) => {
        const found = picture()?.pick(event.offsetX, event.offsetY);
        if (found) props.onPick(found.kind, found.t);
      }} />
    </figure>
  );
}

/** The chain of events of each run's event that is nearest to the time shown. */
function Stories(props: { runs: Shown[]; time: number; onTime: (t: number) => void; kind: Kind; open: boolean; onOpen: (open: boolean) => void }) {
  const about = () => KINDS.find((one) => one.kind === props.kind)!;
  return (
    <details class="stories" open={props.open} onToggle={(event) => props.onOpen(event.currentTarget.open)}>
      <summary>What happened at the nearest {about().word}?</summary>
      <Show when={props.open}>
        <div class="charts" classList={{ two: props.runs.length > 1 }}>
          <Index each={props.runs}>
            {(run) => {
              const all = createMemo(() => moments(run().outcome, props.kind));
              const moment = createMemo(() => nearest(all(), props.time));
              const name = () => `${about().word[0].toUpperCase()}${about().word.slice(1)} in run ${run().run}`;
              return (
                <section aria-label={name()}>
                  <span class={`run run-${run().run.toLowerCase()}`}>{run().run}</span>
                  <Show when={moment()} fallback={<p>{about().few}</p>}>
                    {(one) => (
                      <ol>
                        <For each={tell(run().outcome, one())}>
                          {(step) => <li aria-current={step.chosen ? "step" : undefined}><button type="button" onClick={() => props.onTime(step.t)}>{step.t.toFixed(3)} s</button><span>{step.text}</span></li>}
                        </For>
                      </ol>
                    )}
                  </Show>
                </section>
              );
            }}
          </Index>
        </div>
      </Show>
    </details>
  );
}

/** A sample of a curve for a legend, in the curve's colour and dashes. */
function Sample(props: { index: number; solid?: boolean }) {
  return (
    <svg class="sample" viewBox="0 0 26 8" aria-hidden="true"><line x1="1" y1="4" x2="25" y2="4" stroke={colour(props.index)} stroke-width="2.5" stroke-dasharray={props.solid ? "" : dash(props.index).join(" ")} /></svg>
  );
}

function Legend(props: { runs: Shown[] }) {
  return (
    <ul class="legend" aria-label="Flows">
      <Index each={props.runs[0].outcome.flows.slice(0, 12)}>{(flow, i) => <li><Sample index={i} />{flow().name}</li>}</Index>
      <li class="key"><svg class="mark" viewBox="0 0 14 8" aria-hidden="true"><rect x="2" y="1" width="10" height="6" /></svg>data</li>
      <li class="key"><svg class="mark" viewBox="0 0 14 8" aria-hidden="true"><path d="M1 4l6-4 6 4-6 4z" /></svg>sent again</li>
      <li class="key"><svg class="mark" viewBox="0 0 14 8" aria-hidden="true"><circle cx="7" cy="4" r="2.4" /></svg>acknowledgment</li>
      <li class="key"><svg class="mark" viewBox="0 0 14 8" aria-hidden="true"><path d="M3 0l8 8M11 0l-8 8" fill="none" stroke="currentColor" stroke-width="2" /></svg>lost</li>
    </ul>
  );
}

function Row(props: { quantity: Quantity; runs: Shown[]; end: number; time: number; told: number; onTime: (t: number) => void; onPick: (run: Shown, t: number) => void }) {
  const lines = createMemo(() => props.runs.map(({ outcome }) => props.quantity.lines(outcome)));
  // Both runs have the same vertical scale.
  const top = createMemo(() => Math.max(...lines().map((each) => highest(each.filter((line) => line.style !== "faint")))));
  const readings = (i: number) => (lines()[i] ?? []).filter((line) => line.label).slice(0, 6);
  const reading = (line: Line) => {
    const value = at(line.series, props.told);
    return Number.isNaN(value) ? "–" : props.quantity.format(value);
  };
  const about = (i: number) =>
    (lines()[i] ?? []).filter((line) => line.label).slice(0, 6)
      .map(({ label, series }) => {
        const { v } = series;
        let sum = 0;
        for (const value of v) sum += value;
        return `${label} ends at ${props.quantity.format(v[v.length - 1])}, with a mean of ${props.quantity.format(sum / v.length)} over its values`;
      })
      .join("; ") || "no values";
  return (
    <section class="row" aria-label={props.quantity.name}>
      <h2>{props.quantity.name} <small>{props.quantity.unit}</small></h2>
      <div class="charts" classList={{ two: props.runs.length > 1 }}>
        <Index each={props.runs}>
          {(run, i) => (
            <Show when={lines()[i]?.length} fallback={<p class="nothing">No values in run {run().run}.</p>}>
              <div class="pane">
                <p class="readings" aria-hidden="true">
                  <span class={`run run-${run().run.toLowerCase()}`}>{run().run}</span>
                  <Index each={readings(i)}>{(line) => <span><Sample index={line().colour} solid={line().solid} />{line().solid ? `${line().label}: ` : ""}{reading(line())}</span>}</Index>
                </p>
                <Chart
                  title={`${props.quantity.name} of run ${run().run}`} lines={lines()[i]} top={top()} end={props.end} time={props.time} height={props.runs.length > 1 ? 124 : 150}
                  format={props.quantity.format} about={about(i)} onTime={props.onTime} onPick={(t) => props.onPick(run(), t)}
                />
              </div>
            </Show>
          )}
        </Index>
      </div>
    </section>
  );
}

function Results(props: { runs: Shown[] }) {
  const time = (s: unknown) => (typeof s === "number" ? `${short(s * 1000)} ms` : "–");
  return (
    <section class="row results" aria-label="Results">
      <h2>Results</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Table of results">
        <table>
          <thead><tr><th scope="col">Run</th><th scope="col">Flow</th><th scope="col">Variant</th><th scope="col">Goodput</th><th scope="col">Mean RTT</th><th scope="col">Delay, 95 %</th><th scope="col">Lost</th><th scope="col">Sent again</th><th scope="col">Fast retransmits</th><th scope="col">Timeouts</th></tr></thead>
          <tbody>
            <Index each={props.runs}>
              {(one) => (
                <Index each={one().outcome.flows.slice(0, 20)}>
                  {(flow) => (
                    <tr>
                      <td><span class={`run run-${one().run.toLowerCase()}`}>{one().run}</span></td><th scope="row">{flow().name}</th><td>{flow().variant}</td><td>{rate(flow().goodput_bps)}</td>
                      <td>{time(flow().packet_rtt_mean_s)}</td><td>{time(flow().delay_p95_s)}</td><td>{flow().lost_packets_total ?? 0}</td><td>{flow().retransmitted_packets ?? 0}</td><td>{flow().fast_retransmits ?? 0}</td><td>{flow().timeouts ?? 0}</td>
                    </tr>
                  )}
                </Index>
              )}
            </Index>
          </tbody>
        </table>
      </div>
      <Index each={props.runs}>
        {(one) => (
          <p class="facts"><span class={`run run-${one().run.toLowerCase()}`}>{one().run}</span> Jain's index of the goodputs: {one().outcome.jain === null ? "–" : short(one().outcome.jain ?? NaN)} · busiest link: {busiest(one().outcome)}</p>
        )}
      </Index>
    </section>
  );
}

function busiest(outcome: Outcome): string {
  if (!outcome.links.length) return "none";
  const link = outcome.links.reduce((most, one) => (one.utilisation > most.utilisation ? one : most));
  return `${link.link || link.name}, ${Math.round(link.utilisation * 100)} % used`;
}
