"""Results in Python: tables, traces on demand, figures, files, and equal bytes each time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import polars
import pyarrow
import pytest
from matplotlib.figure import Figure

import ackclock as ac
from ackclock import _core


@pytest.fixture(scope="module")
def run() -> ac.Run:
    return ac.dumbbell(["reno", "vegas"], rate="0.3Mbps", delay="20ms", queue=5).run("20s", seed=1)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "out"
    assert not list(tmp_path.glob(".*"))


def test_tables_are_arrow(run: ac.Run) -> None:
    flows = polars.DataFrame(run.flows)
    assert flows.height == 2
    assert flows["variant"].to_list() == ["reno", "vegas"]
    assert pyarrow.table(run.flows).num_rows == 2
    assert {"name", "utilisation"} <= set(run.links.to_polars().columns)


def test_every_table_of_the_core_is_at_hand() -> None:
    assert all(isinstance(getattr(ac.Run, name, None), property) for name in _core.result_tables())


def test_table_and_summary_agree(run: ac.Run) -> None:
    assert run.flows.to_polars()["goodput_bps"].to_list() == [
        flow["goodput_bps"] for flow in run.summary["flows"]
    ]


def test_gateways_have_a_table(run: ac.Run) -> None:
    assert run.gateways.to_polars().height == 0
    example = Path(ac.__file__).parent / "scenarios" / "gateway.toml"
    through = ac.load(example, ["duration=5s"]).run()
    row = through.gateways.to_polars().row(0, named=True)
    assert (row["node"], row["kind"], row["variant"]) == ("r1", "intelligent", "tcpw-i")
    assert row["pre_acks"] > 0
    assert row["buffered_max_bytes"] <= row["buffer_bytes"] == 256 << 10
    assert through.summary["gateways"] == [row]


def test_the_link_is_shared_and_not_exceeded(run: ac.Run) -> None:
    total = sum(flow["goodput_bps"] for flow in run.summary["flows"])
    assert 0.2e6 < total < 0.3e6


def test_a_trace_had_later_is_the_one_recorded_at_once(run: ac.Run) -> None:
    at_once = run.scenario.run(seed=1, traces=["cwnd", "drops"])
    assert at_once.traces == ("cwnd", "drops")
    assert at_once.trace("cwnd").to_polars().equals(run.trace("cwnd").to_polars())
    assert at_once.summary_json == run.summary_json


def test_a_window_changes_and_never_vanishes(run: ac.Run) -> None:
    cwnd = run.trace("cwnd").to_polars().filter(polars.col("variable") == "cwnd")
    assert cwnd["flow"].unique().sort().to_list() == [0, 1]
    assert cwnd["value"].min() >= 1  # type: ignore[operator]
    assert cwnd["time_s"].is_sorted()


@pytest.mark.parametrize("kind", ["cwnd", "throughput", "sequence", "queue", "rtt"])
def test_figures_are_drawn(run: ac.Run, kind: str) -> None:
    figure = getattr(run.plot, kind)()
    assert isinstance(figure, Figure)
    (axis,) = figure.axes
    assert axis.lines
    assert axis.get_xlabel() == "time (s)"
    assert "(" in axis.get_ylabel() or kind == "sequence"
    assert axis.get_legend() is not None
    assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]


def test_a_figure_is_saved_the_same_each_time(run: ac.Run, tmp_path: Path) -> None:
    from ackclock.plot.drawing import save

    one = [path.read_bytes() for path in save(run.plot.queue(), tmp_path / "a")]
    two = [path.read_bytes() for path in save(run.plot.queue(), tmp_path / "b")]
    assert one == two


def test_files_are_written_together(run: ac.Run, folder: Path) -> None:
    written = run.save(folder, traces=["cwnd", "segments", "pcap", "ns2"], form="parquet")
    names = {path.name for path in written}
    assert {
        "summary.json",
        "flows.csv",
        "links.parquet",
        "cwnd.csv",
        "segments.parquet",
        "scenario.toml",
        "trace.tr",
    } <= names
    assert any(name.endswith(".pcap") for name in names)
    assert all(path.exists() for path in written)
    assert (folder / "summary.json").read_text() == run.summary_json
    header = (folder / "segments.csv").read_text().splitlines()[0]
    assert header == "time_s,event,place,flow,seq,bytes,cause"
    assert (folder / "cwnd.csv").read_text().splitlines()[0] == "time_s,flow,variable,value"
    assert polars.read_parquet(folder / "cwnd.parquet").equals(run.trace("cwnd").to_polars())
    assert ac.load(folder / "scenario.toml").run(seed=1).summary_json == run.summary_json


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_table_without_rows_has_no_file(run: ac.Run, folder: Path, form: Literal["csv", "parquet"]) -> None:
    folder.mkdir()
    (folder / "cells.csv").write_text("of another run\n")
    written = {path.name for path in run.save(folder, traces=["frames"], form=form)}
    assert {f"flows.{form}", f"links.{form}", f"loss_reactions.{form}"} <= written
    for name in ("cells", "completions", "gateways", "sessions", "stations", "ues", "video"):
        assert len(getattr(run, name)) == 0
        assert not {f"{name}.csv", f"{name}.parquet"} & written
        assert not list(folder.glob(f"{name}.*"))
    # A trace that the user names gets a file even without rows.
    assert {"frames.csv", f"frames.{form}"} <= written


FAST = (
    "link.*.rate=10Gbps",
    "link.*.delay=0.2ms",
    "link.bottleneck.queue.packets=500",
    "flow.*.tcp.max_window=2000",
    "flow.newreno.tcp.variant=cubic",
)


def test_a_table_of_several_batches_is_the_same_in_parquet(folder: Path) -> None:
    run = ac.load("dumbbell", FAST).run("0.15s", traces=["segments"])
    run.save(folder, form="parquet")
    rows = run.trace("segments").to_polars()
    assert len(_core.ArrowTable.batches(run._holders["segments"].table("segments"))) > 1
    assert polars.read_parquet(folder / "segments.parquet").equals(rows)


# In a new process, Linux counts the caller's memory in ru_maxrss, but VmHWM counts only the process's own.
LONG = """
import pathlib, re, sys
import ackclock as ac
run = ac.load("dumbbell", {fast!r}).run("1s", traces=["segments", "pcap"])
run.save(sys.argv[1], form="parquet")
print(int(re.search(r"VmHWM:\\s*(\\d+) kB", pathlib.Path("/proc/self/status").read_text())[1]) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="Linux says what a process's most memory was"
)
def test_a_second_at_ten_gigabits_takes_less_than_300_megabytes(folder: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", LONG.format(fast=FAST), folder], check=True, capture_output=True, text=True
    )
    assert int(ran.stdout) < 300
    assert polars.scan_parquet(folder / "segments.parquet").select(polars.len()).collect().item() > 10_000_000


