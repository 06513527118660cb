"""Positions in the drawing for nodes without a position in the scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

ROUNDS = 300
"""Maximum number of iterations of stress majorization."""

MOST_SETTLED = 500
"""Maximum number of nodes that are placed by stress majorization, whose cost grows with the square of the number."""

FAN = np.pi / 2
"""Greatest angle between the way out of the drawing and the way to a leaf, in drawings of more nodes."""

Places = NDArray[np.float64]


def distances(count: int, edges: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """Return the matrix of distances, counted in links; an unconnected pair gets the greatest distance plus one."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import shortest_path

    ends = np.array(edges, dtype=int).reshape(-1, 2).T
    joined = coo_array((np.ones(len(edges)), (ends[0], ends[1])), shape=(count, count))
    found: NDArray[np.float64] = shortest_path(joined.tocsr(), directed=False, unweighted=True)
    reached = np.isfinite(found)
    found[~reached] = found[reached].max(initial=0) + 1
    return found


def layout(
    count: int,
    edges: Sequence[tuple[int, int]],
    ways: Sequence[tuple[int, int]] = (),
    fixed: Mapping[int, tuple[float, float]] | None = None,
) -> Places:
    """Place nodes so that distances in the plane approximate distances in links (stress majorization).

    The result is deterministic. With more than `MOST_SETTLED` nodes, those with one link are left out at first, and
    then placed around their neighbours.

    Args:
        count: Number of nodes.
        edges: Pairs of nodes connected by links.
        ways: Source and destination of each flow; sources are placed to the left.
        fixed: Positions of nodes that have one.
    """
    fixed = dict(fixed or {})
    if not count:
        return np.zeros((0, 2))
    if count > MOST_SETTLED:
        return _of_many(count, edges, ways, fixed)
    far = distances(count, edges)
    held = np.array([node in fixed for node in range(count)])
    places = _begin(count, far, fixed)
    if fixed:
        spread = float(np.ptp(places[held], axis=0).max())
        far *= max(spread / 4, 1.0) if spread else 10.0
    if count > 1 and not held.all():
        places = _settle(places, far, held)
    return places if fixed else _untangle(_turn(places, ways), far, ways)


def _of_many(
    count: int,
    edges: Sequence[tuple[int, int]],
    ways: Sequence[tuple[int, int]],
    fixed: Mapping[int, tuple[float, float]],
) -> Places:
    """Place the nodes of a large network in time that grows with their number.

    Nodes with a position keep it; the others then stand on a circle around them.
    """
    ends = np.array(edges, dtype=int).reshape(-1, 2)
    degree = np.bincount(ends.ravel(), minlength=count)
    nodes = anchor = np.arange(count)
    for near, far in (ends.T, ends.T[::-1]):
        leaf = (degree[far] == 1) & (degree[near] > 1)
        anchor = anchor.copy()
        anchor[far[leaf]] = near[leaf]
    inner = np.flatnonzero(anchor == nodes)
    number = np.zeros(count, dtype=int)
    number[inner] = np.arange(len(inner))
    if fixed:
        own = np.array(list(fixed.values()), dtype=float)
        unit = max(float(np.ptp(own, axis=0).max()), 1.0)
        middle, ring = own.mean(axis=0), unit * _circle(len(inner))
    else:
        unit, middle, ring = 1.0, np.zeros(2), len(inner) / 6 * _circle(len(inner))
        if len(inner) <= MOST_SETTLED:
            kept = [(number[a], number[b]) for a, b in ends[(anchor[ends] == ends).all(axis=1)].tolist()]
            ring = layout(len(inner), kept, [(number[anchor[a]], number[anchor[b]]) for a, b in ways])
            middle = ring.mean(axis=0)
            ring = ring - middle
    places = middle + ring[number[anchor]]
    places[list(fixed)] = [*fixed.values()] if fixed else np.zeros((0, 2))
    leaves = np.flatnonzero(anchor != nodes)
    leaves = leaves[np.argsort(anchor[leaves], kind="stable")]
    for group in np.split(leaves, np.flatnonzero(np.diff(anchor[leaves])) + 1):
        free = [node for node in group.tolist() if node not in fixed]
        if free:
            at = places[anchor[free[0]]]
            places[free] = at + unit * _fan(at - middle, len(free))
    rounded: Places = np.round(places, 4)
    return rounded


