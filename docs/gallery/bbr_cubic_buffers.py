"""
BBR against CUBIC over buffer sizes
===================================

One BBR flow meets one CUBIC flow at a drop-tail queue. The draft's form of BBR and that of Linux are shown, with
the least and greatest of three runs.

Half a bandwidth-delay product of buffer gives BBR about nine tenths of the link. At four products both get about as
much. From eight on CUBIC gets more than BBR, which limits its data in flight to two products. The model of Ware et al.
(2019), in which the buffer is always full, gives BBR more.
"""

import matplotlib.pyplot as plt
import numpy as np

import ackclock as ac

plt.style.use(ac.plot.STYLE)

BDP = 10e6 * 0.042 / 8 / 1500  # packets, at 10 Mb/s and 42 ms
buffers = np.array([0.5, 1, 2, 4, 8, 16])
for profile, label in (("linux", "form of Linux 6.12"), ("rfc", "form of the draft")):
    jobs = [
        (
            ac.dumbbell(
                ["cubic", "bbr"],
                delay="19ms",
                queue=round(x * BDP),
                stagger="1s",
                profile=profile,
                duration="60s",
            ),
            seed,
            0.5,
        )
        for x in buffers
        for seed in (1, 2, 3)
    ]
    runs = ac.runs.run_many(jobs)
    goodput = np.array([[f["goodput_bps"] for f in run.summary["flows"]] for run in runs])
    share = (goodput[:, 1] / goodput.sum(axis=1)).reshape(len(buffers), 3)
    plt.errorbar(buffers, share.mean(axis=1), share.std(axis=1), fmt="o-", label=label)
deep = buffers[buffers > 1]
plt.plot(deep, 0.5 + 0.5 / deep + 4 / (deep * BDP), "k--", label="Ware et al. 2019")
plt.xscale("log", base=2)
plt.xticks(buffers, [f"{x:g}" for x in buffers])
plt.xlabel("buffer (bandwidth-delay products)")
plt.ylabel("share of BBR, mean of 3 runs")
plt.ylim(0, 1)
plt.legend()
