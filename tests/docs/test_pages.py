"""Tutorials, how-to guides and phrasebooks: each command runs, and each fragment of a scenario file is accepted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from docs import outputs

DOCS = Path(__file__).resolve().parents[2] / "docs"
COMMAND = re.compile(r"^    (ackclock [a-z].*)$", re.MULTILINE)
TOML = re.compile(r"^```toml\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```(?:python|text)\n# (\w+\.(?:py|csv))\n(.*?)^```", re.MULTILINE | re.DOTALL)
TASKS = sorted((DOCS / "howto").glob("*.md"))
PHRASEBOOKS = sorted((DOCS / "howto").glob("phrasebook-*.md"))

# Keys in the fragments of a phrasebook, by the table of the example scenario to which they belong.
RED = ("max_p", "weight", "ecn", "mark_below", "wait", "mean_packet")
LINK = ("rate", "delay", "queue", "loss")
FLOW = ("traffic", "start", "stop")
WIFI = ("routing", "rate_control", "access_point", "standard", "profile", "rts_threshold")
LTE = ("scheduler", "rlc", "handover")


@pytest.mark.slow
@pytest.mark.parametrize("page", TASKS, ids=[page.stem for page in TASKS])
def test_the_commands_of_a_page_work_one_after_another(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block in TOML.findall(text):
        (tmp_path / "scenario.toml").write_text(block, encoding="utf-8")
    for name, block in FILE.findall(text):
        (tmp_path / name).write_text(block, encoding="utf-8")
    for line in COMMAND.findall(text):
        command = line.split("  #")[0].replace("ackclock", f"{sys.executable} -m ackclock", 1)
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=tmp_path,
            env=os.environ | {"COLUMNS": "80"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{page.name}: {line}\n{done.stdout}\n{done.stderr}"
        if "--print-slurm" in command:
            carry_out_array(done.stdout, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("page", outputs.TUTORIALS, ids=[page.stem for page in outputs.TUTORIALS])
def test_a_tutorial_shows_what_its_commands_print_and_draw(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert outputs.completed(text, tmp_path) == text, "make pages writes it anew"
    for path, content in outputs.pictures(text, tmp_path):
        assert path.read_bytes() == content, f"{path}: make pages draws it anew"


def test_the_outputs_of_a_page_are_written_after_its_commands(tmp_path: Path) -> None:
    command = "    ackclock list scales  # exit 2\n\n```text\none\n... and 9 more lines\n```\n\n"
    page = f"{command}```python\nprint(6 * 7)\n```\nEnd\n"
    found = outputs.completed(page, tmp_path)
    assert "```python\nprint(6 * 7)\n```\n\n```text\n42\n```\nEnd\n" in found
    assert re.search(r"```text\nerror: .*scales.*\n\.\.\. and \d+ more lines\n```", found), found
    assert outputs.completed(found, tmp_path) == found
    with pytest.raises(AssertionError, match="exit code 2"):
        outputs.completed("    ackclock list scales\n", tmp_path)


def test_every_command_of_a_tutorial_has_its_output() -> None:
    for page in outputs.TUTORIALS:
        text = page.read_text(encoding="utf-8")
        assert len(COMMAND.findall(text)) >= 3
        for shown in outputs.SHOWN.finditer(text):
            assert shown["output"], f"{page.name}: {shown[0]}"
        for path, _ in outputs.PICTURE.findall(text):
            assert (DOCS / "_static" / path).exists(), path


def carry_out_array(script: str, folder: Path) -> None:
    """Run the tasks of a printed array job one after another, with Slurm's variables and stand-ins for its commands."""
    tools = folder / "tools"
    tools.mkdir()
    for name, text in (("srun", 'exec "$@"'), ("ackclock", f'exec {sys.executable} -m ackclock "$@"')):
        (tools / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (tools / name).chmod(0o755)
    tasks = re.search(r"^#SBATCH --array=1-(\d+)$", script, re.MULTILINE)
    assert tasks is not None, script
    for task in range(1, int(tasks[1]) + 1):
        given = {"SLURM_ARRAY_TASK_ID": str(task), "SLURM_CPUS_PER_TASK": "2"}
        path = f"{tools}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(
            ["/bin/bash", "-c", script], cwd=folder, env=os.environ | given | {"PATH": path}, check=True
        )


def test_there_are_twenty_tasks_and_the_index_names_each() -> None:
    tasks = [page for page in (DOCS / "howto").glob("*.md") if page.stem != "index"]
    index = (DOCS / "howto" / "index.md").read_text(encoding="utf-8")
    assert len(tasks) >= 20
    assert all(f"({page.name})" in index for page in tasks)


def fragments() -> list[tuple[str, str]]:
    """Return every `key = value` in the right column of a phrasebook, except those that contain `...`."""
    found = []
    for book in PHRASEBOOKS:
        for row in re.findall(r"^\| .* \| (.*) \|$", book.read_text(encoding="utf-8"), re.MULTILINE):
            for code in re.findall(r"`([^`]+)`", row):
                if re.match(r"[a-z_]+ = ", code) and "..." not in code and "trace =" not in code:
                    found.append((book.stem, code))
    return found


@pytest.mark.parametrize(("book", "code"), fragments(), ids=[code for _, code in fragments()])
def test_a_phrase_is_accepted(book: str, code: str) -> None:
    ((key, value),) = tomllib.loads(code).items()
    if key in ("between", "at", "set", "to", "reverse", "toward"):
        pytest.skip("holds in its table only, where other pages have it")
    name = "wlan" if key in WIFI and value not in ("ns2",) else "lte" if key in LTE else "dumbbell"
    document: dict[str, Any] = ac.load(name).document()
    flow = document["flow"][0]
    if key in ("duration", "seed"):
        document[key] = value
    elif key in LINK:
        document["link"][0][key] = toward(value, document["link"][0]["between"][1])
    elif key in RED and value not in ("classic",):
        document["link"][0]["queue"] = {"kind": "red", key: value}
    elif key == "derandomize":
        document["link"][0]["queue"] = {"kind": "pie", key: value}
    elif key in FLOW:
        flow[key] = value
        if isinstance(value, dict) and value["kind"] == "cbr":
            flow.pop("tcp", None)
        document["duration"] = "100s"
    elif key in ("position", "mobility"):
        document["node"] = [{"name": flow["from"], "position": [0, 0], key: value}]
    elif name == "wlan":
        document["wifi"][0][key] = value
        accommodate(document, key, value)
    elif name == "lte":
        document["lte"][0][key] = value
    else:
        flow.setdefault("tcp", {})[key] = value
    ac.Scenario(document).check()


def toward(value: Any, node: str) -> Any:
    """Return the value with the `toward` of each loss set to an existing node."""
    return value | {"toward": node} if isinstance(value, dict) and "toward" in value else value


def accommodate(document: dict[str, Any], key: str, value: Any) -> None:
    """Remove those settings of the example that contradict the fragment."""
    network = document["wifi"][0]
    if key == "routing":
        network.pop("access_point")
    if key in ("standard", "rate_control", "profile"):
        network.pop("rate", None)
    if key == "rate_control" and "minstrel" in str(value):
        network["standard"] = "n"
