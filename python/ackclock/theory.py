"""Closed-form models of throughput and delay for comparison with runs; each function cites its equation and source.

    import ackclock as ac
    ac.theory.pftk(loss=0.01, rtt_s=0.1, timeout_s=0.4)      # segments per second
    run.theory("mathis", "pftk", "cubic")                    # each flow's measured goodput beside the models'
    run.theory("bianchi")                                    # the same for saturated 802.11 stations

Rates are in segments per second; multiply by a segment's payload in bits to get goodput. Loss rates are *loss events*
per segment sent: several losses in one window to which the sender reacts once are one event.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from ackclock import _core
from ackclock.errors import UserError, choices

CUBIC_C, CUBIC_BETA = 0.4, 0.7
"""Constants C and beta_cubic of CUBIC: RFC 9438, sections 5 and 4.6."""


def mathis(loss: float, rtt_s: float, *, constant: float | None = None, b: float = 1.0) -> float:
    """Return the rate of Reno's congestion avoidance, segments per second: C / (RTT sqrt(p)).

    Mathis, Semke, Mahdavi and Ott 1997, equation 3, with C = sqrt(3 / (2 b)), which holds for periodic losses. The
    model leaves out timeouts and the duration of recoveries.

    Args:
        loss: Loss events per segment.
        rtt_s: Round-trip time, seconds.
        constant: C, in place of sqrt(3 / (2 b)); `mathis_constant_random` gives C for random losses.
        b: Segments per acknowledgment; 2 with delayed acknowledgments.

    """
    c = math.sqrt(1.5 / b) if constant is None else constant
    return c / (rtt_s * math.sqrt(loss))


def mathis_constant_random() -> float:
    """Return C of `mathis` for independent random losses with one acknowledgment per segment: 1.31.

    Mathis, Semke, Mahdavi and Ott 1997 tabulate C. Between losses the window W grows by 1/W per segment, so
    V = p W^2/2 grows by one per 1/p segments. Losses come an exponential number of segments apart and divide V
    by 4. Before a loss V is therefore the sum of 4^-k E_k, where the E_k are exponential with mean 1. A cycle has
    1/p segments on average and lasts W/2 round-trip times, W = sqrt(2V/p). Hence C = sqrt(2) / E[sqrt(V)].
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


def mathis_with_recovery(loss: float, rtt_s: float, *, constant: float | None = None) -> float:
    """Return the rate of `mathis`, segments per second, with one additional round trip for each recovery.

    The fluid model behind `mathis` halves the window instantly. A recovery with selective acknowledgments takes a
    round trip in which the window does not grow. A cycle of 1/p segments then lasts 1/(C sqrt(p)) + 1 round
    trips, and the rate is C / (RTT (sqrt(p) + C p)). The correction is 4 % at a loss rate of 0.1 % and 12 % at
    1 %. `constant` is C; without it C = sqrt(3/2).
    """
    c = math.sqrt(1.5) if constant is None else constant
    return c / (rtt_s * (math.sqrt(loss) + c * loss))


def aimd(loss: float, rtt_s: float, *, increase: float = 1.0, decrease: float = 0.5, b: float = 1.0) -> float:
    """Return the rate of additive increase and multiplicative decrease (AIMD), segments per second.

    sqrt(a (1 + m) / (2 b (1 - m) p)) / RTT, after Floyd, Handley and Padhye, "A comparison of equation-based and
    AIMD congestion control", 2000, section 4.1. With the defaults the result equals that of `mathis`.

    Args:
        loss: Loss events per segment (p).
        rtt_s: Round-trip time, seconds.
        increase: Segments by which the window grows per round trip (a).
        decrease: Factor that a loss event applies to the window (m).
        b: Segments per acknowledgment.

    """
    return math.sqrt(increase * (1 + decrease) / (2 * b * (1 - decrease) * loss)) / rtt_s


def pftk(
    loss: float, rtt_s: float, timeout_s: float, *, b: float = 1.0, max_window: float = math.inf
) -> float:
    """Return Reno's sending rate, segments per second, timeouts included.

    The full model of Padhye, Firoiu, Towsley and Kurose 1998, equation 32.

    Args:
        loss: Loss events per segment (p).
        rtt_s: Round-trip time, seconds.
        timeout_s: First retransmission timeout (T0), seconds.
        b: Segments per acknowledgment.
        max_window: Window limit of the receiver (Wm), segments.

    """
    offset = (2 + b) / (3 * b)
    free: float = offset + math.sqrt(8 * (1 - loss) / (3 * b * loss) + offset**2)
    kept = 1 - loss
    window = min(free, max_window)
    lost_by_timeout = min(
        1.0, (1 - kept**3) * (1 + kept**3 * (1 - kept ** (window - 3))) / (1 - kept**window)
    )
    backoff = 1 + sum(2 ** (i - 1) * loss**i for i in range(1, 7))
    packets = kept / loss + window + lost_by_timeout / kept
    rounds = b / 2 * window + 1
    if free >= max_window:
        rounds = b / 8 * window + kept / (loss * window) + 2
    return float(packets / (rtt_s * rounds + lost_by_timeout * backoff * timeout_s / kept))


