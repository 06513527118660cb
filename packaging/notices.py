"""Write THIRD-PARTY.txt: the licences of the Rust crates that are compiled into the extension module.

`python packaging/notices.py` (`make pages`) renews it from `cargo metadata` and the sources that cargo has fetched;
`tests/package/test_notices.py` compares it with Cargo.lock. Wheels and source archives contain it beside our licences.
"""

from __future__ import annotations

import itertools
import json
import re
import subprocess
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
FILE = PROJECT / "THIRD-PARTY.txt"
ROOT = "ackclock-extension"
"""The crate that becomes the extension module."""

PLATFORMS = tuple(
    f"{machine}-{system}"
    for machine in ("x86_64", "aarch64")
    for system in ("unknown-linux-gnu", "apple-darwin", "pc-windows-msvc")
)
"""Target triples of released wheels (.github/workflows/release.yml)."""

LICENCE = re.compile(r"(?:licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)
RULE = "=" * 78

HEAD = """\
ackclock itself is under MIT or Apache-2.0: LICENSE-MIT, LICENSE-APACHE.

Its compiled module contains the Rust packages below and Rust's standard library (MIT or Apache-2.0,
The Rust Project Contributors, https://github.com/rust-lang/rust). Where a package offers a choice that
includes MIT, it is used under MIT, and that text is given. Equal texts are given once.
"""


def crates() -> list[dict[str, Any]]:
    """Return the third-party packages linked into the module on any platform, sorted by name and version."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    command += [word for platform in PLATFORMS for word in ("--filter-platform", platform)]
    done = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    packages = {one["id"]: one for one in found["packages"]}
    nodes = {one["id"]: one for one in found["resolve"]["nodes"]}
    linked: set[str] = set()
    ahead = [key for key, one in packages.items() if one["name"] == ROOT and one["source"] is None]
    while ahead:
        key = ahead.pop()
        if key in linked or is_macro(packages[key]):
            continue
        linked.add(key)
        ahead += [
            dependency["pkg"]
            for dependency in nodes[key]["deps"]
            if any(kind["kind"] is None for kind in dependency["dep_kinds"])
        ]
    others = [packages[key] for key in linked if packages[key]["source"] is not None]
    return sorted(others, key=lambda one: (one["name"], one["version"]))


def is_macro(package: dict[str, Any]) -> bool:
    """Return true if a package is a procedural macro; its code runs only in the compiler."""
    return any("proc-macro" in target["kind"] for target in package["targets"])


def texts(package: dict[str, Any]) -> list[str]:
    """Return the texts to distribute with a package: the licence under which we use it, and its notices.

    Raises:
        ValueError: If the package has no such text. Find the text and put it beside this file.
    """
    folder = Path(package["manifest_path"]).parent
    files = sorted(one for one in folder.iterdir() if one.is_file() and LICENCE.match(one.name))
    mit = [one for one in files if "mit" in one.name.lower()]
    if mit and " AND " not in package["license"]:
        files = mit + [one for one in files if "notice" in one.name.lower()]
    if not files:
        return [in_source(folder / "src" / "lib.rs", f"{package['name']} {package['version']}")]
    return [plain(one.read_text(encoding="utf-8", errors="replace")) for one in files]


def in_source(file: Path, name: str) -> str:
    """Return the licence at the head of a source file, for a package without a licence file."""
    lines = file.read_text(encoding="utf-8").splitlines()
    head = list(itertools.takewhile(lambda line: re.match(r"//(?![/!])", line), lines))
    text = plain("\n".join(line.removeprefix("//").removeprefix(" ") for line in head))
    if not LICENCE.search(text):
        raise ValueError(f"{name} has no text of a licence")
    return text


def plain(text: str) -> str:
    """Return the text without spaces at the ends of its lines."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def written() -> str:
    """Return the text of THIRD-PARTY.txt."""
    by_text: dict[str, list[str]] = {}
    for one in crates():
        home = one["repository"] or one["homepage"] or ""
        head = f"{one['name']} {one['version']} ({one['license']}) {home}".rstrip()
        for text in texts(one):
            by_text.setdefault(text, []).append(head)
    parts = [
        "\n".join(heads) + "\n\n" + text for text, heads in sorted(by_text.items(), key=lambda one: one[1])
    ]
    return "\n".join([HEAD, *(f"{RULE}\n{part}\n" for part in parts)])


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
    print(f"wrote {FILE.name}")
