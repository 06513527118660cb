// The animation of one run: nodes, links, queued packets, packets in flight, and losses with their causes.

import type { Places } from "./layout";
import { COLOURS, colour, css } from "./palette";
import type { Scenario } from "./scenario";
import { NONE, before, type Drop, type Frames, type Hops, type Outcome } from "./traces";

/** Time for which a loss stays visible, seconds of real time. */
const SHOWN = 1.1;
/** Maximum number of queued packets that are drawn separately, per queue. */
const STACK = 36;
/** Distance from a mark within which a click means it, pixels. */
const REACH = 22;

interface Line {
  x: number;
  y: number;
  /** Unit vector along the link (`ux`, `uy`); `length` is the distance between the edges of its nodes. */
  ux: number;
  uy: number;
  length: number;
}

/** A loss or retransmission in the picture; `at` is the number of the loss or of the packet's transmission. */
interface Mark {
  x: number;
  y: number;
  kind: "loss" | "again";
  at: number;
}

export class Picture {
  private lines = new Map<string, Line>();
  /** Line of each place of the packets; undefined for a place that is not in the picture. */
  private ways: (Line | undefined)[];
  /** Number of packets in each queue in the picture that is being drawn. */
  private queued: Uint32Array;
  /** Links and nodes, which do not change: they are drawn once, below and above the packets. */
  private under: OffscreenCanvas;
  private over: OffscreenCanvas;
  private width: number;
  private height: number;
  private scale = Math.min(devicePixelRatio, 2);
  /** Number of packets in the last drawing. */
  packets = 0;
  private marks: Mark[] = [];

  constructor(private canvas: HTMLCanvasElement, size: { width: number; height: number }, private scenario: Scenario, private outcome: Outcome, private places: Places) {
    [this.width, this.height] = [size.width, size.height];
    const [width, height] = [Math.round(size.width * this.scale), Math.round(size.height * this.scale)];
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    for (const { a, b } of scenario.links) for (const [from, to] of [[a, b], [b, a]]) this.lines.set(`${from}>${to}`, this.line(from, to));
    this.ways = (outcome.hops?.places ?? []).map((place) => this.lines.get(place));
    this.queued = new Uint32Array(this.ways.length);
    [this.under, this.over] = [(ctx: OffscreenCanvasRenderingContext2D) => this.network(ctx), (ctx: OffscreenCanvasRenderingContext2D) => this.nodes(ctx)].map((draw) => {
      const layer = new OffscreenCanvas(width, height);
      const ctx = layer.getContext("2d")!;
      ctx.scale(this.scale, this.scale);
      draw(ctx);
      return layer;
    });
  }

  private at(node: string): [number, number] {
    const [x, y] = this.places[node] ?? [0.5, 0.5];
    return [x * this.width, 22 + y * (this.height - 44)];
  }

  private line(from: string, to: string): Line {
    const [[x0, y0], [x1, y1]] = [this.at(from), this.at(to)];
    const length = Math.max(Math.hypot(x1 - x0, y1 - y0), 1);
    const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
    const edge = Math.min(13, length / 3);
    // The two directions of a link are drawn next to each other.
    return { x: x0 + ux * edge - uy * 4, y: y0 + uy * edge + ux * 4, ux, uy, length: length - 2 * edge };
  }

  /** Draws the state at time `t`; `speed` is simulated seconds per second of real time. */
  draw(t: number, speed: number) {
    const ctx = this.canvas.getContext("2d");
    if (!ctx) return;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
    ctx.drawImage(this.under, 0, 0);
    ctx.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    this.packets = 0;
    this.marks = [];
    if (this.outcome.frames) this.air(ctx, this.outcome.frames, t, speed);
    if (this.outcome.hops) this.wire(ctx, this.outcome.hops, t);
    this.losses(ctx, this.outcome.drops, t, speed);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(this.over, 0, 0);
  }

  /** Returns the time at which a flow last sent a packet again, up to time `t`. */
  private sentBefore(flow: number, t: number): number {
    const times = this.outcome.resent[flow]?.t ?? new Float64Array();
    const i = before(times, t + 1e-9);
    return i < 0 ? t : times[i];
  }

