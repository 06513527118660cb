"""JSON Schemas of the results that verbs write with ``--json``, made from the glossary and the tables' columns.

`make pages` writes them into the package, next to ``scenario.schema.json``; ``ackclock schema NAME`` prints one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from ackclock import _core
from ackclock._io.files import json_text
from ackclock._io.versions import SCHEMA_VERSION
from ackclock.emulation import account
from ackclock.evaluate.declared import Level
from ackclock.evaluate.judging import Verdict
from ackclock.runs.columns import FORMER_MAPS
from ackclock.runs.run import SUMMARY_TABLES
from ackclock.runs.table import Table
from ackclock.scenario.topologies import dumbbell
from ackclock.stats.measures import BY_NAME, GOODPUT_SHARE

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

NUMBER: Final = {"type": ["number", "null"]}
TEXT: Final = {"type": "string"}


def run_schema() -> dict[str, Any]:
    """Return the schema of ``ackclock run --json`` and of ``summary.json``."""
    sample = dumbbell(duration="1s").run(seed=1)
    rows = {name: _row(name, Table(sample._result.table(name)), sample.summary) for name in SUMMARY_TABLES}
    # Tables that are not keys of the summary are nested in the rows of flows.
    nested = [name for name in SUMMARY_TABLES if name not in sample.summary]
    for name in nested:
        rows["flows"]["properties"][name] = _list(rows[name], "may be absent if empty")
    for table, key in FORMER_MAPS.items():
        rows[table]["properties"][key] = {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "description": "packets lost by cause; in columns lost_CAUSE_packets, too",
            "deprecated": True,
        }
    tables = {name: _list(one) for name, one in rows.items() if name not in nested}
    networks = {name: _list({"type": "object"}, f"networks of kind {name}") for name in ("wifi", "lte")}
    terms = {term["name"]: term["summary"] for term in _glossary("run")}
    return _document(
        "run",
        "Results of a run",
        {
            **tables,
            **networks,
            "fairness": _object({"jain": {**NUMBER, "description": terms["jain"]}}, "fairness of the flows"),
            "manifest": _object(
                {key: _typed(value) for key, value in sample.manifest.items()}, "all inputs of the run"
            ),
            "ties": {"type": "object", "description": "spread on perturbed links, with --ties"},
            "emulation": {
                **account.schema(),
                "description": "lateness, kernel, ends and flows of an emulation",
            },
        },
        [*tables, "wifi", "lte", "fairness", "manifest"],
        version=sample.summary["schema_version"],
    )


def comparison_schema() -> dict[str, Any]:
    """Return the schema of ``ackclock compare --json`` and of ``comparison.json``."""
    interval = _object(
        {"mean": NUMBER, "half_width": NUMBER, "n": {"type": "integer"}}, "mean with half its interval"
    )
    variant = _object(
        {
            "label": TEXT,
            "variant": TEXT,
            "place": {"type": "integer", "description": "best possible rank"},
            "last_place": {"type": "integer", "description": "worst possible rank"},
            "tied_with": {"type": "array", "items": TEXT},
            "drop_sequences": {
                "type": "integer",
                "description": "replications that differ in what they drop",
            },
            "measures": {
                "type": "object",
                "properties": {
                    name: {**interval, "description": one.meaning} for name, one in BY_NAME.items()
                },
                "additionalProperties": interval,
                "description": "intervals by measure; a measure of a group of flows is NAME:GROUP",
            },
        }
    )
    pair = _object(
        {
            "label": TEXT,
            "less": {**TEXT, "description": "label that is subtracted"},
            **dict.fromkeys(
                (
                    "mean",
                    "half_width",
                    "percent",
                    "percent_low",
                    "percent_high",
                    "t",
                    "p",
                    "p_holm",
                    "effect",
                ),
                NUMBER,
            ),
            "verdict": TEXT,
            "replications_needed": {"type": ["integer", "null"]},
        }
    )
    return _document(
        "comparison",
        "Results of a comparison",
        {
            "level": {"type": "number"},
            "margin": {"type": "number"},
            "by": {**TEXT, "description": "measure of the ranking"},
            "best": TEXT,
            "variants": _list(variant),
            "differences": _list(pair),
            "ties": {"type": "object", "description": "how links were perturbed, with --ties"},
            "scenario_diff": _list(_object({"path": TEXT, "values": {"type": "object"}})),
            "taken_from_the_other": _list(pair),
            "warnings": {"type": "array", "items": TEXT},
            "manifest": {"type": "object", "description": "all inputs of the comparison"},
        },
        ["level", "margin", "by", "best", "variants", "differences", "warnings", "manifest"],
    )


def sweep_schema() -> dict[str, Any]:
    """Return the schema of ``ackclock sweep --json``."""
    measured = {name: {**NUMBER, "description": one.meaning} for name, one in _of_sweeps().items()}
    runs = {
        "replication": {"type": "integer"},
        "seed": {"type": "integer"},
        "jitter_bound_s": {"type": "number"},
        "bottleneck": TEXT,
        "drop_digest": TEXT,
        **measured,
    }
    points: dict[str, Any] = {
        "level": {"type": "number"},
        "bottleneck": TEXT,
        "drop_sequences": {"type": "integer"},
    }
    for name, one in measured.items():
        points |= {
            name: one,
            f"{name}_ci": {**NUMBER, "description": "half the width of its interval"},
            f"{name}_n": {"type": "integer", "description": "number of independent values"},
        }
    value = "varied settings are further keys, by path; measures of groups of flows are NAME:GROUP"
    return _document(
        "sweep",
        "Results of a sweep",
        {
            "points": _list(_object(points, value)),
            "runs": _list(_object(runs, value)),
            "manifest": {"type": "object", "description": "all inputs of the sweep"},
        },
        ["points", "runs", "manifest"],
    )


def match_schema() -> dict[str, Any]:
    """Return the schema of ``ackclock match --json`` and of ``match.json``."""
    setting = {"type": "object", "additionalProperties": TEXT, "description": "values by path of the setting"}
    printed = {
        "line": {"type": "integer", "description": "line of the published file"},
        "quantity": TEXT,
        "printed": {**TEXT, "description": "value with its digits"},
        "unit": TEXT,
        "flow": TEXT,
        "settings": setting,
        "found": {**NUMBER, "description": "value of the reading, in the same unit"},
        "scale": {**NUMBER, "description": "spread of a printed value about it, in the same unit"},
    }
    share = {**NUMBER, "description": "probability, 0 to 1"}
    return _document(
        "match",
        "Readings of a paper",
        {
            "verdict": {"type": "array", "items": TEXT, "description": "the outcome in sentences"},
            "is_match": {"type": "boolean", "description": "true if chance is below the threshold"},
            "tried": {"type": "integer", "description": "number of readings"},
            "runs": {"type": "integer"},
            "excluded": {"type": "integer", "description": "readings that links rule out, not run"},
            "impossible": {"type": "integer", "description": "readings whose settings contradict each other"},
            "chance": _object(
                {
                    "permuted": {**share, "description": "as good a match with permuted numbers"},
                    "perturbed": {
                        **share,
                        "description": "as good a match with numbers drawn from the readings' ranges",
                    },
                    "other_reading": {**share, "description": "another reading is true, if one of all is"},
                    "threshold": {"type": "number"},
                    "tables": {"type": "integer"},
                },
                "how well chance does",
            ),
            "readings": _list(
                _object(
                    {
                        "setting": setting,
                        "definitions": {
                            "type": "object",
                            "additionalProperties": TEXT,
                            "description": "definition by quantity",
                        },
                        "alike": {
                            "type": "object",
                            "description": "definitions that give the numbers as well",
                        },
                        "distance": {
                            "type": "number",
                            "description": "bits per number that are not explained",
                        },
                        "tied": {"type": "boolean", "description": "not told apart from the first reading"},
                        "numbers": _list(_object({**printed, "bits": NUMBER})),
                    }
                ),
                "best first",
            ),
            "stated": {**setting, "description": "values of the scenario file, by path"},
            "found": {**setting, "description": "values of the first reading, found after the fact"},
            "held": _list(_object(printed), "numbers that the search did not see"),
            "sensitivity": _list(_object({"path": TEXT, "value": TEXT, "next": TEXT, "bits": NUMBER})),
            "digits": _list(_finding(), "findings of ackclock digits"),
            "manifest": {"type": "object", "description": "all inputs of the search"},
        },
        ["verdict", "is_match", "tried", "runs", "chance", "readings", "stated", "found", "held", "manifest"],
    )


def evaluation_schema() -> dict[str, Any]:
    """Return the schema of ``ackclock evaluate --json`` and of ``evaluation.json``."""
    mean = {"mean": NUMBER, "half_width": NUMBER, "n": {"type": "integer"}}
    interval = _object(mean, "mean with half its interval")
    drawn = _object({"verdict": TEXT, "low": NUMBER, "high": NUMBER}, "on slightly changed links")
    harm = _object(
        {"subject": NUMBER, "baseline": NUMBER}, "harm to the other camp (Ware et al. 2019), 0 to 1"
    )
    result = _object(
        {
            "metric": {**TEXT, "description": "name of the metric; it ends in the unit"},
            "better": {"enum": ["higher", "lower"]},
            "baseline": TEXT,
            "subject": interval,
            "against": {**interval, "description": "the baseline"},
            "difference": _object({**mean, "low": NUMBER, "high": NUMBER}, "difference from the baseline"),
            "margin": {**NUMBER, "description": "largest difference that counts as none"},
            "verdict": {"enum": [str(one) for one in Verdict]},
            "interval_from": {"enum": ["replications", "draws of phases"]},
            "by_ties": {"type": "object", "additionalProperties": drawn},
            "hangs_on": {
                "type": ["string", "null"],
                "description": "ties or phase, if the verdict hangs on them",
            },
            "harm": {**harm, "type": ["object", "null"]},
            "reason": {**TEXT, "description": "reason why the comparison is not available"},
        }
    )
    case = _object({"name": TEXT, "title": TEXT, "results": _list(result)})
    criterion = _object(
        {
            **dict.fromkeys(("name", "title", "question"), TEXT),
            "section": {**TEXT, "description": "section of RFC 9743; empty if the criterion was added here"},
            "level": {"enum": [str(one) for one in Level]},
            "not_available": {**TEXT, "description": "parts that are not available, with the reason"},
            "cases": _list(case),
        }
    )
    return _document(
        "evaluation",
        "Results of an evaluation",
        {
            "subject": TEXT,
            "baselines": {"type": "array", "items": TEXT},
            "quick": {"type": "boolean"},
            "findings": {"type": "array", "items": TEXT, "description": "what was found, in sentences"},
            "counts": {"type": "object", "description": "number of comparisons by verdict"},
            "criteria": _list(criterion),
            "manifest": {"type": "object", "description": "all inputs of the evaluation"},
        },
        ["subject", "baselines", "quick", "findings", "counts", "criteria", "manifest"],
    )


def digits_schema() -> dict[str, Any]:
    """Return the schema of ``ackclock digits --json``."""
    values = {"values": {"type": "object", "description": "values of the finding, by name"}}
    finding = {**_finding(), "properties": {**_finding()["properties"], **values}}
    return _document("digits", "Findings of printed digits", {"findings": _list(finding)}, ["findings"])


def search_schema() -> dict[str, Any]:
    """Return the schema of ``ackclock search --json`` and of ``search.json``."""
    share = {"type": "number", "description": "0: as an ideal sender; 1: as bad as possible"}
    whole = {"type": "integer"}
    rates = _list(NUMBER, "of each flow of the subject, bit/s")
    family = {
        "family": TEXT,
        "verdict": {"enum": ["found", "throughout", "none"]},
        "harm": {**share, "description": "harm of the scenario with its own seed"},
        "repeated": _list(share, "harm with the scenario's seed, then with others and start jitter"),
        "mean": share,
        "half_width": {**NUMBER, "description": "half of the interval of the mean"},
        "bar": {**share, "description": "harm from which on a scenario counts as a finding"},
        "ordinary": _object(
            {"q1": share, "median": share, "q3": share}, "harm of a random sample of the family"
        ),
        "worst_harm": {**share, "description": "greatest harm before the shrinker"},
        "parts_before": {**whole, "description": "disturbances before the shrinker"},
        "parts": {**whole, "description": "disturbances of the scenario"},
        "rounds": whole,
        "runs": {**whole, "description": "all runs, with those of the shrinker"},
        "engines": _list(
            _object(
                {
                    "name": TEXT,
                    "runs": whole,
                    "best": share,
                    "first": {"type": ["integer", "null"], "description": "its first run that was harmful"},
                    "states": {**whole, "description": "changes of state of the sender that its runs showed"},
                }
            ),
            "ways of searching",
        ),
        "goodput_bps": rates,
        "ideal_bps": {**rates, "description": "goodput of an ideal sender in place of each flow, bit/s"},
        "quiet_harm": {**share, "description": "harm on the same path without the disturbances"},
        "timeouts": whole,
        "silence_s": {"type": "number", "description": "longest time without an acknowledgment of new data"},
        "silence_from_s": {"type": "number"},
        "late_window": {**NUMBER, "description": "mean window in the second half of the run, segments"},
        "happens": _list(TEXT, "what happens, in sentences"),
        "file": {"type": ["string", "null"], "description": "name of the scenario file"},
    }
    return _document(
        "search",
        "Scenarios in which a control or a stack does worst",
        {
            "subject": TEXT,
            "against": TEXT,
            "seed": whole,
            "families": _list({**_object(family), "required": list(family)}),
            "manifest": {"type": "object", "description": "all inputs of the search"},
        },
        ["subject", "against", "seed", "families", "manifest"],
    )


def _finding() -> dict[str, Any]:
    chance = {**NUMBER, "description": "expected number of such findings with random digits"}
    return _object({"kind": TEXT, "text": TEXT, "chance": chance})


SCHEMAS: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {
    "run": run_schema,
    "comparison": comparison_schema,
    "sweep": sweep_schema,
    "match": match_schema,
    "digits": digits_schema,
    "evaluation": evaluation_schema,
    "search": search_schema,
}
"""Schemas of results by name."""

SCENARIO: Final = "scenario"
"""Name of the schema of scenario files; the core writes this schema."""


def file_name(name: str) -> str:
    """Return the name of a schema's file in the package."""
    return f"{name}.schema.json" if name == SCENARIO else f"results-{name}.schema.json"


