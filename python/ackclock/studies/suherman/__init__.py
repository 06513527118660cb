"""Suherman and others: the factor k by which TCP reduces its window at a loss, in an ad hoc network."""

from ackclock.studies.suherman.study import STUDY as STUDY
