"""Builds ackclock's scenarios for the fresh cells of ns-3 and ns-2 from their descriptions in the reference data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from validation import reference
from validation.scenarios import Document, droptail

SEEDS = 5
"""Number of our runs of a cell whose runs differ by seed."""
CONTROLS: Mapping[str, str] = {
    "TcpNewReno": "sack",
    "TcpLinuxReno": "sack",
    "TcpCubic": "sack+cubic",
    "TcpBbr": "sack+bbr",
    "TcpBic": "sack+bic",
    "TcpDctcp": "sack+dctcp",
    "TcpHighSpeed": "sack+highspeed",
    "TcpHtcp": "sack+htcp",
    "TcpHybla": "sack+hybla",
    "TcpIllinois": "sack+illinois",
    "TcpLedbat": "sack+ledbat",
    "TcpLp": "sack+lp",
    "TcpScalable": "sack+scalable",
    "TcpVegas": "sack+vegas",
    "TcpVeno": "sack+veno",
    "TcpWestwood": "sack+westwood",
    "TcpYeah": "sack+yeah",
}
"""Our variant for each class of ns-3."""
LTE_WIDTHS = {6: "1.4MHz", 15: "3MHz", 25: "5MHz", 50: "10MHz", 100: "20MHz"}
LTE_SCHEDULERS = {"Pf": "proportional-fair", "Rr": "round-robin"}
HUGE = 100_000
"""Queue limit of the access links, packets."""


@dataclass(frozen=True)
class Cell:
    """A cell: ackclock's runs, and the reference's results.

    Attributes:
        runs: One or two scenarios for each run, each with its seed. If there are two, the first ends when the
            measurement begins, and the results are the differences.
        reference: Total payload of each run of the reference, Mb/s.
        seconds: Length of the measurement, s.
        payload: Function that returns the payload of a flow of the summary, bytes.
        jitter_s: Largest random delay of a flow's start, s.
    """

    runs: tuple[tuple[tuple[Document, int], ...], ...]
    reference: tuple[float, ...]
    seconds: float
    payload: Callable[[Mapping[str, Any]], float]
    jitter_s: float = 0.0


def _delivered(flow: Mapping[str, Any]) -> float:
    return float(flow["delivered_bytes"])


def _acknowledged(flow: Mapping[str, Any]) -> float:
    return float(flow["acked_packets"]) * 1000


def _ended(document: Document, end_s: float) -> Document:
    """Return the scenario with another end, without the flows that begin after the new end."""
    flows = [flow for flow in document["flow"] if float(flow["start"].removesuffix("s")) < end_s]
    return {**document, "duration": f"{end_s:.9g}s", "flow": flows}


def _pair(document: Document, seed: int, from_s: float, stop_s: float) -> tuple[tuple[Document, int], ...]:
    """Return the scenarios of a run: one up to `stop_s`, and before it one up to `from_s` unless that is 0."""
    ends = (from_s, stop_s) if from_s > 0 else (stop_s,)
    return tuple((_ended(document, end), seed) for end in ends)


def _tcp(kind: str, **more: Any) -> Document:
    """Return the `tcp` table for one of ns-3's classes, with the settings `more`."""
    counting = {"ack_counting": "segments"} if kind == "TcpLinuxReno" else {}
    return {"variant": CONTROLS[kind], "profile": "ns3", **counting, **more}


def _attributes(cell: Mapping[str, Any]) -> dict[str, str]:
    """Return the attributes of ns-3 that a cell sets."""
    pairs = (each.partition("=") for each in cell.get("set", "").split(";"))
    return {key.removeprefix("ns3::"): value for key, _, value in pairs if value}


def _discipline(cell: Mapping[str, Any]) -> Document:
    """Return the queue discipline of a cell of `wired3.cc`."""
    kind, ecn = cell["qd"], bool(cell.get("ecn"))
    if kind == "fifo":
        return droptail(cell["q"])
    more: Document = {}
    if kind == "codel":
        more["newton"] = True
    if kind == "fqcodel":
        more["newton"] = True
    if kind == "pie":
        size = _attributes(cell).get("PieQueueDisc::MeanPktSize", "1000")
        more = {"profile": "ns3", "mean_packet": f"{size}B"}
    if kind == "red":
        more = {"profile": "ns3", **cell.get("qset", {})}
    return {"kind": {"fqcodel": "fq-codel"}.get(kind, kind), "packets": cell["q"], "ecn": ecn, **more}


