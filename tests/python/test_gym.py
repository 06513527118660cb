"""Environments of learning agents: Gymnasium's and PettingZoo's own checks, seeds, and correct observations."""

from __future__ import annotations

import dataclasses
import warnings
from pathlib import Path

import numpy as np
import pytest

import ackclock as ac
from ackclock.errors import UserError

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install 'ackclock[gym]'")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'ackclock[gym]'")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import SyncVectorEnv  # noqa: E402
from pettingzoo.test import parallel_api_test, parallel_seed_test  # noqa: E402

import ackclock.gym as agents  # noqa: E402
from ackclock.gym import Interval  # noqa: E402

STILL = np.zeros(1, np.float32)


def rollout(env: gymnasium.Env, seed: int, steps: int = 60) -> list[tuple[list[float], float, bool, bool]]:
    seen, _ = env.reset(seed=seed)
    draw = np.random.default_rng(seed)
    found = [(seen.tolist(), 0.0, False, False)]
    for _ in range(steps):
        action = draw.uniform(env.action_space.low, env.action_space.high).astype(np.float32) / 4
        seen, reward, terminated, truncated, _ = env.step(action)
        found.append((seen.tolist(), float(reward), terminated, truncated))
        if terminated or truncated:
            break
    return found


@pytest.mark.parametrize("preset", ["plain", "aurora", "orca"])
@pytest.mark.parametrize("step", ["round-trip", "10ms"])
def test_gymnasium_s_own_check_passes(preset: str, step: str) -> None:
    action = {"plain": "window", "aurora": "rate", "orca": "orca"}[preset]
    env = gymnasium.make(agents.ID, observation=preset, reward=preset, action=action, step=step, steps=40)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("preset", ["plain", "aurora", "orca"])
def test_seeds_reproduce(preset: str) -> None:
    env = agents.CongestionControlEnv(agents.Domain(loss=(0.0, 0.01)), observation=preset, reward=preset)
    first = rollout(env, 7)
    assert rollout(env, 7) == first
    assert (
        rollout(
            agents.CongestionControlEnv(agents.Domain(loss=(0.0, 0.01)), observation=preset, reward=preset), 7
        )
        == first
    )
    assert rollout(env, 8) != first
    assert len(first) > 30


def test_it_is_truncated_and_terminated_right() -> None:
    env = agents.CongestionControlEnv(steps=12)
    assert [step[2:] for step in rollout(env, 1)][1:] == [(False, False)] * 11 + [(False, True)]
    short = ac.dumbbell(["cubic"], rate="10Mbps", delay="20ms", queue=34, duration="2s")
    last = rollout(agents.CongestionControlEnv(short), 1)[-1]
    assert last[2:] == (False, True)
    transfer = short.with_({"flow.0.traffic": {"kind": "ftp", "size": "200kB"}, "duration": "60s"})
    env = agents.CongestionControlEnv(transfer)
    assert rollout(env, 1, 1000)[-1][2:] == (True, False)
    assert env.sim.finish().flow(0)["fct_s"] < 60


def test_what_is_seen_is_what_happened() -> None:
    env = agents.CongestionControlEnv()
    env.reset(seed=1)
    for action in (1.0, 0.5, 0.0, 0.0, 0.0):
        seen, reward, _, _, info = env.step(np.array([action], np.float32))
    interval = info["interval"]
    assert isinstance(interval, Interval)
    assert interval.cwnd == pytest.approx(11 * 2**1.5)
    assert seen[0] == pytest.approx(np.log2(interval.cwnd))
    # No packet is queued if the window is below the bandwidth-delay product, so throughput is window / RTT.
    assert interval.throughput_pps == pytest.approx(interval.cwnd / interval.rtt_mean_s, rel=0.1)
    assert interval.rtt_mean_s == pytest.approx(0.0424, rel=0.1)
    assert reward == pytest.approx(
        interval.goodput_bps / 1e7 - 0.5 * (interval.rtt_mean_s / interval.rtt_min_s - 1)
    )
    aurora = agents.REWARDS["aurora"].value(interval)
    assert aurora == pytest.approx(10 * interval.throughput_pps - 1000 * interval.rtt_mean_s)
    worse = dataclasses.replace(interval, lost_packets=interval.sent_packets)
    for reward_of in agents.REWARDS.values():
        assert reward_of.value(worse) < reward_of.value(interval)


