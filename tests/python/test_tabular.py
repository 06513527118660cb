"""Tables as LaTeX and as CSV: every printed number, with its interval."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ackclock as ac
from ackclock._io.tabular import Estimate, escaped, to_csv, to_latex
from ackclock.cli.app import app

ROWS = (
    ("cubic", "9.7132 ±0.0018\xa0*", "1,234.5", "+0.02 %", "1-2"),
    ("bbr_2", "9.42 [9.1, 9.9]", "−7", "–", "3"),
    ("reno & co", "9 (same)", "–", "−3.00 %", "3"),
)
COLUMNS = ("label", "goodput\n(Mb/s)", "sent", "difference", "rank")


def test_cells_are_read() -> None:
    found = Estimate.read("9.7132 ±0.0018\xa0*")
    assert found is not None
    assert [str(one) for one in (found.mean, found.low, found.high)] == ["9.7132", "9.7114", "9.7150"]
    assert found.star
    for cell in ("1-2", "queue 509", "", "–", "5 of 6", "cubic"):
        assert Estimate.read(cell) is None


def test_csv_has_numbers_and_both_ends_of_intervals() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(COLUMNS, ROWS))))
    assert [row["goodput (Mb/s)"] for row in rows] == ["9.7132", "9.42", "9"]
    assert [row["goodput (Mb/s) low"] for row in rows] == ["9.7114", "9.1", "9"]
    assert [row["goodput (Mb/s) high"] for row in rows] == ["9.7150", "9.9", "9"]
    assert [row["sent"] for row in rows] == ["1234.5", "-7", ""]
    assert [row["difference (%)"] for row in rows] == ["0.02", "", "-3.00"]
    assert [row["rank"] for row in rows] == ["1-2", "3", "3"]


def test_headings_are_one_line_in_files_and_paths_stay_whole() -> None:
    columns = ("link.bottleneck\n.queue.packets", "goodput\n(Mb/s)")
    assert to_csv(columns, [("5", "1.5")]).splitlines()[0] == "link.bottleneck.queue.packets,goodput (Mb/s)"
    assert "link.bottleneck.queue.packets & goodput (Mb/s)" in to_latex(columns, [("a", "b")])


def test_latex_has_booktabs_and_siunitx() -> None:
    made = to_latex(COLUMNS, ROWS, caption="50 % of a_b", notes=["a < b"])
    assert "\\begin{tabular}{l r S[table-format=-4.1] S[table-format=-1.2] r}" in made
    assert "cubic & \\num{9.7132 +- 0.0018}\\,* & 1234.5 & 0.02 & 1-2 \\\\" in made
    assert "bbr\\_2 & \\num{9.42} [\\num{9.1}, \\num{9.9}] & -7 & {--} & 3 \\\\" in made
    assert "reno \\& co & \\num{9} & {--} & -3.00 & 3 \\\\" in made
    assert "\\caption{50 \\% of a\\_b}" in made
    assert (
        made.index("\\toprule") < made.index("\\midrule") < made.index("\\bottomrule") < made.index("a $<$ b")
    )
    assert escaped("\\{~}") == "\\textbackslash{}\\{\\textasciitilde{}\\}"


@cache
def compared() -> ac.comparisons.Comparison:
    return ac.compare("newreno", "cubic", rate="2Mbps", duration="3s", reps=3, progress=False)


def test_tables_of_comparisons_runs_and_sweeps() -> None:
    found = compared()
    tables = ac.report.report_tables(found)
    assert set(tables) == {"results", "differences"}
    rows = {row["label"]: row for row in csv.DictReader(io.StringIO(tables["results"].to_csv()))}
    for label in ("newreno", "cubic"):
        one = found.interval(label, "goodput_bps")
        for name, value in (("", one.mean), (" low", one.low), (" high", one.high)):
            assert float(rows[label][f"goodput (Mb/s){name}"]) == pytest.approx(value / 1e6, rel=0.02)
    assert "\\num{" in tables["results"].to_latex()
    swept = ac.sweep("dumbbell", {"duration": ["1s", "2s"]}, reps=2, progress=False)
    assert len(ac.report.report_tables(swept)["points"].to_csv().splitlines()) == 3
    run = ac.load("dumbbell").run("1s")
    made = run.flows.to_latex(["name", "variant", "goodput_bps"])
    assert "name & variant & {goodput\\_bps} \\\\" in made
    assert run.flows.to_csv().splitlines()[0].startswith("flow,") or "goodput_bps" in run.flows.to_csv()


@pytest.mark.parametrize(
    "command",
    [
        "run dumbbell --set duration=1s",
        "compare newreno cubic --reps 2 --duration 1s --no-packets --out {out}",
        "sweep dumbbell --vary duration=1s,2s --reps 2 --plot jain --out {out}",
        "list queues",
    ],
)
def test_the_command_line_prints_tables_alone(command: str, tmp_path: Path) -> None:
    words = command.format(out=tmp_path / "out").split()
    latex = CliRunner().invoke(app, [*words, "--table", "latex"]).stdout
    assert latex.count("\\toprule") == latex.count("\\end{table}") >= 1
    outside = re.sub(r"% .*\n\\begin\{table\}.*?\\end\{table\}", "", latex, flags=re.DOTALL)
    assert outside.strip() == ""
    if "--out" not in command:
        table = CliRunner().invoke(app, [*words, "--table", "csv"]).stdout
        parts = [list(csv.reader(io.StringIO(part))) for part in table.strip().split("\n\n")]
        assert len(parts) == latex.count("\\toprule")
        assert all(len(row) == len(part[0]) for part in parts for row in part)
    # The next command prints text again.
    assert "\\toprule" not in CliRunner().invoke(app, ["list", "queues"]).stdout


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX is installed")
def test_latex_takes_it(tmp_path: Path) -> None:
    tables = [
        to_latex(COLUMNS, ROWS, caption="50 %"),
        *(t.to_latex() for t in ac.report.report_tables(compared()).values()),
    ]
    head = "\\documentclass{article}\\usepackage{booktabs,siunitx}\\sisetup{separate-uncertainty = true}"
    page = tmp_path / "page.tex"
    page.write_text(f"{head}\\begin{{document}}{''.join(tables)}\\end{{document}}", encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", page.name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    if "siunitx.sty' not found" in done.stdout:
        pytest.skip("LaTeX has no siunitx")
    assert done.returncode == 0, done.stdout[-2000:]
