//! The words that parameters choose among.

use base::Duration;

/// How a connection opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syn {
    /// Three-way handshake (RFC 9293 section 3.5).
    Handshake,
    /// Segment 0 is a bare header without payload, acknowledged like data; no other handshake (ns-2's one-way agents).
    Packet,
    /// Data from the first segment on.
    None,
}

/// Where in the clock's tick a connection begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TickPhase {
    /// Uniform over one tick, drawn from the flow's stream.
    Random,
    /// Fixed.
    At(Duration),
}

/// Whether windows are cut to whole segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// Kept fractional.
    None,
    /// Rounded down to whole segments.
    Integer,
}

/// What a loss reduces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// The data in flight (RFC 5681 equation 4).
    Flight,
    /// The window in use, min(cwnd, maximum window) (Jacobson 1988; ns-2).
    Window,
    /// With recovery `sack` what it estimates to be in the network: not segments that have arrived or are lost (ns-3). With others,
    /// but after a timeout, the data in flight.
    Pipe,
}

/// Which partial acknowledgments restart the retransmission timer in NewReno (RFC 6582 section 3.2, step 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartialAckTimer {
    /// Only the first ("impatient").
    First,
    /// Each ("slow but steady").
    Every,
}

/// What a partial acknowledgment does to the inflated window in NewReno.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartialWindow {
    /// Deflated by what was acknowledged, plus one segment (RFC 6582 section 3.2, step 3).
    Deflate,
    /// Inflation starts over (Fall and Floyd 1996).
    Reset,
}

/// How an acknowledgment is counted when the window grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AckCounting {
    /// Each acknowledgment of new data counts one (RFC 5681 section 3.1).
    Acks,
    /// Each acknowledged segment counts one (appropriate byte counting, RFC 3465, without its limit; Linux).
    Segments,
}

/// Whether the connection uses explicit congestion notification, and how its receiver echoes marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ecn {
    /// Its packets are not marked but dropped.
    Off,
    /// A mark is echoed until the sender says that it has reduced its window (RFC 3168).
    Classic,
    /// Each acknowledgment says whether what it acknowledges was marked (RFC 8257 section 3.2); retransmissions can be
    /// marked, too.
    Dctcp,
}

/// How `sack` estimates the data in the network during recovery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SackPipe {
    /// Recomputed from the scoreboard, with IsLost and NextSeg (RFC 6675 sections 3 to 5).
    Scoreboard,
    /// Counted: down for each acknowledgment, up for each transmission (Fall and Floyd 1996, section 3.4).
    Counter,
}

/// When selective acknowledgments make a segment lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SackLoss {
    /// Three segments above it have arrived (RFC 6675 section 4, IsLost).
    Count,
    /// A segment more than three above it has arrived: what lies between is taken for lost as well, and any acknowledgment
    /// that shows it begins recovery, duplicate or not (Mathis and Mahdavi 1996; TCP-Linux).
    Forward,
}

/// How the window goes down to what a loss leaves of it, in fast recovery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WindowReduction {
    /// At once: nothing is sent until the data in the network is below it (RFC 6675).
    AtOnce,
    /// One segment for every second acknowledgment (Mathis, Semke and Mahdavi 1999; TCP-Linux).
    RateHalving,
    /// Proportional rate reduction (RFC 9937).
    Prr,
}

/// What a full acknowledgment, which ends fast recovery, leaves of the window in NewReno.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FullAckWindow {
    /// No more than what is outstanding and one segment, so that there is no burst (RFC 6582 section 3.2, step 3, option 1).
    Flight,
    /// The slow-start threshold, as the inflation goes (option 2; ns-2).
    Ssthresh,
}
