"""The TCP of Linux 6.12, run in virtual time, beside profile `linux`.

`cells` says what is run, `mine` runs it here, `recorded` reads what the kernel did, and `beside` holds one to the
other and writes `docs/explanation/validation-linux.md`.
"""
