"""
Bufferbloat: what a file transfer does to a phone call
======================================================

A transfer and a 64 kb/s call share an uplink of 5 Mb/s. The curves are distributions of the delay of the call's
packets.

Behind a drop-tail buffer of 1000 packets most packets of the call take more than a second. With CoDel 95 % take less
than 40 ms. With FQ-CoDel all take less than 25 ms: it adds little to the propagation delay.
"""

import matplotlib.pyplot as plt
import numpy as np
import polars

import ackclock as ac

plt.style.use(ac.plot.STYLE)

QUEUES = {
    "drop-tail, 1000 packets": "queue.kind=droptail",
    "CoDel": "queue.kind=codel",
    "FQ-CoDel": "queue.kind=fq-codel",
}
for name, queue in QUEUES.items():
    run = ac.load("bufferbloat", [f"link.uplink.{queue}", "duration=20s"]).run(traces=["delay"])
    call = run.trace("delay").to_polars().filter(polars.col("flow") == 1)
    delays = np.sort(call["delay_s"].to_numpy() * 1e3)
    plt.plot(delays, np.linspace(0, 1, len(delays)), label=name)
plt.xscale("log")
plt.xlabel("one-way delay of the call's packets (ms)")
plt.ylabel("share of packets")
plt.legend(loc="center")
