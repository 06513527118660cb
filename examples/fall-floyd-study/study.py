"""Fall and Floyd 1996: Tahoe, Reno, NewReno and SACK after one to four losses in a window."""

import polars as pl

import ackclock.study as st
from ackclock import Scenario

SETTINGS = st.Settings()

BOTTLENECK_MBPS, BOTTLENECK_MS = SETTINGS.paper("bottleneck", (0.8, 100), "Figure 1", "{} Mb/s, {} ms")
QUEUE = SETTINGS.open("its queue", 8, "as in the simulator's own test suite", "drop-tail, {} packets")
ACCESS_MBPS, ACCESS_MS = SETTINGS.open("access link", (8, 0), "as in the test suite", "{} Mb/s, {} ms")
LOST = SETTINGS.open(
    "lost segments",
    {1: (14,), 2: (14, 28), 3: (14, 26, 28), 4: (14, 24, 26, 28)},
    "as in the test suite (tcpVariants), counted from 0; in the paper two more connections fill the queue",
    "14; 14 and 28; 14, 26 and 28; 14, 24, 26 and 28",
)
WINDOW = SETTINGS.open("receiver's window", 28, "as in the test suite", "{} segments")
PROFILE = SETTINGS.open("endpoints", "ns2", "the paper ran its simulator, ns", "profile {}")
MIN_RTO_S, FIRST_RTO_S = SETTINGS.open(
    "retransmission timer", (1, 6), "ns's defaults of that time", "minimum {} s, first {} s"
)
LENGTH_S = SETTINGS.open("run length", 6, "as in the test suite, whose flow starts at 1 s", "{} s")
SETTINGS.open(
    "bursts",
    "no limit",
    "the paper's SACK sends four segments for an acknowledgment at most; the test suite does not limit it",
)

VARIANTS = {"tahoe": "Tahoe", "reno": "Reno", "newreno": "New-Reno", "sack": "SACK"}

MEASURES = (
    st.Measure("acked_packets", "acknowledged", "packets", pl.col("acked_packets").sum(), digits=0),
    st.Measure("timeouts", "timeouts", "", pl.col("timeouts").sum(), digits=0),
    st.Measure("fast_retransmits", "fast retransmits", "", pl.col("fast_retransmits").sum(), digits=0),
    st.Measure("retransmitted", "retransmitted", "packets", pl.col("retransmitted_packets").sum(), digits=0),
)

EXPERIMENTS = (
    st.Experiment(
        key="drops",
        figures=("fig2", "fig3", "fig4", "fig5"),
        title="Figures 2 to 5: one to four losses in a window",
        xs=(1, 2, 3, 4),
        quick=(1, 2, 3, 4),
        place="{:g} lost",
        axis="segments lost in one window",
        note="Each run is the transfer of one flow over 6 s. The paper draws its packets against time.",
        counts=True,
    ),
)


def scenario(experiment: str, lost: float, variant: str) -> Scenario:
    """Return the transfer in which `lost` segments of one window are lost."""
    del experiment  # The study has only one experiment.
    drops = {"kind": "list", "toward": "k1", "flow": 0, "packets": list(LOST[int(lost)]), "at": "entry"}
    return Scenario(
        {
            "duration": f"{LENGTH_S}s",
            "link": [
                {"between": ["s1", "r1"], "rate": f"{ACCESS_MBPS}Mbps", "delay": f"{ACCESS_MS}ms"},
                {
                    "between": ["r1", "k1"],
                    "rate": f"{BOTTLENECK_MBPS}Mbps",
                    "delay": f"{BOTTLENECK_MS}ms",
                    "queue": QUEUE,
                    "loss": drops,
                },
            ],
            "flow": [
                {
                    "from": "s1",
                    "to": "k1",
                    "start": "1s",
                    "tcp": {
                        "variant": variant,
                        "profile": PROFILE,
                        "min_rto": f"{MIN_RTO_S}s",
                        "initial_rto": f"{FIRST_RTO_S}s",
                        "window_rounding": "integer",
                        "limited_transmit": False,
                        "partial_ack_timer": "every",
                        "max_window": WINDOW,
                    },
                }
            ],
        }
    )


