"""First use from scripts and notebooks: names of the package, tables, representations, builders."""

from __future__ import annotations

import inspect
import subprocess
import sys
import types
import typing
from collections.abc import Iterator
from pathlib import Path

import polars
import pytest

import ackclock as ac
from ackclock import types as typed
from ackclock._io import progress

EXAMPLE = "dumbbell"


@pytest.fixture(scope="module")
def run() -> ac.Run:
    return ac.load(EXAMPLE).run("10s")


def test_every_public_name_is_there() -> None:
    for name in ac.__all__:
        assert getattr(ac, name) is not None
    with pytest.raises(AttributeError, match="did you mean compare"):
        ac.comapre  # noqa: B018


def test_importing_the_package_imports_next_to_nothing() -> None:
    """Importing the package loads no library, not the core, and few modules, since these determine its time."""
    code = "import sys; before = set(sys.modules); import ackclock; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    new = {name.partition(".")[0] for name in done.stdout.split()}
    assert new - set(sys.stdlib_module_names) == {"ackclock", "lazy_loader"}
    assert len(done.stdout.split()) < 60, done.stdout
    assert "ackclock._core" not in done.stdout.split()


def test_a_table_is_a_sequence_of_rows_with_columns(run: ac.Run) -> None:
    flows = run.flows
    assert len(flows) == 2
    assert flows["goodput_bps"].to_list() == [one["goodput_bps"] for one in run.summary["flows"]]
    assert flows[1]["name"] == "vegas"
    assert [row["name"] for row in flows] == ["newreno", "vegas"]
    assert [row["name"] for row in flows.head(1)] == ["newreno"]
    assert len(flows[1:]) == 1
    assert flows[["name", "variant"]].columns == ["name", "variant"]
    assert polars.DataFrame(flows[1:])["name"].to_list() == ["vegas"]
    with pytest.raises(KeyError, match="did you mean goodput_bps"):
        flows["goodput_bsp"]


def test_columns_without_values_are_not_shown_and_still_there(run: ac.Run) -> None:
    assert "fct_s" in run.flows.columns
    for text in (repr(run.flows), run.flows._repr_html_()):
        assert "columns without values are not shown" in text
    assert "fct_s" not in run.flows._repr_html_()
    assert "goodput_bps" in run.flows._repr_html_()


def test_flows_go_by_name(run: ac.Run) -> None:
    assert run.flow("vegas") == run.summary["flows"][1] == run.flow("1")
    assert set(run.trace("cwnd", flows="vegas")["flow"]) == {1}
    assert set(run.trace("cwnd", flows=["newreno", 1])["flow"]) == {0, 1}
    with pytest.raises(ac.UserError, match=r"(?s)newreno, vegas, or 0 to 1.*did you mean vegas"):
        run.flow("vegaz")
    with pytest.raises(ac.UserError, match="no column of flows"):
        run.trace("queue", flows=0)


def test_comparing_and_sweeping_in_one_call() -> None:
    found = ac.compare("reno", "vegas", rate="2Mbps", queue=20, reps=3, duration="5s", packets=False)
    assert isinstance(found, ac.comparisons.Comparison)
    assert found.variants == ["reno", "vegas"]
    assert len(repr(found)) < 200
    assert "reno" in repr(found)
    assert found._repr_html_().count("<tr>") == 3
    assert isinstance(found.interval("reno", "goodput_bps"), ac.stats.Interval)
    swept = ac.sweep(EXAMPLE, {"link.2.queue.packets": [5, 20], "duration": ["5s"]}, reps=2)
    assert isinstance(swept, ac.sweeps.SweepResult)
    assert (
        repr(swept)
        == "SweepResult(link.2.queue.packets: 2 values, duration: 1 values; 2 replications, 4 runs)"
    )
    assert swept._repr_html_().count("<tr>") == 3


def test_comparing_two_scenarios_and_one_of_ones_own() -> None:
    base = ac.load(EXAMPLE).with_(duration="5s")
    found = ac.compare({"few": base.set("link.2.queue.packets", 5), "many": base}, reps=2, packets=False)
    assert found.variants == ["few", "many"]
    mixed = ac.compare("reno", "sack", scenario=base, flows_under_test=["vegas"], reps=2, packets=False)
    assert mixed.plan.own == (1,)
    with pytest.raises(ac.UserError, match="did you mean rate"):
        ac.compare("reno", rat="1Mbps")
    with pytest.raises(ac.UserError, match="the scenario says it"):
        ac.compare("reno", scenario=base, rate="1Mbps")


