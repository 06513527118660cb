"""The laboratory for browsers: a single page, built by `make web` and included in wheels."""

from __future__ import annotations

import base64
import gzip
import json
import re
import tomllib
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ackclock.errors import UserError, choices

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKED = Path(__file__).with_name("lab.zip")
"""Parts of the page, in LZMA; missing in a source tree until `make web` has run."""
_PACKAGE: Final = Path(__file__).parents[1]
_BODY = '<div id="app"></div>'
_ELSEWHERE: Final = ("quic", "stack", "kernel")
"""Tables of a flow whose endpoints do not run in a browser."""


def page(
    example: str | None = None, text: str = "", guide: str | None = None, seed: int | None = None
) -> str:
    """Return the page's text; the page starts with the given guide, example or scenario text.

    Without `seed` the page takes the scenario's own.

    Raises:
        UserError: If the page was not built, or has no such guide.
    """
    if not PACKED.exists():
        raise UserError(
            "this installation has no laboratory for browsers\n"
            "  wheels carry it; from the sources, `make web` builds it (it says what it needs)"
        )
    whole = _assembled()
    if guide is not None and guide not in guides(whole):
        raise UserError(f"the laboratory has no guide {guide!r}{choices(guide, guides(whole))}")
    if example is None and not text and guide is None:
        return whole
    begin = link(example, text, seed) if guide is None else f"#learn={guide}"
    start = f'{_BODY}\n    <script type="text/plain" id="start">{begin}</script>'
    return whole.replace(_BODY, start, 1)


def _assembled() -> str:
    """Return the page with its parts in the form that a browser unpacks."""
    with zipfile.ZipFile(PACKED) as parts:
        whole = parts.read("page.html").decode()
        data = json.dumps(_data(parts.read("version").decode()), ensure_ascii=False, separators=(",", ":"))
        contents = {
            "core": parts.read("core.wasm"),
            "data": data.encode(),
            "licences": parts.read("licences.txt"),
        }
    carried = "".join(
        f'\n    <script type="text/plain" id="{name}">'
        f"{base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()}</script>"
        for name, content in contents.items()
    )
    return whole.replace(_BODY, _BODY + carried, 1)


def _data(version: str) -> dict[str, object]:
    """Return what the page needs besides its core: version, examples with their files, schema of scenarios."""
    examples = []
    for path in sorted((_PACKAGE / "scenarios").glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        head = " ".join(
            line.removeprefix("# ") for line in text.split("\n\n")[0].splitlines() if line[:2] == "# "
        )
        summary = re.match(r"(.*?[.?!])(?:\s|$)", head)
        files = {
            name: path.with_name(name).read_text(encoding="utf-8")
            for name in re.findall(r'trace = "([^"]+)"', text)
        }
        examples.append(
            {"name": path.stem, "summary": summary[1] if summary else head, "text": text, "files": files}
        )
    schema = json.loads((_PACKAGE / "scenario.schema.json").read_text(encoding="utf-8"))
    return {"version": version, "examples": examples, "schema": schema}


def guides(whole: str) -> list[str]:
    """Return the names of the guides of a page."""
    found = re.search(r'<meta name="guides" content="([^"]*)"', whole)
    return found[1].split() if found else []


def opens(scenario: Mapping[str, Any]) -> bool:
    """Return true if the page can run a scenario, given as its document."""
    flows = scenario.get("flow", ())
    return not scenario.get("control") and not any(key in flow for flow in flows for key in _ELSEWHERE)


def link(example: str | None, text: str, seed: int | None = None, jitter_s: float = 0.0) -> str:
    """Return the fragment of a link that makes the page start with an example or text: `#lab=` and a packed state.

    Without `seed` the page takes the scenario's own. `jitter_s` is the upper bound of the random delay of each flow's
    start, seconds.
    """
    state: dict[str, object] = {
        "example": example,
        "text": text,
        "set": [],
        "b": [],
        "two": False,
        "seed": _seed_of(text) if seed is None else seed,
        **({"jitter": jitter_s} if jitter_s else {}),
    }
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(json.dumps(state).encode()) + packer.flush()
    return "#lab=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def _seed_of(text: str) -> int:
    """Return the seed that a scenario's text gives; 1, the default, if it gives none. The page tells what is wrong."""
    try:
        seed = tomllib.loads(text).get("seed", 1)
    except tomllib.TOMLDecodeError:
        return 1
    return seed if isinstance(seed, int) and seed >= 0 else 1
