"""
The sawtooth of Reno, and the queue that it fills
=================================================

Reno's window, above, and the queue that it fills, below.

Reno adds one segment per round trip until the queue overflows at 20 packets, and then halves its window. The queue
follows the window: all that the path cannot hold waits in it. At the beginning slow start overshoots and ends in a
timeout.
"""

import matplotlib.pyplot as plt
import polars

import ackclock as ac

plt.style.use(ac.plot.STYLE)

run = ac.dumbbell(["reno"], rate="2Mbps", delay="20ms", queue=20).run("30s", traces=["cwnd", "queue"])
cwnd = run.trace("cwnd").to_polars().filter(polars.col("variable") == "cwnd")
queue = run.trace("queue").to_polars().filter(polars.col("place") == "r0>r1")
figure, (above, below) = plt.subplots(2, sharex=True)
above.step(cwnd["time_s"], cwnd["value"], where="post")
above.set_ylabel("window (segments)")
above.set_ylim(0, 60)
below.step(queue["time_s"], queue["packets"], where="post", linewidth=0.6)
below.set(xlabel="time (s)", ylabel="queue (packets)")
