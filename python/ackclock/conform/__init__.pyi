from .case import Case as Case
from .case import Outcome as Outcome
from .case import Suite as Suite
from .case import Verdict as Verdict
from .report import Judged as Judged
from .report import Report as Report
from .suites import SUITES as SUITES
from .suites import conform as conform
