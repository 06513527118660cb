"""Verdicts of a study over the draws of ``--ties``."""

from __future__ import annotations

import pytest

import ackclock as ac
from ackclock.errors import UserError
from ackclock.report.model import Claim, Claims, Judgement, Part, Verdict
from ackclock.runs.ties import DRAWS, SIZES, perturbed
from ackclock.stats import Interval
from ackclock.study.runs import StudyJob
from ackclock.study.ties import all_rows, drawn, section, summary, summary_table


def claims(mean: float, verdict: Verdict = Verdict.SUPPORTED) -> Claims:
    part = Part("", "rise", Interval(mean, 1.0, 4, 0.95), "%", verdict)
    judged = Judgement(verdict, part, (part,))
    return Claims(("ours",), (Claim("rises", "Figure 1", "It rises.", "", (judged,)),))


def test_a_verdict_hangs_on_the_size_of_which_a_draw_has_another_one() -> None:
    def again(size: str, draw: int) -> Claims:
        return claims(2.0 + draw, Verdict.CONTRADICTED if (size, draw) == ("phase", 3) else Verdict.SUPPORTED)

    told: list[int] = []
    (row,) = summary(all_rows(claims(5.0), again, told.append))
    assert told == list(range(len(SIZES) * DRAWS))
    assert (row["number"], row["ties_min"], row["ties_max"]) == (5.0, 2.0, 11.0)
    assert row["hangs_on"] == "phase"
    assert row["ties_verdicts"] == {"supported": 10}
    (cells,) = summary_table([row]).rows
    assert cells[-2:] == ("2.00 to 11.00", "2.00 to 11.00; contradicted in 1 of 10")


def test_a_verdict_hangs_on_what_turns_its_number_round() -> None:
    rows = all_rows(claims(5.0), lambda size, draw: claims(-1.0 if (size, draw) == ("ties", 0) else 5.0))
    assert summary(rows)[0]["hangs_on"] == "ties"
    steady = all_rows(claims(5.0), lambda *_: claims(4.0))
    assert summary(steady)[0]["hangs_on"] is None
    assert section(steady).title == "Ties and phase"


def test_jobs_of_a_draw_meet_the_same_links_and_keep_the_rest() -> None:
    wired = ac.dumbbell(["reno"], duration="5s")
    jobs = [StudyJob(wired, seed, labels={"seed": seed}, batch="a") for seed in (1, 2)]
    jobs.append(StudyJob(ac.load("adhoc"), 1))
    made = list(drawn(jobs, "phase", 2, {}))
    assert [job.scenario for job in made[:2]] == [perturbed(wired, "phase", 2, seed=1)] * 2
    assert [(job.seed, job.labels, job.batch) for job in made[:2]] == [
        (1, {"seed": 1}, "a"),
        (2, {"seed": 2}, "a"),
    ]
    assert made[2].scenario == jobs[2].scenario, "a network without a wire stays"
    with pytest.raises(UserError, match="no scenario of the study has a link"):
        list(drawn(jobs[2:], "phase", 2, {}))
