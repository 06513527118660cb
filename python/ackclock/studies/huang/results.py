"""The study's results by point, and comparisons with ns-2's results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import ackclock.study as st
from ackclock.studies.huang import peer
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.experiments import EXPERIMENTS

OPEN: Final = ("open_d1", "open_r1")
NARROW: Final = ("narrow_d1", "narrow_r1")

_PLACE: Final = {e.key: e.place for e in EXPERIMENTS}


def place(experiment: str, x: float) -> str:
    """Return a description of a point in words."""
    return f"{_PLACE[experiment]}, {100 * x:g} %" if x else ""


def after_2s(time_s: float) -> bool:
    """Return true if a bin that ends at `time_s` ends after the first 2 s, in which flows start."""
    return time_s > 2


class Results(st.Results):
    """The data by experiment, error rate and curve; by default of runs with jittered starts and with timestamps."""

    def __init__(self, data: st.StudyData) -> None:
        super().__init__(data, k.CURVES)
        labels = ("experiment", "x", "curve", "timestamps", "together", "flow")
        rates = {"kbps": "delivered_bps", "goodput_kbps": "goodput_bps"}
        self.flows = data.values(
            "flows", *labels, **{name: st.divided(of, 1e3) for name, of in rates.items()}
        )
        bins = ("experiment", "curve", "together", "flow")
        self.bins = data.values("samples", *bins, kbps=st.divided("received_bps", 1e3))
        estimates = data.values("estimates", *bins[:3], bandwidth_kbps=st.divided("bandwidth_bps", 1e3))
        self.estimates = estimates.only(together=False)

    def has(self, experiment: str, x: float | None = None) -> bool:
        """Return true if the experiment was run; if `x` is given, true if it was run at this error rate."""
        xs = self.xs(experiment)
        return bool(xs) if x is None else x in xs

    def xs(self, experiment: str) -> list[float]:
        """Return the error rates that were run, ascending."""
        return sorted(self.flows.labels(1, experiment))

    def points(self, experiments: Iterable[str]) -> list[tuple[str, float]]:
        """Return the pairs (experiment, error rate) that were run."""
        return [(experiment, x) for experiment in experiments for x in self.xs(experiment)]

    def of(
        self,
        column: str,
        experiment: str,
        x: float,
        curve: str,
        flow: int = 0,
        *,
        timestamps: bool = True,
        together: bool = False,
    ) -> list[float]:
        """Return a column of one flow (by default the first) in each run, by ascending seed."""
        return self.flows.of(column, experiment, x, curve, timestamps, together, flow)

    def kbps(
        self, experiment: str, x: float, curve: str, flow: int = 0, *, together: bool = False
    ) -> list[float]:
        """Return the throughput of a flow in each run by ascending seed, kb/s."""
        return self.of("kbps", experiment, x, curve, flow, together=together)

    def interval(self, experiment: str, x: float, curve: str) -> st.Interval:
        """Return the mean throughput of the first flow with its interval, kb/s."""
        return st.interval(self.kbps(experiment, x, curve))

    def above(self, experiment: str, x: float, winner: str, rival: str) -> st.Ratio:
        """Return the difference winner - rival of throughputs, paired by seed, in percent of the rival's mean."""
        return st.percent_above(self.kbps(experiment, x, winner), self.kbps(experiment, x, rival))

    def ratio(self, experiment: str, x: float, curve: str, base: str) -> st.Ratio:
        """Return the ratio of the mean throughputs of `curve` and `base`, paired by seed."""
        return st.ratio_of_means(self.kbps(experiment, x, curve), self.kbps(experiment, x, base))

    def streams(
        self, experiment: str, curve: str, *, timestamps: bool = True, together: bool = False
    ) -> list[tuple[float, ...]]:
        """Return for each run without errors the throughputs of all flows, bit/s."""
        at = (experiment, 0.0, curve, timestamps, together)
        every = [self.flows.of("delivered_bps", *at, flow) for flow in self.flows.labels(5, *at)]
        return list(zip(*every, strict=True))

    def jain(
        self, experiment: str, curve: str, *, timestamps: bool = True, together: bool = False
    ) -> list[float]:
        """Return Jain's index of the flows' throughputs in each run."""
        return [
            st.jain(run) for run in self.streams(experiment, curve, timestamps=timestamps, together=together)
        ]

    def left(self, experiment: str, curve: str) -> list[list[float]]:
        """Return the capacity that UDP flows leave to TCP, as payload in kb/s: per run, a list with a value per bin."""
        streams = [flow for flow in self.bins.labels(3, experiment, curve, False) if flow > 0]
        every = [self.bins.runs("kbps", experiment, curve, False, flow) for flow in streams]
        return [
            [(1000 * k.MIDDLE_MBPS - sum(udp)) * k.PAYLOAD for udp in zip(*runs, strict=True)]
            for runs in zip(*every, strict=True)
        ]

    def estimate(self, experiment: str, curve: str) -> list[float]:
        """Return each run's mean estimate of the bandwidth from 2 s on, kb/s."""
        times = self.estimates.runs("time_s", experiment, curve)[0]
        return _means(times, self.estimates.runs("bandwidth_kbps", experiment, curve), after_2s)

    def misjudged(self, experiment: str, curve: str) -> list[float]:
        """Return each run's mean absolute error of the estimated bandwidth from 2 s on, compared with `left`, kb/s."""
        runs = zip(
            self.estimates.runs("bandwidth_kbps", experiment, curve),
            self.left(experiment, curve),
            strict=True,
        )
        errors = [[abs(a - b) for a, b in zip(own, left, strict=True)] for own, left in runs]
        return _means(self.estimates.runs("time_s", experiment, curve)[0], errors, after_2s)

    def rates(
        self,
        experiment: str,
        curve: str,
        within: Callable[[float], bool],
        flow: int = 0,
        *,
        together: bool = False,
    ) -> list[float]:
        """Return each run's mean throughput of a flow over the bins whose end (s) `within` accepts, kb/s."""
        at = (experiment, curve, together, flow)
        return _means(self.bins.runs("time_s", *at)[0], self.bins.runs("kbps", *at), within)

    def peer(
        self, experiment: str, x: float, curve: str, quantity: str, *, together: bool = False
    ) -> st.Interval | None:
        """Return ns-2's value of a quantity; None if ns-2 has no such value or a user changed the scenario."""
        stamps = peer.timestamps(experiment, curve)
        at = (experiment, x, curve, stamps, together)
        return (
            None if self.flows.altered(*at) else peer.value(experiment, x, curve, quantity, together=together)
        )

    def comparisons(self) -> list[st.Comparison]:
        """Return a comparison for each of ns-2's values, with our runs that have the same starts and timestamps."""
        out = []
        for p, theirs in peer.points().items():
            if not self.has(p.experiment, p.x):
                continue
            how: dict[str, Any] = {"timestamps": p.timestamps, "together": p.together}
            if p.quantity == "jain":
                # The last number is the unit to which ns-2's stored results are rounded.
                ours, within = self.jain(p.experiment, p.variant, **how), (k.AGREE_JAIN, 1e-6)
            else:
                flow = 0 if p.quantity == "goodput_kbps" else 1
                ours, within = self.of("goodput_kbps", *p[:3], flow, **how), (k.AGREE_WITHIN, 0.001)
            key = p.experiment + (", Reno" if p.quantity == "competitor_kbps" else "")
            at = (key + (", together" if p.together else ""), p.x, p.variant)
            altered = bool(self.flows.altered(*p[:3], p.timestamps, p.together))
            out.append(st.compare(at, st.interval(ours), theirs, *within, altered=altered))
        return out


