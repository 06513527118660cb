"""Logs in qlog read as runs: ackclock's own give the original run; those of quinn and aioquic give what they record."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import ackclock as ac
from ackclock.cli.app import app
from ackclock.measured.qlog import Ranges

AIOQUIC = Path(__file__).parents[1] / "data" / "captures" / "aioquic.qlog"
"""Log of the sending end of aioquic 1.7.2: 120 000 bytes over loopback."""

COUNTS = (
    "sent_packets",
    "sent_bytes",
    "retransmitted_packets",
    "retransmitted_bytes",
    "acked_packets",
    "acked_bytes",
)


@cache
def tcp() -> ac.Run:
    scenario = ac.dumbbell(["cubic"], rate="5Mbps", delay="20ms", queue=20, duration="5s")
    return scenario.run(traces=["qlog", "cwnd", "state", "segments"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tcp().save(tmp_path / "run", traces=["qlog"])
    return tmp_path / "run"


def series(run: Any, trace: str, variable: str) -> np.ndarray[Any, Any]:
    table = run.trace(trace).to_polars()
    mine = table.filter((table["variable"] == variable) & (table["flow"] == 0))
    return np.column_stack([mine["time_s"].to_numpy(), mine["value"].to_numpy()])


def test_a_log_of_ackclock_gives_the_run_back(folder: Path) -> None:
    """The counters in `COUNTS` equal those of the run; windows agree to a byte, times to a nanosecond."""
    (path,) = folder.glob("qlog-*-client.sqlog")
    found = ac.measured.read("qlog", path, variant="cubic")
    mine, theirs = tcp().flow(0), found.flow(0)
    assert {name: theirs[name] for name in COUNTS} == {name: mine[name] for name in COUNTS}
    assert mine["retransmitted_packets"] > 5
    # The log lists the packets that the sender considered lost: here all retransmitted ones, one of them needlessly.
    assert theirs["lost_packets_total"] == mine["retransmitted_packets"]
    assert 0 <= theirs["lost_packets_total"] - mine["lost_packets_total"] <= 1
    assert theirs["sampled_rtt_mean_s"] == pytest.approx(mine["sampled_rtt_mean_s"], abs=1e-9)
    assert theirs["variant"] == "cubic"
    for trace, variable in (("cwnd", "cwnd"), ("cwnd", "ssthresh"), ("state", "rtt"), ("state", "srtt")):
        ours, read = series(tcp(), trace, variable), series(found, trace, variable)
        # A log has no infinite threshold, and no round-trip time before the first sample.
        ours = ours[np.isfinite(ours[:, 1]) & (ours[:, 1] > 0)]
        assert len(ours) >= 3
        assert np.allclose(read, ours, rtol=0, atol=1 / 1460 if trace == "cwnd" else 1e-9), variable
    sent = found.trace("segments").to_polars().filter(event="send")
    own = tcp().trace("segments").to_polars().filter(event="send", flow=0, place=tcp().flow(0)["from"])
    assert np.allclose(sent["time_s"], own["time_s"][-len(sent) :], atol=1e-9)


def test_the_receivers_log_tells_what_arrived(folder: Path) -> None:
    (path,) = folder.glob("qlog-*-server.sqlog")
    found = ac.measured.read("qlog", path).flow(0)
    mine = tcp().flow(0)
    assert [found[name] for name in ("delivered_bytes", "received_packets", "received_bytes")] == [
        mine[name] for name in ("delivered_bytes", "received_packets", "received_bytes")
    ]
    assert found["sent_packets"] is None
    assert found["sampled_rtt_mean_s"] is None


def test_quinn_logs_round_trips_in_seconds(tmp_path: Path) -> None:
    run = ac.load("quic", ["duration=3s"]).run(traces=["qlog", "cwnd", "state"])
    run.save(tmp_path / "run", traces=["qlog"])
    sender = ac.measured.read("qlog", tmp_path / "run" / "qlog-quic-client.sqlog")
    assert sender.manifest["measured"]["flows"][0]["rtt_unit"] == "s"
    mine, theirs = run.flow("quic"), sender.flow(0)
    assert theirs["lost_packets_total"] == pytest.approx(mine["lost_packets_total"], abs=2)
    assert theirs["throughput_bps"] == pytest.approx(mine["throughput_bps"], rel=0.02)
    assert theirs["sampled_rtt_mean_s"] == pytest.approx(mine["packet_rtt_mean_s"], rel=0.1)
    assert theirs["goodput_bps"] is None
    assert theirs["variant"] == "quic"
    receiver = ac.measured.read("qlog", tmp_path / "run" / "qlog-quic-server.sqlog")
    assert "receives" in receiver.manifest["measured"]["flows"][0]["logged_at"]


def test_a_log_of_aioquic() -> None:
    found = ac.measured.read("qlog", AIOQUIC)
    events = json.loads(AIOQUIC.read_text())["traces"][0]["events"]
    named = [event["name"] for event in events]
    flow = found.flow(0)
    assert flow["acked_bytes"] == 120_000
    assert flow["sent_packets"] == named.count("transport:packet_sent")
    assert flow["lost_packets_total"] <= named.count("recovery:packet_lost")
    assert found.manifest["measured"]["flows"][0] == {
        "name": "aioquic",
        "logged_at": "client, which sends",
        "segment_bytes": 1200,
        "rtt_unit": "ms",
    }
    cwnd = series(found, "cwnd", "cwnd")
    logged = [event["data"]["cwnd"] / 1200 for event in events if "cwnd" in event["data"]]
    assert (cwnd[0, 1], cwnd[-1, 1]) == (logged[0], logged[-1])
    assert found.manifest["measured"]["began"].startswith("2026-")


def records(**common: Any) -> str:
    """Return a log of one packet of ten stream bytes, acknowledged after 5 ms."""
    head = {"qlog_version": "0.3", "qlog_format": "JSON-SEQ", "trace": {"common_fields": common}}
    frame = {"frame_type": "stream", "stream_id": 0, "offset": 0, "length": 10}
    data = {"header": {"packet_type": "1RTT", "packet_number": 7}, "raw": {"length": 40}}
    ack = {"frames": [{"frame_type": "ack", "acked_ranges": [[7]]}], "header": data["header"]}
    rows = [
        head,
        {"time": 100.0, "name": "quic:packet_sent", "data": data | {"frames": [frame]}},
        {
            "time": 105.0 if common.get("time_format") != "delta" else 5.0,
            "name": "quic:packet_received",
            "data": ack,
        },
    ]
    return "".join(f"\x1e{json.dumps(row)}\n" for row in rows)


@pytest.mark.parametrize(
    "common", [{}, {"time_format": "delta"}, {"time_format": "relative", "reference_time": 1.8e12}]
)
def test_times_are_relative_absolute_or_differences(tmp_path: Path, common: dict[str, Any]) -> None:
    path = tmp_path / "x.sqlog"
    path.write_text(records(**common))
    found = ac.measured.read("qlog", path)
    assert found.flow(0)["interval_s"] == pytest.approx(5e-3, abs=1e-6)
    assert found.flow(0)["acked_bytes"] == 10
    began = found.manifest["measured"]["began"]
    assert (began is None) == ("reference_time" not in common)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "damaged"),
        ("[1, 2]", "no qlog"),
        ("{", "damaged"),
        ('{"qlog_version": "0.3", "traces": []}', "no trace with packets"),
        ('{"qlog_version": "0.3", "traces": [{"events": [[1, "a", {}]]}]}', "an event without time and name"),
        (records().replace("[[7]]", "[7]"), "damaged"),
        (records().replace('"offset": 0', '"offset": "x"'), "damaged"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.qlog"
    path.write_text(text)
    with pytest.raises(ac.errors.FileError, match=message):
        ac.measured.read("qlog", path)


def test_ranges_count_each_number_once() -> None:
    rng = np.random.default_rng(3)
    ranges, seen = Ranges(), set()
    for _ in range(300):
        low = int(rng.integers(0, 200))
        high = low + int(rng.integers(1, 30))
        assert ranges.add(low, high) == len(set(range(low, high)) - seen)
        seen |= set(range(low, high))
    assert sum(b - a for a, b in ranges.ranges) == len(seen)


def test_the_command_line_imports_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = CliRunner().invoke(app, ["import", "qlog", str(AIOQUIC), "--plot", "cwnd,rtt", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert {"cwnd.png", "rtt.pdf", "flows.csv", "manifest.json"} <= {path.name for path in out.iterdir()}
