"""The wheel in a clean environment without Rust runs the README's main example and a new user's first session."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import termios
import time
import zipfile
from pathlib import Path

import pytest
from rich.cells import cell_len

PROJECT = Path(__file__).resolve().parents[2]
COLUMNS = 80
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b\].*?\x07")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the wheel and the source archive: ACKCLOCK_DIST, otherwise the output of `make wheel`."""
    if given := os.environ.get("ACKCLOCK_DIST"):
        return Path(given)
    subprocess.run(["make", "wheel"], cwd=PROJECT, check=True)
    return PROJECT / "dist"


@pytest.fixture(scope="session")
def clean(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the `bin` folder of a new virtual environment with only the wheel and its dependencies."""
    place = tmp_path_factory.mktemp("clean")
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    wheel = max(dist.glob("*.whl"), key=lambda path: path.stat().st_mtime)
    subprocess.run(
        [place / "bin" / "pip", "install", "--quiet", wheel], check=True, env=environment(place / "bin")
    )
    return place / "bin"


def environment(bin_: Path) -> dict[str, str]:
    """Return environment variables with a PATH without Rust, under which Python finds no other ackclock."""
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "PIP_INDEX_URL") if name in os.environ}
    path = f"{bin_}:/usr/bin:/bin"
    assert shutil.which("cargo", path=path) is None
    return kept | {"PATH": path, "TERM": "xterm-256color", "MPLCONFIGDIR": str(bin_.parent / "mpl")}


def typed(command: str, bin_: Path, folder: Path) -> str:
    """Run a command in a terminal of 80 columns, assert that it succeeds, and return its output."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    shell = subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment(bin_),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end of the terminal is closed
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    text = ESCAPES.sub("", shown.decode())
    assert shell.wait() == 0, f"{command}\n{text}"
    for line in re.split(r"[\r\n]+", text):
        assert cell_len(line.rstrip()) <= COLUMNS, f"{command}\nis wider than the terminal:\n{line}"
    assert "Traceback" not in text, text
    return text


def test_the_wheel_is_for_any_linux_and_any_python_since_3_11(dist: Path) -> None:
    (name,) = {path.name for path in dist.glob("*.whl")}
    assert re.fullmatch(r"ackclock-[\d.]+-cp311-abi3-manylinux\S*\.whl", name) or sys.platform != "linux", (
        name
    )
    names = zipfile.ZipFile(dist / name).namelist()
    assert "ackclock/scenarios/dumbbell.toml" in names
    assert "ackclock/scenarios/cellular.trace" in names
    licences = {name.rpartition("/")[2] for name in names if ".dist-info/licenses/" in name}
    assert licences >= {"LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt"}
    assert not [one for one in names if one.endswith((".rs", ".ipynb"))]


def test_the_sources_have_what_a_build_needs(dist: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as sources:
        names = {name.partition("/")[2] for name in sources.getnames()}
    for needed in (
        "Cargo.lock",
        "crates/extension/Cargo.toml",
        "python/ackclock/scenarios/dumbbell.toml",
        "LICENSE-MIT",
        "THIRD-PARTY.txt",
    ):
        assert needed in names, needed


def test_the_main_example_of_the_readme(clean: Path, tmp_path: Path) -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    (code, *_) = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    typed("python example.py", clean, tmp_path)
    assert list(tmp_path.glob("cwnd.*"))


def test_completion_of_the_shell(clean: Path, tmp_path: Path) -> None:
    assert "complete" in typed("bash -c 'ackclock --show-completion | cut -c1-80'", clean, tmp_path)


def test_help_fits_the_terminal(clean: Path, tmp_path: Path) -> None:
    shown = typed("ackclock --help", clean, tmp_path)
    for verb in re.findall(r"^  ([a-z-]+)  +[A-Z]", shown.partition("Commands:")[2], re.MULTILINE):
        assert "Usage: ackclock" in typed(f"ackclock {verb} --help", clean, tmp_path)


def test_import_is_fast(clean: Path, tmp_path: Path) -> None:
    """Heavy libraries are imported only when they are used; the time of the import is printed."""
    code = "import sys, ackclock; print(sorted({'matplotlib', 'polars', 'scipy', 'rich', 'numpy'} & {*sys.modules}))"
    assert "[]" in typed(f'python -c "{code}"', clean, tmp_path)
    shown = typed("python -X importtime -c 'import ackclock' 2>&1 | tail -1", clean, tmp_path)
    print(f"import ackclock: {int(shown.split('|')[1]) / 1e6:.3f} s")


def test_a_newcomers_first_hour(clean: Path, tmp_path: Path) -> None:
    """From an empty folder to a figure: init, edit, check, run, compare, sweep.

    The steps take less than 60 s on a quiet machine. Their times are printed but not asserted, since a test machine may
    be busy.
    """
    took: list[tuple[str, float]] = []

    def step(command: str) -> None:
        began = time.monotonic()
        typed(f"ackclock {command}", clean, tmp_path)
        took.append((command.split(" ")[0], time.monotonic() - began))

    step("list scenarios")
    step("init dumbbell --out mine.toml")
    scenario = tmp_path / "mine.toml"
    scenario.write_text(
        re.sub(r'^duration = ".*?"', 'duration = "10s"', scenario.read_text(), flags=re.MULTILINE)
    )
    assert 'duration = "10s"' in scenario.read_text()
    step("check mine.toml")
    step("run mine.toml --trace cwnd,queue --plot cwnd,queue --out results/mine")
    assert (tmp_path / "results/mine/cwnd.png").stat().st_size > 5000
    step("compare newreno cubic --reps 3 --duration 10s --out results/compare")
    assert (tmp_path / "results/compare/report.html").exists()
    step(
        "sweep mine.toml --vary link.bottleneck.rate=1Mbps,2Mbps,5Mbps --reps 3 --out results/sweep"
        " --plot goodput_bps --x link.bottleneck.rate"
    )
    made = (tmp_path / "results/sweep").rglob("*")
    assert [one for one in made if one.suffix in (".png", ".svg")]
    print("".join(f"\n{name}: {seconds:.1f} s" for name, seconds in took))
    print(f"from list to sweep: {sum(seconds for _, seconds in took):.1f} s")
