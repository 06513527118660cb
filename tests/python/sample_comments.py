"""Draws comments and docstrings at random, for a reader to grade; and counts the grades.

    python -m tests.python.sample_comments --seed 1 --count 200 > sample.txt
    python -m tests.python.sample_comments --tally sample.txt

The sample has comments of every package, folder or crate in proportion to their number. Each comment follows a line
`grade:`. The reader reads the comment alone, then with its code, and puts one letter behind `grade:`:

    c  clear at the first reading
    s  needs a second reading, or is wrong
    n  noise: it adds nothing to the name

The sample depends only on the seed and the files. Two readers can grade samples with different seeds of one state.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

from tests.python.comments import PROJECT, Block, blocks

GRADES = {"c": "clear", "s": "second reading", "n": "noise"}
HEADING = re.compile(r"^grade: *(\w?) +\[(?P<room>[\w-]+)\]", re.MULTILINE)
CONTEXT = 6
"""Number of lines of code that are shown below a comment."""


def worth_grading(block: Block) -> bool:
    """Return true for doc comments and docstrings, and for other comments of more than three words."""
    return block.kind != "line" or len(block.text.split()) > 3


def draw(seed: int, count: int) -> list[Block]:
    """Draw `count` comments, from each package, folder or crate in proportion to its number of comments.

    Fractions are rounded by the largest remainder.
    """
    rooms: dict[str, list[Block]] = defaultdict(list)
    for block in blocks():
        if worth_grading(block):
            rooms[block.room].append(block)
    total = sum(len(found) for found in rooms.values())
    shares = {room: count * len(found) / total for room, found in rooms.items()}
    sizes = {room: int(share) for room, share in shares.items()}
    by_remainder = sorted(rooms, key=lambda room: (sizes[room] - shares[room], room))
    for room in by_remainder[: count - sum(sizes.values())]:
        sizes[room] += 1
    random_order = random.Random(seed)
    return [block for room in sorted(rooms) for block in random_order.sample(rooms[room], sizes[room])]


def shown(block: Block) -> str:
    """Return a comment with its place and the code around it."""
    lines = block.path.read_text(encoding="utf-8").split("\n")
    begin = block.line - 1 - (2 if block.kind == "docstring" else 0)
    below = lines[max(0, begin) : block.last + CONTEXT]
    return f"grade:   [{block.room}] {block.path.relative_to(PROJECT)}:{block.line}\n" + "\n".join(below)


def tally(path: Path) -> str:
    """Return a table with the number of comments of each grade, by room and in total."""
    found = [(hit[1], hit["room"]) for hit in HEADING.finditer(path.read_text(encoding="utf-8"))]
    if missing := [grade for grade, _ in found if grade not in GRADES]:
        raise SystemExit(
            f"{len(missing)} of {len(found)} comments have no grade: write one of {', '.join(GRADES)}"
        )
    rows = {
        room: Counter(grade for grade, of in found if of == room)
        for room in sorted({room for _, room in found})
    }
    rows["all"] = Counter(grade for grade, _ in found)
    head = f"{'room':20}" + "".join(f"{name:>16}" for name in GRADES.values())
    return "\n".join(
        [head, *(f"{room:20}" + "".join(f"{row[g]:>16}" for g in GRADES) for room, row in rows.items())]
    )


def main() -> None:
    """Draw a sample, or count the grades in one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--tally", type=Path, metavar="FILE", help="count the grades in FILE")
    options = parser.parse_args()
    if options.tally:
        print(tally(options.tally))
        return
    sample = draw(options.seed, options.count)
    begins = sum(bool(re.match(r"What\b", block.text)) for block in sample)
    print(f"{len(sample)} comments, seed {options.seed}; {begins} begin with What", file=sys.stderr)
    print("\n\n".join(shown(block) for block in sample))


if __name__ == "__main__":
    main()
