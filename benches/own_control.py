"""Measures the extra cost per acknowledgment of a congestion control in Python, compared with a built-in one."""

from __future__ import annotations

import ackclock as ac
from ackclock._core import AckSample, LossSample

RUNS = 9


class Empty(ac.Control):
    """A control that does nothing, so that only the cost of the calls is measured."""

    def __init__(self) -> None:
        """Set the window to the maximum window that the other variants have."""
        self.cwnd, self.ssthresh = 60.0, 2.0

    def on_ack(self, ack: AckSample) -> None:
        """Leave the window as it is."""

    def on_congestion(self, loss: LossSample) -> None:
        """Keep the window in spite of the loss."""


class Mine(ac.Control):
    """The control that the documentation uses as its example."""

    def on_ack(self, ack: AckSample) -> None:
        """Grow the window as Reno does."""
        if self.cwnd < self.ssthresh:
            self.cwnd += ack.count
        else:
            self.cwnd += ack.count / self.cwnd

    def on_congestion(self, loss: LossSample) -> None:
        """Halve the window."""
        self.ssthresh = max(self.cwnd / 2, 2.0)
        self.cwnd = 1.0 if loss.timeout else self.ssthresh


def seconds(variant: str | type[ac.Control]) -> tuple[float, int]:
    """Return the least processor time of several runs, s, and the number of acknowledgments in one run."""
    tcp = {"delayed_ack": "0ms", "max_window": 60}
    scenario = ac.dumbbell([variant], rate="100Mbps", delay="5ms", queue=100, tcp=tcp, duration="20s")
    runs = [scenario.run() for _ in range(RUNS)]
    return min(run.cpu_s for run in runs), int(runs[0].flow(0)["acked_packets"])


def main() -> None:
    """Print the cost per acknowledgment of each control."""
    base, _ = seconds("sack")
    for cls in (Empty, Mine):
        took, acks = seconds(cls)
        print(
            f"{cls.__name__:6} {(took - base) / acks * 1e6:.2f} us per acknowledgment more than ours, over {acks}"
        )


if __name__ == "__main__":
    main()
