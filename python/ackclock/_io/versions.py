"""Version of the form of results in JSON."""

from __future__ import annotations

from typing import Final

SCHEMA_VERSION: Final = 1
"""Version of the form of results in JSON; it rises if a field is removed or renamed."""
