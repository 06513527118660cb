from .notebook import figures as figures
from .notebook import report_tables as report_tables
from .notebook import write_report as write_report
