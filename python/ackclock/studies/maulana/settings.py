"""All settings of the study "maulana", with the reason for each setting that the paper leaves open.

The paper gives a sketch and a table of six lines. Settings that it leaves open are as in the reference runs of ns-2,
and all interpretations of the set-up are run. None was chosen to meet a claim.
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
"""Header bytes that ns-2's trace includes in a packet's size."""

NO_HEADER: Final = {"vegas": 0}
"""Header bytes that ns-2's trace includes in a packet's size, for variants for which `HEADER_B` does not hold."""

DETOUR_PACKETS: Final = 100
"""Number of packets forwarded by UEs above which a flow counts as sent through the other UE."""

JITTER_S: Final = 0.1
"""Start jitter, s: from the second replication on, each start is delayed by a random time from U(0, JITTER_S)."""

REPLICATIONS: Final = 20
"""Number of replications with jittered starts."""

HEAVY_REPLICATIONS: Final = 5
"""Number of replications of the LTE cases, which take long and vary little with the start times."""

BIN_S: Final = 0.5
"""Width of the bins of throughput against time, s."""

FILE_LENGTHS_S: Final = (30, 100)
"""Lengths of the runs that send files, s; the first is for wired links, the second for 802.11 nodes."""

FILE_BIN_S: Final = 0.1
"""Width of the bins of the sending rate in the runs that send files, s."""

SIZES_REPLICATIONS: Final = 5
"""Number of replications with jittered starts at each packet size."""

SIZES_LENGTH_S: Final = 6
"""Length of the runs with other packet sizes, s; in cases whose flows start later, the difference is added."""

DELAY_BIN_MS: Final = 1
"""Width of the bins of the delay histogram, ms."""

AT_1S: Final = (0.95, 1.05)
"""Range of delays that count as 1 s; these are the delays that round to 1.0 s."""

AGREE_WITHIN: Final = 0.03
"""Greatest difference from ns-2's mean over wired links that counts as agreement, as a fraction of that mean."""

AGREE_RADIO: Final = 0.10
"""Greatest difference from ns-2's or ns-3's mean over a radio network that counts as agreement, as a fraction of that
mean."""

NS3_LENGTH_S: Final = 15
"""Length of the runs that are compared with ns-3's, s."""

NS3_STARTS_S: Final = (1, 1.01)
"""Start times of the flows in the runs that are compared with ns-3's, s; ns-3's flows also start 10 ms apart."""

NS3_TRIES: Final = tuple(range(-5, 6))
"""Numbers of packets added to the RLC buffer of 1 MB in the runs compared with ns-3's; the run with 0 repeats ns-3's
run.

The other runs also have jittered starts. In ns-3 and here, space for one packet decides if the first retransmission
fits into the full buffer. If it does not fit, it is dropped, and a timeout follows."""

NS3_SEGMENT_B: Final = 1448
"""Payload of a segment in the runs that are compared with ns-3's, bytes."""

NS3_PACKET_B: Final = 1500
"""Size of a packet in the runs that are compared with ns-3's, bytes."""

NS3_TCP: Final[dict[str, object]] = {
    "profile": "rfc",
    "segment": f"{NS3_SEGMENT_B}B",
    "receive_window": "4194304B",
    "timestamps": True,
    "delayed_ack": "200ms",
    "window_reduction": "at-once",
    "reduction": "pipe",
}
"""TCP settings of the runs that are compared with ns-3's.

Segment, socket buffers, timestamps and delayed acknowledgments are as in ns-3. A loss reduces the window at once to
half of the segments that SACK shows to be in the network, since ns-3's PRR sends almost nothing until the number of
segments in the network has fallen so far."""

NS3_VARIANTS: Final[dict[str, dict[str, object]]] = {
    "newreno": {"variant": "sack"},
    "vegas": {"variant": "sack+vegas", "control": {"alpha": 2, "beta": 4, "gamma": 1, "rounds": "smoothed"}},
}
"""ns-3's variants; its TcpNewReno recovers by SACK, and its TcpVegas uses the smoothed round-trip time."""

TCP: Final[dict[str, object]] = {"profile": PROFILE}
"""TCP settings of both endpoints besides segment and window, the same for all variants."""

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
"""The paper's two variants, Vegas with the 40-byte header that ns-2's Vegas lacks, and three further variants."""

PUBLISHED: Final = tuple(VARIANTS)[:2]
"""Keys of the paper's two variants."""

SHORT: Final = VARIANTS.short
"""Short names of the variants for tables, by key."""
