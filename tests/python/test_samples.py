"""Samples of sockets (ss) and data files of flent as measured runs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from ackclock.errors import FileError, UserError
from ackclock.measured import read
from ackclock.report import beside

HEAD = "State Recv-Q Send-Q Local Address:Port Peer Address:Port Process\n"
SOCKET = (
    "ESTAB 0 100000 10.0.0.1:34208 10.0.0.2:5201 cubic wscale:7,7 rto:241 rtt:{rtt}/0.3 mss:1448 pmtu:1500 cwnd:{cwnd} "
    "{more}bytes_sent:{sent} bytes_acked:{acked} segs_out:{out} segs_in:3 send 2.85Mbps lastsnd:1 unacked:{unacked} "
    "minrtt:40.5\n"
)
OTHER = "ESTAB 0 0 10.0.0.1:22 10.0.0.9:40000 reno wscale:7,7 rto:204 rtt:0.1/0.05 mss:1448 segs_out:1 minrtt:0.1\n"


def samples(path: Path) -> Path:
    """Write three samples of a connection that retransmits two segments, together with an idle connection."""
    rows: list[dict[str, Any]] = [
        {"rtt": 40.6, "cwnd": 10, "sent": 14480, "acked": 1, "out": 12, "unacked": 10, "more": ""},
        {"rtt": 60.6, "cwnd": 44, "sent": 144800, "acked": 72401, "out": 102, "unacked": 42, "more": ""},
        {"rtt": 80.6, "cwnd": 30, "sent": 289600, "acked": 217201, "out": 202, "unacked": 30},
    ]
    rows[-1]["more"] = "ssthresh:30 bytes_retrans:2896 retrans:0/2 "
    text = "".join(
        f"1700000000.{i + 1}00000\n{HEAD}{OTHER}{SOCKET.format(**row)}" for i, row in enumerate(rows)
    )
    path.write_text(text)
    return path


def test_samples_of_a_socket_have_its_windows_and_round_trips(tmp_path: Path) -> None:
    run = read("ss", samples(tmp_path / "x.ss"))
    (flow,) = run.summary["flows"]
    assert (flow["name"], flow["variant"], flow["from"]) == ("34208>5201", "cubic", "10.0.0.1")
    assert flow["acked_bytes"] == 217200
    assert flow["goodput_bps"] == pytest.approx(8 * 217200 / 0.2, rel=1e-5)
    assert (flow["retransmitted_packets"], flow["sent_packets"]) == (2, 190)
    assert flow["sampled_rtt_min_s"] == pytest.approx(0.0405)
    windows = run.trace("cwnd").to_polars()
    assert windows.filter(pl.col("variable") == "cwnd")["value"].to_list() == [10, 44, 30]
    assert windows.filter(pl.col("variable") == "ssthresh")["value"].to_list() == [float("inf"), 30]
    smoothed = run.trace("state").to_polars().filter(pl.col("variable") == "srtt")
    assert smoothed["value"].to_list() == pytest.approx([0.0406, 0.0606, 0.0806])
    assert smoothed["time_s"].to_list() == pytest.approx([0.0, 0.1, 0.2], abs=1e-5)
    assert run.trace("drops").to_polars().height == 2
    run.plot.cwnd()
    run.plot.rtt()


def results(**changed: object) -> dict[str, Any]:
    """Return a data file of flent with a flow, its socket, a ping and a sum."""
    return {
        "x_values": [0.0, 0.5, 1.0],
        "results": {
            "TCP upload::1": [8.0, 16.0, None],
            "TCP upload::1::tcp_cwnd": [10, 20, 30],
            "TCP upload::1::tcp_rtt": [40.0, 50.0, None],
            "TCP upload sum": [8.0, 16.0, 0.0],
            "Ping (ms) ICMP": [40.0, 41.0, 42.0],
        },
        "metadata": {
            "NAME": "tcp_nup",
            "T0": "2026-01-02T03:04:05.000000Z",
            "LOCAL_HOST": "laptop",
            "HOST": "netperf",
            "SERIES_META": {"TCP upload::1": {"UNITS": "Mbits/s"}, "Ping (ms) ICMP": {"UNITS": "ms"}},
        },
        **changed,
    }


@pytest.mark.parametrize("packed", [False, True])
def test_a_data_file_of_flent_has_a_flow_for_each_rate(tmp_path: Path, packed: bool) -> None:
    data = json.dumps(results()).encode()
    path = tmp_path / "x.flent"
    path.write_bytes(gzip.compress(data) if packed else data)
    run = read("flent", path, bin_s=0.5)
    ping, flow = run.summary["flows"]
    assert (ping["variant"], ping["packet_rtt_mean_s"]) == ("ping", pytest.approx(0.041))
    assert (flow["name"], flow["from"], flow["to"]) == ("TCP upload::1", "laptop", "netperf")
    # The rate is 16 Mb/s in the half second between the two values; before the first value nothing is known.
    assert flow["acked_bytes"] == 1_000_000
    assert flow["goodput_bps"] == pytest.approx(16e6)
    assert run.trace("cwnd").to_polars()["value"].to_list() == [10, 20, 30]
    state = run.trace("state").to_polars().filter(flow=1)
    assert state["value"].to_list() == pytest.approx([0.04, 0.05])
    assert run.measured is not None
    assert run.measured["test"] == "tcp_nup"
    assert run.measured["began"] == "2026-01-02T03:04:05+00:00"


def sampled() -> dict[str, Any]:
    """Return a data file of flent with raw samples: two flows to two hosts, pings, and flent's index of fairness."""
    zero = 1767323045.0
    of_socket = {"t": zero + 1.5, "tcp_cwnd": 33.0, "tcp_rtt": 52.0}
    raw = {
        "TCP upload BE10 far": [
            {"t": zero + 1.5, "dur": 0.5, "val": 8.0},
            of_socket,
            {"t": zero + 1.75, "dur": 0.25, "val": 16.0},
        ],
        "TCP upload BE2 near": [
            {"t": zero + 2.0, "dur": 1.0, "val": 4.0},
            {"t": zero + 3, "dur": 1.0, "val": 6.0},
        ],
        "Ping (ms) ICMP": [{"t": zero, "val": 40.0}, {"t": zero + 3.0, "val": 60.0}],
    }
    about: dict[str, Any] = {name: {"UNITS": "ms" if "Ping" in name else "Mbits/s"} for name in raw}
    about["TCP upload BE10 far"] |= {"CONG_CONTROL": "bbr", "TCP_RETRANSMIT": "7", "TCP_MSS": 1448}
    about["TCP upload fairness"] = {"UNITS": "Mbits/s"}
    data = results(raw_values=raw)
    data["results"] = {name: [1.0, 1.0, 1.0] for name in about}
    data["metadata"] |= {"SERIES_META": about, "HOST": "near", "HOSTS": ["near", "far"]}
    return data


