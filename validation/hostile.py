"""Mutated scenarios under a limit of memory: each ends in results, an error or an interruption, never in an abort.

    python -m validation.hostile --count 10000 --interrupt 500 --seed 1

Each scenario is one of the package's or of `fuzz/corpus`, with some random changes: bytes, numbers at the ends of their
types, lines and tables of other scenarios. Each is run as by ``ackclock run``, in a separate process with an address
space of 2 GB. A run that has used `BUDGET_S` of processor time gets Ctrl-C. `--interrupt` scenarios, drawn at random,
get it at a random moment up to `EARLY_S`. After Ctrl-C, a run must end within `PROMPT_S` of processor time.
Cases that fail are written to results/hostile.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from validation.reference import PROJECT

MEMORY = 2_000_000 * 1024
"""Address space of each process, bytes; the limit of ``ulimit -v 2000000``."""
BUDGET_S = 0.3
"""Processor time after which a run is interrupted, s."""
EARLY_S = 0.05
"""Latest processor time at which a scenario that is to be interrupted gets Ctrl-C, s; most end before 0.1 s."""
PROMPT_S = 1.0
"""Longest permitted processor time from Ctrl-C to the end, s."""
FOUND = PROJECT / "results" / "hostile"

NUMBERS = (
    *("0", "-1", "1", "2", "0.5", "1e-300", "1e300", "nan", "inf", "-inf", "4294967295", "4294967296"),
    *("9223372036854775807", "9223372036854775808", "18446744073709551615", "1000000", "100000"),
)
UNITS = ("ps", "us", "ms", "s", "h", "B", "GB", "TiB", "bps", "Gbps", "bdp", "%", "")
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?")


def bases() -> list[str]:
    """Return the texts that are changed, in the order of their paths."""
    folders = (
        PROJECT / "python" / "ackclock" / "scenarios",
        *sorted((PROJECT / "fuzz" / "corpus").glob("scenario_*")),
    )
    paths = [path for folder in folders for path in sorted(folder.glob("*.toml"))]
    return [path.read_text(encoding="utf-8") for path in paths]


def mutated(texts: Sequence[str], draw: random.Random) -> str:
    """Return one of the texts after one to three random changes."""
    text = draw.choice(texts)
    for _ in range(draw.randint(1, 3)):
        text = draw.choice((_number, _number, _number, _line, _table, _bytes))(text, texts, draw)
    return text


def _number(text: str, _: Sequence[str], draw: random.Random) -> str:
    """Replace a number; in three of ten cases also replace its unit."""
    found = list(NUMBER.finditer(text))
    if not found:
        return text
    one = draw.choice(found)
    unit = re.match(r"[A-Za-z%/]*", text[one.end() :])
    keep = draw.random() < 0.7 or unit is None
    end = one.end() if keep or unit is None else one.end() + unit.end()
    scaled = f"{float(one.group()) * 10 ** draw.uniform(-2, 2):.6g}"
    number = scaled if draw.random() < 0.5 else draw.choice(NUMBERS)
    return text[: one.start()] + number + ("" if keep else draw.choice(UNITS)) + text[end:]


def _line(text: str, texts: Sequence[str], draw: random.Random) -> str:
    """Remove, repeat or exchange a line, or insert a line of another scenario."""
    lines, other = text.splitlines(), draw.choice(texts).splitlines()
    if not lines:
        return text
    at = draw.randrange(len(lines))
    match draw.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            lines.insert(at, draw.choice(other))
        case _:
            to = draw.randrange(len(lines))
            lines[at], lines[to] = lines[to], lines[at]
    return "\n".join(lines) + "\n"


def _table(text: str, texts: Sequence[str], draw: random.Random) -> str:
    """Append a table of another scenario, or remove one of this scenario's tables."""
    own, other = re.split(r"(?m)^(?=\[\[)", text), re.split(r"(?m)^(?=\[\[)", draw.choice(texts))
    if draw.random() < 0.5 and len(other) > 1:
        return text + "\n" + draw.choice(other[1:])
    if len(own) > 1:
        del own[draw.randrange(1, len(own))]
    return "".join(own)


