"""A laboratory for TCP congestion control: packet-level experiments that repeat bit for bit.

    import ackclock as ac
    run = ac.dumbbell(variants=["reno", "vegas"], rate="0.3Mbps", delay="20ms", queue=5).run("132s", seed=1)
    run.flows                  # Arrow table: polars, pandas and DuckDB take it as it is
    run.trace("cwnd")          # each change of each flow's window
    run.plot.cwnd()            # a matplotlib figure

Quantities are text with a unit (``"10Mbps"``, ``"20ms"``, ``"64KiB"``); columns end in their unit (``_s``,
``_bps``, ``_bytes``). Names are loaded when first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock._core import __version__ as __version__
    from ackclock.errors import FileError as FileError
    from ackclock.errors import ScenarioError as ScenarioError
    from ackclock.errors import UserError as UserError
    from ackclock.network import Network as Network
    from ackclock.run import Run as Run
    from ackclock.run import Table as Table
    from ackclock.run import run_many as run_many
    from ackclock.scenario import Scenario as Scenario
    from ackclock.scenario import load as load
    from ackclock.topologies import chain as chain
    from ackclock.topologies import dumbbell as dumbbell
    from ackclock.topologies import parking_lot as parking_lot

_HOMES = {
    "_core": ("__version__",),
    "errors": ("FileError", "ScenarioError", "UserError"),
    "network": ("Network",),
    "run": ("Run", "Table", "run_many"),
    "scenario": ("Scenario", "load"),
    "topologies": ("chain", "dumbbell", "parking_lot"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    """Load the module that `name` lives in (PEP 562)."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'ackclock' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"ackclock.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
