"""Suherman and others: the factor by which a loss shrinks the window of TCP in an ad hoc network."""

from ackclock.studies.suherman.study import STUDY as STUDY