def wired(cell: Mapping[str, Any], starts: list[float]) -> Document:
    """Return the scenario of a cell of `wired3.cc`: a chain of routers, and a pair of hosts for each flow."""
    hops = cell.get("H", 1)
    back = {"rate": cell.get("rbw", cell["bw"]), "queue": _ring(droptail(cell.get("rq", 1000)))}
    loss = {"loss": {"kind": "random", "rate": float(cell["loss"])}} if cell.get("loss") else {}
    links: list[Document] = [
        {
            "between": [f"r{hop}", f"r{hop + 1}"],
            "rate": cell["bw"],
            "delay": cell["delay"],
            "framing": "2B",
            "queue": _ring(_discipline(cell)),
            "reverse": back,
            **({"loss": {**loss["loss"], "toward": f"r{hop + 1}"}} if loss else {}),
        }
        for hop in range(hops)
    ]
    flows: list[Document] = []
    buffer = cell.get("buf", 16_000_000)
    for i, (kind, _, delay_ms, into, out, size) in enumerate(cell["flows"]):
        for host, router in ((f"s{i}", f"r{into}"), (f"d{i}", f"r{out}")):
            links.append(
                {
                    "between": [host, router],
                    "rate": cell.get("abw", "1Gbps"),
                    "delay": f"{delay_ms:.9g}ms",
                    "framing": "2B",
                    "queue": droptail(HUGE),
                }
            )
        flow: Document = {"from": f"s{i}", "to": f"d{i}", "start": f"{starts[i]:.9g}s"}
        if kind.startswith("Udp:"):
            rate, on, off = kind.split(":")[1:]
            flow["start"] = f"{starts[i] + float(off):.9g}s"
            flow["traffic"] = {
                "kind": "on-off",
                "rate": f"{rate}Mbps",
                "packet": "1000B",
                "on": f"{on}s",
                "off": f"{off}s",
            }
        else:
            flow["traffic"] = {"kind": "ftp", **({"size": f"{size}B"} if size else {})}
            flow["tcp"] = _tcp(kind, segment="1448B", receive_window=f"{buffer}B")
            if cell.get("dela") == 1:
                flow["tcp"]["delayed_ack"] = False
            if cell.get("ecn") and kind != "TcpDctcp":
                flow["tcp"]["ecn"] = "classic"
            if _attributes(cell).get("TcpWestwood::ProtocolType") == "WestwoodPlus":
                flow["tcp"]["variant"] = "sack+westwood+"
            if _attributes(cell).get("TcpCubic::HyStart") == "false" and kind == "TcpCubic":
                flow["tcp"]["hystart"] = "none"
        flows.append(flow)
    return {"duration": "1s", "link": links, "flow": flows}


def _ring(queue: Document) -> Document:
    """Return a queue above a device ring that holds one packet besides the one in transmission."""
    return {"kind": "tx-ring", "packets": 2, "queue": queue}


def ns3_wired(row: Mapping[str, Any]) -> Cell | None:
    """Return a cell of `wired3.cc`, with a run for each of the reference's runs; `None` for Gilbert-Elliott losses."""
    cell = row["cell"]
    if str(cell.get("loss", "")).startswith("ge:"):
        return None
    begin = cell.get("warm", 0)
    stop = cell["stop"]
    runs = []
    totals = []
    for seed, run in enumerate(row["reference"], start=1):
        starts = [flow["start"] for flow in run["flows"]]
        runs.append(_pair(wired(cell, starts), seed, begin, stop))
        totals.append(8e-6 * sum(flow["win_bytes"] for flow in run["flows"]) / (stop - begin))
    return Cell(tuple(runs), tuple(totals), stop - begin, _delivered)


def _application(kind: str, size: int, **tcp: Any) -> Document:
    """Return traffic and TCP of a flow of `wifi3.cc` or `lte3.cc`.

    `kind` is a class of ns-3, or `Udp:` followed by the rate in Mb/s.
    """
    if kind.startswith("Udp:"):
        rate = f"{kind.removeprefix('Udp:')}Mbps"
        return {"traffic": {"kind": "cbr", "rate": rate, "packet": f"{size}B", "header": "28B"}}
    return {"traffic": {"kind": "ftp"}, "tcp": _tcp(kind, receive_window="4194304B", **tcp)}


