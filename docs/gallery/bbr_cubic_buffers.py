"""
BBR against CUBIC over buffer sizes
===================================

One BBR flow meets one CUBIC flow. In a shallow buffer BBR takes most of the link; in a deep one CUBIC does,
because BBR limits the data in flight to two bandwidth-delay products.
"""

import matplotlib.pyplot as plt
import numpy as np

import ackclock as ac

plt.style.use(ac.plot.STYLE)

BDP = 10e6 * 0.042 / 8 / 1500  # packets, at 10 Mb/s and 42 ms
buffers = (0.5, 1, 2, 4, 8, 16)
jobs = [
    (
        ac.dumbbell(
            ["bbr", "cubic"], rate="10Mbps", delay="19ms", queue=max(2, round(x * BDP)), duration="60s"
        ),
        seed,
        1.0,
    )
    for x in buffers
    for seed in (1, 2, 3)
]
goodput = np.array([[f["goodput_bps"] / 1e6 for f in run.summary["flows"]] for run in ac.runs.run_many(jobs)])
mean = goodput.reshape(len(buffers), 3, 2).mean(axis=1)
for flow, name in enumerate(("bbr", "cubic")):
    plt.plot(buffers, mean[:, flow], "o-", label=name)
plt.xscale("log", base=2)
plt.xticks(buffers, buffers)
plt.xlabel("buffer (bandwidth-delay products)")
plt.ylabel("goodput, mean of 3 runs (Mb/s)")
plt.ylim(0, 10)
plt.legend()
