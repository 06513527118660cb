"""The study "maulana" with the simulator running: a quick subset, and its agreement with ns-2."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from ackclock.studies import registry
from ackclock.studies.agreement import DIFFERS
from ackclock.studies.maulana import peer, settings, tables
from ackclock.studies.maulana.cases import SHARED2, WIFI
from ackclock.studies.maulana.data import Data, simulate
from ackclock.studies.maulana.experiments import Plan, plan
from ackclock.studies.maulana.samples import Samples, delay_ms, throughput_kbps
from ackclock.studies.storage import digest
from ackclock.sweep.statistics import mean

GOLDEN = Path(__file__).parent / "golden" / "study_maulana.json"
"""SHA-256 of the data of `ackclock study maulana --quick --only FIGURE` with one jittered replication, by figure.

Any change of what the simulator does in these runs changes them. After one that is meant: UPDATE_GOLDEN=1 pytest.
"""


def once(figure: str) -> Plan:
    """The quick form with one jittered replication, and one packet size."""
    chosen = plan(quick=True, only=figure)
    return replace(chosen, replications=1, heavy_replications=1, sizes_replications=1, sizes=(512,))


@pytest.fixture(scope="module")
def drawn() -> Data:
    return simulate(once("fig3"))


def test_the_data_are_the_golden_ones(drawn):
    found = {"fig3": drawn.digest(), "fig5": simulate(once("fig5")).digest()}
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_the_data_do_not_depend_on_the_number_of_threads(drawn):
    chosen = once("fig3")
    few = tuple(case for case in chosen.cases if case.reading in (SHARED2, WIFI))
    keys = {case.key for case in few}
    found = simulate(replace(chosen, cases=few), threads=1)
    # Of a delay that is no number two are not equal: rows are compared by their hash.
    assert digest(found.flows) == digest(row for row in drawn.flows if row.case in keys)
    assert digest(found.samples) == digest(row for row in drawn.samples if row.case in keys)


def test_what_is_drawn_adds_up_to_the_runs(drawn):
    s = Samples(drawn)
    for case in s.cases():
        for length in settings.LENGTHS_S:
            rows = [
                row
                for row in drawn.flows
                if (row.case, row.length_s, row.variant, row.jittered) == (case, length, "cubic", False)
            ]
            assert sum(s.histogram(case, length, "cubic").values()) == sum(
                row.received_packets for row in rows
            )
            sent = sum(
                row.sent_bps * settings.BIN_S / 8 / settings.SEGMENT_B
                for row in drawn.samples
                if (row.case, row.length_s, row.variant, row.jittered) == (case, length, "cubic", False)
            )
            # A SYN carries no payload.
            assert sent == pytest.approx(sum(row.sent_packets for row in rows) - 2)


def test_the_wired_readings_are_ns2s():
    chosen = plan(quick=True, only="averages")
    wired = tuple(case for case in chosen.cases if not case.radio)
    compared = tables.comparisons(Samples(simulate(replace(chosen, cases=wired, replications=0))))
    assert len(compared) == 108
    for one in compared:
        # Delays are evaluated otherwise where segments are sent again: see `peer.CAUSES`.
        assert "delay" in one.experiment or abs(one.difference) <= 0.003, one
    assert sum(one.outcome == DIFFERS for one in compared) <= 1


def test_the_six_nodes_have_the_throughput_that_ns2_has(drawn):
    s = Samples(drawn)
    for variant in ("newreno", "vegas"):
        ours = mean(s.values(throughput_kbps, "wifi-w20-q50", 60, variant))
        theirs = peer.points()["wifi-w20-q50", 60, variant, "goodput_kbps"].mean
        assert ours == pytest.approx(theirs, rel=0.15), variant
    delays = [mean(s.values(delay_ms, "wifi-w20-q50", 60, variant)) for variant in ("newreno", "vegas")]
    assert delays[0] > 1.5 * delays[1]


def test_a_short_rlc_buffer_starves_newreno_and_a_long_one_delays_it(drawn):
    s = Samples(drawn)
    short, long = "lte-10MHz-10240B", "lte-10MHz-1000000B"
    rate = {case: mean(s.values(throughput_kbps, case, 60, "newreno")) for case in (short, long)}
    assert rate[short] < rate[long] / 5
    delay = {case: mean(s.values(delay_ms, case, 60, "newreno")) for case in (short, long)}
    assert delay[long] > 2 * delay[short]
    assert mean(s.values(delay_ms, long, 60, "vegas")) < 1.5 * delay[short]


def test_lte_is_ns3s():
    chosen = plan(only="averages")
    s = Samples(simulate(replace(chosen, cases=())))
    compared = [one for one in tables.ns3_comparisons(s) if "goodput" in one.experiment]
    assert len(compared) == 24
    for one in compared:
        ours = [
            row.goodput_bps / 1e3
            for row in s.data.ns3
            if (peer.lte_key(row.buffer_b, row.enbs, "goodput_kbps"), row.blocks, row.variant)
            == (one.experiment, one.x, one.variant)
        ]
        # Vegas with a large buffer depends on the phases of its flows, here and there: the ranges meet.
        others = peer.lte_starts().get((int(one.x), int(one.experiment.split()[2])), ())
        if one.variant == "vegas" and "1000000" in one.experiment and others:
            theirs = (*others, one.theirs.mean)
            assert min(ours) < max(theirs), one
            assert max(ours) > min(theirs), one
        else:
            assert abs(one.difference) <= settings.AGREE_RADIO, one


def test_the_study_writes_its_folder_at_once(tmp_path):
    out = tmp_path / "report"
    result = registry.get("maulana").run(quick=True, only="fig6", out=out)
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["data_sha256"] == result.data_sha256 == Data.load(out / "data").digest()
    assert (out / "plots" / "fig5.svg").exists()
