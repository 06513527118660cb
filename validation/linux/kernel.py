"""Builds the reference kernel outside the source tree, and boots it to run a cell.

    python -m validation.linux.kernel        # what `make kernel` calls

Debian's sources of Linux 6.12 are built as User-Mode Linux, a program with virtual time. Two places of the sources are
changed: the timer's frequency, and the source of random numbers, which then depend on a seed. The network code is
unchanged. The result is in the user's cache (`XDG_CACHE_HOME`); a build takes about six minutes of processor time.

In the cache, `linux` is the kernel, and `root` has the program `lab`, which runs whole cells.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from validation.linux.cells import Cell

HERE = Path(__file__).parent
GUEST = HERE.parents[1] / "crates" / "uml" / "guest" / "init.c"
PACKAGE = "linux-source-6.12"
TOOLS = {
    "apt-get": "apt", "dpkg": "dpkg", "tar": "tar", "xz": "xz-utils", "make": "make", "gcc": "gcc", "flex": "flex",
    "bison": "bison", "bc": "bc", "ip": "iproute2", "tc": "iproute2",
}  # fmt: skip
"""Programs that a build needs, each with its Debian package."""
STAMPS = {
    "KBUILD_BUILD_TIMESTAMP": "2025-01-01",
    "KBUILD_BUILD_USER": "ackclock",
    "KBUILD_BUILD_HOST": "ackclock",
    "KBUILD_BUILD_VERSION": "1",
}
"""Build stamps of the kernel; they are fixed, since the kernel's random numbers depend on them."""
SEEDED = """
	/* Random numbers that UML_SEED decides (splitmix64). */
	static unsigned long long ackclock_state;
	static int ackclock_seeded = -1;
	if (ackclock_seeded < 0) {{
		char *seed = getenv("UML_SEED");
		ackclock_seeded = seed != 0;
		if (seed)
			ackclock_state = strtoull(seed, 0, 10) * 0x9E3779B97F4A7C15ull + 1;
	}}
	if (ackclock_seeded) {{
		unsigned char *byte = {to};
		size_t i;
		for (i = 0; i < {length}; i++) {{
			unsigned long long z = (ackclock_state += 0x9E3779B97F4A7C15ull);
			z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
			z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
			byte[i] = z ^ (z >> 31);
		}}
		return {length};
	}}
"""


class NoKernel(Exception):  # noqa: N818 - not an error: a reason to skip
    """Reason why there is no kernel: it cannot be built on this machine, or has not been built yet."""


def folder() -> Path:
    """Return the folder of the kernel: `ACKCLOCK_KERNEL`, or a folder in the user's cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("ACKCLOCK_KERNEL") or cache / "ackclock" / "linux-6.12")


def program() -> Path:
    """Return the path of the kernel, which is an executable program."""
    found = folder() / "linux"
    if not found.exists():
        raise NoKernel(f"no kernel at {found}: `make kernel` builds it")
    return found


def _edit(path: Path, pattern: str, made: str, name: str) -> None:
    text = path.read_text(encoding="utf-8")
    changed, count = re.subn(pattern, made, text, count=1)
    if count != 1:
        raise NoKernel(f"{name} is not found in {path}: these are other sources than those of Linux 6.12")
    path.write_text(changed, encoding="utf-8")


def _change(source: Path) -> None:
    """Make both changes in the kernel's sources, unless they have been made already."""
    utilities = source / "arch/um/os-Linux/util.c"
    if "ackclock_seeded" in utilities.read_text(encoding="utf-8"):
        return
    _edit(
        source / "arch/um/Kconfig", r"(config HZ\b[^#]*?default )\d+", r"\g<1>1000", "the timer's frequency"
    )
    made = SEEDED.format(to=r"\g<to>", length=r"\g<length>")
    pattern = r"(os_getrandom\([^)]*?(?P<to>\w+)\s*,[^)]*?(?P<length>\w+)\s*,[^)]*\)\s*\{)"
    _edit(utilities, pattern, r"\g<1>" + made, "the source of random numbers")


def _copy_with_libraries(root: Path, name: str) -> None:
    found = Path(shutil.which(name, path=os.environ.get("PATH", "") + ":/sbin:/usr/sbin") or name)
    shutil.copy(found, root / "bin" / name)
    needed = subprocess.run(["ldd", found], check=True, capture_output=True, text=True).stdout
    for library in re.findall(r"(/\S+)", needed):
        copied = root / library.lstrip("/")
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, copied)


def _compile(source: Path, to: Path) -> None:
    flags = ["-O2", "-static", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["gcc", *flags, "-o", to, source], check=True)


def archive(entries: list[tuple[str, int, bytes, tuple[int, int]]]) -> bytes:
    """Return an initial file system as a cpio archive (format newc).

    An entry is (name, mode, content, (major, minor) of the device).
    """
    out = bytearray()
    for number, (name, mode, content, device) in enumerate([*entries, ("TRAILER!!!", 0, b"", (0, 0))], 1):
        label = name.encode() + b"\0"
        fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(label), 0)
        out += b"070701" + "".join(f"{field:08x}" for field in fields).encode() + label
        out += bytes(-len(out) % 4) + content
        out += bytes(-len(out) % 4)
    return bytes(out)


