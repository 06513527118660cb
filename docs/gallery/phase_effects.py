"""
Phase effects: a millisecond decides who loses
==============================================

Two deterministic flows at a drop-tail queue. Which packet meets a full queue depends on the phase of the two round
trips (Floyd and Jacobson, 1992).

A millisecond of delay decides whether flow b gets 80 % or less than half. A queue that drops at random (RED) removes
most of the effect: its shares stay between 40 and 55 %.
"""

import matplotlib.pyplot as plt
import numpy as np

import ackclock as ac

plt.style.use(ac.plot.STYLE)

delays = np.arange(0, 20.1, 0.5)
for queue, name in ((15, "drop-tail"), ({"kind": "red"}, "RED")):
    shares = []
    for extra in delays:
        net = ac.Network()
        net.link("r0", "r1", rate="0.8Mbps", delay="50ms", queue=queue)
        net.link("a", "r0", rate="8Mbps", delay="5ms")
        net.link("b", "r0", rate="8Mbps", delay=f"{5 + extra}ms")
        for host in "ab":
            net.flow(host, "r1", variant="reno", profile="ns2")
        flows = net.run("100s").summary["flows"]
        shares.append(flows[1]["goodput_bps"] / sum(flow["goodput_bps"] for flow in flows))
    plt.plot(delays, 100 * np.array(shares), ".-", label=name)
plt.axhline(50, color="gray", linestyle=":")
plt.xlabel("added delay on flow b's access link (ms)")
plt.ylabel("share of flow b (%)")
plt.ylim(0, 100)
plt.legend()
