"""Compares the TCP of Linux 6.12, run in virtual time, with ackclock's profile `linux`.

`cells` defines the experiments. `kernel` builds the kernel and boots it for a cell; `record` stores the measurements,
which `recorded` reads. `mine` runs a cell in ackclock, and `beside` compares both and writes
`docs/explanation/validation-linux.md`.
"""
