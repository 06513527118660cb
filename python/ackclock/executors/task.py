"""Tasks, which are picklable functions of a batch of items, and how a worker executes them."""

from __future__ import annotations

import os
import pickle
import socket
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from multiprocessing import parent_process
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from ackclock.executors.build import Build, difference, here

if TYPE_CHECKING:
    from ctypes import c_bool

Item = TypeVar("Item", contravariant=True)
Result = TypeVar("Result")

Stopped: TypeAlias = Callable[[], bool]
"""Function that returns true once the client has given up, so that running work can stop."""


LOOK_S = 0.1
"""Time between a worker process's checks whether the client has given up, seconds."""

GRACE_S = 1.0
"""Time for which a task may continue after the client has given up, s; simulations stop within 0.1 s."""


class GivenUpError(Exception):
    """Raised by a task when it detects that the client has given up."""


class Task(Protocol[Item, Result]):
    """Interface of a function of a batch of items; all executors except threads pickle both."""

    def __call__(self, items: Sequence[Item], stopped: Stopped) -> list[tuple[Result, float]]:
        """Return the result and the processor time, seconds, of each item, in order."""

    def packed(self, results: Sequence[Result]) -> bytes:
        """Return results as bytes for another process; tables are sent as Arrow streams."""

    def unpacked(self, data: bytes) -> list[Result]:
        """Return the results that `packed` turned into bytes."""


_stop: c_bool | None = None
"""Flag shared with the client: true once it has given up. It has no lock, since a killed process could hold one."""


def begin_process(stop: c_bool) -> None:
    """Prepare a worker process: it ignores Ctrl-C, which the client handles, and exits when the client is gone."""
    import signal

    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_after, args=(stop,), daemon=True).start()
    above = parent_process()
    if above is not None:
        threading.Thread(target=_end_with, args=(above,), daemon=True).start()


def _end_after(stop: c_bool) -> None:
    """End the process if its task does not stop in time, since a user's congestion control may never return."""
    while not stop.value:
        time.sleep(LOOK_S)
    time.sleep(GRACE_S)
    os._exit(1)


def _end_with(above: Any) -> None:
    above.join()
    os._exit(1)


def packed_task(task: Task[Item, Result], items: Sequence[Item]) -> bytes:
    """Return the argument of `perform` as bytes; only workers of the same build unpack them."""
    return pickle.dumps((task, list(items)), protocol=5)


def perform(client: Build, data: bytes) -> dict[str, Any]:
    """Run a batch on a worker. Argument and result are plain data, readable by any version."""
    found = difference(client, here())
    if found is not None:
        return {"refused": found, "where": where()}
    task, items = pickle.loads(data)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        made = task(items, _stopped)
    return {
        "results": task.packed([one for one, _ in made]),
        "seconds": [seconds for _, seconds in made],
        "warnings": [str(one.message) for one in said if one.category is RuntimeWarning],
    }


def where() -> str:
    """Return this machine's name and this process's number as text."""
    return f"{socket.gethostname()}, process {os.getpid()}"


def _stopped() -> bool:
    return _stop is not None and _stop.value
