//! Parameters whose values are words.

use settings::Choice;

/// Opening of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Syn {
    /// three-way handshake (RFC 9293)
    Handshake,
    /// segment 0 is a header without data, acknowledged like data (ns-2's one-way agents)
    Packet,
    /// no SYN: data from the first segment on
    None,
}

/// Rounding of windows to whole segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Rounding {
    /// not rounded: windows can be fractional
    None,
    /// rounded down to whole segments
    Integer,
}

/// The part of the retransmission timeout that its lower bound applies to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum RtoFloor {
    /// the whole: max(SRTT + 4 RTTVAR, min_rto) (RFC 6298)
    Timeout,
    /// the deviations: SRTT + max(4 RTTVAR, min_rto) (Linux)
    Deviation,
}

/// Quantity that is multiplied by the decrease factor after a loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Reduction {
    // RFC 5681 equation 4.
    /// FlightSize, the data in flight (RFC 5681)
    Flight,
    // min(cwnd, maximum window).
    /// the smaller of cwnd and max_window (Jacobson 1988; ns-2)
    Window,
    // For a loss that recovery `sack` finds, this is RFC 6675's pipe, without segments that have arrived or
    // are lost. At a timeout it is the data in flight at the last transmission, which later acknowledgments
    // do not reduce. For a mark, and for a loss that another recovery finds, it is FlightSize.
    /// pipe, the data still in the network by SACK (ns-3)
    Pipe,
}

/// Partial acknowledgments that restart the retransmission timer in NewReno (RFC 6582 section 3.2, step 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum PartialAckTimer {
    /// only the first: the "impatient" variant (RFC 6582)
    First,
    /// each: the "slow but steady" variant (RFC 6582)
    Every,
}

/// Effect of a partial acknowledgment on the inflated window in NewReno.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum PartialWindow {
    /// deflated by the acknowledged segments, plus one segment (RFC 6582)
    Deflate,
    /// the inflation by duplicate acknowledgments is undone (Fall and Floyd 1996)
    Reset,
}

/// The rule that ends the first slow start before a loss does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum HyStartForm {
    /// none: slow start ends with a loss, a mark or the threshold
    None,
    /// round trips grow from round to round (HyStart++, RFC 9406)
    Rfc9406,
    /// a long train of acknowledgments, or longer round trips (Ha and Rhee 2011, as in Linux)
    Linux,
}

/// Increments of the window per acknowledgment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum AckCounting {
    /// one for each acknowledgment of new data (RFC 5681)
    Acks,
    /// one for each acknowledged segment (RFC 3465 without its limit)
    Segments,
    // Only recovery `rack` reports newly SACKed segments (`Tcb::note_sacked`); with all others this counts as
    // `Segments`.
    /// with recovery rack, one for each segment that the acknowledgment is the first to report, cumulatively or
    /// selectively (Linux); otherwise as "segments"
    Delivered,
}

/// Use of explicit congestion notification (ECN), and how the receiver echoes marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Ecn {
    /// no ECN: queues drop packets instead of marking them
    Off,
    /// the receiver sets ECE from a mark until the sender sends CWR (RFC 3168)
    Classic,
    // RFC 8257 section 3.2; retransmissions are ECN-capable too.
    /// ECE of each acknowledgment says if the segments that it covers were marked (RFC 8257)
    Dctcp,
}

/// Limit on the new segments that limited transmit sends, for `sack` with a scoreboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum LimitedTransmitBound {
    // An acknowledgment of new data with a new SACK block is not a duplicate, and does not raise the limit.
    /// outstanding segments: at most cwnd plus one for each duplicate acknowledgment (RFC 3042)
    Outstanding,
    /// pipe: at most cwnd (RFC 6675 section 5, step 3; ns-3)
    Pipe,
}

/// Computation of pipe, the estimate of the data in the network, during recovery with `sack`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum SackPipe {
    // IsLost and NextSeg use the scoreboard, too (RFC 6675 sections 3 to 5).
    /// recomputed from the scoreboard (RFC 6675)
    Scoreboard,
    /// counted: minus one for each acknowledgment, plus one for each transmission (Fall and Floyd 1996)
    Counter,
}

/// Rule by which selective acknowledgments show that a segment is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum SackLoss {
    // RFC 6675 section 4, IsLost.
    /// three segments above it have been selectively acknowledged (RFC 6675)
    Count,
    // If a segment is lost by this rule, all missing segments below it are lost, too. An acknowledgment of
    // new data can show the loss as well as a duplicate.
    /// a segment more than three segments above it has been selectively acknowledged; any acknowledgment that
    /// shows this begins recovery (Mathis and Mahdavi 1996; TCP-Linux)
    Forward,
}

/// Further retransmissions of `sack`, after all lost segments have been retransmitted and while no new data
/// can be sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum SackTail {
    /// segments that may be lost, then once the highest outstanding segment (RFC 6675, NextSeg rules 3 and 4)
    Rescue,
    /// none: wait for an acknowledgment or the timer (TCP-Linux)
    Wait,
}

/// Path of the window to its reduced value in fast recovery.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum WindowReduction {
    /// at once; no segment is sent until pipe is below it (RFC 6675)
    AtOnce,
    /// by one segment for every second acknowledgment: rate halving (Mathis, Semke and Mahdavi 1999;
    /// TCP-Linux)
    RateHalving,
    /// in proportion to delivered segments: PRR (RFC 9937)
    Prr,
    /// as ns-3.37's PRR: the product of delivered bytes and ssthresh overflows 32 bits, so that at windows of more than
    /// some 32 segments nothing is sent until pipe is below ssthresh
    #[setting(name = "prr-ns3")]
    PrrNs3,
}

/// Window after the full acknowledgment that ends fast recovery in NewReno (RFC 6582 section 3.2, step 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum FullAckWindow {
    /// at most the outstanding segments plus one (RFC 6582, option 1)
    Flight,
    /// ssthresh (RFC 6582, option 2; ns-2)
    Ssthresh,
}
