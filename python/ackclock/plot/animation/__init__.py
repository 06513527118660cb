"""A run as one HTML page that plays it: nothing to install, nothing loaded from elsewhere."""

from __future__ import annotations

from ackclock.plot.animation.packed import MOST_FRAMES, MOST_HOPS, RADIO_TRACES, TRACES, page

__all__ = ["MOST_FRAMES", "MOST_HOPS", "RADIO_TRACES", "TRACES", "page"]
