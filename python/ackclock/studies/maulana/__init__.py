"""Maulana and Niati: NewReno and Vegas over "LTE", a set-up that the paper leaves open to several readings."""

from ackclock.studies.maulana.study import STUDY as STUDY
