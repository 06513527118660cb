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

