"""Maulana and Niati: NewReno and Vegas over "LTE", which the paper's text leaves open to several readings."""

from ackclock.studies.maulana.study import STUDY as STUDY
