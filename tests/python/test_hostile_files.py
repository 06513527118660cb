"""Difficult environments: closed streams, limited encodings, damaged or forged result files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ackclock as ac
from ackclock.cli import streams
from ackclock.cli.main import main

RUN = "run dumbbell --set duration=1s"


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run an ackclock command in a shell."""
    line = f"{sys.executable} -m ackclock {command}"
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, check=False, env={**os.environ, **environment}, timeout=60
    )


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (f"{RUN} >&-", 0),
        (f"{RUN} 2>&-", 0),
        (f"{RUN} <&- >&- 2>&-", 0),
        ("run nosuch >&- 2>&-", 2),
        (f"{RUN} --json - >&-", 2),
    ],
)
def test_closed_streams_are_no_reason_to_fail(command: str, status: int) -> None:
    done = shell(command)
    assert done.returncode == status, done.stderr
    assert b"Traceback" not in done.stdout + done.stderr


def test_a_closed_stream_gives_its_number_to_no_file(tmp_path: Path) -> None:
    """If standard output is closed, the first opened file could get its descriptor, and then receive printed text."""
    done = shell(f"{RUN} --out {tmp_path / 'out'} >&- 2>&-")
    assert done.returncode == 0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["seed"] == 1


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_an_encoding_without_our_characters_gets_others(encoding: str, tmp_path: Path) -> None:
    done = shell(
        f"compare reno sack --reps 2 --duration 2s --no-packets --out {tmp_path / 'out'}",
        PYTHONIOENCODING=encoding,
    )
    assert done.returncode == 0, done.stderr
    wanted = "+-" if encoding == "ascii" else "±"
    assert wanted in done.stdout.decode(encoding)


def test_every_character_that_we_print_has_a_plain_form() -> None:
    package = Path(ac.__file__).parent
    used = {
        one for path in package.rglob("*.py") for one in path.read_text(encoding="utf-8") if ord(one) > 127
    }
    streams.prepare()
    assert [one for one in used if "?" in one.encode("ascii", streams.HANDLER).decode()] == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a comparison."""
    out = tmp_path_factory.mktemp("compared") / "one"
    short = ["--reps", "2", "--duration", "1s", "--rate", "1Mbps", "--no-packets", "-q"]
    assert main(["compare", "reno", "sack", *short, "--out", str(out)]) == 0
    return out


def again(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run ``compare --again`` on a folder with `text` as its manifest; return the exit status and the error."""
    path = folder / "manifest.json"
    kept = path.read_text(encoding="utf-8")
    try:
        path.write_text(text, encoding="utf-8")
        status = main(["compare", "--again", str(folder)])
    finally:
        path.write_text(kept, encoding="utf-8")
    return status, capsys.readouterr().err


@pytest.mark.parametrize(
    ("entry", "value", "told"),
    [
        ("seeds", [7, 8], "seeds: [7, 8], but it was made with [1, 2]"),
        ("version", "9.9.9", 'version: "9.9.9", but it was made with'),
        ("jitter_bounds_s", [5.0, 5.0], "jitter_bounds_s: [5.0, 5.0]"),
        ("bottleneck", "elsewhere", 'bottleneck: "elsewhere"'),
        ("further", 1, "further: 1"),
    ],
)
def test_a_false_manifest_is_not_believed(
    entry: str, value: object, told: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    status, error = again(folder, json.dumps({**manifest, entry: value}), capsys)
    assert status == 2
    assert "does not describe what made these files" in error
    assert told in " ".join(error.split())


def test_a_manifest_lists_every_file_of_its_folder_and_no_other(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    files = dict(manifest["files"])
    del files["runs.csv"]
    status, error = again(folder, json.dumps({**manifest, "files": files}), capsys)
    assert (status, "runs.csv not listed" in error) == (2, True)
    for name in ("../secret", "/etc/passwd", "a/../../b", "a\0b"):
        status, error = again(folder, json.dumps({**manifest, "files": {name: "0"}}), capsys)
        assert (status, "outside the folder" in error) == (2, True), error


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"plan": {}, "files": {}}',
        '"\\ud800"',
        '{"x": "\\ud800"}',
        "1e999",
    ],
)
def test_damaged_files_are_told_in_a_sentence(
    text: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, error = again(folder, text, capsys)
    assert status == 2, error
    assert "manifest.json" in error
    shard = folder.parent / "shard-1-of-1"
    shard.mkdir(exist_ok=True)
    (shard / "shard.json").write_text(text, encoding="utf-8")
    assert main(["sweep", "--merge", str(shard)]) == 2
    assert "shard.json" in capsys.readouterr().err


SCALARS = st.sampled_from(
    [None, "x", "", -1, 0, 1e400, [], {}, {"a": [1]}, [[1]], 10**30, float("nan"), "\ud800"]
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_manifest_of_wrong_types_is_refused(
    data: st.DataObject, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Any value in place of any entry of the plan leads to a user error, never to a traceback."""
    manifest = json.loads((folder / "manifest.json").read_text())
    entry: Any = manifest["plan"]
    while True:
        key = data.draw(st.sampled_from(sorted(entry) if isinstance(entry, dict) else range(len(entry))))
        if not (isinstance(entry[key], dict | list) and entry[key] and data.draw(st.booleans())):
            break
        entry = entry[key]
    entry[key] = data.draw(SCALARS)
    status, error = again(folder, json.dumps(manifest), capsys)
    assert status in (0, 2), error
    assert "Traceback" not in error


@pytest.mark.parametrize("depth", [500, 100_000])
def test_documents_without_end_are_refused(depth: int) -> None:
    nested: Any = {}
    for _ in range(depth):
        nested = {"a": nested}
    cyclic: dict[str, Any] = {}
    cyclic["a"] = cyclic
    document = ac.dumbbell(variants=["reno"]).document()
    for one in (nested, cyclic):
        with pytest.raises(ac.ScenarioError, match="nested too deeply"):
            ac.Scenario({**document, "node": [one]})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("seed", float("nan")),
        ("link.bottleneck.loss.rate", float("inf")),
        ("seed", 10**400),
        ("link.bottleneck.rate", "\ud800"),
    ],
)
def test_a_value_that_no_file_can_hold_names_its_field(path: str, value: object) -> None:
    with pytest.raises(ac.ScenarioError, match=path):
        ac.dumbbell(variants=["reno"]).set(path, value)


def test_limits_hold(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Huge manifests, special files and huge numbers of replications are refused."""
    from ackclock._io import files

    monkeypatch.setattr(files, "LARGEST_JSON", 1 << 10)
    with pytest.raises(ac.errors.FileError, match="too large"):
        files.read_json(folder / "manifest.json")
    with pytest.raises(ac.errors.FileError, match="a device, a pipe"):
        files.read_json(Path("/dev/zero"))
    with pytest.raises(ac.errors.FileError, match="a folder"):
        files.read_json(folder)
    for reps in (0, 1_000_001, True, "3"):
        with pytest.raises(ac.errors.UserError, match="reps: not allowed"):
            ac.compare("reno", "sack", reps=reps, duration="1s")
