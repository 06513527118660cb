"""
Throughput over the hops of an ad hoc chain
===========================================

In a chain of 802.11 stations neighbours cannot send at the same time, and a frame is repeated at every hop.

The goodput over two hops is half of that over one. From four hops on it is less than a quarter. Vegas, which keeps
fewer packets in flight, gets more than NewReno over most lengths.
"""

import matplotlib.pyplot as plt

import ackclock as ac

plt.style.use(ac.plot.STYLE)


def chain(hops, variant):
    """Return a scenario of stations 200 m apart in a row, and one transfer from end to end."""
    net = ac.Network()
    for i in range(hops + 1):
        net.node(f"n{i}", position=[200 * i, 0])
    net.flow("n0", f"n{hops}", variant=variant, start="1s")
    document = net.document() | {"duration": "30s"}
    stations = [f"n{i}" for i in range(hops + 1)]
    document["wifi"] = [
        {
            "standard": "b",
            "profile": "ns2",
            "stations": stations,
            "rate": "2Mbps",
            "routing": {"kind": "aodv"},
        }
    ]
    return ac.Scenario(document)


hops = (1, 2, 3, 4, 5, 6)
for variant in ("newreno", "vegas"):
    runs = ac.runs.run_many([(chain(n, variant), 1, 0.0) for n in hops])
    plt.plot(hops, [run.summary["flows"][0]["goodput_bps"] / 1e3 for run in runs], "o-", label=variant)
plt.xlabel("hops")
plt.ylabel("goodput (kb/s)")
plt.ylim(0, None)
plt.legend()
