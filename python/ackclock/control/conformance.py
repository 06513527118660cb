"""Checks a user-defined congestion control against the rules that the built-in ones obey (``ackclock check-cc``).

The rules are checked on random paths and on two fixed paths. A path is a link, a transfer over it, and a list of
events: lost packets, outages, changes of rate and delay. A violation is described in a sentence, together with the
smallest path found that shows it.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ackclock.errors import ControlError
from ackclock.runs.run import Run
from ackclock.scenario.scenario import Document, Scenario

LIMIT_S = 3000
"""Simulated time after which a transfer on a random path counts as stalled, seconds. Transfers that make progress end
earlier, even if the RTO is backed off repeatedly."""

LEAST_SSTHRESH = 2.0
"""Minimum slow-start threshold, segments (RFC 5681, equation 4)."""

ENDLESS = 1 << 40
"""Size of a transfer that never ends within a run, bytes."""

MOST_LOST = 0.1
"""Maximum loss ratio of a control after its path has become slow; built-in controls lose at most 4 %."""

MOST_OPEN = 20
"""Segments by which a window may exceed twice the segments sent in the whole run; covers the initial window
(RFC 6928)."""

LEAST_KEPT = 0.5
"""Minimum share of its goodput that a control must keep when up to 5 % is added to the round-trip time at random;
built-in controls keep 90 %."""


@dataclass(frozen=True)
class Event:
    """An event on a path, such as a lost packet or a change of rate."""

    kind: str
    at: int
    """Packet number (data, ack), time in ms (down, rate, delay), or affected packets per thousand (overtaken, twice).
    """
    value: int = 0
    """Duration or delay in ms, or rate in units of 10 kb/s; depends on `kind`."""

    def __str__(self) -> str:
        """Describe the event in words."""
        return {
            "data": f"data packet {self.at} is lost",
            "ack": f"acknowledgment {self.at} is lost",
            "down": f"the link is down from {self.at / 1000:g} s for {self.value / 1000:g} s",
            "rate": f"the rate becomes {self.value / 100:g} Mb/s at {self.at / 1000:g} s",
            "overtaken": f"{self.at} of 1000 packets are held back for {self.value} ms",
            "twice": f"{self.at} of 1000 packets arrive twice",
            "delay": f"the one-way delay becomes {self.value} ms at {self.at / 1000:g} s",
        }[self.kind]


@dataclass(frozen=True)
class Path:
    """A test path: a link, a transfer over it, and events."""

    rate: int
    """Rate in units of 10 kb/s."""
    delay_ms: int
    queue: int
    """Queue limit, packets."""
    size: int
    """Size of the transfer, bytes."""
    events: tuple[Event, ...] = ()

    def __str__(self) -> str:
        """Describe the path in words, one line per event."""
        link = f"{self.rate / 100:g} Mb/s, {self.delay_ms} ms one way, a queue of {self.queue} packets"
        head = f"{'an endless transfer' if self.size == ENDLESS else f'{self.size} bytes'} over {link}"
        return "\n".join([head, *(f"  {one}" for one in self.events)])

    def scenario(self, variant: str) -> Scenario:
        """Return a scenario with one flow of this variant on the path."""
        changes: list[Document] = []
        for one in self.events:
            at, name = f"{one.at}ms", "link.path"
            if one.kind == "down":
                changes.append({"at": at, "set": f"{name}.up", "to": False})
                changes.append({"at": f"{one.at + one.value}ms", "set": f"{name}.up", "to": True})
            elif one.kind == "rate":
                changes.append({"at": at, "set": f"{name}.rate", "to": f"{one.value * 10}kbps"})
            elif one.kind == "delay":
                changes.append({"at": at, "set": f"{name}.delay", "to": f"{one.value}ms"})
        lost = {
            end: sorted({one.at for one in self.events if one.kind == kind})
            for kind, end in (("data", "b"), ("ack", "a"))
        }
        impaired: Document = {}
        for one in self.events:
            if one.kind == "overtaken":
                impaired["reorder"] = {"rate": one.at / 1000, "delay": f"{one.value}ms"}
            elif one.kind == "twice":
                impaired["duplicate"] = {"rate": one.at / 1000}
        return Scenario(
            {
                "duration": f"{LIMIT_S}s",
                "link": [
                    {
                        "name": "path",
                        "between": ["a", "b"],
                        "rate": f"{self.rate * 10}kbps",
                        "delay": f"{self.delay_ms}ms",
                        "queue": {"kind": "droptail", "packets": self.queue},
                        "loss": [
                            {"kind": "list", "toward": end, "packets": packets, "at": "entry"}
                            for end, packets in lost.items()
                            if packets
                        ],
                        **impaired,
                    }
                ],
                "flow": [
                    {
                        "name": "tested",
                        "from": "a",
                        "to": "b",
                        "traffic": {"kind": "ftp", "size": f"{self.size}B"},
                        "tcp": {"variant": variant},
                    }
                ],
                "event": changes,
            }
        )


@dataclass(frozen=True)
class Violation:
    """A violated rule, with the smallest path found that shows the violation."""

    rule: str
    said: str
    path: Path | None = None


def drawn(seed: int, number: int) -> Path:
    """Return a random path; it depends only on seed and number."""
    draw = random.Random(f"{seed} {number}")
    events = [*_losses(draw), *_changes(draw)]
    path = Path(
        rate=draw.choice([50, 100, 200, 500, 1000]),
        delay_ms=draw.choice([1, 5, 20, 50, 150]),
        queue=draw.choice([2, 5, 10, 30, 100]),
        size=draw.randrange(1, 300_000),
    )
    return replace(path, events=(*events, *_impairments(draw)))


def _losses(draw: random.Random) -> Iterator[Event]:
    for kind in ("data", "ack"):
        for _ in range(draw.choice([0, 0, 1, 2, 5, 20])):
            yield Event(kind, draw.randrange(250))
    if draw.random() < 0.3:  # a burst of losses
        first = draw.randrange(200)
        yield from (Event("data", first + i) for i in range(draw.randrange(2, 30)))


def _changes(draw: random.Random) -> Iterator[Event]:
    if draw.random() < 0.2:
        yield Event("down", draw.randrange(3000), draw.randrange(10, 1500))
    if draw.random() < 0.2:
        yield Event("rate", draw.randrange(3000), draw.choice([20, 100, 1000]))
    if draw.random() < 0.2:
        yield Event("delay", draw.randrange(3000), draw.choice([1, 30, 200]))


def _impairments(draw: random.Random) -> Iterator[Event]:
    if draw.random() < 0.25:
        yield Event("overtaken", draw.choice([10, 100, 300]), draw.choice([1, 10, 60]))
    if draw.random() < 0.15:
        yield Event("twice", draw.choice([10, 200]))


Rule: TypeAlias = Callable[[str, Path], str | None]
"""A rule: takes variant and path; returns a sentence that describes the violation, or None."""


def sound(variant: str, path: Path) -> str | None:
    """Check that windows stay within bounds and that the control raises no exception."""
    run = _run(variant, path)
    if isinstance(run, str):
        return run
    trace = run.trace("cwnd").to_polars()
    low = trace.filter((trace["variable"] == "ssthresh") & (trace["value"] < LEAST_SSTHRESH))
    if low.height:
        at, value = low["time_s"][0], low["value"][0]
        return f"ssthresh is {value:g} segments at {at:g} s; RFC 5681 has at least {LEAST_SSTHRESH:g}"
    sent = run.summary["flows"][0]["sent_packets"]
    high = trace.filter((trace["variable"] == "cwnd") & (trace["value"] > 2 * sent + MOST_OPEN))
    if high.height:
        at, value = high["time_s"][0], high["value"][0]
        return f"cwnd is {value:g} segments at {at:g} s; {sent} were sent in all, and a window may open by two for each"
    return None


def delivers(variant: str, path: Path) -> str | None:
    """Check that the transfer delivers all bytes within `LIMIT_S`."""
    run = _run(variant, path)
    if isinstance(run, str) or run.summary["flows"][0]["fct_s"] is not None:
        return None  # `sound` reports exceptions.
    flow = run.summary["flows"][0]
    cwnd = run.trace("cwnd").to_polars().filter(variable="cwnd")
    left = f"{cwnd['value'][-1]:g} segments since {cwnd['time_s'][-1]:g} s" if cwnd.height else "never open"
    return (
        f"stalls: {flow['acked_bytes']} of {path.size} bytes are acknowledged after {LIMIT_S} s "
        f"(the window is {left}, {flow['timeouts']} timeouts)"
    )


def repeats(variant: str, path: Path) -> str | None:
    """Check that repeating a run gives the same packets."""
    first, second = (_run(variant, path) for _ in range(2))
    if isinstance(first, str) or isinstance(second, str):
        return None
    if first.summary_json == second.summary_json:
        return None
    a, b = (json.loads(one.summary_json)["flows"][0] for one in (first, second))
    key = next((key for key in ("sent_packets", *a) if a[key] != b[key]), "events")
    return (
        f"two runs of one seed differ: {key} is {a.get(key)} and then {b.get(key)}; draw from self.rng, "
        "and keep state in the object rather than in the class"
    )


RULES: dict[str, Rule] = {
    "windows within bounds": sound,
    "no stall": delivers,
    "deterministic": repeats,
}
"""Rules checked on every random path, by name."""


FIXED = ("reacts to congestion", "does not react to noise")
"""Names of the rules that are each checked on one fixed path."""


def _run(variant: str, path: Path) -> Run | str:
    try:
        return path.scenario(variant).run(traces=["cwnd"])
    except ControlError as error:
        return str(error)


def smallest(variant: str, path: Path, rule: Rule) -> tuple[Path, str]:
    """Return the smallest path found that still violates the rule, with a description of the violation.

    The search removes events while the rule is still violated: first half of them at a time, then a quarter, down to
    single events. Then it halves the size of the transfer while the rule is still violated.
    """
    said = rule(variant, path) or ""
    part = max(len(path.events) // 2, 1)
    while part:
        at = 0
        while at < len(path.events):
            fewer = replace(path, events=path.events[:at] + path.events[at + part :])
            found = rule(variant, fewer)
            if found:
                path, said = fewer, found
            else:
                at += part
        part //= 2
    while path.size > 1:
        shorter = replace(path, size=path.size // 2)
        found = rule(variant, shorter)
        if not found:
            break
        path, said = shorter, found
    return path, said


def on_paths(
    variant: str, paths: Sequence[Path], progress: Callable[[int, int], None] = lambda _done, _all: None
) -> list[Violation]:
    """Return the first violation of each rule on the given paths, each reduced to a small path."""
    found: dict[str, Violation] = {}
    for number, path in enumerate(paths):
        for name, rule in RULES.items():
            if name not in found and rule(variant, path):
                small, said = smallest(variant, path, rule)
                found[name] = Violation(name, said, small)
        progress(number + 1, len(paths))
    return [found[name] for name in RULES if name in found]


def reacts(variant: str) -> Violation | None:
    """Return the violation if a control does not slow down when its path's rate falls to a tenth, else None."""
    import polars as pl

    rule = FIXED[0]
    path = Path(1000, 20, 50, ENDLESS, (Event("rate", 10_000, 100),))
    run = _measured(path.scenario(variant), "30s")
    if isinstance(run, str):
        return Violation(rule, run, path)
    late = run.trace("throughput").to_polars().filter(pl.col("time_s") >= 15.0)
    lost, arrived = int(late["lost_packets_total"].sum()), int(late["received_packets"].sum())
    share = lost / max(lost + arrived, 1)
    if share <= MOST_LOST:
        return None
    return Violation(
        rule,
        f"{share:.0%} of its packets are lost from 15 s to 30 s, after the rate fell to a tenth at 10 s; "
        f"a control may lose {MOST_LOST:.0%}",
        path,
    )


