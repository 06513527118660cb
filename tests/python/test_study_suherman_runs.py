"""The study "suherman" is simulated: a quick subset, and its agreement with ns-2."""

from __future__ import annotations

import json
from dataclasses import replace

import polars as pl
import pytest
from tests.python import study_goldens

from ackclock.stats import mean
from ackclock.studies.suherman import STUDY, settings
from ackclock.studies.suherman.experiments import Sweep, Sweeps, plan
from ackclock.studies.suherman.results import Results, ns2, ns2_effect, peer
from ackclock.studies.suherman.setups import BY_KEY
from ackclock.study import registry
from ackclock.study.data import StudyData


def only(setup: str, nodes: tuple[int, ...], ks: tuple[float, ...], runs: int) -> Results:
    sweep = Sweep(BY_KEY[setup], ks, nodes, runs)
    return Results(STUDY.simulate(Sweeps(quick=True, figures=(setup,), sweeps=(sweep,))))


@pytest.fixture(scope="module")
def rate2() -> StudyData:
    return STUDY.simulate(plan(quick=True, only="rate2"))


def test_the_data_are_the_golden_ones(rate2):
    found = {"rate2": rate2}
    study_goldens.check(STUDY, found)


def test_the_data_do_not_depend_on_the_number_of_threads(rate2):
    chosen = plan(quick=True, only="rate2")
    few = replace(chosen, sweeps=tuple(replace(sweep, nodes=(2, 10)) for sweep in chosen.sweeps))
    same = rate2.tables["runs"].filter(pl.col("nodes") != 20)
    assert STUDY.simulate(few, threads=1).tables["runs"].equals(same)


def test_a_pair_alone_delivers_all_that_it_writes():
    """In a square of 400 m all stations are in range, and two flows of 300 kb/s are a low load."""
    s = only("area400", (2,), (0.5,), 2)
    at = ("area400", 2, 0.5)
    written = [pytest.approx(2 * 88.75 * 300e3 / 8 / settings.SEGMENT_B, abs=40)] * 2
    assert s.runs.of("writes", *at) == written
    for delivered, writes in zip(s.runs.of("delivered_writes", *at), s.runs.of("writes", *at), strict=True):
        assert delivered >= writes - 4
    for column in ("timeouts", "fast_retransmits", "silent_flows"):
        assert s.runs.of(column, *at) == [0, 0]


def test_k_changes_nothing_where_nothing_is_lost():
    s = only("area400", (6,), (0.1, 0.9), 2)
    assert s.values("delay_ms", "area400", 6, 0.1) == s.values("delay_ms", "area400", 6, 0.9)


def test_all_stations_of_the_main_runs_hear_each_other():
    """With ns-2's ACK timeouts some pairs deliver nothing; in the main runs every pair delivers all of its data."""
    s, near = only("rate11", (6,), (0.5,), 4), only("rate11-ns2", (6,), (0.5,), 4)
    assert mean(near.values("silent_percent", "rate11-ns2", 6, 0.5)) > 0
    assert mean(s.values("silent_percent", "rate11", 6, 0.5)) == 0
    assert mean(s.values("loss_percent", "rate11", 6, 0.5)) == 0


def test_a_video_that_gets_through_is_decodable_and_one_that_does_not_is_late():
    s = Results(
        STUDY.simulate(Sweeps(True, ("video",), (Sweep(BY_KEY["rate11-video"], (0.5,), (2, 20), 2),)))
    )
    assert s.video.mean("decodable_percent", "rate11-video", 2, 0.5) > 95
    assert s.video.mean("decodable_percent", "rate11-video", 20, 0.5) < 20
    assert s.video.mean("psnr_db", "rate11-video", 2, 0.5) > s.video.mean("psnr_db", "rate11-video", 20, 0.5)


def test_delays_in_reach_are_ns2s():
    s = only("area400", (10, 20), (0.5,), 3)
    for nodes in (10, 20):
        theirs = ns2()["area400", nodes, 0.5, "delay_ms"].mean
        assert mean(s.values("delay_ms", "area400", nodes, 0.5)) == pytest.approx(
            theirs, rel=settings.AGREE_WITHIN
        )
        assert mean(s.values("loss_percent", "area400", nodes, 0.5)) == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [14, 20])
@pytest.mark.parametrize("setup", ["rate11-ns2", "area400"])
def test_a_loaded_channel_has_ns2s_delay_and_sign(setup, nodes):
    s = only(setup, (nodes,), (0.1, 0.5, 0.9), 20)
    for factor in s.ks(setup):
        theirs = peer(setup, nodes, factor, "delay_ms").mean
        ours = mean(s.values("delay_ms", setup, nodes, factor))
        assert ours == pytest.approx(theirs, rel=settings.AGREE_WITHIN), factor
    change = s.effect("delay_ms", setup, nodes)
    assert change.mean * ns2_effect(setup, nodes, "delay_ms") > 0


def test_the_study_writes_its_folder_at_once(tmp_path):
    out = tmp_path / "report"
    result = registry.get("suherman").run(quick=True, only="fig5", out=out)
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["data_sha256"] == result.data_sha256 == StudyData.load(out / "data").digest()
    assert (out / "plots" / "fig5.svg").exists()


def test_a_run_without_a_cut_is_that_of_every_k():
    """A run without a window reduction is simulated once for all k: data and hashes are as if each k were simulated."""
    sweeps = tuple(
        Sweep(BY_KEY[setup], (0.1, 0.5, 0.9), (2, 8, 10), 2) for setup in ("rate54", "rate11", "rate11-every")
    )
    chosen = Sweeps(quick=True, figures=("rate54", "rate11"), sweeps=sweeps)
    told: list[tuple[int, int]] = []
    once = STUDY.simulate(chosen, progress=lambda done, total: told.append((done, total)))
    each = replace(STUDY, unasked=lambda *_: False).simulate(chosen)
    assert once.digest() == each.digest()
    cut = once.tables["runs"].select("fast_retransmits", "timeouts").sum_horizontal() > 0
    assert 0 < cut.sum() < len(cut) == 54
    assert told[0] == (0, 54)
    # A run that serves for both kinds of network counts once.
    assert told[-1] == (54 - shared(once), 54 - shared(once))


def shared(data: StudyData) -> int:
    """Return the number of runs with k = 0.5 that serve for both kinds of network but are simulated for each k."""
    return len(data.tables["runs"].filter(pl.col("fast_retransmits") > 0, setup="rate11", k=0.1))
