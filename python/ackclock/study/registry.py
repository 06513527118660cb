"""Which studies there are: each folder here whose package has `STUDY`. Nothing else has to be registered."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from ackclock.errors import UserError, nearest
from ackclock.study.study import Study


def names() -> list[str]:
    """Names of the studies, in alphabetical order."""
    package = importlib.import_module("ackclock.studies")
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)


def get(name: str) -> Study[Any]:
    """Return the study of that name.

    Raises:
        UserError: There is none; the message lists what there is.
    """
    known = names()
    if name not in known:
        close = nearest(name, known)
        hint = f"\n  did you mean {close}?" if close else ""
        raise UserError(f"there is no study {name!r}\n  allowed: {', '.join(known)}, all{hint}")
    study = importlib.import_module(f"ackclock.studies.{name}").STUDY
    assert isinstance(study, Study)
    return study
