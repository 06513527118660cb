"""Known causes of cells outside the tolerance, by pattern of the cell's name; the first pattern that matches counts.

A cell that matches no pattern has no known cause, and its check fails.
"""

HYSTART = "HyStart needs acknowledgments of single segments; the kernel's receiver sends them at first, ours does not"
BEYOND = (
    "a segment lost beyond the recovery point and sent again in recovery begins no recovery of its own here, "
    "but in the kernel it does"
)
RECOVERY = "reno means RFC 5681's without SACK here; the kernel's has SACK, RACK and tail loss probes"
UNDO = "the kernel takes a reduction back when it was spurious, and recovers by RACK"
BBR = "the window beside others is 2 segments below the kernel's, and some losses end in timeouts that it has not"

CAUSES: tuple[tuple[str, str], ...] = (
    (
        "*.nv",
        "windows here are within 4 % of the kernel's, but they meet a full queue more often",
    ),
    ("*.lp", RECOVERY),
    (
        "*.hybla",
        "after slow start, 2^rho - 1 segments for each acknowledgment, the kernel sends more segments again",
    ),
    ("*.htcp", RECOVERY),
    ("*.bic", BEYOND),
    ("*.bbr", BBR),
    ("pair.*bbr*", BBR),
    ("aqm.pie.*cubic", HYSTART),
    ("single.*.cubic", HYSTART),
    ("drop.*", UNDO + "; a probe's answer begins its recovery"),
    ("hold.*", UNDO),
    ("*.reno", RECOVERY),
)
