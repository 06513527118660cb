"use strict";
(() => {
  const NOBODY = 0xffff;
  const LOSS = ["#e5383b", "#b5179e", "#7209b7", "#f48c06", "#0096c7", "#6a994e", "#8d5524", "#6c757d"];
  const $ = (id) => document.getElementById(id);
  const [stage, slider, tip] = ["stage", "slider", "tip"].map($);
  const pen = stage.getContext("2d");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const hue = (flow) => run.hues[dark.matches ? "dark" : "light"][flow % run.hues.light.length];
  const loss = (cause) => LOSS[(cause - 1) % LOSS.length];

  let run = null;        // the header of the data
  let c = null;          // its columns
  let now = 0;           // seconds
  let speed = 1;         // simulated seconds per second
  let playing = false;
  let box = null;        // from places to pixels
  let shown = [];        // what is drawn, for the pointer
  let pointer = null;

  // ---- data

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (ch) => ch.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const raw = new Uint8Array(await new Response(stream).arrayBuffer());
    const length = new DataView(raw.buffer).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(raw.subarray(4, 4 + length)));
    const body = raw.subarray(4 + length);
    const columns = {};
    for (const [name, { at, length: n, kind }] of Object.entries(head.columns)) {
      const width = Number(kind[1]);
      const values = new { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, u8: Float64Array }[kind](n);
      for (let plane = 0; plane < width; plane++) {
        const from = at + plane * n;
        const weight = 2 ** (8 * plane);
        for (let i = 0; i < n; i++) values[i] += body[from + i] * weight;
      }
      columns[name] = values;
    }
    return [head, columns];
  }

  /** Sums of differences, times the unit: seconds. */
  function seconds(differences, unit) {
    const times = new Float64Array(differences.length);
    let sum = 0;
    for (let i = 0; i < times.length; i++) times[i] = (sum += differences[i]) * unit;
    return times;
  }

  function prepare() {
    const u = run.unit;
    c.start = seconds(c.begins, u);
    const n = c.start.length;
    c.end = new Float64Array(n);
    c.number = new Uint32Array(n);
    let number = 0;
    c.longest = 0;
    const losses = [];
    const counts = new Float64Array(run.flows.length);
    for (let i = 0; i < n; i++) {
      c.end[i] = c.start[i] + (c.sends[i] + c.flies[i]) * u;
      c.longest = Math.max(c.longest, c.end[i] - c.start[i]);
      c.number[i] = number = (number + c.seq[i]) >>> 0;
      counts[c.flow[i]]++;
      if (c.cause[i]) losses.push(i);
    }
    c.losses = losses.sort((a, b) => c.end[a] - c.end[b]);
    c.lossTimes = Float64Array.from(c.losses, (i) => c.end[i]);
    c.used = counts;
    c.queues = lengths("queue", run.links.length);
    const buffers = c.buffer_number ? lengths("buffer", run.buffers.length) : [];
    // The queues that the strip shows: those that grew longest, no more than four.
    const every = [...run.links.map((link, i) => ({ name: link.name, ...c.queues[i] })),
      ...buffers.map((buffer, i) => ({ name: run.buffers[i], ...buffer }))];
    c.longestQueues = every.filter((q) => q.most > 2).sort((a, b) => b.most - a.most).slice(0, 4);
    prepareLines();
    c.mostQueued = Math.max(1, ...c.queues.map((q) => q.most));
    c.airStart = c.air_begins ? seconds(c.air_begins, u) : new Float64Array(0);
    c.airLongest = 0;
    c.airLosses = [];
    for (let i = 0; i < c.airStart.length; i++) {
      c.airLongest = Math.max(c.airLongest, c.air_lasts[i] * u);
      if (c.air_cause[i]) c.airLosses.push(i);
    }
    c.airLossTimes = Float64Array.from(c.airLosses, (i) => c.airStart[i] + c.air_lasts[i] * u);
  }

  /** Lengths over time of each of `count` queues: rows of one after the other, its times summed up. */
  function lengths(kind, count) {
    const queues = Array.from({ length: count }, () => ({ times: [], lengths: [], most: 0 }));
    const [number, times, packets] = ["number", "time", "packets"].map((what) => c[`${kind}_${what}`]);
    let before = -1, time = 0;
    for (let i = 0; i < number.length; i++) {
      time = number[i] === before ? time + times[i] : times[i];
      before = number[i];
      const queue = queues[before];
      queue.times.push(time * run.unit);
      queue.lengths.push(packets[i]);
      queue.most = Math.max(queue.most, packets[i]);
    }
    return queues;
  }

  /** Windows and rates of each flow over time. */
  function prepareLines() {
    c.windows = run.flows.map(() => ({ times: [], values: [] }));
    let before = -1, time = 0;
    for (let i = 0; i < c.cwnd_flow.length; i++) {
      const flow = c.cwnd_flow[i];
      time = flow === before ? time + c.cwnd_time[i] : c.cwnd_time[i];
      before = flow;
      c.windows[flow].times.push(time * run.unit);
      c.windows[flow].values.push(c.cwnd_value[i] * run.window_unit);
    }
    const bins = run.flows.length ? c.rates.length / run.flows.length : 0;
    c.binTimes = Array.from({ length: bins }, (_, k) => k * run.bin);
    const rates = c.rates;
    c.rates = run.flows.map((_, i) => rates.slice(i * bins, (i + 1) * bins));
  }

  /** The first index whose value is above `value`. */
  function after(values, value) {
    let [low, high] = [0, values.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] <= value) low = middle + 1; else high = middle;
    }
    return low;
  }

  // ---- geometry

  function placeOf(node) {
    const { at, moves } = run.nodes[node];
    if (moves.length < 2) return at;
    const i = after(moves.map((m) => m[0]), now);
    if (i === 0) return moves[0].slice(1);
    if (i === moves.length) return moves[i - 1].slice(1);
    const [[t0, x0, y0], [t1, x1, y1]] = [moves[i - 1], moves[i]];
    const part = (now - t0) / (t1 - t0 || 1);
    return [x0 + part * (x1 - x0), y0 + part * (y1 - y0)];
  }

  /** Ends of the drawing: least and greatest x, least and greatest y, of nodes at any time. */
  function extent() {
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const node of run.nodes) {
      for (const [x, y] of [node.at, ...node.moves.map((m) => m.slice(1))]) {
        [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
      }
    }
    return [x0, x1, y0, y1];
  }

  const STRIP = 58, MOST_STRIP = 170;    // pixels

  /** Gives the strips the room that a flat drawing, such as a chain, leaves empty. */
  function share([x0, x1, y0, y1]) {
    const root = document.documentElement.style;
    root.removeProperty("--strip");
    if (innerWidth <= 640) return;
    const pad = Math.min(56, stage.clientWidth / 9);
    const stretch = run.placed ? 1 : 2.2;
    const aside = $("legend"), end = aside.lastElementChild;
    const named = end ? end.offsetTop + end.offsetHeight - aside.offsetTop + 8 : 0;
    const wanted = Math.max(170, named, 2 * pad + (stretch * (stage.clientWidth - 2 * pad) * (y1 - y0)) / (x1 - x0 || 1));
    const more = (stage.clientHeight - wanted) / 3;
    if (more > 0) root.setProperty("--strip", `${Math.floor(Math.min(MOST_STRIP, STRIP + more))}px`);
  }

  function fit() {
    const ratio = window.devicePixelRatio || 1;
    const [x0, x1, y0, y1] = extent();
    share([x0, x1, y0, y1]);
    for (const canvas of [stage, ...STRIPS.map($)]) {
      canvas.hidden = false;
      const { clientWidth: w, clientHeight: h } = canvas;
      canvas.width = Math.max(1, Math.round(w * ratio));
      canvas.height = Math.max(1, Math.round(h * ratio));
    }
    const [w, h] = [stage.clientWidth, stage.clientHeight];
    const [spanX, spanY] = [x1 - x0 || 1, y1 - y0 || 1];
    const pad = Math.min(56, w / 9);
    let [scaleX, scaleY] = [(w - 2 * pad) / spanX, (h - 2 * pad) / spanY];
    // A plan of a place keeps its shape; a drawing of a network may be stretched.
    if (run.placed) scaleX = scaleY = Math.min(scaleX, scaleY);
    else { const most = 2.2 * Math.min(scaleX, scaleY); scaleX = Math.min(scaleX, most); scaleY = Math.min(scaleY, most); }
    box = { x: w / 2 - scaleX * (x0 + x1) / 2, y: h / 2 + scaleY * (y0 + y1) / 2, scaleX, scaleY, ratio, w, h };
    drawStrips();
  }

  const pixel = ([x, y]) => [box.x + box.scaleX * x, box.y - box.scaleY * y];

  /** A lane of a link: on the right of its direction. */
  function lane(a, b, off) {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(dx, dy) || 1;
    const [nx, ny] = [-dy / length, dx / length];
    const r = Math.min(13, length / 4);
    const [ux, uy] = [dx / length, dy / length];
    return {
      from: [a[0] + ux * r + nx * off, a[1] + uy * r + ny * off],
      to: [b[0] - ux * r + nx * off, b[1] - uy * r + ny * off],
      normal: [nx, ny],
    };
  }

  const between = (a, b, part) => [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part];