def no_timeout(*variants):
    """Return the tests that these variants have no timeout."""
    return lambda s, _: [
        s.holds("drops", x, variant, "timeouts", below=0.5) for variant in variants for x in s.xs("drops")
    ]


CLAIMS = (
    st.Claim(
        "one-drop",
        "Figure 2",
        "With one loss, Reno, New-Reno and SACK are ahead of Tahoe.",
        "packets acknowledged at the end of the run",
        lambda s, _: [
            test for variant in ("reno", "newreno", "sack") for test in s.ahead("drops", 1, variant, "tahoe")
        ],
    ),
    st.Claim(
        "tahoe-slow-starts",
        "Figures 2 to 5",
        "Tahoe recovers by slow start, without a timeout, however many segments are lost.",
        "no timeout in any run",
        no_timeout("tahoe"),
        needs=("fig2", "fig3", "fig4", "fig5"),
    ),
    st.Claim(
        "reno-waits",
        "Figures 4 and 5",
        "With three and with four losses in a window, Reno waits for a retransmission timeout.",
        "at least one timeout in each run",
        lambda s, _: [s.holds("drops", x, "reno", "timeouts", above=0.5) for x in (3, 4)],
        needs=("fig4", "fig5"),
    ),
    st.Claim(
        "others-do-not-wait",
        "Figures 2 to 5",
        "New-Reno and SACK recover from one to four losses without a timeout.",
        "no timeout in any run",
        no_timeout("newreno", "sack"),
        needs=("fig2", "fig3", "fig4", "fig5"),
    ),
    st.Claim(
        "without-sack",
        "Abstract",
        "Without SACK a sender resends one lost segment a round trip at most, or segments that may have arrived.",
        "with three and with four losses New-Reno resends no more segments than are lost, and Tahoe does",
        lambda s, _: [
            test
            for x in (3, 4)
            for test in (
                s.holds("drops", x, "newreno", "retransmitted", below=x + 0.5),
                s.holds("drops", x, "tahoe", "retransmitted", above=x + 0.5),
            )
        ],
        needs=("fig4", "fig5"),
    ),
    st.Claim(
        "sack-ahead",
        "Figures 4 and 5",
        "With several losses, SACK recovers fastest: New-Reno resends one segment a round trip.",
        "SACK has more packets acknowledged at the end than New-Reno, with three and with four losses",
        lambda s, _: [test for x in (3, 4) for test in s.ahead("drops", x, "sack", "newreno")],
        needs=("fig4", "fig5"),
    ),
)


def findings(s):
    """Return the findings, which are one sentence with the timeouts of each variant."""
    waits = [
        f"{name} has {sum(s.mean('drops', x, variant, 'timeouts') for x in s.xs('drops')):.0f}"
        for variant, name in VARIANTS.items()
    ]
    said = [f"Over the four runs, the timeouts are these: {', '.join(waits)}."]
    if s.mean("drops", 2, "reno", "timeouts") > 0:
        said.append(
            "With the test suite's two losses Reno waits for the timer, too. The paper names three and more losses; "
            "where its own two losses lie is not in its text."
        )
    return said


STUDY = st.of_sweeps(
    name="fall-floyd",
    summary="Tahoe, Reno, NewReno and SACK after one to four losses (Fall and Floyd 1996; ns)",
    layout=st.Layout(
        title="Tahoe, Reno, New-Reno and SACK after one to four losses",
        paper=st.Paper(
            "Kevin Fall and Sally Floyd",
            "Simulation-based Comparisons of Tahoe, Reno, and SACK TCP",
            "ACM Computer Communication Review 26(3), July 1996",
        ),
        simulator="ns",
        evidence="runs that share their seeds",
        settings=SETTINGS,
        settings_note="Nothing is random in this study: which segments are lost is stated. The test suite is ns-2's.",
        stated={
            "link.bottleneck.rate": "Figure 1",
            "link.bottleneck.delay": "Figure 1",
            "flow.*.tcp.variant": "title",
        },
        procedure=("Each variant meets the same losses. Moving the start changes no run.",),
    ),
    experiments=EXPERIMENTS,
    variants=VARIANTS,
    scenario=scenario,
    measures=MEASURES,
    claims=CLAIMS,
    findings=findings,
    jitter_s=0.001,
    replications=2,
    quick_replications=2,
    links={"r1-k1": "bottleneck", "*": "access"},
)