  /** Returns the loss or retransmission at a place of the picture; null if there is none nearby. */
  pick(x: number, y: number): { kind: "loss" | "again"; t: number } | null {
    const away = (one: { x: number; y: number }) => Math.hypot(one.x - x, one.y - y);
    const best = this.marks.reduce<Mark | null>((best, one) => (!best || away(one) < away(best) ? one : best), null);
    if (!best || away(best) > REACH) return null;
    const { drops, hops } = this.outcome;
    const t = best.kind === "loss" || !hops ? drops[best.at].t : this.sentBefore(hops.flow[best.at], hops.enqueued[best.at]);
    return { kind: best.kind, t };
  }

  private network(ctx: OffscreenCanvasRenderingContext2D) {
    ctx.strokeStyle = css("--wire");
    ctx.lineCap = "round";
    for (const { a, b, rate } of this.scenario.links) {
      const [[x0, y0], [x1, y1]] = [this.at(a), this.at(b)];
      ctx.lineWidth = rate > 0 ? Math.min(12, 3 + Math.max(0, Math.log10(rate / 1e6)) * 3) : 6;
      ctx.beginPath();
      ctx.moveTo(x0, y0);
      ctx.lineTo(x1, y1);
      ctx.stroke();
    }
  }

  private nodes(ctx: OffscreenCanvasRenderingContext2D) {
    const [ink, paper] = [css("--ink"), css("--card")];
    const ends = new Set(this.scenario.flows.flatMap((flow) => [flow.from, flow.to]));
    ctx.font = "600 11px system-ui, sans-serif";
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    for (const node of this.scenario.nodes) {
      const [x, y] = this.at(node);
      ctx.fillStyle = ends.has(node) ? ink : paper;
      ctx.strokeStyle = ink;
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      if (ends.has(node)) ctx.roundRect(x - 9, y - 9, 18, 18, 4);
      else ctx.arc(x, y, 9, 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
      const text = node.length > 14 ? `${node.slice(0, 13)}…` : node;
      const half = ctx.measureText(text).width / 2;
      ctx.fillStyle = ink;
      // The name is placed above a node at which queued packets are drawn.
      const below = ends.has(node) && y + 20 < this.height - 4 ? y + 19 : y - 19;
      ctx.fillText(text, Math.min(Math.max(x, half + 2), this.width - half - 2), below);
    }
  }

  private wire(ctx: CanvasRenderingContext2D, hops: Hops, t: number) {
    const last = before(hops.enqueued, t);
    const first = before(hops.enqueued, t - hops.longest - 1e-9) + 1;
    const [ack, again] = ["ack", "retransmission"].map((kind) => hops.kinds.indexOf(kind));
    const { enqueued: _, arrives, begins, flow, kind, place } = hops;
    const { queued, ways } = this;
    queued.fill(0);
    const colours = Array.from({ length: COLOURS }, (_, i) => colour(i));
    // Single rectangles: without a graphics card they take a fifth of the time of a path of many, or of small images.
    for (let i = first; i <= last; i++) {
      const line = ways[place[i]];
      if (!line || arrives[i] < t) continue;
      ctx.fillStyle = colours[flow[i] % COLOURS];
      this.packets++;
      if (begins[i] > t) {
        // Queued packets are drawn in rows beside the link, at its beginning.
        const n = queued[place[i]]++;
        if (n >= STACK) continue;
        const [along, aside] = [3 + Math.floor(n / 12) * 7, 9 + (n % 12) * 4.5];
        ctx.fillRect(line.x + line.ux * along - line.uy * aside - 2.5, line.y + line.uy * along + line.ux * aside - 1.8, 5, 3.6);
        continue;
      }
      const way = (line.length * (t - begins[i])) / Math.max(arrives[i] - begins[i], 1e-12);
      const [x, y] = [line.x + line.ux * way, line.y + line.uy * way];
      if (kind[i] === ack) {
        ctx.fillRect(x - 2, y - 1, 4, 2);
        ctx.fillRect(x - 1, y - 2, 2, 4);
      } else if (kind[i] === again) {
        diamond(ctx, x, y);
        this.marks.push({ x, y, kind: "again", at: i });
      } else ctx.fillRect(x - 4.5, y - 3, 9, 6);
    }
    ctx.font = "11px system-ui, sans-serif";
    ctx.fillStyle = css("--ink");
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    queued.forEach((count, i) => {
      const line = ways[i];
      if (count <= STACK || !line) return;
      const [along, aside] = [24, 66];
      const y = line.y + line.uy * along + line.ux * aside;
      ctx.fillText(`+${count - STACK}`, line.x + line.ux * along - line.uy * aside, Math.min(Math.max(y, 8), this.height - 8));
    });
  }

  private air(ctx: CanvasRenderingContext2D, frames: Frames, t: number, speed: number) {
    // Even a short frame stays visible for some pictures.
    const linger = speed * 0.12;
    const last = before(frames.begins, t);
    const first = before(frames.begins, t - frames.longest - linger) + 1;
    ctx.font = "10px system-ui, sans-serif";
    ctx.textAlign = "center";
    for (let i = first; i <= last; i++) {
      if (frames.ends[i] + linger < t) continue;
      this.packets++;
      const [x0, y0] = this.at(frames.nodes[frames.from[i]]);
      const flow = frames.flow[i];
      const lost = frames.lost[i] !== NONE;
      ctx.strokeStyle = lost ? css("--bad") : Number.isNaN(flow) ? css("--faint") : colour(flow);
      ctx.lineWidth = 2;
      ctx.setLineDash(lost ? [3, 4] : []);
      ctx.beginPath();
      if (frames.to[i] === NONE) ctx.arc(x0, y0, 24, 0, 2 * Math.PI);
      else {
        const [x1, y1] = this.at(frames.targets[frames.to[i]]);
        ctx.moveTo(x0, y0);
        ctx.lineTo(x1, y1);
      }
      ctx.stroke();
      ctx.setLineDash([]);
      ctx.fillStyle = ctx.strokeStyle;
      ctx.fillText(frames.kinds[frames.kind[i]], x0, Math.max(y0 - 32, 8));
    }
  }

  private losses(ctx: CanvasRenderingContext2D, drops: Drop[], t: number, speed: number) {
    const shown = SHOWN * speed;
    let low = 0;
    let high = drops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (drops[middle].t < t - shown) low = middle + 1;
      else high = middle;
    }
    ctx.lineWidth = 2.2;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.font = "600 11px system-ui, sans-serif";
    const told = new Map<string, number>();
    for (let i = low; i < drops.length && drops[i].t <= t; i++) {
      const { place, cause, flow } = drops[i];
      const line = this.lines.get(place);
      const age = (t - drops[i].t) / shown;
      const along = line ? line.length * (cause === "queue" || cause === "aqm" ? 0.04 : 0.5) : 0;
      const [x, y] = line ? [line.x + line.ux * along, line.y + line.uy * along] : this.at(place);
      const fall = y + 10 + age * 26;
      this.marks.push({ x, y: fall, kind: "loss", at: i });
      ctx.globalAlpha = 1 - age;
      ctx.strokeStyle = colour(flow);
      ctx.beginPath();
      ctx.moveTo(x - 4, fall - 4);
      ctx.lineTo(x + 4, fall + 4);
      ctx.moveTo(x + 4, fall - 4);
      ctx.lineTo(x - 4, fall + 4);
      ctx.stroke();
      ctx.globalAlpha = 1;
      told.set(`${Math.round(Math.min(Math.max(x, 40), this.width - 40))} ${Math.round(Math.max(y - 38, 10))} ${cause}`, (told.get(`${cause}`) ?? 0) + 1);
    }
    ctx.fillStyle = css("--bad");
    for (const text of told.keys()) {
      const [x, y, ...cause] = text.split(" ");
      ctx.fillText(`lost: ${cause.join(" ")}`, Number(x), Number(y));
    }
  }
}

function diamond(ctx: CanvasRenderingContext2D, x: number, y: number) {
  ctx.beginPath();
  ctx.moveTo(x - 6, y);
  ctx.lineTo(x, y - 5);
  ctx.lineTo(x + 6, y);
  ctx.lineTo(x, y + 5);
  ctx.fill();
}
