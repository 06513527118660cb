"""The plan of an evaluation: the controls, the criteria, and the runs that they need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ackclock.comparisons.variants import Variant, is_stack
from ackclock.errors import ScenarioError, UserError
from ackclock.evaluate.criteria import cases_of, chosen
from ackclock.evaluate.declared import Case, Criterion
from ackclock.runs.ties import SIZES, perturbed
from ackclock.scenario.scenario import Scenario
from ackclock.sweeps.jobs import Job

__all__ = ["BASELINES", "NOBODY", "SUBJECT", "Entry", "Plan", "Runs"]

NOBODY: Final = -1
"""Role of flows that are left out."""

SUBJECT: Final = 0
"""Role of the control under test; baselines have the roles 1, 2 and so on."""

BASELINES: Final = "cubic,reno,bbr3"
"""Baselines if the user names none, without the one that is the control under test."""


@dataclass(frozen=True)
class Entry:
    """One case with controls in its roles.

    Attributes:
        criterion: Name of the criterion.
        case: Name of the case.
        own: Role whose control the flows under test have.
        other: Role whose control the other camp has; `NOBODY` if there is none.
    """

    criterion: str
    case: str
    own: int
    other: int = NOBODY


@dataclass(frozen=True)
class Runs:
    """Number of runs of each entry.

    Attributes:
        reps: Replications on unchanged links.
        draws: Draws of slightly changed links, of each size.
    """

    reps: int
    draws: int


QUICK: Final = Runs(5, 5)
FULL: Final = Runs(10, 10)


@dataclass(frozen=True)
class Plan:
    """An evaluation of one control against baselines.

    Attributes:
        subject: The control under test.
        baselines: The controls that it is compared with.
        criteria: The criteria, in the order of the report.
        quick: True for the quick form, with fewer cases and replications.
        seed: Seed of the first replication.
        refused: Reasons why entries cannot be run, filled in by `entries`.
    """

    subject: Variant
    baselines: tuple[Variant, ...]
    criteria: tuple[Criterion, ...]
    quick: bool = False
    seed: int = 1
    refused: dict[Entry, str] = field(default_factory=dict, compare=False)

    @classmethod
    def of(
        cls,
        name: str,
        baselines: str | None = None,
        *,
        quick: bool = False,
        only: tuple[str, ...] = (),
        seed: int = 1,
    ) -> Plan:
        """Return the plan for a control, with names as the command line takes them.

        Raises:
            UserError: If there is no such control or criterion, no baseline, or a baseline is given twice.
        """
        subject = Variant.parse(name)
        given = [one.strip() for one in _split(BASELINES if baselines is None else baselines) if one.strip()]
        if baselines is None:
            given = [one for one in given if one != name.strip()]
        if not given:
            raise UserError(f"--baseline: none is given\n  for example: --baseline {BASELINES}")
        found = [Variant.parse(one) for one in given]
        labels = [one.label for one in found]
        twice = next((one for i, one in enumerate(labels) if one in labels[:i]), None)
        if twice is not None:
            raise UserError(f"--baseline: {twice} is listed twice")
        return cls(subject, tuple(found), chosen(only), quick, seed)

    @property
    def runs(self) -> Runs:
        """Number of runs of each entry."""
        return QUICK if self.quick else FULL

    @property
    def roles(self) -> range:
        """Roles of the control under test and of all baselines."""
        return range(len(self.baselines) + 1)

    def variant(self, role: int) -> Variant:
        """Return the control of a role."""
        return self.subject if role == SUBJECT else self.baselines[role - 1]

    def label(self, role: int) -> str:
        """Return the name of a role's control in tables."""
        return self.variant(role).label

    def cases(self, criterion: Criterion) -> tuple[Case, ...]:
        """Return the cases of a criterion."""
        return cases_of(criterion, quick=self.quick)

    def entries(self, criterion: Criterion, case: Case) -> list[Entry]:
        """Return the entries of a case that can be run; the others are added to `refused`.

        A case without another camp has an entry per control. Otherwise there are three per baseline: the control under
        test beside it, the baseline beside itself, and the baseline's camp alone. Traffic that is the same for all
        controls and suffers harm is run alone, too.
        """
        if case.other:
            wanted = [
                Entry(criterion.key, case.key, own, other)
                for other in self.roles[1:]
                for own in (SUBJECT, other, NOBODY)
            ]
        else:
            wanted = [Entry(criterion.key, case.key, role) for role in self.roles]
            if any(metric.harm for metric in case.metrics):
                wanted.append(Entry(criterion.key, case.key, NOBODY))
        found = []
        for entry in wanted:
            if case.receivers and any(is_stack(self.variant(role).name) for role in _taken(entry)):
                self.refused[entry] = (
                    "the receiver of a transport stack is its own, and cannot be made to misbehave"
                )
                continue
            try:
                self.scenario(case, entry).check()
            except (ScenarioError, UserError) as why:
                lines = str(why).splitlines()
                self.refused[entry] = next((line.strip() for line in lines if ": " in line), lines[0])
            else:
                found.append(entry)
        return found

    def scenario(self, case: Case, entry: Entry) -> Scenario:
        """Return the scenario of a case with the controls of an entry; flows of `NOBODY` are left out."""
        scenario = Scenario(case.document)
        if entry.other != NOBODY:
            scenario = self.variant(entry.other).on(scenario, case.other)
        if entry.own != NOBODY:
            return self.variant(entry.own).on(scenario, case.own)
        document = scenario.document()
        document["flow"] = [one for i, one in enumerate(document["flow"]) if i not in case.own]
        return Scenario(document)

    def jobs(self, case: Case, entry: Entry) -> Iterator[Job]:
        """Yield the runs of an entry: replications, and draws of each size unless the flows under test are left out.

        Draw d has the seed and the start jitter of replication d, on links that are changed slightly. So a draw differs
        from that replication by its links only.
        """
        scenario = self.scenario(case, entry)
        sizes: list[str] = ["", *(SIZES if entry.own != NOBODY else ())]
        for size in sizes:
            for number in range(self.runs.draws if size else self.runs.reps):
                made = perturbed(scenario, size, number, seed=self.seed) if size else scenario
                labels = {
                    "criterion": entry.criterion,
                    "case": entry.case,
                    "own": entry.own,
                    "other": entry.other,
                    "size": size,
                }
                yield Job(made, self.seed + number, case.jitter_s if number else 0.0, labels, number)


def _taken(entry: Entry) -> tuple[int, ...]:
    """Return the roles that an entry has."""
    return tuple(role for role in (entry.own, entry.other) if role != NOBODY)


def _split(text: str) -> list[str]:
    """Split a list of variants at commas; a comma before ``PARAMETER=VALUE`` belongs to the variant before it."""
    found: list[str] = []
    for part in text.split(","):
        head = part.split(":")[0]
        if found and ":" in found[-1] and "=" in head and ":" not in part:
            found[-1] = f"{found[-1]},{part}"
        else:
            found.append(part)
    return found