def ns3_wifi(row: Mapping[str, Any]) -> Cell:
    """Return a cell of `wifi3.cc`."""
    cell = row["cell"]
    names = [f"n{i}" for i in range(len(cell["places"]))]
    nodes: list[Document] = []
    for i, (x, y) in enumerate(cell["places"]):
        place: Document = {"position": [x, y]}
        if i == 1 and cell["speed"]:
            way = f"0 {x} {y} {cell['stop']} {x + cell['speed'] * cell['stop']} {y}"
            place = {"mobility": {"kind": "bonnmotion", "waypoints": way, "node": 0}}
        nodes.append({"name": names[i], **place})
    links: list[Document] = []
    if cell["wire"] is not None:
        nodes.append({"name": "server"})
        wire = {"rate": "1Gbps", "delay": f"{cell['wire']}ms", "queue": droptail(HUGE)}
        links.append({"between": ["server", "n0"], **wire})
    flows = [
        {
            "from": names[a] if a >= 0 else "server",
            "to": names[b] if b >= 0 else "server",
            "start": "1s",
            **_application(kind, 1472, segment="1448B"),
        }
        for a, b, kind in cell["flows"]
    ]
    wifi = {"profile": "ns3", "stations": names, **cell["wifi"]}
    if cell["ap"]:
        wifi["access_point"] = "n0"
    document = {"duration": "1s", "node": nodes, "link": links, "wifi": [wifi], "flow": flows}
    begin, stop = cell["frm"], cell["stop"]
    return Cell(
        tuple(_pair(document, seed, begin, stop) for seed in range(1, SEEDS + 1)),
        tuple(sum(run) for run in row["reference"]),
        stop - begin,
        _delivered,
        jitter_s=0.02,
    )


def ns3_lte(row: Mapping[str, Any]) -> Cell:
    """Return a cell of `lte3.cc`; its runs differ in the RLC buffer by up to 3 %; with UDP alone there is one run."""
    cell = row["cell"]
    begin, stop = cell["frm"], cell["stop"]
    results = row["reference"]
    totals = tuple(sum(run) if isinstance(run, list) else float(run) for run in results)
    buffers = [round(cell["rlcbuf"] * part) for part in (0.97, 0.985, 1, 1.015, 1.03)]
    if not isinstance(results[0], list):
        buffers = [round(cell["rlcbuf"] / 1.03 * part) for part in (0.97, 0.985, 1, 1.015, 1.03)]
    if all(kind.startswith("Udp") for _, _, kind in cell["flows"]):
        buffers = [cell["rlcbuf"]]
    runs = tuple(_pair(_lte(cell, room), seed, begin, stop) for seed, room in enumerate(buffers, start=1))
    return Cell(runs, totals, stop - begin, _delivered)


def _lte(cell: Mapping[str, Any], room: int) -> Document:
    """Return the scenario of a cell of `lte3.cc` with a given RLC buffer, bytes."""
    nodes: list[Document] = [{"name": "host"}, {"name": "gateway"}]
    for i, x in enumerate(cell["ues"]):
        place: Document = {"position": [x, 0]}
        if i == 0 and cell["speed"]:
            way = f"0 {x} 0 {cell['stop']} {x + cell['speed'] * cell['stop']} 0"
            place = {"mobility": {"kind": "bonnmotion", "waypoints": way, "node": 0}}
        nodes.append({"name": f"ue{i}", **place})
    lte = {
        "profile": "ns3",
        "gateway": "gateway",
        "ue": [f"ue{i}" for i in range(len(cell["ues"]))],
        "enb": [{"position": [x, 0]} for x in cell["enbs"]],
        "bandwidth": LTE_WIDTHS[cell["rb"]],
        "scheduler": LTE_SCHEDULERS[cell["sched"]],
        "rlc": {"mode": cell["rlc"], "buffer": f"{room}B"},
        "control_errors": cell["control"],
    }
    flows = []
    for ue, way, kind in cell["flows"]:
        ends = (f"ue{ue}", "host") if way == "u" else ("host", f"ue{ue}")
        flows.append(
            {"from": ends[0], "to": ends[1], "start": "0.5s", **_application(kind, 1400, segment="1400B")}
        )
    wire = {"rate": "100Gbps", "delay": "10ms", "queue": droptail(HUGE)}
    links = [{"between": ["host", "gateway"], **wire}]
    return {"duration": "1s", "node": nodes, "link": links, "lte": [lte], "flow": flows}