def test_builders_say_everything_that_the_file_can() -> None:
    """Each key of a table is a parameter of its builder, or the builder passes it through to the table."""
    renamed = {
        "between": "a",
        "from": "source",
        "to": "target",
        "class": "flow_class",
        "at": "at",
        "set": "path",
    }
    for method, table in (
        ("node", typed.Node),
        ("link", typed.Link),
        ("flow", typed.Flow),
        ("event", typed.Event),
    ):
        arguments = inspect.signature(getattr(ac.Network, method)).parameters.keys()
        keys = {renamed.get(key, key) for key in table.__annotations__}
        if method == "event":
            keys = keys - {"target"} | {"to"}
        assert keys - set(arguments) == set(), method


def test_a_wlan_and_a_cell_built_piece_by_piece_run() -> None:
    net = ac.Network()
    net.link("server", "ap", rate="100Mbps", delay="5ms", name=None)
    net.node("ap", position=[0, 0])
    net.wifi(standard="g", stations=["ap"], access_point="ap", name="wlan")
    net.station("laptop", position=[5, 0])
    net.station("phone", placement={"kind": "disc", "radius": 20}, network="wlan")
    net.flow("server", "laptop", variant="cubic").flow("server", "phone", variant="cubic")
    assert {one["station"] for one in net.run("2s").stations} == {"ap", "laptop", "phone"}
    cell = ac.Network()
    cell.link("server", "agw", rate="1Gbps", delay="20ms")
    cell.lte(gateway="agw", ue=[], enb=[{"position": [0, 0, 30]}])
    cell.station("phone", position=[100, 0])
    cell.flow("server", "phone", variant="cubic")
    assert [one["ue"] for one in cell.run("1s").ues] == ["phone"]
    with pytest.raises(ac.UserError, match="did you mean wlan"):
        net.station("x", network="wlam")
    with pytest.raises(ac.UserError, match=r"net\.wifi"):
        ac.Network().station("x")


def test_a_misspelt_attribute_is_answered_with_the_right_one() -> None:
    run = ac.load(EXAMPLE).run("1s")
    sweep = ac.sweep(EXAMPLE, {"link.0.delay": ["1ms", "2ms"], "duration": ["1s"]}, reps=2, progress=False)
    comparison = ac.compare("reno", "sack", reps=2, duration="1s", packets=False, progress=False)
    for owner, given, meant in [
        (sweep, "point", "SweepResult has no attribute 'point': did you mean points?"),
        (sweep, "table", "did you mean points?"),
        (sweep, "to_polars", "did you mean points.to_polars?"),
        (comparison, "rank", "Comparison has no attribute 'rank': did you mean ranks?"),
        (run, "rtt", 'did you mean trace("state")?'),
        (run, "flowss", "did you mean flows?"),
        (run.flows, "write_csv", "did you mean to_polars().write_csv?"),
        (run.plot, "window", "did you mean cwnd?"),
        (run.plot, "zebra", "Plots has no attribute 'zebra': it has cwnd, "),
    ]:
        with pytest.raises(AttributeError) as refused:
            getattr(owner, given)
        assert meant in str(refused.value)
    assert not hasattr(run, "_repr_png_")
    assert len(sweep.points) == 2
    assert len(sweep.runs) == 4
    assert sweep.points["goodput_bps"].to_list() == [
        found.mean for _, found in sweep.intervals("goodput_bps")
    ]
    assert len(comparison.runs) == 4
    assert set(comparison.flows["variant"]) == {"reno", "sack"}


