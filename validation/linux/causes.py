"""Known causes of cells outside the tolerance, by pattern of the cell's name; the first pattern that matches counts.

A cell that matches no pattern has no known cause, and its check fails.
"""

HYSTART = "HyStart of the kernel ends slow start by acknowledgment trains and by delay"
RECOVERY = "reno means RFC 5681's without SACK here; the kernel's has SACK, RACK and tail loss probes"
UNDO = "the kernel takes a reduction back when it was spurious, and recovers by RACK"
BBR = "the kernel paces 1 % below BBR's estimate, and its window has three quanta and `extra_acked` more"

CAUSES: tuple[tuple[str, str], ...] = (
    ("*.nv", "NV is not built"),
    ("*.cdg", "CDG is not built"),
    ("*.lp", "lp's early reduction starves the flow; the kernel's is as its reno on an idle path"),
    ("*.hybla", "the kernel counts acknowledgments, not segments, and in eighths"),
    ("*.htcp", "the kernel's scales with the round trip"),
    ("*.bic", "the kernel's divisor counts 16/d while acknowledgments are delayed"),
    ("*.westwood", "the kernel's bandwidth is sampled more rarely, and the window set when recovery ends"),
    ("*.scalable", "the kernel adds one segment per 100 acknowledged, and takes an eighth off"),
    ("*.bbr", BBR),
    ("pair.*bbr*", BBR),
    ("pair.*westwood*", "westwood's estimate differs"),
    ("aqm.pie.*cubic", HYSTART),
    ("single.*.cubic", HYSTART),
    ("loss*.cubic", "the kernel grows by whole segments, and not faster than one a window after W_max"),
    ("drop.*", UNDO + "; a probe's answer begins its recovery"),
    ("hold.*", UNDO),
    ("*.reno", RECOVERY),
)
