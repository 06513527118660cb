"""Completion of words in the shell, by the protocol of the completion scripts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MAIN = "import sys; sys.argv[0] = 'ackclock'; from ackclock.cli.main import main; sys.exit(main())"


def completed(line: str, folder: Path, shell: str = "bash") -> list[str]:
    """Return the words that a shell offers at the end of a line."""
    words = line.split(" ")
    asked = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1), "_TYPER_COMPLETE_ARGS": line}
    action = {"_ACKCLOCK_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    found = subprocess.run(
        [sys.executable, "-c", MAIN],
        env={**os.environ, **asked, **action},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return found.stdout.split("\n")[:-1]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ackclock ru", {"run"}),
        ("ackclock run dumb", {"dumbbell"}),
        ("ackclock run m", {"mine.toml", "mesh"}),
        ("ackclock run sub/", {"sub/own.json"}),
        ("ackclock run dumbbell --trace cwnd,qu", {"cwnd,queue"}),
        ("ackclock run dumbbell --set link.bottleneck.ra", {"link.bottleneck.rate"}),
        ("ackclock run mine.toml --set flow.bulk.tcp.variant=cubi", {"flow.bulk.tcp.variant=cubic"}),
        ("ackclock sweep mine.toml --vary flow.bulk.tcp.prof", {"flow.bulk.tcp.profile"}),
        ("ackclock sweep dumbbell --measure jain,goodput_s", {"jain,goodput_share:"}),
        ("ackclock compare vegas cubi", {"cubic"}),
        ("ackclock compare a=cubi", {"a=cubic"}),
        ("ackclock study aba", {"abadin"}),
        ("ackclock study abadin --only fig2", {"fig2"}),
        ("ackclock list scen", {"scenarios"}),
        ("ackclock diff-profiles rfc lin", {"linux"}),
    ],
)
def test_words_of_the_package_and_of_the_disk(line: str, expected: set[str], tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/own.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "mine.toml").write_text(
        'duration = "1s"\n[[link]]\nbetween = ["a", "b"]\nrate = "1Mbps"\ndelay = "1ms"\n'
        '[[flow]]\nname = "bulk"\nfrom = "a"\nto = "b"\ntcp = { variant = "reno" }\n'
    )
    assert set(completed(line, tmp_path)) == expected


def test_a_wrong_line_offers_nothing_and_says_nothing(tmp_path: Path) -> None:
    assert completed("ackclock run missing.toml --set link.", tmp_path) in ([], [""])


def test_zsh_and_fish_have_descriptions_in_one_line(tmp_path: Path) -> None:
    (fish,) = completed("ackclock run dumbbell --trace cwn", tmp_path, "fish")
    name, text = fish.split("\t")
    assert (name, len(text.strip()) <= 60) == ("cwnd", True)
    zsh = "\n".join(completed("ackclock run dumbbell --trace cwn", tmp_path, "zsh"))
    assert '"cwnd":"congestion window' in zsh
