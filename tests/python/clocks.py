"""Processor time for tests; unlike wall-clock time, it hardly grows on a busy machine."""

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
"""Longest permitted wall-clock time for an interrupted process to end, s; it allows for a busy machine."""


class Span:
    """Processor time of the body of `processor_time`, s."""

    seconds = 0.0


@contextmanager
def processor_time() -> Iterator[Span]:
    """Measure the processor time that this process uses in the context, without its children."""
    found, began = Span(), time.process_time()
    try:
        yield found
    finally:
        found.seconds = time.process_time() - began


def interrupted(process: subprocess.Popen[str]) -> tuple[float, str, str]:
    """Send SIGINT; return the processor time until the process ends, s, and its standard output and error.

    The time is 0 on systems without ``/proc``. A process that sleeps instead of ending uses no processor time, so the
    wait also fails after `LIMIT_S`.
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
