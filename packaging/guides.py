"""Write `lab/src/guides.json`, the guided pages of the laboratory (`make pages`): labs, course experiments, studies.

`lab/guides` has the guidance. Titles, introductions and questions of the labs come from their notebooks; the labs'
scenarios, answers and hints come from `docs/labs/checks.py`; the scenarios of the studies' figures come from the
studies. The page itself needs no Python.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ackclock import Network, Scenario
from ackclock.studies import abadin, heriyanto, huang, maulana, suherman
from ackclock.studies.abadin import experiments as abadin_runs
from ackclock.studies.heriyanto import experiments as heriyanto_runs
from ackclock.studies.huang import experiments as huang_runs
from ackclock.studies.maulana import cases
from ackclock.studies.maulana import experiments as maulana_runs
from ackclock.studies.suherman import experiments as suherman_runs
from ackclock.studies.suherman import setups

PROJECT: Final = Path(__file__).resolve().parents[1]
GUIDES: Final = PROJECT / "lab" / "guides"
LABS: Final = PROJECT / "docs" / "labs"
OUT: Final = PROJECT / "lab" / "src" / "guides.json"
GROUPS: Final = ("lecture", "course", "labs", "studies")
"""Files of guides, in the order of the page."""

sys.path.insert(0, str(LABS))

import checks  # noqa: E402 (a module of the course kit, beside its notebooks)

Json = dict[str, Any]
Settings = list[list[str]]


@dataclass(frozen=True)
class Figure:
    """A figure that the page draws by running its points.

    Attributes:
        title: Heading.
        x: Label of the x axis.
        xs: Values on the x axis, as shown.
        y: Label of the y axis.
        measure: Name of the quantity in `lab/src/sweep.ts`.
        curves: Label of each curve, and the numbers of the flows that it sums up; none for all flows.
        scenario: Scenario of a curve (by its number) at a point (by its number).
        knobs: Paths and labels of the settings that the page offers for all runs of the figure.
        note: Differences from the study's own figure.
        paper: Statement of the paper about the figure.
        page: Page of the documentation, without its suffix.
        shown: Numbers of the curve and the point that the page plays at first.
        log: True for a logarithmic x axis.
    """

    title: str
    x: str
    xs: Sequence[float]
    y: str
    measure: str
    curves: Sequence[tuple[str, Sequence[int]]]
    scenario: Callable[[int, int], Scenario]
    knobs: Sequence[tuple[str, str]]
    note: str
    paper: str = ""
    page: str = ""
    shown: tuple[int, int] = (0, 0)
    log: bool = False


_WINDOW: Final = ("flow.*.tcp.max_window", "Largest window")


def _abadin() -> Figure:
    sweep = abadin_runs.BY_KEY["bandwidth"]
    variants = [(key, v.short or v.label) for key, v in _variants(abadin).items() if key != "vegas40"]
    return Figure(
        sweep.title,
        sweep.axis,
        [x * sweep.scale for x in sweep.xs],
        "new data (bytes/s)",
        "new-data-bytes",
        [(label, ()) for _, label in variants],
        lambda curve, point: abadin_runs.scenario(sweep, sweep.xs[point], variants[curve][0]),
        [_WINDOW],
        "One run of each point with the paper's start times. The study has 15, 10 of them with random starts, and "
        "Vegas with a header of 40 bytes beside ns-2's.",
        _paper(abadin)["fig4"],
        "abadin",
        (2, 5),
    )


def _huang() -> Figure:
    sweep = huang_runs.BY_KEY["narrow_d1"]
    chosen = ("reno", "westwood", "tcpw-i", "gateway", "tcp-linux-westwood")
    variants = _variants(huang)
    return Figure(
        "Figure 7: throughput against error rate",
        f"{sweep.place} (%)",
        [100 * x for x in sweep.xs],
        "goodput (kb/s)",
        "goodput-kbps",
        [(variants[key].short or variants[key].label, ()) for key in chosen],
        lambda curve, point: huang_runs.scenario(sweep, sweep.xs[point], chosen[curve]),
        [("link.1.delay", "Delay of the bottleneck"), ("link.1.rate", "Rate of the bottleneck")],
        f"One run of each point instead of 30, and {len(chosen)} of {len(sweep.curves)} curves.",
        _paper(huang)["fig7"],
        "huang",
        (1, 2),
        log=True,
    )


def _heriyanto() -> Figure:
    nodes = (5, 20, 50)
    variants = list(_variants(heriyanto).items())
    return Figure(
        "Throughput against the number of nodes, near the access point, beside a UDP stream",
        "nodes",
        nodes,
        "throughput of TCP (Mb/s)",
        "throughput-mbps",
        [(v.label, (0,)) for _, v in variants],
        lambda curve, point: heriyanto_runs.scenario("s2-near", nodes[point], variants[curve][0]),
        [("flow.1.traffic.rate", "Rate of the UDP stream")],
        "One run of each point instead of 20, and 3 of 10 numbers of nodes.",
        _paper(heriyanto)["throughput-s2"],
        "heriyanto",
    )


def _maulana() -> Figure:
    case = cases.BY_KEY["shared2-w1000-q500"]
    settings = sys.modules["ackclock.studies.maulana.settings"]
    variants = [(key, settings.VARIANTS[key].label) for key in settings.PUBLISHED]
    return Figure(
        "Figures 5 and 6: round-trip time against packet size, shared link of 2 Mb/s",
        "packet size (bytes)",
        settings.SIZES_B,
        "mean RTT (ms)",
        "rtt-ms",
        [(label, ()) for _, label in variants],
        lambda curve, point: maulana_runs.scenario(
            case, case.sizes_length_s, settings.SIZES_B[point], variants[curve][0]
        ),
        [_WINDOW, ("link.*.queue.packets", "Queues")],
        "One run of each point with the paper's start times instead of 6, in one of the study's readings of the "
        "set-up.",
        _paper(maulana)["fig5"],
        "maulana",
        (0, 3),
        log=True,
    )


def _suherman() -> Figure:
    setup, nodes, factors = setups.BY_KEY["rate11"], (6, 10, 14, 20), (0.1, 0.5, 0.9)
    return Figure(
        f"Figure 2: delay against the number of nodes, {setup.label}",
        "nodes",
        nodes,
        "mean delay (ms)",
        "delay-ms",
        [(f"k = {factor:g}", ()) for factor in factors],
        lambda curve, point: suherman_runs.scenario(setup, nodes[point], factors[curve]),
        [_WINDOW],
        "One run of each point instead of 20, so each number of nodes has one movement; 4 of 10 numbers of nodes, and "
        "the mean over flows instead of over packets.",
        _paper(suherman)["fig2"],
        "suherman",
        (1, 1),
    )


def _course(flows: Sequence[tuple[str, str, Json]]) -> Network:
    """Return a network of six nodes; up to two flows, from n1 to n4 and from n5 to n6, share the link n2-n3."""
    net = Network()
    net.link("n2", "n3", rate="10Mbps", delay="10ms", queue=20, name="bottleneck")
    for a, b in (("n1", "n2"), ("n5", "n2"), ("n3", "n4"), ("n3", "n6")):
        net.link(a, b, rate="10Mbps", delay="10ms")
    for i, (name, variant, more) in enumerate(flows):
        net.flow(("n1", "n5")[i], ("n4", "n6")[i], name=name, tcp={"variant": variant}, **more)
    return net


_STREAM_MBPS: Final = tuple(range(1, 11))


def _beside_stream(rate: int, flows: Sequence[tuple[str, str, Json]]) -> Scenario:
    net = _course(flows)
    net.flow("n2", "n3", name="stream", traffic={"kind": "cbr", "rate": f"{rate}Mbps", "packet": "1000B"})
    return Scenario({"duration": "30s", "seed": 1, **net.document()})


def _cbr() -> Figure:
    variants = (("newreno", "NewReno"), ("tahoe", "Tahoe"), ("reno", "Reno"), ("vegas", "Vegas"))
    return Figure(
        "Goodput of one TCP against the rate of the stream",
        "rate of the stream (Mb/s)",
        _STREAM_MBPS,
        "goodput of TCP (Mb/s)",
        "goodput-mbps",
        [(label, (0,)) for _, label in variants],
        lambda curve, point: _beside_stream(_STREAM_MBPS[point], [("transfer", variants[curve][0], {})]),
        [("link.bottleneck.queue.packets", "Queue of the bottleneck")],
        "One run of 30 s for each point.",
        shown=(0, 6),
    )


def _two_tcps() -> Figure:
    flows: list[tuple[str, str, Json]] = [("first", "newreno", {}), ("second", "vegas", {"start": "0.1s"})]
    return Figure(
        "Goodput of both flows against the rate of the stream",
        "rate of the stream (Mb/s)",
        _STREAM_MBPS,
        "goodput (Mb/s)",
        "goodput-mbps",
        [("first flow", (0,)), ("second flow", (1,))],
        lambda _, point: _beside_stream(_STREAM_MBPS[point], flows),
        [("flow.first.tcp.variant", "First flow"), ("flow.second.tcp.variant", "Second flow")],
        "One run of 30 s for each point.",
        shown=(0, 3),
    )


FIGURES: Final[dict[str, Callable[[], Figure]]] = {
    "abadin": _abadin,
    "huang": _huang,
    "heriyanto": _heriyanto,
    "maulana": _maulana,
    "suherman": _suherman,
    "cbr": _cbr,
    "two-tcps": _two_tcps,
}


def _variants(study: Any) -> Any:
    settings = sys.modules[f"{study.__name__}.settings"]
    return settings.CURVES if hasattr(settings, "CURVES") else settings.VARIANTS


def _paper(study: Any) -> dict[str, str]:
    path = Path(study.__file__).with_name("paper.toml")
    published = tomllib.loads(path.read_text(encoding="utf-8"))["published"]
    return {key: " ".join(text.split()) for key, text in published.items()}


def _title(study: str) -> str:
    path = PROJECT / "python" / "ackclock" / "studies" / study / "paper.toml"
    paper = tomllib.loads(path.read_text(encoding="utf-8"))["paper"]
    return f"{paper['title']}"


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each value of a document that is no table and no list of tables, with its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        for i, inner in enumerate(value):
            yield from leaves(inner, f"{path}.{i}")
    else:
        yield path, value


def written(value: Any) -> str:
    """Return a value in the notation of `--set`."""
    return value if isinstance(value, str) else json.dumps(value)


def runs(figure: Figure) -> tuple[list[str], list[list[list[Any]]]]:
    """Return the scenario files (TOML) of a figure, and for each run the index of its file and its settings.

    Scenarios with the same keys share a file. A run has every setting in which the runs of its file differ, even if the
    file already has its value, so that a setting that the page's user changes cannot override it.
    """
    made = [[figure.scenario(c, p) for p in range(len(figure.xs))] for c in range(len(figure.curves))]
    flat = [[dict(leaves(one.document())) for one in row] for row in made]
    first = figure.shown
    kinds = [tuple(flat[first[0]][first[1]])]
    kinds += [kind for row in flat for one in row if (kind := tuple(one)) not in kinds]
    kinds = list(dict.fromkeys(kinds))
    texts, varied = [], []
    for kind in kinds:
        alike = [(c, p) for c, row in enumerate(flat) for p, one in enumerate(row) if tuple(one) == kind]
        base = first if first in alike else alike[0]
        texts.append(made[base[0]][base[1]].to_toml())
        varied.append([path for path in kind if len({written(flat[c][p][path]) for c, p in alike}) > 1])
    return texts, [
        [[at := kinds.index(tuple(one)), [[path, written(one[path])] for path in varied[at]]] for one in row]
        for row in flat
    ]


def figure_json(figure: Figure) -> Json:
    """Return a figure in the JSON form that the page reads."""
    texts, points = runs(figure)
    return {
        "title": figure.title,
        "x": figure.x,
        "xs": list(figure.xs),
        "log": figure.log,
        "y": figure.y,
        "measure": figure.measure,
        "curves": [{"label": label, "flows": list(flows)} for label, flows in figure.curves],
        "texts": texts,
        "runs": points,
        "shown": list(figure.shown),
        "knobs": [{"path": path, "label": label} for path, label in figure.knobs],
        "note": figure.note,
        "paper": figure.paper,
        "page": figure.page,
    }


def notebook(name: str) -> tuple[str, str, dict[str, str]]:
    """Return title, introduction and questions of a lab, the questions by their numbers."""
    cells = json.loads((LABS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    title, introduction = texts[0].removeprefix("# ").split("\n\n")[:2]
    questions = {}
    for text in texts[1:]:
        if found := re.match(r"\*\*Exercise ([\d.]+)\.\*\* (.*?)(?:\n\n|$)", text, re.DOTALL):
            questions[found[1]] = " ".join(found[2].split())
    setting = [" ".join(text.split()) for text in texts[1:] if not text.startswith("**Exercise")]
    return title, " ".join([*introduction.split(), *setting]), questions


def step_json(step: Json, questions: dict[str, str]) -> Json:
    """Return a step of a guide; an exercise gets its question, its answer and its hint."""
    number = step.get("exercise")
    if number is None:
        return step
    work_out, within, hint = checks.ANSWERS[number]
    right = work_out()
    answer = {
        "right": right if isinstance(right, (bool, str)) else round(float(right), 6),
        "within": within,
        "hint": hint,
    }
    return {**step, "predict": questions[number], "answer": answer}


def guide_json(guide: Json, group: str, templates: dict[str, str]) -> Json:
    """Return a guide in the page's format."""
    out = {key: value for key, value in guide.items() if key not in ("step", "template", "values", "figure")}
    out["group"] = group
    questions: dict[str, str] = {}
    if group == "labs":
        out["title"], out["introduction"], questions = notebook(guide["id"])
        started = checks.STARTS[int(guide["id"][3])]()
        if isinstance(started, tuple):
            out |= {"example": started[0], "set": [one.split("=", 1) for one in started[1:]]}
        else:
            out["text"] = started.to_toml()
    elif group == "studies":
        out["title"] = f"Study {guide['id']}"
        out["introduction"] = f"“{_title(guide['id'])}”"
    if "template" in guide:
        text = templates[guide["template"]].lstrip()
        for key, value in guide["values"].items():
            text = text.replace(f"{{{key}}}", value)
        out["text"] = text
    if "figure" in guide:
        out["figure"] = figure_json(FIGURES[guide["figure"]]())
    out["steps"] = [step_json(step, questions) for step in guide["step"]]
    return out


def guides() -> list[Json]:
    """Return all guides, in the order of the page."""
    files = {group: tomllib.loads((GUIDES / f"{group}.toml").read_text(encoding="utf-8")) for group in GROUPS}
    templates = files["lecture"]["template"]
    return [guide_json(one, group, templates) for group, file in files.items() for one in file["guide"]]


def rendered() -> str:
    """Return the text of `lab/src/guides.json`."""
    return json.dumps(guides(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    OUT.write_text(rendered(), encoding="utf-8")
