"""Defaults of an emulation's options, for the function and the command line."""

from enum import StrEnum
from typing import Final


class Priority(StrEnum):
    """Scheduling of the emulator: like any program, with nice value `NICE`, or ahead of all others (SCHED_FIFO)."""

    normal = "normal"
    high = "high"
    realtime = "realtime"


NICE: Final = -10
"""Nice value for priority ``"high"``."""

LATE_S: Final = 1e-3
"""Lateness above which a packet counts as late, seconds."""

CONNECTIONS: Final = 256
"""Maximum number of connections that are reported as flows of their own."""

MTU: Final = 1500
"""Maximum packet length of the devices, bytes."""
