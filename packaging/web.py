"""Build the laboratory in a browser (`make web`): core as WebAssembly, and page, in `python/ackclock/lab/lab.zip`.

The core needs Rust's standard library for `wasm32-unknown-unknown`. `rustup target add wasm32-unknown-unknown` installs
it; without rustup, Debian's packages `rustc-web`, `cargo-web`, `rust-web-src` and `lld` build it from its sources. The
page needs Node.js with npm. With `--if-possible`, for CI, a missing tool is reported but is not a failure. The files
built are not part of the sources.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
TARGET = "wasm32-unknown-unknown"
OUT = PROJECT / "target" / "web"
CORE = OUT / "ackclock.wasm"
BUILD = [
    "rustc",
    "-p",
    "ackclock-web",
    "--lib",
    "--crate-type",
    "cdylib",
    "--target",
    TARGET,
    "--profile",
    "web",
]
SOURCES = PROJECT / "lab"
PACKED = PROJECT / "python" / "ackclock" / "lab" / "lab.zip"
DEBIAN = {
    "cargo": "/usr/share/cargo/bin/cargo",
    "rustc": "/usr/bin/rustc",
    "sources": "/usr/src/rustc-{}/library",
}


class MissingError(Exception):
    """A required tool is missing; the message tells how to get it."""


def rustup_has_target() -> bool:
    """Return true if the project's toolchain can compile for browsers; rustup, if installed, adds the target."""
    if shutil.which("rustc") is None:
        return False
    root = subprocess.run(["rustc", "--print", "sysroot"], cwd=PROJECT, capture_output=True, text=True)
    if root.returncode == 0 and (Path(root.stdout.strip()) / "lib" / "rustlib" / TARGET).exists():
        return True
    if shutil.which("rustup") is None:
        return False
    try:
        got = subprocess.run(
            ["rustup", "target", "add", TARGET], cwd=PROJECT, capture_output=True, timeout=300
        )
    except subprocess.TimeoutExpired:
        return False
    return got.returncode == 0


def debian_tools() -> tuple[list[str], dict[str, str]] | None:
    """Return cargo's command and environment with Debian's packages; None if the packages are not installed."""
    rustc = Path(DEBIAN["rustc"])
    linker = shutil.which("wasm-ld") or next((str(one) for one in Path("/usr/bin").glob("wasm-ld-*")), None)
    if not rustc.exists() or linker is None:
        return None
    version = subprocess.run([rustc, "--version"], capture_output=True, text=True, check=True).stdout.split()[
        1
    ]
    cargo = next((one for one in (DEBIAN["cargo"], "/usr/bin/cargo") if Path(one).exists()), None)
    if cargo is None or not Path(DEBIAN["sources"].format(version)).exists():
        return None
    own = {
        "RUSTC": str(rustc),
        "RUSTC_BOOTSTRAP": "1",
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER": linker,
    }
    return [cargo, "-Zbuild-std=std,panic_abort"], own


def build_core() -> None:
    """Compile the core.

    Raises:
        MissingError: If there is no compiler for browsers.
        subprocess.CalledProcessError: If the core does not compile.
    """
    tools: tuple[list[str], dict[str, str]] | None
    tools = (["cargo"], {}) if rustup_has_target() else debian_tools()
    if tools is None:
        raise MissingError(
            f"no Rust for browsers: `rustup target add {TARGET}`, or on Debian "
            "`apt-get install rustc-web cargo-web rust-web-src lld`"
        )
    command, own = tools
    build = [command[0], BUILD[0], *command[1:], *BUILD[1:], "--locked", "--quiet"]
    subprocess.run(build, cwd=PROJECT, env={**os.environ, **own}, check=True)
    OUT.mkdir(parents=True, exist_ok=True)
    built = Path(os.environ.get("CARGO_TARGET_DIR", PROJECT / "target")) / TARGET / "web" / "web.wasm"
    shutil.copy(built, CORE)
    size, packed = CORE.stat().st_size, len(gzip.compress(CORE.read_bytes(), 9))
    print(f"{CORE.relative_to(PROJECT)}: {size / 1e6:.2f} MB, {packed / 1e6:.2f} MB compressed")


