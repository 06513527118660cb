"""Options are declared once; command line, Python keywords, manifests and reference page derive from that."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer.main

import ackclock as ac
from ackclock._io.options import Options
from ackclock.cli import pages
from ackclock.cli.app import app
from ackclock.comparisons.options import ComparisonOptions, TopologyOptions
from ackclock.errors import UserError
from ackclock.sweeps.options import FolderOptions, SweepOptions
from ackclock.sweeps.sweep import Sweep

DOCS = Path(__file__).parents[2] / "docs"
PACKAGE = Path(ac.__file__).parent


def test_the_page_and_the_keywords_are_those_of_the_declarations() -> None:
    """The reference page and the modules of keywords agree with the declarations; `make pages` renews them."""
    page = (DOCS / pages.PAGE).read_text(encoding="utf-8")
    assert page == pages.page(page)
    for name, (title, groups) in pages.KEYWORDS.items():
        assert (PACKAGE / name).read_text(encoding="utf-8") == pages.keywords(title, groups), name


@pytest.mark.parametrize(
    ("call", "verb", "groups"),
    [
        (ac.sweep, "sweep", (SweepOptions, FolderOptions)),
        (ac.compare, "compare", (ComparisonOptions, TopologyOptions)),
    ],
)
def test_python_and_the_command_line_have_the_same_options(
    call: Callable[..., Any], verb: str, groups: tuple[type[Options], ...]
) -> None:
    command: Any = typer.main.get_command(app)
    typed = {one.name: one for one in command.commands[verb].params}
    known = inspect.signature(call).parameters
    for group in groups:
        for name, field in group.named().items():
            one = group.declared()[field]
            assert known[name].default == one.default
            assert f"        {name}: {one.help[:40]}" in str(call.__doc__)
            if one.typed:
                assert typed[name].default == one.default
                assert typed[name].help == one.help


def test_an_option_that_is_not_given_leaves_the_manifest_as_it_was() -> None:
    base = ac.dumbbell(["reno"], duration="2s")
    always = ["version", "vary", "reps", "seed", "jitter_s", "overhead_s", "level", "bottleneck", "scenario"]
    assert list(Sweep(base).manifest()) == always
    more = Sweep(base, until=0.1, ties=True, seed=5).manifest()
    assert list(more) == [*always[:-1], "until", "by", "ties", "scenario"]
    assert (more["until"], more["by"], more["ties"], more["seed"]) == (0.1, "goodput_bps", True, 5)
    again = Sweep.of_manifest(more)
    assert (again.until, again.by, again.ties, again.seed) == (0.1, "goodput_bps", True, 5)
    del more["level"]
    with pytest.raises(KeyError, match="level"):
        Sweep.of_manifest(more)


def test_what_is_given_is_read_by_its_unit() -> None:
    found = SweepOptions.of_given({"until": 2.0, "start_jitter": "50ms", "reps": 4, "unknown": 1})
    assert (found.until, found.jitter_s, found.reps) == (0.02, 0.05, 4)
    assert ComparisonOptions().margin == 0.01
    with pytest.raises(UserError, match="--start-jitter"):
        SweepOptions.of_given({"start_jitter": "soon"}, lambda name: f"--{name.replace('_', '-')}")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"reps": 0}, "reps: not allowed\n  given:   0\n  allowed: a whole number, 1 to 1,000,000"),
        ({"level": 1.5}, "level: not allowed"),
        ({"ties": 3}, "ties: not allowed"),
        ({"bottleneck": 3}, "allowed: a name"),
    ],
)
def test_values_out_of_bounds_are_refused_by_name(given: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError) as raised:
        Sweep(ac.dumbbell(["reno"], duration="2s"), **given).jobs()
    assert said in str(raised.value)


@pytest.mark.parametrize("call", [ac.compare, ac.sweep])
def test_no_asterisk_of_an_option_begins_an_emphasis(call: Callable[..., Any]) -> None:
    """The site is built with warnings as errors; outside of literals an asterisk begins an emphasis."""
    text = re.sub(r"``[^`]*``", "", str(call.__doc__)).partition("Args:")[2]
    assert not [word for word in text.split() if "*" in word]
