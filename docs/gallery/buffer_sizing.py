"""
How much buffer does a link need?
=================================

Utilisation of a bottleneck against its buffer, for 1, 4 and 16 flows.

More flows need less buffer: 16 flows with a fifth of a bandwidth-delay product use 93 % of the link, one flow needs
1.6 products for 94 %. Sixteen windows are out of step, so that their sum varies less: the idea of Appenzeller, Keslassy
and McKeown (2004).
"""

import matplotlib.pyplot as plt
import numpy as np

import ackclock as ac

plt.style.use(ac.plot.STYLE)

BDP = 20e6 * 0.062 / 8 / 1500  # packets, at 20 Mb/s and 62 ms
buffers = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
for flows in (1, 4, 16):
    jobs = [
        (
            ac.dumbbell(
                ["reno"],
                flows=flows,
                rate="20Mbps",
                delay="29ms",
                queue=max(2, round(x * BDP)),
                duration="60s",
            ),
            1,
            2.0,
        )
        for x in buffers
    ]
    busy = [
        next(x for x in run.summary["links"] if x["name"] == "r0>r1")["utilisation"]
        for run in ac.runs.run_many(jobs)
    ]
    plt.plot(buffers, 100 * np.array(busy), "o-", label=f"{flows} flow" + "s" * (flows > 1))
plt.xscale("log")
plt.xlabel("buffer (bandwidth-delay products)")
plt.ylabel("utilisation (%)")
plt.legend()
