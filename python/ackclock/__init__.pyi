"""Names at the top of the package, and where each lives: what editors and type checkers read, and what is loaded."""

from ._core import __version__ as __version__
from ._use_core import use_core as use_core
from .comparisons.api import compare as compare
from .control import Control as Control
from .errors import ScenarioError as ScenarioError
from .errors import UserError as UserError
from .report import figures as figures
from .report import write_report as write_report
from .runs import Run as Run
from .scenario import Network as Network
from .scenario import Scenario as Scenario
from .scenario import dumbbell as dumbbell
from .scenario import load as load
from .scenario import parking_lot as parking_lot
from .scenario import run as run
from .sweeps.api import sweep as sweep
