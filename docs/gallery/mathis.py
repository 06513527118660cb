"""
Throughput against loss, and Mathis's formula
=============================================

Random loss holds one SACK flow back. The model of Mathis et al. (1997), 1.22 / (RTT sqrt(p)) segments per
second, assumes one loss every 1/p packets.

Up to 0.1 % of loss the points lie above the line, since losses at random intervals cost less than evenly spaced ones.
Above 1 % they fall below it: timeouts take their toll, which the model leaves out.
"""

import matplotlib.pyplot as plt
import numpy as np

import ackclock as ac

plt.style.use(ac.plot.STYLE)

LOSS = np.logspace(-4, -1, 10)
jobs = []
for p in LOSS:
    scenario = ac.dumbbell(
        ["sack"],
        rate="1Gbps",
        delay="48ms",
        queue=10000,
        access_rate="1Gbps",
        loss=float(p),
        duration="300s",
        tcp={"delayed_ack": False},
    )
    jobs += [(scenario, seed, 0.0) for seed in (1, 2, 3)]
measured = [run.summary["flows"][0]["goodput_bps"] / 1e6 for run in ac.runs.run_many(jobs)]
plt.loglog(LOSS, np.reshape(measured, (-1, 3)).mean(axis=1), "o", label="simulated, 3 runs of 300 s")
plt.loglog(LOSS, 1460 * 8 * np.sqrt(1.5) / (0.1 * np.sqrt(LOSS)) / 1e6, "--", label="Mathis et al.")
plt.xlabel("loss probability")
plt.ylabel("goodput (Mb/s)")
plt.legend()
