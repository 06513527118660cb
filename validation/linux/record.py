"""Runs cells in the kernel and records the measurements.

    python -m validation.linux.record [CELL ...]

boots the cells whose names begin with CELL, each with all its seeds, two at a time, and writes the measurements to
`tests/data/linux`.
`make kernel` builds the kernel first.
"""

from __future__ import annotations

import argparse
import csv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Any

from validation.linux import kernel, recorded
from validation.linux.cells import CELLS, SEGMENT, TRANSFER, Cell, chosen
from validation.linux.mine import SETTLED_S, Measures

Row = dict[str, Any]


def _read(tables: Path, name: str) -> list[dict[str, str]]:
    with tables.with_name(f"{tables.name}.{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def measured(tables: Path, cell: Cell, flow: int) -> Measures:
    """Return the measurements of a flow in one run, read from the tables with the prefix `tables`."""
    rows = _read(tables, f"flow{flow}")
    settled = [row for row in rows if int(row["t_us"]) >= SETTLED_S * 1e6]
    last = rows[-1]
    return Measures(
        8 * int(last["bytes_acked"]) / (int(last["t_us"]) / 1e6 - cell.flows[flow].start_s),
        fmean(int(row["cwnd"]) for row in settled),
        fmean(int(row["rtt_us"]) / 1e3 for row in settled),
        int(last["retransmissions"]),
    )


def _again(tables: Path) -> list[tuple[float, int, int]]:
    """Return for each retransmission the time since the first packet (ms), the segment and the packet's number."""
    rows = _read(tables, "packets")
    began, highest = float(rows[0]["t_us"]), 0
    found = []
    for row in rows:
        if row["direction"] == "data" and int(row["length"]):
            begin = int(row["seq"])
            if begin < highest:
                at = (float(row["t_us"]) - began) / 1e3
                found.append((at, (begin - 1) // SEGMENT, int(row["number"])))
            highest = max(highest, begin + int(row["length"]))
    return found


def transfer(cell: Cell) -> Row:
    """Run a cell that loses or delays single packets; return its row."""
    tables = kernel.boot(cell)
    if cell.drop_retransmission:
        tables = kernel.boot(cell, drops=(*cell.drops, _again(tables)[0][2]))
    rows = _read(tables, "packets")
    # The last acknowledgment is logged when it is sent; it arrives one transmission time and one propagation delay
    # later.
    last = next(row for row in rows if row["direction"] == "ack" and int(row["ack"]) > TRANSFER)
    way_ms = cell.link.delay_us / 1e3 + 8e3 * 52 / cell.link.rate_bps
    return {
        "cell": cell.name,
        "cwnd": int(_read(tables, "flow0")[-1]["cwnd"]),
        "done_ms": round((float(last["t_us"]) - float(rows[0]["t_us"])) / 1e3 + way_ms, 2),
        "retransmissions": " ".join(f"{at:.1f}:{segment}" for at, segment, _ in _again(tables)),
    }


def flows(cell: Cell, pool: ThreadPoolExecutor) -> list[Row]:
    """Run a cell with each of its seeds; return a row for each flow."""
    runs = list(pool.map(lambda seed: kernel.boot(cell, seed), range(1, cell.seeds + 1)))
    rows = []
    for i, flow in enumerate(cell.flows):
        all_of_it = [measured(tables, cell, i) for tables in runs]
        rows.append(
            {
                "cell": cell.name,
                "flow": i,
                "control": flow.control,
                "seeds": cell.seeds,
                "goodput_bps": round(fmean(each.goodput_bps for each in all_of_it)),
                "cwnd": round(fmean(each.cwnd for each in all_of_it), 3),
                "rtt_ms": round(fmean(each.rtt_ms for each in all_of_it), 3),
                "retransmissions": round(fmean(each.retransmissions for each in all_of_it), 1),
            }
        )
    return rows


def put(path: Path, columns: tuple[str, ...], rows: list[Row]) -> None:
    """Replace the rows of a cell in a table; the table's rows stay in the order of the cells."""
    order = {name: place for place, name in enumerate(CELLS)}
    kept: list[Row] = [dict(row) for row in recorded.rows(path) if row["cell"] != rows[0]["cell"]]
    recorded.write(path, columns, sorted([*kept, *rows], key=lambda row: order[row["cell"]]))


def main() -> None:
    """Run the chosen cells and record their results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cells", nargs="*", metavar="CELL", help="beginnings of names of cells")
    parser.add_argument("--missing", action="store_true", help="only those that are not recorded")
    args = parser.parse_args()
    have = recorded.flows().keys() | recorded.transfers().keys() if args.missing else set()
    with ThreadPoolExecutor(2) as pool:
        for cell in chosen(args.cells):
            if cell.name in have:
                continue
            try:
                if cell.transfer:
                    put(recorded.TRANSFERS, recorded.TRANSFER_COLUMNS, [transfer(cell)])
                else:
                    put(recorded.FLOWS, recorded.FLOW_COLUMNS, flows(cell, pool))
                print(cell.name, flush=True)
            except RuntimeError as reason:
                print(f"{cell.name}: {reason}", flush=True)


if __name__ == "__main__":
    main()
