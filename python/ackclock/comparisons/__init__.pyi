from .comparison import Comparison as Comparison
