"""
Slow start overshoots; HyStart++ leaves in time
===============================================

On a path with a large buffer, plain slow start doubles its window until many packets are lost at once.

HyStart++ (RFC 9406) sees the round trips grow. From about 250 segments on it grows more slowly, and it leaves slow
start with a quarter of the losses.
"""

import matplotlib.pyplot as plt
import polars

import ackclock as ac

plt.style.use(ac.plot.STYLE)

for hystart in (False, True):
    scenario = ac.dumbbell(["sack"], rate="20Mbps", delay="40ms", queue=200, tcp={"hystart": hystart})
    run = scenario.run("6s", traces=["cwnd", "drops"])
    cwnd = run.trace("cwnd").to_polars().filter(polars.col("variable") == "cwnd")
    lost = run.trace("drops").to_polars().height
    name = "HyStart++" if hystart else "plain slow start"
    plt.step(cwnd["time_s"], cwnd["value"], where="post", label=f"{name}: {lost} packets lost")
plt.xlabel("time (s)")
plt.ylabel("window (segments)")
plt.ylim(0, None)
plt.legend()
