"""What an acknowledgment costs with a congestion control in Python, beyond the same simulation with one of ours."""

from __future__ import annotations

import ackclock as ac
from ackclock._core import AckSample, LossSample

RUNS = 9


class Empty(ac.Control):
    """Does nothing: what is left is the cost of calling it."""

    def __init__(self) -> None:
        """As large a window as the path of the others has."""
        self.cwnd, self.ssthresh = 60.0, 2.0

    def on_ack(self, ack: AckSample) -> None:
        """Nothing."""

    def on_congestion(self, loss: LossSample) -> None:
        """Nothing."""


class Mine(ac.Control):
    """The example of the docs."""

    def on_ack(self, ack: AckSample) -> None:
        """Grow."""
        if self.cwnd < self.ssthresh:
            self.cwnd += ack.count
        else:
            self.cwnd += ack.count / self.cwnd

    def on_congestion(self, loss: LossSample) -> None:
        """Halve."""
        self.ssthresh = max(self.cwnd / 2, 2.0)
        self.cwnd = 1.0 if loss.timeout else self.ssthresh


def seconds(variant: str | type[ac.Control]) -> tuple[float, int]:
    """Return the least processor time of several runs, and the acknowledgments of one."""
    tcp = {"delayed_ack": "0ms", "max_window": 60}
    scenario = ac.dumbbell([variant], rate="100Mbps", delay="5ms", queue=100, tcp=tcp, duration="20s")
    runs = [scenario.run() for _ in range(RUNS)]
    return min(run.cpu_s for run in runs), int(runs[0].flow(0)["acked_packets"])


def main() -> None:
    """Print the cost of each."""
    base, _ = seconds("sack")
    for cls in (Empty, Mine):
        took, acks = seconds(cls)
        print(
            f"{cls.__name__:6} {(took - base) / acks * 1e6:.2f} us per acknowledgment more than ours, over {acks}"
        )


if __name__ == "__main__":
    main()
