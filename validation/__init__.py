"""The validation of ackclock against ns-2, ns-3, Linux, closed forms and its own bookkeeping.

`python -m validation` runs everything and writes `docs/explanation/validation.md`. The modules `ns2_*` run an installed
`ns` as a black box. The others compare ackclock's results with reference data; if that data is missing, their
comparisons are skipped.
"""
