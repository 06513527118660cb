"""Maps: cells are divided if the better variant changes in them, and the boundary lies where the difference is 0."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from ackclock.cli.main import main
from ackclock.report.boundary import lead, report
from ackclock.scenario import load
from ackclock.stats import Difference, Interval
from ackclock.stats.measures import BY_NAME
from ackclock.sweeps import Axis, Sweep
from ackclock.sweeps.boundary import Boundary, Cell, Ruler, chained, crossed
from ackclock.sweeps.refine import _divided, refine

LEVELS = 4
X = Ruler(Axis("x", ("0", "50", "100")), 2**LEVELS)
Y = Ruler(Axis("y", ("0", "50", "100")), 2**LEVELS)


def refined(value: Callable[[float, float], float], half: float = 0.0) -> Boundary:
    """Return the map of the function `value`, whose values have an interval of half width `half`."""

    def difference(node: tuple[int, int]) -> Difference:
        mean = value(X.number(node[0]), Y.number(node[1]))
        return Difference(Interval(mean, half, 5, 0.95), math.nan, 4, math.nan)

    step = 2**LEVELS
    cells = tuple(Cell(i, j, step) for i in range(0, X.end, step) for j in range(0, Y.end, step))
    known: dict[tuple[int, int], Difference] = {}
    found = Boundary(X, Y, Axis("v", ("a", "b")), BY_NAME["goodput_bps"], known, cells, 5, 0.95)
    for level in range(LEVELS + 1):
        for cell in found.cells:
            known |= {node: difference(node) for node in cell.corners if node not in known}
        if level < LEVELS:
            found = replace(found, cells=tuple(_divided(found)))
    return found


def test_the_boundary_of_a_slope_is_where_it_is_0() -> None:
    found = refined(lambda x, y: x + y - 83)
    (line,) = found.lines()
    for a, b in line:
        assert X.number(a) + Y.number(b) == pytest.approx(83, abs=1e-9)
    assert {round(min(X.number(a) for a, _ in line)), round(max(X.number(a) for a, _ in line))} == {0, 83}
    assert len(found.points) < found.of / 2


def test_the_boundary_of_a_hill_is_closed() -> None:
    found = refined(lambda x, y: 30**2 - (x - 48) ** 2 - (y - 52) ** 2)
    (line,) = found.lines()
    assert line[0] == line[-1]
    for a, b in line:
        assert math.hypot(X.number(a) - 48, Y.number(b) - 52) == pytest.approx(30, abs=1.0)


def test_nothing_is_divided_where_the_runs_cannot_tell() -> None:
    noise = refined(lambda x, y: math.sin(7 * x + 13 * y), half=2.0)
    assert len(noise.points) == 9
    assert noise.lines() == []
    assert "no boundary" in lead(noise)[1]


def test_opposite_corners_give_two_pieces() -> None:
    saddle = {(0, 0): 1.0, (2, 0): -1.0, (2, 2): 1.0, (0, 2): -1.0}
    pieces = crossed(Cell(0, 0, 2), saddle.__getitem__)
    assert len(pieces) == 2
    assert len({end for piece in pieces for end in piece}) == 4


def test_pieces_are_joined_whatever_their_order() -> None:
    pieces = [
        ((2.0, 0.0), (3.0, 0.0)),
        ((1.0, 0.0), (0.0, 0.0)),
        ((1.0, 0.0), (2.0, 0.0)),
        ((9.0, 9.0), (8.0, 9.0)),
    ]
    lines = chained(pieces)
    assert sorted(map(len, lines)) == [2, 4]


def test_values_between_others_are_spelt_as_they_are() -> None:
    assert [Ruler(Axis("r", ("1Mbps", "16Mbps")), 4).text(i) for i in range(5)] == [
        "1Mbps", "2Mbps", "4Mbps", "8Mbps", "16Mbps",
    ]  # fmt: skip
    assert [Ruler(Axis("d", ("10ms", "20ms")), 4).text(i) for i in (0, 1, 4)] == ["10ms", "12.5ms", "20ms"]
    assert [Ruler(Axis("q", ("5", "6")), 4).text(i) for i in range(5)] == ["5", "5", "6", "6", "6"]
    assert Ruler(Axis("p", ("0", "0.01")), 2).text(1) == "0.005"


SWEEP = Sweep(
    load("dumbbell", ["duration=10s"]),
    (
        Axis("link.bottleneck.rate", ("4Mbps", "16Mbps")),
        Axis("link.bottleneck.delay", ("20ms", "80ms")),
        Axis("flow.*.tcp.variant", ("sack", "vegas")),
    ),
    reps=3,
)


def test_a_map_goes_on_and_is_the_same_on_any_executor(tmp_path: Path) -> None:
    found = refine(SWEEP, 2, tmp_path / "one", threads=1)
    assert found.lines()
    assert 4 < len(found.points) <= found.of == 25
    told: list[tuple[int, int]] = []
    refine(SWEEP, 2, tmp_path / "one", progress=lambda done, total: told.append((done, total)))
    assert all(done == total for done, total in told)
    refine(SWEEP, 2, tmp_path / "two", executor="processes", threads=2)
    for name in ("map.csv", "boundary.csv", "manifest.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    table = pl.read_parquet(tmp_path / "one" / "map.parquet")
    assert len(table) == len(found.points)
    assert report(found).figures()[0].panels[0].series[-1].kind == "line"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--vary", "link.bottleneck.rate=1Mbps,2Mbps"], "two numeric settings and one with two values"),
        (["--shard", "1/2"], "--refine decides as it goes along"),
        (["--until", "5"], "--refine decides as it goes along"),
    ],
)
def test_what_cannot_be_refined_is_refused(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", "dumbbell", "--refine", "2", "--out", str(tmp_path), *words]) == 2
    assert said in capsys.readouterr().err


def test_a_map_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vary = [word for axis in SWEEP.axes for word in ("--vary", f"{axis.path}={','.join(axis.values)}")]
    words = ["sweep", "dumbbell", "--set", "duration=10s", *vary, "--refine", "1", "--reps", "3", "--wide"]
    assert main([*words, "--out", str(tmp_path / "map")]) == 0
    out = capsys.readouterr().out
    assert "has the larger goodput at" in out
    for name in ("report.html", "plots/boundary.svg", "map.csv", "boundary.csv"):
        assert f"{tmp_path / 'map' / name}" in out
        assert (tmp_path / "map" / name).stat().st_size > 0
