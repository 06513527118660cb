"""The HTML page of an animation: packed events of a run, and the viewer."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from ackclock._io.template import render
from ackclock.plot.animation.layout import layout
from ackclock.plot.palette import HUES

if TYPE_CHECKING:
    import polars

    from ackclock.runs.run import Run

TRACES = ("hops", "queue", "cwnd")
"""Traces that an animation needs."""

RADIO_TRACES = ("frames", "positions", "buffers")
"""Additional traces that an animation of radio networks needs."""

MOST_HOPS = 400_000
"""Maximum number of packet transmissions on links in a page. Above it the page has all hops of a sample of packets, and
the losses."""

MOST_LOSSES = 50_000
"""Maximum number of losses in a page that has a sample of packets."""

MOST_FRAMES = 400_000
"""Maximum number of radio transmissions in a page; above it the page has an evenly thinned sample."""

MOST_CHANGES = 300_000
"""Maximum number of queue changes in a page. Above it time is divided into equal bins, and only the last change in each
bin is kept."""

MOST_POINTS = 1500
"""Maximum number of points of a curve. A longer curve is divided into equal time bins, and only the minimum and maximum
of each bin are kept."""

STRIP_BINS = 240
"""Number of time bins of the throughput curves."""

WINDOW_UNIT = 0.01
"""Resolution of stored windows, segments."""

UNIT_S = 1e-6
"""Resolution of stored times, seconds."""

KINDS = ("data", "retransmission", "ack", "datagram")
"""Kinds of packets, as trace ``hops`` names them."""

PARTS = ("data", "drawing", "strips", "controls")
"""Files of the viewer's program, in order."""

NOBODY = 0xFFFF
"""Index that stands for no node or no flow."""


@dataclass
class Packed:
    """Builder of packed columns of numbers, preceded by a header with the offset of each.

    A column of two-byte or four-byte numbers is stored by byte position (all first bytes, then all second bytes), which
    compresses better.
    """

    columns: dict[str, dict[str, Any]] = field(default_factory=dict)
    data: bytearray = field(default_factory=bytearray)

    def add(self, name: str, values: NDArray[Any], kind: str) -> None:
        """Add a column of type `kind` ("u1", "u2" or "u4"); if a number is too large for it, the type becomes "u8".

        Times in microseconds need "u8" after 71 minutes.
        """
        highest = int(np.max(values, initial=0))
        if highest >= 1 << 8 * int(kind[1]):
            kind = "u8"
        column = np.ascontiguousarray(values, dtype=f"<{kind}")
        planes = column.view(np.uint8).reshape(len(column), -1).T if len(column) else column
        self.columns[name] = {"at": len(self.data), "length": len(column), "kind": kind}
        self.data += np.ascontiguousarray(planes).tobytes()

    def text(self, header: dict[str, Any]) -> str:
        """Return header and columns, compressed, as base64 text."""
        head = json.dumps({**header, "columns": self.columns}, ensure_ascii=False, separators=(",", ":"))
        raw = head.encode()
        return base64.b64encode(
            zlib.compress(len(raw).to_bytes(4, "little") + raw + bytes(self.data), 9)
        ).decode()


