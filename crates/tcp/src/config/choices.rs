//! The words that parameters choose among.

use settings::Choice;

/// Opening of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Syn {
    /// three-way handshake (RFC 9293)
    Handshake,
    /// segment 0 is a bare header, acknowledged like data (ns-2's one-way agents)
    Packet,
    /// data from the first segment on
    None,
}

/// Rounding of windows to whole segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Rounding {
    /// kept fractional
    None,
    /// rounded down to whole segments
    Integer,
}

/// The amount that a loss reduces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Reduction {
    // RFC 5681 equation 4.
    /// the data in flight (RFC 5681)
    Flight,
    // min(cwnd, maximum window).
    /// the window in use (Jacobson 1988; ns-2)
    Window,
    // With recovery `sack`, `pipe` is its estimate of the data in the network: segments that have arrived or are lost
    // are not in it. With other recoveries, and after a timeout, it is the data in flight. At a timeout it is the
    // estimate at the last transmission: later arrivals say nothing against the window.
    /// the data still in the network by SACK (ns-3)
    Pipe,
}

/// Partial acknowledgments that restart the retransmission timer in NewReno (RFC 6582 section 3.2, step 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum PartialAckTimer {
    /// only the first: "impatient" (RFC 6582)
    First,
    /// each: "slow but steady" (RFC 6582)
    Every,
}

/// Effect of a partial acknowledgment on the inflated window in NewReno.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum PartialWindow {
    /// deflated by the acknowledged segments, plus one segment (RFC 6582)
    Deflate,
    /// inflation starts over (Fall and Floyd 1996)
    Reset,
}

/// Counting of an acknowledgment for the growth of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum AckCounting {
    /// each acknowledgment of new data counts one (RFC 5681)
    Acks,
    /// each acknowledged segment counts one (RFC 3465 without its limit; Linux)
    Segments,
}

/// Use of explicit congestion notification, and the receiver's echo of marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Ecn {
    /// packets are dropped, not marked
    Off,
    /// a mark is echoed until the sender has answered it (RFC 3168)
    Classic,
    // RFC 8257 section 3.2; retransmissions can be marked, too.
    /// each acknowledgment tells if the segments that it covers were marked (RFC 8257)
    Dctcp,
}

/// Bound of the new segments that early duplicate acknowledgments send, in `sack` with a scoreboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum LimitedTransmitBound {
    // An acknowledgment of new data that shows a segment beyond a hole is no duplicate: nothing is added for it.
    /// the segments outstanding: at most the window, and one for each duplicate (RFC 3042)
    Outstanding,
    /// the estimated data in the network: less than the window (RFC 6675 section 5, step 3; ns-3)
    Pipe,
}

/// Estimate of the data in the network during recovery, with `sack`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum SackPipe {
    // With IsLost and NextSeg: RFC 6675 sections 3 to 5.
    /// recomputed from the scoreboard (RFC 6675)
    Scoreboard,
    /// counted: down for each acknowledgment, up for each transmission (Fall and Floyd 1996)
    Counter,
}

/// When selective acknowledgments make a segment lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum SackLoss {
    // RFC 6675 section 4, IsLost.
    /// three segments above it have arrived (RFC 6675)
    Count,
    // Segments in between count as lost as well, by a duplicate or any other acknowledgment.
    /// one more than three above it has arrived, and any acknowledgment that shows it begins recovery (Mathis and Mahdavi 1996; TCP-Linux)
    Forward,
}

/// The retransmissions of `sack` once every segment known to be lost has been sent again and no new data may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum SackTail {
    /// segments that may be lost, then once the highest that has not arrived (RFC 6675, NextSeg rules 3 and 4)
    Rescue,
    /// only segments known to be lost; the rest waits for an acknowledgment or the timer (TCP-Linux)
    Wait,
}

/// The way down to the reduced window in fast recovery.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum WindowReduction {
    /// at once; nothing is sent until less is in the network (RFC 6675)
    AtOnce,
    /// by one segment for every second acknowledgment (Mathis, Semke and Mahdavi 1999; TCP-Linux)
    RateHalving,
    /// in proportion to arriving segments (RFC 9937)
    Prr,
}

/// The window after a full acknowledgment, which ends fast recovery, in NewReno (RFC 6582 section 3.2, step 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum FullAckWindow {
    /// at most the outstanding segments and one more (RFC 6582, option 1)
    Flight,
    /// the slow-start threshold (RFC 6582, option 2; ns-2)
    Ssthresh,
}
