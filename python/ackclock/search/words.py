"""Accounts of findings in sentences: the path, the disturbances, and the reaction of the sender."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ackclock.search.case import PACKET, Burst, Case, DelayChange, Drop, Part, RateChange, Rival, Spike, area
from ackclock.search.measures import ideal_bps, shares

if TYPE_CHECKING:
    from ackclock.runs.run import Run
    from ackclock.search.outcomes import Outcome
    from ackclock.search.trials import Trials

__all__ = ["Account", "account", "disturbances"]


@dataclass(frozen=True)
class Account:
    """Values and sentences about one candidate.

    Attributes:
        goodput_bps: Goodput of each flow of the subject.
        ideal_bps: Goodput of an ideal sender in place of each.
        quiet_harm: Harm on the same path without the disturbances.
        timeouts: Retransmission timeouts of flow 0.
        silence_s: Longest time in which no new data of flow 0 was acknowledged, s.
        silence_from_s: Beginning of that time, s.
        late_window: Mean congestion window of flow 0 in the second half of the run, segments; None if it shows none.
        sentences: The path, the disturbances and the reaction, in sentences.
    """

    goodput_bps: tuple[float, ...]
    ideal_bps: tuple[float, ...]
    quiet_harm: float
    timeouts: int
    silence_s: float
    silence_from_s: float
    late_window: float | None
    sentences: tuple[str, ...]


def account(trials: Trials, case: Case) -> Account:
    """Run a candidate with its packets, and the same path without disturbances, and describe what happens."""
    outcome = trials.outcomes([case])[0]
    quiet_case = case.with_parts(())
    quiet_outcome = trials.outcomes([quiet_case])[0]
    run = case.scenario(trials.subject).run(seed=case.seed, traces=["segments", "cwnd"])
    silence, window = _silence(run, case), _late_window(run, case)
    ideals = tuple(ideal_bps(case, outcome, i) for i in case.own)
    quiet = trials.measure.harm(quiet_case, quiet_outcome)
    sentences = [
        *_setting(case),
        _result(trials, case, outcome),
        *_reaction(outcome, silence, case),
        *_window(window, case),
        *_without(trials, case, quiet_outcome),
    ]
    return Account(
        goodput_bps=tuple(float(outcome.flows[i]["goodput_bps"]) for i in case.own),
        ideal_bps=ideals,
        quiet_harm=quiet,
        timeouts=int(outcome.flows[0]["timeouts"] or 0),
        silence_s=silence[1] - silence[0],
        silence_from_s=silence[0],
        late_window=window,
        sentences=tuple(sentences),
    )


def _setting(case: Case) -> Iterator[str]:
    path = case.path
    yield (
        f"The path has {_rate(path.rate_bps)}, a round trip of {_time(path.rtt_s)} and a queue of "
        f"{path.queue_packets} packets."
    )
    yield from disturbances(case.parts)


def disturbances(parts: Sequence[Part]) -> Iterator[str]:
    """Yield a sentence for each kind of disturbance."""
    drops = sorted({part.packet for part in parts if isinstance(part, Drop)})
    if drops:
        verb = "is" if len(drops) == 1 else "are"
        noun = "Packet" if len(drops) == 1 else "Packets"
        yield f"{noun} {_listed([str(one) for one in drops])} of the flow {verb} lost (counted from 0)."
    for part in parts:
        if isinstance(part, RateChange):
            yield f"At {_time(part.at_s)} the rate of the link becomes {_rate(part.rate_bps)}."
        elif isinstance(part, DelayChange):
            yield f"At {_time(part.at_s)} the route changes, and the round trip becomes {_time(part.rtt_s)}."
        elif isinstance(part, Spike):
            yield (
                f"For {_time(part.length_s)} from {_time(part.at_s)} on, packets take {_time(part.extra_s)} longer."
            )
        elif isinstance(part, Burst):
            mean = part.rate_bps * part.on_s / part.period_s
            yield (
                f"From {_time(part.start_s)} on, cross traffic sends bursts of {_time(part.on_s)} at "
                f"{_rate(part.rate_bps)}, one every {_time(part.period_s)} ({_rate(mean)} on average)."
            )
        elif isinstance(part, Rival):
            extra = f" with a round trip longer by {_time(part.extra_rtt_s)}" if part.extra_rtt_s else ""
            yield f"A second flow of the same kind starts at {_time(part.start_s)}{extra}."


def _result(trials: Trials, case: Case, outcome: Outcome) -> str:
    name = trials.subject.label
    if len(case.own) > 1:
        parts = [
            f"{_rate(float(outcome.flows[i]['goodput_bps']))} of {_rate(ideal_bps(case, outcome, i))}"
            for i in case.own
        ]
        return f"The flows of {name} get {_listed(parts)} that would be an even share."
    share = shares(case, outcome)[0]
    got, ideal = float(outcome.flows[0]["goodput_bps"]), ideal_bps(case, outcome)
    text = f"In {_time(case.duration_s)} {name} gets {_rate(got)} of the {_rate(ideal)} that are free ({share:.0%})"
    if trials.measure.name == "delay":
        return f"{text}, and packets wait {_time(outcome.queue_delay_s)} in the queue on average."
    if trials.measure.name == "loss":
        return f"{text}, and the full queue drops {trials.measure.harm(case, outcome):.1%} of its packets."
    return f"{text}."


def _reaction(outcome: Outcome, silence: tuple[float, float], case: Case) -> Iterator[str]:
    timeouts = int(outcome.flows[0]["timeouts"] or 0)
    if timeouts:
        yield f"The sender has {timeouts} timeout{'s' if timeouts > 1 else ''}."
    length = silence[1] - silence[0]
    if length >= max(10 * case.path.rtt_s, 0.5):
        until = "the end" if silence[1] >= case.duration_s else _time(silence[1])
        yield f"From {_time(silence[0])} to {until} no new data are acknowledged."


def _window(window: float | None, case: Case) -> Iterator[str]:
    held = case.capacity_bits(case.duration_s / 2) / (case.duration_s / 2) * case.late_rtt_s / (8 * PACKET)
    if window is not None and len(case.own) == 1:
        yield (
            f"In the second half of the run its window is {window:.3g} on average; the path holds {held:.3g} packets "
            "without a queue."
        )


def _without(trials: Trials, case: Case, quiet: Outcome) -> Iterator[str]:
    if case.parts:
        alone = case.with_parts(())
        got = _rate(float(quiet.flows[0]["goodput_bps"]))
        extra = {
            "delay": f", and packets wait {_time(quiet.queue_delay_s)}",
            "loss": f", and {trials.measure.harm(alone, quiet):.1%} are dropped",
        }.get(trials.measure.name, "")
        what = "the second flow" if case.rivals else "this"
        yield f"Without {what} it gets {got}{extra}."


def _silence(run: Run, case: Case) -> tuple[float, float]:
    """Return begin and end of the longest time in which no new data of flow 0 was acknowledged, s."""
    table = run.trace("segments").to_polars()
    acks = table.filter((table["flow"] == 0) & (table["event"] == "ack"))
    highest = acks["seq"].cum_max()
    times = acks["time_s"].filter(highest.diff().fill_null(1) > 0).to_list()
    edges = [0.0, *times, case.duration_s]
    gaps = [(after - before, before) for before, after in pairwise(edges)]
    length, begin = max(gaps, key=lambda gap: (gap[0], -gap[1]))
    return begin, begin + length


def _late_window(run: Run, case: Case) -> float | None:
    """Return the mean congestion window of flow 0 in the second half of the run, segments."""
    table = run.trace("cwnd").to_polars()
    rows = table.filter((table["flow"] == 0) & (table["variable"] == "cwnd"))
    if rows.is_empty():
        return None
    changes = list(zip(rows["time_s"].to_list(), rows["value"].to_list(), strict=True))
    half_s = case.duration_s / 2
    return area(0.0, changes, half_s, case.duration_s) / half_s


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _rate(rate_bps: float) -> str:
    if rate_bps >= 1e6:
        return f"{rate_bps / 1e6:.3g} Mb/s"
    return f"{rate_bps / 1e3:.3g} kb/s"


def _time(time_s: float) -> str:
    return f"{time_s:.3g} s" if time_s >= 1 or time_s == 0 else f"{time_s * 1e3:.3g} ms"
