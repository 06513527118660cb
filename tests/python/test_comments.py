"""Comments, doc comments and docstrings obey the rules of the pages: first words, phrasebook, length of sentences."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest
from tests.python.comments import Block, blocks, prose
from tests.python.prose import END, habits, rule, words

BEGINNINGS = "What|Whether|Whose|Who|Where|How|Which|Why|Likewise|So many|As though"
"""First words after which the reader has to wait for the noun."""

RIDDLE = re.compile(rf"\W*({BEGINNINGS})\b")

RIDDLE_OF_AN_ENTRY = re.compile(
    rf"^ +\**\w+(?: \([^)]*\))?: ({BEGINNINGS})\b.*", re.IGNORECASE | re.MULTILINE
)
"""An entry of a docstring's section, such as an argument, that begins with one of these words."""

VERBS = """
accept acknowledge add adjust admit advance align allocate allow announce answer append apply arm ask assert assign
associate attach average back begin bind block book bound break bring broadcast build calculate call cancel carry
change charge check choose claim clamp clear close collect combine come compare compile complete compute configure
connect consume continue convert copy count crash create cut cycle deal decide declare decode decorate deduce defer
define deflate delay delete deliver depart depend derive describe detect disable discard divide do double drain draw
drop dump echo emulate empty enable encode end enforce enqueue ensure enter escape estimate evaluate evict exchange
execute exit expand expect expire explain export express extend extract fail feed fetch fill find finish fire fit
flush fold follow forget format forward free freeze gather generate get give go grant group grow halve hand handle
hash have hide hold implement import increase inflate initialize insert install interleave interpolate interrupt
invalidate invert is iterate join judge keep label lay learn leave let limit link list load lock log look lose lower
make map mark match measure merge mix model move multiply name normalize note number observe offer open order
overwrite pack pad parse partition pass pause perform permit pick pickle place plan play poll pop post postpone
predict prefer prefetch prepare print process produce project propagate prune publish pull push put queue quote raise
rank read readdress rebuild receive recompute reconnect record reduce refill refuse register reject rejoin release
remember remove rename render renew reorder repair repeat replace replay report request require reschedule reserve
reset resolve restart restore restrict resume retransmit retry return reuse rewrite rotate round route run sample save
say scale schedule search seed select send separate serialize serve set share shift shorten show shrink shut silence
simulate skip sleep smooth solve sort split spread start state stay step stop store strip submit subtract suggest sum
summarize suspend switch take tell terminate test tick tighten time trace track transfer translate transmit treat
trigger trim truncate try turn undo unmark unpack unwrap update use validate verify visit wait wake walk warn weigh
widen withdraw wrap write yield
"""
"""Verbs with which a function's first sentence may begin; add those that are missing."""

IRREGULAR = {"is": "is", "have": "has"}


def third_person(verb: str) -> str:
    """Return the third person singular of a verb."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search(r"(?:s|x|z|ch|sh|o)$", verb) else f"{verb}s"


IMPERATIVE = set(VERBS.split())
THIRD_PERSON = {third_person(verb) for verb in IMPERATIVE}


def test_the_collector_sees_every_kind_of_comment() -> None:
    seen = {(block.kind, block.item) for block in blocks()}
    assert seen >= {
        ("doc", "module"), ("doc", "fn"), ("doc", "field"), ("doc", "struct"), ("doc", "enum"), ("doc", "trait"),
        ("docstring", "module"), ("docstring", "function"), ("docstring", "property"), ("docstring", "class"),
        ("docstring", "value"), ("line", "code"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("verb", "form"),
    [("return", "returns"), ("carry", "carries"), ("push", "pushes"), ("play", "plays"), ("do", "does")],
)
def test_third_person(verb: str, form: str) -> None:
    assert third_person(verb) == form


def test_no_comment_begins_with_a_riddle() -> None:
    found = [f"{block.where}: {block.text}" for block in blocks() if RIDDLE.match(block.text)]
    for block in blocks():
        if block.kind == "docstring":
            found += [f"{block.where}: {hit[0].strip()}" for hit in RIDDLE_OF_AN_ENTRY.finditer(block.text)]
    assert not found, "Begin with the verb or the noun:\n" + "\n".join(found)


def test_a_function_is_described_by_a_verb() -> None:
    found = []
    for block in blocks():
        begins = re.match(r"[A-Za-z]+", block.text.strip())
        first = begins[0] if begins else ""
        if block.item == "fn" and not (first[:1].isupper() and first.lower() in THIRD_PERSON):
            found.append(f"{block.where}: a verb in the third person (`Returns`): {block.text}")
        elif block.item == "function" and not (first[:1].isupper() and first.lower() in IMPERATIVE):
            found.append(f"{block.where}: a verb in the imperative (`Return`): {block.text}")
    assert not found, f"{len(found)} begin without a verb, or with one that VERBS lacks:\n" + "\n".join(found)


def sentences(block: Block) -> Iterator[str]:
    """Yield the sentences without code and literal blocks; an entry in a docstring's section counts as a sentence."""
    text = re.sub(r"\n\n(?: {4,}.*\n?)+", "\n\n", block.text)
    for one in END.split(re.sub(r"\n\s+(?=\**\w+(?: \([^)]*\))?: )", "\n\n", prose(text))):
        yield " ".join((one or "").split())


def test_no_sentence_of_a_comment_is_too_long() -> None:
    limit = rule("SentenceLength")["max"]
    long = [
        f"{block.where}: {words(one)} words: {one}"
        for block in blocks()
        for one in sentences(block)
        if words(one) > limit
    ]
    assert not long, "\n".join(long)


def test_comments_keep_to_the_phrasebook() -> None:
    found = [
        f"{block.where}: {hit[0]!r}: {fix}: {one}"
        for block in blocks()
        for one in sentences(block)
        for pattern, fix in habits()
        if (hit := pattern.search(one))
    ]
    assert not found, "\n".join(found)


def test_no_comment_says_the_same_twice() -> None:
    found = [
        f"{block.where}: {one}"
        for block in blocks()
        for one, following in itertools.pairwise(sentences(block))
        if one == following and words(one) > 3
    ]
    assert not found, "\n".join(found)
