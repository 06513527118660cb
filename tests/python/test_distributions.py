"""Figures of distributions and of many runs over time, compared with the values that they show."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.python.looks import outside
from typer.testing import CliRunner

import ackclock as ac
from ackclock.cli.app import app
from ackclock.plot.distributions import KINDS, MOST_STEPS, QUANTITIES, _steps
from ackclock.plot.drawing import paper
from ackclock.plot.ellipses import DELAYS, contour
from ackclock.stats.courses import COURSES


@cache
def runs(queue: str) -> tuple[ac.Run, ...]:
    scenario = ac.dumbbell(["cubic", "bbr"], rate="5Mbps", delay="20ms", queue=queue, duration="4s")
    return tuple(scenario.run(seed=seed, jitter_s=0.5, traces=["state", "hops"]) for seed in (1, 2, 3))


def test_the_steps_of_five_values() -> None:
    values = np.array([1.0, 2.0, 2.0, 4.0, 9.0])
    at, share = _steps(values, above=False)
    assert (list(at), list(share)) == ([1, 1, 2, 2, 4, 9], pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1]))
    at, share = _steps(values, above=True)
    assert (list(at), list(share)) == ([1, 1, 2, 2, 4, 9], pytest.approx([1, 0.8, 0.6, 0.4, 0.2, 0.2]))


@pytest.mark.parametrize("above", [False, True])
def test_a_thinned_curve_is_that_of_all_values(above: bool) -> None:
    values = np.sort(np.random.default_rng(1).exponential(size=200_000))
    at, share = _steps(values, above=above)
    assert len(at) <= MOST_STEPS + 1
    assert (at[0], at[-1]) == (values[0], values[-1])
    exact = np.searchsorted(values, at, side="right") / len(values)
    inner = slice(1, -1)
    assert share[inner] == pytest.approx((1 - exact if above else exact)[inner], abs=1e-12)
    # All values of the tail are drawn.
    assert list(at[-3:]) == list(values[-3:])


def test_queueing_delays_are_those_of_the_packets() -> None:
    figure = ac.plot.distribution(
        {"drop-tail": runs("1bdp"), "FQ-CoDel": runs("fq-codel")}, "queue-delay", "cdf"
    )
    assert figure.axes[0].get_xlabel() == "queueing delay (ms)"
    for line, queue in zip(figure.axes[0].lines, ("1bdp", "fq-codel"), strict=True):
        hops = [run.trace("hops").to_polars() for run in runs(queue)]
        some = [t.filter((t["place"] == "r0>r1") & t["cause"].is_null()) for t in hops]
        waited = np.concatenate([(t["begins_s"] - t["enqueued_s"]).to_numpy() for t in some]) * 1e3
        x, y = line.get_data()
        assert max(x) == pytest.approx(waited.max())
        half = np.interp(0.5, np.asarray(y, dtype=float), np.asarray(x, dtype=float))
        assert half == pytest.approx(np.median(waited), rel=0.05)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("of", ["rtt", "queue-delay"])
def test_every_kind_shows_its_data(of: str, kind: str) -> None:
    for log_x in (False, True):
        both = {"a": runs("1bdp"), "b": runs("fq-codel")[0]}
        if not (
            log_x and of == "queue-delay"
        ):  # some packets do not wait, and 0 cannot be on a logarithmic axis
            assert not outside(ac.plot.distribution(both, of, kind, log_x=log_x))


def test_completion_times_by_variant() -> None:
    net = ac.Network().link("a", "b", rate="5Mbps", delay="10ms")
    for i in range(4):
        net.flow(
            "a",
            "b",
            variant=("reno", "cubic")[i % 2],
            start=f"{i}s",
            traffic={"kind": "ftp", "size": "100kB"},
        )
    run = net.run("30s")
    figure = run.plot.distribution("completion", "cdf")
    done = [max(line.get_xdata()) for line in figure.axes[0].lines]
    assert done == [max(flow["fct_s"] for flow in run.summary["flows"][i::2]) for i in (0, 1)]


@pytest.mark.parametrize("of", list(COURSES))
def test_the_mean_over_time_and_its_band(of: str) -> None:
    figure = ac.stats.over_time({"1 BDP": runs("1bdp"), "FQ-CoDel": runs("fq-codel")}, of)
    axes = figure.axes[0]
    assert not outside(figure)
    assert len(axes.collections) == 2
    assert len(ac.stats.over_time(runs("1bdp")[:1], of).axes[0].collections) == 0
    if of == "goodput":
        bins = [
            run.trace("throughput").to_polars().group_by("time_s").sum().sort("time_s")
            for run in runs("1bdp")
        ]
        wanted = np.mean([t["goodput_bps"].to_numpy() for t in bins], axis=0) / 1e6
        assert np.asarray(axes.lines[0].get_ydata(), dtype=float) == pytest.approx(wanted)


def test_ellipse_lies_one_standard_deviation_from_its_centre() -> None:
    x, y = [1.0, 2.0, 4.0, 7.0, 3.0], [2.0, 1.0, 5.0, 6.0, 4.5]
    around = contour(x, y)
    assert around is not None
    inverse = np.linalg.inv(np.cov(x, y, ddof=0))
    for point in around:
        off = np.array(point) - (np.mean(x), np.mean(y))
        assert float(off @ inverse @ off) == pytest.approx(1.0)
    assert around[0] == pytest.approx(around[-1])


def test_points_on_a_line_or_few_have_no_ellipse() -> None:
    assert contour([1.0, 2.0], [1.0, 5.0]) is None
    assert contour([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]) is None
    assert contour([1.0, 1.0, 1.0], [2.0, 4.0, 5.0]) is None


def test_only_a_figure_with_an_ellipse_names_ellipses() -> None:
    many = ac.plot.ellipse({"1 BDP": runs("1bdp")}, "rtt").axes[0].get_title("left")
    few = ac.plot.ellipse({"1 BDP": runs("1bdp")[0]}, "rtt").axes[0].get_title("left")
    assert (many, few) == (
        "Goodput against delay, ellipses of one standard deviation",
        "Goodput against delay",
    )


@pytest.mark.parametrize("of", DELAYS)
def test_an_ellipse_is_one_standard_deviation_of_the_runs(of: str) -> None:
    """The contour spans mean plus and minus one standard deviation in both directions, and the dots are the flows."""
    groups = {"1 BDP": runs("1bdp"), "FQ-CoDel": runs("fq-codel")}
    figure = ac.plot.ellipse(groups, of)
    axis = figure.axes[0]
    assert not outside(figure)
    assert axis.xaxis_inverted()
    assert axis.get_legend_handles_labels()[1] == list(groups)
    for i, some in enumerate(groups.values()):
        dots, centre, line = axis.lines[3 * i : 3 * i + 3]
        delays, goodputs = (np.asarray(one, dtype=float) for one in dots.get_data())
        assert list(goodputs) == [flow["goodput_bps"] / 1e6 for run in some for flow in run.summary["flows"]]
        if of == "delay":
            wanted = [flow["delay_mean_s"] * 1e3 for run in some for flow in run.summary["flows"]]
            assert list(delays) == pytest.approx(wanted)
        assert centre.get_xdata() == pytest.approx([delays.mean()])
        x, y = (np.asarray(one, dtype=float) for one in line.get_data())
        assert max(x) - delays.mean() == pytest.approx(delays.std(), rel=1e-6)
        assert max(y) - goodputs.mean() == pytest.approx(goodputs.std(), rel=5e-3)  # between two corners


def test_an_ellipse_by_variant_and_by_percentile() -> None:
    some = runs("1bdp")
    figure = ac.plot.ellipse(some, "delay", percentile=95)
    assert figure.axes[0].get_legend_handles_labels()[1] == [f["variant"] for f in some[0].summary["flows"]]
    wanted = [run.summary["flows"][0]["delay_p95_s"] * 1e3 for run in some]
    assert list(figure.axes[0].lines[0].get_xdata()) == pytest.approx(wanted, rel=0.01)
    assert len(some[0].plot.ellipse("rtt").axes[0].patches) == 0  # a dot per variant has no ellipse


def test_what_cannot_be_drawn_is_said() -> None:
    one = runs("1bdp")[0]
    for call, message in (
        (lambda: ac.plot.distribution(one, "rt"), "there is no quantity 'rt'.*did you mean rtt"),
        (lambda: ac.plot.distribution(one, "rtt", "cfd"), "no kind of figure 'cfd'.*did you mean"),
        (lambda: ac.plot.distribution(one, "completion"), "no flow has a size and completed"),
        (lambda: ac.plot.distribution(one, "queue-delay", link="r0>r2"), "there is no link 'r0>r2'"),
        (lambda: ac.plot.ellipse(one, "rttt"), "there is no delay 'rttt'.*did you mean rtt"),
        (lambda: ac.plot.ellipse(one, percentile=101), "allowed: 0 to 100"),
        (lambda: ac.stats.over_time([one], "goodputs"), "did you mean goodput"),
        (lambda: ac.stats.over_time([]), "wanted are one or more runs"),
    ):
        with pytest.raises(ac.UserError, match=f"(?s){message}"):
            call()


def test_the_command_line_draws_them(tmp_path: Path) -> None:
    out = tmp_path / "out"
    names = "rtt-ccdf,queue-delay-box,rtt-ellipse"
    done = CliRunner().invoke(
        app, ["run", "dumbbell", "--set", "duration=3s", "--plot", names, "--out", str(out)]
    )
    assert done.exit_code == 0, done.output
    assert {f"{name}.pdf" for name in names.split(",")} <= {path.name for path in out.iterdir()}
    wrong = CliRunner().invoke(app, ["run", "dumbbell", "--plot", "rtt-cfd"])
    assert isinstance(wrong.exception, ac.UserError)
    assert "rtt-cdf" in str(wrong.exception)
    assert set(QUANTITIES) == {"rtt", "delay", "queue-delay", "completion"}


def test_a_long_legend_leaves_room_for_the_data_in_a_column_of_a_paper() -> None:
    groups = {f"a queue discipline of a long name, {i}": runs("1bdp")[0] for i in range(9)}
    with paper():
        figure = ac.plot.distribution(groups, "rtt")
        with io.BytesIO() as file:
            figure.savefig(file, format="png")
        (axis,) = figure.axes
        box = axis.get_window_extent()
        legend = axis.get_legend().get_window_extent()
    assert box.height > 1.0 * figure.dpi
    assert legend.width <= figure.get_size_inches()[0] * figure.dpi
    assert figure.get_size_inches()[0] == 3.5
