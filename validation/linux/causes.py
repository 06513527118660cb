"""Known causes of cells outside the tolerance, by pattern of the cell's name; the first pattern that matches counts.

A cell that matches no pattern has no known cause, and its check fails.
"""

PLACES = (
    "other packets are dropped when the first slow start fills the queue: of pairs that arrive together, the kernel's "
    "netem drops both segments of every second pair, and here the second segment of each pair is dropped. Later cuts "
    "lose one segment or two by the parity of acknowledgments. If the receiver acknowledges each segment, the kernel "
    "sends 220 segments again, and 219 are sent again here"
)
TRAINS = (
    "each increase of the window releases a third segment beside a train of two, and the receiver acknowledges the "
    "train at its end. Which later acknowledgments then cover one segment, and so which segments the full queue "
    "drops, differs: 120 segments are sent again in the kernel and 95 here, at equal windows and round-trip times"
)

CAUSES: tuple[tuple[str, str], ...] = (
    ("single.A17.hybla", PLACES),
    ("gso.A33.reno", TRAINS),
)
