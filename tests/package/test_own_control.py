"""The template of a crate with a control of one's own builds outside the workspace, and its control is a variant."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
TEMPLATE = PROJECT / "examples" / "own-control"


@pytest.mark.slow
def test_the_template_builds_and_its_control_runs(tmp_path: Path) -> None:
    if shutil.which("cargo") is None:
        pytest.skip("needs Rust")
    # Compiled crates are shared with the workspace's own.
    environment = os.environ | {"CARGO_TARGET_DIR": str(PROJECT / "target" / "own-control")}

    def run(*settings: str) -> subprocess.CompletedProcess[str]:
        command = ["cargo", "run", "--quiet", "--manifest-path", str(TEMPLATE / "Cargo.toml"), "--"]
        return subprocess.run(
            [*command, str(TEMPLATE / "gentle.toml"), *settings],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            cwd=tmp_path,
        )

    done = run()
    assert done.returncode == 0, done.stderr
    flows = json.loads(done.stdout)["flows"]
    assert [flow["variant"] for flow in flows] == ["gentle", "sack"]
    assert flows[0]["goodput_bps"] > 1e6
    assert json.loads(run("flow.0.tcp.control.beta=0.3").stdout)["flows"][0] != flows[0]
    refused = run("flow.0.tcp.control.beta=3")
    assert refused.returncode == 2
    assert "0.1 to 0.99" in refused.stderr
