"""The documentation site of `make docs`: no external resources, no dead links, and a test in a browser."""

from __future__ import annotations

import html
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest

PROJECT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
browser = pytest.mark.skipif(CHROMIUM is None, reason="no browser is installed")

pytestmark = pytest.mark.slow
pytest.importorskip("sphinx")


@pytest.fixture(scope="session")
def site() -> Path:
    """Return the folder of the site: ACKCLOCK_SITE, or a new build, in which warnings are errors."""
    if given := os.environ.get("ACKCLOCK_SITE"):
        return Path(given)
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "--quiet", "docs", "docs/_build"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return PROJECT / "docs" / "_build"


class Page(HTMLParser):
    """Parser that collects a page's loaded resources, links and anchors."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.leads.append(given["href"])
        elif tag == "link" and given.get("rel") in ("stylesheet", "preload", "icon", "shortcut icon"):
            self.loads.append(given["href"])
        elif "src" in given:
            self.loads.append(given["src"])


@cache
def parsed(path: Path) -> Page:
    return Page(path)


def pages(site: Path) -> list[Path]:
    return sorted(page for page in site.rglob("*.html") if not page.name.startswith("harness-"))


def test_every_part_is_there(site: Path) -> None:
    for part in ("tutorial", "howto", "reference", "explanation", "_gallery", "labs"):
        assert (site / part / "index.html").exists(), part
    assert (site / "reference" / "api.html").read_text(encoding="utf-8").count('class="py ') > 50
    assert len(list((site / "_gallery").glob("*.html"))) >= 21


def test_the_gallery_leads_to_the_laboratory(site: Path) -> None:
    if not (site / "lab.html").exists():
        pytest.skip("the site was built without the laboratory (`make web`)")
    runs = {
        path.stem: [link for link in parsed(path).leads if link.startswith("../lab.html#lab=")]
        for path in (site / "_gallery").glob("*.html")
    }
    assert {name for name, links in runs.items() if not links} <= {"index", "sg_execution_times"}


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for path in pages(site):
        for load in parsed(path).loads:
            assert not re.match(r"(?:https?:)?//", load), f"{path.name} loads {load}"
    for sheet in (site / "_static").rglob("*.css"):
        assert "@import url(http" not in sheet.read_text(encoding="utf-8"), sheet.name


def test_every_link_leads_somewhere(site: Path) -> None:
    for path in pages(site):
        for link in parsed(path).leads:
            if re.match(r"(?:https|mailto):", link):
                continue
            assert not link.startswith("http:"), f"{path.name}: {link}"
            target, anchor = urldefrag(link)
            at = (path.parent / unquote(target)).resolve() if target else path
            assert at.exists(), f"{path.relative_to(site)}: {link}"
            # After the laboratory's page comes a run, not a place in the page.
            if anchor and at.suffix == ".html" and at.name not in ("genindex.html", "lab.html"):
                assert unquote(anchor) in parsed(at).anchors, f"{path.relative_to(site)}: {link}"


HARNESS = """<!doctype html><iframe id="f" style="border:0;height:800px"></iframe><script>
const [width, pages] = [%d, %s];
const frame = document.getElementById("f");
frame.style.width = width + "px";
const wait = (ms) => new Promise((then) => setTimeout(then, ms));
const open = (page) => new Promise((then) => { frame.onload = then; frame.src = page; });
(async () => {
  const said = {};
  for (const page of pages) {
    await open(page);
    const view = frame.contentWindow, body = frame.contentDocument.documentElement;
    said[page] = {width: body.scrollWidth};
    if (page.includes("search.html")) {
      for (let i = 0; i < 50 && frame.contentDocument.querySelectorAll("ul.search li").length < 2; i++) await wait(100);
      said[page].found = frame.contentDocument.querySelectorAll("ul.search li").length;
    }
    const colour = () => view.getComputedStyle(frame.contentDocument.body).backgroundColor;
    frame.contentDocument.body.dataset.theme = "light"; said[page].light = colour();
    frame.contentDocument.body.dataset.theme = "dark"; said[page].dark = colour();
  }
  const out = document.createElement("pre"); out.id = "said"; out.textContent = JSON.stringify(said);
  document.body.append(out);
})();
</script>"""


@pytest.fixture
def server(site: Path) -> Iterator[str]:
    """Serve the site on localhost and yield its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(site))

        def log_message(self, *args: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()


@browser
@pytest.mark.parametrize("width", [1400, 400])
def test_in_a_browser(site: Path, server: str, width: int, tmp_path: Path) -> None:
    """No page is wider than the window, dark mode is dark, and the search finds pages."""
    names = [str(path.relative_to(site)) for path in pages(site)]
    names.append("search.html?q=bufferbloat")
    harness = site / f"harness-{width}.html"
    harness.write_text(HARNESS % (width, json.dumps(names)), encoding="utf-8")
    try:
        done = subprocess.run(
            [
                str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}",
                f"--window-size={width + 50},900", "--virtual-time-budget=200000", "--dump-dom",
                f"{server}/{harness.name}",
            ],
            capture_output=True, text=True, timeout=300, check=True,
        )  # fmt: skip
    finally:
        harness.unlink()
    answer = re.search(r'<pre id="said">(.*?)</pre>', done.stdout, re.DOTALL)
    assert answer is not None, done.stderr[-2000:]
    said = json.loads(html.unescape(answer[1]))
    assert len(said) == len(names)
    assert said["search.html?q=bufferbloat"]["found"] >= 2
    wide = {name: one["width"] for name, one in said.items() if one["width"] > width}
    assert not wide
    assert all(one["light"] != one["dark"] for one in said.values())
