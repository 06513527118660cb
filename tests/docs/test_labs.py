"""The course kit: each notebook runs unchanged, and its checks accept the solutions and refuse wrong answers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from docs import outputs

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

LABS = Path(__file__).resolve().parents[2] / "docs" / "labs"
NOTEBOOKS = sorted(LABS.glob("*.ipynb"))

# Answers that a student may write; they use names that the notebook has defined before.
SOLUTIONS = {
    "1_1": "10e6 * 0.042 / (8 * 1500)",
    "1_2": """next(
        w for w in range(5, 100, 5) if bottleneck(
            ac.dumbbell(["newreno"], rate="10Mbps", delay="19ms", queue=200, tcp={"max_window": w}).run("20s")
        )["utilisation"] > 0.95)""",
    "1_3": """ac.dumbbell(["newreno"], rate="10Mbps", delay="19ms", queue=200, tcp={"max_window": 60}
        ).run("20s").summary["flows"][0]["packet_rtt_mean_s"] * 1e3""",
    "2_1": "cwnd['value'].max()",
    "2_2": "int((np.diff(cwnd['value'].to_numpy()) < -10).sum()) if 'np' in dir() else "
    "(cwnd['value'].diff() < -10).sum()",
    "2_3": "100 * bottleneck(run)['utilisation'] if 'bottleneck' in dir() else 100 * "
    "next(x for x in run.summary['links'] if x['name'] == 'r0>r1')['utilisation']",
    "3_1": "ac.load('fall-floyd', ['flow.0.tcp.variant=reno']).run().summary['flows'][0]['timeouts']",
    "3_2": "'reno'",
    "3_3": "260 / 104",
    "4_1": "shares('reno')[1] / sum(shares('reno'))",
    "4_2": "sum(shares('reno')) ** 2 / (2 * sum(x * x for x in shares('reno')))",
    "4_3": "shares('cubic')[1] / sum(shares('cubic')) - shares('reno')[1] / sum(shares('reno'))",
    "5_1": "np.percentile(call('droptail'), 95)",
    "5_2": "np.percentile(call('droptail'), 95) / np.percentile(call('fq-codel'), 95)",
    "5_3": "1000 * 1500 * 8 / 5e6",
    "6_1": "sum(goodputs('vegas')) / 5",
    "6_2": "interval(goodputs('vegas')).half_width",
    "6_3": "not paired(goodputs('vegas'), goodputs('reno')).interval.contains(0)",
}
WRONG = "-1.0"


def executed(notebook: Path, answers: dict[str, str]) -> Any:
    """Execute a notebook, in which answers replace its `...`, and return it."""

    def answer(cell: Any) -> None:
        if "exercise" in cell.metadata.get("tags", []):
            name = cell.source.partition(" = ")[0]
            given = answers.get(name.removeprefix("answer_"))
            cell.source = cell.source.replace("...", f"({given})" if given else "...")

    return outputs.executed(notebook, answer)


def checked(page: Any) -> list[str]:
    """Return what the checks of an executed notebook print."""
    checks = [cell for cell in page.cells if cell.source.startswith("check(")]
    return ["".join(out.get("text", "") for out in cell.outputs) for cell in checks]


def test_there_are_six_labs_with_three_exercises_each() -> None:
    assert len(NOTEBOOKS) == 6
    assert len(SOLUTIONS) == 18


def test_a_lab_has_its_theory_and_its_outputs() -> None:
    for notebook in NOTEBOOKS:
        page = nbformat.read(notebook, as_version=4)
        assert any(cell.source.startswith("## Theory\n") for cell in page.cells), notebook.name
        said = outputs.said(page)
        assert any("image/png" in one for one in said), notebook.name
        assert sum("no answer yet" in one for one in said) == 3, notebook.name


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_lab_accepts_its_solutions_and_nothing_else(
    notebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "PYDEVD_DISABLE_FILE_VALIDATION", "1")
    plain = executed(notebook, {})
    kept = nbformat.read(notebook, as_version=4)
    assert outputs.said(plain) == outputs.said(kept), "make pages executes it anew"
    assert all("no answer yet. Hint" in text for text in checked(plain))
    assert all(
        "not yet. Hint" in text for text in checked(executed(notebook, dict.fromkeys(SOLUTIONS, WRONG)))
    )
    right = checked(executed(notebook, SOLUTIONS))
    assert len(right) == 3
    assert all(text.endswith("right.\n") for text in right), right
