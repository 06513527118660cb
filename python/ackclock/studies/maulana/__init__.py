"""Maulana and Niati: NewReno and Vegas over "LTE", a set-up that the paper leaves open to several interpretations."""

from ackclock.studies.maulana.study import STUDY as STUDY
