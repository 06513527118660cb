// A chart of a quantity over time; all charts show the same time. It is drawn only while it is in view.

import { createEffect, createSignal, onCleanup, onMount } from "solid-js";
import uPlot from "uplot";
import { curve, dots } from "./curve";
import { colour, css, dash } from "./palette";
import type { Series } from "./traces";

export interface Line {
  label: string;
  series: Series;
  /** Index of the colour in the palette. */
  colour: number;
  style: "step" | "line" | "points" | "faint";
  /** True for a curve without dashes; otherwise the dashes depend on the colour. */
  solid?: boolean;
}

/** Space around the plot for the axes, pixels; the style sheet has the same for the line of time. */
const EDGE = { left: 56, right: 18, top: 8, bottom: 25 };

/** Returns the highest finite value of all lines, for the upper end of a common axis. */
export function highest(lines: Line[]): number {
  let most = 0;
  for (const { series } of lines) for (const value of series.v) if (value > most && value !== Infinity) most = value;
  return most;
}

const look = (line: Line): uPlot.Series => ({
  label: line.label,
  stroke: () => colour(line.colour),
  width: line.style === "faint" ? 1 : 1.6,
  alpha: line.style === "faint" ? 0.55 : 1,
  dash: line.style === "points" ? undefined : line.style === "faint" ? [2, 3] : line.solid ? [] : dash(line.colour),
  points: { show: false },
});

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
  /** Called with the time at which the user clicked, seconds. */
  onPick: (t: number) => void;
}) {
  let holder!: HTMLDivElement;
  let cursor!: HTMLDivElement;
  let plot: uPlot | undefined;
  /** The lines as they were when the plot was made: other values are drawn by the same plot, other curves by a new one. */
  let made = "";
  const [width, setWidth] = createSignal(0);
  const [seen, setSeen] = createSignal(false);

  const options = (): uPlot.Options => {
    const axis = { stroke: () => css("--faint-ink"), grid: { stroke: () => css("--grid"), width: 1 }, ticks: { show: false }, font: "11px system-ui" };
    return {
      width: width(),
      height: props.height,
      padding: [EDGE.top, EDGE.right, 0, 0],
      cursor: { show: false },
      legend: { show: false },
      scales: { x: { time: false, range: () => [0, props.end] }, y: { range: () => [0, Math.max(props.top * 1.06, 1e-9)] } },
      axes: [
        { ...axis, size: EDGE.bottom, gap: 7, space: 56, values: (_, ticks) => ticks.map((tick) => `${Number(tick.toPrecision(6))} s`) },
        { ...axis, size: EDGE.left, gap: 4, space: 26, values: (_, ticks) => ticks.map((tick) => props.format(tick)) },
      ],
      series: [
        {},
        ...props.lines.map((line, i): uPlot.Series => ({
          ...look(line),
          paths: (plot) => (line.style === "points" ? null : { stroke: curve(plot, props.lines[i].series, line.style !== "line"), flags: 0 }),
        })),
      ],
      hooks: {
        drawSeries: [(plot, i) => props.lines[i - 1].style === "points" && dots(plot, props.lines[i - 1].series, colour(props.lines[i - 1].colour))],
      },
    };
  };

  const draw = () => {
    // The curves are drawn from the series themselves; uPlot gets the ends of the axes.
    const data: uPlot.AlignedData = [[0, props.end], ...props.lines.map(() => [0, 0])];
    const shape = props.lines.map(({ series: _, ...line }) => JSON.stringify(line)).join();
    if (plot && shape === made) {
      if (plot.width !== width() || plot.height !== props.height) plot.setSize({ width: width(), height: props.height });
      plot.setData(data);
      return;
    }
    plot?.destroy();
    plot = new uPlot(options(), data, holder);
    made = shape;
  };

  const timeOf = (event: MouseEvent) => {
    const box = holder.getBoundingClientRect();
    return Math.min(Math.max((event.clientX - box.left - EDGE.left) / (box.width - EDGE.left - EDGE.right), 0), 1) * props.end;
  };
  const move = (event: PointerEvent) => {
    if (event.pointerType === "touch" && event.buttons === 0) return;
    props.onTime(timeOf(event));
  };

  onMount(() => {
    createEffect(() => {
      // A change of the theme is a reason to draw, too.
      void [props.lines, props.top, props.end, css("--ink")];
      if (seen() && width()) draw();
    });
    createEffect(() => {
      const x = EDGE.left + (width() - EDGE.left - EDGE.right) * (props.time / props.end);
      cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
    });
    const sizes = new ResizeObserver(([{ contentRect }]) => setWidth(Math.round(contentRect.width)));
    const view = new IntersectionObserver((entries) => setSeen(entries[entries.length - 1].isIntersecting), { rootMargin: "200px" });
    sizes.observe(holder);
    view.observe(holder);
    onCleanup(() => {
      sizes.disconnect();
      view.disconnect();
      plot?.destroy();
    });
  });

  return (
    <div class="chart" role="img" aria-label={`${props.title}: ${props.about}`} onPointerMove={move} onPointerDown={move} onClick={(event) => props.onPick(timeOf(event))}>
      <div ref={holder} class="plot" style={{ height: `${props.height}px` }} />
      <div ref={cursor} class="cursor" aria-hidden="true" />
    </div>
  );
}