def cubic(loss: float, rtt_s: float, *, c: float = CUBIC_C, beta: float = CUBIC_BETA) -> float:
    """Return CUBIC's rate, segments per second: the mean window divided by the RTT.

    RFC 9438, section 5.1: the mean window is (C (3 + beta) / (4 (1 - beta)))^(1/4) (RTT / p)^(3/4).
    If that is less than Reno's, CUBIC is in its Reno-friendly region and has Reno's mean window (section 4.3).

    Args:
        loss: Loss events per segment (p).
        rtt_s: Round-trip time, seconds.
        c: Constant C of the cubic function, segments per second cubed.
        beta: Factor that a loss event applies to the window.

    """
    window: float = (c * (3 + beta) / (4 * (1 - beta))) ** 0.25 * (rtt_s / loss) ** 0.75
    return max(window / rtt_s, mathis(loss, rtt_s))


def vegas(queueing_delay_s: float, *, alpha: float = 2.0) -> float:
    """Return Vegas's rate in equilibrium, segments per second: alpha / q.

    Each flow keeps `alpha` segments in the queues of its path, so its rate is alpha divided by its queueing delay q in
    seconds (Low, Peterson and Wang, "Understanding TCP Vegas: a duality model", JACM 2002, section 3).
    """
    return alpha / queueing_delay_s


def md1_wait(load: float, service_s: float) -> float:
    """Return the mean wait before service in an M/D/1 queue, seconds: rho S / (2 (1 - rho)).

    Pollaczek and Khinchine's formula for packets of equal size with Poisson arrivals. `load` is rho, the utilisation of
    the link; `service_s` is S, the transmission time of a packet in seconds.
    """
    return mg1_wait(load, service_s, 0.0)


def mg1_wait(load: float, service_s: float, variation: float) -> float:
    """Return the mean wait before service in an M/G/1 queue, seconds (Pollaczek and Khinchine).

    rho S (1 + v^2) / (2 (1 - rho)), where v is the coefficient of variation of the service times: 0 for M/D/1,
    1 for M/M/1.
    """
    return load * service_s * (1 + variation**2) / (2 * (1 - load))


@dataclass(frozen=True, slots=True)
class Dcf:
    """Parameters of 802.11's distributed coordination function (DCF), for `bianchi`."""

    slot_s: float
    """Slot time, seconds."""
    success_s: float
    """Duration of a successful exchange, seconds: data, SIFS, ACK, DIFS."""
    collision_s: float
    """Duration of a collision, seconds, until stations resume their backoff."""
    cw_min: int
    """Minimum contention window (CWmin); the first backoff is 0 to `cw_min` slots."""
    cw_max: int
    """Maximum contention window (CWmax), slots."""
    attempts: int = 7
    """Number of failed attempts after which a packet is dropped."""

    @classmethod
    def of(
        cls,
        standard: Literal["b", "g", "a"],
        rate_bps: float,
        packet_bytes: int,
        *,
        answer_bps: float | None = None,
    ) -> Dcf:
        """Return the parameters for IP packets of `packet_bytes` at one data rate, without RTS.

        IEEE Std 802.11-2016, clauses 16 (b), 17 (a) and 18 (g); long preamble. ACKs are sent at `answer_bps`, by
        default 2 Mb/s (b) or 24 Mb/s. A collision lasts as long as an exchange, since stations wait for EIFS or for the
        missing ACK. A frame adds 24 bytes of MAC header, 8 of LLC and 4 of FCS to the packet.
        """
        bits = 8 * (packet_bytes + 36)
        if standard == "b":
            data, answer = 192e-6 + bits / rate_bps, 192e-6 + 8 * 14 / (answer_bps or 2e6)
            sifs, slot, cw_min = 10e-6, 20e-6, 31
        else:
            data, answer = _ofdm_s(bits, rate_bps), _ofdm_s(8 * 14, answer_bps or 24e6)
            sifs, slot, cw_min = 16e-6, 9e-6, 15
        exchange = data + sifs + answer + sifs + 2 * slot
        return cls(slot, exchange, exchange, cw_min, 1023)


