"""Tasks: a task is a picklable function of a batch of items. This module also has how a worker calls it."""

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
"""Tells whether the client has given up, so that running work may end."""


LOOK_S = 0.1
"""Time between two checks of a process whether the client has given up, seconds."""

GRACE_S = 1.0
"""Time for which a task may go on after the client has given up, s; simulations stop within a tenth of a second."""


class GivenUpError(Exception):
    """Raised by a task that finds that the client has given up."""


class Task(Protocol[Item, Result]):
    """A function of a batch of items. On executors other than threads it is pickled, as the items are."""

    def __call__(self, items: Sequence[Item], stopped: Stopped) -> list[tuple[Result, float]]:
        """Return the result of each item and its seconds of processor time, in order."""

    def packed(self, results: Sequence[Result]) -> bytes:
        """Return results in the form in which they travel: a stream of Arrow's format if they are tables."""

    def unpacked(self, data: bytes) -> list[Result]:
        """Read the output of `packed`."""


_stop: c_bool | None = None
"""Flag of a worker process, shared: true once the client has given up. Without a lock, which a killed process would
keep.
"""


def begin_process(stop: c_bool) -> None:
    """Prepare a worker process: Ctrl-C is the client's to handle, and a worker without a client ends."""
    import signal

    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_after, args=(stop,), daemon=True).start()
    above = parent_process()
    if above is not None:
        threading.Thread(target=_end_with, args=(above,), daemon=True).start()


def _end_after(stop: c_bool) -> None:
    """End the process if what it does has not stopped in time: a congestion control of the user's may never return."""
    while not stop.value:
        time.sleep(LOOK_S)
    time.sleep(GRACE_S)
    os._exit(1)


def _end_with(above: Any) -> None:
    above.join()
    os._exit(1)


def packed_task(task: Task[Item, Result], items: Sequence[Item]) -> bytes:
    """Return what `perform` needs. It is opened only by a worker of the same build."""
    return pickle.dumps((task, list(items)), protocol=5)


def perform(client: Build, data: bytes) -> dict[str, Any]:
    """Carry out a batch on a worker. Given and returned are plain data, which any version can read."""
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
    """Return the name of this machine and the process."""
    return f"{socket.gethostname()}, process {os.getpid()}"


def _stopped() -> bool:
    return _stop is not None and _stop.value
