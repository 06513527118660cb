"""What holds for all tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from matplotlib.figure import Figure as Canvas
from tests.python.looks import alike, outside

from ackclock.report import plots
from ackclock.report.model import Figure

# A test run that a script puts into the background, or that `nohup` began, inherits an ignored Ctrl-C or hang-up, and
# so do the commands that it tries.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_runtest_setup() -> None:
    """Take away the width of whoever's terminal this is: a test that is about width sets its own."""
    os.environ.pop("COLUMNS", None)


@pytest.fixture(autouse=True, scope="session")
def every_figure_of_a_report_shows_its_data() -> Iterator[None]:
    """Ask of each figure of a report that any test draws: its data lie within its axes, its curves differ."""
    drawn = plots.on_canvas

    def asked(figure: Figure, style: str = "page") -> Canvas:
        canvas = drawn(figure, style)
        assert not outside(canvas), f"{figure.key}: {outside(canvas)}"
        assert not alike(canvas), f"{figure.key}: {alike(canvas)}"
        return canvas

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plots, "on_canvas", asked)
        yield
