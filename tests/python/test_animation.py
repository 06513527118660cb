"""The page that animates a run: its data, the positions of nodes, and playback in a browser."""

from __future__ import annotations

import base64
import json
import re
import tomllib
import zlib

import numpy as np
import pytest
from tests.python.browser import browse, browser

import ackclock as ac
from ackclock.plot.animation import packed as animation
from ackclock.plot.animation.layout import distances, layout


@pytest.fixture(scope="module")
def run():
    """Return a run of two flows over a bottleneck that overflows and also loses packets at random."""
    net = ac.dumbbell(variants=["newreno", "vegas"], rate="1Mbps", delay="20ms", queue=5)
    return net.set("link.0.loss", {"kind": "random", "rate": 0.01}).run("10s", seed=2)


def unpack(text):
    """Return header and columns of a page, unpacked in the viewer's way."""
    packed = re.search(r'<script id="data"[^>]*>([^<]*)</script>', text).group(1)
    raw = zlib.decompress(base64.b64decode(packed))
    length = int.from_bytes(raw[:4], "little")
    header, body = json.loads(raw[4 : 4 + length]), raw[4 + length :]
    columns = {}
    for name, column in header["columns"].items():
        width = int(column["kind"][1])
        part = body[column["at"] : column["at"] + column["length"] * width]
        planes = np.frombuffer(part, np.uint8).reshape(width, column["length"]).T
        columns[name] = np.ascontiguousarray(planes).view(f"<{column['kind']}").ravel()
    return header, columns


def test_it_holds_every_packet_and_loss(run):
    header, columns = unpack(animation.page(run, title="<both>"))
    hops = run.trace("hops").to_polars().sort("begins_s", "arrives_s", maintain_order=True)
    begins = np.cumsum(columns["begins"]) * header["unit"]
    assert np.allclose(begins, hops["begins_s"].to_numpy(), atol=1e-6)
    ends = begins + (columns["sends"] + columns["flies"]) * header["unit"]
    assert np.allclose(ends, hops["arrives_s"].to_numpy(), atol=2e-6)
    assert [header["links"][at]["name"] for at in columns["places"][:200]] == hops["place"][:200].to_list()
    causes = [header["causes"][at - 1] if at else None for at in columns["cause"]]
    assert causes == hops["cause"].to_list()
    lost = sum(flow["lost_packets_total"] + flow["lost_acks_total"] for flow in run.summary["flows"])
    assert sum(cause is not None for cause in causes) == lost
    assert {"queue", "random"} <= set(header["causes"])
    assert np.array_equal(np.cumsum(columns["seq"], dtype=np.uint32), hops["seq"].to_numpy())
    assert header["title"] == "<both>"
    assert header["notes"] == []


