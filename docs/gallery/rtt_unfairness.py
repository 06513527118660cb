"""
RTT unfairness: the shorter path wins
=====================================

Two flows of one variant share a bottleneck, and one has a longer access link. Bars are 95 % intervals.

The longer the far flow's round trip, the less it gets: with six times the round trip about a sixth with Reno and CUBIC
alike. At ratios of 3 and 4 CUBIC seems kinder, but the intervals overlap. With BBR the far flow gets about half at any
ratio.
"""

import matplotlib.pyplot as plt
import numpy as np

import ackclock as ac

plt.style.use(ac.plot.STYLE)

RATIOS = (1, 2, 3, 4, 6)
for variant in ("reno", "cubic", "bbr"):
    jobs = []
    for ratio in RATIOS:
        net = ac.Network()
        net.link("r0", "r1", rate="10Mbps", delay="10ms", queue=30)
        net.link("near", "r0", rate="100Mbps", delay="1ms")
        net.link("far", "r0", rate="100Mbps", delay=f"{1 + 12 * (ratio - 1)}ms")
        net.link("r1", "d", rate="100Mbps", delay="1ms")
        net.flow("near", "d", variant=variant)
        net.flow("far", "d", variant=variant)
        jobs += [(net.scenario("40s"), seed, 0.5) for seed in range(1, 6)]
    runs = ac.runs.run_many(jobs)
    shares = [run.summary["flows"] for run in runs]
    far = np.array([b["goodput_bps"] / (a["goodput_bps"] + b["goodput_bps"]) for a, b in shares])
    far = far.reshape(len(RATIOS), -1)
    spread = 2.776 * far.std(axis=1, ddof=1) / np.sqrt(far.shape[1])  # 95 %, Student t, 5 runs
    plt.errorbar(RATIOS, 100 * far.mean(axis=1), 100 * spread, marker="o", capsize=3, label=variant)
plt.axhline(50, color="gray", linestyle=":")
plt.xlabel("round trip of the far flow / of the near flow")
plt.ylabel("share of the far flow (%)")
plt.ylim(0, 100)
plt.legend()
