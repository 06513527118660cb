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
    from ackclock._core import __version__
    from ackclock.errors import FileError, ScenarioError, UserError
    from ackclock.network import Network
    from ackclock.run import Run, Table, run_many
    from ackclock.scenario import Scenario, load
    from ackclock.topologies import chain, dumbbell, parking_lot

__all__ = [
    "FileError",
    "Network",
    "Run",
    "Scenario",
    "ScenarioError",
    "Table",
    "UserError",
    "__version__",
    "chain",
    "dumbbell",
    "load",
    "parking_lot",
    "run_many",
]

_HOME = {
    "FileError": "errors",
    "Network": "network",
    "Run": "run",
    "Scenario": "scenario",
    "ScenarioError": "errors",
    "Table": "run",
    "UserError": "errors",
    "__version__": "_core",
    "chain": "topologies",
    "dumbbell": "topologies",
    "load": "scenario",
    "parking_lot": "topologies",
    "run_many": "run",
}


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
