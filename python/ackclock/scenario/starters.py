"""Provides the starter files of ``ackclock init``: scenarios, a congestion control, a stack and a study."""

from __future__ import annotations

from pathlib import Path

from ackclock.errors import UserError, choices

SCENARIOS: dict[str, str] = {
    "dumbbell": "two flows share one bottleneck",
    "parking-lot": "a long flow over two bottlenecks, each crossed by a short one",
    "wlan": "a server behind an 802.11g access point with two stations",
    "mesh": "a download over several hops of an 802.11n mesh",
    "lte": "an LTE cell with a near and a far phone",
    "cellular": "a link whose capacity follows a recording (mahimahi's format)",
}
"""Kinds of scenario starters, each with a one-line description."""

CONTROL = "control"
"""Kind of starter with a congestion control in Python."""

STUDY = "study"
"""Kind of starter with a study: a folder with one Python file."""

STACK = "stack"
"""Kind of starter with a transport stack: a folder with a Rust crate and a Python module."""

KINDS = (*SCENARIOS, CONTROL, STACK, STUDY)
"""Arguments that `starter` accepts: scenarios, a control of one's own, a stack, a study."""

_TEMPLATES = Path(__file__).parent / "templates"
_SUFFIX = ".txt"


def stack_files() -> dict[str, str]:
    """Return the texts of the folder with a transport stack, by path within the folder."""
    root = _TEMPLATES / STACK
    found = sorted(path for path in root.rglob(f"*{_SUFFIX}"))
    return {
        path.relative_to(root).as_posix().removesuffix(_SUFFIX): path.read_text(encoding="utf-8")
        for path in found
    }


def starter(kind: str, file: str | Path | None = None) -> str:
    """Return the commented text of a starter file of this kind.

    `file` is the name of the file or folder to be written, which the text mentions.

    Raises:
        UserError: If there is no such kind; the message names the nearest.
    """
    plain = kind.strip().lower().replace("_", "-")
    if plain not in KINDS:
        raise UserError(f"init: there is no kind {kind!r}{choices(plain, KINDS)}")
    if plain == STACK:
        return stack_files()["src/lib.rs"]
    name = f"{plain}.txt" if plain in (CONTROL, STUDY) else f"{plain}.toml"
    text = (_TEMPLATES / name).read_text(encoding="utf-8")
    if file is None:
        return text
    called = Path(file).as_posix()
    if plain == STUDY and "/" not in called:
        called = f"./{called}"
    lines = text.splitlines(keepends=True)
    return "".join(
        line.replace("FILE", called) if line.startswith("#   ackclock") else line for line in lines
    )
