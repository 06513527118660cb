"""A dozen cells that were run in Linux 6.12 come out near enough in profile `linux`."""

import pytest
from validation.linux import beside, recorded
from validation.linux.cells import CELLS
from validation.linux.mine import Outcome

HOLD = (
    "single.A17.reno",
    "single.A33.dctcp",
    "single.A67.dctcp",
    "single.C33.dctcp",
    "dctcp.K5",
    "dctcp.K20",
    "drop.d2.cubic",
    "drop.d4.cubic",
    "hold.h2ms.reno",
    "pair.A33.bbr+bbr",
    "loss0.001.reno",
    "loss0.001.westwood",
    "loss0.001.veno",
)


@pytest.mark.parametrize("name", HOLD)
def test_a_cell_is_near_the_kernels(name: str) -> None:
    rows = beside.compare(CELLS[name])
    assert len(rows) == len(CELLS[name].flows)
    for row in rows:
        assert row.holds, [d for d in row.distances if d.holds is False]


def test_each_recorded_cell_is_a_cell_with_all_its_flows() -> None:
    flows = recorded.flows()
    assert flows.keys() | recorded.transfers().keys() <= CELLS.keys()
    assert all(len(CELLS[name].flows) == len(found) for name, found in flows.items())


def test_what_lies_outside_is_seen() -> None:
    """Another initial window than the kernel's changes when a loss is repaired."""
    (row,) = beside.compare(CELLS["drop.d2.cubic"], {"initial_cwnd": 2})
    assert not row.holds
    (row,) = beside.compare(CELLS["loss0.001.reno"], {"max_window": 20}, seeds=2)
    assert [d.what for d in row.distances if d.holds is False] == ["goodput, Mb/s"]


def test_a_control_that_is_not_there_is_said() -> None:
    (row,) = beside.compare(CELLS["dctcp.K5"], {"variant": "nosuch"})
    assert "nosuch" in row.refused
    assert not row.holds


def test_the_page_shows_both_values_and_the_cause() -> None:
    cell = CELLS["drop.d1.reno"]
    kernel = Outcome(((158.0, 28),), 28, 631.5)
    near, far = (
        tuple(beside._transfer(cell, kernel, Outcome(sent, 28, 640.0))) for sent in (((159.0, 28),), ())
    )
    text = beside.page([beside.Row(cell, 0, near), beside.Row(cell, 0, far)])
    assert "1 of 2 rows lie within." in text
    assert "| 158.0 / 159.0 (+1.0) |" in text
    assert "| **158.0 / none** |" in text
