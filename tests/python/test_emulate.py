"""Emulation: names and errors, and if this machine permits it whole emulations between real namespaces."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ackclock.cli import main
from ackclock.cli.emulate import fell_behind, lateness, status_of
from ackclock.emulation import emulate, namespaces
from ackclock.emulation.account import schema
from ackclock.emulation.execution import End, ends_of
from ackclock.errors import ScenarioError, UserError
from ackclock.scenario import Scenario

NETWORK = """\
duration = "20s"
[[link]]
between = ["client", "server"]
rate = "10Mbps"
delay = "10ms"
queue = 40
[[flow]]
from = "client"
to = "server"
tcp = { variant = "cubic", profile = "linux" }
"""

SEND = """\
import socket, sys
with socket.create_connection((sys.argv[1], 5001), timeout=10) as s:
    s.sendall(bytes(int(sys.argv[2])))
    s.shutdown(socket.SHUT_WR)
    s.recv(1)
"""

RECEIVE = """\
import socket
with socket.create_server(("0.0.0.0", 5001)) as listener:
    peer, _ = listener.accept()
    while peer.recv(65536):
        pass
    peer.close()
"""


def scenario(text: str = NETWORK) -> Scenario:
    """Return the scenario of a TOML text."""
    import tomllib

    return Scenario(tomllib.loads(text))


def lacking() -> str:
    """Return the reason why an emulation cannot run here; empty if it can."""
    if not sys.platform.startswith("linux"):
        return "emulation runs on Linux alone"
    if shutil.which("ip") is None or shutil.which("nsenter") is None:
        return "no ip (iproute2) or nsenter (util-linux)"
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        return "no access to /dev/net/tun"
    tried = subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False)
    return "" if tried.returncode == 0 else "no right to make a network namespace"


LACKING = lacking()
real = pytest.mark.skipif(bool(LACKING), reason=f"no emulation on this machine: {LACKING}")


@pytest.fixture
def names() -> Iterator[tuple[str, str]]:
    """Yield names of two namespaces that no other test uses; assert at the end that neither is left."""
    pair = (f"ack{os.getpid()}a", f"ack{os.getpid()}b")
    yield pair
    assert not [name for name in pair if (namespaces.NAMED / name).exists()]


def test_bare_names_are_nodes_or_ends_of_the_first_flow() -> None:
    one = scenario()
    assert ends_of(("client", "server"), one) == [End("client", "client"), End("server", "server")]
    assert ends_of(("ns1", "ns2"), one) == [End("client", "ns1"), End("server", "ns2")]
    assert ends_of(("x=server", "y=client"), one) == [End("server", "x"), End("client", "y")]


@pytest.mark.parametrize(
    ("between", "said"),
    [
        (("x=clint", "server"), "did you mean client"),
        (("client", "client"), "both ends are node client"),
        (("x=client", "x=server"), "both ends are namespace x"),
    ],
)
def test_wrong_names_say_what_is_right(between: tuple[str, str], said: str) -> None:
    with pytest.raises(UserError, match=said):
        ends_of(between, scenario())


def test_without_rights_the_error_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not Path("/dev/net/tun").exists():
        pytest.skip("there is no /dev/net/tun")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    file = tmp_path / "one.toml"
    file.write_text(NETWORK)
    assert main.main(["emulate", str(file), "--between", "client", "server"]) == 2
    assert "unshare -Urn ackclock emulate" in capsys.readouterr().err


def test_a_machine_without_namespaces_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(namespaces, "Path", lambda _: Path("/nowhere"))
    with pytest.raises(UserError, match="runs on Linux alone"):
        emulate(scenario(), ("client", "server"))


def test_the_account_is_said_in_a_line() -> None:
    account = {
        "ending": "command",
        "packets": 200,
        "late_packets": 50,
        "late_bound_s": 1e-3,
        "lateness_p50_s": 6.1e-5,
        "lateness_p99_s": 0.0031,
        "lateness_max_s": 0.02,
    }
    found: Any = SimpleNamespace(account=account, status=7)
    assert lateness(found.account) == (
        "lateness of 200 packets: p50 0.061 ms, p99 3.100 ms, max 20.000 ms; 50 late by more than 1 ms"
    )
    assert "25.0% of the packets were late by more than 1 ms" in fell_behind(found)
    assert status_of(found) == 7
    found.account = {**found.account, "ending": "stopped", "packets": 0}
    assert status_of(found) == 130
    assert lateness(found.account) == "no packet has crossed the network"


@real
def test_a_transfer_crosses_the_network(names: tuple[str, str], tmp_path: Path) -> None:
    size = 400_000
    found = emulate(
        scenario(),
        (f"{names[0]}=client", f"{names[1]}=server"),
        command=[sys.executable, "-c", SEND, "10.0.0.2", str(size)],
        server=[sys.executable, "-c", RECEIVE],
        traces=["cwnd", "segments", "pcap", "throughput"],
        control="reno",
    )
    account = found.account
    assert (account["ending"], found.status) == ("command", 0)
    assert [end["address"] for end in account["ends"]] == ["10.0.0.1", "10.0.0.2"]
    assert {end["control"] for end in account["ends"]} == {"reno"}
    assert account["flows"][0]["to"] == "10.0.0.2:5001"
    flow = found.flow("flow0")
    assert (flow["variant"], flow["acked_bytes"], flow["delivered_bytes"]) == ("tcp", size, size)
    # At 10 Mb/s, 400 000 bytes take at least 0.32 s; a round trip takes at least 20 ms.
    assert 0.32 < flow["fct_s"] < 15
    assert flow["packet_rtt_p50_s"] >= 0.02
    assert found.summary["links"][0]["sent_bytes"] > size
    cwnd = found.trace("cwnd").to_polars()
    assert max(cwnd.filter(cwnd["variable"] == "cwnd")["value"].to_list()) >= 10
    written = {path.name for path in found.save(tmp_path / "out")}
    assert {"summary.json", "flows.csv", "cwnd.csv", "capture-client-0.pcap"} <= written
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["emulation"] == account
    form = schema()
    Draft202012Validator(form).validate(account)
    assert account.keys() == form["properties"].keys()
    assert all(
        end.keys() == form["properties"]["ends"]["items"]["properties"].keys() for end in account["ends"]
    )
    with pytest.raises(UserError, match="cannot be repeated"):
        found.trace("delay")


@real
def test_a_command_that_fails_gives_its_status(names: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "one.toml"
    file.write_text(NETWORK)
    between = ["--between", f"{names[0]}=client", f"{names[1]}=server"]
    done = [
        main.main(["emulate", str(file), *between, "--duration", "10s", "--", "sh", "-c", f"exit {status}"])
        for status in (0, 3)
    ]
    assert done == [0, 3]


@real
def test_mistakes_leave_nothing_behind(names: tuple[str, str]) -> None:
    between = (f"{names[0]}=client", f"{names[1]}=server")
    with pytest.raises(UserError, match="no such congestion control"):
        emulate(scenario(), between, control="renoo")
    with pytest.raises(UserError, match="there is no namespace"):
        emulate(scenario(), between, existing=True)
    with pytest.raises(UserError, match="has ended with status 1"):
        emulate(scenario(), between, server=["sh", "-c", "exit 1"])
    with pytest.raises(ScenarioError, match="flows"):
        emulate(scenario(), between, connections=10**6)


@real
def test_the_commands_of_the_page_work(tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        pytest.skip("no curl")
    text = (Path(__file__).parents[2] / "docs" / "howto" / "emulate-a-network.md").read_text(encoding="utf-8")
    (scenario_text,) = re.findall(r"^ *```toml\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "scenario.toml").write_text(scenario_text)
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        words = textwrap.dedent(block).replace("ackclock emulate", f"{sys.executable} -m ackclock emulate")
        done = subprocess.run(
            ["/bin/sh", "-ec", words], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100
        )
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
        assert "lateness of" in done.stderr or "no packet" in done.stderr
    assert (tmp_path / "copy").stat().st_size == 5_000_000


@real
def test_it_works_in_a_user_namespace(tmp_path: Path) -> None:
    if subprocess.run(["unshare", "-Urn", "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this kernel forbids user namespaces")
    file = tmp_path / "one.toml"
    file.write_text(NETWORK)
    send = [sys.executable, "-c", SEND, "10.0.0.2", "50000"]
    words = ["emulate", str(file), "--between", "client", "server", "--json", "-", "--quiet"]
    server = f"{sys.executable} -c '{RECEIVE}'"
    done = subprocess.run(
        ["unshare", "-Urn", sys.executable, "-m", "ackclock", *words, "--server", server, "--", *send],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["flows"][0]["acked_bytes"] == 50_000
