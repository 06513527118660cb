"""
Two losses in one window: Fall and Floyd, 1996
==============================================

Packets 14 and 28 of one transfer are lost. A curve is the highest packet acknowledged.

All four are equal until the loss. Reno then waits a second for its retransmission timer. Tahoe begins again from a
window of one. NewReno repairs one loss per round trip, SACK both at once: they end close together.
"""

import matplotlib.pyplot as plt
import polars

import ackclock as ac

plt.style.use(ac.plot.STYLE)

for variant in ("tahoe", "reno", "newreno", "sack"):
    run = ac.load("fall-floyd", [f"flow.0.tcp.variant={variant}"]).run(traces=["segments"])
    segments = run.trace("segments").to_polars()
    acks = segments.filter((polars.col("event") == "ack") & (polars.col("place") == "s1"))
    plt.step(acks["time_s"], acks["seq"], where="post", label=variant)
plt.xlabel("time (s)")
plt.ylabel("packets acknowledged")
plt.legend()
