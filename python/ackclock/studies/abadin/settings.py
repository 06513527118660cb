"""All settings of the study "abadin", with the reason for each setting that the paper leaves open.

The settings are *setting K* of the reference runs. Of the combinations tried in ns-2, it comes nearest to the published
Table 1 (four of five values within 0.02 %). Starts and access links were fitted to Table 1 only, the minimum RTO to
Table 1 and Figure 3; no other figure was used.
"""

from __future__ import annotations

from typing import Final

import ackclock.study as st

TEXT: Final = st.texts(__file__, globals())

SETTINGS: Final = TEXT.settings()
"""The table of settings in the report."""

TABLE1_BPS: Final[dict[str, float]] = TEXT.numbers("TABLE1_BPS")

RATE_MBPS, DELAY_MS, QUEUE = SETTINGS["bottleneck"]
TICK_PHASE: Final = SETTINGS["phase of the coarse clock"]
DURATION_S: Final = SETTINGS["run length"]
SEGMENT_B, HEADER_B = SETTINGS["segment"]
ACCESS_MBPS, ACCESS_MS, ACCESS_QUEUE = SETTINGS["access links"]
FIRST_START_S, START_SPACING_S = SETTINGS["starts"]
WINDOW: Final = SETTINGS["window"]
MIN_RTO_S: Final = SETTINGS["minimum RTO"]
FIRST_RTO_S: Final = SETTINGS["first RTO"]
ROUNDING: Final = SETTINGS["window after a loss"]
SYN_LOSS_WINDOW: Final = SETTINGS["window after a lost packet 0"]
PROFILE: Final = SETTINGS["other TCP parameters"]
REVERSE_QUEUE: Final = SETTINGS["queue towards the senders"]

NEAR_STARTS_S: Final[tuple[tuple[float, float], ...]] = (
    (FIRST_START_S, START_SPACING_S),
    (0.0, 0.1),
    (1.0, 1.0),
)
"""Starts in the sensitivity runs, each as the start of the first flow and the time between two starts, s."""

NEAR_ACCESS_MS: Final = (ACCESS_MS, 5, 20)
"""Delays of the access links in the sensitivity runs, ms."""

NEAR_ACCESS_MBPS: Final = (ACCESS_MBPS, 10)
"""Rates of the access links in the sensitivity runs, Mb/s."""

NEAR_MIN_RTO_S: Final = (float(MIN_RTO_S), 0.2)
"""Minimum RTOs in the sensitivity runs, s."""

WINDOWS: Final = (WINDOW, 40, 100)
"""Maximum windows tried in Figures 4 and 7, segments; a window of 100 fills every path of these figures."""

NEAR_SEEDS: Final = 4
"""Number of jittered replications in each neighbouring setting; the variants are ranked by the means."""

TCP: Final[dict[str, object]] = {
    "profile": PROFILE,
    "segment": f"{SEGMENT_B}B",
    "max_window": WINDOW,
    "min_rto": f"{MIN_RTO_S}s",
    "initial_rto": f"{FIRST_RTO_S}s",
    "window_rounding": ROUNDING,
    "syn_loss_window": SYN_LOSS_WINDOW,
    "tick_phase": TICK_PHASE,
}
"""TCP settings of both endpoints, the same for all variants."""

VARIANTS: Final = st.Variants(
    (
        st.Variant("tahoe", "Tahoe", {"variant": "tahoe"}, hue=0),
        st.Variant("reno", "Reno", {"variant": "reno"}, hue=1),
        st.Variant("newreno", "NewReno", {"variant": "newreno"}, hue=2),
        st.Variant("sack", "SACK", {"variant": "sack"}, hue=3),
        st.Variant(
            key="vegas",
            label="Vegas (as in ns-2: no header)",
            tcp={"variant": "vegas"},
            short="Vegas",
            legend="Vegas, as in ns-2",
            hue=4,
        ),
        st.Variant(
            key="vegas40",
            label="Vegas (40 B header, as the others)",
            tcp={"variant": "vegas", "header": f"{HEADER_B}B"},
            short="Vegas+40B",
            legend="Vegas, 40 B header",
            hue=5,
            dashed=True,
        ),
    )
)
"""The paper's five variants, and Vegas with the 40-byte header that ns-2's Vegas lacks."""

SHORT: Final = VARIANTS.short
"""Short names of the variants for tables, by key."""

LOSS_BASED: Final = ("tahoe", "reno", "newreno", "sack")
"""The variants that react to loss; Vegas reacts to delay instead."""

JITTER_S: Final = 0.1
"""Start jitter, s: in jittered replications each start is delayed by a random time from U(0, JITTER_S).

The jitter is longer than three packet times of the slowest bottleneck (27.7 ms at 0.3 Mb/s), so that the phase between
the flows covers whole packet times. It is shorter than the 0.4 s between starts, so that the order of starts is kept.
"""

SAME_STARTS_SEEDS_LOSS: Final = 100
"""Number of seeds of the runs with identical starts and random losses.

ns-2 ran 100 to 200 seeds. At 10 % error the standard deviation is about 9 % of the mean. So the mean of 10 runs has an
uncertainty of 6 %, and chance would decide if it agrees with ns-2 within 3 %; with 100 runs the uncertainty is 2 %."""
SAME_STARTS_SEEDS: Final = 5
"""Number of seeds of runs in which only the phase of the coarse clock is random; ns-2 has as many."""
JITTERED_REPLICATIONS_LOSS: Final = 30
"""Number of replications with jittered starts in the sweep with random losses."""
JITTERED_REPLICATIONS: Final = 10
"""Number of replications with jittered starts at points without random losses."""

SHOWN_S: Final = 40
"""Length of the part of a run for which the first flow's window is drawn, s."""

SAMPLE_S: Final = 10
"""Width of the bins of throughput in Figure 2, s."""

AGREE_WITHIN: Final = 0.03
"""Greatest difference from ns-2's mean that counts as agreement, as a fraction of that mean."""

TABLE1_WITHIN: Final = 0.003
"""Greatest difference from ns-2's mean that counts as agreement in Table 1, as a fraction of that mean."""
