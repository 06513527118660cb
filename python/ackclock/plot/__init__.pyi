from .distributions import distribution as distribution
from .ellipses import ellipse as ellipse
from .run import Plots as Plots
from .style import PAPER as PAPER
from .style import STYLE as STYLE
