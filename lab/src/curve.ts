// Drawing of a series in a chart. A column of pixels shows at most the first, lowest, highest and last of its values, so that
// the time to draw depends on the chart's width and not on the number of values.

import type uPlot from "uplot";
import type { Series } from "./traces";

/** Side of a dot, pixels of the style sheet. */
const DOT = 3;

interface Place {
  x: (t: number) => number;
  y: (v: number) => number;
  right: number;
}

/** Returns the positions of times and values on the canvas, pixels. Values beyond the axis get a position just outside. */
function place({ bbox, scales }: uPlot): Place {
  const { left, top, width, height } = bbox;
  const [end, most] = [scales.x.max ?? 1, scales.y.max ?? 1];
  return {
    x: (t) => Math.round(left + (t / end) * width),
    y: (v) => top + height * (1 - Math.min(v / most, 1.2)),
    right: left + width,
  };
}

/** Returns the curve of a series: horizontal steps, each until the next value, or straight lines between the values. */
export function curve(plot: uPlot, { t, v }: Series, steps: boolean): Path2D {
  const { x, y, right } = place(plot);
  const path = new Path2D();
  let column = NaN;
  let [low, high, last] = [0, 0, 0];
  const close = () => {
    if (low === high) return;
    path.lineTo(column, low);
    path.lineTo(column, high);
    path.lineTo(column, last);
  };
  for (let i = 0; i < t.length; i++) {
    const [here, at] = [x(t[i]), y(v[i])];
    if (Number.isNaN(at)) continue;
    if (here === column) {
      low = Math.min(low, at);
      high = Math.max(high, at);
      last = at;
      continue;
    }
    close();
    if (Number.isNaN(column)) path.moveTo(here, at);
    else {
      if (steps) path.lineTo(here, last);
      path.lineTo(here, at);
    }
    [column, low, high, last] = [here, at, at, at];
  }
  close();
  // The last value of a step function holds until the end.
  if (steps && !Number.isNaN(column)) path.lineTo(right, last);
  return path;
}

/** Draws a dot for each value; of values at the same pixel, one. */
export function dots(plot: uPlot, { t, v }: Series, fill: string) {
  const { ctx, bbox } = plot;
  const { x, y } = place(plot);
  const wide = Math.round(bbox.width) + 1;
  const taken = new Uint8Array(wide * (Math.round(bbox.height) + 1));
  const side = DOT * (ctx.canvas.width / Math.max(ctx.canvas.clientWidth, 1));
  ctx.fillStyle = fill;
  for (let i = 0; i < t.length; i++) {
    const [here, at] = [x(t[i]), Math.round(y(v[i]))];
    const pixel = (at - bbox.top) * wide + here - bbox.left;
    if (!(at >= bbox.top) || taken[pixel]) continue;
    taken[pixel] = 1;
    ctx.fillRect(here - side / 2, at - side / 2, side, side);
  }
}
