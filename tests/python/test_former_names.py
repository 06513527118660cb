"""Former names of settings and columns still work, with a warning."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ackclock as ac
from ackclock import _core
from ackclock.cli.main import main
from ackclock.comparisons.variants import Variant
from ackclock.runs.columns import upgraded

TEXT = """
duration = "2s"

[[link]]
name = "bottleneck"
between = ["a", "b"]
rate = "1Mbps"
delay = "20ms"
queue = 5

[[flow]]
from = "a"
to = "b"
tcp = { variant = "newreno", profile = "ns2", KEY = false }
"""


def test_a_file_with_a_former_name_means_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = {}
    for key in ("timing_of_resent", "time_retransmissions"):
        file = tmp_path / f"{key}.toml"
        file.write_text(TEXT.replace("KEY", key), encoding="utf-8")
        assert main(["run", str(file), "--json", str(tmp_path / f"{key}.json")]) == 0
        said = " ".join(capsys.readouterr().err.split())
        warned = "warning: setting flow.0.tcp.timing_of_resent is called time_retransmissions now" in said
        assert warned == (key == "timing_of_resent")
        found[key] = json.loads((tmp_path / f"{key}.json").read_text(encoding="utf-8"))
    assert found["timing_of_resent"] == found["time_retransmissions"]


def test_a_file_with_a_former_variant_means_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {}
    for variant in ("linux-cubic", "tcp-linux-cubic"):
        text = TEXT.replace("newreno", variant).replace(", KEY = false", "")
        file = tmp_path / f"{variant}.toml"
        file.write_text(text, encoding="utf-8")
        assert main(["run", str(file), "--json", str(tmp_path / f"{variant}.json")]) == 0
        said = " ".join(capsys.readouterr().err.split())
        assert ('"linux-cubic" is called "tcp-linux-cubic" now' in said) == (variant == "linux-cubic")
        found[variant] = json.loads((tmp_path / f"{variant}.json").read_text(encoding="utf-8"))
    assert found["linux-cubic"] == found["tcp-linux-cubic"]
    assert found["linux-cubic"]["flows"][0]["variant"] == "tcp-linux-cubic"


def test_a_former_variant_is_compared_under_its_present_name() -> None:
    with pytest.warns(FutureWarning, match="variant linux-veno is called tcp-linux-veno now") as warned:
        variant = Variant.parse("linux-veno:min_rto=1s")
    assert (variant.name, variant.tcp, len(warned)) == ("tcp-linux-veno", {"min_rto": "1s"}, 1)


def test_settings_by_path_and_in_python() -> None:
    now = ac.Scenario(json.loads(_core.check(TEXT.replace("KEY", "time_retransmissions"), "toml", [])))
    with pytest.warns(FutureWarning, match="is called time_retransmissions now"):
        set_ = now.set("flow.0.tcp.timing_of_resent", True)
    assert set_.document()["flow"][0]["tcp"]["time_retransmissions"] is True
    document = now.document()
    tcp = document["flow"][0]["tcp"]
    tcp["timing_of_resent"] = tcp.pop("time_retransmissions")
    with pytest.warns(FutureWarning, match=r"setting flow\.0\.tcp\.timing_of_resent is called"):
        assert ac.Scenario(document).run().summary == now.run().summary


def test_both_names_are_one_too_many() -> None:
    text = TEXT.replace("KEY = false", "time_retransmissions = true, timing_of_resent = true")
    with pytest.raises(
        ac.ScenarioError, match="`timing_of_resent` is called `time_retransmissions` now"
    ) as told:
        _core.check(text, "toml", [])
    assert "flow.0.tcp.timing_of_resent" in str(told.value)


def test_former_columns_are_found_in_tables() -> None:
    run = ac.Scenario(json.loads(_core.check(TEXT.replace("KEY", "time_retransmissions"), "toml", []))).run(
        traces=["throughput"]
    )
    for table, was, now in (
        (run.loss_reactions, "taken_for", "inferred_cause"),
        (run.loss_reactions, "truth", "actual_cause"),
        (run.trace("throughput"), "lost_packets", "lost_packets_total"),
    ):
        with pytest.warns(DeprecationWarning, match=f"column {was} is called {now}"):
            assert table[was].to_list() == table[now].to_list()


def test_stored_summaries_get_the_names_of_today() -> None:
    stored = {
        "flows": [
            {
                "lost_packets": {"queue": 1},
                "loss_reactions": [{"truth": "random", "taken_for": "congestion", "count": 2}],
                "video": [{"frames_of": "all", "lost_packets": 3}],
            }
        ],
        "links": [{"name": "a>b", "drops": {"queue": 2, "bit-error": 1}}],
        "stations": [{"station": "a", "entered_packets": 5, "left_packets": 1}],
    }
    flow = upgraded(stored)["flows"][0]
    assert (flow["lost_packets"], flow["lost_queue_packets"]) == ({"queue": 1}, 1)
    link = stored["links"][0]
    losses = ("lost_packets_total", "lost_queue_packets", "lost_bit_error_packets")
    assert [link[name] for name in losses] == [3, 2, 1]
    assert flow["loss_reactions"] == [{"count": 2, "actual_cause": "random", "inferred_cause": "congestion"}]
    assert flow["video"] == [{"frames_of": "all", "undelivered_packets": 3}]
    assert stored["stations"] == [{"station": "a", "offered_packets": 5, "queued_at_end_packets": 1}]


def test_the_list_of_former_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "former-names"]) == 0
    said = capsys.readouterr().out
    assert {"status_alone", "entered_packets", "linux-lp"} <= set(said.split())
