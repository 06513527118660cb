"""Heriyanto and others: Westwood+ and NewReno on an 802.11n wireless network."""

from ackclock.studies.heriyanto.study import STUDY as STUDY
