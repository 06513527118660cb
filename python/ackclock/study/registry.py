"""Access to studies by name or folder."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ackclock.errors import UserError
from ackclock.study.loading import Origin, load, origin, registered
from ackclock.study.study import Study


def names() -> list[str]:
    """Return the names of the studies that come with ackclock, in alphabetical order."""
    return [name for name, found in registered().items() if found.ours]


def every() -> list[Origin]:
    """Return the origin of every study with a registered name; no code of a study is run."""
    return list(registered().values())


def get(address: str) -> Study[Any]:
    """Run the code of the study with a name or in a folder (``./my-paper``) and return the study.

    Raises:
        UserError: There is no such study, or it cannot be loaded; the message gives the reason or the nearest name.
    """
    found = origin(address)
    study = load(address)
    if not isinstance(study, Study):
        raise UserError(
            f"study {address} ({found.shown}): STUDY is {type(study).__name__}\n  wanted: an ackclock.study.Study"
        )
    return study if found.ours else replace(study, origin=replace(found, sha256=found.digest()))