def _ofdm_s(bits: int, rate_bps: float) -> float:
    """Return an OFDM frame's duration, seconds: a preamble of 20 us, then symbols of 4 us."""
    return 20e-6 + 4e-6 * math.ceil((22 + bits) / (rate_bps * 4e-6) - 1e-9)


def bianchi(stations: int, packet_bits: float, times: Dcf) -> float:
    """Return the total goodput of saturated stations that share an 802.11 channel, bit/s.

    Bianchi, "Performance analysis of the IEEE 802.11 distributed coordination function", IEEE JSAC 18(3), 2000,
    equation 13, with a finite number of attempts. Every station always has a packet to send, and all stations sense
    each other.

    ``ac.theory.bianchi(10, 8 * 1472, ac.theory.Dcf.of("a", 1500, 54e6))``

    Args:
        stations: Number of senders.
        packet_bits: Payload of a packet that counts as goodput, bits.
        times: Durations of slots, exchanges and collisions (`Dcf.of`).

    """
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        collided = 1 - (1 - _attempt_rate(middle, times)) ** (stations - 1)
        low, high = (middle, high) if collided > middle else (low, middle)
    tau = _attempt_rate(low, times)
    idle = (1 - tau) ** stations
    success = stations * tau * (1 - tau) ** (stations - 1)
    mean_s = idle * times.slot_s + success * times.success_s + (1 - idle - success) * times.collision_s
    return success * packet_bits / mean_s


def _attempt_rate(collided: float, times: Dcf) -> float:
    """Return the probability that a station transmits in a slot if its attempts collide with probability `collided`."""
    attempts, slots, weight, window = 0.0, 0.0, 1.0, float(times.cw_min)
    for _ in range(times.attempts):
        attempts += weight
        slots += weight * (window / 2 + 1)
        weight *= collided
        window = min(2 * window + 1, times.cw_max)
    return attempts / slots


@dataclass(frozen=True, slots=True)
class Conditions:
    """Inputs of the TCP models, measured for one flow of a run."""

    loss: float
    """Loss events (fast retransmits and timeouts) per segment sent."""
    rtt_s: float
    """Mean round-trip time, seconds."""
    timeout_s: float
    """First retransmission timeout, seconds: the minimum RTO or twice the round-trip time, whichever is larger."""
    b: float
    """Segments per acknowledgment."""
    max_window: float
    """Window limit of receiver and sender, segments, whichever is smaller."""


MODELS: dict[str, Callable[[Conditions], float]] = {
    "mathis": lambda met: mathis(met.loss, met.rtt_s, b=met.b),
    "pftk": lambda met: pftk(met.loss, met.rtt_s, met.timeout_s, b=met.b, max_window=met.max_window),
    "cubic": lambda met: cubic(met.loss, met.rtt_s),
}
"""Models of a TCP flow, by name; each function returns a rate in segments per second."""

