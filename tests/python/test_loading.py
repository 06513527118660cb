"""Loading of code: files that the user names are run; files that a scenario names are run only with permission."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ackclock as ac
from ackclock._io.files import LARGEST_TEXT
from ackclock.control import loading
from ackclock.errors import ControlError, FileError, UserError

SOURCE = """\
# {mark}
from pathlib import Path
import ackclock as ac

Path({mark!r}).write_text("run")

class Evil(ac.Control):
    beta = ac.control.Parameter(0.5)

    def on_ack(self, ack):
        self.cwnd += ack.count / self.cwnd

    def on_congestion(self, loss):
        self.ssthresh = max(self.cwnd * self.beta, 2.0)
        self.cwnd = 1.0 if loss.timeout else self.ssthresh
"""

SCENARIO = """\
duration = "1s"

[[link]]
between = ["a", "b"]
rate = "1Mbps"
delay = "10ms"
queue = 20

[[flow]]
from = "a"
to = "b"
tcp = { variant = "./evil.py:Evil", control = { beta = 0.7, anything = "word" } }
"""

NAME = "./evil.py:Evil"


class Traps:
    """A folder with a scenario that names code; if the code runs, it leaves a mark."""

    def __init__(self, folder: Path) -> None:
        """Write the scenario and the code."""
        self.folder, self.mark = folder, folder / "mark"
        (folder / "evil.py").write_text(SOURCE.format(mark=str(self.mark)))
        (folder / "s.toml").write_text(SCENARIO.replace(', anything = "word"', ""))
        (folder / "odd.toml").write_text(SCENARIO)

    def ran(self) -> bool:
        """Return true if the code has run since the last call."""
        there = self.mark.exists()
        self.mark.unlink(missing_ok=True)
        return there

    def cli(self, *words: str) -> tuple[int, str]:
        """Run a command and return its exit status and its output."""
        done = subprocess.run(
            [sys.executable, "-m", "ackclock", *words],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr or "SystemExit" in done.stderr, done.stderr
        assert "bug in ackclock" not in done.stderr, done.stderr
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Traps:
    monkeypatch.chdir(tmp_path)
    return Traps(tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        ("run", "s.toml"),
        ("compare", "reno", "--scenario", "s.toml"),
        ("sweep", "s.toml", "--vary", "seed=1,2"),
        ("diff-profiles", "rfc", "linux", "s.toml"),
    ],
)
def test_no_verb_runs_what_only_a_scenario_names(trap: Traps, words: tuple[str, ...]) -> None:
    status, said = trap.cli(*words)
    assert (status, trap.ran()) == (2, False), said
    assert "--allow-code" in said
    assert NAME in said


def test_check_runs_nothing_and_takes_whatever_parameters_there_are(trap: Traps) -> None:
    status, said = trap.cli("check", "odd.toml")
    assert (status, trap.ran()) == (0, False), said
    assert "was not loaded" in said
    status, said = trap.cli("check", "odd.toml", "--allow-code")
    assert (status, trap.ran()) == (2, True), said
    assert "has no parameter `anything`" in said


def test_what_is_allowed_or_named_by_the_user_is_run(trap: Traps) -> None:
    status, said = trap.cli("run", "s.toml", "--allow-code")
    assert (status, trap.ran()) == (0, True), said
    status, said = trap.cli("run", "dumbbell", "--set", "duration=1s", "--set", f"flow.*.tcp.variant={NAME}")
    assert (status, trap.ran()) == (0, True), said


def test_a_comparison_is_made_again_with_its_code_only_if_that_is_allowed(trap: Traps) -> None:
    words = ("--reps", "1", "--duration", "1s", "--out", "out", "--quiet")
    assert trap.cli("compare", NAME, "reno", *words)[0] == 0
    assert trap.ran()
    status, said = trap.cli("compare", "--again", "out")
    assert (status, trap.ran()) == (2, False), said
    assert "--allow-code" in said
    (trap.folder / "evil.py").write_text(SOURCE.format(mark=str(trap.mark)) + "# another\n")
    status, said = trap.cli("compare", "--again", "out", "--allow-code")
    assert (status, trap.ran()) == (2, False), said
    assert "its source has changed" in said


def test_in_python_a_document_needs_leave_and_a_name_of_the_program_none(trap: Traps) -> None:
    with pytest.raises(UserError, match="allow_code=True"):
        ac.load("s.toml")
    document = ac.dumbbell(["reno"], duration="1s").document()
    document["flow"][0]["tcp"]["variant"] = NAME
    with pytest.raises(UserError, match="allow_code=True"):
        ac.Scenario(document)
    assert not trap.ran()
    assert ac.dumbbell([NAME]).run("1s").flows["variant"][0] == NAME
    assert trap.ran()
    # After permission, unchanged source under the same name may run again; changed source may not.
    ac.load("s.toml")
    assert not trap.ran()
    (trap.folder / "evil.py").write_text(SOURCE.format(mark=str(trap.mark)) + "# another\n")
    with pytest.raises(UserError, match="allow_code=True"):
        ac.load("s.toml")
    assert not trap.ran()
    assert ac.load("s.toml", allow_code=True).run("1s").flows["variant"][0] == NAME
    assert trap.ran()


def test_a_typed_name_never_stands_for_a_file_of_the_scenario_s_folder(trap: Traps) -> None:
    inner = trap.folder / "inner"
    inner.mkdir()
    (inner / "evil.py").write_text("raise SystemExit('the wrong file')\n")
    (inner / "s.toml").write_text(
        SCENARIO.replace('"./evil.py:Evil", control = { beta = 0.7, ', '"reno" } #')
    )
    made = ac.load("inner/s.toml", [f"flow.0.tcp.variant={NAME}"])
    assert trap.ran()
    assert made.run("1s").flows["variant"][0] == NAME


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys\nsys.exit(7)\n", "SystemExit: 7"),
        ("class Odd(BaseException): pass\nraise Odd('so')\n", "Odd: so"),
        ("import ackclock as ac\nclass Evil(ac.Control):\n    traced = 5\n", "lacks on_ack"),
    ],
)
def test_what_a_file_raises_as_it_is_loaded_names_the_control(trap: Traps, code: str, said: str) -> None:
    (trap.folder / "evil.py").write_text(code)
    with pytest.raises(UserError) as error:
        ac.dumbbell([NAME])
    assert NAME in str(error.value)
    assert said in str(error.value)


def test_sys_exit_in_a_control_is_its_fault_and_no_bug_of_ours(trap: Traps) -> None:
    text = (trap.folder / "evil.py").read_text()
    (trap.folder / "evil.py").write_text(
        text.replace("self.cwnd += ack.count / self.cwnd", "raise SystemExit(0)")
    )
    with pytest.raises(ControlError) as error:
        ac.dumbbell([NAME]).run("1s")
    assert f"{NAME} in flow" in str(error.value)
    status, said = trap.cli("run", "s.toml", "--allow-code")
    assert status == 2, said
    assert "SystemExit" in said


def test_a_control_that_ends_its_worker_is_named(trap: Traps) -> None:
    text = (trap.folder / "evil.py").read_text()
    (trap.folder / "evil.py").write_text(
        text.replace("self.cwnd += ack.count / self.cwnd", "import os; os._exit(3)")
    )
    words = ("--reps", "1", "--duration", "1s", "--jobs", "2", "--out", "out")
    status, said = trap.cli("compare", "cubic", NAME, *words)
    assert status == 2, said
    assert f"code of yours may have ended the process: {NAME}" in said


def test_nothing_is_loaded_for_what_is_only_put_together(trap: Traps) -> None:
    assert loading.unread() == [] or NAME in loading.unread()
    with loading.trusting("unread"):
        described = ac.load("odd.toml").describe()
    assert described["flow"][0]["tcp"]["control"] == {"beta": 0.7, "anything": "word"}
    assert not trap.ran()


def test_only_regular_files_of_a_limited_size_are_read(tmp_path: Path) -> None:
    large = tmp_path / "large.toml"
    with large.open("wb") as file:
        file.truncate(LARGEST_TEXT + 1)
    with pytest.raises(FileError, match="16 MiB"):
        ac.load(large)
    for odd, kind in (("/dev/zero", "a device"), (tmp_path, "a folder")):
        with pytest.raises(FileError, match=f"it is {kind}"):
            ac.load(odd)
