from .path import Estimate as Estimate
from .reading import KINDS as KINDS
from .reading import Fit as Fit
from .reading import fit as fit
from .reading import read as read