def test_wall_clock_stays_out_of_results(run: ac.Run, folder: Path) -> None:
    run.save(folder)
    assert set(json.loads((folder / "timing.json").read_text())) == {
        "events",
        "wall_s",
        "cpu_s",
        "events_per_s",
    }
    assert "wall" not in run.summary_json
    assert run.events > 1000
    assert run.events_per_s > 0


def test_an_unknown_trace_leaves_no_files(run: ac.Run, folder: Path) -> None:
    with pytest.raises(ValueError, match="cwmd"):
        run.save(folder, traces=["cwmd"])
    assert not folder.exists()
    with pytest.raises(ValueError, match="file, not a table"):
        run.trace("pcap")


def test_the_same_bytes_on_any_number_of_threads() -> None:
    scenario = ac.dumbbell(["sack", "newreno"], rate="1Mbps", queue=10, loss=0.01, duration="5s")
    jobs = [(scenario, seed, 0.1 * (seed > 1)) for seed in range(1, 7)]
    one, two = (ac.runs.run_many(jobs, threads=threads, traces=["drops"]) for threads in (1, 2))
    assert [run.summary_json for run in one] == [run.summary_json for run in two]
    assert len({run.summary_json for run in one}) == 6
    alone = scenario.run(seed=4, jitter_s=0.1)
    assert alone.summary_json == one[3].summary_json
    assert one[3].trace("cwnd").to_polars().equals(alone.trace("cwnd").to_polars())


def test_seeds_and_common_random_numbers() -> None:
    scenario = ac.dumbbell(["sack"], rate="1Mbps", queue=100, loss=0.02, duration="5s")
    other = scenario.set("flow.0.tcp.variant", "newreno")
    first = scenario.run(seed=1)
    assert first.summary_json == scenario.run(seed=1).summary_json
    assert first.summary["flows"] != scenario.run(seed=2).summary["flows"]
    assert other.run(seed=1).summary["flows"] != first.summary["flows"]


def test_progress_is_told() -> None:
    told: list[float] = []
    jobs: list[tuple[int, int]] = []
    scenario = ac.dumbbell(["reno"], rate="1Mbps", duration="3s")
    scenario.run(progress=lambda part, _: told.append(part))
    assert all(0 <= part <= 1 for part in told)
    ac.runs.run_many(
        [(scenario, 1, 0.0), (scenario, 2, 0.0)], progress=lambda done, total: jobs.append((done, total))
    )
    assert jobs[-1] == (2, 2)


def test_runs_show_themselves(run: ac.Run) -> None:
    assert "reno" in repr(run)
    assert "<table>" in run._repr_html_()
    assert "vegas" in run._repr_html_()
    assert "shape" in repr(run.flows)
    assert "<" in run.flows._repr_html_()


