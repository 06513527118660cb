"""A laboratory for TCP congestion control: packet-level experiments that repeat bit for bit.

    import ackclock as ac
    run = ac.dumbbell(variants=["reno", "vegas"], rate="0.3Mbps", delay="20ms", queue=5).run("132s", seed=1)
    run.flows                  # Arrow table: polars, pandas and DuckDB take it as it is
    run.trace("cwnd")          # each change of each flow's window
    run.plot.cwnd()            # a matplotlib figure
    ac.run("dumbbell", ["link.bottleneck.rate=2Mbps"])   # a file or an example, with settings
    ac.compare("reno", "vegas", rate="2Mbps")      # which is better, by how much, and is that chance?

Quantities are text with a unit (``"10Mbps"``, ``"20ms"``, ``"64KiB"``); columns end in their unit (``_s``,
``_bps``, ``_bytes``). The top of the package has what a first hour needs. Its packages have the
rest: ``ac.control``, ``ac.plot``, ``ac.runs``, ``ac.scenario``, ``ac.stats``, ``ac.theory`` and others. Each
is loaded when it is first used, so that importing ackclock costs next to nothing.
"""

import os
import sys

from ackclock._names import FormerModules, attach
from ackclock._use_core import CORE, use_core

__getattr__, __dir__, __all__ = attach(__name__, __file__)
sys.meta_path.append(FormerModules)

if CORE in os.environ:
    use_core(os.environ[CORE])
