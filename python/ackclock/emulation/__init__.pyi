from .execution import Emulation as Emulation
from .execution import emulate as emulate
