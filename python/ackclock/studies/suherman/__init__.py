"""Suherman and others: how far a loss shrinks the window of TCP in an ad hoc network."""

from ackclock.studies.suherman.study import STUDY as STUDY