def test_arguments_that_others_have_are_answered_with_ours() -> None:
    for call, wanted in (
        (lambda: ac.dumbbell(bandwidth="1Mbps"), "did you mean rate"),  # type: ignore[call-arg]
        (lambda: ac.scenario.chain(dealy="1ms"), "did you mean delay"),  # type: ignore[call-arg]
        (lambda: ac.sweep(EXAMPLE, {}, replications=3), "did you mean reps"),  # type: ignore[call-arg]
    ):
        with pytest.raises(TypeError, match=wanted):
            call()
    with pytest.raises(ac.UserError, match="did you mean queue"):
        ac.compare("reno", "sack", buffer=10)
    with pytest.raises(ac.UserError, match="stands alone"):
        ac.compare("reno", {"few": ac.dumbbell()})
    with pytest.raises(AttributeError, match=r"ackclock\.sweep"):
        ac.dumbbell().sweep  # type: ignore[attr-defined]  # noqa: B018


@pytest.fixture(scope="module")
def compared() -> ac.comparisons.Comparison:
    return ac.compare(["reno", "sack"], reps=2, duration="5s")


@pytest.fixture(scope="module")
def swept() -> ac.sweeps.SweepResult:
    settings = {"link.bottleneck.queue.packets": [5, 20], "flow.*.tcp.variant": ["reno", "sack"]}
    return ac.sweep(ac.dumbbell(duration="5s"), settings, reps=2)


def test_comparisons_and_sweeps_are_drawn(
    compared: ac.comparisons.Comparison, swept: ac.sweeps.SweepResult
) -> None:
    figures = ac.figures(compared)
    assert "throughput-delay" in figures
    assert figures["throughput-delay"].axes[0].lines
    drawn = ac.figures(swept, plot="goodput_bps", x="queue.packets", style="paper")
    assert list(drawn) == ["goodput_bps"]
    assert drawn["goodput_bps"].get_figwidth() == 3.5
    assert {text.get_text() for text in drawn["goodput_bps"].legends[0].texts} == {"reno", "sack"}
    with pytest.raises(ac.UserError, match="no measure"):
        ac.figures(swept, plot="godput_bps")
    with pytest.raises(ac.UserError, match="a sweep's can be chosen"):
        ac.figures(compared, plot="goodput_bps")
    with pytest.raises(ac.UserError, match="did you mean paper"):
        ac.figures(compared, style="papr")
    with pytest.raises(AttributeError, match=r"ackclock\.figures\(sweep\)"):
        swept.plot  # type: ignore[attr-defined]  # noqa: B018


def test_reports_are_written(
    compared: ac.comparisons.Comparison, swept: ac.sweeps.SweepResult, tmp_path: Path
) -> None:
    page = ac.write_report(compared, tmp_path / "compared")
    assert "reno" in page.read_text(encoding="utf-8")
    assert (tmp_path / "compared" / "runs.csv").exists()
    page = ac.write_report(swept, tmp_path / "swept", plot="goodput_bps")
    assert (page.parent / "plots" / "goodput_bps.pdf").exists()


class Kernel:
    """A stand-in for IPython in a Jupyter kernel; it keeps the objects that are displayed."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        shell = type("ZMQInteractiveShell", (), {})()
        self.get_ipython = lambda: shell
        self.display = types.SimpleNamespace(HTML=str, display=self._display)

    def _display(self, text: str, display_id: bool) -> types.SimpleNamespace:
        assert display_id
        self.shown.append(text)
        return types.SimpleNamespace(update=self.shown.append)


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    made = Kernel()
    monkeypatch.setitem(sys.modules, "IPython", typing.cast("types.ModuleType", made))
    monkeypatch.setitem(sys.modules, "IPython.display", typing.cast("types.ModuleType", made.display))
    monkeypatch.setattr(progress, "PATIENCE_S", 0.0)
    return made


def test_a_bar_shows_in_a_notebook_and_goes_away(kernel: Kernel) -> None:
    ac.load(EXAMPLE).run("200s")
    assert "<progress" in kernel.shown[0]
    assert kernel.shown[-1] == ""
    before = len(kernel.shown)
    ac.load(EXAMPLE).run("200s", progress=lambda part, events: None)
    ac.compare("reno", "sack", reps=2, duration="2s", packets=False, progress=False)
    assert len(kernel.shown) == before
    ac.compare("reno", "sack", reps=2, duration="2s", packets=False)
    assert len(kernel.shown) > before


def test_no_bar_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    ac.load(EXAMPLE).run("1s")
    assert capsys.readouterr() == ("", "")
