//! The parameters of a connection's both ends, in groups.

use super::choices::{
    AckCounting, Ecn, FullAckWindow, PartialAckTimer, PartialWindow, Reduction, Rounding, SackLoss, SackPipe,
    Syn, TickPhase, WindowReduction,
};
use base::Duration;

/// Sizes on the wire, bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sizes {
    /// Payload of a full segment, bytes.
    pub segment: u32,
    /// Header on top of the payload of each segment, bytes on the wire.
    pub header: u32,
    /// An acknowledgment without options, bytes on the wire.
    pub ack_size: u32,
    /// A bare SYN, bytes on the wire.
    pub syn_size: u32,
    /// Bytes that the timestamps option adds to each segment.
    pub timestamps_size: u32,
    /// Bytes that the SACK option adds to an acknowledgment beside 8 for each block (RFC 2018: 2, padded to 4).
    pub sack_option: u32,
}

/// How a connection opens and closes, and how its application's writes become segments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Connection {
    /// How the connection opens.
    pub syn: Syn,
    /// Where the SYN is a segment of its own: data leaves together with it, not only once it is acknowledged.
    pub early_data: bool,
    /// A write of an application counts as whole segments (ns-2); else writes are a stream of bytes.
    pub pad_writes: bool,
    /// Close with FIN once a transfer of given size is acknowledged.
    pub fin: bool,
}

/// Where windows begin and end, segments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Windows {
    /// Window once the connection is open.
    pub initial_window: f64,
    /// Slow-start threshold at the start; infinite where unlimited.
    pub initial_ssthresh: f64,
    /// First window after the loss of the SYN (RFC 5681 section 3.1: 1).
    pub syn_loss_window: f64,
    /// The most that may be outstanding whatever cwnd is; infinite where unlimited.
    pub max_window: f64,
    /// The receiver's buffer, which it advertises; infinite where unlimited.
    pub receive_window: f64,
    /// cwnd itself never exceeds `max_window` (otherwise it grows on while the window limits); with SACK, `max_window` then
    /// bounds the data in the network rather than the distance from the oldest segment to the newest (TCP-Linux).
    pub window_clamp: bool,
    /// An application that has written nothing for longer than a timeout begins again with the initial window (RFC 5681
    /// section 4.1).
    pub idle_restart: bool,
}

/// The retransmission timer, and how round trips are measured.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Timers {
    /// Lower bound of the retransmission timeout.
    pub min_rto: Duration,
    /// Upper bound of the retransmission timeout, backoff included.
    pub max_rto: Duration,
    /// Timeout before the first measurement.
    pub initial_rto: Duration,
    /// Round-trip times are measured in ticks of this clock with the integer estimator of Jacobson 1988, appendix A;
    /// zero: exact times and the estimator of RFC 6298.
    pub clock_tick: Duration,
    /// Where in a tick the connection begins; without effect where `clock_tick` is zero.
    pub tick_phase: TickPhase,
    /// Duplicate acknowledgments restart the timer, too, and with timestamps measure round trips: of what arrived last in order
    /// (TCP-Linux).
    pub dup_ack_timer: bool,
    /// Fast recovery does not end a measurement under way, not even of the segment that is sent again (against Karn and
    /// Partridge 1987; TCP-Linux without timestamps).
    pub timing_in_recovery: bool,
    /// With timestamps each acknowledgment of new data ends the timer's backoff; without, and in ns-2 (`ts_resetRTO_`), that of
    /// the timed segment does.
    pub stamps_end_backoff: bool,
}

/// How the window grows, and how segments leave.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Growth {
    /// How acknowledgments are counted when the window grows.
    pub ack_counting: AckCounting,
    /// Slow start goes on while cwnd equals ssthresh (RFC 5681 section 3.1 leaves it open).
    pub slow_start_at_threshold: bool,
    /// The window grows by whole segments: what an acknowledgment adds is kept until it makes one, and in congestion avoidance
    /// every segment that it acknowledges counts, whatever `ack_counting` (TCP-Linux).
    pub whole_growth: bool,
    /// The first slow start ends where round trips grow (HyStart++, RFC 9406). Without effect for a control with a rate of its
    /// own.
    pub hystart: bool,
    /// Segments leave one by one at a rate instead of as acknowledgments let them: 2 windows per round trip in slow start,
    /// 1.2 after it. A control with a rate of its own paces anyhow.
    pub pacing: bool,
}