def make_guest(to: Path) -> None:
    """Make the initial file system of guests (endpoints of flows): init, a console, and a folder for /proc."""
    init = to / "init"
    _compile(GUEST, init)
    folder, device, file = 0o040755, 0o020600, 0o100755
    entries = [
        ("dev", folder, b"", (0, 0)),
        ("dev/console", device, b"", (5, 1)),
        ("proc", folder, b"", (0, 0)),
        ("init", file, init.read_bytes(), (0, 0)),
    ]
    (to / "guest.cpio").write_bytes(archive(entries))
    init.unlink()


def make_root(to: Path) -> None:
    """Make the kernel's root file system in the folder `to`, with the test program `lab`, `ip` and `tc`."""
    root = to / "root"
    for name in ("cells", "proc", "sys", "dev", "bin", "tmp"):
        (root / name).mkdir(parents=True, exist_ok=True)
    _compile(HERE / "lab.c", root / "lab")
    for name in ("ip", "tc"):
        _copy_with_libraries(root, name)


def build() -> Path:
    """Build the kernel and its root file system if they are missing; return their folder."""
    path = os.environ.get("PATH", "") + ":/sbin:/usr/sbin"
    missing = sorted({package for tool, package in TOOLS.items() if not shutil.which(tool, path=path)})
    if sys.platform != "linux" or "apt" in missing:
        raise NoKernel("it is built from a package of Debian on Linux: there is no apt-get here")
    if missing:
        raise NoKernel(f"these are missing: apt-get install {' '.join(missing)}")
    to = folder()
    to.mkdir(parents=True, exist_ok=True)
    make_root(to)
    make_guest(to)
    if (to / "linux").exists():
        return to

    def run(*command: str | Path, at: Path = to) -> None:
        done = subprocess.run(
            ["nice", "-n", "10", *command],
            cwd=at, env={**os.environ, **STAMPS}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        if done.returncode:
            raise NoKernel(f"{' '.join(map(str, command))}: {done.stderr.strip()[-500:]}")

    source = to / PACKAGE
    if not (source / "Makefile").exists():
        run("apt-get", "download", PACKAGE)
        package = max(to.glob(f"{PACKAGE}_*.deb"))
        run("dpkg", "-x", package, to / "package")
        run("tar", "xf", to / "package" / "usr" / "src" / f"{PACKAGE}.tar.xz")
        shutil.rmtree(to / "package")
    _change(source)
    run("make", "ARCH=um", "defconfig", at=source)
    run("scripts/kconfig/merge_config.sh", "-m", ".config", HERE / "kernel.config", at=source)
    run("make", "ARCH=um", "olddefconfig", at=source)
    run("make", "ARCH=um", f"-j{os.cpu_count() or 1}", "linux", at=source)
    shutil.copy(source / "linux", to / "linux")
    shutil.rmtree(source)
    return to


def _lines(cell: Cell, drops: tuple[int, ...]) -> str:
    queue = {
        "": "",
        "codel": f"codel limit 1000 {'ecn' if cell.ecn else 'noecn'}",
        "fq_codel": f"fq_codel limit 1000 quantum 1514 {'ecn' if cell.ecn else 'noecn'}",
        "pie": f"pie limit 1000{' ecn' if cell.ecn else ''}",
    }[cell.queue]
    values: list[tuple[str, object]] = [
        ("rate", cell.link.rate_bps),
        ("delay_us", cell.link.delay_us),
        ("limit", cell.link.limit),
        ("stop", cell.stop_s),
        ("netem", int(cell.one_sided)),
        ("receive_buffer", cell.receive_buffer),
        ("ecn", int(cell.ecn)),
        ("hystart", int(cell.hystart)),
        ("gso", int(cell.gso)),
        *([("loss", cell.loss)] if cell.loss else []),
        *([("mark_at", cell.mark_at)] if cell.mark_at else []),
        *([("queue", queue)] if queue else []),
        *([("hold", f"{cell.hold[0]} {cell.hold[1]}")] if cell.hold else []),
        *(("drop", number) for number in drops),
        *(("flow", f"{flow.control} {flow.start_s} {flow.size}") for flow in cell.flows),
    ]
    return "".join(f"{key} {value}\n" for key, value in values)


def boot(cell: Cell, seed: int = 1, drops: tuple[int, ...] | None = None, timeout_s: float = 900) -> Path:
    """Run a cell in the kernel; return the common prefix of its tables (`.flow0.csv`, `.packets.csv`)."""
    kernel = program()
    name = f"{cell.name}.s{seed}"
    root = kernel.parent / "root"
    tables = root / "cells" / name
    text = _lines(cell, cell.drops if drops is None else drops)
    tables.with_name(name + ".cell").write_text(text, encoding="utf-8")
    command = [
        "nice", "-n", "10", str(kernel), "mem=768M", "time-travel=inf-cpu",
        "time-travel-start=1700000000000000000", "rootfstype=hostfs", f"rootflags={root}", "root=/dev/root", "rw",
        "init=/lab", f"CELL={name}", "quiet", "con=null", "con0=fd:0,fd:1",
    ]  # fmt: skip
    environment = {**os.environ, "UML_SEED": str(seed)}
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, timeout=timeout_s
    )
    if "lab: done" not in done.stdout:
        raise RuntimeError(f"{name}: {done.stdout[-500:]}{done.stderr[-500:]}")
    return tables


def main() -> int:
    """Build the kernel, or print the reason why it cannot be built."""
    try:
        print(f"the kernel is in {build()}")
    except NoKernel as reason:
        print(f"skipped: {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
