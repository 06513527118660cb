"""Scenarios with the files of their user-defined controls beside them, so that a folder can be run again by itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

__all__ = ["beside"]


def beside(document: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a scenario's document that names its control files in its own folder, and the text of each file by name.

    A document has the source of each control that it names. A control that a program registered has no file, and its
    record is kept as it is.
    """
    text = json.dumps(document, ensure_ascii=False)
    found: dict[str, Any] = json.loads(text)
    files: dict[str, str] = {}
    renamed: dict[str, str] = {}
    kept = []
    for record in found.get("control", ()):
        path, colon, cls = str(record["name"]).rpartition(":")
        if not colon or not path.endswith(".py"):
            kept.append(record)
            continue
        name = _free(PurePosixPath(path.replace("\\", "/")).name, str(record["source"]), files)
        files[name] = str(record["source"])
        renamed[str(record["name"])] = f"./{name}:{cls}"
    for flow in found.get("flow", ()):
        variant = str(flow.get("tcp", {}).get("variant", ""))
        for old, new in renamed.items():
            if variant.endswith(old):
                flow["tcp"]["variant"] = variant.removesuffix(old) + new
    found.pop("control", None)
    return ({**found, "control": kept} if kept else found), files


def _free(name: str, source: str, files: Mapping[str, str]) -> str:
    """Return the name, with a number if another source has it already."""
    stem, n = name.removesuffix(".py"), 1
    while files.get(name, source) != source:
        n += 1
        name = f"{stem}{n}.py"
    return name
