"""Builds ackclock's scenarios from the descriptions in `validation.ns2`; both simulators run the same scenario."""

from __future__ import annotations

from typing import Any

from validation.ns2 import Dumbbell, FallFloyd
from validation.reference import variant

Document = dict[str, Any]

SETTING: dict[str, Document] = {
    "defaults": {},
    "K": {"min_rto": "1s", "initial_rto": "6s", "window_rounding": "integer", "syn_loss_window": 2},
    "fallfloyd": {
        "min_rto": "1s",
        "initial_rto": "6s",
        "window_rounding": "integer",
        "limited_transmit": False,
        "partial_ack_timer": "every",
    },
}
"""The `tcp` keys that, added to profile `ns2`, are equivalent to each of the settings in `ns2.SETTINGS`."""


def droptail(packets: int) -> Document:
    """Return a drop-tail queue of `packets` packets."""
    return {"kind": "droptail", "packets": packets}


def link(a: str, b: str, mbps: float, delay_ms: float, queue: int) -> Document:
    """Return a link whose drop-tail queue holds `queue` packets, including the one in transmission."""
    return {
        "between": [a, b],
        "rate": f"{mbps:.9g}Mbps",
        "delay": f"{delay_ms:.9g}ms",
        "queue": droptail(queue),
    }


def _listed(drops: tuple[int, ...], toward: str) -> Document:
    return {"kind": "list", "toward": toward, "flow": 0, "packets": sorted(drops), "at": "entry"}


def _transfer(packets: int, payload: int) -> Document:
    """Return traffic for a transfer of `packets` packets, or for an endless one if `packets` is 0."""
    return {"kind": "ftp", **({"size": f"{packets * payload}B"} if packets else {})}


def fallfloyd(case: FallFloyd, **tcp: Any) -> Document:
    """Return the scenario of one Fall and Floyd test; `tcp` overrides settings of the flow."""
    path = case.path
    bottleneck = link("r1", "k1", path.rate_bps / 1e6, path.delay_ms, 8)
    if case.drops:
        bottleneck["loss"] = _listed(case.drops, "k1")
        if case.hold_s:
            bottleneck["loss"]["delay"] = f"{case.hold_s}s"
    parameters = {"variant": case.variant, "profile": "ns2", "max_window": 28, **SETTING["fallfloyd"]}
    parameters["segment"] = f"{case.payload}B"
    parameters["limited_transmit"] = case.limited_transmit
    return {
        "duration": f"{case.stop_s:.9g}s",
        "seed": 1,
        "link": [link("s1", "r1", path.access_bps / 1e6, 0, 50), bottleneck],
        "flow": [
            {
                "from": "s1",
                "to": "k1",
                "start": "1s",
                "stop": f"{case.stop_s:.9g}s",
                "traffic": _transfer(case.packets, case.payload),
                "tcp": {**parameters, **tcp},
            }
        ],
    }


def dumbbell(case: Dumbbell, **tcp: Any) -> Document:
    """Return the scenario of a dumbbell with ns-2's node names; `tcp` overrides settings of every flow."""
    bottleneck = link("a", "b", case.rate_mbps, case.delay_ms, case.queue)
    bottleneck["reverse"] = {"queue": droptail(case.reverse_queue)}
    if case.red:
        bottleneck["queue"] = {
            "kind": "red",
            "profile": "ns2",
            "ecn": case.ecn,
            "packets": case.queue,
            "min": 5,
            "max": 15,
            "weight": 0.002,
            "mean_packet": "1000B",
        }
    if case.loss > 0:
        bottleneck["loss"] = {"kind": "random", "rate": case.loss, "toward": "b", "at": "entry"}
    elif case.drops:
        bottleneck["loss"] = _listed(case.drops, "b")
    traffic = _transfer(case.packets, case.packet)
    if case.cbr_kbps:
        rate, packet = f"{case.cbr_kbps:g}kbps", f"{case.write}B"
        traffic = {"kind": "cbr", "rate": rate, "packet": packet, "transport": "tcp"}
    links = [bottleneck]
    flows = []
    for i, (name, start) in enumerate(zip(case.variants, case.starts_s, strict=True)):
        for one, other in ((f"s{i}", "a"), ("b", f"d{i}")):
            links.append(link(one, other, case.access_mbps, case.access_delay_ms, case.access_queue))
        parameters = {
            "variant": name,
            "profile": "ns2",
            "segment": f"{case.packet}B",
            "max_window": case.window,
            **({"control": {"decrease": case.decrease}} if case.decrease != 0.5 else {}),
            **SETTING[case.setting],
            **({"ecn": "classic"} if case.ecn else {}),
            **tcp,
        }
        flows.append(
            {
                "from": f"s{i}",
                "to": f"d{i}",
                "start": f"{start:.9g}s",
                "stop": f"{case.stop_s:.9g}s",
                "traffic": traffic,
                "tcp": parameters,
            }
        )
    return {"duration": f"{case.stop_s:.9g}s", "seed": max(case.seed, 1), "link": links, "flow": flows}


