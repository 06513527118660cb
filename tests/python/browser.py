"""Opens pages in a headless browser."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
browser = pytest.mark.skipif(CHROMIUM is None, reason="no browser is installed")


def allowing(page: str, script: str) -> str:
    """Return the page with a test's script at the end, which the page's content security policy is changed to allow."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'(http-equiv="Content-Security-Policy" content=")([^"]*)"', page)
    assert policy is not None
    own = policy.group(2)
    told = (
        own.replace("script-src", f"script-src 'sha256-{digest}'")
        if "script-src" in own
        else f"{own}; script-src 'sha256-{digest}'"
    )
    page = page.replace(own, told, 1)
    return page.replace("</body>", f"<script>{script}</script></body>")


def browse(
    page: str, script: str, folder: Path, width: int = 1200, height: int = 760
) -> tuple[Any, list[str]]:
    """Open a page; return the value that `script` passes to `say`, and the console's messages.

    The page is opened in a frame of `width` pixels, since a browser window is at least 500 pixels wide.
    """
    say = "const say = (what) => { const out = top.document.createElement('pre'); out.id = 'said'; "
    say += "out.textContent = JSON.stringify(what); top.document.body.append(out); };"
    (folder / "page.html").write_text(allowing(page, say + script), encoding="utf-8")
    frame = f'<iframe src="page.html" style="border:0;width:{width}px;height:{height}px"></iframe>'
    (folder / "frame.html").write_text(f"<!doctype html><body>{frame}</body>", encoding="utf-8")
    done = subprocess.run(
        [
            str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
            f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr",
            f"--window-size={width + 100},{height + 100}", "--virtual-time-budget=6000", "--dump-dom",
            (folder / "frame.html").as_uri(),
        ],
        capture_output=True, text=True, timeout=400, check=True,
    )  # fmt: skip
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    said = re.search(r'<pre id="said">(.*?)</pre>', done.stdout, re.DOTALL)
    return json.loads(html.unescape(said.group(1))) if said else None, complaints
