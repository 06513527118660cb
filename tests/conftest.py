"""Set-up of all tests: Ctrl-C, the terminal's width, and a check of every figure that a report draws."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from matplotlib.figure import Figure as Canvas
from tests.python.looks import alike, outside

from ackclock.report import plots
from ackclock.report.model import Figure

# A test run in the background, or under `nohup`, ignores SIGINT or SIGHUP, and the commands that it starts inherit
# this. Tests of interrupts need the default handlers.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_runtest_setup() -> None:
    """Remove COLUMNS from the environment, since tests that depend on the terminal's width set their own."""
    os.environ.pop("COLUMNS", None)


@pytest.fixture(autouse=True, scope="session")
def every_figure_of_a_report_shows_its_data() -> Iterator[None]:
    """Assert for each figure of a report that its data lie within its axes and that its curves look different."""
    drawn = plots.on_canvas

    def asked(figure: Figure, style: str = "page") -> Canvas:
        canvas = drawn(figure, style)
        assert not outside(canvas), f"{figure.key}: {outside(canvas)}"
        assert not alike(canvas), f"{figure.key}: {alike(canvas)}"
        return canvas

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plots, "on_canvas", asked)
        yield
