"""
A handover in LTE, with and without forwarding
==============================================

A phone drives from one cell to another. The legend counts the packets that were left behind.

With forwarding over X2 the goodput falls to zero for a moment, and the forwarded packets then arrive at once. Without
it packets are lost with the old cell; the sender has to send them again.
"""

import matplotlib.pyplot as plt
import polars

import ackclock as ac

plt.style.use(ac.plot.STYLE)

ROUTE = """$node_(0) set X_ 100
$node_(0) set Y_ 0
$ns_ at 0.0 "$node_(0) setdest 900 0 40"
"""
CELLS = {
    "name": "net",
    "gateway": "agw",
    "ue": ["phone"],
    "enb": [
        {"name": "west", "position": [0, 0, 30], "power": "43dBm"},
        {"name": "east", "position": [1000, 0, 30], "power": "43dBm"},
    ],
    "bandwidth": "5MHz",
    "propagation": {"kind": "log-distance", "exponent": 3.5},
    "rlc": {"mode": "am", "buffer": "200kB"},
}
for forwarding in (True, False):
    net = ac.Network()
    net.node("phone", mobility={"kind": "setdest", "node": 0, "orders": ROUTE})
    net.link("server", "agw", rate="1Gbps", delay="20ms")
    net.flow("server", "phone", variant="cubic")
    document = net.document() | {"duration": "20s"}
    document["lte"] = [CELLS | {"handover": {"kind": "a3", "forwarding": forwarding}}]
    run = ac.Scenario(document).run(traces=["throughput"], bin_s=0.1)
    rates = run.trace("throughput").to_polars().filter(polars.col("time_s").is_between(10, 15))
    lost = run.summary["flows"][0]["lost_handover_packets"]
    name = "forwarding over X2" if forwarding else "no forwarding"
    plt.plot(
        rates["time_s"],
        rates["goodput_bps"] / 1e6,
        label=f"{name}: {lost} packets lost",
    )
plt.xlabel("time (s)")
plt.ylabel("goodput (Mb/s)")
plt.legend(loc="upper left")
