"""Package the Rust crates that others may use: `ackclock`, `ackclock-quinn` and all that they are made of.

`python packaging/crates.py FOLDER` makes the packages as a registry would get them, into FOLDER/target/package.
`--verify` compiles each from its package (`make package`, minutes). The crates are marked `publish = false`, so that
nobody publishes them by accident. cargo does not package marked crates that need one another, so this works on a copy
without the mark. `FOLDER` is emptied first.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PYTHON_ONLY = ("ackclock-py", "ackclock-extension")
"""The crates that go into wheels and nowhere else."""
MARK = "\npublish = false\n"


def copy(folder: Path) -> None:
    """Copy the workspace to a folder, its crates marked as publishable."""
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
    """Make the packages from a copy.

    Raises:
        subprocess.CalledProcessError: if cargo refuses one, or one does not compile from its package.
    """
    command = ["cargo", "package", "--quiet", "--workspace", "--locked", "--allow-dirty"]
    command += [word for name in PYTHON_ONLY for word in ("--exclude", name)]
    command += [] if verify else ["--no-verify", "--offline"]
    subprocess.run(command, cwd=folder, check=True)


def main() -> None:
    """Carry out the command line."""
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
