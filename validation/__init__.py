"""The validation room: ackclock against ns-2, closed forms and its own bookkeeping.

`python -m validation` runs everything and writes `docs/explanation/validation.md`. The modules
`ns2_*` drive an installed `ns` as a black box; the others compare ackclock's results with reference data,
which they skip if it is missing.
"""
