"""
Two Reno flows converge to fairness
===================================

Chiu and Jain's picture, with a PIE queue. A point is the pair of goodputs in an interval of time; the first flow
has the path to itself for 10 s.

The pair begins on the horizontal axis. When the second flow joins, additive increase and multiplicative decrease lead
it to the line of equal shares. It then moves to and fro across that line, close below the line of the full
bottleneck.
"""

import matplotlib.pyplot as plt
import polars

import ackclock as ac

plt.style.use(ac.plot.STYLE)

scenario = ac.dumbbell(
    ["reno", "reno"], rate="20Mbps", delay="20ms", queue={"kind": "pie"}, starts=["0s", "10s"]
)
run = scenario.run("120s", seed=3, traces=["throughput"], bin_s=5)
rates = run.trace("throughput").to_polars()
x, y = (rates.filter(polars.col("flow") == flow)["goodput_bps"].to_numpy() / 1e6 for flow in (0, 1))
plt.plot(x, y, ".-", linewidth=0.6)
plt.plot(x[0], y[0], "o", label="start")
plt.plot([0, 20], [0, 20], "--", color="gray", label="equal shares")
plt.plot([0, 20], [20, 0], ":", color="gray", label="bottleneck full")
plt.xlabel("goodput of flow 0 (Mb/s)")
plt.ylabel("goodput of flow 1 (Mb/s)")
plt.legend()
plt.gca().set_aspect("equal")
