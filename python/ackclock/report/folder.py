"""Writes a comparison to a folder that ``compare --again`` can reproduce."""

from __future__ import annotations

import platform
import zlib
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ackclock._io.files import Known, atomic_folder, digests, json_text
from ackclock.comparisons.variants import stems
from ackclock.report.comparison import report
from ackclock.report.spreads import spread_rows
from ackclock.report.writer import write
from ackclock.sweeps.tables import write_rows, write_table

if TYPE_CHECKING:
    from ackclock.comparisons.comparison import Comparison

MANIFEST: Final = "manifest.json"
"""Name of the file from which ``compare --again`` reproduces the folder."""

DATA: Final = (".csv", ".json", ".toml")
"""Suffixes of files that depend only on the simulator; all other files also depend on `LIBRARIES`."""

LIBRARIES: Final = ("matplotlib", "numpy", "polars", "scipy")
"""Libraries whose versions are recorded in the manifest."""


@dataclass(frozen=True)
class Saved:
    """A saved comparison, as its folder and files."""

    folder: Path
    files: tuple[str, ...]
    """Paths of all files, relative to the folder."""

    @property
    def page(self) -> Path:
        """Path of the HTML report."""
        return self.folder / "report.html"


def save(found: Comparison, out: str | Path, command: str = "", style: str = "page") -> Saved:
    """Write report, figures, data, scenarios and manifest into `out`, or nothing if an error occurs.

    Equal comparisons, commands and styles (one of `plots.LOOKS`) give equal bytes.
    """
    out = Path(out)
    with atomic_folder(out) as draft:
        write(report(found, command), draft, style)
        _data(found, draft)
        known: Known = {}
        results = found.to_json()
        (draft / "comparison.json").write_text(json_text(results, known), encoding="utf-8")
        hashes = digests(draft)
        manifest = {
            "command": command,
            "style": style,
            **results["manifest"],
            "made_with": made_with(),
            "files": hashes,
        }
        (draft / MANIFEST).write_text(json_text(manifest, known), encoding="utf-8")
    return Saved(out, (*hashes, MANIFEST))


def made_with() -> dict[str, str]:
    """Return the versions of Python, of `LIBRARIES`, and of zlib, which compresses scenarios in laboratory URLs."""
    libraries = {name: version(name) for name in LIBRARIES}
    return {"python": platform.python_version(), **libraries, "zlib": zlib.ZLIB_RUNTIME_VERSION}


def _data(found: Comparison, draft: Path) -> None:
    tables: dict[str, list[dict[str, Any]]] = {
        "runs": found.run_rows(),
        "delays": found.delay_rows(),
        "windows": found.timeline_rows(),
        "spreads": spread_rows(found),
    }
    for stem, rows in tables.items():
        write_rows(draft, stem, rows)
    write_table(draft, "results", found.flow_columns())
    scenarios = draft / "scenarios"
    scenarios.mkdir()
    for name, variant in zip(stems(found.variants), found.variants, strict=True):
        text = found.jobs[variant][0].scenario.to_toml()
        (scenarios / f"{name}.toml").write_text(text, encoding="utf-8")
