"""Names that a user gives are escaped in every page, so that they never become markup."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from html.parser import HTMLParser
from typing import Any

import pytest
from markupsafe import Markup
from tests.python.test_report import REPORT

import ackclock as ac
from ackclock.plot.animation.packed import page
from ackclock.report import comparison, sweep
from ackclock.report.model import Laboratory, Links, Opened, Section
from ackclock.report.pages import html, markdown

HOSTILE = "'\"><script>alert(1)</script><img/src=x onerror=alert(1)>"
"""A hostile label of a scenario, a file or a study."""

NAME = "<script/x"
"""A hostile name within a scenario. Scenarios refuse `>`, quotes and spaces, but this name could still open an element.
"""


class Elements(HTMLParser):
    """Parser that collects the elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def assert_inert(text: str, scripts: int = 0) -> None:
    found = Elements(text).found
    assert len(found) > 20
    assert [tag for tag, _ in found if tag in ("script", "img")] == ["script"] * scripts
    assert not [attribute for _, attrs in found for attribute in attrs if attribute.startswith("on")]


def poisoned(value: Any) -> Any:
    """Return the value with `HOSTILE` appended to every text in it."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return value + HOSTILE
    if isinstance(value, tuple):
        return tuple(poisoned(one) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{one.name: poisoned(getattr(value, one.name)) for one in fields(value)})
    return value


def test_no_text_of_a_report_is_markup() -> None:
    """Every text in the reports of a study, a comparison and a sweep gets `HOSTILE` at its end."""
    opened = Laboratory((Opened("first", "ackclock lab first.toml", "#lab=packed"),))
    links = Section("Files", (Links((("runs.csv", "each run"),)), opened))
    report = poisoned(replace(REPORT, sections=(*REPORT.sections, links)))
    said = html(report, defaultdict(Markup))
    assert said.count("&lt;script&gt;") > 40
    assert_inert(said)
    assert "<script" not in "".join(markdown(report).split("```")[::2])


def test_only_markup_is_left_as_it_is() -> None:
    key = REPORT.sections[2].blocks[0].key  # type: ignore[union-attr]
    assert "&lt;svg&gt;" in html(REPORT, {key: "<svg>"})  # type: ignore[dict-item]
    assert "<svg>" in html(REPORT, {key: Markup("<svg>")})


def test_code_in_markdown_ends_where_it_ends() -> None:
    code = REPORT.sections[3].blocks[1]
    told = replace(REPORT, sections=(Section("How", (replace(code, lines=("a", "```", HOSTILE)),)),))  # type: ignore[type-var]
    assert f"\n````sh\na\n```\n{HOSTILE}\n````\n" in markdown(told)


@pytest.fixture(scope="module")
def named() -> ac.Scenario:
    """Return a scenario in which everything with a name is called `NAME`."""
    net = ac.Network()
    net.link(NAME, "b", name=NAME, rate="1Mbps", delay="20ms", queue=5)
    return net.flow(NAME, "b", variant="newreno", name=NAME).scenario("2s")


def test_names_of_a_scenario_are_text_in_an_animation(named: ac.Scenario) -> None:
    # The only two scripts are the viewer's data and its program.
    assert_inert(page(named.run(), title=HOSTILE), scripts=2)


def test_names_of_a_scenario_are_text_in_a_notebook(named: ac.Scenario) -> None:
    run = named.run()
    for shown in (run, run.flows, run.links):
        assert "<script" not in shown._repr_html_()


def test_names_and_labels_are_text_in_reports(named: ac.Scenario) -> None:
    found = ac.compare({HOSTILE: named, "b": named.set("flow.0.tcp.variant", "vegas")}, reps=2)
    told = html(comparison.report(found), defaultdict(Markup))
    assert "&lt;script&gt;" in told
    assert_inert(told)
    assert "<script" not in found._repr_html_()
    swept = ac.sweep(named, {f"link.{NAME}.rate": ["1Mbps", "2Mbps"]}, reps=2)
    told = html(sweep.report(swept, None), defaultdict(Markup))
    assert "&lt;script/x" in told
    assert_inert(told)
    assert "<script" not in swept._repr_html_()