NAMES = (*MODELS, "bianchi")
"""Names of all models to which a run can be compared: the TCP models, and ``bianchi`` for saturated stations."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """A flow's measured goodput beside a model's prediction."""

    flow: str
    """Name of the flow."""
    model: str
    """Name of the model, one of `NAMES`."""
    predicted_bps: float
    """Goodput that the model predicts, bit/s."""
    measured_bps: float
    """Measured goodput of the flow, bit/s."""
    loss: float | None
    """Loss events per segment sent, an input of the model; None for `bianchi`."""
    rtt_s: float | None
    """Mean round-trip time, seconds, an input of the model; None for `bianchi`."""

    @property
    def residual(self) -> float:
        """Measured goodput divided by the predicted one, minus 1; +0.1 means 10 % more than the model."""
        return self.measured_bps / self.predicted_bps - 1


def predictions(
    summary: Mapping[str, Any], described: Mapping[str, Any], models: Iterable[str] = ()
) -> list[Prediction]:
    """Return models' predictions for the flows of a run.

    TCP models use the flow's measured loss rate and round-trip time; flows without a loss event are left out.
    ``bianchi`` applies only to flows of saturated stations; other flows are left out.

    Args:
        summary: Summary of the run (`Run.summary`).
        described: Scenario of the run with all parameters (`Scenario.describe`).
        models: Names from `NAMES`; all models if empty.

    Raises:
        UserError: If there is no such model.
    """
    names = list(models) or list(NAMES)
    for name in names:
        if name not in NAMES:
            raise UserError(f"there is no model {name!r}{choices(name, NAMES)}")
    shares = _saturated(summary, described) if "bianchi" in names else {}
    found: list[Prediction] = []
    for flow, given in zip(summary["flows"], described["flow"], strict=True):
        name, measured = str(flow["name"]), flow["goodput_bps"]
        met = conditions(flow, given)
        for model in names:
            if model == "bianchi" and name in shares:
                found.append(Prediction(name, model, shares[name], measured, None, None))
            elif model in MODELS and met is not None:
                rate = 8 * _core.size_bytes(given["tcp"]["segment"]) * MODELS[model](met)
                found.append(Prediction(name, model, rate, measured, met.loss, met.rtt_s))
    return found


def _saturated(summary: Mapping[str, Any], described: Mapping[str, Any]) -> dict[str, float]:
    """Return the goodput, bit/s, that `bianchi` predicts for each flow of saturated stations, by flow name.

    The stations of the network must send single frames at one rate without RTS. Each sending station must have one UDP
    flow at a constant rate, with packets of one size, and must have lost packets at its full queue. The model has no
    hidden stations and no capture: their effect shows in the residual.
    """
    found: dict[str, float] = {}
    for network in described.get("wifi", []):
        sending = {
            str(one["station"]): one["lost_queue_packets"]
            for one in summary["stations"]
            if one["network"] == network["name"] and one["data_frames"]
        }
        flows = [one for one in described["flow"] if one["from"] in sending]
        udp = [one["traffic"] for one in flows if one["traffic"].get("transport") == "udp"]
        sizes = {_udp_bytes(one) for one in udp}
        if not all(sending.values()) or len(sizes) != 1 or not len(flows) == len(udp) == len(sending):
            continue
        payload, packet = sizes.pop()
        times = _times(network, packet)
        if times is not None and {str(one["from"]) for one in flows} == set(sending):
            share = bianchi(len(sending), 8 * payload, times) / len(sending)
            found |= {str(one["name"]): share for one in flows}
    return found


def _udp_bytes(traffic: Mapping[str, Any]) -> tuple[int, int]:
    """Return payload and IP packet size of a described UDP flow, bytes; zeros if the sizes vary."""
    if traffic["kind"] != "cbr":
        return 0, 0
    payload = _core.size_bytes(traffic["packet"])
    return payload, payload + _core.size_bytes(traffic["header"])


def _times(network: Mapping[str, Any], packet: int) -> Dcf | None:
    """Return a described 802.11 network's DCF parameters for packets of `packet` bytes; None if unsupported."""
    plain = network["standard"] in ("b", "g", "a") and network["rate_control"]["kind"] == "constant"
    if not plain or packet == 0 or _core.size_bytes(network["rts_threshold"]) <= packet:
        return None
    rate = _core.bits_per_second(network["rate"])
    answer = max(
        [one for one in map(_core.bits_per_second, network["response_rates"]) if one <= rate], default=None
    )
    times = Dcf.of(network["standard"], rate, packet, answer_bps=answer)
    return replace(
        times, cw_min=network["cw_min"], cw_max=network["cw_max"], attempts=network["short_retry_limit"]
    )


def conditions(flow: Mapping[str, Any], given: Mapping[str, Any]) -> Conditions | None:
    """Return the model inputs for a flow of a summary; None without TCP, loss events or RTT samples.

    `given` is the flow's described table.
    """
    events = (flow.get("fast_retransmits") or 0) + (flow.get("timeouts") or 0)
    if "tcp" not in given or not events or not flow.get("sampled_rtt_mean_s"):
        return None
    tcp = given["tcp"]
    by_acks = tcp["ack_counting"] == "acks" and not tcp["avoidance_by_segments"]
    delayed = tcp["delayed_ack"] is not False and by_acks
    return Conditions(
        loss=events / flow["sent_packets"],
        rtt_s=flow["sampled_rtt_mean_s"],
        timeout_s=max(_core.seconds(tcp["min_rto"]), 2 * flow["sampled_rtt_mean_s"]),
        b=2.0 if delayed else 1.0,
        max_window=window_limit(tcp),
    )


def window_limit(tcp: Mapping[str, Any]) -> float:
    """Return the window limit in a flow's described ``tcp`` table, segments: the smallest of its limits."""
    return _window_limit(tcp["segment"], tcp["max_window"], tcp["receive_window"])


@lru_cache(maxsize=256)
def _window_limit(segment_size: str, max_window: float | str, receive_window: float | str) -> float:
    segment = _core.size_bytes(segment_size)
    return min(_segments(max_window, segment), _segments(receive_window, segment))


def _segments(window: object, segment: int) -> float:
    if isinstance(window, int | float):
        return float(window)
    return math.inf if window == "unlimited" else _core.size_bytes(str(window)) // segment
