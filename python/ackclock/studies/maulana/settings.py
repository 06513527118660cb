"""Every setting of the study "maulana", in one place, with the reason if the paper leaves it open.

The paper gives a sketch and a table of six lines. Settings that it leaves open are as in the reference runs of
ns-2, and each reading of the set-up is run beside the others. Nothing was chosen to meet a claim.
"""

from __future__ import annotations

from typing import Final

import ackclock.study as st

TEXT: Final = st.texts(__file__, globals())

SETTINGS: Final = TEXT.settings()
"""The table of settings in the report."""

THROUGHPUT_KBPS: Final[dict[str, float]] = TEXT.numbers("THROUGHPUT_KBPS")
RECEIVED_PACKETS: Final[dict[str, float]] = TEXT.numbers("RECEIVED_PACKETS")
MEAN_DELAY_MS: Final[dict[str, float]] = TEXT.numbers("MEAN_DELAY_MS")
RTT_BELOW_S: Final[dict[str, float]] = TEXT.numbers("RTT_BELOW_S")
PACKETS_AT_1S: Final[dict[str, float]] = TEXT.numbers("PACKETS_AT_1S")

SEGMENT_B: Final = SETTINGS["packet size"]
LENGTHS_S: Final = SETTINGS["length"]
STARTS_S: Final = SETTINGS["starts"]
FOUND_LENGTH_S, *FOUND_STARTS_S = SETTINGS["the reading found after the results"]
SIZES: Final = SETTINGS["window and queue"]
DELAY_MS: Final = SETTINGS["delay of the other links"]
UE_M: Final = SETTINGS["LTE"]
LTE_WINDOW: Final = SETTINGS["window over LTE"]
PROFILE: Final = SETTINGS["TCP parameters"]
FILE_B: Final = SETTINGS["what is sent"]
LONGER_MS: Final = SETTINGS["a longer round trip"]
SIZES_B: Final = SETTINGS["packet sizes of Figures 5 and 6"]

HEADER_B: Final = 40
"""Header of a packet in ns-2's trace, bytes."""

NO_HEADER: Final = {"vegas": 0}
"""Variants whose packets ns-2 traces with another header, bytes."""

DETOUR_PACKETS: Final = 100
"""A flow counts as sent through the other UE if the UEs pass on more packets than this."""

JITTER_S: Final = 0.1
"""Start jitter, s: from the second replication on each start moves by U(0, JITTER_S), their distance at most."""

REPLICATIONS: Final = 20
"""Replications with jittered starts."""

HEAVY_REPLICATIONS: Final = 5
"""Replications of cases that take long: LTE, which varies little with the starts."""

BIN_S: Final = 0.5
"""Bins of throughput against time, s."""

FILE_LENGTHS_S: Final = (30, 100)
"""Length of the runs that send files, s; the second one among 802.11 nodes."""

FILE_BIN_S: Final = 0.1
"""Bins of the sending rate in them, s."""

SIZES_REPLICATIONS: Final = 5
"""Replications with jittered starts at each packet size."""

SIZES_LENGTH_S: Final = 6
"""Length of the runs with other packet sizes, s; longer by the delay of flows that start later."""

DELAY_BIN_MS: Final = 1
"""Bins in which delays are stored, ms."""

AT_1S: Final = (0.95, 1.05)
"""Range in which a packet's delay counts as 1 s, s: delays that round to 1.0."""

AGREE_WITHIN: Final = 0.03
"""A value over wired links agrees with ns-2 when it lies in its interval or within this share of its mean."""

AGREE_RADIO: Final = 0.10
"""Share within which a value over a radio network agrees with ns-2 and with ns-3."""

NS3_LENGTH_S: Final = 15
"""Length of the runs that are compared with ns-3's, s."""

NS3_STARTS_S: Final = (1, 1.01)
"""Starts of their flows, s: 10 ms from each other, as there."""

NS3_TRIES: Final = tuple(range(-5, 6))
"""Packets of room added to a buffer of 1 MB in the runs that are compared with ns-3's; 0 is ns-3's run itself.

The others also have jittered starts. One packet decides whether the first segment sent again finds room in a full
buffer, or waits for a timeout, in ns-3 as here.
"""

NS3_SEGMENT_B: Final = 1448
"""Payload of their segments, bytes."""

NS3_PACKET_B: Final = 1500
"""Size of their packets, bytes."""

NS3_TCP: Final[dict[str, object]] = {
    "profile": "rfc",
    "segment": f"{NS3_SEGMENT_B}B",
    "receive_window": "4194304B",
    "timestamps": True,
    "delayed_ack": "200ms",
    "window_reduction": "at-once",
    "reduction": "pipe",
}
"""Settings of their endpoints: ns-3's segment, socket buffers, timestamps and delayed acknowledgments. A loss leaves
half of the segments that SACK shows to be still in the network, at once: ns-3's PRR sends next to nothing until
no more are there.
"""

NS3_VARIANTS: Final[dict[str, dict[str, object]]] = {
    "newreno": {"variant": "sack"},
    "vegas": {"variant": "sack+vegas", "control": {"alpha": 2, "beta": 4, "gamma": 1, "rounds": "smoothed"}},
}
"""The variants of ns-3: its TcpNewReno recovers by SACK, its TcpVegas judges by the smoothed round-trip time."""

TCP: Final[dict[str, object]] = {"profile": PROFILE}
"""Settings of both endpoints, for every variant, beside segment and window."""

VARIANTS: Final = st.Variants(
    (
        st.Variant("newreno", "NewReno", {"variant": "newreno"}, hue=3),
        st.Variant("vegas", "Vegas, as in ns-2", {"variant": "vegas"}, "Vegas", hue=0),
        st.Variant(
            "vegas40",
            "Vegas, 40 B header",
            {"variant": "vegas", "header": "40B"},
            "Vegas+40B",
            hue=0,
            dashed=True,
        ),
        st.Variant("cubic", "CUBIC", {"variant": "cubic"}, hue=7),
        st.Variant("westwood+", "Westwood+", {"variant": "westwood+"}, hue=1),
        st.Variant("bbr", "BBR", {"variant": "bbr"}, hue=6),
    )
)
"""The paper's two, Vegas with the 40-byte header that ns-2's Vegas leaves out, and three beside them."""

PUBLISHED: Final = tuple(VARIANTS)[:2]
"""The paper's two."""

SHORT: Final = VARIANTS.short
"""Names in tables."""
