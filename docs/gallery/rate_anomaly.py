"""
802.11's rate anomaly
=====================

802.11 stations take turns, and a turn at a low rate takes long (Heusse et al., 2003). The first station always sends
at 54 Mb/s.

Beside a station at 11 Mb/s it gets half of what it gets alone; beside one at 1 Mb/s an eighth.
"""

import matplotlib.pyplot as plt
import numpy as np

import ackclock as ac

plt.style.use(ac.plot.STYLE)

RATES = ("silent", "11Mbps", "5.5Mbps", "2Mbps", "1Mbps")
goodput = []
for rate in RATES:
    settings = (
        ["duration=5s", "flow.1.start=4.999s"]
        if rate == "silent"
        else ["duration=5s", f"wifi.0.b_rate={rate}"]
    )
    flows = ac.load("b-among-g", settings).run().summary["flows"]
    goodput.append([flow["delivered_bytes"] * 8 / 5e6 for flow in flows])
fast, slow = np.array(goodput).T
x = np.arange(len(RATES))
plt.bar(x - 0.2, fast, 0.4, label="station at 54 Mb/s")
plt.bar(x + 0.2, slow, 0.4, label="station at the rate shown")
plt.xticks(x, [rate.replace("Mbps", " Mb/s") for rate in RATES])
plt.xlabel("rate of the second station")
plt.ylabel("goodput (Mb/s)")
plt.legend()
