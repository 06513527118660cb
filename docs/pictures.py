"""Writes the pictures of the README: the output of its first commands in a terminal of 80 columns (`make pages`)."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from matplotlib.figure import Figure
from rich.console import Console
from rich.text import Text

import ackclock as ac

FOLDER: Final = Path(__file__).parent / "_static"

COLUMNS: Final = 80

PICTURES: Final = {
    "first-run": (
        "ackclock run bufferbloat",
        "ackclock run bufferbloat --set link.uplink.queue.kind=fq-codel",
    ),
    "first-comparison": ("ackclock compare newreno cubic bbr",),
    "first-study": ("ackclock study abadin --quick",),
}
"""The commands of each picture."""

MOST_LINES: Final = 48
"""Maximum number of lines in a picture; of a longer output the rest is left out, and the picture states this."""

CAPTURE: Final = Path(__file__).parents[1] / "tests" / "data" / "captures" / "kernel-cubic.pcap.gz"
"""Capture of a Linux transfer over a path of 10 Mb/s and 40 ms with a buffer of 50 kB."""

_FORMAT: Final = """\
<svg viewBox="0 0 {terminal_width} {terminal_height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font: {char_height}px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="100%" height="100%" /></clipPath>
{lines}
</defs>
<rect width="{terminal_width}" height="{terminal_height}" rx="8" fill="#292929" />
<g transform="translate(9, 9)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def shown(command: str) -> str:
    """Return the standard output of a command that is run in an empty folder, for a terminal with `COLUMNS` columns."""
    arguments = [sys.executable, "-m", "ackclock", *command.split()[1:]]
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "NO_COLOR": "1"}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            arguments, cwd=folder, env=environment, capture_output=True, text=True, check=True
        )
    return "\n".join(line.rstrip() for line in done.stdout.splitlines())


def picture(name: str) -> str:
    """Return the picture of a command and its output as SVG."""
    console = Console(record=True, width=COLUMNS + 1, file=io.StringIO(), color_system="truecolor")
    left = MOST_LINES
    for i, command in enumerate(PICTURES[name]):
        lines = shown(command).splitlines()
        if i:
            console.print()
        console.print(Text("$ ", style="green").append(command, style="bold white"))
        for line in lines[:left]:
            console.print(Text(line), no_wrap=True, overflow="ignore", crop=False)
        if len(lines) > left:
            console.print(Text(f"... and {len(lines) - left} more lines", style="bright_black"))
        left = max(0, left - len(lines))
    return console.export_svg(title="", code_format=_FORMAT, unique_id=name)


def beside() -> Figure:
    """Return a figure of a captured transfer, and of a simulation of the path that was estimated from the capture."""
    measured = ac.measured.read("pcap", CAPTURE, variant="cubic")
    simulated = ac.measured.fit("pcap", CAPTURE).scenario("cubic").run(traces=["state"])
    both = ac.runs.beside({"measured": measured, "simulated": simulated})
    figure = both.plot.rtt()
    figure.axes[0].set_xlim(0, measured.manifest["duration_s"])
    return figure


def main() -> None:
    """Write every picture."""
    beside().savefig(FOLDER / "measured-beside-simulated.png", metadata={"Software": None})
    for name in PICTURES:
        (FOLDER / f"{name}.svg").write_text(picture(name), encoding="utf-8")


if __name__ == "__main__":
    main()
