"""Which studies there are: each folder here whose package has `STUDY`. Nothing else has to be registered."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, cast

from ackclock.errors import UserError, nearest

if TYPE_CHECKING:
    from ackclock.studies.study import Study


def names() -> list[str]:
    """Names of the studies, in alphabetical order."""
    package = importlib.import_module("ackclock.studies")
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)


def get(name: str) -> Study:
    """Return the study of that name.

    Raises:
        UserError: There is none; the message lists what there is.
    """
    known = names()
    if name not in known:
        close = nearest(name, known)
        hint = f"\n  did you mean {close}?" if close else ""
        raise UserError(f"there is no study {name!r}\n  allowed: {', '.join(known)}, all{hint}")
    return cast("Study", importlib.import_module(f"ackclock.studies.{name}").STUDY)
