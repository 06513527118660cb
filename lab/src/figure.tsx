// A figure of a study or a course, run live: its curves, the former ones in grey, and its numbers as a table.

import { For, Show, createEffect, createMemo, createSignal, on, onCleanup, onMount } from "solid-js";
import { draw, empty, ticks, type Values } from "./sweep";
import type { Figure } from "./guides";
import type { LabState } from "./model";
import { colour, dash } from "./palette";
import { short } from "./quantity";
import type { Runner } from "./runner";

const PAUSE = 150;
const HEIGHT = 268;
const EDGE = { left: 62, right: 16, top: 12, bottom: 42 };

/** A figure; another figure is another component, since its curves and points differ in number. */
export function LiveFigure(props: { figure: Figure; state: LabState; runners: Runner[] }) {
  const figure = () => props.figure;
  const [values, setValues] = createSignal<Values>(empty(figure()));
  const [former, setFormer] = createSignal<Values | null>(null);
  const [progress, setProgress] = createSignal<{ done: number; all: number } | null>(null);
  const [problem, setProblem] = createSignal("");
  /** Number of sweeps that have ended, for tests of the page. */
  const [drawn, setDrawn] = createSignal(0);
  const [width, setWidth] = createSignal(600);
  let holder!: HTMLDivElement;
  let stop = () => {};
  let timer = 0;
  let whole: Values | null = null;

  const run = () => {
    setFormer(whole);
    setValues(empty(figure()));
    setProblem("");
    setProgress({ done: 0, all: 1 });
    let refused = "";
    stop = draw(figure(), props.state, props.runners, {
      value(now, done, all) {
        setValues(now);
        setProgress({ done, all });
      },
      refused: (text) => setProblem((refused = text)),
      ended() {
        if (!refused) whole = values();
        setProgress(null);
        setDrawn((n) => n + 1);
      },
    });
  };
  const wanted = createMemo(() => JSON.stringify([props.state.set, props.state.seed]));
  createEffect(on(wanted, (_, before) => {
    stop();
    window.clearTimeout(timer);
    timer = window.setTimeout(run, before ? PAUSE : 0);
  }));
  onMount(() => {
    const watch = new ResizeObserver(() => setWidth(Math.max(holder.clientWidth, 240)));
    watch.observe(holder);
    onCleanup(() => watch.disconnect());
  });
  onCleanup(() => {
    stop();
    window.clearTimeout(timer);
  });

  const top = createMemo(() => Math.max(1e-9, ...[...values(), ...(former() ?? [])].flat().filter((one) => Number.isFinite(one))) * 1.06);
  const place = createMemo(() => {
    const { xs, log } = figure();
    const scaled = (x: number) => (log ? Math.log(x) : x);
    const [low, high] = [scaled(Math.min(...xs)), scaled(Math.max(...xs))];
    const inner = width() - EDGE.left - EDGE.right;
    return {
      x: (x: number) => EDGE.left + 10 + ((scaled(x) - low) / (high - low || 1)) * (inner - 20),
      y: (y: number) => HEIGHT - EDGE.bottom - (y / top()) * (HEIGHT - EDGE.top - EDGE.bottom),
    };
  });
  /** Values of x that get a label on the axis: those at least 34 pixels from the label before. */
  const named = createMemo(() => {
    const { xs } = figure();
    let last = -Infinity;
    return xs.filter((x) => place().x(x) - last >= 34 && (last = place().x(x), true));
  });
  const path = (row: number[]) => {
    let joined = false;
    return figure().xs.map((x, i) => {
      if (!Number.isFinite(row[i])) return (joined = false), "";
      const part = `${joined ? "L" : "M"}${place().x(x).toFixed(1)} ${place().y(row[i]).toFixed(1)}`;
      joined = true;
      return part;
    }).join("");
  };
  const about = () => figure().curves.map(({ label }, i) => `${label}: ${values()[i].map((one) => short(one)).join(", ")}`).join("; ");

  return (
    <section class="figure" aria-label="Figure" data-drawn={drawn()}>
      <header>
        <h2>{figure().title}</h2>
        <p role="status" class="facts">{progress() ? `${progress()!.done} of ${progress()!.all} runs` : former() ? "Grey: before the last change." : ""}</p>
      </header>
      <div class="drawn" ref={holder}>
        <svg width={width()} height={HEIGHT} role="img" aria-label={`${figure().title}. ${figure().y} at ${figure().x} ${figure().xs.join(", ")}. ${about()}`}>
          <For each={ticks(0, top(), 5)}>
            {(tick) => (
              <>
                <line class="grid" x1={EDGE.left} x2={width() - EDGE.right} y1={place().y(tick)} y2={place().y(tick)} />
                <text x={EDGE.left - 8} y={place().y(tick) + 4} text-anchor="end">{tick.toLocaleString("en")}</text>
              </>
            )}
          </For>
          <For each={named()}>{(x) => <text x={place().x(x)} y={HEIGHT - EDGE.bottom + 17} text-anchor="middle">{short(x)}</text>}</For>
          <text class="title" x={(width() + EDGE.left) / 2} y={HEIGHT - 6} text-anchor="middle">{figure().x}</text>
          <For each={former() ?? []}>{(row) => <path class="former" d={path(row)} />}</For>
          <For each={values()}>
            {(row, i) => (
              <>
                <path class="curve" d={path(row)} stroke={colour(i())} stroke-dasharray={dash(i()).join(" ")} />
                <For each={figure().xs}>{(x, k) => <Show when={Number.isFinite(row[k()])}><circle cx={place().x(x)} cy={place().y(row[k()])} r="3" fill={colour(i())} /></Show>}</For>
              </>
            )}
          </For>
        </svg>
      </div>
      <ul class="legend" aria-label="Curves">
        <li class="key">{figure().y}</li>
        <For each={figure().curves}>
          {(curve, i) => <li><svg class="sample" viewBox="0 0 26 8" aria-hidden="true"><line x1="1" y1="4" x2="25" y2="4" stroke={colour(i())} stroke-width="2.5" stroke-dasharray={dash(i()).join(" ")} /></svg>{curve.label}</li>}
        </For>
      </ul>
      <Show when={problem()}><pre class="problem" role="alert">{problem()}</pre></Show>
      <Show when={figure().paper}><p><b>The paper says:</b> {figure().paper}</p></Show>
      <p class="note">{figure().note}<Show when={figure().page}> The whole study: <code>ackclock study {figure().page}</code></Show></p>
      <details>
        <summary>Values</summary>
        <div class="scroll" tabindex="0" role="region" aria-label="Values of the figure">
          <table>
            <thead><tr><th scope="col">{figure().x}</th><For each={figure().curves}>{(curve) => <th scope="col">{curve.label}</th>}</For></tr></thead>
            <tbody>
              <For each={figure().xs}>{(x, k) => <tr><th scope="row">{short(x)}</th><For each={values()}>{(row) => <td>{short(row[k()], 5)}</td>}</For></tr>}</For>
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}
