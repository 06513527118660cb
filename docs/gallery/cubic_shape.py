"""
CUBIC's window against Reno's on a long fat path
================================================

Windows at 50 Mb/s and a round trip of 100 ms.

After its loss in slow start, SACK with Reno's growth needs nearly 50 s to come back to a full window: one segment per
round trip. CUBIC does so in 5 to 15 s, along a curve that is flat near the old maximum and steep beyond it.
"""

import matplotlib.pyplot as plt
import polars

import ackclock as ac

plt.style.use(ac.plot.STYLE)

for variant in ("sack", "cubic"):
    scenario = ac.dumbbell([variant], rate="50Mbps", delay="48ms", queue=200, tcp={"hystart": True})
    run = scenario.run("60s", traces=["cwnd"])
    cwnd = run.trace("cwnd").to_polars().filter(polars.col("variable") == "cwnd")
    plt.step(cwnd["time_s"], cwnd["value"], where="post", label=variant)
plt.xlabel("time (s)")
plt.ylabel("window (segments)")
plt.ylim(0, 1000)
plt.legend()