@pytest.fixture(scope="module")
def crowd() -> ac.Run:
    """Return a run of five TCP flows and one UDP flow over an overflowing queue behind a link with random losses."""
    names = ("$\\frac{$", "_[/x]", "<b", "v/1", "newreno")
    flows = [{"name": name, "from": "a", "to": "b", "tcp": {"variant": "sack"}} for name in names]
    voice = {
        "name": "voice",
        "from": "a",
        "to": "b",
        "traffic": {"kind": "cbr", "rate": "100kbps", "packet": "200B"},
    }
    link = {"between": ["a", "b"], "rate": "2Mbps", "delay": "10ms"}
    link |= {"queue": {"kind": "droptail", "packets": 12}, "loss": {"kind": "random", "rate": 0.02}}
    return ac.Scenario({"duration": "10s", "link": [link], "flow": [*flows, voice]}).run()


def texts(axis: object) -> list[str]:
    """Return the texts of an axis' legend."""
    return [text.get_text() for text in axis.get_legend().get_texts()]  # type: ignore[attr-defined]


def test_many_flows_get_a_panel_each_and_datagrams_have_no_window(crowd: ac.Run) -> None:
    panels = crowd.plot.cwnd().axes
    named = [axis.get_title("left") or axis.get_title() for axis in panels if axis.axison]
    assert named == ["$\\frac{$: sack", "_[/x]: sack", "<b: sack", "v/1: sack", "newreno: sack"]
    (together,) = crowd.plot.cwnd(panels=False).axes
    assert texts(together)[:2] == ["$\\frac{$: sack", " _[/x]: sack"]
    assert not any("voice" in text for text in texts(together))
    # The throughput of the UDP flow is drawn as well.
    assert "voice: udp" in [axis.get_title("left") for axis in crowd.plot.throughput().axes]


def test_flows_are_chosen_by_name_or_number(crowd: ac.Run) -> None:
    (axis,) = crowd.plot.cwnd(["v/1", 0]).axes
    assert texts(axis)[:2] == ["v/1: sack", "$\\frac{$: sack"]
    (axis,) = crowd.plot.rtt("newreno").axes
    assert texts(axis) == ["newreno: sack"]
    assert crowd.plot.sequence("v/1").axes[0].get_title("left") == "Time and sequence: v/1: sack"
    with pytest.raises(ac.UserError, match=r"there is no flow 'newrenoo'[\s\S]*did you mean newreno"):
        crowd.plot.cwnd("newrenoo")
    with pytest.raises(ac.UserError, match=r"there is no flow 6[\s\S]*or 0 to 5"):
        crowd.plot.throughput(6)
    with pytest.raises(ac.UserError, match=r"none of these flows is TCP's"):
        crowd.plot.cwnd("voice")


def test_names_are_drawn_as_they_are(crowd: ac.Run) -> None:
    from ackclock.runs.run import FIGURES

    for kind in (*(one for one in FIGURES if "-" not in one), "rtt-cdf", "delay-violin"):
        assert crowd.plot.named(kind)._repr_png_().startswith(b"\x89PNG")


def test_losses_lie_in_lanes_below_the_data(crowd: ac.Run) -> None:
    (axis,) = crowd.plot.cwnd(["v/1", "newreno"]).axes
    lanes = [
        [y for path in drawn.get_paths() for y in path.vertices[:, 1]]
        for drawn in axis.collections
        if type(drawn).__name__ == "LineCollection"
    ]
    assert len(lanes) == 2
    assert all(y < 0 for lane in lanes for y in lane)
    # The loss marks of the two flows are in separate lanes, the second below the first.
    assert max(lanes[1]) < min(lanes[0])


def test_a_queue_shows_its_own_drops_and_not_the_wires(crowd: ac.Run) -> None:
    (axis,) = crowd.plot.queue("a>b").axes
    drops = crowd.links.to_polars().row(0, named=True)
    assert drops["lost_random_packets"] > 5
    assert drops["lost_queue_packets"] > 5
    assert texts(axis) == ["queue", f"dropped: queue ({drops['lost_queue_packets']:,})"]
    assert len(crowd.plot.queue(["a>b", "b>a"]).axes) == 2
    with pytest.raises(ac.UserError, match=r"there is no queue 'a>c'[\s\S]*did you mean a>b"):
        crowd.plot.queue(["a>c"])


def test_a_crowded_queue_is_drawn_as_its_mean_and_range() -> None:
    from ackclock.plot import drawing

    with drawing.style():
        _, (axis,) = drawing.new()
        times = [i / 100 for i in range(10_001)]
        drawing.length(axis, times, [i % 2 * 10 for i in range(10_001)], label="queue")
    (line,) = axis.lines
    assert len(line.get_xdata()) == drawing.BINS
    assert all(4 <= y <= 6 for y in line.get_ydata())
    assert axis.collections[0].get_datalim(axis.transData).ymax == 10


def test_a_run_in_one_call_is_that_of_the_command_line() -> None:
    there = ac.load("dumbbell", ["duration=2s"]).run(seed=7).summary_json
    assert ac.run("dumbbell", ["duration=2s"], seed=7).summary_json == there
    assert ac.run(ac.load("dumbbell"), ["duration=2s"], seed=7).summary_json == there
    assert ac.run("dumbbell", duration="2s", seed=7).flows["goodput_bps"] is not None
    with pytest.raises(ac.UserError, match="no-such"):
        ac.run("no-such.toml")
