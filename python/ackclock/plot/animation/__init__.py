"""Animation of a run as one HTML page without external resources."""

from __future__ import annotations

from ackclock.plot.animation.packed import MOST_FRAMES, MOST_HOPS, RADIO_TRACES, TRACES, page

__all__ = ["MOST_FRAMES", "MOST_HOPS", "RADIO_TRACES", "TRACES", "page"]
