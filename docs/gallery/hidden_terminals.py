"""
Hidden terminals, and what RTS/CTS does about them
==================================================

Two stations send to a receiver between them. Up to 240 m from each other they sense each other.

Beyond that distance their frames collide at the receiver, and the goodput falls to a quarter. RTS/CTS costs a tenth
when they sense each other. When they do not, it saves most of what collisions would cost.
"""

import matplotlib.pyplot as plt

import ackclock as ac

plt.style.use(ac.plot.STYLE)


def goodput(distance, rts):
    """Return the goodput of both stations together, Mb/s."""
    net = ac.Network().node("mid", position=[0, 0])
    for i, name in enumerate(("left", "right")):
        net.node(name, position=[distance / 2 * (1 if i else -1), 0])
        net.flow(name, "mid", traffic={"kind": "cbr", "rate": "3Mbps", "packet": "1000B"})
    document = net.document() | {"duration": "5s"}
    document["wifi"] = [WLAN | {"rts_threshold": "0B" if rts else "4000B"}]
    return sum(flow["delivered_bytes"] for flow in ac.Scenario(document).run().summary["flows"]) * 8 / 5e6


WLAN = {
    "standard": "b",
    "profile": "ns2",
    "stations": ["mid", "left", "right"],
    "rate": "2Mbps",
    # Carrier sense reaches as far as reception, 250 m: stations further apart are hidden from each other.
    "reception": {"kind": "capture", "receive": "-64.3dBm", "sense": "-64.3dBm"},
}
distances = (100, 200, 240, 260, 300, 400, 480)
for rts in (False, True):
    total = [goodput(distance, rts) for distance in distances]
    plt.plot(distances, total, "o-", label="RTS/CTS" if rts else "no RTS/CTS")
plt.xlabel("distance between the two senders (m)")
plt.ylabel("goodput of both (Mb/s)")
plt.ylim(0, None)
plt.legend()