def _bytes(text: str, _: Sequence[str], draw: random.Random) -> str:
    """Replace up to eight characters by up to four random ones."""
    at = draw.randrange(len(text) + 1)
    put = "".join(
        draw.choice("[]{}=\"'.,#\n\t 0123456789eE+-_abxyz\u202e\u00e9\0") for _ in range(draw.randrange(5))
    )
    return text[:at] + put + text[at + draw.randrange(9) :]


def _child(path: Path) -> int:
    """Run a scenario with limited memory and without output, in a process made for it; return the exit status."""
    from ackclock.cli.main import main

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return main(["run", str(path), "-q"])


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def attempt(path: Path, after_s: float) -> tuple[str, float]:
    """Run a scenario and interrupt it after `after_s` seconds of processor time, if it has not ended before.

    Returns:
        The outcome, and the processor time from Ctrl-C to the end, s; 0 if it ended by itself.
    """
    pid = os.fork()
    if pid == 0:
        status = 1
        with contextlib.suppress(BaseException):
            status = _child(path)
        os._exit(status)
    told: float | None = None
    began = time.monotonic()
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        used = _cpu_s(pid)
        if told is None and used >= after_s:
            os.kill(pid, signal.SIGINT)
            told = used
        if (told is not None and used - told > 10 * PROMPT_S) or time.monotonic() - began > 900:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return "did not end", (used - told) if told is not None else used
        time.sleep(0.005)
        last = used
    took = 0.0 if told is None else max(0.0, last - told)
    if os.WIFSIGNALED(status):
        return f"died of {signal.Signals(os.WTERMSIG(status)).name}", took
    return {0: "results", 2: "error", 130: "interrupted"}.get(
        os.WEXITSTATUS(status), f"exit status {status >> 8}"
    ), took


def main(argv: Sequence[str] | None = None) -> int:
    """Run the scenarios; return 1 if any of them aborted, had a bug or did not end in time."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=10_000, help="number of scenarios")
    parser.add_argument(
        "--interrupt", type=int, default=500, help="number that get Ctrl-C at a random moment"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first scenario, to continue")
    args = parser.parse_args(argv)
    from ackclock.cli.main import main as command

    # Load the modules that a run imports once here, instead of in each process.
    command(["run", "dumbbell", "--set", "duration=1s", "-q"])
    texts = bases()
    outcomes: Counter[str] = Counter()
    bad, longest, heard, told = [], 0.0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.first, args.count):
            draw = random.Random(f"{args.seed} {number}")
            path = Path(folder) / "scenario.toml"
            path.write_text(mutated(texts, draw), encoding="utf-8")
            early = told < args.interrupt and draw.random() < 0.5
            after_s = draw.uniform(0, EARLY_S) if early else BUDGET_S
            outcome, took = attempt(path, after_s)
            outcomes[outcome] += 1
            told += early and outcome == "interrupted"
            heard += outcome == "interrupted"
            longest = max(longest, took)
            if outcome not in ("results", "error", "interrupted") or took > PROMPT_S:
                FOUND.mkdir(parents=True, exist_ok=True)
                kept = FOUND / f"seed-{args.seed}-{number}.toml"
                kept.write_bytes(path.read_bytes())
                bad.append(f"{kept.name}: {outcome}, {took:.2f} s after Ctrl-C")
                print(bad[-1], flush=True)
            if (number + 1) % 100 == 0:
                print(f"{number + 1}: {dict(outcomes)}, longest after Ctrl-C {longest:.2f} s", flush=True)
    print(
        f"{sum(outcomes.values())} scenarios: {dict(outcomes)}; {heard} heard Ctrl-C, {told} of them at a random "
        f"moment; the longest took {longest:.2f} s of processor time; {len(bad)} failures"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
