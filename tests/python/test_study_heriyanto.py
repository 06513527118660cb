"""The study "heriyanto": its jobs, its comparisons with ns-3, and its report; a quick subset is simulated."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import polars as pl
import pytest
from tests.python import study_goldens

from ackclock import _core
from ackclock.report.model import Verdict
from ackclock.report.plots import on_canvas
from ackclock.studies.heriyanto import STUDY, published, settings
from ackclock.studies.heriyanto.experiments import (
    FIGURES,
    NETWORKS,
    READ,
    SCENARIOS,
    TRIED,
    jobs,
    leave,
    plan,
    recorded,
    scenario,
)
from ackclock.studies.heriyanto.results import Results, ns3, ns3_connected
from ackclock.studies.heriyanto.study import _beside
from ackclock.study import registry
from ackclock.study.agreement import DIFFERS
from ackclock.study.data import StudyData
from ackclock.study.runs import frame


@pytest.fixture(scope="module")
def few() -> StudyData:
    return STUDY.simulate(replace(plan(quick=True), nodes=(5,), replications=2))


def test_the_data_are_the_golden_ones(few):
    found = {"5 nodes, 2 replications": few}
    study_goldens.check(STUDY, found)


def test_the_data_are_stored_and_read_again(few, tmp_path):
    few.store(tmp_path)
    assert StudyData.load(tmp_path).digest() == few.digest()


@pytest.mark.parametrize("network", NETWORKS)
def test_every_scenario_is_one_that_runs(network):
    for one in SCENARIOS if network != "read" else ("s1",):
        made = scenario(f"{one}-{network}", 50, "newreno").document()
        assert len(made["wifi"][0]["stations"]) == 49
        _core.check(json.dumps(made), "json", [])


def test_both_variants_meet_the_same_networks_and_each_size_its_own():
    every = [job for job in jobs(plan()) if job.labels["experiment"] == "s1-near"]
    seeds = {(job.labels["nodes"], job.labels["variant"]): job.seed for job in reversed(every)}
    assert seeds[5, "newreno"] == seeds[5, "westwood+"] != seeds[10, "newreno"]
    first, second = every[:2]
    assert (first.jitter_s, second.jitter_s) == (0.0, settings.JITTER_S)
    assert '"westwood+"' not in first.document


def test_near_the_access_point_it_agrees_with_ns3(few):
    compared = {(c.experiment, c.variant): c for c in Results(few).comparisons()}
    for (name, _), c in compared.items():
        # In the interpretation found after the results, the delay differs; the report states the causes.
        if not name.endswith("loss") and name != "s1-read TCP delay":
            assert c.outcome != DIFFERS, c


def test_a_client_out_of_range_takes_no_part(few):
    s = Results(few)
    assert s.connected("s1-near", 5, 0) == [0, 1]
    flows = few.tables["flows"]
    away = flows[0].with_columns(throughput_mbps=0.01, delay_ms=None, jitter_ms=None)
    s = Results(
        replace(few, tables={**few.tables, "flows": pl.concat([away, flows[1:]], how="vertical_relaxed")})
    )
    assert s.connected("s1-near", 5, 0) == [1]
    assert len(s.values("delay", "s1-near", 5, "westwood+")) == 1


def made(lead: float) -> StudyData:
    """Return made-up data in which Westwood+ is `lead` percent higher in every measure."""
    rows = []
    for job in jobs(replace(plan(), replications=3)):
        own = 1 + (lead / 100 if job.labels["variant"] == "westwood+" else 0.0)
        spread = 1 + 0.001 * (job.seed % 3)
        rows += [
            {
                **job.labels,
                "seed": job.seed,
                "flow": flow,
                "throughput_mbps": 2 * own * spread,
                "payload_mbps": (1.8 if flow == 0 and job.labels["experiment"] == "s1-read" else 2)
                * own
                * spread,
                "loss_percent": 0.1 * own * spread,
                "delay_ms": 100 * own * spread,
                "jitter_ms": 2 * own * spread,
                "sent_packets": 1000,
                "lost_packets": 1,
                "lost_at_the_queue": 1,
                "lost_on_the_air": 0,
                "retransmitted_packets": 1,
                "timeouts": 0,
                "scenario_hash": "",
            }
            for flow in range(int(job.labels["experiment"][1]))
        ]
    figures = tuple(f for f in FIGURES if f != "time")
    return StudyData({"flows": frame(rows)}, quick=False, figures=figures, version="0.0.0")


def test_verdicts_follow_the_numbers():
    found = {c.key: [j.verdict for j in c.judgements if j] for c in STUDY.analyse(made(5)).claims.claims}
    assert found["s1-throughput"] == [Verdict.SUPPORTED] * 5
    assert found["s1-throughput-5"] == [Verdict.CONTRADICTED] * 5
    # Every measure is higher, so delay is higher as well. The difference in losses is below the margin.
    assert found["s1-delay"] == [Verdict.CONTRADICTED] * 5
    assert found["s1-jitter"] == [Verdict.SUPPORTED] * 5
    assert found["s2-delay"] == [Verdict.SUPPORTED] * 4, (
        "scenario 2 is not run in the reading found afterwards"
    )
    assert (found["s1-loss"], found["s2-udp-loss"]) == ([Verdict.EQUIVALENT] * 5, [Verdict.EQUIVALENT] * 4)
    # The made-up values are 1.89 and 2.1 Mb/s; published are 1.82447 and 1.9983.
    assert found["s1-throughput-number"] == [Verdict.SIMILAR] * 5
    assert found["s2-throughput-number"] == [Verdict.SIMILAR] * 4


def test_the_extracts_are_those_of_the_runs_near_the_access_point():
    near = [at for at in ns3() if at[0] != READ]
    assert {nodes for _, nodes, *_ in near} == {5, 10, 20}
    assert len(near) == 3 * 2 * (4 + 8)
    assert ns3_connected()["s2", 1] == (6, 8)


def test_the_study_writes_its_folder_at_once(tmp_path):
    out = tmp_path / "report"
    result = registry.get("heriyanto").run(quick=True, only="time", out=out)
    shown = ["placement-50-near", "placement-50-uniform", "s1-time", "s2-time"]
    assert [path.name for path in result.plots] == [
        f"{key}.{end}" for key in shown for end in ("svg", "png", "pdf")
    ]
    page = (out / "report.md").read_text(encoding="utf-8")
    assert "Figure 7: placement of 50 nodes" in page
    assert "Figure 8: throughput against time, scenario 1" in page
    assert json.loads((out / "manifest.json").read_text())["data_sha256"] == result.data_sha256
    assert {c.key for c in result.claims} == {"s1-newreno-end", "s1-westwood-end"}


def test_whole_runs_are_left_beside_the_data(tmp_path):
    small = replace(plan(quick=True), nodes=(5,))
    leave(small, tmp_path)
    left = {path.name for path in (tmp_path / "recordings").iterdir()}
    names = [f"{s}-near-5" for s in SCENARIOS]
    assert [name for name, *_ in recorded(small)] == names
    assert left == {f"{name}{end}" for name in names for end in (".html", "-newreno.xml", "-westwood+.xml")}
    tree = ElementTree.parse(tmp_path / "recordings" / "s2-near-5-newreno.xml")
    # The three flows are TCP data, TCP acknowledgments, and UDP from the server's subnet to the clients'.
    assert len(tree.findall("FlowStats/Flow")) == 3
    first = tree.find("Ipv4FlowClassifier/Flow")
    assert (first.get("sourceAddress"), first.get("destinationAddress")) == ("10.1.1.1", "192.168.0.2")


def test_the_full_form_leaves_both_scenarios_with_fewest_and_most_nodes():
    found = {name for name, *_ in recorded(plan())}
    assert found == {
        f"{s}-{n}-{size}" for s in SCENARIOS for n in ("near", "mesh-uniform") for size in (5, 50)
    }


def test_other_settings_are_run_with_the_fewest_nodes():
    tried = {(job.labels["experiment"], job.labels["nodes"]) for job in jobs(plan())}
    assert {at for at in tried if at[0].partition("-")[2] in TRIED} == {
        *((f"s2-{network}", 5) for network in TRIED),
        *((f"s1-near-queue-{packets}", 5) for packets in settings.QUEUES_TRIED),
    }
    slow = scenario("s2-near-udp-1", 5, "newreno").document()
    assert slow["flow"][1]["traffic"]["rate"] == "1Mbps"
    deep = scenario("s1-near-queue-200", 5, "newreno").document()
    assert deep["link"][0]["queue"]["packets"] == 201


def samples(lost: dict[str, int], rates: dict[str, float]) -> StudyData:
    """Return data in which flows lose `lost` packets in the last 10 s, with `rates` times the earlier throughput."""
    data = made(0)
    rows = [
        {
            "experiment": f"{one}-{network}",
            "variant": variant,
            "seed": seed,
            "flow": 0,
            "time_s": float(second),
            "received_mbps": rates[variant] if second > 50 else 1.0,
            "lost_packets": lost[variant] if second == 55 else 9 * (second == 20),
        }
        for one in SCENARIOS
        for network in NETWORKS
        for variant in settings.VARIANTS
        for seed in range(3)
        for second in range(2, 61)
    ]
    return replace(data, tables={**data.tables, "samples": frame(rows)}, figures=FIGURES)


def test_the_end_is_judged_by_losses_and_by_both_sides_of_the_mean():
    def found(lost, rates):
        claims = STUDY.analyse(samples(lost, rates)).claims.claims
        return {c.key: c.judgements[0].verdict for c in claims if c.judgements[0]}

    same = {"newreno": 1.0, "westwood+": 1.0}
    assert found({"newreno": 4, "westwood+": 0}, same)["s1-newreno-end"] is Verdict.SUPPORTED
    assert found({"newreno": 0, "westwood+": 0}, same)["s1-newreno-end"] is Verdict.CONTRADICTED
    # Throughput falls at the end, although no packet is lost.
    slow = {"newreno": 0.5, "westwood+": 1.2}
    away = found({"newreno": 0, "westwood+": 0}, slow)
    assert away["s1-newreno-end"] is away["s1-westwood-end"] is Verdict.CONTRADICTED
    assert found({"newreno": 0, "westwood+": 3}, same)["s1-westwood-end"] is Verdict.SUPPORTED


def test_a_subset_leaves_no_runs(tmp_path):
    leave(plan(quick=True, only="time"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_published_digits_are_whole_numbers_of_small_segments():
    assert [round(published.segments(mbps), 1) for mbps in (1.82447, 1.82426)] == [25529.0, 25526.0]
    assert published.lost() == (10, 25541)
    assert f"{1000 / 25541:.7f}" == "0.0391527", "10 of 25 541 packets, in percent"
    # Table 3's throughput is no whole number of packets, though its digits would show one to within 0.04 packets.
    packets = 1.82447 * 60e6 / 8 / 1024
    assert abs(packets - round(packets)) > 0.04


def test_the_reading_found_afterwards_is_of_scenario_1_and_differs_as_it_says():
    assert {
        job.labels["experiment"] for job in jobs(plan()) if job.labels["experiment"].endswith("read")
    } == {READ}
    stated, found = (scenario(f"s1-{network}", 5, "newreno").document() for network in ("near", "read"))
    assert (stated["link"][0]["rate"], found["link"][0]["rate"]) == ("5Mbps", "2Mbps")
    assert (found["link"][0]["delay"], found["flow"][0]["tcp"]["segment"]) == ("0.01ms", "536B")
    assert found["flow"][0]["tcp"]["timestamps"] is False
    assert (found["node"], found["wifi"]) == (stated["node"], stated["wifi"])


def test_the_reading_found_afterwards_has_the_published_loss_and_throughput(few):
    s = Results(few)
    once = {measure: s.runs.of(column, READ, 5, "westwood+", 0)[0] for measure, column in MEASURED.items()}
    assert once["payload"] == pytest.approx(1.82447, rel=1e-3)
    assert once["loss"] == pytest.approx(0.0391527, rel=1e-3)
    assert s.runs.of("jitter_ms", READ, 5, "newreno", 0)[0] == pytest.approx(2.310563, rel=1e-3)
    assert s.runs.of("lost_packets", READ, 5, "newreno", 0)[0] == 14, "as in ns-3"


MEASURED = {"payload": "payload_mbps", "loss": "loss_percent"}


def test_the_report_says_what_is_not_reproduced_and_what_was_found_afterwards(few):
    said = " ".join(STUDY.analyse(few).report.sections[0].blocks[0].paragraphs)
    assert "The published 1.82447 Mb/s are 2.7 times less." in said
    assert "It explains the numbers and confirms nothing." in said
    sections = {section.title: section for section in STUDY.analyse(few).report.sections}
    cells = [
        " ".join(row) for row in sections["What contradicts itself in the published text"].blocks[0].rows
    ]
    assert any("9.5 % more" in cell for cell in cells)
    assert any(cell.startswith("abstract:") for cell in cells)


@pytest.mark.parametrize(
    ("gaps", "said"),
    [
        ([-2.4, -2.31], "has 2.3 to 2.4 % less throughput than NewReno, whatever the number of nodes."),
        ([2.0, 2.0], "has 2.0 % more throughput than NewReno, whatever the number of nodes."),
        (
            [-1.0, 0.5],
            "has between 1.0 % less and 0.5 % more throughput than NewReno, by the number of nodes.",
        ),
    ],
)
def test_a_difference_is_said_with_its_side(gaps, said):
    assert _beside(gaps) == f"Beside a UDP flow Westwood+ {said}"


def test_placements_are_to_scale_and_curves_that_coincide_have_their_difference(few):
    drawn = {figure.key: figure for figure in STUDY.analyse(few).report.figures()}
    places = [drawn[f"placement-5-{network}"] for network in ("near", "uniform")]
    assert [on_canvas(figure).axes[0].get_aspect() for figure in places] == [1.0, 1.0]
    low, high = places[0].x_range
    assert high - low < 15, "a grid 10 m wide is not drawn as a wall in 100 m"
    last = drawn["s1-throughput"].panels[-1]
    assert (last.zero, [series.label for series in last.series]) == (
        True,
        [NETWORKS["near"], NETWORKS["uniform"]],
    )
    assert abs(last.series[0].y[0]) < 0.1
