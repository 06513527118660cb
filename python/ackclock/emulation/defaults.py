"""Values of an emulation's options, for the function and the command line."""

from enum import StrEnum
from typing import Final


class Priority(StrEnum):
    """Scheduling of the emulator: as any program, with nice value `NICE`, or before all other programs (SCHED_FIFO)."""

    normal = "normal"
    high = "high"
    realtime = "realtime"


NICE: Final = -10
"""Nice value of priority ``"high"``."""

LATE_S: Final = 1e-3
"""Lateness above which a packet counts as late, seconds."""

CONNECTIONS: Final = 256
"""Number of connections with a flow of their own."""

MTU: Final = 1500
"""Longest packet of the devices, bytes."""