def build_page() -> None:
    """Build the page: one file with the core and everything else.

    Raises:
        MissingError: If there is no npm, or the registry cannot be reached.
        subprocess.CalledProcessError: If the page does not compile.
    """
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise MissingError("the page needs Node.js 20 or later with npm")
    locked = (SOURCES / "package-lock.json").read_bytes()
    stamp = SOURCES / "node_modules" / ".locked"
    if not stamp.exists() or stamp.read_bytes() != locked:
        got = subprocess.run(
            [npm, "ci", "--no-audit", "--no-fund"], cwd=SOURCES, capture_output=True, text=True
        )
        if got.returncode:
            raise MissingError(
                f"`npm ci` failed in {SOURCES.relative_to(PROJECT)}: {got.stderr.strip()[-300:]}"
            )
        stamp.write_bytes(locked)
    for step in ("check", "build"):
        subprocess.run([npm, "run", "--silent", step], cwd=SOURCES, check=True, stdout=subprocess.DEVNULL)
    pack(frame(PROJECT / "target" / "lab"))
    print(f"{PACKED.relative_to(PROJECT)}: {PACKED.stat().st_size / 1e6:.2f} MB")


def pack(page: str) -> None:
    """Write the parts of the page; equal parts give equal bytes."""
    parts = {
        "page.html": page.encode(),
        "core.wasm": CORE.read_bytes(),
        "licences.txt": licences().encode(),
        "version": version().encode(),
    }
    with zipfile.ZipFile(PACKED, "w", zipfile.ZIP_LZMA) as packed:
        for name, content in parts.items():
            one = zipfile.ZipInfo(name)
            one.compress_type = zipfile.ZIP_LZMA
            packed.writestr(one, content)


def licences() -> str:
    """Return the licence notices of everything that the page contains."""
    parts = [(PROJECT / "THIRD-PARTY.txt").read_text(encoding="utf-8")]
    for name in json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))["dependencies"]:
        [file] = [one for one in (SOURCES / "node_modules" / name).iterdir() if one.stem.upper() == "LICENSE"]
        parts.append(f"{name}\n\n{file.read_text(encoding='utf-8').strip()}\n")
    return ("\n" + "=" * 78 + "\n").join(parts)


def digest(text: str) -> str:
    """Return the source expression that allows a script or style in a content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def version() -> str:
    """Return the package's version."""
    found = re.search(
        r'^version = "(.+)"', (PROJECT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE
    )
    return found[1] if found else ""


def frame(built: Path) -> str:
    """Return the page without what `ackclock.lab` puts in, with a policy that allows only its own script and style."""
    page = (built / "index.html").read_text(encoding="utf-8")
    [script] = (built / "assets").glob("*.js")
    [style] = (built / "assets").glob("*.css")
    page, scripts = re.subn(r"\s*<script type=\"module\"[^>]*></script>", "", page)
    page, styles = re.subn(r"\s*<link rel=\"stylesheet\"[^>]*>", "", page)
    if (scripts, styles) != (1, 1):
        raise SystemExit("the page that vite built has other parts than one script and one style")
    code = script.read_text(encoding="utf-8").replace("</script", "<\\/script")
    look = style.read_text(encoding="utf-8").strip()
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {digest(code)} 'wasm-unsafe-eval'",
            f"style-src {digest(look)}",
            "worker-src blob:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}" />\n    '
    names = [one["id"] for one in json.loads((SOURCES / "src" / "guides.json").read_text(encoding="utf-8"))]
    head += f'<meta name="guides" content="{" ".join(names)}" />\n    '
    page = page.replace('<meta charset="utf-8" />', f'<meta charset="utf-8" />\n    {head.rstrip()}')
    page = page.replace("</head>", f"  <style>{look}</style>\n  </head>")
    return page.replace("</body>", f'  <script type="module">{code}</script>\n  </body>')


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--if-possible", action="store_true", help="a missing tool is no failure")
    parser.add_argument("--page-only", action="store_true", help="take the core that is there")
    given = parser.parse_args()
    try:
        if not given.page_only:
            build_core()
        build_page()
    except MissingError as missing:
        print(f"the laboratory for browsers is not built: {missing}", file=sys.stderr)
        raise SystemExit(0 if given.if_possible else 1) from None


if __name__ == "__main__":
    main()
