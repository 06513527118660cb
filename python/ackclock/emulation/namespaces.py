"""Finds or creates an emulation's network namespaces. Each has a TUN device with an address and routes."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from ackclock.errors import UserError, choices

DEVICE = "ackclock"
"""Name of the TUN device in each namespace."""

QUEUE_PACKETS = 10_000
"""Queue length of a TUN device, packets. The emulator reads at once, so the queue fills only when it is late."""

NAMED = Path("/run/netns")
"""Folder with the files of named namespaces, where ``ip netns`` puts them."""

WHOLE_MACHINE = "0 0 4294967295"
"""Content of ``uid_map`` outside user namespaces: every user number maps to itself."""

CONTROL = "/proc/sys/net/ipv4/tcp_congestion_control"
AVAILABLE = "/proc/sys/net/ipv4/tcp_available_congestion_control"
ADVICE = "run it as root, or in a user namespace of your own: unshare -Urn ackclock emulate ..."


class Namespace:
    """A network namespace, either with a name or kept alive by a helper process.

    In a user namespace no names can be registered, so a helper process is started there. It ends with this process.
    """

    def __init__(
        self, name: str, path: Path, *, made: bool, holder: subprocess.Popen[bytes] | None = None
    ) -> None:
        """Describe the namespace with file `path`; with `made` it is removed at the end."""
        self.name = name
        self.path = path
        self.made = made
        self._holder = holder
        self._control: str | None = None

    def command(self, words: Sequence[str]) -> list[str]:
        """Return the command line that runs `words` in the namespace."""
        if self._holder is None:
            return ["ip", "netns", "exec", self.name, *words]
        return ["nsenter", f"--net={self.path}", "--", *words]

    def tell(self, *words: str, what: str) -> str:
        """Run a command in the namespace and return its output; an error says that `what` failed."""
        return tell(["nsenter", f"--net={self.path}", "--", *words], what)

    def configure(self, address: str, peer: str, mtu: int, control: str | None) -> None:
        """Set up the device: its address, its MTU, and the route to the other end.

        The congestion control is set as an attribute of the route, since a namespace accepts as its default only the
        controls that the machine allows to all users.
        """
        what = f"setting up device {DEVICE} in namespace {self.name}"
        self.tell(
            "ip", "link", "set", "dev", DEVICE, "mtu", str(mtu), "txqueuelen", str(QUEUE_PACKETS), what=what
        )
        # Without this the kernel sends IPv6 packets to announce itself, which no application has sent.
        self.tell("ip", "link", "set", "dev", DEVICE, "addrgenmode", "none", what=what)
        self.tell("ip", "address", "add", address, "peer", f"{peer}/32", "dev", DEVICE, what=what)
        self.tell("ip", "link", "set", "dev", DEVICE, "up", what=what)
        if control is not None:
            self._control = control
            route = (
                "ip",
                "route",
                "replace",
                f"{peer}/32",
                "dev",
                DEVICE,
                "src",
                address,
                "congctl",
                control,
            )
            self.tell(*route, what=f"setting the congestion control {control}")
        if self.made:
            self.tell("ip", "link", "set", "dev", "lo", "up", what=what)
            self.tell("ip", "route", "add", "default", "dev", DEVICE, what=what)

    def check_control(self, name: str) -> None:
        """Raise `UserError` if the kernel has no congestion control of this name."""
        known = self.tell("cat", AVAILABLE, what="reading the kernel's congestion controls").split()
        if name not in known:
            raise UserError(
                f"--control {name}: this kernel has no such congestion control{choices(name, known)}"
            )

    def control(self) -> str:
        """Return the kernel's congestion control for new connections to the other end."""
        return self._control or self.tell("cat", CONTROL, what="reading the congestion control").strip()

    def dropped(self) -> int:
        """Return how many packets the device has dropped because its queue was full."""
        shown = self.tell(
            "ip", "-json", "-statistics", "link", "show", "dev", DEVICE, what="reading counters"
        )
        return int(json.loads(shown)[0]["stats64"]["tx"]["dropped"])

    def close(self) -> None:
        """Remove the namespace if it was made here; device and routes have already vanished with the emulation."""
        if self._holder is not None:
            self._holder.kill()
            self._holder.wait()
        elif self.made:
            tell(["ip", "netns", "delete", self.name], f"removing namespace {self.name}")
        elif self._control is not None:
            self.tell(
                "sh", "-c", f"echo {self._control} > {CONTROL}", what="restoring the congestion control"
            )


def tell(words: Sequence[str], what: str) -> str:
    """Run a command and return its output.

    Raises:
        UserError: If the command fails; the message has `what` and the command's error output.

    """
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{what}: {done.stderr.strip() or f'{words[0]} failed'}\n  {ADVICE}")
    return done.stdout


def check_machine() -> None:
    """Raise `UserError` if this machine lacks namespaces, TUN devices or tools."""
    if not Path("/proc/self/ns/net").exists():
        raise UserError("emulation runs on Linux alone: it needs network namespaces and TUN devices")
    for tool, package in (("ip", "iproute2"), ("nsenter", "util-linux")):
        if shutil.which(tool) is None:
            raise UserError(f"emulation needs the program {tool} (package {package})")
    if not Path("/dev/net/tun").exists():
        raise UserError(
            "there is no /dev/net/tun: the kernel has no TUN devices here\n"
            "  load the module (modprobe tun), or give the container the device (--device /dev/net/tun)"
        )
    if os.geteuid() != 0:
        raise UserError(f"emulation makes network namespaces, for which this user has no right\n  {ADVICE}")


@contextlib.contextmanager
def namespaces(names: Sequence[str], *, create: bool = True) -> Iterator[list[Namespace]]:
    """Yield namespaces with these names; missing ones are created, and removed when the context ends.

    Raises:
        UserError: If a namespace cannot be made, or does not exist and must not be made.

    """
    with contextlib.ExitStack() as opened:
        found = []
        for name in names:
            one = _namespace(name, create=create)
            opened.callback(one.close)
            found.append(one)
        yield found


def _namespace(name: str, *, create: bool) -> Namespace:
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}", name):
        raise UserError(
            f"--between {name}: not a name for a namespace\n  allowed: letters, digits, _, . and -"
        )
    path = NAMED / name
    if path.exists():
        return Namespace(name, path, made=False)
    if not create:
        known = sorted(entry.name for entry in NAMED.iterdir()) if NAMED.is_dir() else []
        raise UserError(
            f"--existing: there is no namespace {name}{choices(name, known, '' if known else 'none')}"
        )
    if in_user_namespace():
        return _held(name)
    tell(["ip", "netns", "add", name], f"making namespace {name}")
    return Namespace(name, path, made=True)


def in_user_namespace() -> bool:
    """Return true if this process is in a user namespace, where root has no rights over the machine."""
    return " ".join(Path("/proc/self/uid_map").read_text().split()) != WHOLE_MACHINE


def _held(name: str) -> Namespace:
    """Create a namespace held by a process that waits until its standard input is closed."""
    words = ["unshare", "--net", "--", "sh", "-c", "echo; exec cat"]
    holder = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    assert holder.stdout is not None
    assert holder.stderr is not None
    if not holder.stdout.readline():
        holder.wait()
        why = holder.stderr.read().decode(errors="replace").strip()
        raise UserError(f"making namespace {name}: {why}\n  {ADVICE}")
    return Namespace(name, Path(f"/proc/{holder.pid}/ns/net"), made=True, holder=holder)
