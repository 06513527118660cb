"""The generator of ns-2 scenarios reproduces the recorded traces exactly."""

import pytest

from validation import ns2, reference

pytestmark = pytest.mark.skipif(not ns2.available(), reason="ns-2 is not installed")


@pytest.mark.parametrize("name", ["fourdrops_sack", "twodrops_SA_reno"])
def test_fallfloyd_is_reproduced_to_the_byte(name: str) -> None:
    try:
        tests = {t["test"]: t for t in reference.fallfloyd_tests()}
        expected = reference.fallfloyd_events(name)
    except reference.MissingReference as missing:
        pytest.skip(str(missing))
    test = tests[name]
    case = ns2.FallFloyd(reference.variant(test["variant"]), tuple(test["droplist"]), "_SA_" in name)
    assert ns2.run_fallfloyd(case).events == expected


def test_table1_counters_are_the_recorded_ones() -> None:
    from validation import scenarios

    counts = ns2.run_dumbbell(scenarios.table1("reno")).flows
    # ../shared/reference/wired/abadin/table1.json, setting K, Reno, seed 0
    assert counts == [ns2.FlowCounts(2752, 124, 2623, 1), ns2.FlowCounts(2112, 97, 2009, 2)]
