"""Compares the TCP of Linux 6.12, run in virtual time, with profile `linux`.

`cells` defines the experiments, `mine` runs them in ackclock, `recorded` reads the kernel's results, and `beside`
compares both and writes `docs/explanation/validation-linux.md`.
"""
