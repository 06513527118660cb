"""Runs programs in an emulation's namespaces: the command, and the server that it talks to."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Sequence

from ackclock.emulation.namespaces import Namespace
from ackclock.errors import UserError

PATIENCE_S = 5.0
"""Maximum wait until a server listens, seconds."""

GRACE_S = 2.0
"""Time that a program has to exit after it was asked to, seconds."""

LISTENING = {"tcp": "0A", "tcp6": "0A", "udp": "07", "udp6": "07"}
"""State of listening sockets in each of these files of /proc/net."""


class Program:
    """A program that runs in a namespace."""

    def __init__(self, namespace: Namespace, words: Sequence[str], *, aside: bool) -> None:
        """Start the program; with `aside` its output goes to standard error.

        Raises:
            UserError: If it cannot be started.

        """
        self.words = list(words)
        try:
            self._process = subprocess.Popen(namespace.command(words), stdout=sys.stderr if aside else None)
        except OSError as why:
            raise UserError(f"{words[0]}: {why.strerror or why}") from None

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """Exit status, 128 + n if signal n ended the program; None while it runs."""
        code = self._process.poll()
        return None if code is None else code if code >= 0 else 128 - code

    def end(self) -> None:
        """Ask the program to exit if it still runs; kill it after `GRACE_S`."""
        if self._process.poll() is None:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE_S)
                return
            self._process.kill()
            self._process.wait()


def listeners(namespace: Namespace) -> set[str]:
    """Return the listening sockets of a namespace."""
    # Each file begins with a header line. A kernel without IPv6 lacks two of the files.
    files = " ".join(f"/proc/net/{name}" for name in LISTENING)
    shown = namespace.tell("sh", "-c", f"tail -n +1 {files} 2>/dev/null || true", what="reading sockets")
    found, name = set(), ""
    for line in shown.splitlines():
        columns = line.split()
        if line.startswith("==>"):
            name = columns[1].rpartition("/")[2]
        elif len(columns) > 3 and columns[3] == LISTENING[name]:
            found.add(f"{name} {columns[1]}")
    return found


def start_server(namespace: Namespace, words: Sequence[str]) -> Program:
    """Start a server and wait until it listens, at most `PATIENCE_S`.

    Raises:
        UserError: If it ends before that.

    """
    before = listeners(namespace)
    server = Program(namespace, words, aside=True)
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if listeners(namespace) - before:
            break
        if server.status is not None:
            raise UserError(f"--server: {os.path.basename(words[0])} has ended with status {server.status}")  # noqa: PTH119
        time.sleep(0.02)
    return server
