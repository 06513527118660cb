"""Shortest paths through a scenario's links."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ackclock.scenario.path_properties import Roads

LINKS = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda two: two[0] != two[1]), max_size=14
)


def fewest(links: list[tuple[int, int]], source: int, target: int) -> int | None:
    """Return the number of links of a shortest path by growing the set of reached nodes; None without a path."""
    reached, rounds = {source}, 0
    while target not in reached:
        more = {b for a, b in links if a in reached} | {a for a, b in links if b in reached}
        if more <= reached:
            return None
        reached |= more
        rounds += 1
    return rounds


@given(LINKS, st.integers(0, 7), st.integers(0, 7))
def test_a_route_is_a_shortest_path(links: list[tuple[int, int]], source: int, target: int) -> None:
    described: dict[str, Any] = {"link": [{"between": [str(a), str(b)]} for a, b in links]}
    hops = Roads(described).route(str(source), str(target))
    at = str(source)
    for link, forward in hops:
        a, b = link["between"] if forward else reversed(link["between"])
        assert a == at
        at = b
    wanted = fewest(links, source, target)
    assert len(hops) == (wanted or 0)
    assert at == (str(target) if wanted else str(source))


def test_the_first_of_parallel_links_is_taken() -> None:
    described = {
        "link": [{"between": ["b", "a"], "name": "first"}, {"between": ["a", "b"], "name": "second"}]
    }
    ((link, forward),) = Roads(described).route("a", "b")
    assert (link["name"], forward) == ("first", False)
