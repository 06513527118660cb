"""Identifies the build of ackclock by version and digests of its files, so that all workers run the same build."""

from __future__ import annotations

import hashlib
import platform
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

from ackclock import _core

Build: TypeAlias = dict[str, str]
"""A build as a plain dictionary, readable by any other version."""


@cache
def here() -> Build:
    """Return version, platform, and digests of the extension module and of the Python files."""
    package = Path(str(files("ackclock")))
    sources = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        sources.update(path.relative_to(package).as_posix().encode())
        sources.update(path.read_bytes())
    return {
        "version": _core.__version__,
        "platform": f"{sys.platform} {platform.machine()}",
        "extension": hashlib.sha256(Path(str(_core.__file__)).read_bytes()).hexdigest()[:12],
        "sources": sources.hexdigest()[:12],
    }


def difference(client: Build, worker: Build) -> str | None:
    """Describe how a worker's build differs from the client's; return None if they are equivalent.

    Extension modules of different platforms always differ; then version and Python files are compared.
    """
    if client["version"] != worker["version"]:
        return f"it has ackclock {worker['version']}, and this is {client['version']}"
    if client["sources"] != worker["sources"]:
        return (
            f"it has other Python files of ackclock {worker['version']} "
            f"(build {worker['sources']}, and this is {client['sources']})"
        )
    if client["platform"] == worker["platform"] and client["extension"] != worker["extension"]:
        return (
            f"it has another build of ackclock {worker['version']} "
            f"({worker['extension']}, and this is {client['extension']})"
        )
    return None
