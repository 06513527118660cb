"""Former names and their replacements; a former name works for one version, with a warning."""

_TOP = {
    "control": ("AckSample", "Arrival", "LossSample", "Parameter", "RateSample", "Rounds", "register"),
    "comparisons": ("Comparison",),
    "errors": ("ControlError", "FileError"),
    "plot": ("PAPER", "STYLE", "distribution"),
    "report": ("report_tables",),
    "runs": ("Simulation", "Table", "run_many"),
    "scenario": ("chain",),
    "stats": ("Interval", "over_time"),
}
"""Names that moved unchanged from the top of the package to a subpackage."""

_MODULES = {
    "attributes": "errors.suggestions",
    "bottleneck": "runs.bottleneck",
    "distributions": "plot.distributions",
    "examples": "scenario.examples",
    "fuzz": "control.conformance",
    "loading": "control.loading",
    "network": "scenario.network",
    "paths": "scenario.path_properties",
    "room": "runs.footprint",
    "simulation": "runs.simulation",
    "studies.registry": "study.registry",
    "style": "plot.style",
    "sweep.axes": "sweeps.axes",
    "sweep.comparison": "comparisons.comparison",
    "sweep.grid": "sweeps",
    "sweep.independence": "stats.independence",
    "sweep.measures": "stats.measures",
    "sweep.over_time": "stats.courses",
    "sweep.statistics": "stats.statistics",
    "tables": "types",
    "ties": "runs.ties",
    "topologies": "scenario.topologies",
}
"""Former names of modules that programs may import, with their current names."""

FORMER = {
    **{f"ackclock.{name}": f"ackclock.{room}.{name}" for room, names in _TOP.items() for name in names},
    **{f"ackclock.{name}": f"ackclock.{now}" for name, now in _MODULES.items()},
    "ackclock.Campaign": "ackclock.sweeps.Sweep",
    "ackclock.Sweep": "ackclock.sweeps.SweepResult",
    "ackclock.errors.RoomError": "ackclock.errors.InsufficientSpaceError",
    "ackclock.scenario.run": "ackclock.lint.running.run",
    "ackclock.stats.ellipse": "ackclock.plot.ellipses.contour",
    "ackclock.sweep": "ackclock.sweeps.api.sweep",
    "ackclock.sweeps.Campaign": "ackclock.sweeps.Sweep",
    "ackclock.sweeps.CampaignResult": "ackclock.sweeps.SweepResult",
    "ackclock.sweep.notebook": "ackclock",
}
