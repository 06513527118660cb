"""Simulations that are driven step by step give equal results without changes, and other results with changes."""

from __future__ import annotations

import random
import signal
import threading
import time
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.errors import ControlError, UserError
from ackclock.runs import Simulation

SCENARIOS = sorted((Path(ac.__file__).parent / "scenarios").glob("*.toml"))
TRACES = ["cwnd", "state", "queue", "drops", "throughput"]


def named(*variants: str, rate: str, delay: str, queue: int, duration: str) -> ac.Scenario:
    """Return a dumbbell whose flows are named after their variants."""
    made = ac.dumbbell(list(variants), rate=rate, delay=delay, queue=queue, duration=duration)
    return made.with_({f"flow.{number}.name": name for number, name in enumerate(variants)})


def dumbbell() -> ac.Scenario:
    return named("reno", "vegas", rate="2Mbps", delay="10ms", queue=20, duration="20s")


def same(run: ac.Run, other: ac.Run) -> None:
    assert run.summary_json == other.summary_json
    for name in run.traces:
        assert run.trace(name).to_polars().equals(other.trace(name).to_polars()), name


@pytest.mark.parametrize("example", SCENARIOS, ids=lambda path: path.stem)
def test_stops_and_forks_change_nothing(example: Path) -> None:
    scenario = ac.load(example)
    whole = scenario.run(traces=TRACES)
    sim = scenario.start(traces=TRACES)
    draw = random.Random(example.stem)
    for _ in range(7):
        sim.advance(f"{draw.uniform(0, sim.end_s / 8):.6f}s")
        assert len(sim.flows) == len(whole.flows)
        assert len(sim.links) == len(whole.links)
    number = draw.randrange(len(sim.flows))
    sim.advance_until("loss", flow=number, timeout=f"{sim.end_s / 10:.6f}s")
    if any("quic" in flow for flow in scenario.describe()["flow"]):
        # The state of a QUIC stack cannot be copied: `fork` raises an error, and the run continues unaffected.
        with pytest.raises(ac.ScenarioError, match="has no fork"):
            sim.fork()
    else:
        copy = sim.fork()
        if not copy.ended:
            copy.advance(f"{copy.end_s / 20:.6f}s")
        same(copy.finish(), whole)
    same(sim.finish(), whole)


def test_it_stops_where_it_is_told_to() -> None:
    sim = dumbbell().start(seed=3)
    sim.advance("1.5s")
    assert sim.now_s == 1.5
    sim.advance_to("2s")
    assert sim.now_s == 2.0
    before = sim.flow("reno")
    assert sim.advance_until("ack", flow="reno", timeout="1s")
    assert before.acked_packets < sim.flow("reno").acked_packets <= before.acked_packets + 2
    began = sim.now_s
    assert sim.advance_until("round-trip", flow="reno")
    srtt = sim.flow("reno").srtt_s
    assert srtt is not None
    assert 0.5 * srtt < sim.now_s - began < 2.5 * srtt
    lost = sim.flow("reno").lost_packets
    assert sim.advance_until("loss", flow="reno")
    assert sim.flow("reno").lost_packets == lost + 1
    reactions = sim.flow("reno").fast_retransmits
    assert sim.advance_until("reaction", flow="reno", timeout="2s")
    assert sim.flow("reno").fast_retransmits == reactions + 1
    assert not sim.advance_until("loss", flow="vegas", timeout="1us")


def test_a_condition_is_asked_at_intervals() -> None:
    sim = dumbbell().start()
    assert sim.advance_until(lambda sim: sim.links["r0>r1"].queue_packets >= 10, every="2ms", timeout="10s")
    assert sim.links["r0>r1"].queue_packets >= 10
    assert abs(sim.now_s / 0.002 - round(sim.now_s / 0.002)) < 1e-6
    now = sim.now_s
    assert not sim.advance_until(lambda _: False, timeout="35ms", every="10ms")
    assert sim.now_s == pytest.approx(now + 0.035)


