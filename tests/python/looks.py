"""Properties of every figure: its data lie within its axes, and its curves can be distinguished."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

SLACK = 1e-9
"""Permitted rounding error beyond the end of an axis, as a share of the axis's length."""


def outside(figure: Figure) -> list[str]:
    """Return descriptions of data that no axis shows, beyond its ends or, on a logarithmic axis, not above zero."""
    found = []
    for axes in figure.axes:
        if not axes.axison:
            continue
        for what, (points, across, up) in itertools.chain(_lines(axes), _collections(axes), _patches(axes)):
            points = points[np.isfinite(points).all(axis=1)]
            for name, own, column in (("x", across, 0), ("y", up, 1)):
                if own and len(points):
                    said = _beyond(axes, name, points[:, column])
                    found += [f"{axes.get_ylabel() or axes.get_title()!r}: {what}: {said}"] if said else []
    return found


def alike(figure: Figure) -> list[str]:
    """Return the labels of curves in one pair of axes that have the same colour, line style and marker."""
    found = []
    for axes in figure.axes:
        handles, labels = axes.get_legend_handles_labels()
        looks: dict[tuple[str, ...], set[str]] = {}
        for handle, text in zip(handles, labels, strict=True):
            line = handle[0] if isinstance(handle, tuple) else handle
            if hasattr(line, "get_linestyle") and hasattr(line, "get_marker"):
                dashes = getattr(line, "_unscaled_dash_pattern", line.get_linestyle())
                parts = (line.get_color(), dashes, line.get_marker(), line.get_markerfacecolor())
                looks.setdefault(tuple(map(str, parts)), set()).add(text)
        found += [" = ".join(sorted(texts)) for texts in looks.values() if len(texts) > 1]
        found += [f"{text} twice" for text, count in Counter(labels).items() if count > 1]
    return found


def _beyond(axes: Axes, name: str, values: np.ndarray[Any, Any]) -> str:
    ends = np.array(axes.get_xlim() if name == "x" else axes.get_ylim(), dtype=float)
    log = (axes.get_xscale() if name == "x" else axes.get_yscale()) == "log"
    span = f"{name} from {values.min():g} to {values.max():g}, the axis from {min(ends):g} to {max(ends):g}"
    if log:
        if values.min() <= 0:
            return f"{span}, logarithmic"
        values, ends = np.log(values), np.log(ends)
    low, high = min(ends), max(ends)
    slack = SLACK * (high - low)
    return span if values.min() < low - slack or values.max() > high + slack else ""


def _points(vertices: Any, across: bool, up: bool) -> tuple[np.ndarray[Any, Any], bool, bool]:
    return np.ma.filled(np.ma.asarray(vertices, dtype=float), np.nan).reshape(-1, 2), across, up


def _lines(axes: Axes) -> Iterator[tuple[str, tuple[np.ndarray[Any, Any], bool, bool]]]:
    for line in axes.lines:
        own = line.get_transform().contains_branch_seperately(axes.transData)
        data = np.column_stack(
            [np.asarray(line.get_xdata(orig=False)), np.asarray(line.get_ydata(orig=False))]
        )
        yield f"line {line.get_label()}", _points(data, *own)


def _collections(axes: Axes) -> Iterator[tuple[str, tuple[np.ndarray[Any, Any], bool, bool]]]:
    for one in axes.collections:
        if one.get_offset_transform().contains_branch(axes.transData):
            yield f"points {one.get_label()}", _points(one.get_offsets(), True, True)
            continue
        own = one.get_transform().contains_branch_seperately(axes.transData)
        vertices = [path.vertices for path in one.get_paths() if len(path.vertices)]
        if vertices:
            yield f"shapes {one.get_label()}", _points(np.concatenate(vertices), *own)


def _patches(axes: Axes) -> Iterator[tuple[str, tuple[np.ndarray[Any, Any], bool, bool]]]:
    for patch in axes.patches:
        own = patch.get_transform().contains_branch_seperately(axes.transData)
        path = patch.get_patch_transform().transform_path(patch.get_path())
        yield f"patch {patch.get_label()}", _points(path.vertices, *own)
