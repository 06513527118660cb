"""Version of the JSON format of results."""

from __future__ import annotations

from typing import Final

SCHEMA_VERSION: Final = 1
"""Version of the JSON format of results; it rises when a field is removed or renamed."""
