"""Quantities with units as numbers, read by the core; texts that thousands of flows and links share are read once."""

from functools import lru_cache

from ackclock import _core

seconds = lru_cache(maxsize=4096)(_core.seconds)
bits_per_second = lru_cache(maxsize=4096)(_core.bits_per_second)
size_bytes = lru_cache(maxsize=4096)(_core.size_bytes)
