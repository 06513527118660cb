from .courses import over_time as over_time
from .statistics import Difference as Difference
from .statistics import Interval as Interval
from .statistics import Ratio as Ratio
from .statistics import interval as interval
from .statistics import jain as jain
from .statistics import mean as mean
from .statistics import paired as paired
