from .network import Network as Network
from .scenario import Scenario as Scenario
from .scenario import load as load
from .topologies import chain as chain
from .topologies import dumbbell as dumbbell
from .topologies import parking_lot as parking_lot
