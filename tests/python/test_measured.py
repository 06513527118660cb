"""Measured runs: a simulated transfer is captured, the capture is read back, and both are compared."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import ackclock as ac
from ackclock.cli.main import main
from ackclock.errors import FileError, UserError
from ackclock.measured import fit, read
from ackclock.report import beside as report_beside
from ackclock.runs.stored import beside, read_run

PATHS = {
    "overflow": ("cubic", 0.0),
    "random": ("sack", 0.01),
    "no SACK": ("newreno", 0.0),
    "paced": ("bbr", 0.01),
}
"""Transfers over 10 Mb/s with a round trip of 44 ms and a buffer of 50 packets, each as variant and random loss."""


def transfer(
    variant: str, loss: float, *, profile: str = "rfc", seed: int = 1, duration: str = "15s"
) -> ac.Run:
    """Run a transfer and record the traces with which its capture is compared."""
    net = ac.Network()
    net.link("a", "r", rate="1Gbps", delay="0.1ms", queue=1000)
    lost = [{"kind": "random", "rate": loss, "toward": "b"}] if loss else None
    net.link("r", "b", rate="10Mbps", delay="22ms", queue=50, loss=lost, name="bottleneck")
    net.flow("a", "b", variant=variant, profile=profile, name="bulk")
    return net.run(duration, seed=seed, traces=["pcap", "segments", "state", "throughput", "drops"])


def captured(run: ac.Run, folder: Path, node: str) -> Path:
    """Write the captures of a run and return the capture of one node."""
    run.save(folder, traces=["pcap"])
    return folder / f"capture-{node}-0.pcap"


@pytest.mark.parametrize("kind", PATHS)
def test_the_capture_at_the_sender_gives_what_the_simulation_knows(tmp_path: Path, kind: str) -> None:
    """Packets, payload and sequence are equal; losses differ by less than 7 %, and RTT by less than 4 %.

    Some retransmissions are unnecessary, so their losses are not real.
    """
    run = transfer(*PATHS[kind])
    found = read("pcap", captured(run, tmp_path, "a"))
    truth, seen = run.flow(0), found.flow(0)
    for column in (
        "sent_packets",
        "sent_bytes",
        "retransmitted_packets",
        "retransmitted_bytes",
        "acked_bytes",
    ):
        assert seen[column] == truth[column], column
    assert seen["lost_packets_total"] == pytest.approx(truth["lost_packets_total"], rel=0.07, abs=1)
    assert seen["packet_rtt_mean_s"] == pytest.approx(truth["packet_rtt_mean_s"], rel=0.04)
    assert seen["goodput_bps"] == pytest.approx(truth["goodput_bps"], rel=0.005)
    sent = [
        one.trace("segments").to_polars().filter(pl.col("event") == "send", pl.col("bytes") > 60)
        for one in (run, found)
    ]
    assert sent[0]["seq"].to_list() == sent[1]["seq"].to_list()
    # In the capture a packet has the time at which the host's link begins to transmit it.
    assert np.abs(sent[0]["time_s"].to_numpy() - sent[1]["time_s"].to_numpy()).max() < 0.002


@pytest.mark.parametrize("kind", PATHS)
def test_the_capture_at_the_receiver_shows_arrivals_and_earlier_losses(tmp_path: Path, kind: str) -> None:
    run = transfer(*PATHS[kind], profile="linux")
    found = read("pcap", captured(run, tmp_path, "b"))
    truth, seen = run.flow(0), found.flow(0)
    assert found.measured is not None
    assert found.measured["flows"][0]["captured_at"] == "receiver"
    assert seen["received_packets"] == truth["received_packets"]
    # The handshake's options count in the capture, but not in the simulated sizes.
    assert seen["received_bytes"] == pytest.approx(truth["received_bytes"], abs=16)
    # A loss becomes visible when its retransmission arrives, so losses of the last round trip are missing.
    drops = run.trace("drops").to_polars()
    shown = drops.filter(drops["time_s"] < 14.9).height
    assert seen["lost_packets_total"] == pytest.approx(shown, rel=0.1, abs=2)
    # At the receiver's end, timestamps of acknowledgments also give round trips.
    assert seen["packet_rtt_mean_s"] == pytest.approx(truth["packet_rtt_mean_s"], rel=0.05)


def test_bins_add_up_to_the_whole(tmp_path: Path) -> None:
    run = transfer("cubic", 0.0)
    found = read("pcap", captured(run, tmp_path, "a"), bin_s=0.5)
    ours, theirs = found.trace("throughput").to_polars(), run.binned("throughput", 0.5).to_polars()
    assert ours.columns == theirs.columns
    assert ours["acked_bytes"].sum() == found.flow(0)["acked_bytes"]
    assert ours["sent_bytes"].to_list()[4:-1] == pytest.approx(theirs["sent_bytes"].to_list()[4:-1], rel=0.02)
    assert ours["goodput_bps"].to_list()[4:-1] == pytest.approx(
        theirs["goodput_bps"].to_list()[4:-1], rel=0.02
    )


def test_a_measured_run_is_saved_and_read_like_any_other(tmp_path: Path) -> None:
    run = transfer("cubic", 0.0)
    capture = captured(run, tmp_path / "run", "a")
    found = read("pcap", capture, variant="cubic")
    for form in ("csv", "parquet"):
        folder = tmp_path / form
        found.save(folder, form=form)  # type: ignore[arg-type]
        again = read_run(folder)
        assert again.summary == found.summary
        assert again.traces == found.traces
        for name in found.traces:
            assert again.trace(name).to_polars().equals(found.trace(name).to_polars()), name
        assert again.flows.to_polars().equals(found.flows.to_polars())
    assert not (folder / "scenario.toml").exists()
    assert again.flow(0)["variant"] == "cubic"
    with pytest.raises(UserError, match="no trace cwnd"):
        again.plot.cwnd()
    with pytest.raises(UserError, match="no scenario"):
        _ = again.scenario


def test_a_simulated_run_is_read_from_its_folder(tmp_path: Path) -> None:
    run = transfer("cubic", 0.0)
    run.save(tmp_path, traces=["state", "throughput"])
    again = read_run(tmp_path)
    for table in ("flows", "links"):
        for seen, truth in zip(again.summary[table], run.summary[table], strict=True):
            assert truth.items() <= seen.items()
    assert {**again.summary, "flows": 0, "links": 0} == {**run.summary, "flows": 0, "links": 0}
    assert again.bottleneck is not None
    assert run.bottleneck is not None
    assert (again.bottleneck.label, again.bottleneck.share) == (run.bottleneck.label, run.bottleneck.share)
    for name in ("state", "throughput"):
        assert again.trace(name).to_polars().equals(run.trace(name).to_polars()), name
    with pytest.raises(UserError, match="--trace state,throughput,segments"):
        again.trace("segments")


def test_measured_and_simulated_stand_side_by_side(tmp_path: Path) -> None:
    run = transfer("cubic", 0.0)
    found = read("pcap", captured(run, tmp_path, "a"), variant="cubic")
    both = beside({"measured": found, "simulated": run}, ["state"])
    assert [flow["name"] for flow in both.summary["flows"]] == ["measured", "simulated"]
    assert set(both.trace("state").to_polars()["flow"].unique()) == {0, 1}
    for name in ("rtt", "throughput", "sequence", "rtt-cdf"):
        figure = both.plot.named(name, flows=["measured", "simulated"])
        labels = {text for axis in figure.axes for text in axis.get_legend_handles_labels()[1]}
        titles = {axis.get_title("left") for axis in figure.axes}
        assert any("measured" in text for text in labels | titles), name
        assert any("simulated" in text for text in labels | titles), name


DAMAGE: dict[str, Any] = {
    "no summary": None,
    "not JSON": "{",
    "a list": "[]",
    "no manifest": {"flows": []},
    "flows": {"flows": {}, "manifest": {"duration_s": 1}},
    "a flow": {"flows": [{"name": "x"}], "manifest": {"duration_s": 1}},
    "a value": {
        "flows": [{"name": "x", "variant": "y", "from": "a", "to": "b", "goodput_bps": [1]}],
        "manifest": {"duration_s": 1},
    },
    "nested": '{"flows": ' + "[" * 100_000,
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_folder_is_an_error_that_names_the_file(tmp_path: Path, kind: str) -> None:
    value = DAMAGE[kind]
    if value is not None:
        (tmp_path / "summary.json").write_text(value if isinstance(value, str) else json.dumps(value))
    with pytest.raises(FileError, match=r"summary\.json"):
        read_run(tmp_path)


def test_a_damaged_table_is_an_error_that_names_it(tmp_path: Path) -> None:
    transfer("cubic", 0.0, duration="2s").save(tmp_path, traces=["state"])
    for text, message in (
        ("time_s,flow\n0,0\n", "no column variable"),
        ("time_s,flow,variable,value\nx,0,rtt,1\n", ""),
    ):
        (tmp_path / "state.csv").write_text(text)
        with pytest.raises(FileError, match=rf"state\.csv: damaged.*{message}"):
            read_run(tmp_path)


@pytest.mark.parametrize(
    ("variant", "loss", "told"),
    [("cubic", 0.0, True), ("reno", 0.0, True), ("cubic", 0.002, True), ("reno", 0.02, False)],
)
@pytest.mark.parametrize("node", ["a", "b"])
def test_the_path_is_estimated_within_its_intervals(
    tmp_path: Path, variant: str, loss: float, told: bool, node: str
) -> None:
    """Intervals contain the true 10 Mb/s, 44.2 ms and 50 packets.

    A buffer that was never full has only a lower bound.
    """
    run = transfer(variant, loss, profile="linux" if node == "b" else "rfc", seed=3, duration="20s")
    path = fit("pcap", captured(run, tmp_path, node)).path
    own = 8 * (1500 + 48) / 1e9  # every round trip includes the transmission over the first link
    truths = {"rate_bps": 10e6, "rtt_s": 0.0442 + own, "buffer_bytes": 50 * 1500}
    for name, truth in truths.items():
        estimate = getattr(path, name)
        if name == "buffer_bytes" and not told:
            assert estimate.value is None
            assert estimate.low <= truth
            continue
        assert estimate.value == pytest.approx(truth, rel=0.03), name
        assert estimate.low <= truth * 1.001, name
        assert estimate.high >= truth * 0.999, name
    lost = run.flow(0)["lost_packets"]
    packets = run.flow(0)["sent_packets"]
    assert path.loss.low <= lost["random"] / packets * 1.05
    assert path.loss.high >= lost["random"] / packets
    assert path.overflow_packets == pytest.approx(lost["queue"], rel=0.15, abs=3)


def test_a_fitted_path_is_a_scenario_that_behaves_alike(tmp_path: Path) -> None:
    run = transfer("cubic", 0.0, profile="linux", duration="20s")
    found = fit("pcap", captured(run, tmp_path, "a"))
    modelled = found.scenario("cubic").run()
    assert modelled.flow(0)["goodput_bps"] == pytest.approx(run.flow(0)["goodput_bps"], rel=0.02)
    assert modelled.flow(0)["packet_rtt_mean_s"] == pytest.approx(run.flow(0)["packet_rtt_mean_s"], rel=0.05)
    (tmp_path / "fitted.toml").write_text(found.to_toml())
    assert ac.load(tmp_path / "fitted.toml").run().flow(0)["goodput_bps"] == modelled.flow(0)["goodput_bps"]


def test_a_flow_that_application_limits_tells_no_rate(tmp_path: Path) -> None:
    """Single packets with pauses between them show neither a busy link nor a spacing."""
    net = ac.Network().link("a", "b", rate="10Mbps", delay="10ms", queue=50)
    net.flow(
        "a",
        "b",
        variant="cubic",
        traffic={"kind": "cbr", "rate": "100kbps", "packet": "1000B", "transport": "tcp"},
    )
    run = net.run("10s", traces=["pcap"])
    found = fit("pcap", captured(run, tmp_path, "a"))
    assert found.path.rate_bps.value is None
    with pytest.raises(UserError, match="rate cannot be told"):
        found.scenario()


def test_the_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run = transfer("cubic", 0.0)
    capture = str(captured(run, tmp_path / "sim", "a"))
    run.save(tmp_path / "sim", traces=["state", "throughput", "segments"])
    run.save(tmp_path / "pcap", traces=["pcap"])
    capture = str(tmp_path / "pcap" / "capture-a-0.pcap")
    assert main(["import", "pcap", capture, "--out", "mine", "--variant", "cubic", "--plot", "rtt"]) == 0
    assert "40000>5001" in capsys.readouterr().out
    assert (tmp_path / "mine" / "rtt.pdf").exists()
    assert main(["plot", "measured=mine", "simulated=sim", "--plot", "rtt,sequence", "--out", "both"]) == 0
    assert (tmp_path / "both" / "sequence.svg").exists()
    assert main(["fit", capture, "--out", "fitted.toml", "--json", "fit.json"]) == 0
    assert json.loads((tmp_path / "fit.json").read_text())["rate_bps"]["value"] == pytest.approx(
        10e6, rel=0.02
    )
    assert main(["run", "fitted.toml", "--quiet"]) == 0
    for words, message in (
        (["import", "pcapng", capture], "no kind of measurement"),
        (["import", "pcap", "none.pcap"], "cannot read none.pcap"),
        (["plot", "nowhere"], "no such folder"),
        (["plot", "a=mine", "a=sim"], "two folders are called 'a'"),
        (["plot", "mine", "--plot", "nothing"], "there is no plot"),
        (["fit", capture, "--flow", "7"], "no flow"),
    ):
        assert main(words) == 2
        assert message in capsys.readouterr().err


REAL = Path(__file__).parents[1] / "data" / "captures" / "kernel-cubic.pcap.gz"


def test_a_capture_of_a_real_kernel_tells_the_path_that_it_took() -> None:
    """The estimated path is 10 Mb/s, 40 ms and 50,000 bytes, although the loaded machine added up to 2 ms."""
    run = read("pcap", REAL, variant="cubic")
    (flow,) = run.summary["flows"]
    assert flow["name"] == "34208>5201"
    assert flow["retransmitted_packets"] == flow["lost_packets_total"] == 26
    path = fit("pcap", REAL).path
    assert path.rate_bps.low <= 10e6 <= path.rate_bps.high  # type: ignore[operator]
    assert path.rtt_s.low <= 0.040 <= path.rtt_s.high <= 0.042  # type: ignore[operator]
    assert path.buffer_bytes.low <= 50_000 <= path.buffer_bytes.high  # type: ignore[operator]
    assert path.loss.low == 0.0
    assert path.overflow_packets == 26


def test_a_comparison_beside_a_measurement() -> None:
    """The table has the measured values, and sentences say what cannot be compared; the how-to has the command."""
    run = ac.measured.read("pcap", REAL, variant="cubic")
    with pytest.warns(ac.errors.ExperimentWarning):
        found = ac.compare("cubic", "reno", flows=2, rate="10Mbps", duration="2s", reps=2)
    rows = report_beside.rows(found, {"kernel": run})
    mine = {row["measure"]: row["mean"] for row in rows if row["label"] == "kernel"}
    flow = run.flow(0)
    assert mine["goodput_bps"] == flow["goodput_bps"]
    assert mine["packet_rtt_mean_s"] == pytest.approx(flow["packet_rtt_mean_s"])
    assert not {"jain", "utilisation", "delay_mean_s"} & set(mine)
    simulated = {row["measure"]: row for row in rows if row["label"] == "reno"}
    assert set(simulated) <= set(mine)
    assert simulated["goodput_bps"]["mean"] == found.interval("reno", "goodput_bps").mean
    table = report_beside.table(found, {"kernel": run})
    assert [row[:2] for row in table.rows] == [
        ("kernel", "measured"),
        *((v, "simulated") for v in found.ordered()),
    ]
    said = " ".join(table.notes)
    for words in (
        "does not tell: delay",
        "took for lost",
        "lasts 3.3 s",
        "has 1 flow with data, a simulated run 2",
    ):
        assert words in said, said
    first = {
        v: found.jobs[v][0].scenario.run(traces=report_beside.traces({"kernel": run})) for v in found.variants
    }
    drawn = dict(report_beside.figures({"kernel": run}, first))
    assert set(drawn) == {"measured-rtt-cdf", "measured-rtt", "measured-throughput"}
    assert (
        len(drawn["measured-rtt-cdf"].axes[0].lines) == 5
    )  # a flow was measured, two of each variant simulated


def test_samples_of_a_real_socket() -> None:
    """Twelve samples that ss of iproute2 took of a transfer over loopback with BBR."""
    path = Path(__file__).parents[1] / "data" / "captures" / "loopback.ss"
    text = path.read_text()
    acked = [int(amount) for amount in re.findall(r"bytes_acked:(\d+)", text)]
    run = read("ss", path)
    flow = run.flow(0)
    assert len(acked) == 12
    assert flow["variant"] == "bbr"
    assert flow["acked_bytes"] == acked[-1] - acked[0]
    assert flow["retransmitted_packets"] == int(re.findall(r"retrans:\d+/(\d+)", text)[-1])
    windows = run.trace("cwnd").to_polars().filter(variable="cwnd")["value"].to_list()
    assert windows == list(dict.fromkeys(float(one) for one in re.findall(r" cwnd:(\d+)", text)))
