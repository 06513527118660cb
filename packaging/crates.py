"""Package the Rust crates that others may use: `ackclock`, `ackclock-quinn` and the crates that they depend on.

`python packaging/crates.py FOLDER` writes the packages, as a registry would receive them, to FOLDER/target/package.
`--verify` compiles each from its package (`make package`; takes minutes). The crates are marked `publish = false`, so
that nobody publishes them by accident. cargo does not package marked crates that depend on each other, so this script
works on a copy without the mark. It empties `FOLDER` first.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PYTHON_ONLY = ("ackclock-py", "ackclock-extension", "ackclock-web")
"""Crates that are built only for Python wheels or for browsers; they are not packaged."""
MARK = "\npublish = false\n"


def copy(folder: Path) -> None:
    """Copy the workspace to a folder and mark its crates as publishable."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("Cargo.lock", "rust-toolchain.toml"):
        shutil.copy(PROJECT / name, folder)
    shutil.copytree(PROJECT / "crates", folder / "crates")
    manifest = (PROJECT / "Cargo.toml").read_text(encoding="utf-8")
    if manifest.count(MARK) != 1:
        raise SystemExit("Cargo.toml does not say `publish = false` for the workspace")
    (folder / "Cargo.toml").write_text(manifest.replace(MARK, "\npublish = true\n"), encoding="utf-8")


def package(folder: Path, *, verify: bool) -> None:
    """Build the packages from a copy of the workspace.

    Raises:
        subprocess.CalledProcessError: If cargo refuses a crate, or a package does not compile.
    """
    command = ["cargo", "package", "--quiet", "--workspace", "--locked", "--allow-dirty"]
    command += [word for name in PYTHON_ONLY for word in ("--exclude", name)]
    command += [] if verify else ["--no-verify", "--offline"]
    subprocess.run(command, cwd=folder, check=True)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--verify", action="store_true", help="compile each crate from its package")
    given = parser.parse_args()
    copy(given.folder)
    package(given.folder, verify=given.verify)
    for path in sorted((given.folder / "target" / "package").glob("*.crate")):
        print(f"{path.name:40} {path.stat().st_size / 1000:8.1f} kB")


if __name__ == "__main__":
    main()