def page(run: Run, title: str = "") -> str:
    """Return an HTML page that animates a run.

    If traces that the page needs were not recorded, the run is repeated to record them.
    """
    described = run.scenario.described
    radio = bool(described.get("wifi") or described.get("lte"))
    run.observe(*TRACES, *(RADIO_TRACES if radio else ()))
    names = [str(node["name"]) for node in described["node"]]
    number = {name: at for at, name in enumerate(names)}
    packed = Packed()
    links = [str(link["name"]) for link in run.summary["links"]]
    causes: list[str] = []
    notes = [
        *_hops(run.trace("hops").to_polars(), names, links, causes, packed),
        *_queues(run.trace("queue").to_polars(), links, run, packed),
    ]
    _windows(run.trace("cwnd").to_polars(), run.manifest["duration_s"], packed)
    bin_s = _rates(run, packed)
    kinds: list[str] = []
    buffers: list[str] = []
    if radio:
        notes += _buffers(run.trace("buffers").to_polars(), run.manifest["duration_s"], buffers, packed)
        notes += _frames(run.trace("frames").to_polars(), number, causes, kinds, packed)
    moves = _moves(run.trace("positions").to_polars() if radio else None, names)
    edges = [(number[link["between"][0]], number[link["between"][1]]) for link in described.get("link", ())]
    flows = [
        {"name": flow["name"], "variant": flow["variant"], "ways": [number[flow["from"]], number[flow["to"]]]}
        for flow in run.summary["flows"]
    ]
    ways = [(flow["ways"][0], flow["ways"][1]) for flow in flows]
    header = {
        "title": title or "ackclock",
        "duration": run.manifest["duration_s"],
        "seed": run.manifest["seed"],
        "unit": UNIT_S,
        "window_unit": WINDOW_UNIT,
        "bin": bin_s,
        "nodes": _nodes(names, moves, edges, ways),
        "placed": bool(moves),
        "links": [
            {"name": name, "ends": edges[at // 2][:: -1 if at % 2 else 1], **_link(described, at)}
            for at, name in enumerate(links)
        ],
        "flows": flows,
        "causes": causes,
        "kinds": KINDS,
        "hues": {"light": [one.light for one in HUES], "dark": [one.dark for one in HUES]},
        "buffers": buffers,
        "frames": kinds,
        "notes": notes,
    }
    script = _script()
    values = {
        "title": header["title"],
        "data": packed.text(header),
        "script": Markup(script),
        "digest": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    }
    return render("ackclock.plot.animation", "viewer.html.j2", values)


def _script() -> str:
    """Return the viewer's program, concatenated from its files."""
    folder = resources.files("ackclock.plot.animation") / "templates"
    return "".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in PARTS)


def _nodes(
    names: Sequence[str],
    moves: Mapping[int, list[list[float]]],
    edges: Sequence[tuple[int, int]],
    ways: Sequence[tuple[int, int]],
) -> list[dict[str, Any]]:
    """Return all nodes with their positions in the drawing and their movements."""
    fixed = {node: (track[0][1], track[0][2]) for node, track in moves.items()}
    positions = layout(len(names), edges, ways, fixed)
    return [
        {"name": name, "at": [float(x), float(y)], "moves": moves.get(at, [])}
        for (at, name), (x, y) in zip(enumerate(names), positions, strict=True)
    ]


def _link(described: Mapping[str, Any], at: int) -> dict[str, Any]:
    """Return rate and delay of a link direction as text."""
    link = described["link"][at // 2]
    own = {**link, **(link.get("reverse") or {})} if at % 2 else link
    rate = own.get("rate")
    return {"rate": rate if isinstance(rate, str) else "a trace", "delay": str(own.get("delay", ""))}


def _ticks(frame: polars.DataFrame, column: str) -> NDArray[np.int64]:
    return np.round(frame[column].to_numpy() / UNIT_S).astype(np.int64)


def _index(frame: polars.DataFrame, column: str, names: Sequence[str], other: int = NOBODY) -> NDArray[Any]:
    """Return for each text in a column its index in `names`; `other` for texts that are not in `names`."""
    number = {name: at for at, name in reversed(list(enumerate(names)))}
    return np.array([number.get(text, other) for text in frame[column].to_list()], dtype=np.int64)


def _causes(frame: polars.DataFrame, column: str, causes: list[str]) -> NDArray[Any]:
    """Return the number of each row's cause, counted from 1; 0 if the row has none. Appends new causes to `causes`."""
    for cause in sorted(set(frame[column].drop_nulls().to_list()) - set(causes)):
        causes.append(cause)
    return _index(frame, column, causes, -1) + 1


def _hops(
    hops: polars.DataFrame, names: Sequence[str], links: Sequence[str], causes: list[str], packed: Packed
) -> list[str]:
    """Pack transmissions on links, in order of time; return notes on sampling.

    A loss in a radio network has a node instead of a link.
    """
    import polars as pl

    notes = []
    if len(hops) > MOST_HOPS:
        every = -(-len(hops) // MOST_HOPS)
        # All hops of a packet have the same `seq`, so they are kept or left out together. A `seq` that counts bytes has
        # only few remainders, so a hash scatters it first.
        scattered = (hops["seq"].to_numpy().astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(
            40
        )
        drawn = pl.Series(scattered % np.uint64(every) == 0)
        kept = hops.filter(drawn & hops["cause"].is_null())
        losses = hops.filter(pl.col("cause").is_not_null())
        step = -(-len(losses) // MOST_LOSSES) or 1
        hops = pl.concat([kept, losses.gather_every(step)])
        notes.append(f"one packet of {every} is shown, one loss of {step}")
    hops = hops.sort("begins_s", "arrives_s", maintain_order=True)
    begins, ends = _ticks(hops, "begins_s"), _ticks(hops, "ends_s")
    packed.add("begins", np.diff(begins, prepend=0), "u4")
    packed.add("waits", begins - _ticks(hops, "enqueued_s"), "u4")
    packed.add("sends", ends - begins, "u4")
    packed.add("flies", _ticks(hops, "arrives_s") - ends, "u4")
    packed.add("places", _index(hops, "place", [*links, *names]), "u2")
    packed.add("flow", hops["flow"].to_numpy(), "u2")
    packed.add("kind", _index(hops, "kind", KINDS, 0), "u1")
    packed.add("cause", _causes(hops, "cause", causes), "u1")
    packed.add("seq", np.diff(hops["seq"].to_numpy(), prepend=0) & 0xFFFFFFFF, "u4")
    packed.add("bytes", hops["bytes"].to_numpy(), "u4")
    return notes


def _queues(queue: polars.DataFrame, links: Sequence[str], run: Run, packed: Packed) -> list[str]:
    """Pack the queue lengths of links, ordered by link; return notes on sampling."""
    import polars as pl

    number = pl.Series("number", _index(queue, "place", links), dtype=pl.Int64)
    return _lengths("queue", queue.with_columns(number), run.manifest["duration_s"], packed)


def _buffers(buffers: polars.DataFrame, duration_s: float, names: list[str], packed: Packed) -> list[str]:
    """Pack the queue lengths of stations and UEs, ordered by queue; add the queues' names to `names`."""
    import polars as pl

    named = buffers.with_columns((pl.col("node") + " " + pl.col("buffer")).alias("name"))
    names += sorted(set(named["name"].to_list()))
    number = pl.Series("number", _index(named, "name", names), dtype=pl.Int64)
    return _lengths("buffer", named.with_columns(number), duration_s, packed)


def _lengths(kind: str, table: polars.DataFrame, duration_s: float, packed: Packed) -> list[str]:
    """Pack queue lengths, ordered by column `number` and time; if there are too many, the last of each time bin."""
    import polars as pl

    notes = []
    if len(table) > MOST_CHANGES:
        width = duration_s * table["number"].n_unique() / MOST_CHANGES
        binned = table.with_columns((pl.col("time_s") / width).floor().alias("bin"))
        table = binned.group_by("number", "bin", maintain_order=True).last()
        notes.append(f"{kind}s are shown in steps of {width:.3g} s")
    table = table.sort("number", "time_s", maintain_order=True)
    number = table["number"].to_numpy()
    packed.add(f"{kind}_number", number, "u2")
    packed.add(f"{kind}_time", _differences(_ticks(table, "time_s"), number), "u4")
    packed.add(f"{kind}_packets", table["packets"].to_numpy(), "u4")
    return notes


def _differences(times: NDArray[np.int64], number: NDArray[Any]) -> NDArray[np.int64]:
    """Return, for each row, the time since the previous row; the first row of each `number` keeps its own time."""
    return np.where(np.diff(number, prepend=-1) != 0, times, np.diff(times, prepend=0))


def _windows(cwnd: polars.DataFrame, duration_s: float, packed: Packed) -> None:
    """Pack congestion windows, ordered by flow."""
    import polars as pl

    rows = cwnd.filter((pl.col("variable") == "cwnd") & pl.col("value").is_finite())
    rows = rows.sort("flow", "time_s", maintain_order=True)
    many = rows.group_by("flow", maintain_order=True).len().filter(pl.col("len") > MOST_POINTS)["flow"]
    crowded = pl.col("flow").is_in(many.to_list())
    width = 2 * duration_s / MOST_POINTS
    binned = rows.filter(crowded).with_columns(((pl.col("time_s") / width).floor() * width).alias("bin"))
    ends = binned.group_by("flow", "bin", maintain_order=True).agg(
        pl.concat_list(pl.col("value").min(), pl.col("value").max()).first().alias("value")
    )
    spread = ends.explode("value").select("flow", pl.col("bin").alias("time_s"), "value")
    rows = pl.concat(
        [
            rows.filter(~crowded).select("flow", "time_s", "value"),
            spread.cast(rows.select("flow", "time_s", "value").schema),
        ]
    )
    rows = rows.sort("flow", "time_s", maintain_order=True)
    flow = rows["flow"].to_numpy()
    packed.add("cwnd_flow", flow, "u2")
    packed.add("cwnd_time", _differences(_ticks(rows, "time_s"), flow), "u4")
    packed.add("cwnd_value", np.round(rows["value"].to_numpy() / WINDOW_UNIT), "u4")


def _rates(run: Run, packed: Packed) -> float:
    """Pack throughput, ordered by flow, and return the width of the bins, seconds."""
    width = max(float(run.manifest["duration_s"]) / STRIP_BINS, 1e-6)
    table = run.binned("throughput", width).to_polars().sort("flow", "time_s", maintain_order=True)
    packed.add("rates", np.round(table["throughput_bps"].to_numpy()), "u4")
    return width


def _frames(
    frames: polars.DataFrame, number: dict[str, int], causes: list[str], kinds: list[str], packed: Packed
) -> list[str]:
    """Pack radio transmissions in order of their start; return notes on sampling."""
    import polars as pl

    notes = []
    if len(frames) > MOST_FRAMES:
        every = -(-len(frames) // MOST_FRAMES)
        frames = frames.gather_every(every)
        notes.append(f"one transmission on the air of {every} is shown")
    kinds += sorted(set(frames["kind"].to_list()))
    begins = _ticks(frames, "time_s")
    names = list(number)
    packed.add("air_begins", np.diff(begins, prepend=0), "u4")
    packed.add("air_lasts", _ticks(frames, "end_s") - begins, "u4")
    packed.add("air_from", _index(frames, "from", names), "u2")
    packed.add("air_to", _index(frames, "to", names), "u2")
    packed.add("air_kind", _index(frames, "kind", kinds), "u1")
    packed.add("air_bytes", frames["bytes"].to_numpy(), "u4")
    packed.add("air_flow", frames["flow"].fill_null(NOBODY).cast(pl.Int64).to_numpy(), "u2")
    packed.add("air_cause", _causes(frames, "lost", causes), "u1")
    return notes


def _moves(positions: polars.DataFrame | None, names: Sequence[str]) -> dict[int, list[list[float]]]:
    """Return the track of each node that has positions, as lists of time (s), x and y (m)."""
    if positions is None:
        return {}
    number = {name: at for at, name in enumerate(names)}
    found: dict[int, list[list[float]]] = {}
    for name, time, x, y in positions.select("node", "time_s", "x_m", "y_m").iter_rows():
        found.setdefault(number[name], []).append([round(time, 3), round(x, 2), round(y, 2)])
    return found