def test_a_rate_is_an_agent_s_as_well() -> None:
    env = agents.CongestionControlEnv(action="rate", observation="aurora", reward="aurora", step="50ms")
    env.reset(seed=1)
    env.step(STILL)
    before = env.sim.flow(0).pacing_rate
    assert before is not None
    env.step(np.array([1.0], np.float32))
    assert env.sim.flow(0).pacing_rate == pytest.approx(1.25 * before)
    env.step(np.array([-1.0], np.float32))
    assert env.sim.flow(0).pacing_rate == pytest.approx(before)


def test_threads_change_nothing() -> None:
    def make() -> gymnasium.Env:
        return agents.CongestionControlEnv(agents.Domain(), steps=15)

    actions = np.random.default_rng(1).uniform(-1, 1, (40, 4, 1)).astype(np.float32)
    found = []
    for vector in (SyncVectorEnv([make] * 4), agents.ThreadVectorEnv([make] * 4, threads=3)):
        seen, _ = vector.reset(seed=5)
        trail = [seen.copy()]
        for action in actions:
            seen, rewards, terminated, truncated, _ = vector.step(action)
            trail += [seen.copy(), rewards.copy(), terminated.copy(), truncated.copy()]
        vector.close()
        found.append(trail)
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)


def test_several_agents_share_a_bottleneck() -> None:
    env = agents.ParallelCongestionControl(flows=("left", "right"), steps=50)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PettingZoo warns of unusual environments, but only errors matter
        parallel_api_test(env, num_cycles=120)
    parallel_seed_test(lambda: agents.ParallelCongestionControl(steps=50))
    env.reset(seed=1)
    for turn in range(30):
        action = {"left": np.array([1.0 if turn < 2 else 0.0], np.float32), "right": STILL}
        seen, rewards, terminated, truncated, _ = env.step(action)
    assert set(seen) == set(rewards) == set(terminated) == set(truncated) == {"left", "right"}
    assert env.sim.flow("left").delivered_bytes > 1.5 * env.sim.flow("right").delivered_bytes


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"observation": "arora"}, "did you mean aurora"),
        ({"reward": "oca"}, "did you mean orca"),
        ({"action": "windw"}, "did you mean window"),
        ({"steps": 0}, "one or more"),
        ({"steps": 2.5}, "one or more"),
        ({"step": "0s"}, "a step takes time"),
        ({"step": "-1ms"}, "step: "),
        ({"step": "10"}, "step: "),
        ({"step": 0.01}, "step: "),
    ],
)
def test_mistakes_are_explained(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(UserError, match=said):
        agents.CongestionControlEnv(**wrong)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="call reset"):
        agents.CongestionControlEnv().step(STILL)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (np.zeros(2, np.float32), r"shape \(2,\)"),
        (np.zeros((1, 1), np.float32), r"shape \(1, 1\)"),
        (0.0, r"shape \(\)"),
        ([], r"shape \(0,\)"),
        (None, "shape|not an array"),
        ("up", "not an array of numbers"),
        (np.array([1.5]), "out of bounds\n  given:   1.5\n  allowed: .*-1 to 1"),
        (np.array([np.nan]), "out of bounds"),
        (np.array([-np.inf]), "out of bounds"),
    ],
)
def test_actions_have_a_shape_and_bounds(action: object, said: str) -> None:
    env = agents.CongestionControlEnv(steps=3)
    env.reset(seed=1)
    with pytest.raises(UserError, match=said):
        env.step(action)  # type: ignore[arg-type]
    several = agents.ParallelCongestionControl(steps=3)
    several.reset(seed=1)
    before = [several.sim.flow(name).cwnd for name in several.agents]
    with pytest.raises(UserError, match=said):
        several.step({"agent0": STILL + 1, "agent1": action})  # type: ignore[dict-item]
    assert [several.sim.flow(name).cwnd for name in several.agents] == before