def test_the_counters_are_those_of_the_run() -> None:
    sim = dumbbell().start(traces=["cwnd"])
    sim.advance_to("20s")
    last, flow = sim.fork().finish(), sim.flow("reno")
    row = last.flow("reno")
    for ours, theirs in (
        ("sent_packets", "sent_packets"),
        ("acked_packets", "acked_packets"),
        ("retransmitted_packets", "retransmitted_packets"),
        ("delivered_bytes", "delivered_bytes"),
        ("timeouts", "timeouts"),
        ("fast_retransmits", "fast_retransmits"),
    ):
        assert getattr(flow, ours) == row[theirs], ours
    assert flow.lost_packets == sum(row["lost_packets"].values())
    windows = last.trace("cwnd", flows="reno").to_polars()
    assert flow.cwnd == windows.filter(windows["variable"] == "cwnd")["value"][-1]
    assert flow.rtt_sum_s / flow.rtt_samples == pytest.approx(row["sampled_rtt_mean_s"])


def test_a_window_that_is_held_stays() -> None:
    sim = named("cubic", rate="10Mbps", delay="20ms", queue=200, duration="30s").start()
    sim.advance("1s")
    sim.set_cwnd("cubic", 20, hold=True)
    sim.advance("1s")
    before = sim.flow("cubic")
    sim.advance("10s")
    after = sim.flow("cubic")
    assert after.cwnd == 20.0
    assert after.in_flight <= 20
    # If the window is below the bandwidth-delay product, the rate is one window per round trip.
    rate = (after.acked_packets - before.acked_packets) / 10
    assert rate == pytest.approx(20 / (after.srtt_s or 0), rel=0.03)
    sim.set_cwnd("cubic", None)
    sim.advance("5s")
    assert sim.flow("cubic").cwnd > 30
    run = sim.finish()
    assert run.manifest["steered"] == 2
    with pytest.raises(UserError, match="name it at the start"):
        run.trace("cwnd")


def test_a_rate_that_is_set_is_kept() -> None:
    sim = named("cubic", rate="10Mbps", delay="20ms", queue=200, duration="30s").start()
    sim.advance("1s")
    sim.set_pacing_rate("cubic", "2Mbps")
    sim.set_cwnd("cubic", 500, hold=True)
    sim.advance("2s")
    before = sim.flow("cubic").delivered_bytes
    sim.advance("10s")
    assert 8 * (sim.flow("cubic").delivered_bytes - before) / 10 == pytest.approx(2e6, rel=0.06)


def test_a_window_that_is_set_once_is_the_control_s_again() -> None:
    sim = named("reno", rate="10Mbps", delay="20ms", queue=100, duration="30s").start()
    sim.advance_until("reaction")
    sim.advance("2s")
    sim.set_cwnd("reno", 10)
    assert sim.flow("reno").cwnd == 10.0
    sim.advance("2s")
    assert sim.flow("reno").cwnd > 10.0


def test_a_link_s_rate_is_set() -> None:
    scenario = named("cubic", rate="10Mbps", delay="5ms", queue=50, duration="20s")
    sim = scenario.start(adjustable=["bottleneck"])
    sim.advance("5s")
    sim.set_link_rate("bottleneck", "1Mbps")
    sim.advance("5s")
    before = sim.flow("cubic").delivered_bytes
    sim.advance("10s")
    assert 8 * (sim.flow("cubic").delivered_bytes - before) / 10 == pytest.approx(1e6, rel=0.06)
    assert sim.link("bottleneck").rate_bps == pytest.approx(1e6)


def test_an_adjustable_link_carries_the_same_packets() -> None:
    scenario = dumbbell()
    plain = scenario.run(traces=["drops", "cwnd"])
    sim = scenario.start(traces=["drops", "cwnd"], adjustable=["bottleneck"])
    sim.advance("3s")
    run = sim.finish()
    assert run.flows.to_polars().equals(plain.flows.to_polars())
    assert run.trace("cwnd").to_polars().equals(plain.trace("cwnd").to_polars())


def test_two_futures_of_one_state() -> None:
    sim = dumbbell().start(traces=["cwnd"])
    sim.advance("5s")
    small, large = sim.fork(), sim.fork()
    small.set_cwnd("reno", 2, hold=True)
    large.set_cwnd("reno", 15, hold=True)
    for one in (small, large):
        one.advance("10s")
    assert sim.now_s == 5.0
    assert small.flow("vegas").acked_packets > large.flow("vegas").acked_packets
    same(sim.finish(), dumbbell().run(traces=["cwnd"]))


class Own(ac.Control):
    """NewReno with mutable state, which a shallow copy would share."""

    traced = ("acks",)

    def __init__(self) -> None:
        self.history = [0.0]
        self.acks = 0

    def on_ack(self, ack: ac.control.AckSample) -> None:
        self.acks += 1
        self.history.append(self.rng.uniform())
        self.pacing_rate = 400.0 + 100.0 * self.history[-1]
        self.grow(ack.count, 1.0)

    def on_congestion(self, loss: ac.control.LossSample) -> None:
        self.cut(loss, 0.5)


