"""Huang and Li: Westwood, TCPW-I and an intelligent gateway on lossy paths."""

from ackclock.studies.huang.study import STUDY as STUDY