def ignores_noise(variant: str) -> Violation | None:
    """Return the violation if a control slows down although only its path's delay varies a little, else None."""
    rule = FIXED[1]
    path = Path(10_000, 20, 200, ENDLESS)
    document = path.scenario(variant).document()
    # The window limit keeps the load below the path's capacity, so the control's own queue adds no delay.
    document["flow"][0]["tcp"]["max_window"] = 40
    calm = Scenario(copy.deepcopy(document))
    document["link"][0]["jitter"] = {"kind": "uniform", "max": "2ms"}
    runs = [_measured(one, "20s") for one in (calm, Scenario(document))]
    for run in runs:
        if isinstance(run, str):
            return Violation(rule, run, path)
    before, after = (run.summary["flows"][0]["goodput_bps"] for run in runs if isinstance(run, Run))
    if after >= LEAST_KEPT * before:
        return None
    return Violation(
        rule,
        f"its goodput falls from {before / 1e6:.2f} to {after / 1e6:.2f} Mb/s if delays vary by 2 ms in 40 ms "
        f"and nothing is lost; a control keeps {LEAST_KEPT:.0%}",
        path,
    )


def _measured(scenario: Scenario, duration: str) -> Run | str:
    document: dict[str, Any] = scenario.document()
    document["flow"][0]["traffic"] = {"kind": "ftp"}
    try:
        return Scenario(document).run(duration, traces=["throughput"])
    except ControlError as error:
        return str(error)
