"""Transport stacks by their contract: the check of a stack, the list, the starter, and scenarios that name one."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

import ackclock as ac
from ackclock import _core
from ackclock.cli.main import main

STACK = {"stack": {"variant": "mine"}}


def test_quinn_keeps_the_contract_with_keys_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-stack", "quinn-cubic", "--size", "200kB"]) == 0
    told = capsys.readouterr().out
    assert all(len(line) <= 80 for line in told.splitlines())
    told = " ".join(told.split())
    assert "ok the contract" in told
    assert "other bytes from datagram 0 on: the stack draws random numbers of its own" in told


def test_bad_input_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in [
        (["check-stack", "quinn-cubi"], "did you mean quinn-cubic?"),
        (["check-stack", "quinn-bbr", "--size", "nothing"], "--size"),
        (["check-stack", "quinn-bbr", "--size", "2GB"], "1B to 1GB"),
    ]:
        assert main(words) == 2
        assert said in capsys.readouterr().err


def test_the_list_has_sizes_of_packets() -> None:
    listed = {one["name"]: one["packet_bytes"] for one in json.loads(_core.catalogue("stacks"))}
    assert listed == dict.fromkeys(("quinn-newreno", "quinn-cubic", "quinn-bbr"), _core.QUIC_PACKET_BYTES)
    assert _core.STACK_CONTRACT_VERSION == 1


def test_a_program_without_the_stack_says_how_to_add_it() -> None:
    net = ac.Network().link("a", "b", rate="10Mbps", delay="20ms", queue=50).flow("a", "b", **STACK)
    with pytest.raises(ac.ScenarioError, match=r"this program has no stack `mine`(.|\n)*own-stack\.md"):
        net.scenario("5s").check()


def test_the_starter_is_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "mine"
    assert main(["init", "stack", "--out", str(out)]) == 0
    written = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    assert {"Cargo.toml", "README.md", "src/lib.rs", "module/src/lib.rs", "beside.toml"} <= set(written)
    document = tomllib.loads((out / "beside.toml").read_text(encoding="utf-8"))
    assert document["flow"][0]["stack"] == {"variant": "mine"}
    assert main(["init", "stack", "--out", str(out)]) == 2
    capsys.readouterr()
    assert main(["init", "stack"]) == 0
    assert "impl Stack for Mine" in capsys.readouterr().out
