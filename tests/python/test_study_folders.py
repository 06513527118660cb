"""Studies from outside of ackclock: in a folder, or from another package's entry point."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ackclock.cli.main import main
from ackclock.study import loading, registry

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "fall-floyd-study"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    loading.load.cache_clear()


def error(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command that must fail as a user error, and return the message."""
    capsys.readouterr()
    assert main([*arguments]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert "please report" not in said
    return said


def write(text: str, folder: str = "mine", file: str = "study.py") -> None:
    Path(folder).mkdir(exist_ok=True)
    (Path(folder) / file).write_text(text, encoding="utf-8")


def package(name: str, text: str, *, summary: str = "what it is") -> None:
    """Write into the working directory an installed package that registers a study under its own name."""
    write(text, name, "__init__.py")
    info = Path(f"{name}-1.2.dist-info")
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\nSummary: {summary}\n")
    (info / "entry_points.txt").write_text(f"[ackclock.studies]\n{name} = {name}:STUDY\n")


def test_a_study_begun_with_init_runs_at_once_and_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "study", "--out", "my-paper"]) == 0
    text = Path("my-paper/study.py").read_text(encoding="utf-8")
    assert "ackclock study ./my-paper --quick" in text
    assert max(map(len, text.splitlines())) <= 80
    assert main(["study", "./my-paper", "--quick", "--quiet"]) == 0
    made = tmp_path / "results" / "my-paper"
    verdicts = json.loads((made / "data" / "claims.json").read_text())
    assert {one["claim"]: one["tests"] for one in verdicts} == {"vegas-ahead": 1, "vegas-goodput": 1}
    manifest = json.loads((made / "manifest.json").read_text())
    assert manifest["origin"]["folder"] == "./my-paper"
    assert manifest["command"].startswith("ackclock study ./my-paper --quick")
    assert "my-paper does not come with ackclock" in error(capsys, "study", "--again", str(made))
    assert main(["study", "--again", str(made), "--allow-code"]) == 0
    assert "made again, the same bytes" in capsys.readouterr().out
    Path("my-paper/study.py").write_text(text + "\n# changed\n")
    assert "have changed since" in error(capsys, "study", "--again", str(made), "--allow-code")


def test_a_folder_that_is_there_stays(capsys: pytest.CaptureFixture[str]) -> None:
    write("mine")
    assert "is there already" in error(capsys, "init", "study", "--out", "mine")
    assert Path("mine/study.py").read_text() == "mine"


def test_fall_and_floyd_is_carried_out_from_its_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", str(EXAMPLE), "--quick", "--out", "found", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {one["claim"]: one["verdict"] for one in found["claims"]} == {
        "one-drop": "supported",
        "tahoe-slow-starts": "supported",
        "reno-waits": "supported",
        "others-do-not-wait": "supported",
        "without-sack": "supported",
        "sack-ahead": "supported",
    }
    points = Path("found/data/points.csv").read_text().splitlines()
    assert len(points) == 1 + 4 * 4
    page = Path("found/report.html").read_text(encoding="utf-8")
    assert "Kevin Fall and Sally Floyd" in page
    assert "Beside" not in page


def test_a_folder_takes_what_every_study_takes(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(EXAMPLE, "ff")
    assert main(["study", "./ff", "--paths"]) == 0
    assert "link.bottleneck.rate" in capsys.readouterr().out
    wanted = ["--only", "figure-2", "--add", "vegas", "--set", "link.bottleneck.delay=50ms"]
    assert main(["study", "./ff", "--quick", *wanted, "--executor", "processes", "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    assert "This is not the study as published" in " ".join(said.split())
    assert "does not apply" in said
    assert "did you mean fig2?" in error(capsys, "study", "./ff", "--only", "figs2")


def test_results_inside_the_folder_are_no_part_of_the_study(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(EXAMPLE, "ff")
    monkeypatch.chdir("ff")
    before = loading.origin(".").digest()
    assert main(["study", ".", "--quick", "--only", "fig2", "--quiet"]) == 0
    assert Path("results/fall-floyd/data/points.csv").exists()
    assert loading.origin(".").digest() == before
    assert main(["study", "--again", "results/fall-floyd", "--allow-code"]) == 0
    assert "the same bytes" in capsys.readouterr().out
    Path("notes.csv").write_text("1\n")
    assert loading.origin(".").digest() != before


def test_files_of_a_folder_import_each_other() -> None:
    shutil.copytree(EXAMPLE, "ff")
    write("from .study import STUDY as STUDY\n", "ff", "__init__.py")
    assert registry.get("./ff").name == "fall-floyd"


def test_what_is_no_study_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    write("STUDY = 3\n")
    assert "STUDY is int" in error(capsys, "study", "./mine")
    assert "to run the folder: ./mine" in error(capsys, "study", "mine")
    assert "did you mean mine?" in error(capsys, "study", "./mime")
    assert "did you mean suherman?" in error(capsys, "study", "suhermann")
    Path("empty").mkdir()
    assert "ackclock init study" in error(capsys, "study", "./empty")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = 1\n", "no attribute 'STUDY'"),
        ("x = 1\nimport nothing_of_the_kind\n", "line 2"),
        ("x = (\n", "SyntaxError"),
        ("import sys\nsys.exit(0)\n", "SystemExit"),
    ],
)
def test_a_broken_folder_is_a_sentence(text: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(text)
    said = error(capsys, "study", "./mine")
    assert "cannot be loaded" in said
    assert why in said


def test_a_packages_study_is_listed_without_its_code_and_run_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    package(
        "floyd_pkg", (EXAMPLE / "study.py").read_text(encoding="utf-8") + "\nopen('loaded', 'w').close()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["list", "studies", "--json"]) == 0
    listed = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    assert listed["floyd_pkg"] == {
        "name": "floyd_pkg",
        "summary": "what it is",
        "figures": [],
        "from": "floyd_pkg 1.2",
    }
    assert listed["abadin"]["from"] == "ackclock"
    assert "did you mean floyd_pkg?" in error(capsys, "study", "floyd_pgk")
    assert not Path("loaded").exists()
    assert main(["study", "floyd_pkg", "--paths"]) == 0
    assert Path("loaded").exists()


def test_a_broken_entry_point_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    package("broken_pkg", "raise RuntimeError('out of order')\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["list", "studies"]) == 0
    said = error(capsys, "study", "broken_pkg")
    assert "study broken_pkg (broken_pkg 1.2) cannot be loaded: RuntimeError: out of order" in said


def test_a_package_does_not_take_the_place_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package("abadin", "raise RuntimeError('out of order')\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert registry.get("abadin").origin is None
