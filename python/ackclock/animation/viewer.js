"use strict";
(() => {
  const NOBODY = 0xffff;
  const HUES = {
    light: ["#d55e00", "#0072b2", "#008f68", "#a8438b", "#23272e", "#9a7400", "#5b5bd6", "#6b7280"],
    dark: ["#ff9a52", "#62b8ee", "#3fd6ab", "#e893cb", "#f2f4f7", "#f0cb4d", "#a5a5ff", "#a3abb8"],
  };
  const LOSS = ["#e5383b", "#b5179e", "#7209b7", "#f48c06", "#0096c7", "#6a994e", "#8d5524", "#6c757d"];
  const $ = (id) => document.getElementById(id);
  const [stage, strip, slider, tip] = ["stage", "strip", "slider", "tip"].map($);
  const pen = stage.getContext("2d");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const hue = (flow) => HUES[dark.matches ? "dark" : "light"][flow % 8];
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
      const values = new { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i4: Int32Array }[kind](n);
      for (let plane = 0; plane < width; plane++) {
        const from = at + plane * n;
        for (let i = 0; i < n; i++) values[i] |= body[from + i] << (8 * plane);
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
    // Queues: rows of each link, its times summed up.
    c.queues = run.links.map(() => ({ times: [], lengths: [], most: 0 }));
    let before = -1, time = 0;
    for (let i = 0; i < c.queue_link.length; i++) {
      const link = c.queue_link[i];
      time = link === before ? time + c.queue_time[i] : c.queue_time[i];
      before = link;
      const queue = c.queues[link];
      queue.times.push(time * u);
      queue.lengths.push(c.queue_packets[i]);
      queue.most = Math.max(queue.most, c.queue_packets[i]);
    }
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

  function fit() {
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of [stage, strip]) {
      const { clientWidth: w, clientHeight: h } = canvas;
      canvas.width = Math.max(1, Math.round(w * ratio));
      canvas.height = Math.max(1, Math.round(h * ratio));
    }
    const [w, h] = [stage.clientWidth, stage.clientHeight];
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const node of run.nodes) {
      for (const [x, y] of [node.at, ...node.moves.map((m) => m.slice(1))]) {
        [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
      }
    }
    const [spanX, spanY] = [x1 - x0 || 1, y1 - y0 || 1];
    const pad = 56;
    let [scaleX, scaleY] = [(w - 2 * pad) / spanX, (h - 2 * pad) / spanY];
    // A plan of a place keeps its shape; a drawing of a network may be stretched.
    if (run.placed) scaleX = scaleY = Math.min(scaleX, scaleY);
    else { const most = 2.2 * Math.min(scaleX, scaleY); scaleX = Math.min(scaleX, most); scaleY = Math.min(scaleY, most); }
    box = { x: w / 2 - scaleX * (x0 + x1) / 2, y: h / 2 + scaleY * (y0 + y1) / 2, scaleX, scaleY, ratio, w, h };
    drawStrip();
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

  // ---- drawing

  function line(a, b, style, width) {
    pen.strokeStyle = style;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(...a);
    pen.lineTo(...b);
    pen.stroke();
  }

  function cross(at, style, size) {
    line([at[0] - size, at[1] - size], [at[0] + size, at[1] + size], style, 2.5);
    line([at[0] - size, at[1] + size], [at[0] + size, at[1] - size], style, 2.5);
  }

  function draw() {
    const { w, h, ratio } = box;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, h);
    pen.lineCap = "butt";
    shown = [];
    const places = run.nodes.map((_, i) => pixel(placeOf(i)));
    const [ink, muted, faint] = ["--ink", "--muted", "--faint"].map(colour);
    const lanes = run.links.map(({ ends }) => lane(places[ends[0]], places[ends[1]], 4));
    for (let i = 0; i < run.links.length; i += 2) line(places[run.links[i].ends[0]], places[run.links[i].ends[1]], faint, 15);
    drawQueues(lanes, muted);
    drawPackets(lanes);
    drawAir(places);
    drawLosses(lanes, places);
    drawNodes(places, ink, muted);
    $("clock").textContent = `${now.toFixed(decimals())} s of ${run.duration} s`;
    slider.value = String(Math.round((now / run.duration) * 1e5));
    drawHand();
    point();
  }

  const decimals = () => Math.max(2, Math.min(6, Math.ceil(2 - Math.log10(speed))));

  function drawQueues(lanes, muted) {
    run.links.forEach((link, i) => {
      const queue = c.queues[i];
      const at = after(queue.times, now);
      const length = at ? queue.lengths[at - 1] : 0;
      const { from, to, normal } = lanes[i];
      shown.push({ kind: "link", i, a: from, b: to, length });
      if (!queue.most) return;
      // A bar across the lane's entry: its height is the queue, to the scale of the longest of all.
      const foot = between(from, to, 0.02);
      const height = 46 * (length / c.mostQueued);
      const side = [normal[0] * 12, normal[1] * 12];
      const base = [foot[0] + side[0] / 2, foot[1] + side[1] / 2];
      line(base, [base[0] + normal[0] * height, base[1] + normal[1] * height], "#f48c06", 7);
      if (length > 1) {
        pen.fillStyle = muted;
        pen.font = "11px system-ui, sans-serif";
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        pen.fillText(String(length), base[0] + normal[0] * (height + 9), base[1] + normal[1] * (height + 9));
      }
    });
  }

  /** Indices of packets on links now. */
  function flying() {
    const found = [];
    const last = after(c.start, now);
    for (let i = after(c.start, now - c.longest) - 1; i < last; i++) {
      if (i >= 0 && c.end[i] > now && c.start[i] <= now) found.push(i);
    }
    return found;
  }

  function drawPackets(lanes) {
    const acks = $("acks").checked;
    for (const i of flying()) {
      const kind = c.kind[i];
      const on = lanes[c.places[i]];
      if (!on || (kind === 2 && !acks)) continue;
      const unit = run.unit;
      const [sends, flies] = [c.sends[i] * unit, c.flies[i] * unit];
      const passed = now - c.start[i];
      // The head has flown since the start, the tail since the end of the transmission. Where the flight takes no time, the
      // packet slides over the link as it is sent.
      const head = flies > 0 ? Math.min(1, passed / flies) : Math.min(1, (2 * passed) / sends);
      const tail = flies > 0 ? Math.max(0, (passed - sends) / flies) : Math.max(0, (2 * passed) / sends - 1);
      const whole = Math.hypot(on.to[0] - on.from[0], on.to[1] - on.from[1]);
      const least = Math.min(0.5, (kind === 2 ? 3 : 6) / whole);
      const b = between(on.from, on.to, Math.max(head, Math.min(1, tail + least)));
      // A gap of a pixel tells a packet from the next.
      const a = between(on.from, on.to, Math.min(tail + 1 / whole, Math.max(0, head - least)));
      line(a, b, hue(c.flow[i]), kind === 2 ? 2 : 6);
      if (kind === 1) line(between(a, b, 0.15), between(a, b, 0.85), colour("--page"), 2);
      shown.push({ kind: "packet", i, a, b });
    }
  }

  function drawAir(places) {
    const last = after(c.airStart, now);
    for (let i = Math.max(0, after(c.airStart, now - c.airLongest) - 1); i < last; i++) {
      const lasts = c.air_lasts[i] * run.unit;
      if (c.airStart[i] + lasts <= now) continue;
      const from = places[c.air_from[i]];
      const part = (now - c.airStart[i]) / lasts;
      const style = c.air_flow[i] === NOBODY ? colour("--muted") : hue(c.air_flow[i]);
      pen.strokeStyle = style;
      pen.lineWidth = 1.5;
      pen.globalAlpha = 0.75;
      pen.beginPath();
      pen.arc(from[0], from[1], 12 + 10 * part, 0, 2 * Math.PI);
      pen.stroke();
      pen.globalAlpha = 1;
      const to = places[c.air_to[i]];
      let head = from;
      if (to) {
        pen.setLineDash([4, 4]);
        line(from, to, style, 1);
        pen.setLineDash([]);
        head = between(from, to, part);
        line(between(from, to, Math.max(0, part - 0.08)), head, style, 6);
      }
      shown.push({ kind: "air", i, a: from, b: head });
    }
  }

  const FADE = 0.9;      // seconds of the viewer's time that a loss stays

  function drawLosses(lanes, places) {
    const keep = FADE * speed;
    for (let k = after(c.lossTimes, now) - 1; k >= 0 && c.lossTimes[k] > now - keep; k--) {
      const i = c.losses[k];
      const age = (now - c.lossTimes[k]) / keep;
      const on = lanes[c.places[i]];
      let at;
      if (on) {
        // Lost before it was sent: beside the entry. On the wire: where it would have arrived.
        const sent = c.sends[i] + c.flies[i] > 0;
        const spot = between(on.from, on.to, sent ? 0.93 : 0.02);
        at = [spot[0] + on.normal[0] * (8 + 16 * age), spot[1] + on.normal[1] * (8 + 16 * age)];
      } else {
        const node = places[c.places[i] - run.links.length];
        if (!node) continue;
        at = [node[0], node[1] - 16 - 14 * age];
      }
      pen.globalAlpha = 1 - 0.8 * age;
      cross(at, loss(c.cause[i]), 5);
      pen.globalAlpha = 1;
      shown.push({ kind: "loss", i, a: at, b: at });
    }
    for (let k = after(c.airLossTimes, now) - 1; k >= 0 && c.airLossTimes[k] > now - keep; k--) {
      const i = c.airLosses[k];
      const node = places[c.air_to[i]] || places[c.air_from[i]];
      const age = (now - c.airLossTimes[k]) / keep;
      pen.globalAlpha = 1 - 0.8 * age;
      cross([node[0] + 14, node[1] - 12 - 8 * age], loss(c.air_cause[i]), 4);
      pen.globalAlpha = 1;
      shown.push({ kind: "airloss", i, a: [node[0] + 14, node[1] - 12], b: [node[0] + 14, node[1] - 12] });
    }
  }

  function drawNodes(places, ink, muted) {
    const names = $("names").checked;
    const small = run.nodes.length > 40;
    const r = small ? 6 : 11;
    pen.font = `${small ? 11 : 13}px system-ui, sans-serif`;
    pen.textAlign = "center";
    places.forEach((at, i) => {
      pen.fillStyle = colour("--node");
      pen.strokeStyle = ink;
      pen.lineWidth = 1.6;
      pen.beginPath();
      pen.arc(at[0], at[1], r, 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
      if (names) {
        pen.fillStyle = small ? muted : ink;
        pen.textBaseline = "top";
        pen.fillText(run.nodes[i].name, at[0], at[1] + r + 4);
      }
      shown.push({ kind: "node", i, a: at, b: at });
    });
  }

  // ---- the strip: packets and losses over time

  const drawnStrip = document.createElement("canvas");

  function drawStrip() {
    const n = Math.min(600, strip.width);
    const [packets, losses] = [new Float64Array(n), new Float64Array(n)];
    const bin = (t) => Math.min(n - 1, Math.floor((t / run.duration) * n));
    for (let i = 0; i < c.start.length; i++) packets[bin(c.start[i])]++;
    for (let i = 0; i < c.airStart.length; i++) packets[bin(c.airStart[i])]++;
    for (const t of c.lossTimes) losses[bin(t)]++;
    for (const t of c.airLossTimes) losses[bin(t)]++;
    const [w, h] = [strip.width, strip.height];
    [drawnStrip.width, drawnStrip.height] = [w, h];
    const context = drawnStrip.getContext("2d");
    const bars = (values, style, most) => {
      context.fillStyle = style;
      values.forEach((v, i) => {
        if (v) context.fillRect((i * w) / n, h - Math.max(2, (h * v) / most), Math.max(1, w / n), h);
      });
    };
    bars(packets, colour("--faint"), Math.max(...packets) || 1);
    bars(losses, LOSS[0], (Math.max(...losses) || 1) * 2);
  }

  function drawHand() {
    const context = strip.getContext("2d");
    context.clearRect(0, 0, strip.width, strip.height);
    context.drawImage(drawnStrip, 0, 0);
    context.fillStyle = colour("--ink");
    context.fillRect((now / run.duration) * strip.width - 1, 0, 2, strip.height);
  }

  // ---- the pointer

  function distance(p, a, b) {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const t = Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
  }

  function point() {
    tip.hidden = true;
    if (!pointer) return;
    const order = { packet: 0, loss: 0, airloss: 0, air: 1, node: 1, link: 2 };
    const near = shown
      .map((s) => ({ s, d: distance(pointer.at, s.a, s.b) }))
      .filter(({ s, d }) => d < (s.kind === "node" ? 12 : 8))
      .sort((x, y) => order[x.s.kind] - order[y.s.kind] || x.d - y.d)[0];
    if (!near) return;
    tip.textContent = about(near.s);
    tip.hidden = false;
    tip.style.left = `${Math.min(pointer.x + 14, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${Math.min(pointer.y + 14, innerHeight - tip.offsetHeight - 8)}px`;
  }

  const flowName = (flow) => {
    const { name, variant, ways } = run.flows[flow];
    return `${name} (${variant}), ${run.nodes[ways[0]].name} to ${run.nodes[ways[1]].name}`;
  };

  function about({ kind, i, length }) {
    const ms = (ticks) => `${(ticks * run.unit * 1e3).toPrecision(4)} ms`;
    if (kind === "node") {
      const [x, y] = placeOf(i);
      return run.nodes[i].name + (run.placed ? `\n${x.toFixed(1)} m, ${y.toFixed(1)} m` : "");
    }
    if (kind === "link") {
      const { name, rate, delay } = run.links[i];
      return `${name.replace(">", " to ")}: ${rate}, ${delay}\nqueue ${length} packets, at most ${c.queues[i].most}`;
    }
    if (kind === "air" || kind === "airloss") {
      const to = run.nodes[c.air_to[i]];
      const lines = [`${run.frames[c.air_kind[i]]}, ${c.air_bytes[i]} B, ${ms(c.air_lasts[i])} on the air`,
        `${run.nodes[c.air_from[i]].name} to ${to ? to.name : "all"}, ${c.airStart[i].toFixed(6)} s`];
      if (c.air_flow[i] !== NOBODY) lines.push(flowName(c.air_flow[i]));
      if (c.air_cause[i]) lines.push(`lost: ${run.causes[c.air_cause[i] - 1]}`);
      return lines.join("\n");
    }
    const lines = [`${run.kinds[c.kind[i]]} ${c.number[i]}, ${c.bytes[i]} B`, flowName(c.flow[i])];
    if (c.cause[i]) lines.push(`lost at ${c.end[i].toFixed(6)} s: ${run.causes[c.cause[i] - 1]}`);
    else lines.push(`waited ${ms(c.waits[i])}, sent in ${ms(c.sends[i])}, flies ${ms(c.flies[i])}`);
    return lines.join("\n");
  }

  // ---- legend

  function legend() {
    const aside = $("legend");
    const add = (title, rows) => {
      if (!rows.length) return;
      const head = document.createElement("h2");
      head.textContent = title;
      aside.append(head);
      for (const { key, style, name, count, hint } of rows) {
        const row = document.createElement("div");
        const mark = document.createElement("span");
        mark.className = key ? "mark" : "key";
        if (key) { mark.textContent = key; mark.style.color = style; } else mark.style.background = style;
        const label = document.createElement("span");
        label.textContent = name;
        row.title = hint || name;
        row.append(mark, label);
        if (count !== undefined) {
          const number = document.createElement("span");
          number.className = "count";
          number.textContent = count.toLocaleString("en");
          row.append(number);
        }
        aside.append(row);
      }
    };
    aside.replaceChildren();
    add("Flows", run.flows.slice(0, 24).map((flow, i) => ({ style: hue(i), name: `${flow.name} ${flow.variant}`, hint: flowName(i) })));
    const totals = run.causes.map(() => 0);
    for (const i of c.losses) totals[c.cause[i] - 1]++;
    for (const i of c.airLosses) totals[c.air_cause[i] - 1]++;
    const lost = run.causes.map((name, i) => ({ key: "\u00d7", style: loss(i + 1), name, count: totals[i] }));
    add(c.airStart.length ? "Lost packets and frames" : "Lost packets", lost.filter(({ count }) => count));
    const signs = [];
    if (run.links.length) {
      signs.push({ style: colour("--muted"), name: "packet" }, { key: "\u2013", style: colour("--muted"), name: "acknowledgment" },
        { key: "\u25ad", style: colour("--muted"), name: "retransmission" }, { style: "#f48c06", name: "queue" });
    }
    if (c.airStart.length) signs.push({ key: "\u25ef", style: colour("--muted"), name: "on the air" });
    add("Signs", signs);
  }

  // ---- time

  const SPEEDS = [1e-5, 1e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 50];

  /** So slow that a packet is seen for about a second. */
  function pace() {
    const some = [];
    for (let i = 0; i < c.start.length; i += Math.max(1, c.start.length >> 10)) some.push(c.end[i] - c.start[i]);
    for (let i = 0; i < c.airStart.length; i += Math.max(1, c.airStart.length >> 10)) some.push(8 * c.air_lasts[i] * run.unit);
    some.sort((a, b) => a - b);
    const usual = some[some.length >> 1] || 1;
    return SPEEDS.reduce((best, s) => (Math.abs(Math.log(s / usual)) < Math.abs(Math.log(best / usual)) ? s : best));
  }

  function seek(time) {
    now = Math.max(0, Math.min(run.duration, time));
    draw();
  }

  function play(on) {
    playing = on && now < run.duration;
    $("play").textContent = playing ? "Pause" : "Play";
    if (playing) requestAnimationFrame((begin) => step(begin, begin));
  }

  function step(at, before) {
    if (!playing) return;
    // A tab that was away goes on where it was.
    seek(now + Math.min(0.1, (at - before) / 1000) * speed);
    if (now >= run.duration) play(false);
    else requestAnimationFrame((next) => step(next, at));
  }

  function controls() {
    const select = $("speed");
    for (const s of SPEEDS) select.add(new Option(s >= 1 ? `${s} x` : `1/${Math.round(1 / s)} x`, String(s)));
    const set = (s) => { speed = s; select.value = String(s); };
    const wish = new URLSearchParams(location.hash.slice(1));
    set(SPEEDS.includes(Number(wish.get("speed"))) ? Number(wish.get("speed")) : pace());
    select.addEventListener("change", () => { set(Number(select.value)); draw(); });
    slider.addEventListener("input", () => { play(false); seek((Number(slider.value) / 1e5) * run.duration); });
    $("play").addEventListener("click", () => { if (now >= run.duration) seek(0); play(!playing); });
    $("back").addEventListener("click", () => { play(false); seek(now - 0.1 * speed); });
    $("on").addEventListener("click", () => { play(false); seek(now + 0.1 * speed); });
    for (const id of ["acks", "names"]) $(id).addEventListener("change", draw);
    addEventListener("keydown", (event) => {
      if (event.target.tagName === "SELECT" || event.target.type === "range") return;
      const key = { " ": "play", ArrowLeft: "back", ArrowRight: "on" }[event.key];
      if (!key || event.target.tagName === "BUTTON") return;
      event.preventDefault();
      $(key).click();
    });
    stage.addEventListener("pointermove", (event) => {
      const { left, top } = stage.getBoundingClientRect();
      pointer = { at: [event.clientX - left, event.clientY - top], x: event.clientX, y: event.clientY };
      point();
    });
    stage.addEventListener("pointerleave", () => { pointer = null; tip.hidden = true; });
    addEventListener("resize", () => { fit(); draw(); });
    dark.addEventListener("change", () => { legend(); fit(); draw(); });
    seek(Number(wish.get("t")) || first());
    if (wish.has("play")) play(true);
  }

  /** Just before the first packet. */
  function first() {
    const begin = Math.min(c.start.length ? c.start[0] : Infinity, c.airStart.length ? c.airStart[0] : Infinity);
    return Number.isFinite(begin) ? begin : 0;
  }

  async function begin() {
    try {
      [run, c] = await unpack($("data").textContent);
    } catch (why) {
      $("about").textContent = `This browser cannot unpack the animation (${why}): one of 2023 or later can.`;
      return;
    }
    prepare();
    $("title").textContent = run.title;
    const packets = c.start.length.toLocaleString("en");
    const frames = c.airStart.length ? `, ${c.airStart.length.toLocaleString("en")} transmissions on the air` : "";
    $("about").textContent = [`${run.duration} s simulated, seed ${run.seed}; ${packets} packets on links${frames}`, ...run.notes].join("; ");
    legend();
    fit();
    controls();
    window.viewer = { seek, play, state: () => ({ now, playing, speed, shown: shown.map(({ kind, i, a, b }) => ({ kind, i, a, b })) }) };
    document.documentElement.dataset.ready = "yes";
  }

  begin();
})();
