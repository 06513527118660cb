"""From a grid to jobs, runs, a store, and statistics over replications.

The package can be called, so that ``ackclock.sweep(...)`` sweeps: it is `ackclock.sweep.notebook.sweep`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    def __call__(self, *given: Any, **options: Any) -> Any:
        from ackclock.sweep.notebook import sweep

        return sweep(*given, **options)


sys.modules[__name__].__class__ = _Callable
