"""Flows whose ends run Linux itself; most of these tests need a kernel (`make kernel`) and are skipped without it."""

import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from validation.linux import kernel, recorded
from validation.linux.mine import over_time

import ackclock as ac

HERE = kernel.folder()
needs_kernel = pytest.mark.skipif(
    not all((HERE / name).exists() for name in ("linux", "guest.cpio")),
    reason="no kernel was built: make kernel",
)
TEXT = """
duration = "{seconds}s"
seed = 3

[[link]]
name = "n"
between = ["a", "b"]
rate = "10Mbps"
delay = "0us"
queue = {{ kind = "droptail", packets = 33 }}
reverse = {{ rate = "10Gbps", delay = "40ms" }}

[[flow]]
from = "a"
to = "b"
tcp = {{ stack = "linux", control = "{control}", receive_buffer = "32MiB" }}
"""


def scenario(control: str = "reno", seconds: int = 60) -> ac.Scenario:
    return ac.Scenario(tomllib.loads(TEXT.format(control=control, seconds=seconds)))


def test_the_short_form_is_the_table() -> None:
    flow = scenario("cubic").describe()["flow"][0]
    assert flow["kernel"] == {
        "stack": "linux", "control": "cubic", "ecn": False, "receive_buffer": "33554432B",
    }  # fmt: skip
    assert "tcp" not in flow


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('{ stack = "linux", control = "cubik" }', "cubic"),
        ('{ stack = "freebsd", control = "cubic" }', "linux"),
        ('{ stack = "linux" }', "control"),
        ('{ stack = "linux", control = "cubic", initial_cwnd = 4 }', "initial_cwnd"),
    ],
)
def test_a_slip_is_named(given: str, said: str) -> None:
    text = TEXT.format(control="reno", seconds=1).rsplit("tcp = ", 1)[0] + f"tcp = {given}\n"
    with pytest.raises(ac.ScenarioError, match=said) as found:
        ac.Scenario(tomllib.loads(text)).describe()
    assert "flow.0.kernel" in str(found.value)


def test_only_a_file_is_sent() -> None:
    text = (
        TEXT.format(control="reno", seconds=1)
        + 'traffic = { kind = "cbr", rate = "1Mbps", packet = "500B" }\n'
    )
    with pytest.raises(ac.ScenarioError, match="sends a file"):
        ac.Scenario(tomllib.loads(text)).describe()


def test_without_a_kernel_the_run_says_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACKCLOCK_KERNEL", str(tmp_path))
    with pytest.raises(ac.ScenarioError, match="make kernel"):
        scenario(seconds=1).run()


@needs_kernel
def test_it_is_the_kernel_of_the_recorded_cell() -> None:
    """Bottleneck and delays are those of the recorded cell, simulated by ackclock and not by the kernel's netem."""
    run = scenario().run(traces=["cwnd"])
    flow = run.flow(0)
    (cell,) = recorded.flows()["single.A33.reno"]
    assert flow["goodput_bps"] == pytest.approx(cell.goodput_bps, rel=0.01)
    assert flow["retransmitted_packets"] == pytest.approx(cell.retransmissions, abs=5)
    assert flow["timeouts"] == 0
    window = run.trace("cwnd").to_polars()
    window = window.filter(window["variable"] == "cwnd")
    steps = list(zip(window["time_s"], window["value"], strict=True))
    assert over_time(steps, 5, 60) == pytest.approx(cell.cwnd, rel=0.01)


@needs_kernel
def test_a_run_repeats_bit_for_bit() -> None:
    one, other = (scenario("bbr", 5).run(traces=["segments"]).trace("segments").to_polars() for _ in range(2))
    assert len(one) > 5000
    assert one.equals(other)


@needs_kernel
def test_a_guest_that_dies_ends_the_run() -> None:
    program = (
        "import tomllib, ackclock as ac\n"
        f"text = {TEXT.format(control='reno', seconds=3600)!r}\n"
        "try:\n    ac.Scenario(tomllib.loads(text)).run()\n"
        "except ac.ScenarioError as said:\n    print(said)\n"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    guest = None
    for _ in range(600):
        time.sleep(0.1)
        found = subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True).stdout.split()
        if found:
            guest = int(found[0])
            break
    assert guest is not None
    time.sleep(1)
    os.kill(guest, signal.SIGKILL)
    out, _ = run.communicate(timeout=100)
    assert "the guest has" in out
    assert "flow.0.kernel" in out
