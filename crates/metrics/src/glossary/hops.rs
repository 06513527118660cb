//! Columns of the trace `hops`.

use super::{AT, Term, term};

pub(super) const TERMS: &[Term] = &[
    term("hops", "enqueued_s", "s", "link", AT, "when it joined the link's queue", ""),
    term(
        "hops",
        "begins_s",
        "s",
        "link",
        AT,
        "when its transmission began; the time of the loss where it was lost before",
        "",
    ),
    term(
        "hops",
        "ends_s",
        "s",
        "link",
        AT,
        "when its transmission ended; the time of the loss where it was lost before",
        "",
    ),
    term("hops", "arrives_s", "s", "link", AT, "when it arrived at the far end, or was lost", ""),
    term(
        "hops",
        "place",
        "",
        "",
        AT,
        "the direction `a>b` of a link; of a packet lost in a radio network, the node",
        "",
    ),
    term("hops", "flow", "", "", AT, "the flow's number", ""),
    term("hops", "kind", "", "transport", AT, "`data`, `retransmission`, `ack` or `datagram`", ""),
    term("hops", "seq", "packets or bytes", "transport", AT, "as in `segments`", ""),
    term("hops", "bytes", "bytes on the wire", "link", AT, "size with headers", ""),
    term("hops", "cause", "", "link", AT, "as in `segments`; empty where it arrived", ""),
];
