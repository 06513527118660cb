"""Package `report`: plots, page and Markdown from values, without a run."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from tests.python.browser import browse, browser

from ackclock.plot.palette import ALL
from ackclock.report import console, text
from ackclock.report.model import (
    Claim,
    Claims,
    Code,
    Figure,
    Judgement,
    Panel,
    Part,
    Report,
    Section,
    Series,
    Table,
    Text,
    Verdict,
)
from ackclock.report.pages import html, markdown
from ackclock.report.plots import draw
from ackclock.report.writer import write
from ackclock.stats import Interval

X = (1.0, 2.0, 5.0)
FIGURE = Figure(
    key="fig9",
    title="Figure 9: a < b & c",
    x_label="x, s",
    panels=(
        Panel(
            "y, bytes/s",
            (
                Series(
                    "ours", 0, X, (1000.0, 2000.0, 3000.0), (900.0, 1900.0, 2900.0), (1100.0, 2100.0, 3100.0)
                ),
                Series("", 0, X, (1010.0, 2010.0, 2990.0), kind="peer"),
                Series("", 0, X, (1005.0, 2005.0, 2995.0), kind="alike"),
                Series("", 0, (5.0,), (3050.0,), kind="published"),
            ),
        ),
        Panel("difference, %", (Series("ours", 0, X, (-1.0, 0.0, 1.0)),), zero=True, height=0.5),
    ),
    claim="It rises.",
    notes=("A note.",),
    alt='A "rising" line',
    log_x=True,
)
PART = Part("x = 5", "a - b", Interval(1.5, 0.5, 10, 0.95), "%", Verdict.SUPPORTED, once=1.25)
OTHER = Part("x = 1", "a - b", Interval(-0.25, 0.5, 10, 0.95), "%", Verdict.UNDECIDED, once=-0.5)
CLAIMS = Claims(
    columns=("as published", "with equal size"),
    claims=(
        Claim(
            "a-best",
            "Figure 9",
            "A is best.",
            "above b",
            (
                Judgement(Verdict.SUPPORTED, PART, (PART,), 1),
                Judgement(Verdict.UNDECIDED, OTHER, (PART, OTHER), 1),
            ),
        ),
        Claim("b", "Figure 9", "B rises.", "so", (Judgement(Verdict.CONTRADICTED, PART, (PART,)), None)),
    ),
    notes=("How verdicts are made.",),
    once="in one run",
)
REPORT = Report(
    study="made-up",
    title="A made-up study",
    subtitle="of nothing",
    lead=("What to know.",),
    sections=(
        Section("Verdicts", (CLAIMS,)),
        Section("Tables", (Table("t", "Numbers", ("what", "value"), (("a|b", "1.00"),), ("Note.",)),)),
        Section("Figures", (FIGURE,)),
        Section("How", (Text(("Type `this`:",)), Code(("ackclock study made-up",)))),
    ),
    footer="version 0",
)


@pytest.fixture(scope="module")
def drawn():
    return draw(FIGURE)


class Balanced(HTMLParser):
    """Parser that fails if tags are not closed in the right order."""

    VOID = frozenset({"meta", "br", "img", "link"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag, attrs) -> None:
        self.seen.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag


def test_a_figure_draws_the_same_bytes_twice(drawn):
    again = draw(FIGURE)
    assert again.svg == drawn.svg
    assert again.png == drawn.png
    assert drawn.png.startswith(b"\x89PNG")


def test_the_inline_plot_is_well_formed_and_follows_the_page(drawn):
    root = ElementTree.fromstring(drawn.inline)
    assert root.get("aria-label") == 'A "rising" line'
    assert root.get("viewBox")
    assert root.get("width") is None
    for colour in ALL:
        assert colour.light not in drawn.inline
    assert "var(--hue0)" in drawn.inline
    assert "#ffffff" not in drawn.inline, "the background is the page's"
    ids = re.findall(r'\bid="([^"]*)"', drawn.inline)
    assert ids
    assert all(name.startswith("fig9-") for name in ids)
    for target in re.findall(r'(?:href="|url\()#([^")]*)', drawn.inline):
        assert target in ids


def test_the_plot_shows_intervals_peer_and_published_values(drawn):
    assert "hollow: ns-2" in drawn.svg
    assert "star: published" in drawn.svg
    assert "dot: ours" in drawn.svg
    assert "ours" in drawn.svg


@pytest.mark.parametrize(("counted", "ticks"), [((2, 10, 20), [2, 10, 20]), (range(40), [0, 5, 10, 15, 20])])
def test_an_axis_of_counts_has_whole_ticks(counted, ticks):
    """Points are drawn beside their count, so that error bars do not overlap, but the tick is at the count."""
    x = tuple(n + 0.18 for n in counted)
    figure = Figure("counts", "Nodes", "nodes", (Panel("y", (Series("", 0, x, x),)),), counts=True)
    shown = re.findall(r">(\d+(?:\.\d+)?)</text>", draw(figure).svg)
    assert [float(tick) for tick in shown[: len(ticks)]] == ticks


def test_the_page_is_one_balanced_file_that_loads_nothing(drawn):
    page = html(REPORT, {"fig9": drawn.inline})
    checker = Balanced()
    checker.feed(page)
    assert checker.open == []
    assert "script" not in checker.seen
    assert "link" not in checker.seen
    assert not re.search(r'(?:src|href)="https?:', page)
    assert "prefers-color-scheme: dark" in page
    assert 'name="viewport"' in page
    assert "Figure 9: a &lt; b &amp; c" in page
    assert "<code>this</code>" in page


def test_the_page_shows_each_verdict_with_its_interval(drawn):
    page = html(REPORT, {"fig9": drawn.inline})
    assert "+1.50\N{NO-BREAK SPACE}% [+1.00, +2.00]" in page
    assert page.count('class="verdict supported"') == 1
    assert page.count('class="verdict undecided"') == 1
    assert page.count('class="verdict contradicted"') == 1
    assert "all 2 tests" in page


def test_markdown_has_the_same_content():
    page = markdown(REPORT)
    assert "# A made-up study" in page
    assert "| a\\|b | 1.00 |" in page
    assert '![A "rising" line](plots/fig9.svg)' in page
    assert "**supported**" in page
    assert "**cannot decide** (1 of 2); a - b, x = 1: −0.25 % [−0.75, +0.25]" in page
    assert "| x = 1 | a - b | −0.25 % [−0.75, +0.25] | −0.50 | cannot decide |" in page
    assert "ackclock study made-up" in page


def test_verdicts_in_brief_are_a_line_each(drawn):
    brief = replace(CLAIMS, detailed=False)
    report = replace(REPORT, sections=(Section("Verdicts", (brief,)),))
    for page in (html(report, {}), markdown(report)):
        assert "a - b, x = 1: −0.25 % [−0.75, +0.25]" in page.replace("\N{NO-BREAK SPACE}", " ")
        assert "the same" in page
        assert "all 2 tests" not in page


def test_crowded_verdicts_leave_the_name_of_the_test_to_the_details(drawn):
    claim = CLAIMS.claims[0]
    columns = tuple(f"case {i}" for i in range(5))
    wide = replace(
        CLAIMS, detailed=False, columns=columns, claims=(replace(claim, judgements=claim.judgements[:1] * 5),)
    )
    report = replace(REPORT, sections=(Section("Verdicts", (wide,)),))
    name, number = (make(claim.judgements[0].decisive) for make in (text.part_name, text.part_number))
    for page in (html(report, {}), markdown(report)):
        plain = page.replace("\N{NO-BREAK SPACE}", " ")
        assert number in plain
        assert name not in plain


def test_each_claim_in_detail_is_folded(drawn):
    page = html(replace(REPORT, sections=(Section("In detail", (CLAIMS,)),)), {})
    assert page.count('<details class="claim"><summary>') == len(CLAIMS.claims)


def test_a_folded_table_shows_its_title_and_text_has_all_of_it(drawn):
    table = Table("many", "Many rows", ("a", "b"), (("x", "1"),), notes=("A note.",), folded=True)
    report = replace(REPORT, sections=(Section("Tables", (table,)),))
    page = html(report, {})
    inside = page.partition('<details class="folded"><summary>Many rows</summary>')[2].partition(
        "</details>"
    )[0]
    assert "<td" in inside
    assert page.count("A note.") == inside.count("A note.") == 1
    assert "### Many rows" in markdown(report)


def test_writing_leaves_page_text_and_plots(tmp_path):
    written = write(REPORT, tmp_path)
    assert written.page == tmp_path / "report.html"
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [
        "fig9.pdf",
        "fig9.png",
        "fig9.svg",
        "report.html",
        "report.md",
    ]
    assert set(written.plots) == {tmp_path / "plots" / f"fig9.{form}" for form in ("svg", "png", "pdf")}


def test_numbers_have_one_way_to_be_written():
    assert text.number(1234567.891) == "1,234,567.89"
    assert text.signed(-1234.5, 1) == "−1,234.5"
    assert text.signed(0.001) == "0.00"
    assert text.with_interval(Interval(1500.4, 12.6, 5, 0.95)) == "1,500 ± 13"
    assert text.with_interval(Interval(1500.4, 0.0, 5, 0.95)) == "1,500"
    assert text.with_interval(Interval(1500.4, float("nan"), 1, 0.95)) == "1,500"


def test_one_of_a_kind_is_not_written_as_several():
    assert [text.counted(n, "run") for n in (0, 1, 2, 5448)] == ["0 runs", "1 run", "2 runs", "5,448 runs"]


def test_a_number_without_an_interval_says_so():
    alone = Part("", "a", Interval(3.0, float("nan"), 1, 0.95), "%", Verdict.UNDECIDED)
    fixed = Part("", "a", Interval(3.0, 0.0, 4, 0.95), "%", Verdict.SUPPORTED, difference=False)
    assert text.part_number(alone) == "+3.00 % (one replication, no interval)"
    assert text.part_number(fixed) == "3.00 % (the same in all 4 replications)"


def test_verdicts_print_on_a_terminal():
    from rich.console import Console

    shown = Console(width=140, record=True, file=io.StringIO())
    shown.print(console.Verdicts(CLAIMS))
    printed = shown.export_text()
    assert "cannot decide (1 of 2)" in printed
    assert text.part_number(CLAIMS.claims[0].judgements[0].decisive).split()[0] in printed
    narrow = Console(width=80, record=True, file=io.StringIO())
    narrow.print(console.Verdicts(CLAIMS))
    printed_narrow = narrow.export_text()
    assert "The numbers behind each verdict are in the report." in printed_narrow
    assert "A is best." in printed_narrow
    assert "(Vegas takes no part)" not in printed
    assert "the same" in printed


def test_a_claim_is_printed_however_many_columns_judge_it():
    from rich.console import Console

    several = replace(CLAIMS.claims[0], judgements=CLAIMS.claims[0].judgements[:1] * 6 + (None,))
    columns = tuple(f"reading {i}" for i in range(7))
    narrow = Console(width=80, record=True, file=io.StringIO())
    narrow.print(console.Verdicts(replace(CLAIMS, columns=columns, claims=(several,))))
    printed = " ".join(narrow.export_text().split())
    assert "A is best." in printed
    assert "supported: reading 0; reading 1;" in printed
    assert "reading 6" in printed, "the same as the first"
    narrow.print(
        console.Verdicts(replace(CLAIMS, columns=columns, claims=(replace(several, blank="not run"),)))
    )
    assert "reading 6" not in narrow.export_text()


HOSTILE = "=1+1<script>$\\frac{$[x](http://y)[/x]"


def test_names_become_no_html_no_link_and_no_formula():
    table = Table("t", HOSTILE, ("what", HOSTILE), ((HOSTILE, "`<b>|`"),), (HOSTILE,))
    figure = replace(FIGURE, title=HOSTILE, panels=(Panel(HOSTILE, (Series(f"_{HOSTILE}", 0, X, X),)),))
    report = replace(REPORT, title=HOSTILE, sections=(Section(HOSTILE, (table, figure)),))
    plots = {figure.key: draw(figure).inline}
    Balanced().feed(html(report, plots))
    assert "<script" not in html(report, plots)
    # The name is drawn literally, and in the legend; matplotlib by itself hides labels that begin with an underscore.
    assert "\\frac{$" in plots[figure.key]
    assert "> _=1+1&lt;script&gt;$" in plots[figure.key]
    text = markdown(report)
    assert "<script" not in text
    assert "](http" not in text
    assert not re.search(r"(?<!\\)\$", text)
    assert "`<b>\\|`" in text


def test_a_page_has_contents_and_allows_no_script():
    page = html(REPORT, {FIGURE.key: ""})
    for i, section in enumerate(REPORT.sections, 1):
        assert page.count(f'<a href="#section-{i}">{section.title}</a>') == 2
        assert f'<section id="section-{i}">' in page
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
    assert policy.startswith("default-src 'none';")
    assert "script-src" not in policy


WIDE = """
const over = [...document.querySelectorAll(".wide, main, figure")].filter((e) => e.scrollWidth > e.clientWidth + 1);
const heads = [...document.querySelectorAll(".verdicts thead")].map((e) => getComputedStyle(e).display);
say({ over: over.length, heads, wide: document.documentElement.scrollWidth, room: innerWidth });
"""


@browser
@pytest.mark.parametrize("width", [1400, 1280, 400])
def test_a_page_fits_its_width(tmp_path, width):
    """Ten columns of numbers fit on a desktop screen, and verdicts fit on a phone."""
    columns = tuple(f"a measure of number {i} (Mb/s)" for i in range(10))
    rows = (("variant", *(f"{1234.5 + i} \u00b1 {0.25 * i}" for i in range(9))),) * 3
    table = Table("t", "Numbers", columns, rows)
    brief = replace(CLAIMS, detailed=False)
    blocks = (brief,) if width == 400 else (brief, table, FIGURE)
    report = replace(REPORT, sections=(Section("Verdicts", blocks),))
    page = html(report, {FIGURE.key: draw(FIGURE).inline})
    said, complaints = browse(page, WIDE, tmp_path, width)
    assert complaints == []
    assert said["over"] == 0
    assert said["wide"] <= said["room"] == width
    assert said["heads"] == ["none" if width == 400 else "table-header-group"]


def test_an_interval_that_does_not_exist_says_why():
    base = Interval(12.0, float("nan"), 5, 0.95)
    part = Part("", "a - b", base, "%", Verdict.UNDECIDED)
    assert text.part_number(part) == "+12.00 % (no interval: the base's reaches 0)"
    held = Part(
        "", "fall", Interval(12.36, 0.9, 5, 0.95, 0.1), "%", Verdict.SIMILAR, margin=1.7, published=17.05
    )
    assert text.part_number(held) == "+12.4 % [+11.6, +13.4]; published +17.05, tolerance 1.7"
