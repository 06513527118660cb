"""Known causes of cells outside the tolerance, by pattern of the cell's name; the first pattern that matches counts.

A cell that matches no pattern has no known cause, and its check fails.
"""

PLACES = (
    "other packets are dropped when the first slow start fills the queue: of pairs that arrive together, the kernel's "
    "netem drops both segments of every second pair, and here the second segment of each pair is dropped. Later cuts "
    "lose one segment or two by the parity of acknowledgments. If the receiver acknowledges each segment, the kernel "
    "sends 220 segments again, and 219 are sent again here"
)
EXIT = (
    "the acknowledgment that ends a recovery increases the kernel's window, and the kernel's receiver acknowledges "
    "each of the first 1374 segments, here 1313. With both rules, tried with the endpoints alone, 106 segments are "
    "sent again here, too, 126 on A67 and 76 on C33. H-TCP and YeAH agree better without the first rule: why is not "
    "known"
)
SHORT = (
    "startup sends 117 segments again instead of 154; and from the first probe-rtt on, each phase with the gain 5/4 "
    "fills the queue here and loses a segment, where the kernel's smoothed RTT stays at 58 ms or below, and a full "
    "queue would give 61 ms: why is not known"
)
BBR = (
    "the window beside others is 2 to 5 % below the kernel's, and less of it is in flight: why is not known; at 4 and "
    "8 BDP the shares agree"
)
QUEUE = (
    "goodput is 1.1 % above the kernel's, both means over 8 seeds of PIE's random drops, and 488 segments are sent "
    "again instead of 568: why is not known"
)

CAUSES: tuple[tuple[str, str], ...] = (
    ("single.A17.hybla", PLACES),
    *((f"single.A33.{control}", EXIT) for control in ("reno", "lp", "dctcp")),
    ("single.A17.bbr", SHORT),
    ("pair.*bbr*", BBR),
    ("aqm.pie.noecn.reno", QUEUE),
)
