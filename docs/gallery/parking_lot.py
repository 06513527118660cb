"""
The parking lot: a long flow against short ones
===============================================

One flow crosses several bottlenecks, each shared with a flow of its own. The dotted line is the fair share at one
bottleneck.

With each bottleneck the long flow gets less: with five, about 10 % with Reno and CUBIC and 19 % with Vegas. It has the
longer round trip, and meets every queue.
"""

import matplotlib.pyplot as plt
import numpy as np

import ackclock as ac

plt.style.use(ac.plot.STYLE)

hops = (1, 2, 3, 4, 5)
for variant in ("reno", "cubic", "vegas"):
    jobs = [
        (ac.parking_lot(n, variant=variant, rate="10Mbps", delay="5ms", duration="60s"), seed, 1.0)
        for n in hops
        for seed in (1, 2, 3)
    ]
    long = [run.summary["flows"][0]["goodput_bps"] / 10e6 for run in ac.runs.run_many(jobs)]
    plt.plot(hops, 100 * np.reshape(long, (-1, 3)).mean(axis=1), "o-", label=variant)
plt.axhline(50, color="gray", linestyle=":", label="fair share")
plt.xticks(hops)
plt.xlabel("number of bottlenecks")
plt.ylabel("share of the long flow, mean of 3 runs (%)")
plt.legend()
