"""Links from the gallery into the laboratory in a browser: below each example, the runs that it made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import ackclock as ac
from ackclock import lab

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx

PAGE: Final = "lab.html"
"""Name of the laboratory's page at the top of the site."""

MOST: Final = 8
"""Maximum number of links below an example."""

Made = tuple[ac.Scenario, int, float]
"""A run as the laboratory repeats it: its scenario, its seed and its start jitter in seconds."""

_made: list[Made] = []


def record() -> None:
    """Note from now on each run that `Scenario.run` or `ackclock.runs.run_many` makes in this process."""
    one, many = ac.Scenario.run, ac.runs.run_many

    def run(
        self: ac.Scenario,
        duration: str | None = None,
        *,
        seed: int | None = None,
        jitter_s: float = 0.0,
        **more: Any,
    ) -> Any:
        made = self if duration is None else self.set("duration", duration)
        _made.append((made, self.seed if seed is None else seed, jitter_s))
        return one(self, duration, seed=seed, jitter_s=jitter_s, **more)

    def run_many(jobs: Iterable[Made], *given: Any, **more: Any) -> Any:
        listed = list(jobs)
        _made.extend(listed)
        return many(listed, *given, **more)

    ac.Scenario.run = run  # type: ignore[method-assign]
    ac.runs.run_many = run_many  # type: ignore[assignment]


def links(made: Iterable[Made], top: str) -> str:
    """Return RST that links to the laboratory with each run; `top` is the way to the top of the site.

    Runs that do not work in a browser have no link. Of several seeds of one scenario the first has a link.
    """
    firsts: dict[str, Made] = {}
    for run in made:
        if lab.opens(run[0].document()):
            firsts.setdefault(run[0].canonical(), run)
    shown = list(firsts.values())[:MOST]
    if not shown:
        return ""
    joined = " · ".join(
        f'<a href="{top}{PAGE}{lab.link(None, scenario.to_toml(), seed, jitter)}">{_title(scenario, i)}</a>'
        for i, (scenario, seed, jitter) in enumerate(shown, 1)
    )
    rest = f", the first {MOST} of {len(firsts)}" if len(firsts) > MOST else ""
    return (
        f'\n.. raw:: html\n\n    <p class="lab-links">Runs of this example in the <a href="{top}{PAGE}">laboratory</a>'
        f"{rest}: {joined}</p>\n\n"
    )


def _title(scenario: ac.Scenario, number: int) -> str:
    flows = scenario.document()["flow"]
    variants = dict.fromkeys(flow["tcp"]["variant"] for flow in flows if "variant" in flow.get("tcp", {}))
    return f"run {number}" + (f" ({', '.join(list(variants)[:3])})" if variants else "")


def scraper(_block: object, _variables: object, _settings: object) -> str:
    """Return the links to the runs since the last call; Sphinx-Gallery calls this after each block of code."""
    made, _made[:] = list(_made), []
    return links(made, "../") if lab.PACKED.exists() else ""


def place(app: Sphinx, problem: Exception | None) -> None:
    """Write the page to the top of the built site."""
    if problem is None and lab.PACKED.exists():
        (Path(app.outdir) / PAGE).write_text(lab.page(), encoding="utf-8")
