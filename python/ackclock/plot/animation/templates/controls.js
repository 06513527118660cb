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
    add("Flows", run.flows.slice(0, 24).map((flow, i) => ({ style: hue(i), name: flow.name === flow.variant ? flow.name : `${flow.name} ${flow.variant}`, hint: flowName(i) })));
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
    if (c.longestQueues.length > 1) add("Queues", c.longestQueues.map((q, k) => ({ style: hue(run.flows.length + k), name: q.name.replace(">", " to ") })));
  }

  // ---- time

  const SPEEDS = [1e-5, 1e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 50, 200];

  const FILM = 60;       // seconds that the whole run takes by default

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
    const film = (run.duration - first()) / FILM || 1;
    const slow = pace();
    const times = (s) => (s >= 1 ? `${s} x` : `1/${Math.round(1 / s)} x`);
    select.add(new Option("all in a minute", String(film)));
    for (const s of SPEEDS) select.add(new Option(`${times(s)}${s === slow ? " (packets)" : ""}`, String(s)));
    const set = (s) => { speed = s; select.value = String(s); };
    const wish = new URLSearchParams(location.hash.slice(1));
    set(SPEEDS.includes(Number(wish.get("speed"))) ? Number(wish.get("speed")) : film);
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
    stage.addEventListener("pointerdown", (event) => stage.dispatchEvent(new PointerEvent("pointermove", event)));
    for (const name of STRIPS) {
      const canvas = $(name);
      const there = (event) => {
        const { left, width } = canvas.getBoundingClientRect();
        play(false);
        seek(((event.clientX - left) / width) * run.duration);
      };
      canvas.addEventListener("pointerdown", (event) => { if (event.isTrusted) canvas.setPointerCapture(event.pointerId); there(event); });
      canvas.addEventListener("pointermove", (event) => { if (event.buttons) there(event); });
    }
    addEventListener("resize", () => { fit(); draw(); });
    dark.addEventListener("change", () => { legend(); fit(); draw(); });
    seek(Number(wish.get("t")) || worth());
    if (wish.has("play")) play(true);
  }

  /** Just before the first packet. */
  function first() {
    const begin = Math.min(c.start.length ? c.start[0] : Infinity, c.airStart.length ? c.airStart[0] : Infinity);
    return Number.isFinite(begin) ? begin : 0;
  }

  /** Where the page begins: a flow's first loss, else any; without losses, where the longest queue is longest; else the first packet. */
  function worth() {
    const own = c.airLosses.findIndex((i) => c.air_flow[i] !== NOBODY);
    const losses = [c.lossTimes[0], c.airLossTimes[own]].filter((time) => time !== undefined);
    if (losses.length) return Math.min(...losses);
    if (c.airLossTimes.length) return c.airLossTimes[0];
    const longest = c.longestQueues[0];
    return longest ? longest.times[longest.lengths.indexOf(longest.most)] : first();
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
    const ends = (times) => [times[0], times[times.length - 1]];
    const times = () => ({ packets: ends(c.start), queue: ends(c.queues[0].times), window: c.windows[run.flows.length - 1].times.at(-1) });
    window.viewer = { seek, play, times, state: () => ({ now, playing, speed, shown: shown.map(({ kind, i, a, b }) => ({ kind, i, a, b })) }) };
    document.documentElement.dataset.ready = "yes";
  }

  begin();
})();
