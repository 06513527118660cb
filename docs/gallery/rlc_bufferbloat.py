"""
Bufferbloat in an LTE cell: the RLC buffer
==========================================

A cell keeps a buffer for each phone. The deeper it is, the longer a CUBIC download makes everything wait; the
rate gains nothing once the buffer holds a bandwidth-delay product.
"""

import matplotlib.pyplot as plt

import ackclock as ac

BUFFERS = ("10kB", "25kB", "50kB", "100kB", "200kB", "500kB", "1MB")
rate, delay = [], []
for buffer in BUFFERS:
    settings = ["duration=20s", f"lte.0.rlc.buffer={buffer}", "flow.1.start=19.999s"]
    flow = ac.load("lte", settings).run().summary["flows"][0]
    rate.append(flow["goodput_bps"] / 1e6)
    delay.append(flow["delay_mean_s"] * 1e3)
plt.plot(delay, rate, "o-")
for name, x, y in zip(BUFFERS, delay, rate, strict=True):
    plt.annotate(name, (x, y), xytext=(4, -12), textcoords="offset points")
plt.xlabel("mean one-way delay (ms)")
plt.ylabel("goodput (Mb/s)")
plt.ylim(0, None)
plt.xlim(0, 400)
