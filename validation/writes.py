"""Compares TCP fed by a CBR application, and TCP with other decrease factors, with ns-2 packet by packet.

In most cases a CBR source feeds ns-2's agent (NewReno, in one case each Reno and SACK), with and without losses, below
and above the rate of the path. The cases with k set `decrease_num_` to k, from 0.1 to 0.9, with a CBR source or FTP;
there listed losses or an overflowing queue reduce the window.
"""

from __future__ import annotations

from collections.abc import Iterator

from validation import ns2, ours, scenarios, traces
from validation.check import Check

GROUP = "Applications over TCP, and the decrease factor"
FACTORS = (0.1, 0.3, 0.5, 0.7, 0.9)
SHORT = {"queue": 8, "access_mbps": 10.0, "access_delay_ms": 2.0}


def case(**what: object) -> ns2.Dumbbell:
    """Return a CBR source of 300 kb/s over a path of 1 Mb/s; keyword arguments replace fields of `ns2.Dumbbell`."""
    basic = {"variants": ("newreno",), "starts_s": (1.0,), "rate_mbps": 1.0, "delay_ms": 20.0, "queue": 20}
    return ns2.Dumbbell(**{**basic, "stop_s": 20.37, "cbr_kbps": 300.0, **what})  # type: ignore[arg-type]


def cases() -> Iterator[tuple[str, ns2.Dumbbell]]:
    """Yield name and dumbbell of every case."""
    some = (50, 300, 301, 302, 700, 1200)
    regular = tuple(range(37, 2000, 97))
    yield "300 kb/s", case()
    yield "300 kb/s, losses", case(drops=(30, 90, 91, 200))
    yield "300 kb/s in writes of 2500 B", case(write=2500)
    yield "300 kb/s in writes of 400 B, padded", case(write=400)
    yield "1.5 Mb/s into 1 Mb/s", case(cbr_kbps=1500.0)
    yield "950 kb/s, Reno", case(cbr_kbps=950.0, variants=("reno",), drops=regular)
    yield "950 kb/s, SACK", case(cbr_kbps=950.0, variants=("sack",), drops=regular)
    for factor in FACTORS:
        yield f"1.5 Mb/s, losses, k = {factor}", case(cbr_kbps=1500.0, drops=some, decrease=factor)
        yield f"950 kb/s, losses, k = {factor}", case(cbr_kbps=950.0, drops=regular, decrease=factor)
        yield f"1.5 Mb/s, queue of 8, k = {factor}", case(cbr_kbps=1500.0, decrease=factor, **SHORT)
        yield f"FTP, queue of 8, k = {factor}", case(cbr_kbps=0.0, decrease=factor, **SHORT)


def compare(one: ns2.Dumbbell) -> tuple[int, traces.Difference | None]:
    """Return the number of ns-2's packet events, and the first difference between ns-2's trace and ours."""
    theirs = ns2.run_dumbbell(one, packets=True).events
    mine = ours.run(scenarios.dumbbell(one), traces=["segments"]).events()
    return len(theirs), traces.first_difference(theirs, mine, end_s=one.stop_s)


def checks() -> list[Check]:
    """Compare each case with ns-2, which is run here; skipped without ns-2."""
    if not ns2.available():
        return [Check(GROUP, "all", "ns-2", "it is not installed", None)]
    found = []
    for name, one in cases():
        events, difference = compare(one)
        measured = f"{events} events equal"
        passed: bool | None = True
        if difference is not None:
            last = difference.theirs or difference.ours
            at = f"{last.time_s:.3f} s" if last else "the end"
            # The order of simultaneous events depends on the rounding of ns-2's clock, so a tie is not judged.
            passed = None if difference.tie else False
            measured = (
                f"equal until a tie at {at}" if difference.tie else f"{difference.what} differs at {at}"
            )
        detail = difference.report() if difference else ""
        found.append(Check(GROUP, name, "every packet as ns-2's (run here)", measured, passed, detail))
    return found
