from .axes import Axis as Axis
from .results import SweepResult as SweepResult
from .sweep import Sweep as Sweep