class Locked(Own):
    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


def test_controls_in_python_are_copied_whole() -> None:
    scenario = ac.dumbbell([Own, "reno"], rate="2Mbps", delay="10ms", queue=20, duration="10s")
    whole = scenario.run(traces=["cwnd", "control"])
    sim = scenario.start(traces=["cwnd", "control"])
    sim.advance("4s")
    copy = sim.fork()
    same(copy.finish(), whole)
    same(sim.finish(), whole)


def test_a_control_that_cannot_be_copied_says_so() -> None:
    sim = ac.dumbbell([Locked], rate="2Mbps", delay="10ms", queue=20, duration="10s").start()
    sim.advance("1s")
    with pytest.raises(ControlError, match="cannot pickle"):
        sim.fork()
    sim.advance("1s")
    assert sim.finish().flows["goodput_bps"][0] > 0


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (lambda sim: sim.advance(3), "a time has a unit"),
        (lambda sim: sim.advance("3"), "3"),
        (lambda sim: sim.advance("3Mbps"), "3Mbps"),
        (lambda sim: sim.advance_to("0.5s"), "cannot go back"),
        (lambda sim: sim.advance_to("50s"), "the run ends at 20 s"),
        (lambda sim: sim.flow("veags"), "did you mean vegas"),
        (lambda sim: sim.flow(7), "there is no flow 7"),
        (lambda sim: sim.link("botleneck"), "did you mean bottleneck"),
        (lambda sim: sim.set_cwnd("reno", 0), "1 to 1e9 segments"),
        (lambda sim: sim.set_cwnd("reno", float("nan")), "1 to 1e9 segments"),
        (lambda sim: sim.set_pacing_rate("reno", -4.0), "segments per second"),
        (lambda sim: sim.set_pacing_rate("reno", "4ms"), "4ms"),
        (lambda sim: sim.set_link_rate("bottleneck", "1Mbps"), "adjustable="),
        (lambda sim: sim.advance_until("los"), "did you mean loss"),
        (lambda sim: sim.advance_until(lambda _: True, every="0s"), "longer than 0 s"),
    ],
)
def test_mistakes_are_explained_and_do_no_harm(mistake, said) -> None:  # type: ignore[no-untyped-def]
    sim = dumbbell().start()
    sim.advance("1s")
    with pytest.raises((UserError, ac.ScenarioError)) as told:
        mistake(sim)
    assert said in str(told.value)
    assert sim.finish().summary_json == dumbbell().run().summary_json


def test_after_the_end() -> None:
    sim = dumbbell().start()
    sim.advance_to("20s")
    with pytest.raises(UserError, match="finish"):
        sim.advance("1s")
    sim.finish()
    with pytest.raises(UserError, match="over"):
        sim.advance("1s")
    with pytest.raises(RuntimeError, match="over"):
        sim.flow("reno")
    assert repr(sim) == "Simulation(over)"


def test_datagrams_have_no_window() -> None:
    network = ac.Network()
    network.link("a", "b", rate="1Mbps", delay="1ms")
    network.flow("a", "b", traffic={"kind": "cbr", "rate": "0.5Mbps", "packet": "500B"}, name="voice")
    sim = network.scenario("5s").start()
    with pytest.raises(UserError, match="does not run over TCP"):
        sim.set_cwnd("voice", 3)
    sim.advance("2s")
    assert sim.flow("voice").delivered_bytes > 0


def test_ctrl_c_stops_and_the_run_goes_on() -> None:
    scenario = ac.dumbbell(["reno", "cubic"], rate="1Gbps", delay="1ms", queue=1000, duration="1000s")
    sim = scenario.start()
    began: list[float] = []

    def interrupt() -> None:
        began.append(time.process_time())
        signal.raise_signal(signal.SIGINT)

    threading.Timer(0.5, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        sim.advance("1000s")
    assert time.process_time() - began[0] < 2.0
    now = sim.now_s
    assert 0 < now < 1000
    sim.advance("1ms")
    assert sim.now_s == pytest.approx(now + 1e-3)


def test_it_is_in_the_face() -> None:
    assert isinstance(dumbbell().start(), Simulation)
