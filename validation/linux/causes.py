"""Known causes of cells outside the tolerance, by pattern of the cell's name; the first matching pattern counts.

If a cell outside the tolerance matches no pattern, its check fails.
"""

PARITY = (
    "a cut loses one segment or two, by the parity of the acknowledgments of pairs at the loss; the kernel's socket "
    "buffer ends the application's writes, whose last segments are acknowledged alone, at other segments than ours"
)
LAST = (
    "the kernel acknowledges other pairs at the end of the transfer, so that another acknowledgment is delayed by "
    "40 ms; the ends of the application's writes, whose last segments are acknowledged alone, are at other segments"
)
BBR = (
    "the window beside others is 2 to 5 % below the kernel's, and less of it is in flight: why is not known; at 4 and "
    "8 BDP the shares agree"
)
SHORT = "not known: with half a BDP of buffer the mean window is 3 % smaller, and more is lost"

CAUSES: tuple[tuple[str, str], ...] = (
    ("single.A17.hybla", PARITY),
    ("single.*.highspeed", PARITY),
    ("single.A17.yeah", PARITY),
    ("single.A17.bbr", SHORT),
    ("pair.*bbr*", BBR),
    ("drop.tail*.cubic", LAST),
)