def _circle(count: int) -> Places:
    """Return positions on a circle of radius 1."""
    angle = 2 * np.pi * np.arange(count) / max(count, 1)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _fan(out: NDArray[np.float64], count: int) -> Places:
    """Return positions of leaves relative to their neighbour, the first on top; `out` leads out of the drawing."""
    half = FAN if float(np.hypot(*out)) > 1e-9 else np.pi
    angle = np.arctan2(out[1], out[0]) + half * (1 - (2 * np.arange(count) + 1) / count)
    places = np.column_stack([np.cos(angle), np.sin(angle)])
    found: Places = places[np.argsort(-places[:, 1], kind="stable")]
    return found


def _begin(count: int, far: Places, fixed: Mapping[int, tuple[float, float]]) -> Places:
    """Return initial positions on a circle, with neighbours close together; fixed nodes keep their positions."""
    order = sorted(range(count), key=lambda node: (far[0, node], node))
    angle = np.zeros(count)
    angle[order] = 2 * np.pi * np.arange(count) / count
    radius = max(float(far.max()) / 2, 0.5)
    places = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    if fixed:
        own = np.array(list(fixed.values()), dtype=float)
        places = places * (float(np.ptp(own, axis=0).max()) or 10.0) / (2 * radius) + own.mean(axis=0)
        for node, place in fixed.items():
            places[node] = place
    return places


def _settle(places: Places, far: Places, held: NDArray[np.bool_]) -> Places:
    """Move each free node to its best position given the others until the stress converges (weights d^-2)."""
    weight = 1 / np.where(far > 0, far, 1) ** 2
    np.fill_diagonal(weight, 0)
    total = weight.sum(axis=1)
    for _ in range(ROUNDS):
        apart = places[:, None, :] - places[None, :, :]
        length = np.sqrt((apart**2).sum(axis=2))
        pull = weight * np.where(length > 1e-9, far / np.maximum(length, 1e-9), 0)
        moved = (weight @ places + pull.sum(axis=1)[:, None] * places - pull @ places) / total[:, None]
        moved[held] = places[held]
        done = np.abs(moved - places).max() < 1e-4 * max(float(far.max()), 1e-9)
        places = moved
        if done:
            break
    return places


def _turn(places: Places, ways: Sequence[tuple[int, int]]) -> Places:
    """Turn the drawing so that flows run from left to right, or so that its longest extent is horizontal."""
    centred = places - places.mean(axis=0)
    heading = sum((centred[to] - centred[source] for source, to in ways), np.zeros(2))
    if float(np.hypot(*heading)) < 1e-6:
        values, vectors = np.linalg.eigh(centred.T @ centred)
        heading = vectors[:, int(np.argmax(values))]
    x, y = heading / max(float(np.hypot(*heading)), 1e-12)
    turned: Places = centred @ np.array([[x, -y], [y, x]])
    # The source of the first flow is at the top.
    first = next((a for (a, _), (b, _) in pairwise(ways) if a != b), None)
    if first is not None and turned[first, 1] < 0:
        turned[:, 1] *= -1
    return turned


def _untangle(places: Places, far: Places, ways: Sequence[tuple[int, int]]) -> Places:
    """Exchange positions among the leaves of each node to reduce crossings.

    Sources are put in the order of their flows, destinations in the order of their sources.
    """
    level: dict[int, float] = {}
    for ends in (0, 1):
        groups: dict[int, list[int]] = {}
        for way in ways:
            node = way[ends]
            near = np.flatnonzero(far[node] == 1)
            if len(near) == 1 and node not in groups.setdefault(int(near[0]), []):
                groups[int(near[0])].append(node)
        for group in groups.values():
            places[group] = places[sorted(group, key=lambda node: -places[node, 1])]
            if ends:
                order = sorted(range(len(group)), key=lambda at: -level.get(group[at], 0.0))
                places[[group[at] for at in order]] = places[group]
        if not ends:
            for source, sink in ways:
                level.setdefault(sink, float(places[source, 1]))
    return np.round(places, 4)
