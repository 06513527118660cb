"""A dozen cells that were run in Linux 6.12 give results within the tolerance in profile `linux`."""

import shutil
import subprocess
from pathlib import Path

import pytest
from validation.linux import beside, kernel, recorded
from validation.linux.cells import CELLS
from validation.linux.mine import Outcome

HOLD = (
    "single.A17.reno",
    "single.A17.yeah",
    "single.A17.bbr",
    "single.A33.reno",
    "single.A33.yeah",
    "single.D50.cubic",
    "single.E83.reno",
    "gso.A33.bbr",
    "single.A67.reno",
    "single.C33.reno",
    "single.A17.dctcp",
    "single.A67.dctcp",
    "single.C33.dctcp",
    "dctcp.K20",
    "drop.alternate.cubic",
    "drop.d1.reno",
    "drop.d2.cubic",
    "drop.d3.reno",
    "drop.d4.cubic",
    "drop.d4s.reno",
    "drop.first.reno",
    "drop.late2.reno",
    "drop.rexmit.cubic",
    "hold.h2ms.reno",
    "hold.h30ms.reno",
    "pair.A33.bbr+bbr",
    "pair.A133.cubic+bbr",
    "single.B167.bbr",
    "loss0.001.reno",
    "loss0.001.westwood",
    "loss0.001.veno",
)


@pytest.mark.parametrize("name", HOLD)
def test_a_cell_is_near_the_kernels(name: str) -> None:
    rows = beside.compare(CELLS[name])
    assert len(rows) == len(CELLS[name].flows)
    for row in rows:
        assert row.holds, [d for d in row.distances if d.holds is False]


def test_each_recorded_cell_is_a_cell_with_all_its_flows() -> None:
    flows = recorded.flows()
    assert flows.keys() | recorded.transfers().keys() <= CELLS.keys()
    assert all(len(CELLS[name].flows) == len(found) for name, found in flows.items())


def test_what_lies_outside_is_seen() -> None:
    """An initial window that differs from the kernel's changes the time of a repair, and the comparison shows it."""
    (row,) = beside.compare(CELLS["drop.d2.cubic"], {"initial_cwnd": 2})
    assert not row.holds
    (row,) = beside.compare(CELLS["loss0.001.reno"], {"max_window": 20}, seeds=2)
    assert [d.what for d in row.distances if d.holds is False] == ["goodput, Mb/s"]


def test_a_control_that_is_not_there_is_said() -> None:
    (row,) = beside.compare(CELLS["dctcp.K5"], {"variant": "nosuch"})
    assert "nosuch" in row.refused
    assert not row.holds


def test_the_page_shows_both_values_and_the_cause() -> None:
    cell = CELLS["drop.d1.reno"]
    kernel = Outcome(((158.0, 28),), 28, 631.5)
    near, far = (
        tuple(beside._transfer(cell, kernel, Outcome(sent, 28, 640.0))) for sent in (((159.0, 28),), ())
    )
    text = beside.page([beside.Row(cell, 0, near), beside.Row(cell, 0, far)])
    assert "1 of 2 rows lie within." in text
    assert "| 158.0 / 159.0 (+1.0) |" in text
    assert "| **158.0 / none** |" in text


SOURCES = {
    "arch/um/Kconfig": "config OTHER\n\tdefault 7\n\nconfig HZ\n\tint\n\tdefault 100\n",
    "arch/um/os-Linux/util.c": (
        "#include <stdlib.h>\nssize_t os_getrandom(void *b, size_t n, unsigned int f)\n{\n\treturn 0;\n}\n"
    ),
}


def test_the_two_changes_to_the_kernel_are_made_once(tmp_path: Path) -> None:
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    kernel._change(tmp_path)
    kernel._change(tmp_path)
    assert "default 1000" in (tmp_path / "arch/um/Kconfig").read_text()
    assert "default 7\n" in (tmp_path / "arch/um/Kconfig").read_text()
    made = (tmp_path / "arch/um/os-Linux/util.c").read_text()
    assert made.count("getenv") == 1
    assert "*byte = b;" in made
    assert "i < n" in made


def test_other_sources_are_refused(tmp_path: Path) -> None:
    for name in SOURCES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("nothing\n")
    with pytest.raises(kernel.NoKernel, match="other sources"):
        kernel._change(tmp_path)


@pytest.mark.skipif(not shutil.which("gcc"), reason="no C compiler")
def test_the_seeded_numbers_are_splitmix64(tmp_path: Path) -> None:
    """The random bytes are the low bytes of SplitMix64's numbers (Steele, Lea and Flood 2014)."""
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    kernel._change(tmp_path)
    source = tmp_path / "arch/um/os-Linux/util.c"
    program = "\n#include <stdio.h>\nint main(void)\n{\n\tunsigned char b[4];\n\tos_getrandom(b, 4, 0);\n"
    text = "#include <sys/types.h>\n" + source.read_text() + program
    source.write_text(text + '\tprintf("%d %d %d %d", b[0], b[1], b[2], b[3]);\n}\n')
    subprocess.run(["gcc", "-o", tmp_path / "a", source], check=True)
    done = subprocess.run([tmp_path / "a"], env={"UML_SEED": "5"}, check=True, capture_output=True, text=True)
    state, words = 5 * 0x9E3779B97F4A7C15 + 1, []
    for _ in range(4):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) % 2**64
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) % 2**64
        words.append((z ^ z >> 31) & 255)
    assert [int(each) for each in done.stdout.split()] == words


def test_a_cell_is_written_for_the_lab() -> None:
    text = kernel._lines(CELLS["hold.h8ms.cubic"], ())
    assert "hold 150 8000\n" in text
    assert "flow cubic 0.0 434400\n" in text
    assert "rate 10000000\n" in text
    assert "queue fq_codel limit 1000 quantum 1514 ecn\n" in kernel._lines(CELLS["aqm.fqcodel.ecn.reno"], ())


def test_without_a_kernel_a_boot_says_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACKCLOCK_KERNEL", str(tmp_path))
    with pytest.raises(kernel.NoKernel, match="make kernel"):
        kernel.boot(CELLS["drop.d1.reno"])


def test_a_build_without_its_tools_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ACKCLOCK_KERNEL", str(tmp_path / "kernel"))
    monkeypatch.setattr(kernel.shutil, "which", lambda name, path=None: name != "bison" or None)
    assert kernel.main() == 0
    assert capsys.readouterr().out == "skipped: these are missing: apt-get install bison\n"
    assert not (tmp_path / "kernel").exists()