/// What makes a segment lost, and how much is in the network.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LossDetection {
    /// Send a new segment on the first and second duplicate acknowledgment (RFC 3042).
    pub limited_transmit: bool,
    /// `sack`: how the data in the network is estimated.
    pub sack_pipe: SackPipe,
    /// `sack` with the scoreboard: when a segment is lost.
    pub sack_loss: SackLoss,
    /// `sack` with the scoreboard: a retransmission is lost, too, once so many segments beyond those sent before it have
    /// arrived; 0: only the timer finds it.
    pub lost_retransmission: u32,
    /// `sack` with the scoreboard: a retransmission is lost, too, once the so many-th retransmission after it has arrived; 0:
    /// not (TCP-Linux: 5).
    pub overtaken_retransmission: u32,
    /// `rack`: how much later than expected a segment may arrive before it is lost, as a share of the least round trip
    /// (RFC 8985 section 6.2, step 4: 1/4).
    pub reordering_window: f64,
    /// `rack`: whether it probes for losses at the tail (TLP, RFC 8985 section 7).
    pub tail_loss_probe: bool,
    /// `rack`: how long the receiver may delay the acknowledgment of a single segment; the probe timeout allows for it.
    pub max_ack_delay: Duration,
}

/// What a loss or a mark leaves of the window, and the way down to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decrease {
    /// What a loss reduces.
    pub reduction: Reduction,
    /// Whether the window is cut to whole segments before it is halved.
    pub window_rounding: Rounding,
    /// Whether the slow-start threshold is cut to whole segments.
    pub ssthresh_rounding: Rounding,
    /// The window that a fast loss leaves is at least this (RFC 5681 equation 4: 2); 0: no floor.
    pub loss_floor: f64,
    /// A control whose own cut takes less than half takes half where slow start met the loss, or the timer found it.
    pub halve_in_slow_start: bool,
    /// Control `reno` takes half in a connection's first cut, in slow start and after a timeout, whatever its own factor
    /// (ns-2's `first_decrease_`).
    pub early_halving: bool,
    /// A mark reduces the window less than a loss does, where the control knows how (ABE, RFC 8511).
    pub abe: bool,
    /// How the window goes down in fast recovery.
    pub window_reduction: WindowReduction,
    /// Rate halving: how far below the window that the loss leaves it may take a recovery that lasts, as a factor.
    pub halving_floor: f64,
}

/// Partial acknowledgments, and the end of fast recovery.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FastRecovery {
    /// NewReno: which partial acknowledgments restart the timer.
    pub partial_ack_timer: PartialAckTimer,
    /// NewReno: what a partial acknowledgment does to the inflated window.
    pub partial_window: PartialWindow,
    /// Most segments NewReno sends for one acknowledgment in fast recovery; 0: no limit.
    pub recovery_burst: u32,
    /// NewReno: what the acknowledgment that ends fast recovery leaves of the window.
    pub full_ack_window: FullAckWindow,
    /// The acknowledgment that ends fast recovery also opens the window.
    pub exit_growth: bool,
    /// `sack` with the scoreboard: segments that may go at once when recovery ends; what was selectively acknowledged is
    /// forgotten with it, and the window is at most what is outstanding and these (TCP-Linux). 0: no limit, nothing forgotten.
    pub exit_burst: u32,
}

/// What the receiver answers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Acks {
    /// Acknowledge every second segment, or after this long (RFC 5681 section 4.2); zero: every segment at once.
    pub delayed_ack: Duration,
    /// Most SACK blocks in an acknowledgment, 0 to 3; 0: none.
    pub sack_blocks: u8,
    /// Most runs of segments that the receiver remembers to report; 0: all. A run that falls out of this memory is not
    /// reported again until a segment of it arrives (ns-2's sink remembers three).
    pub sack_memory: u8,
}

/// Options of the header.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Timestamps option (RFC 7323): 12 bytes more on each segment, a measurement with each acknowledgment.
    pub timestamps: bool,
    /// Explicit congestion notification.
    pub ecn: Ecn,
}
