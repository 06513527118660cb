"""
Bufferbloat in an LTE cell: the RLC buffer
==========================================

A cell keeps a buffer for each phone. The numbers at the points are its size, for one CUBIC download.

Up to 100 kB, about a bandwidth-delay product, a larger buffer brings goodput. Beyond, it brings delay alone: with 1 MB
packets take more than a third of a second.
"""

import matplotlib.pyplot as plt

import ackclock as ac

plt.style.use(ac.plot.STYLE)

BUFFERS = ("10kB", "25kB", "50kB", "100kB", "200kB", "500kB", "1MB")
rate, delay = [], []
for buffer in BUFFERS:
    settings = ["duration=20s", f"lte.0.rlc.buffer={buffer}", "flow.1.start=19.999s"]
    flow = ac.load("lte", settings).run().summary["flows"][0]
    rate.append(flow["goodput_bps"] / 1e6)
    delay.append(flow["delay_mean_s"] * 1e3)
plt.plot(delay, rate, "o-")
for i, (name, x, y) in enumerate(zip(BUFFERS, delay, rate, strict=True)):
    at = {"xytext": (8, -6)} if i < 3 else {"xytext": (0, 7 if i % 2 else -15)}
    plt.annotate(name, (x, y), textcoords="offset points", **at)
plt.xlabel("mean one-way delay (ms)")
plt.ylabel("goodput (Mb/s)")
plt.ylim(0, 20)
plt.xlim(0, 400)