def test_of_too_many_packets_some_are_shown_and_it_says_so(run, monkeypatch):
    monkeypatch.setattr(animation, "MOST_HOPS", 2000)
    monkeypatch.setattr(animation, "MOST_CHANGES", 500)
    header, columns = unpack(animation.page(run))
    assert len(columns["begins"]) < 3000
    assert len(columns["queue_time"]) <= 520
    every = int(re.match(r"one packet of (\d+) is shown", header["notes"][0]).group(1))
    hops = run.trace("hops").to_polars()
    assert every == -(-len(hops) // 2000)
    # Losses are not sampled here, so the page has all of them.
    assert np.count_nonzero(columns["cause"]) == hops["cause"].drop_nulls().len()
    assert "steps of" in header["notes"][1]


def test_nothing_is_loaded_from_elsewhere(run):
    text = animation.page(run)
    without_data = re.sub(r'<script id="data".*?</script>', "", text, flags=re.DOTALL)
    assert not re.findall(r'(?:src|href)="(?!data:)[^"]*"|https?://|@import|url\(', without_data)
    assert not re.findall("@[A-Z]+@", text)


def test_the_same_run_gives_the_same_page(run):
    assert animation.page(run) == animation.page(run)


def test_layout_of_a_dumbbell():
    # The topology is s0, s1 - a - b - d0, d1.
    edges = [(0, 2), (1, 2), (2, 3), (3, 4), (3, 5)]
    places = layout(6, edges, [(0, 4), (1, 5)])
    assert all(
        places[left, 0] < places[2, 0] < places[3, 0] < places[right, 0]
        for left in (0, 1)
        for right in (4, 5)
    )
    assert places[0, 1] > places[1, 1]
    assert places[4, 1] > places[5, 1]
    assert np.array_equal(places, layout(6, edges, [(0, 4), (1, 5)]))


def test_layout_keeps_what_has_a_place_and_parts_what_has_none():
    assert distances(4, [(0, 1), (1, 2)])[0].tolist() == [0, 1, 2, 3]
    fixed = {0: (0.0, 0.0), 1: (100.0, 0.0)}
    places = layout(4, [(1, 2), (2, 3)], [], fixed)
    assert places[:2].tolist() == [[0, 0], [100, 0]]
    assert all(np.hypot(*(places[a] - places[b])) > 5 for a in range(4) for b in range(a))
    assert layout(1, []).shape == (1, 2)
    assert layout(0, []).shape == (0, 2)


def test_layout_of_many_nodes_takes_no_matrix_of_distances():
    count = 10_000
    sources, sinks = range(2, 2 + count), range(2 + count, 2 + 2 * count)
    edges = [(0, 1), *((source, 0) for source in sources), *((1, sink) for sink in sinks)]
    places = layout(2 + 2 * count, edges, list(zip(sources, sinks, strict=True)))
    left, right = places[sources.start : sources.stop], places[sinks.start : sinks.stop]
    assert left[:, 0].max() <= places[0, 0] < places[1, 0] <= right[:, 0].min()
    # Flows are drawn from top to bottom in their order, and every leaf is one link away from its router.
    assert (np.diff(left[:, 1]) <= 0).all()
    assert (np.diff(right[:, 1]) <= 0).all()
    assert np.allclose(np.hypot(*(left - places[0]).T), 1, atol=1e-3)


def test_layout_of_many_nodes_keeps_what_has_a_place():
    places = layout(700, [(0, 1), (1, 2)], [], {node: (float(node), 5.0) for node in range(3, 700)})
    assert places[3:, 0].tolist() == list(range(3, 700))
    assert np.isfinite(places).all()


SCRIPT = """
// The browser's clock is virtual, its frames are not: a busy machine may draw none in any time of that clock.
window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 16);
(async () => {
  while (!document.documentElement.dataset.ready) await new Promise((done) => setTimeout(done, 20));
  const stage = document.getElementById("stage"), slider = document.getElementById("slider");
  const said = { states: [], pictures: [] };
  for (const value of [30000, 30040, 60000]) {
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
    said.states.push(window.viewer.state());
    said.pictures.push(stage.toDataURL());
  }
  const packet = said.states[0].shown.find((s) => s.kind === "packet");
  const { left, top } = stage.getBoundingClientRect();
  const at = [(packet.a[0] + packet.b[0]) / 2 + left, (packet.a[1] + packet.b[1]) / 2 + top];
  window.viewer.seek(said.states[0].now);
  stage.dispatchEvent(new PointerEvent("pointermove", { clientX: at[0], clientY: at[1] }));
  said.tip = document.getElementById("tip").textContent;
  document.getElementById("play").click();
  await new Promise((done) => setTimeout(done, 300));
  document.getElementById("play").click();
  said.played = window.viewer.state().now - said.states[0].now;
  said.speed = window.viewer.state().speed;
  said.legend = document.getElementById("legend").textContent;
  said.different = new Set(said.pictures).size;
  delete said.pictures;
  say(said);
})();
"""


@browser
def test_a_browser_plays_it(run, tmp_path):
    said, complaints = browse(animation.page(run, title="both"), SCRIPT, tmp_path)
    assert complaints == []
    assert said is not None
    # Each position of the slider gives another picture, with packets at the places that the trace states.
    assert said["different"] == 3
    hops = run.trace("hops").to_polars()
    for state in said["states"]:
        now = state["now"]
        under_way = hops.filter((hops["begins_s"] <= now) & (hops["arrives_s"] > now))
        shown = sum(s["kind"] == "packet" for s in state["shown"])
        assert abs(shown - len(under_way)) <= 1
    assert re.match(r"(data|retransmission|ack) \d+, \d+ B\n.* to ", said["tip"])
    assert said["played"] > 0
    # By default the whole run is played in one minute.
    assert said["speed"] == pytest.approx(10 / 60, rel=0.01)
    for word in ("newreno", "vegas", "queue", "random"):
        assert word in said["legend"]


WLAN = """
duration = "2s"

[[node]]
name = "ap"
position = [0, 0]

[[node]]
name = "near"
position = [10, 0]

[[node]]
name = "walker"
position = [0, 20]
mobility = { kind = "random-walk", speed = [2, 4], time = "1s", bounds = [-30, 30, -30, 30] }

[[wifi]]
name = "wlan"
standard = "b"
stations = ["ap", "near", "walker"]

[[link]]
between = ["server", "ap"]
rate = "10Mbps"
delay = "5ms"

[[flow]]
from = "server"
to = "near"
tcp = { variant = "newreno" }

[[flow]]
from = "walker"
to = "near"
traffic = { kind = "cbr", rate = "2Mbps", packet = "1000B" }
"""


@pytest.fixture(scope="module")
def wlan():
    """Return a run with a wired server behind a radio network of three stations, of which one walks."""
    return ac.Scenario(tomllib.loads(WLAN)).run()


def test_it_holds_what_was_on_the_air_and_where_nodes_went(wlan):
    header, columns = unpack(animation.page(wlan))
    frames = wlan.trace("frames").to_polars()
    assert np.allclose(np.cumsum(columns["air_begins"]) * 1e-6, frames["time_s"].to_numpy(), atol=1e-6)
    names = [node["name"] for node in header["nodes"]]
    assert [names[at] for at in columns["air_from"][:500]] == frames["from"][:500].to_list()
    assert [header["frames"][at] for at in columns["air_kind"][:500]] == frames["kind"][:500].to_list()
    lost = [header["causes"][at - 1] if at else None for at in columns["air_cause"]]
    assert lost == frames["lost"].to_list()
    assert {"DATA", "ACK"} <= set(header["frames"])
    places = {node["name"]: node for node in header["nodes"]}
    assert places["near"]["at"] == [10, 0]
    assert len(places["walker"]["moves"]) == 3
    assert places["walker"]["moves"][0] == [0, 0, 20]
    # The server has no position in the scenario, so the layout places it away from the others.
    assert places["server"]["moves"] == []
    assert all(np.hypot(*np.subtract(places["server"]["at"], places[n]["at"])) > 2 for n in ("ap", "near"))


AIR = """
(async () => {
  while (!document.documentElement.dataset.ready) await new Promise((done) => setTimeout(done, 20));
  const said = { pictures: new Set(), kinds: {}, walker: [] };
  const stage = document.getElementById("stage");
  for (let t = 0.5; t < 1.5; t += 0.0371) {
    window.viewer.seek(t);
    said.pictures.add(stage.toDataURL());
    const { shown } = window.viewer.state();
    for (const { kind } of shown) said.kinds[kind] = (said.kinds[kind] || 0) + 1;
    said.walker.push(shown.filter((s) => s.kind === "node").map((s) => s.a[0]));
  }
  said.pictures = said.pictures.size;
  say(said);
})();
"""


@browser
def test_a_browser_plays_what_is_on_the_air(wlan, tmp_path):
    said, complaints = browse(animation.page(wlan), AIR, tmp_path)
    assert complaints == []
    assert said["kinds"]["air"] > 5
    assert said["kinds"]["packet"] > 5
    assert said["pictures"] > 20
    # One of the nodes moves; the others stand still.
    moving = [len(set(places)) > 5 for places in zip(*said["walker"], strict=True)]
    assert sum(moving) == 1


LATE = """
duration = "3h"

[[link]]
between = ["a", "b"]
rate = "1Mbps"
delay = "10ms"

[[flow]]
name = "late"
from = "a"
to = "b"
start = "4321s"
traffic = { kind = "ftp", size = "20kB" }
tcp = { variant = "reno" }

[[flow]]
name = "later"
from = "a"
to = "b"
start = "9876s"
traffic = { kind = "ftp", size = "20kB" }
tcp = { variant = "reno" }
"""

TIMES = """
(async () => {
  while (!document.documentElement.dataset.ready) await new Promise((done) => setTimeout(done, 20));
  say(window.viewer.times());
})();
"""


@browser
def test_time_goes_on_after_seventy_one_minutes(tmp_path):
    """Times are not stored as microseconds in 32 bits, which would overflow after 71.6 minutes."""
    run = ac.Scenario(tomllib.loads(LATE)).run()
    said, complaints = browse(animation.page(run), TIMES, tmp_path)
    assert complaints == []
    hops = run.trace("hops").to_polars()
    queue, cwnd = run.trace("queue").to_polars(), run.trace("cwnd").to_polars()
    assert said["packets"] == pytest.approx([hops["begins_s"].min(), hops["begins_s"].max()], abs=1e-5)
    ahead = queue.filter(queue["place"] == "a>b")["time_s"]
    assert said["queue"] == pytest.approx([ahead.min(), ahead.max()], abs=1e-5)
    last = cwnd.filter((cwnd["variable"] == "cwnd") & (cwnd["flow"] == 1))["time_s"].max()
    assert said["window"] == pytest.approx(last, abs=1e-5)
    assert said["packets"][1] > 9876


def test_strips_hold_windows_and_throughput(run, monkeypatch):
    _, columns = unpack(animation.page(run))
    cwnd = run.trace("cwnd").to_polars()
    mine = cwnd.filter((cwnd["variable"] == "cwnd") & (cwnd["flow"] == 1))
    own = columns["cwnd_flow"] == 1
    assert np.allclose(np.cumsum(columns["cwnd_time"][own]) * 1e-6, mine["time_s"].to_numpy(), atol=1e-5)
    assert np.allclose(columns["cwnd_value"][own] * 0.01, mine["value"].to_numpy(), atol=0.01)
    rates = columns["rates"].reshape(2, -1)
    assert rates.shape[1] == animation.STRIP_BINS
    for flow, rate in zip(run.summary["flows"], rates, strict=True):
        assert rate.mean() == pytest.approx(flow["throughput_bps"], rel=0.02)
    # A long series is thinned to the minimum and maximum of each interval.
    monkeypatch.setattr(animation, "MOST_POINTS", 40)
    _, few = unpack(animation.page(run))
    mask = few["cwnd_flow"] == 1
    assert np.count_nonzero(mask) <= 44
    assert few["cwnd_value"][mask].max() == columns["cwnd_value"][own].max()
    assert few["cwnd_value"][mask].min() == columns["cwnd_value"][own].min()


STRIPS = """
(async () => {
  while (!document.documentElement.dataset.ready) await new Promise((done) => setTimeout(done, 20));
  const said = { shown: [], hands: [], wide: document.documentElement.scrollWidth, room: innerWidth };
  for (const name of ["cwnd", "queue", "rate", "strip"]) {
    const canvas = document.getElementById(name);
    if (!canvas.hidden) said.shown.push(name);
    const { left, width, top } = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new PointerEvent("pointerdown", { clientX: left + width / 4, clientY: top + 5 }));
    said.hands.push(window.viewer.state().now);
  }
  const { left, width } = document.getElementById("rate").getBoundingClientRect();
  const slider = document.getElementById("slider").getBoundingClientRect();
  said.edges = [left - slider.left, slider.right - left - width];
  said.stage = document.getElementById("stage").clientHeight;
  const marks = (parent) => [...parent.querySelectorAll(".tick")].map((one) => {
    const at = one.getBoundingClientRect();
    return [parseFloat(one.textContent), at.left + at.width / 2, at.top + at.height / 2];
  });
  said.times = marks(document.getElementById("times")).map(([t, x]) => [t, (x - left) / width]);
  said.rates = marks(document.getElementById("rate").parentElement).map(([rate, , y]) => [rate, y]);
  said.legend = document.getElementById("legend").getBoundingClientRect().height;
  say(said);
})();
"""

OPENED = """
(async () => {
  while (!document.documentElement.dataset.ready) await new Promise((done) => setTimeout(done, 20));
  const { now, shown } = window.viewer.state();
  const [stage, legend] = ["stage", "legend"].map((id) => document.getElementById(id));
  const losses = shown.filter(({ kind }) => kind.endsWith("loss")).length;
  const strip = document.getElementById("rate").clientHeight;
  say({ now, losses, stage: stage.clientHeight, strip, cut: legend.scrollHeight - legend.clientHeight });
})();
"""


@browser
def test_it_opens_at_the_first_loss_and_fills_the_page(run, tmp_path):
    hops = run.trace("hops").to_polars()
    first = hops.filter(hops["cause"].is_not_null())["arrives_s"].min()
    said, complaints = browse(animation.page(run), OPENED, tmp_path)
    assert complaints == []
    assert said["now"] == pytest.approx(first, abs=2e-6)
    assert said["losses"] >= 1
    # A chain of stations needs little height, which the strips get, but the legend is not cut off.
    chain = ac.load("adhoc", ["duration=1s"]).run()
    flat, complaints = browse(animation.page(chain), OPENED, tmp_path)
    assert complaints == []
    assert flat["losses"] >= 1
    assert flat["strip"] > 1.2 * said["strip"]
    assert flat["stage"] < said["stage"]
    assert flat["cut"] <= 0


@browser
@pytest.mark.parametrize("width", [400, 1280])
def test_strips_are_in_step_with_the_slider_at_any_width(run, tmp_path, width):
    said, complaints = browse(animation.page(run), STRIPS, tmp_path, width)
    assert complaints == []
    assert said["shown"] == ["cwnd", "queue", "rate", "strip"]
    assert said["hands"] == pytest.approx([2.5] * 4, abs=0.05)
    assert said["edges"] == [8, 8]
    # Every number of an axis stands where its value is.
    assert [at for _, at in said["times"]] == pytest.approx([t / 10 for t, _ in said["times"]], abs=0.005)
    assert len(said["times"]) >= 3
    (low, foot), *_, (high, top) = said["rates"]
    rows = [foot + (rate - low) / (high - low) * (top - foot) for rate, _ in said["rates"]]
    assert low == 0
    assert high > 0
    assert foot - top > 10
    assert [at for _, at in said["rates"]] == pytest.approx(rows, abs=1.5)
    assert said["wide"] <= said["room"] == width
    assert said["stage"] > 200
    assert said["legend"] > 50
