"""The study's results by point, and ns-2's results from the folder `reference/`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Final

import polars as pl

import ackclock.study as st
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.setups import BY_KEY, BY_PEER, EVERY_CUT, FOUND, RATES, Setup

QUANTITIES: Final = {"delay_ms": "delay", "jitter_ms": "jitter"}
"""Printed names of the quantities that are compared with ns-2, by column."""


CUTS: Final = ("fast_retransmits", "timeouts")
"""The columns that count window reductions."""


class Results(st.Results):
    """The data by network, number of nodes and k.

    Delays and jitter are in ms. `loss_percent` is the share of segments that never arrived, and `under_way_percent` the
    share of those that might have arrived after the run's end. `delivered_percent` is the delivered share of the
    applications' data, and `silent_percent` the share of flows that delivered no data. `cuts` and `timeouts_each` are
    fast retransmits and timeouts per flow. Videos have `decodable_percent`, `psnr_db` and `mos`.
    """

    def __init__(self, data: st.StudyData) -> None:
        super().__init__(data, k.VARIANTS)
        delivered = 100 * pl.col("delivered_writes") / pl.col("writes")
        paired = pl.col("setup").is_in([setup.key for setup in FOUND if setup.pairs])
        flows = pl.when(paired).then(pl.col("nodes") / 2).otherwise(pl.col("nodes"))
        self.runs = data.values(
            "runs",
            *("setup", "nodes", "k"),
            **{f"{name}_ms": 1e3 * pl.col(f"{name}_s") for name in ("delay", "jitter", "write_delay")},
            loss_percent=100 * pl.col("loss"),
            under_way_percent=100 * pl.col("under_way"),
            silent_percent=100 * pl.col("silent_flows") / flows,
            delivered_percent=pl.when(pl.col("writes") > 0).then(delivered).otherwise(0.0),
            cuts=pl.col("fast_retransmits") / flows,
            timeouts_each=pl.col("timeouts") / flows,
        )
        delays = {f"{name}_ms": 1e3 * pl.col(f"{name}_s") for name in ("delay", "jitter")}
        self.without_k = data.values("added", "setup", "nodes", "variant", **delays)
        """The results of variants that a user added, which have no k."""
        self.video = data.values(
            "video",
            *("setup", "nodes", "k"),
            decodable_percent=100 * pl.col("decodable_frames") / pl.col("frames"),
            complete_percent=100 * pl.col("complete_frames") / pl.col("frames"),
            psnr_db=pl.col("psnr_mean_db"),
            mos=pl.col("mos_mean"),
        )
        """EvalVid's results of the videos."""
        self.windows = data.values("windows", "k", "losses")
        """The windows by k and number of losses, segments."""
        self.setups: list[str] = self.runs.labels(0)
        """Keys of the networks that were run, in their order."""
        self.rates = tuple(setup.key for setup in (*RATES, *EVERY_CUT) if setup.key in self.setups)
        """Keys of the rates that were run: those with k scaling only some window reductions, then those with k scaling
        all."""
        self.found = tuple(setup.key for setup in FOUND if setup.key in self.setups)
        """Keys of the interpretations found after the results that were run."""
        self.columns = (*self.rates, *self.found)
        """Keys of the networks in the columns of verdicts."""

    def nodes(self, setup: str) -> list[int]:
        """Return the numbers of nodes that were run, ascending."""
        return sorted(self.runs.labels(1, setup))

    def ks(self, setup: str) -> list[float]:
        """Return the values of k that were run, ascending."""
        return sorted(self.runs.labels(2, setup))

    def sizes(self) -> Iterator[tuple[str, int]]:
        """Yield all pairs of network and number of nodes that were run."""
        return ((setup, n) for setup in self.setups for n in self.nodes(setup))

    def values(self, what: str, setup: str, nodes: int, factor: float) -> list[float]:
        """Return the values of column `what` at a point, one per run by ascending seed.

        A value is missing if no segment arrived in a run. A seed whose value is missing for one k is left out for all
        k, so that values of different k can be paired.
        """
        missing = self._missing(what, setup, nodes)
        return [value for seed, value in self._by_seed(what, setup, nodes, factor) if seed not in missing]

    def _by_seed(self, what: str, *point: object) -> list[tuple[int, float]]:
        return list(zip(self.runs.of("seed", *point), self.runs.of(what, *point), strict=True))

    def _missing(self, what: str, setup: str, nodes: int) -> set[int]:
        every = [pair for x in self.ks(setup) for pair in self._by_seed(what, setup, nodes, x)]
        return {seed for seed, value in every if value is None}

    def mean(self, what: str, setup: str, nodes: int, factor: float) -> float:
        """Return the mean of column `what` at a point."""
        return st.mean(self.values(what, setup, nodes, factor))

    def over_k(self, what: str, setup: str, nodes: int) -> float:
        """Return the mean of column `what` over all k."""
        return st.mean([self.mean(what, setup, nodes, factor) for factor in self.ks(setup)])

    def interval(self, what: str, setup: str, nodes: int, factor: float) -> st.Interval:
        """Return the mean of column `what` at a point with its interval."""
        return st.interval(self.values(what, setup, nodes, factor))

    def beside(self, what: str, setup: str, nodes: int, variant: str) -> st.Interval:
        """Return the mean of column `what` with its interval for a variant that a user added."""
        return st.interval([x for x in self.without_k.of(what, setup, nodes, variant) if x is not None])

    def effect(self, what: str, setup: str, nodes: int, low: float = 0.1, high: float = 0.9) -> st.Ratio:
        """Return the difference low k - high k of column `what`, paired by seed, in percent of the mean at high k."""
        return st.percent_above(*(self.values(what, setup, nodes, factor) for factor in (low, high)))

    def averaged(
        self, what: str, setup: str, factor: float, nodes: Sequence[int] | None = None
    ) -> list[float]:
        """Return for each seed column `what` averaged over numbers of nodes, by default all that were run.

        A seed whose value is missing for any of the numbers is left out.
        """
        sizes = self.nodes(setup) if nodes is None else nodes
        missing = {seed for n in sizes for seed in self._missing(what, setup, n)}
        by_seed: dict[int, list[float]] = {}
        for n in sizes:
            for seed, value in self._by_seed(what, setup, n, factor):
                if seed not in missing:
                    by_seed.setdefault(seed, []).append(value)
        return [st.mean(by_seed[seed]) for seed in sorted(by_seed)]

    def peer(self, setup: str, nodes: int, factor: float, quantity: str) -> st.Interval | None:
        """Return ns-2's result at a point; None if ns-2 has no such run or a user changed the scenario."""
        return None if self.runs.altered(setup, nodes, factor) else peer(setup, nodes, factor, quantity)

    def peer_effect(self, setup: str, nodes: int, quantity: str) -> float | None:
        """Return the effect of k in ns-2 (see `ns2_effect`); None if a user changed the scenario."""
        changed = any(self.runs.altered(setup, nodes, factor) for factor in (0.1, 0.9))
        return None if changed else ns2_effect(setup, nodes, quantity)

    def counts(self, columns: Iterable[str]) -> dict[int, list[str]]:
        """Return the networks `columns`, grouped by their number of runs per point."""
        found: dict[int, list[str]] = {}
        for setup in columns:
            seeds = {seed for at in self.runs if at[0] == setup for seed in self.runs.of("seed", *at)}
            found.setdefault(len(seeds), []).append(setup)
        return found

    def comparisons(self) -> list[st.Comparison]:
        """Return a comparison for each of ns-2's delays and jitters."""
        out = []
        for setup, n in self.sizes():
            for factor, quantity in product(self.ks(setup), QUANTITIES):
                theirs = peer(setup, n, factor, quantity)
                if theirs is not None:
                    at = (f"{setup} {quantity}", float(n), f"k={factor:g}")
                    ours = self.interval(quantity, setup, n, factor)
                    # ns-2's results are stored rounded to four decimals.
                    altered = bool(self.runs.altered(setup, n, factor))
                    out.append(st.compare(at, ours, theirs, k.AGREE_WITHIN, 1e-4, altered=altered))
        return out


