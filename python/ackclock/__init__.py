"""A laboratory for TCP congestion control: packet-level experiments that repeat bit for bit.

    import ackclock as ac
    run = ac.dumbbell(variants=["reno", "vegas"], rate="0.3Mbps", delay="20ms", queue=5).run("132s", seed=1)
    run.flows                  # Arrow table: polars, pandas and DuckDB take it as it is
    run.trace("cwnd")          # each change of each flow's window
    run.plot.cwnd()            # a matplotlib figure
    ac.run("dumbbell", ["link.bottleneck.rate=2Mbps"])   # a file or an example, with settings
    ac.compare("reno", "vegas", rate="2Mbps")      # which is better, by how much, and is that chance?

Quantities are text with a unit (``"10Mbps"``, ``"20ms"``, ``"64KiB"``); columns end in their unit (``_s``,
``_bps``, ``_bytes``). Names are loaded when first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock import lint as lint
    from ackclock import theory as theory
    from ackclock import types as types
    from ackclock._core import AckSample as AckSample
    from ackclock._core import Arrival as Arrival
    from ackclock._core import ControlError as ControlError
    from ackclock._core import LossSample as LossSample
    from ackclock._core import RateSample as RateSample
    from ackclock._core import __version__ as __version__
    from ackclock.comparisons.api import compare as compare
    from ackclock.comparisons.comparison import Comparison as Comparison
    from ackclock.control.control import Control as Control
    from ackclock.control.control import Parameter as Parameter
    from ackclock.control.control import Rounds as Rounds
    from ackclock.control.loading import register as register
    from ackclock.errors import FileError as FileError
    from ackclock.errors import ScenarioError as ScenarioError
    from ackclock.errors import UserError as UserError
    from ackclock.plot.distributions import distribution as distribution
    from ackclock.plot.style import PAPER as PAPER
    from ackclock.plot.style import STYLE as STYLE
    from ackclock.report.notebook import figures as figures
    from ackclock.report.notebook import report_tables as report_tables
    from ackclock.report.notebook import write_report as write_report
    from ackclock.runs.run import Run as Run
    from ackclock.runs.run import Table as Table
    from ackclock.runs.run import run_many as run_many
    from ackclock.runs.simulation import Simulation as Simulation
    from ackclock.scenario.network import Network as Network
    from ackclock.scenario.scenario import Scenario as Scenario
    from ackclock.scenario.scenario import load as load
    from ackclock.scenario.scenario import run as run
    from ackclock.scenario.topologies import chain as chain
    from ackclock.scenario.topologies import dumbbell as dumbbell
    from ackclock.scenario.topologies import parking_lot as parking_lot
    from ackclock.stats.over_time import over_time as over_time
    from ackclock.stats.statistics import Interval as Interval
    from ackclock.sweeps.api import sweep as sweep
    from ackclock.sweeps.results import SweepResult as SweepResult

_HOMES = {
    "_core": ("AckSample", "Arrival", "ControlError", "LossSample", "RateSample", "__version__"),
    "comparisons.api": ("compare",),
    "comparisons.comparison": ("Comparison",),
    "control.control": ("Control", "Parameter", "Rounds"),
    "plot.distributions": ("distribution",),
    "errors": ("FileError", "ScenarioError", "UserError"),
    "control.loading": ("register",),
    "scenario.network": ("Network",),
    "report.notebook": ("figures", "report_tables", "write_report"),
    "runs.run": ("Run", "Table", "run_many"),
    "scenario.scenario": ("Scenario", "load", "run"),
    "runs.simulation": ("Simulation",),
    "plot.style": ("PAPER", "STYLE"),
    "stats.over_time": ("over_time",),
    "stats.statistics": ("Interval",),
    "sweeps.api": ("sweep",),
    "sweeps.results": ("SweepResult",),
    "scenario.topologies": ("chain", "dumbbell", "parking_lot"),
}
_HOME = {name: (home, name) for home, names in _HOMES.items() for name in names}
_FORMER = {"Campaign": ("sweeps.sweep", "Sweep"), "Sweep": ("sweeps.results", "SweepResult")}
"""Names of the version before, with what answers to them: a warning names it."""
_MODULES = ("lint", "theory", "types")
__all__ = sorted([*_HOME, *_MODULES, "use_core"])

_OWN_CORE = "ackclock._core"
_CORE = "ACKCLOCK_CORE"
"""The environment variable by which processes that this one starts take its extension module, too."""


def use_core(name: str) -> None:
    """Take the extension module called `name` in place of ours: one that was built with controls in Rust beside ours.

    A package that has such a module calls this before it uses anything else of ackclock; ``examples/own-control`` is a
    template. Processes that this one starts take the module, too.

    Raises:
        ImportError: if there is no such module, if it was built for another version of ackclock, or if another one is
            in use in this process already.

    """
    found = importlib.import_module(name)
    used = sys.modules.get(_OWN_CORE, found)
    if used is not found:
        raise ImportError(
            f"{name}: ackclock already uses {used.__file__} in this process; "
            "use_core comes before anything else of ackclock"
        )
    own, theirs = _installed(), found.__version__.partition("+")[0]
    if own not in (None, theirs):
        raise ImportError(f"{name}: built for ackclock {theirs}, and this is {own}; build it again")
    sys.modules[_OWN_CORE] = found
    globals()["_core"] = found
    os.environ[_CORE] = name


def _installed() -> str | None:
    """Return the version of the package; None where it is used from a folder without being installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ackclock")
    except PackageNotFoundError:
        return None


def __getattr__(name: str) -> Any:
    """Load the module that `name` lives in (PEP 562)."""
    if name in _MODULES:
        return importlib.import_module(f"ackclock.{name}")
    if name in _FORMER:
        home, attribute = _FORMER[name]
        now = f"ackclock.{attribute if attribute in _HOME else f'{home}.{attribute}'}"
        warnings.warn(f"ackclock.{name} is now {now}", DeprecationWarning, stacklevel=2)
        return getattr(importlib.import_module(f"ackclock.{home}"), attribute)
    if name not in _HOME:
        raise AttributeError(f"module 'ackclock' has no attribute {name!r}{_hint(name)}")
    home, attribute = _HOME[name]
    value = getattr(importlib.import_module(f"ackclock.{home}"), attribute)
    globals()[name] = value
    return value


def _hint(name: str) -> str:
    import difflib

    close = difflib.get_close_matches(name, __all__, n=1)
    return f"; did you mean {close[0]}?" if close else ""


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)


# Last: the package that has the module may use what is above.
if _CORE in os.environ:
    use_core(os.environ[_CORE])
