//! Columns of `flows` about what an application writes to TCP.

use super::{RUN, Term, term};

const APPLICATION: &str = "application";
const TRANSPORT: &str = "transport";
const SUHERMAN: &str =
    "delay of study suherman's reference; EvalVid's end-to-end delay where its sender logs in the transport";

/// Of flows whose traffic is a source over TCP; absent for others (`writes` is 0).
pub(super) const TERMS: &[Term] = &[
    term(
        "flows",
        "writes",
        "",
        APPLICATION,
        RUN,
        "traffic of a source over TCP: packets that the application wrote to its TCP",
        "",
    ),
    term(
        "flows",
        "delivered_writes",
        "",
        APPLICATION,
        RUN,
        "of these, delivered in order, to their last byte, by the end of the run",
        "",
    ),
    term(
        "flows",
        "write_delay_mean_s",
        "s",
        APPLICATION,
        RUN,
        "mean time from a write to the delivery of its last byte in order: with the wait in the sender's backlog, repair of losses, and the wait for what comes before it",
        "",
    ),
    term("flows", "write_delay_max_s", "s", APPLICATION, RUN, "the longest of these times", ""),
    term(
        "flows",
        "write_jitter_mean_s",
        "s",
        APPLICATION,
        RUN,
        "mean |d_i - d_(i-1)| of these times, in order of writing",
        "",
    ),
    term(
        "flows",
        "write_loss_ratio",
        "",
        APPLICATION,
        RUN,
        "(writes - delivered_writes) / writes: what was on its way at the end counts as lost",
        "",
    ),
    term(
        "flows",
        "transit_delay_mean_s",
        "s",
        TRANSPORT,
        RUN,
        "traffic of a source over TCP: mean time from a segment's first transmission to the first arrival of a copy, in order or not; the wait in the backlog is not in it",
        SUHERMAN,
    ),
    term(
        "flows",
        "transit_jitter_mean_s",
        "s",
        TRANSPORT,
        RUN,
        "mean |d_i - d_(i-1)| of these times over the segments that arrived, by number",
        "",
    ),
    term(
        "flows",
        "transit_loss_ratio",
        "",
        TRANSPORT,
        RUN,
        "segments of which no copy had arrived by the end of the run / segments sent, each once",
        "",
    ),
];
