"""Scenarios drawn at random, one for each episode."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock._core import bits_per_second, seconds
from ackclock.errors import UserError
from ackclock.scenario.topologies import dumbbell

if TYPE_CHECKING:
    import numpy as np

    from ackclock.scenario.scenario import Scenario


@dataclass(frozen=True)
class Domain:
    """Dumbbells drawn at random: rate and delay uniform on a logarithmic scale, buffer and loss uniform on theirs.

    The flow called `agent` is the agent's; `others` run beside it from the start. One end of a range given twice
    fixes it.
    """

    rate: tuple[str, str] = ("2Mbps", "50Mbps")
    """Rate of the bottleneck, least and most."""
    delay: tuple[str, str] = ("5ms", "50ms")
    """One-way delay of the bottleneck, least and most."""
    buffer: tuple[float, float] = (0.5, 2.0)
    """Its buffer in bandwidth-delay products, least and most."""
    loss: tuple[float, float] = (0.0, 0.0)
    """Share of packets that it loses at random, least and most."""
    others: tuple[str, ...] = ()
    """Variants of flows that compete."""
    variant: str = "cubic"
    """The agent's own variant: it decides until the first step, and acts together with action ``"orca"``."""
    duration: str = "60s"
    """Length of an episode, at most."""

    def __post_init__(self) -> None:
        """Refuse ranges whose ends are in the wrong order or out of bounds."""
        for name, low, high in (
            ("rate", bits_per_second(self.rate[0]), bits_per_second(self.rate[1])),
            ("delay", seconds(self.delay[0]), seconds(self.delay[1])),
            ("buffer", *self.buffer),
            ("loss", *self.loss),
        ):
            if not 0 <= low <= high:
                raise UserError(
                    f"{name}: the least is {low:g} and the most {high:g}\n  allowed: 0 or more, the least first"
                )

    def __call__(self, rng: np.random.Generator) -> Scenario:
        """Draw a scenario."""
        rate = _between(rng, bits_per_second(self.rate[0]), bits_per_second(self.rate[1]))
        delay = _between(rng, seconds(self.delay[0]), seconds(self.delay[1]))
        buffer = rng.uniform(*self.buffer)
        loss = rng.uniform(*self.loss)
        queue = max(round(buffer * rate * 2.0 * delay / 12_000), 4)
        made = dumbbell(
            [self.variant, *self.others],
            rate=f"{round(rate)}bps",
            delay=f"{delay * 1e3:.6f}ms",
            queue=queue,
            duration=self.duration,
        )
        settings: dict[str, object] = {"flow.0.name": "agent"}
        if loss > 0:
            settings["link.bottleneck.loss"] = [{"kind": "random", "rate": loss, "toward": "r1"}]
        return made.with_(settings)


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return math.exp(rng.uniform(math.log(low), math.log(high)))
