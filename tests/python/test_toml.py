"""TOML writing: values are read back unchanged."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

import ackclock as ac
from ackclock.scenario.toml import inline, to_toml, value_text

TEXT = some.text(some.characters(exclude_categories=["Cs"], exclude_characters="\x7f"), max_size=20)
SCALARS = some.one_of(some.booleans(), some.integers(-(2**60), 2**60), some.floats(-1e9, 1e9), TEXT)
VALUES = some.recursive(
    SCALARS,
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(TEXT, inner, max_size=4),
    max_leaves=8,
)


@given(some.dictionaries(TEXT, VALUES, max_size=6))
def test_documents_read_back(document: dict[str, Any]) -> None:
    assert tomllib.loads(to_toml(document)) == document


@given(VALUES)
def test_settings_read_back(value: object) -> None:
    text = value_text(value)
    try:
        read = tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        read = text
    assert read == value


def test_scenarios_look_as_people_write_them() -> None:
    document = {
        "duration": "10s",
        "link": [{"between": ["a", "b"], "queue": {"kind": "droptail", "packets": 5}}],
    }
    assert to_toml(document) == (
        'duration = "10s"\n\n[[link]]\nbetween = ["a", "b"]\nqueue = { kind = "droptail", packets = 5 }\n'
    )


def test_text_stays_bare_unless_it_would_be_read_as_something_else() -> None:
    assert value_text("5Mbps") == "5Mbps"
    assert value_text("5") == '"5"'
    assert value_text("true") == '"true"'
    assert value_text(5) == "5"


def test_what_cannot_stand_in_a_scenario_is_refused() -> None:
    with pytest.raises(TypeError, match="cannot be part of a scenario"):
        inline(object())


def test_numbers_of_numpy_are_numbers() -> None:
    """Values of `numpy.linspace` and seeds of `numpy.arange` are accepted, as notebooks use them."""
    import numpy as np

    scenario = ac.dumbbell(["reno"])
    path = "link.bottleneck.queue.packets"
    assert scenario.set(path, np.int64(7)).json() == scenario.set(path, 7).json()
    document = scenario.document()
    document["seed"] = np.uint32(5)
    document["link"] = tuple(document["link"])
    assert ac.Scenario(document).document()["seed"] == 5
    assert inline({"a": np.array([1.5, 2.0]), "b": np.bool_(True)}) == "{ a = [1.5, 2.0], b = true }"
    with pytest.raises(TypeError, match="cannot be part of a scenario"):
        inline(object())
