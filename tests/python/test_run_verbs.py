"""Assertions on a run, repetition of a run's folder, tables in a pipe, and the published schemas of results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import ackclock as ac
from ackclock.cli.assertions import Condition, failed
from ackclock.cli.main import main
from ackclock.cli.schemas import SCHEMAS, file_name

RUN = ["run", "dumbbell", "--set", "duration=3s", "--quiet"]


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        ("flow.newreno.goodput_bps > 1e3", 0),
        ("flow.newreno.goodput_bps>1kbps", 0),
        ("flow.*.timeouts <= 5", 0),
        ("flow.0.goodput_bps > 1Gbps", 3),
        ("link.bottleneck.utilisation >= 10%", 0),
        ("link.n3>n2.utilisation > 0.5", 3),
        ("packet_rtt_p95_s < 10s", 0),
        ("goodput_share:vegas <= 1", 0),
        ("flow.vegas.goodput_bps < flow.newreno.goodput_bps", 0),
        ("flow.newreno.fct_s < 100", 3),  # the transfer is endless, so there is no value
    ],
)
def test_a_condition_decides_the_exit_status(
    condition: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*RUN, "--assert", condition]) == status
    assert ("assertion failed" in capsys.readouterr().err) == (status == 3)


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("flow.newreno.goodput > 1", "did you mean goodput_bps?"),
        ("flow.newrno.goodput_bps > 1", "did you mean newreno?"),
        ("link.botleneck.utilisation > 1", "did you mean bottleneck?"),
        ("goodput > 1", "did you mean goodput_bps?"),
        ("flow.newreno.goodput_bps", "cannot read"),
        ("flow.newreno.timeouts < 3ms", "has no unit"),
        ("share > 0.5", "only a comparison"),
    ],
)
def test_a_wrong_condition_is_refused_before_the_run(
    condition: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*RUN, "--assert", condition]) == 2
    assert said in capsys.readouterr().err


def test_failures_name_each_place() -> None:
    summary = ac.load("dumbbell", ["duration=3s"]).run().summary
    said = failed([Condition.parse("flow.*.goodput_bps > 1Gbps")], summary)
    assert [text.split(": ")[2].split(" is ")[0] for text in said] == [
        "flow.newreno.goodput_bps",
        "flow.vegas.goodput_bps",
    ]


def test_a_folder_is_run_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "made"
    options = ["--trace", "cwnd,qlog", "--plot", "queue", "--seed", "7", "--out", str(folder)]
    assert main([*RUN, *options]) == 0
    assert main(["run", "--again", str(folder)]) == 0
    assert "the same bytes in all" in capsys.readouterr().out
    (folder / "cwnd.csv").write_text("else\n")
    assert main(["run", "--again", str(folder)]) == 2
    assert "changed or missing since it was made: cwnd.csv" in capsys.readouterr().err


def test_a_manifest_that_lies_is_found_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "made"
    assert main([*RUN, "--out", str(folder)]) == 0
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["seed"] = 2
    manifest["scenario"]["flow"][0]["tcp"]["variant"] = "cubic"
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert main(["run", "--again", str(folder)]) == 2
    assert "other bytes in" in capsys.readouterr().err


def test_again_refuses_what_the_folder_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--again", str(tmp_path), "--seed", "2"]) == 2
    assert "leave out --seed" in capsys.readouterr().err
    assert main(["run"]) == 2
    assert "name a scenario file" in capsys.readouterr().err


def test_a_run_that_a_program_changed_is_not_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    simulation = ac.load("dumbbell", ["duration=2s"]).start(adjustable=["bottleneck"])
    simulation.advance("1s")
    simulation.set_link_rate("bottleneck", "1Mbps")
    simulation.finish().save(tmp_path / "made")
    assert main(["run", "--again", str(tmp_path / "made")]) == 2
    assert "a program changed the run" in capsys.readouterr().err


def test_a_pipe_has_the_columns_of_a_terminal_of_100(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RUN[:-1]]) == 0
    tables = [line for line in capsys.readouterr().out.splitlines() if "─" in line]
    assert 80 < max(map(len, tables)) <= 100
    assert main([*RUN[:-1], "--wide"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) > 100


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((Path(ac.__file__).parent / file_name(name)).read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_published_schemas_are_those_of_today() -> None:
    for name, schema in SCHEMAS.items():
        stored = json.loads((Path(ac.__file__).parent / file_name(name)).read_text())
        assert stored == json.loads(json.dumps(schema())), f"{name}: make pages"


@pytest.mark.parametrize("example", ["dumbbell", "wlan", "lte", "cellular", "gateway"])
def test_the_json_of_a_run_follows_its_schema(example: str) -> None:
    summary = ac.load(example, ["duration=6s"]).run().summary
    validator("run").validate(summary)
    known = validator("run").schema["properties"]
    for table in ("flows", "links", "stations", "ues", "cells", "gateways"):
        for row in summary[table]:
            assert set(row) <= set(known[table]["items"]["properties"]), table


def test_the_json_of_a_comparison_and_a_sweep_follow_their_schemas(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = ["--reps", "2", "--duration", "2s", "--json", "-", "--out", str(tmp_path / "c")]
    assert main(["compare", "reno", "vegas", *made, "--measure", "goodput_bps:0"]) == 0
    found = json.loads(capsys.readouterr().out)
    validator("comparison").validate(found)
    assert set(found) <= set(validator("comparison").schema["properties"])
    made = ["--set", "duration=2s", "--reps", "2", "--json", "-", "--out", str(tmp_path / "s")]
    assert main(["sweep", "dumbbell", *made]) == 0
    validator("sweep").validate(json.loads(capsys.readouterr().out))


def test_a_wrong_document_does_not_follow_the_schema() -> None:
    summary = ac.load("dumbbell", ["duration=1s"]).run().summary
    summary["flows"][0]["goodput_bps"] = "fast"
    assert not validator("run").is_valid(summary)
    del summary["schema_version"]
    assert len(list(validator("run").iter_errors(summary))) == 2


def test_schemas_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "run"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "Results of a run"
    assert main(["schema", "runs"]) == 2
    assert "did you mean run?" in capsys.readouterr().err
