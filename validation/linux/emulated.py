"""A transfer by this machine's own kernel over an emulated link, beside the simulated one.

``python -m validation.linux.emulated --seconds 20 --out FOLDER`` sends with reno and with cubic over 10 Mb/s with a
round trip of 40 ms and a queue of one bandwidth-delay product. It prints both goodputs, and draws both congestion
windows in one figure for each control. It needs root, or a user namespace.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

import ackclock as ac
from ackclock.cli.emulate import lateness
from ackclock.emulation import Emulation, emulate

NETWORK = """
duration = "{seconds}s"

[[link]]
between = ["sender", "receiver"]
rate = "10Mbps"
delay = "20ms"
queue = 33

[[flow]]
from = "sender"
to = "receiver"
tcp = {{ variant = "{control}", profile = "linux" }}
"""

SPARE_S = 10
"""Time that the emulation may last beyond the transfer, since programs take a while to start, s."""

CONTROLS = ("reno", "cubic")
LIMIT = 0.03
"""Greatest accepted relative difference of the goodputs."""

# The kernel delays acknowledgments of data that nobody reads, so a receiver without processor time slows the transfer.
# So both programs have a large buffer (socket(7): SO_SNDBUFFORCE and SO_RCVBUFFORCE are 32 and 33) and priority.
FIRST = """\
import contextlib, os, socket, sys, time
with contextlib.suppress(PermissionError):
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
"""

SEND = """\
with socket.create_connection((sys.argv[1], 5001)) as s:
    s.setsockopt(socket.SOL_SOCKET, 32, 1 << 22)
    end = time.monotonic() + float(sys.argv[2])
    while time.monotonic() < end:
        s.send(bytes(1 << 14))
"""

RECEIVE = """\
with socket.create_server(("0.0.0.0", 5001)) as listener:
    listener.setsockopt(socket.SOL_SOCKET, 33, 1 << 22)
    peer, _ = listener.accept()
    while peer.recv(1 << 16):
        pass
"""


def scenario(control: str, seconds: float) -> ac.Scenario:
    """Return the scenario of a transfer that lasts `seconds`."""
    return ac.Scenario(tomllib.loads(NETWORK.format(control=control, seconds=seconds)))


def transfer(control: str, seconds: float) -> Emulation:
    """Return the emulation of a transfer by this machine's kernel."""
    return emulate(
        scenario(control, seconds + SPARE_S),
        ("sender", "receiver"),
        command=[sys.executable, "-c", FIRST + SEND, "10.0.0.2", str(seconds)],
        server=[sys.executable, "-c", FIRST + RECEIVE],
        control=control,
        traces=["cwnd"],
        priority="realtime",
    )


def version(run: Emulation) -> str:
    """Return the kernel's version without the distribution's suffix."""
    return str(run.account["kernel"]).partition("-")[0]


def windows(run: ac.Run) -> tuple[list[float], list[float]]:
    """Return the times since a flow's first window, s, and its congestion windows, segments."""
    table = run.trace("cwnd").to_polars()
    mine = table.filter((table["variable"] == "cwnd") & (table["flow"] == 0))
    times = mine["time_s"].to_list()
    return [time - times[0] for time in times], mine["value"].to_list()


def draw(control: str, kernel: Emulation, simulated: ac.Run, path: Path) -> None:
    """Draw the congestion windows of the kernel and of ackclock in one figure."""
    from ackclock.plot.drawing import colour, legend, new, style

    with style():
        figure, (axis,) = new()
        release = version(kernel)
        for number, (run, label) in enumerate(((kernel, f"Linux {release}"), (simulated, "ackclock"))):
            time, value = windows(run)
            axis.step(time, value, where="post", color=colour(number), label=label, linewidth=1.0)
        axis.set(xlabel="time (s)", ylabel="window (segments)", title=f"Congestion window of {control}")
        legend(axis)
        figure.savefig(path)


def main() -> int:
    """Run the transfers; return 1 if a goodput of the kernel is too far from the simulated one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    failed = False
    for control in CONTROLS:
        kernel = transfer(control, asked.seconds)
        row, account = kernel.flow(0), kernel.account
        simulated = scenario(control, row["interval_s"]).run(traces=["cwnd"])
        goodput, wanted = row["goodput_bps"], simulated.flow(0)["goodput_bps"]
        apart = goodput / wanted - 1
        failed |= abs(apart) > LIMIT
        print(
            f"{control}: Linux {version(kernel)} {goodput / 1e6:.3f} Mb/s, ackclock {wanted / 1e6:.3f} Mb/s "
            f"({apart:+.2%}), in {row['interval_s']:.1f} s; {lateness(account)}"
        )
        draw(control, kernel, simulated, asked.out / f"cwnd-{control}.png")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
