"""A packet-level simulator of TCP congestion control whose experiments repeat bit for bit.

    import ackclock as ac
    run = ac.dumbbell(variants=["reno", "vegas"], rate="0.3Mbps", delay="20ms", queue=5).run("132s", seed=1)
    run.flows                  # Arrow table, which polars, pandas and DuckDB read directly
    run.trace("cwnd")          # all changes of the flows' congestion windows
    run.plot.cwnd()            # a matplotlib figure
    ac.run("dumbbell", ["link.bottleneck.rate=2Mbps"])   # a file or an example, with settings
    ac.compare("reno", "vegas", rate="2Mbps")      # which variant is better, by how much, and is that significant?

Quantities are text with a unit (``"10Mbps"``, ``"20ms"``, ``"64KiB"``). Names of columns end in their unit (``_s``,
``_bps``, ``_bytes``). The top of the package has the most common names; subpackages have the others: ``ac.control``,
``ac.plot``, ``ac.runs``, ``ac.scenario``, ``ac.stats``, ``ac.theory`` and more. A subpackage is loaded when it is first
used, so that importing ackclock is fast.
"""

import os
import sys

from ackclock._names import FormerModules, attach
from ackclock._use_core import CORE, use_core

__getattr__, __dir__, __all__ = attach(__name__, __file__)
sys.meta_path.append(FormerModules)

if CORE in os.environ:
    use_core(os.environ[CORE])
