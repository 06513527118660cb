// A chart of a quantity over time; all charts show the same time.

import { createEffect, onCleanup, onMount } from "solid-js";
import uPlot from "uplot";
import { colour, css, dash } from "./palette";
import { before, type Series } from "./traces";

export interface Line {
  label: string;
  series: Series;
  /** Number of the colour. */
  colour: number;
  style: "step" | "line" | "points" | "faint";
  /** True for a curve without dashes; otherwise the dashes depend on the colour. */
  solid?: boolean;
}

/** Returns the points that a chart with `columns` columns of pixels can show: the first, last, lowest and highest of each column. */
function thinned({ t, v }: Series, t0: number, t1: number, columns: number): [number[], number[]] {
  const from = Math.max(before(t, t0), 0);
  const to = Math.min(before(t, t1) + 2, t.length);
  if (to - from <= columns * 4) return [Array.from(t.subarray(from, to)), Array.from(v.subarray(from, to))];
  const [xs, ys]: [number[], number[]] = [[], []];
  const width = (t1 - t0) / columns;
  for (let i = from; i < to; ) {
    const end = t[i] + width;
    let [low, high, last] = [i, i, i];
    for (let j = i; j < to && t[j] < end; j++) {
      if (v[j] < v[low]) low = j;
      if (v[j] > v[high]) high = j;
      last = j;
    }
    for (const k of [...new Set([i, low, high, last])].sort((a, b) => a - b)) {
      xs.push(t[k]);
      ys.push(v[k]);
    }
    i = last + 1;
  }
  return [xs, ys];
}

/** Returns the highest finite value of all lines, for the upper end of a common axis. */
export function highest(lines: Line[]): number {
  let most = 0;
  for (const { series } of lines) for (const value of series.v) if (value > most && value !== Infinity) most = value;
  return most;
}

export function Chart(props: {
  title: string;
  lines: Line[];
  top: number;
  end: number;
  time: number;
  height: number;
  format: (value: number) => string;
  about: string;
  onTime: (t: number) => void;
  /** Hears the time of a click. */
  onPick: (t: number) => void;
}) {
  let holder!: HTMLDivElement;
  let cursor!: HTMLDivElement;
  let plot: uPlot | undefined;

  const data = (lines: Line[]): uPlot.AlignedData => {
    const columns = Math.max(holder.clientWidth, 200);
    const tables = lines.map(({ series }) => thinned(series, 0, props.end, columns) as [number[], number[]]);
    // The last value of a step function holds until the end.
    tables.forEach(([xs, ys], i) => {
      if (lines[i].style === "step" && xs.length && xs[xs.length - 1] < props.end) {
        xs.push(props.end);
        ys.push(ys[ys.length - 1]);
      }
    });
    return tables.length ? uPlot.join(tables) : [[]];
  };

  const series = (line: Line): uPlot.Series => ({
    label: line.label,
    stroke: () => colour(line.colour),
    width: line.style === "faint" ? 1 : 1.6,
    alpha: line.style === "faint" ? 0.55 : 1,
    dash: line.style === "points" ? undefined : line.style === "faint" ? [2, 3] : line.solid ? [] : dash(line.colour),
    spanGaps: false,
    paths: line.style === "points" ? () => null : line.style === "line" ? undefined : uPlot.paths.stepped!({ align: 1 }),
    points: line.style === "points" ? { show: true, size: 2.6, width: 0, fill: () => colour(line.colour) } : { show: false },
  });

  const draw = () => {
    plot?.destroy();
    const axis = { stroke: () => css("--faint-ink"), grid: { stroke: () => css("--grid"), width: 1 }, ticks: { show: false }, font: "11px system-ui" };
    plot = new uPlot(
      {
        width: holder.clientWidth,
        height: props.height,
        padding: [8, 18, 0, 0],
        cursor: { show: false },
        legend: { show: false },
        scales: { x: { time: false, range: [0, props.end] }, y: { range: [0, Math.max(props.top * 1.06, 1e-9)] } },
        axes: [
          { ...axis, size: 22, gap: 3, space: 56, values: (_, ticks) => ticks.map((tick) => `${Number(tick.toPrecision(6))} s`) },
          { ...axis, size: 56, gap: 4, space: 26, values: (_, ticks) => ticks.map((tick) => props.format(tick)) },
        ],
        series: [{}, ...props.lines.map(series)],
      },
      data(props.lines),
      holder,
    );
    place();
  };

  const place = () => {
    if (!plot) return;
    const x = plot.valToPos(props.time, "x") + plot.over.offsetLeft;
    cursor.style.transform = `translateX(${x}px)`;
    cursor.style.height = `${plot.over.offsetHeight}px`;
    cursor.style.top = `${plot.over.offsetTop}px`;
  };

  const timeOf = (event: MouseEvent, { over, posToVal }: uPlot) => Math.min(Math.max(posToVal(event.clientX - over.getBoundingClientRect().left, "x"), 0), props.end);
  const move = (event: PointerEvent) => {
    if (!plot || (event.pointerType === "touch" && event.buttons === 0)) return;
    props.onTime(timeOf(event, plot));
  };

  onMount(() => {
    createEffect(() => {
      void [props.lines, props.top, props.end];
      draw();
    });
    createEffect(() => {
      void props.time;
      place();
    });
    let width = holder.clientWidth;
    const watch = new ResizeObserver(() => {
      if (holder.clientWidth === width) return;
      width = holder.clientWidth;
      draw();
    });
    watch.observe(holder);
    const theme = () => draw();
    window.addEventListener("theme", theme);
    onCleanup(() => {
      watch.disconnect();
      window.removeEventListener("theme", theme);
      plot?.destroy();
    });
  });

  return (
    <div class="chart" role="img" aria-label={`${props.title}: ${props.about}`} onPointerMove={move} onPointerDown={move} onClick={(event) => plot && props.onPick(timeOf(event, plot))}>
      <div ref={holder} class="plot" />
      <div ref={cursor} class="cursor" aria-hidden="true" />
    </div>
  );
}
