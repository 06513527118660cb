"""The laboratory in a browser: the output of `ackclock lab`, and the page in Chromium (`make web` builds it)."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
import zlib
from pathlib import Path

import pytest
from tests.python.browser import CHROMIUM

import ackclock as ac
from ackclock import lab
from ackclock.report import laboratory
from ackclock.report.model import Laboratory, Report, Section
from ackclock.report.pages import html, markdown
from ackclock.studies.abadin import experiments as abadin
from ackclock.studies.abadin.settings import DURATION_S
from ackclock.study import registry

PROJECT = Path(__file__).resolve().parents[2]
TESTS = [f"tests/{name}.test.mjs" for name in ("statistics", "page", "speed")]
built = pytest.mark.skipif(not lab.PACKED.exists(), reason="no page was built (`make web`)")


def ackclock(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ackclock", *words], capture_output=True, text=True, check=False
    )


def state(link: str) -> dict[str, object]:
    """Return the state that a link holds."""
    packed = link.removeprefix("#lab=")
    bytes_ = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    found: dict[str, object] = json.loads(zlib.decompress(bytes_, -zlib.MAX_WBITS))
    return found


def test_a_link_holds_the_state_that_the_page_checks() -> None:
    assert state(lab.link("dumbbell", "")) == {
        "example": "dumbbell", "text": "", "set": [], "b": [], "two": False, "seed": 1,
    }  # fmt: skip
    assert state(lab.link(None, 'duration = "1s"'))["text"] == 'duration = "1s"'


def test_a_link_takes_the_seed_of_its_scenario_unless_another_is_given() -> None:
    text = 'seed = 7\nduration = "1s"'
    assert state(lab.link(None, text))["seed"] == 7
    assert state(lab.link(None, text, 9))["seed"] == 9
    assert state(lab.link(None, "seed = -"))["seed"] == 1
    assert "jitter" not in state(lab.link(None, text))
    assert state(lab.link(None, text, 9, 0.25))["jitter"] == 0.25


def test_a_report_opens_runs_that_a_browser_can_make() -> None:
    base = ac.dumbbell(["newreno"], duration="1s")
    found = [
        (name, f"scenarios/{name}.toml", scenario.view, scenario.to_toml(), 4)
        for name, scenario in (("a", base), ("b b", base.set("duration", "2s")), ("q", ac.load("quic")))
    ]
    text, opened = laboratory.runs(found)
    assert isinstance(opened, Laboratory)
    assert [one.command for one in opened.opened] == [
        "ackclock lab scenarios/a.toml --seed 4",
        "ackclock lab 'scenarios/b b.toml' --seed 4",
    ]
    for one, (*_, written, seed) in zip(opened.opened, found, strict=False):
        assert state(one.fragment) == {
            "example": None, "text": written, "set": [], "b": [], "two": False, "seed": seed,
        }  # fmt: skip
    report = Report("s", "t", "u", (), (Section("In a browser", (text, opened)),))
    page, words = html(report, {}), markdown(report)
    assert f'<a href="lab.html{opened.opened[0].fragment}">a</a>' in page
    assert "ackclock lab scenarios/a.toml --seed 4\n" in words
    assert laboratory.runs(found[2:]) == ()


def test_a_scenario_too_long_for_a_link_keeps_its_command() -> None:
    # Names without a pattern, which cannot be packed well.
    names = [hashlib.sha256(str(i).encode()).hexdigest() for i in range(300)]
    text = "".join(f"[[flow]]\nname = '{name}'\n" for name in names)
    [_, opened] = laboratory.runs([("many", "many.toml", tomllib.loads(text), text, 1)])
    assert isinstance(opened, Laboratory)
    assert (opened.opened[0].fragment, opened.opened[0].command) == ("", "ackclock lab many.toml --seed 1")
    assert '<td class="text">many</td>' in html(Report("s", "t", "u", (), (Section("x", (opened,)),)), {})


def test_each_study_names_a_guide_of_the_laboratory() -> None:
    guides = {
        guide["id"]
        for file in (PROJECT / "lab" / "guides").glob("*.toml")
        for guide in tomllib.loads(file.read_text(encoding="utf-8"))["guide"]
    }
    for name in registry.names():
        assert registry.get(name).layout.guide in guides, name


def test_without_a_page_the_way_to_it_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(lab, "PACKED", tmp_path / "lab.zip")
    with pytest.raises(lab.UserError, match=r"no laboratory for browsers(.|\n)*make web"):
        lab.page()


@built
def test_the_page_is_written_with_what_it_begins_with(tmp_path: Path) -> None:
    done = ackclock("lab", "bufferbloat", "--out", str(tmp_path / "lab.html"))
    assert (done.returncode, done.stdout.strip()) == (0, str(tmp_path / "lab.html")), done.stderr
    page = (tmp_path / "lab.html").read_text(encoding="utf-8")
    assert (
        page.replace(f'\n    <script type="text/plain" id="start">{lab.link("bufferbloat", "")}</script>', "")
        == lab.page()
    )
    assert len(page) < 3_000_000


@built
def test_the_page_begins_with_a_guide(tmp_path: Path) -> None:
    done = ackclock("lab", "--learn", "sawtooth", "--out", str(tmp_path / "lab.html"))
    assert done.returncode == 0, done.stderr
    start = '<script type="text/plain" id="start">#learn=sawtooth</script>'
    assert start in (tmp_path / "lab.html").read_text(encoding="utf-8")
    alone = ackclock("lab", "--seed", "3")
    assert alone.returncode == 2
    assert "--seed needs a scenario" in alone.stderr
    wrong = ackclock("lab", "--learn", "sawtoth")
    assert wrong.returncode == 2
    assert "sawtooth" in wrong.stderr
    both = ackclock("lab", "bufferbloat", "--learn", "rtt")
    assert both.returncode == 2
    assert "leave one of the two out" in both.stderr


@built
def test_a_file_that_is_not_there_is_told() -> None:
    done = ackclock("lab", "bufferbloot")
    assert done.returncode == 2
    assert "bufferbloat" in done.stderr


@built
@pytest.mark.skipif(
    CHROMIUM is None or shutil.which("node") is None or not (PROJECT / "lab" / "node_modules").exists(),
    reason="the page's tests need Chromium, Node.js and the packages that `make web` installs",
)
def test_the_page_in_a_browser(tmp_path: Path) -> None:
    page = tmp_path / "lab.html"
    page.write_text(lab.page(), encoding="utf-8")
    golden = json.loads(
        (PROJECT / "tests" / "data" / "examples" / "dumbbell.json").read_text(encoding="utf-8")
    )
    environment = {
        **os.environ,
        "PAGE": str(page),
        "CHROMIUM": str(CHROMIUM),
        "SHA256": golden["sha256"]["summary"],
    }
    flows = abadin.scenario(abadin.BY_KEY["bandwidth"], 5, "newreno").run().flows.to_polars()
    new = flows["sent_bytes"].sum() - flows["retransmitted_bytes"].sum()
    environment["FIGURE"] = str(new / DURATION_S)
    done = subprocess.run(
        ["node", "--test", "--test-concurrency=1", *TESTS],
        cwd=PROJECT / "lab",
        env=environment,
        capture_output=True,
        text=True,
        timeout=1500,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]