def _means(
    times: Sequence[float], runs: Iterable[Sequence[float]], within: Callable[[float], bool]
) -> list[float]:
    """Return each run's mean over the bins whose end (s) `within` accepts."""
    return [st.mean([value for t, value in zip(times, run, strict=True) if within(t)]) for run in runs]


_COMPARED: Final = {
    "open_d1": "4, 5: errors on R1-D1",
    "narrow_r1": "6, 7: errors on R0-R1",
    "narrow_d1": "6, 7: errors on R1-D1",
    "friendliness": "10: variant, jittered",
    "friendliness, Reno": "10: Reno beside it, jittered",
    "friendliness, together": "10: variant, together",
    "friendliness, Reno, together": "10: Reno beside it, together",
    "hybrid, together": "9: over 802.11, no jitter",
    "pulse, together": "on-off test, no jitter",
    "fairness": "11: Jain, jittered",
    "fairness, together": "11: Jain, together",
}
"""Short names of the sweeps that are compared with ns-2, by key; a name has the figure's number and the quantity."""


NS2: Final = st.Peer(
    name="ns-2",
    sweeps=_COMPARED,
    place=lambda c: f"{100 * c.x:g} %" if c.x else "",
    point=lambda c: f"{_COMPARED[c.experiment]}{f', {100 * c.x:g} %' if c.x else ''}",
    variants=k.SHORT,
    causes=k.TEXT.causes(reno=lambda c: c.variant in ("reno", "newreno", "sack")),
    digits=3,
)
"""ns-2, the simulator with whose results ours are compared.

The causes of differences were found by running ns-2.35 again."""
