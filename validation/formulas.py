"""Closed forms that runs are held against, each from its source."""

from __future__ import annotations

import math


def mathis_constant_random() -> float:
    """The constant C of rate = C MSS / (RTT sqrt p): an acknowledgment per packet, independent random losses.

    Mathis, Semke, Mahdavi and Ott 1997 tabulate C = 1.31 for it (sqrt(3/2) = 1.22 is for losses at equal
    distances). It follows so: over packets n, dW/dn = 1/W, thus V = p W^2/2 grows by one per 1/p packets;
    losses come an exponential number of packets apart and divide V by 4. Before a loss V is therefore the sum
    of 4^-k E_k, with E_k exponential of mean 1. A cycle has 1/p packets on average, and lasts W/2 round-trip
    times, W = sqrt(2V/p): rate RTT = (1/p) / (E[W]/2) = C / sqrt p with C = sqrt 2 / E[sqrt V].
    """
    terms = 30
    mean_root = 0.0
    for k in range(terms):
        weight = 1.0
        for j in range(terms):
            if j != k:
                weight *= 1.0 / (1.0 - 4.0 ** (k - j))
        mean_root += weight * math.gamma(1.5) / math.sqrt(4.0**k)
    return math.sqrt(2) / mean_root


def mathis(p: float, rtt_s: float, constant: float) -> float:
    """Segments per second at loss rate p (Mathis et al. 1997, equation 3)."""
    return constant / (rtt_s * math.sqrt(p))


def mathis_with_recovery(p: float, rtt_s: float, constant: float) -> float:
    """Segments per second at loss rate p, a recovery taking one round trip more.

    The fluid model behind `mathis` halves the window in no time. A recovery of selective acknowledgments takes a
    round trip, in which the window does not grow. A cycle of 1/p segments then lasts E[W]/2 + 1 round trips, with
    E[W]/2 = 1 / (C sqrt p) as in `mathis_constant_random`: rate RTT = C / (sqrt p + C p). The correction is of
    order 1/W: 4 % at a loss rate of 0.1 %, 12 % at 1 %.
    """
    return constant / (rtt_s * (math.sqrt(p) + constant * p))


def pftk(p: float, rtt_s: float, timeout_s: float, *, b: float = 1.0) -> float:
    """Segments sent per second: the full model of Padhye, Firoiu, Towsley and Kurose 1998, equation 32.

    The window is not limited by the receiver.

    Args:
        p: probability of loss.
        rtt_s: round-trip time, s.
        timeout_s: the first retransmission timeout, T0, s.
        b: segments per acknowledgment.
    """
    offset = (2 + b) / (3 * b)
    window: float = offset + math.sqrt(8 * (1 - p) / (3 * b * p) + offset**2)
    q = 1 - p
    lost_by_timeout = min(1.0, (1 - q**3) * (1 + q**3 * (1 - q ** (window - 3))) / (1 - q**window))
    backoff = 1 + p + 2 * p**2 + 4 * p**3 + 8 * p**4 + 16 * p**5 + 32 * p**6
    packets = q / p + window + lost_by_timeout / q
    time_s = rtt_s * (b / 2 * window + 1) + lost_by_timeout * backoff * timeout_s / q
    return float(packets / time_s)


def md1_wait(load: float, service_s: float) -> float:
    """Mean wait before service in an M/D/1 queue, s (Pollaczek-Khinchine)."""
    return load * service_s / (2 * (1 - load))
