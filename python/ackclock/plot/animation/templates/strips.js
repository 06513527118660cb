  // ---- strips over time, as wide as the slider: windows, queues, throughput, packets and losses

  const STRIPS = ["cwnd", "queue", "rate", "strip"];
  const TOP = 15;        // pixels for the title of a strip
  const drawn = {};      // what does not change, by strip

  /** Lines of a strip: colour, times, values; which end where the next begins. */
  function linesOf(name) {
    if (name === "cwnd") return run.flows.map((_, i) => ({ style: hue(i), ...c.windows[i] })).filter((l) => l.times.length);
    if (name === "rate") return run.flows.map((_, i) => ({ style: hue(i), times: c.binTimes, values: c.rates[i] }));
    return c.longestQueues.map((q, k) => ({ style: hue(run.flows.length + k), name: q.name, times: q.times, values: q.lengths }));
  }

  const TITLES = { cwnd: "window (segments)", queue: "queue (packets)", rate: "throughput (Mb/s)", strip: "packets (grey) and losses (red)" };

  /** Multiples of 1, 2 or 5 times a power of ten from zero to `most`, at most `count` above zero. */
  function ticks(most, count) {
    const power = 10 ** Math.floor(Math.log10(most / count));
    const step = power * [1, 2, 5, 10].find((s) => s * power * count >= most * (1 - 1e-9));
    return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(12)));
  }

  function tick(parent, text, style) {
    const mark = document.createElement("span");
    mark.className = "tick";
    mark.textContent = text;
    Object.assign(mark.style, style);
    parent.append(mark);
  }

  /** Draws grid lines of a strip and writes their numbers to its left. */
  function axis(context, name, most, y, w, ratio) {
    const row = $(name).parentElement;
    const room = row.clientHeight - TOP;
    context.strokeStyle = colour("--faint");
    context.lineWidth = Math.max(1, Math.round(ratio / 2));
    for (const value of ticks(most, Math.max(1, Math.floor(room / 18)))) {
      context.beginPath();
      context.moveTo(0, Math.round(y(value)) - 0.5);
      context.lineTo(w, Math.round(y(value)) - 0.5);
      context.stroke();
      tick(row, String(value), { top: `${y(value) / ratio}px` });
    }
  }

  /** Writes the axis of time below the strips. */
  function timeAxis() {
    const times = $("times");
    times.replaceChildren();
    const values = ticks(run.duration, Math.max(2, Math.floor(times.clientWidth / 90)));
    values.forEach((t, i) => tick(times, i === values.length - 1 ? `${t} s` : String(t), { left: `${(100 * t) / run.duration}%` }));
  }

  /** Draws lines that hold each value until the next: in each column of pixels from the least to the most. */
  function drawLines(context, name, w, h, ratio) {
    const lines = linesOf(name);
    const scale = name === "rate" ? 1e-6 : 1;
    let most = 0;
    for (const { values } of lines) for (const v of values) if (v > most) most = v;
    if (!most) return false;
    const y = (v) => h - 1 - (h - TOP * ratio - 2) * (v / most);
    axis(context, name, most * scale, (v) => y(v / scale), w, ratio);
    context.lineWidth = Math.max(1, ratio);
    for (const { style, times, values } of lines) {
      context.strokeStyle = style;
      context.beginPath();
      let held = 0, k = 0, begun = false;
      for (let column = 0; column <= w; column++) {
        const until = ((column + 1) / w) * run.duration;
        let [low, high] = [held, held];
        const first = k;
        while (k < times.length && times[k] < until) {
          held = values[k++];
          if (held < low) low = held;
          if (held > high) high = held;
        }
        if (!begun && k === 0) continue;
        if (!begun && first === 0) [low, high] = [Math.min(...values.slice(0, k)), Math.max(...values.slice(0, k))];
        if (begun) context.lineTo(column, y(low)); else context.moveTo(column, y(low));
        if (high > low) { context.lineTo(column, y(high)); context.lineTo(column, y(held)); }
        begun = true;
      }
      context.stroke();
    }
    const named = name === "queue" ? `: ${lines.map((l) => l.name.replace(">", " to ")).join(", ")}` : "";
    label(context, `${TITLES[name]}${named}`, ratio);
    return true;
  }

  function label(context, text, ratio) {
    context.font = `${11 * ratio}px system-ui, sans-serif`;
    context.textBaseline = "top";
    context.fillStyle = colour("--muted");
    context.fillText(text, 0, ratio);
  }

  function drawPacketsOverTime(context, w, h, ratio) {
    const n = Math.min(600, w);
    const [packets, losses] = [new Float64Array(n), new Float64Array(n)];
    const bin = (t) => Math.min(n - 1, Math.floor((t / run.duration) * n));
    for (let i = 0; i < c.start.length; i++) packets[bin(c.start[i])]++;
    for (let i = 0; i < c.airStart.length; i++) packets[bin(c.airStart[i])]++;
    for (const t of c.lossTimes) losses[bin(t)]++;
    for (const t of c.airLossTimes) losses[bin(t)]++;
    const bars = (values, style, most) => {
      context.fillStyle = style;
      values.forEach((v, i) => {
        if (v) context.fillRect((i * w) / n, h - Math.max(2, ((h - TOP * ratio) * v) / most), Math.max(1, w / n), h);
      });
    };
    bars(packets, colour("--faint"), Math.max(...packets) || 1);
    bars(losses, LOSS[0], (Math.max(...losses) || 1) * 2);
    label(context, TITLES.strip, ratio);
    return true;
  }

  function drawStrips() {
    const ratio = box.ratio;
    for (const mark of document.querySelectorAll("#strips .tick")) mark.remove();
    timeAxis();
    for (const name of STRIPS) {
      const canvas = $(name);
      const { width: w, height: h } = canvas;
      const kept = (drawn[name] = document.createElement("canvas"));
      [kept.width, kept.height] = [w, h];
      const context = kept.getContext("2d");
      const some = name === "strip" ? drawPacketsOverTime(context, w, h, ratio) : drawLines(context, name, w, h, ratio);
      canvas.hidden = !some;
    }
    drawHand();
  }

  function drawHand() {
    for (const name of STRIPS) {
      const canvas = $(name);
      if (canvas.hidden || !drawn[name]) continue;
      const context = canvas.getContext("2d");
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(drawn[name], 0, 0);
      context.fillStyle = colour("--ink");
      context.fillRect((now / run.duration) * canvas.width - box.ratio / 2, 0, box.ratio, canvas.height);
    }
  }