@cache
def ns2() -> dict[tuple[str, int, float, str], st.Interval]:
    """Return ns-2's results, by ns-2's name of the network, number of nodes, k and quantity, such as `delay_ms`."""
    return st.reference.means(
        __file__, lambda row: (row["setup"], int(row["nodes"]), float(row["k"]), row["quantity"])
    )


def peer(setup: str, nodes: int, factor: float, quantity: str) -> st.Interval | None:
    """Return ns-2's result in the same network; None if ns-2 has no such run."""
    own = BY_KEY[setup].peer
    return None if own is None else ns2().get((own, nodes, factor, quantity))


def ns2_points(setup: Setup) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return the values of k and the numbers of nodes that ns-2 ran in a network."""
    points = [point for point in ns2() if point[0] == setup.peer]
    return tuple(sorted({k for _, _, k, _ in points})), tuple(sorted({nodes for _, nodes, _, _ in points}))


def ns2_effect(setup: str, nodes: int, quantity: str) -> float | None:
    """Return by how many percent ns-2's mean at k = 0.1 is above that at k = 0.9; None without both."""
    low, high = (peer(setup, nodes, factor, quantity) for factor in (0.1, 0.9))
    if low is None or high is None:
        return None
    return 100 * (low.mean / high.mean - 1)


_COMPARED: Final = {
    f"{setup.key} {quantity}": (setup.label, name)
    for setup in BY_PEER.values()
    for quantity, name in QUANTITIES.items()
}
"""Names of network and quantity of the sweeps that are compared with ns-2, by key."""

NS2: Final = st.Peer(
    name="ns-2",
    sweeps={key: ": ".join(named) for key, named in _COMPARED.items()},
    place=lambda c: f"{c.x:g} nodes",
    point=lambda c: f"{_COMPARED[c.experiment][0]}, {c.x:g} nodes: {_COMPARED[c.experiment][1]}",
    variants={},
    causes=k.TEXT.causes(rate=lambda c: c.experiment.startswith("rate"), cause1=lambda _: True),
    digits=1,
)
"""ns-2, the simulator with whose results ours are compared.

The causes of differences were found by running ns-2.35 again."""
