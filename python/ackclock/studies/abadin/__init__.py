"""Abadin and others: Tahoe, Reno, NewReno, SACK and Vegas on a wired dumbbell."""

from ackclock.studies.abadin.study import STUDY as STUDY
