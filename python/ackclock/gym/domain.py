"""Random scenarios, one for each episode (domain randomization)."""

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
    """Random dumbbells: rate and delay are log-uniform, buffer and loss rate uniform.

    ``ac.gym.CongestionControlEnv(Domain(rate=("5Mbps", "20Mbps"), others=("cubic",)))``. The agent's flow is called
    ``agent``; the flows `others` compete with it from the start. A range with two equal ends fixes its value.
    """

    rate: tuple[str, str] = ("2Mbps", "50Mbps")
    """Range of the bottleneck's rate."""
    delay: tuple[str, str] = ("5ms", "50ms")
    """Range of the bottleneck's one-way delay."""
    buffer: tuple[float, float] = (0.5, 2.0)
    """Range of the bottleneck's buffer, in products of its rate and twice its delay; at least 4 packets are used."""
    loss: tuple[float, float] = (0.0, 0.0)
    """Range of the bottleneck's random loss rate, 0 to 1."""
    others: tuple[str, ...] = ()
    """Variants of the competing flows."""
    variant: str = "cubic"
    """Variant of the agent's flow. It is in control until the first step, and throughout with action ``"orca"``."""
    duration: str = "60s"
    """Maximum length of an episode."""

    def __post_init__(self) -> None:
        """Check that each range has its lower end first and is within bounds."""
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
        """Return a random scenario."""
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
