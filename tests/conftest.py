"""What holds for all tests."""

from __future__ import annotations

import signal

# A test run that a script puts into the background inherits an ignored Ctrl-C, and so do the commands that it tries.
signal.signal(signal.SIGINT, signal.default_int_handler)
