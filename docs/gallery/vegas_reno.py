"""
Vegas keeps the queue short, alone and in company
=================================================

Vegas aims at a few packets in the queue.

Two Vegas flows, left, get equal shares and together the full rate. Against Reno, right, which fills the queue, Vegas
backs off and gets a fifteenth of what Reno gets.
"""

import matplotlib.pyplot as plt
import polars

import ackclock as ac

plt.style.use(ac.plot.STYLE)

figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True)
for axis, pair in zip(axes, (["vegas", "vegas"], ["vegas", "reno"]), strict=True):
    run = ac.dumbbell(pair, rate="4Mbps", delay="20ms", queue=40).run("40s", traces=["throughput"], bin_s=1)
    rates = run.trace("throughput").to_polars()
    for flow, variant in enumerate(pair):
        mine = rates.filter(polars.col("flow") == flow)
        axis.plot(mine["time_s"], mine["goodput_bps"] / 1e6, label=f"flow {flow}: {variant}")
    axis.set(xlabel="time (s)", title=" and ".join(pair))
    axis.legend()
axes[0].set_ylabel("goodput (Mb/s)")