def ns2_wired(row: Mapping[str, Any]) -> Cell | None:
    """Return a wired cell of ns-2, whose runs differ in starts by up to 20 ms; `None` for a cell with random loss."""
    cell = row["cell"]
    if cell["loss"]:
        return None
    queue = droptail(cell["q"])
    if red := cell["red"]:
        queue = {
            "kind": "red",
            "profile": "ns2",
            "packets": cell["q"],
            **{key: red[key] for key in ("min", "max", "weight", "gentle", "ecn", "wait")},
            "max_p": 1 / red["lint"],
            "adaptive": bool(red["adaptive"]),
            "mean_packet": "1000B",
        }
    rate, room = cell["rev"] or (cell["rate"], cell["q"])
    links: list[Document] = [
        {
            "between": ["a", "b"],
            "rate": f"{cell['rate']}Mbps",
            "delay": f"{cell['delay']}ms",
            "queue": queue,
            "reverse": {"rate": f"{rate}Mbps", "queue": droptail(room)},
        }
    ]
    flows = []
    for i, kind in enumerate(cell["variants"]):
        for host, router in ((f"s{i}", "a"), (f"d{i}", "b")):
            access = {"rate": f"{cell['accbw']}Mbps", "delay": f"{cell['acc']}ms", "queue": droptail(HUGE)}
            links.append({"between": [host, router], **access})
        ends = (f"s{i}", f"d{i}") if cell["dirs"][i] == "f" else (f"d{i}", f"s{i}")
        tcp = {"variant": kind, "profile": "ns2", "segment": "1000B", "max_window": cell["window"]}
        if red and red["ecn"]:
            tcp["ecn"] = "classic"
        if cell["delack"]:
            tcp["delayed_ack"] = True
        flows.append(
            {
                "from": ends[0],
                "to": ends[1],
                "start": f"{cell['starts'][i]:.9g}s",
                "traffic": {"kind": "ftp"},
                "tcp": tcp,
            }
        )
    document = {"duration": f"{cell['stop']}s", "link": links, "flow": flows}
    seconds = cell["stop"]
    return Cell(
        tuple(((document, seed),) for seed in range(1, SEEDS + 1)),
        tuple(8e-6 * 1000 * sum(flow[0] for flow in run) / seconds for run in row["reference"]),
        seconds,
        _acknowledged,
        jitter_s=0.02,
    )


def _orders(movements: str, node: int) -> str:
    """Return the lines of a file of movements that are about one node."""
    return "\n".join(line for line in movements.splitlines() if f"$node_({node}) " in line)


def ns2_mobile(row: Mapping[str, Any]) -> Cell:
    """Return a cell of ns-2 whose stations move or stand by files of the reference; its runs differ by the file.

    Rates, starts and RTS threshold are not in the reference's description. 11 Mb/s, starts at 2.0, 2.1 and 2.2 s,
    no RTS, and datagrams of 512 B at 200 kb/s give the recorded counts of CBR. TCP has the same setting.
    """
    cell = row["cell"]
    names = [f"n{i}" for i in range(cell["n"])]
    wifi: Document = {
        "standard": "b",
        "profile": "ns2",
        "rate": "11Mbps",
        "control_rate": "1Mbps",
        "rts_threshold": "3000B",
        "stations": names,
        "routing": {"kind": "aodv"},
    }
    content: Document
    size: float
    if cell["cls"] == "CBR":
        content = {"traffic": {"kind": "cbr", "rate": "200kbps", "packet": "512B", "header": "20B"}}
        # ns-2's sink counts the IP header of 20 B, and the reference divides by 512.
        size = 512 * 512 / 532
    else:
        kind = {"Sack1": "sack", "Vegas": "vegas"}[cell["cls"]]
        tcp = {"variant": kind, "profile": "ns2", "segment": "1000B", "max_window": cell["win"]}
        content, size = {"traffic": {"kind": "ftp"}, "tcp": tcp}, 1000
    flows = [
        {"from": names[a], "to": names[b], "start": f"{2 + 0.1 * i:.1f}s", **content}
        for i, (a, b) in enumerate(cell["flows"])
    ]
    runs = []
    for number, _ in enumerate(row["reference"]):
        lines = reference.path(f"programs/movements/{cell['id']}-{number}.ns", part="fresh").read_text(
            "ascii"
        )
        nodes = [
            {"name": name, "mobility": {"kind": "setdest", "node": i, "orders": _orders(lines, i)}}
            for i, name in enumerate(names)
        ]
        document = {"duration": f"{cell['T']}s", "node": nodes, "wifi": [wifi], "flow": flows}
        runs.append(((document, number + 1),))
    totals = tuple(8e-6 * sum(run) * size / cell["T"] for run in row["reference"])
    return Cell(tuple(runs), totals, cell["T"], _delivered)