def test_raw_samples_of_flent_give_times_hosts_and_controls(tmp_path: Path) -> None:
    (tmp_path / "x.flent").write_text(json.dumps(sampled()))
    run = read("flent", tmp_path / "x.flent")
    _, near, far = run.summary["flows"]
    assert (near["name"], near["to"], near["variant"]) == ("TCP upload BE2 near", "near", "tcp")
    assert (far["to"], far["variant"], far["retransmitted_packets"]) == ("far", "bbr", 7)
    # 8 Mb/s for 0.5 s and 16 Mb/s for 0.25 s; the other flow has 4 and 6 Mb/s for a second each.
    assert (far["acked_bytes"], far["interval_s"]) == (1_000_000, pytest.approx(0.75))
    assert near["goodput_bps"] == pytest.approx(5e6)
    assert run.summary["fairness"]["jain"] == pytest.approx((5 + 32 / 3) ** 2 / (2 * (25 + (32 / 3) ** 2)))
    throughput = run.trace("throughput").to_polars().filter(flow=1)
    assert throughput["goodput_bps"].to_list() == pytest.approx([0.0, 4e6, 6e6])
    window = run.trace("cwnd").to_polars()
    assert window["value"].to_list() == [33]
    assert window["time_s"].to_list() == pytest.approx([1.5], abs=1e-6)
    assert run.measured is not None
    assert run.measured["began"] == "2026-01-02T03:04:05+00:00"


def test_figures_leave_out_flows_of_which_nothing_is_known(tmp_path: Path) -> None:
    (tmp_path / "x.flent").write_text(json.dumps(sampled()))
    run = read("flent", tmp_path / "x.flent")
    figure = run.plot.throughput()
    assert figure.axes[0].get_ylabel() == "goodput (Mb/s)"
    assert [line.get_label() for line in figure.axes[0].lines] == [
        "TCP upload BE2 near: tcp",
        "TCP upload BE10 far: bbr",
    ]
    assert len(run.plot.rtt(panels=True).axes) == 2
    assert len(run.plot.cwnd(panels=True).axes) == 1


def test_figures_of_a_comparison_leave_out_flows_with_little_data(tmp_path: Path) -> None:
    data = sampled()
    data["results"]["TCP upload BE3 near"] = [0.001, 0.001, 0.001]
    (tmp_path / "x.flent").write_text(json.dumps(data))
    run = read("flent", tmp_path / "x.flent")
    assert len(run.summary["flows"]) == 4
    drawn = dict(beside.figures({"mine": run}, {}))
    labels = {name: [line.get_label() for line in figure.axes[0].lines] for name, figure in drawn.items()}
    assert labels["measured-throughput"] == ["mine TCP upload BE2 near: tcp", "mine TCP upload BE10 far: bbr"]
    assert "mine Ping (ms) ICMP: ping" in labels["measured-rtt"]


def test_a_connection_that_only_receives_is_no_flow(tmp_path: Path) -> None:
    path = samples(tmp_path / "x.ss")
    receiver = (
        "ESTAB 0 0 10.0.0.1:9 10.0.0.2:80 bbr wscale:7,7 rto:204 rtt:0.1/0.05 bytes_acked:1 segs_out:1\n"
    )
    path.write_text(path.read_text().replace(OTHER, OTHER + receiver))
    assert [flow["name"] for flow in read("ss", path).summary["flows"]] == ["34208>5201"]


DAMAGED: dict[str, tuple[str, bytes]] = {
    "no samples": ("ss", b"hello\n"),
    "not text": ("ss", b"\xff\xfe"),
    "not JSON": ("flent", b"{"),
    "nested": ("flent", b"[" * 100_000),
    "a list": ("flent", b"[]"),
    "no values": ("flent", b"{}"),
    "other lengths": ("flent", json.dumps(results(x_values=[0.0])).encode()),
    "no flow": ("flent", json.dumps(results(results={"Ping": [1, 2, 3]})).encode()),
    "text for numbers": ("flent", json.dumps(results(x_values=["a", "b", "c"])).encode()),
    "not finite": ("flent", json.dumps(results(x_values=[0.0, float("nan"), 1.0])).encode()),
    "gzip": ("flent", gzip.compress(json.dumps(results()).encode())[:-9]),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_is_an_error_that_names_it(tmp_path: Path, name: str) -> None:
    kind, data = DAMAGED[name]
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(FileError, match="x"):
        read(kind, tmp_path / "x")


def test_the_place_of_a_capture_is_for_captures(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="at is for captures"):
        read("ss", samples(tmp_path / "x.ss"), at="sender")
