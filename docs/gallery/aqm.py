"""
Queue disciplines side by side
==============================

Four CUBIC flows through one bottleneck of 10 Mb/s, with five queue disciplines.

Drop-tail, right, keeps the link busiest, and its queue delays each packet by 0.2 s. The four others hold the delay at
about 20 ms or less. CoDel and FQ-CoDel pay with less than 1 % of the utilisation, RED with 4 %.
"""

import matplotlib.pyplot as plt
import numpy as np

import ackclock as ac

plt.style.use(ac.plot.STYLE)

QUEUES = {
    "droptail": 200,
    "red": {"kind": "red"},
    "codel": {"kind": "codel"},
    "pie": {"kind": "pie"},
    "fq-codel": {"kind": "fq-codel"},
}
for name, queue in QUEUES.items():
    run = ac.dumbbell(["cubic"] * 4, rate="10Mbps", delay="20ms", queue=queue, stagger="0.3s").run("30s")
    link = next(x for x in run.summary["links"] if x["name"] == "r0>r1")
    delay = np.mean([flow["delay_mean_s"] for flow in run.summary["flows"]]) * 1e3 - 22
    plt.plot(delay, 100 * link["utilisation"], "o", markersize=9)
    plt.annotate(name, (delay, 100 * link["utilisation"]), xytext=(8, 4), textcoords="offset points")
plt.xscale("log")
plt.xlim(1, 1000)
plt.ylim(94, 100)
plt.xlabel("mean queueing delay (ms)")
plt.ylabel("utilisation of the bottleneck (%)")
