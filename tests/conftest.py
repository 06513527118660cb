"""What holds for all tests."""

from __future__ import annotations

import signal

# A test run that a script puts into the background, or that `nohup` began, inherits an ignored Ctrl-C or hang-up, and
# so do the commands that it tries.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