def table1(name: str) -> Dumbbell:
    """Return an entry of study abadin's Table 1 in setting K: two flows of one variant."""
    return Dumbbell((name, name), (1.7, 2.1), 0.3, 20, 5, 132, setting="K")


def sweep(name: str, x: float, kind: str) -> Dumbbell:
    """Return one point of a sweep of study abadin in setting K; flow i starts at 1.7 + 0.4 i s.

    Args:
        name: The reference's name of the sweep.
        x: Value of the swept quantity.
        kind: The variant.
    """
    rate, delay, queue, count, loss = {
        "error": (1.0, 20.0, 20, 2, x),
        "bandwidth_Mbps": (x, 20.0, 20, 2, 0.0),
        "sources_q20": (5.0, 10.0, 20, int(x), 0.0),
        "sources_q50": (5.0, 10.0, 50, int(x), 0.0),
        "delay_ms": (1.0, x, 20, 2, 0.0),
        "buffer_pkts": (2.0, 10.0, int(x), 2, 0.0),
    }[name]
    starts = tuple(round(1.7 + 0.4 * i, 6) for i in range(count))
    return Dumbbell((kind,) * count, starts, rate, delay, queue, 132, setting="K", loss=loss)


def grid(case: dict[str, Any]) -> Dumbbell:
    """Return a case of the reference's generic grid from its record."""
    return Dumbbell(
        variants=tuple(variant(v) for v in case["variants"]),
        starts_s=tuple(case["starts"]),
        rate_mbps=case["bw_Mbps"],
        delay_ms=case["delay_ms"],
        queue=case["qlim_pkts"],
        stop_s=60,
        access_mbps=100,
        access_delay_ms=1,
        access_queue=100_000,
        reverse_queue=10_000,
        window=10_000,
        seed=1,
    )


def huang(kind: str, section: str, error: float, **tcp: Any) -> Document:
    """Return the scenario of section 4.1 or 4.2 of study huang.

    It has one flow that loses packets with probability `error` before a queue.
    """
    narrow = {"rate": "1Mbps", "delay": "40ms"} if section == "4.2" else {}
    ends = [("s0", "r0"), ("r0", "r1"), ("r1", "d1")]
    links: list[Document] = [
        {"between": list(end), "rate": "10Mbps", "delay": "10ms", "queue": droptail(50)} for end in ends
    ]
    links[1].update(narrow)
    if error > 0:
        lossy, toward = (links[1], "r1") if section == "4.2" else (links[2], "d1")
        lossy["loss"] = {"kind": "random", "rate": error, "toward": toward, "at": "entry"}
    parameters = {"variant": kind, "profile": "ns2", "max_window": 10_000, **tcp}
    flow = {"from": "s0", "to": "d1", "start": "1s", "traffic": {"kind": "ftp"}, "tcp": parameters}
    return {"duration": "101s", "seed": 1, "link": links, "flow": [flow]}


def single(kind: str) -> Dumbbell:
    """Return the single flow of the reference's cwnd traces."""
    return Dumbbell((kind,), (0.0,), 1, 20, 20, 60, access_mbps=10, access_delay_ms=1, window=1000)
