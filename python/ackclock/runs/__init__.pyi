from .run import Run as Run
from .run import run_many as run_many
from .simulation import FlowState as FlowState
from .simulation import LinkState as LinkState
from .simulation import Simulation as Simulation
from .table import Table as Table
