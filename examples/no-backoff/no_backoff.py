"""A deliberately bad congestion control: it ignores losses, so that a dossier has to find it bad.

ackclock evaluate examples/no-backoff/no_backoff.py:NoBackoff --quick
"""

import ackclock as ac


class NoBackoff(ac.Control):
    """A control that grows like Reno and does not reduce its window after a loss."""

    def on_ack(self, ack):
        """Grow by a segment for each acknowledged one in slow start, and by one per round trip after it."""
        self.cwnd += ack.count if self.cwnd < self.ssthresh else ack.count / self.cwnd

    def on_congestion(self, loss):
        """Restart from one segment after a timeout; ignore any other loss."""
        if loss.timeout:
            self.cwnd = 1.0
