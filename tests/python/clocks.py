"""Time as tests judge it: processor time, which a busy machine does not prolong, in place of a clock on the wall."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LIMIT_S = 60.0
"""How long a process may be there after it was interrupted, on a machine however busy, seconds."""


class Span:
    """Processor time that the body of `processor_time` took, seconds."""

    seconds = 0.0


@contextmanager
def processor_time() -> Iterator[Span]:
    """Measure the processor time of this process; that of its children does not count."""
    found, began = Span(), time.process_time()
    try:
        yield found
    finally:
        found.seconds = time.process_time() - began


def interrupted(process: subprocess.Popen[str]) -> tuple[float, str, str]:
    """Send SIGINT; return the processor time that the process takes until it ends, seconds, and its two outputs.

    The time is 0 where no ``/proc`` says what a process has used so far. A process that sleeps instead of ending
    uses no processor: it fails by `LIMIT_S`.
    """
    used, others = _used(process.pid), resource.getrusage(resource.RUSAGE_CHILDREN)
    process.send_signal(signal.SIGINT)
    try:
        out, said = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    whole = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = whole.ru_utime + whole.ru_stime - others.ru_utime - others.ru_stime
    return (0.0 if used is None else max(total - used, 0.0)), out or "", said or ""


def _used(pid: int) -> float | None:
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return None
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