def test_an_episode_that_is_over_takes_no_step() -> None:
    env = agents.CongestionControlEnv(steps=2)
    env.reset(seed=1)
    assert [env.step(STILL)[3] for _ in range(2)] == [False, True]
    now_s = env.sim.now_s
    with pytest.raises(UserError, match=r"over: call reset\(\)"):
        env.step(STILL)
    assert env.sim.now_s == now_s
    env.reset(seed=1)
    env.step(STILL)
    several = agents.ParallelCongestionControl(steps=1)
    with pytest.raises(UserError, match=r"call reset\(\)"):
        several.step({})
    several.reset(seed=1)
    with pytest.raises(UserError, match="no action 'agent1'"):
        several.step({"agent0": STILL})
    with pytest.raises(UserError, match="no agent 'agent2'"):
        several.step({"agent0": STILL, "agent1": STILL, "agent2": STILL})
    several.step({"agent0": STILL, "agent1": STILL})
    with pytest.raises(UserError, match=r"over: call reset\(\)"):
        several.step({"agent0": STILL, "agent1": STILL})
    with pytest.raises(UserError, match="step: "):
        agents.ParallelCongestionControl(step="round-trip")


LEARNED = '''
from ackclock.gym import PolicyControl

WEIGHTS = {weights}


class Learned(PolicyControl):
    """A linear policy found by CMA-ES."""

    def act(self, observation):
        return sum(weight * number for weight, number in zip(WEIGHTS, [*observation, 1.0]))
'''


def played(env: gymnasium.Env, weights: np.ndarray, seeds: range) -> float:
    """Return the mean reward per step of a linear policy."""
    total, steps = 0.0, 0
    for seed in seeds:
        seen, _ = env.reset(seed=seed)
        over = False
        while not over:
            action = np.clip(weights @ np.append(seen, 1.0), -1.0, 1.0).astype(np.float32).reshape(1)
            seen, reward, terminated, truncated, _ = env.step(action)
            over = terminated or truncated
            total, steps = total + float(reward), steps + 1
    return total / steps


@pytest.mark.slow
def test_a_small_policy_learns_and_is_a_variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CMA-ES (package cmaes, which needs only numpy) improves a linear policy that starts with weights of 0."""
    cmaes = pytest.importorskip("cmaes", reason="cmaes is not installed")
    env = agents.CongestionControlEnv(agents.Domain(duration="20s"), steps=120)
    search = cmaes.CMA(mean=np.zeros(5), sigma=0.3, seed=1, population_size=12)
    for generation in range(15):
        asked = [search.ask() for _ in range(search.population_size)]
        seeds = range(100 + 6 * generation, 106 + 6 * generation)
        search.tell([(weights, -played(env, weights, seeds)) for weights in asked])
    unseen = range(10_000, 10_020)
    began, learned = played(env, np.zeros(5), unseen), played(env, search.mean, unseen)
    assert learned > began + 0.2, (began, learned)
    (tmp_path / "learned.py").write_text(LEARNED.format(weights=[round(float(w), 6) for w in search.mean]))
    monkeypatch.chdir(tmp_path)
    found = ac.compare("./learned.py:Learned", "reno", rate="10Mbps", delay="20ms", reps=3, duration="20s")
    assert "Learned" in str(found)


def test_a_policy_is_a_variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand-written policy fills the path both in the environment and as a variant of a scenario."""
    # The policy grows the window while the queue is short, since action = 0.4 - 2 x (RTT ratio - 1).
    (tmp_path / "learned.py").write_text(LEARNED.format(weights=[0.0, -2.0, 0.0, -0.5, 0.4]))
    monkeypatch.chdir(tmp_path)
    run = ac.dumbbell(["./learned.py:Learned"], rate="10Mbps", delay="20ms", queue=34).run(
        "20s", traces=["control"]
    )
    assert run.flow(0)["goodput_bps"] > 8.5e6
    env = agents.CongestionControlEnv(steps=300)
    env.reset(seed=1)
    seen, over = env.step(STILL)[0], False
    while not over:
        action = np.array([0.4 - 2.0 * seen[1] - 0.5 * seen[3]], np.float32).clip(-1, 1)
        seen, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    last = run.trace("control").to_polars()
    assert abs(float(last["value"][-1])) <= 1.0
    assert info["interval"].goodput_bps > 8.5e6
