"""Each row in SECURITY.md's table of limits is checked by tests, which are listed here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]

TESTS = {
    "a scenario file, a Python file with a control": [
        "test_loading.py::test_only_regular_files_of_a_limited_size_are_read"
    ],
    "a manifest or a shard's file": [
        "test_hostile_files.py::test_limits_hold",
        "test_hostile_files.py::test_a_false_manifest_is_not_believed",
    ],
    "a scenario in Python": [
        "test_hostile_files.py::test_documents_without_end_are_refused",
        "test_hostile_files.py::test_a_value_that_no_file_can_hold_names_its_field",
    ],
    "replications of a point": ["test_hostile_files.py::test_limits_hold"],
    "a name of a node, link, flow or network": [
        "crates/sim/src/scenario/tests/bounds.rs::values_at_the_ends_of_their_types_are_refused_in_words"
    ],
    "a timer, a period of on-off traffic, a time of a queue": [
        "crates/sim/src/scenario/tests/bounds.rs::values_at_the_ends_of_their_types_are_refused_in_words"
    ],
    "shards of a sweep": ["test_shards.py::test_countless_shards_are_refused"],
    "files in `--out` that ackclock did not write": [
        "test_outputs.py::test_a_users_own_files_are_replaced_only_if_asked"
    ],
    "code that a scenario names": ["test_loading.py::test_no_verb_runs_what_only_a_scenario_names"],
    "links, and flows, of a scenario": [
        "test_limits.py::test_more_flows_than_there_may_be_are_refused_before_they_are_made"
    ],
    "a window in a scenario": ["test_limits.py::test_a_window_beyond_the_bound_is_refused"],
    "the window in force": [
        "test_limits.py::test_a_control_that_doubles_its_window_is_told_so_and_takes_no_machine"
    ],
    "`cwnd` that a control answers": ["test_limits.py::test_a_control_that_answers_no_window_is_named"],
    "segments that leave before somebody looks at Ctrl-C and at memory": [
        "test_limits.py::test_ctrl_c_is_heard_within_a_burst"
    ],
    "memory (Linux)": ["test_limits.py::test_memory_is_looked_at_between_bursts"],
    "Ctrl-C": [
        "test_limits.py::test_ctrl_c_is_heard_within_a_burst",
        "test_limits.py::test_ctrl_c_is_heard_while_a_large_scenario_is_read",
    ],
    "a capture": [
        "test_measured_limits.py::test_a_capture_beyond_a_limit_is_refused",
        "test_measured_limits.py::test_a_block_of_pcapng_that_claims_gigabytes_is_refused",
    ],
    "samples of `ss`, a data file of flent": [
        "test_measured_limits.py::test_a_large_file_of_samples_is_refused"
    ],
    "a table of a run's folder": ["test_measured_limits.py::test_a_large_table_of_a_folder_is_refused"],
    "bins of a measured run's throughput": ["test_measured_limits.py::test_bins_without_number_are_refused"],
    "a trace, a movement or a video file": [
        "test_faults.py::test_a_scenario_reads_ordinary_files_of_its_folder_alone"
    ],
}
"""Tests by the first cell of the row; tests in Python are in this folder."""


def limits() -> list[str]:
    """Return the first cells of the table."""
    text = (PROJECT / "SECURITY.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \|", text, re.MULTILINE)
    assert rows[:2] == ["what", "---"]
    return rows[2:]


def test_every_limit_has_its_tests() -> None:
    assert limits() == list(TESTS)


@pytest.mark.parametrize("test", sorted({test for tests in TESTS.values() for test in tests}))
def test_the_tests_exist(test: str) -> None:
    file, name = test.split("::")
    path = PROJECT / file if "/" in file else Path(__file__).with_name(file)
    assert re.search(rf"^\s*(?:def|fn) {name}\(", path.read_text(encoding="utf-8"), re.MULTILINE)