def write(folder: Path) -> None:
    """Write all schemas of results into `folder`."""
    for name, schema in SCHEMAS.items():
        (folder / file_name(name)).write_text(json_text(schema()), encoding="utf-8")


def _of_sweeps() -> dict[str, Any]:
    from ackclock.stats.measures import MIXED

    return {name: one for name, one in BY_NAME.items() if one not in MIXED and one != GOODPUT_SHARE}


def _document(
    name: str,
    title: str,
    properties: Mapping[str, Any],
    required: Iterable[str],
    *,
    version: int = SCHEMA_VERSION,
) -> dict[str, Any]:
    rises = "version of this form; it rises if a field is removed or renamed"
    return {
        "$schema": DIALECT,
        "title": title,
        "description": f"Written by `ackclock schema {name}`; new fields may be added without a new version.",
        "type": "object",
        "properties": {"schema_version": {"const": version, "description": rises}, **properties},
        "required": ["schema_version", *required],
    }


def _object(properties: Mapping[str, Any], description: str = "") -> dict[str, Any]:
    said = {"description": description} if description else {}
    return {"type": "object", **said, "properties": dict(properties)}


def _list(items: Mapping[str, Any], description: str = "") -> dict[str, Any]:
    said = {"description": description} if description else {}
    return {"type": "array", **said, "items": dict(items)}


def _glossary(table: str) -> list[dict[str, Any]]:
    return [term for term in json.loads(_core.catalogue("metrics")) if term["table"] == table]


def _row(name: str, table: Table, summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a row of a table; keys that every row has are required."""
    said = {term["name"]: term["summary"] for term in _glossary(name)}
    types = {"String": "string", "Int32": "integer", "Int64": "integer", "Float64": "number"}
    frame = table.to_polars()
    properties = {
        column: {
            "type": [types[str(kind)], "null"] if str(kind) != "String" else "string",
            "description": said.get(column, ""),
        }
        for column, kind in frame.schema.items()
    }
    rows = summary.get(name) or []
    always = [key for key in (rows[0] if rows else ()) if key in properties]
    return {"type": "object", "properties": properties, **({"required": always} if always else {})}


def _typed(value: Any) -> dict[str, Any]:
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object", list: "array"}
    return {"type": kinds[type(value)]}
