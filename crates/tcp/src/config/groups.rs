//! The parameters of both ends of a connection, in groups. Each is declared once, here; the defaults are the profile
//! `rfc`.

use super::choices::{
    AckCounting, Ecn, FullAckWindow, LimitedTransmitBound, PartialAckTimer, PartialWindow, Reduction,
    Rounding, SackLoss, SackPipe, SackTail, Syn, WindowReduction,
};
use super::forms::{Delay, Plain, Segments, SynSize, Threshold, TickPhase};
use base::Duration;
use settings::Settings;
use settings::{Fraction, Size};
use std::ops::RangeInclusive;

/// The largest IPv4 packet, bytes.
pub(super) const LARGEST: u32 = 65_535;
/// Room for options in a TCP header, bytes.
const OPTIONS: u32 = 40;
/// Range of a timeout.
const TIMEOUTS: RangeInclusive<Duration> = Duration::from_ps(1)..=Duration::from_secs(3600);

/// Sizes on the wire, bytes.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Sizes {
    /// Payload of a full segment.
    #[setting(default = 1460, range = 1..=LARGEST, form = Size, source = "Ethernet's 1500 without 40 of IPv4 and TCP")]
    pub segment: u32,
    /// Header on top of the payload of each segment, on the wire.
    #[setting(default = 40, range = 0..=LARGEST, form = Size)]
    pub header: u32,
    /// Size of an acknowledgment on the wire, without options.
    #[setting(default = 40, range = 1..=LARGEST, form = Size)]
    pub ack_size: u32,
    /// Size of the SYN on the wire; "segment": as large as a full segment with its header.
    #[setting(default = 40, range = 1..=LARGEST, form = SynSize)]
    pub syn_size: u32,
    /// Bytes that the timestamps option adds to each segment.
    #[setting(default = 12, range = 0..=OPTIONS, form = Size, source = "RFC 7323 section 3.2, padded")]
    pub timestamps_size: u32,
    /// Only segments with data grow by timestamps_size (ns-2), not acknowledgments and the SYN.
    #[setting(default = false)]
    pub timestamps_on_data: bool,
    /// Bytes that the SACK option adds to an acknowledgment, beside 8 for each block.
    #[setting(default = 4, range = 0..=OPTIONS, form = Size, source = "RFC 2018: 2, padded to 4")]
    pub sack_option: u32,
}

/// Opening and closing of the connection, and segments of an application's writes.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Connection {
    /// Opening of the connection.
    #[setting(default = Syn::Handshake)]
    pub syn: Syn,
    /// With syn = "packet": data leaves together with the SYN (TCP-Linux), instead of after its acknowledgment.
    #[setting(default = false)]
    pub early_data: bool,
    /// Each write of an application counts as whole segments (ns-2), instead of as bytes of a stream.
    #[setting(default = false)]
    pub pad_writes: bool,
    /// Close with a FIN once a transfer of given size is acknowledged.
    #[setting(default = true)]
    pub fin: bool,
}

/// Windows at the beginning and at most, segments; infinite if unlimited, which means
/// [`LARGEST_WINDOW`](super::LARGEST_WINDOW).
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Windows {
    /// Window once the connection is open.
    #[setting(default = 10.0, form = Segments, source = "RFC 6928")]
    pub initial_window: f64,
    /// Slow-start threshold at the start; "max_window": as large as max_window.
    #[setting(default = f64::INFINITY, form = Threshold, source = "RFC 5681 section 3.1: arbitrarily high")]
    pub initial_ssthresh: f64,
    /// The most that may be outstanding, whatever cwnd is.
    #[setting(default = f64::INFINITY, form = Segments)]
    pub max_window: f64,
    /// The receiver's buffer, which it advertises.
    #[setting(default = f64::INFINITY, form = Segments)]
    pub receive_window: f64,
    /// First window after the loss of the SYN.
    #[setting(default = 1.0, form = Segments, source = "RFC 5681 section 3.1")]
    pub syn_loss_window: f64,
    /// Most new segments, and with SACK retransmissions, that leave for one acknowledgment, one timeout, or one write; 0: no limit.
    #[setting(default = 0)]
    pub max_burst: u32,
    // With SACK, `max_window` then bounds the data in the network rather than the distance from the oldest segment to the newest
    // (TCP-Linux).
    /// cwnd itself stops at max_window, instead of growing on while max_window limits.
    #[setting(default = false)]
    pub window_clamp: bool,
    /// Recovery sack with sack_pipe "scoreboard": the receiver's window alone bounds the distance of data beyond the
    /// oldest outstanding segment, and max_window does not (TCP-Linux). If not given, as window_clamp.
    #[setting(default = false, was = "span_by_receiver")]
    pub receive_window_only: bool,
    /// An application that has written nothing for longer than a timeout begins again with the initial window (RFC 5681
    /// section 4.1).
    #[setting(default = true)]
    pub idle_restart: bool,
}

/// The retransmission timer, and the measurement of round trips.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Timers {
    /// Longest random processing time of the host, uniform from 0; all segments that may leave by then leave together.
    /// A fast retransmission does not wait, unless SACK's pipe has to let it go.
    #[setting(default = Duration::ZERO, range = Duration::ZERO..=Duration::from_secs(10))]
    pub send_overhead: Duration,
    /// Lower bound of the retransmission timeout.
    #[setting(default = Duration::from_secs(1), range = TIMEOUTS, source = "RFC 6298 section 2.4")]
    pub min_rto: Duration,
    /// Upper bound of the retransmission timeout, backoff included.
    #[setting(default = Duration::from_secs(60), range = TIMEOUTS, source = "RFC 6298 section 2.5")]
    pub max_rto: Duration,
    /// Retransmission timeout before the first measurement.
    #[setting(default = Duration::from_secs(1), range = TIMEOUTS, source = "RFC 6298 section 2.1")]
    pub initial_rto: Duration,
    /// Tick of the clock that times round trips, with Jacobson's integer estimator; "0s": exact times, RFC 6298.
    #[setting(default = Duration::ZERO, range = Duration::ZERO..=Duration::from_secs(10), source = "Jacobson 1988, appendix A")]
    pub clock_tick: Duration,
    /// Phase of that clock's tick at which the connection begins: "random", or a time.
    #[setting(default = TickPhase::At(Duration::ZERO))]
    pub tick_phase: TickPhase,
    /// A measurement of the round trip goes on if the timed segment is sent again (ns-2), instead of ending there (Karn
    /// and Partridge 1987). If not given, true if there is a clock_tick.
    #[setting(default = false, was = "timing_of_resent")]
    pub time_retransmissions: bool,
    // The round trip of what arrived last in order.
    /// Recovery sack with sack_pipe "scoreboard": duplicate acknowledgments restart the retransmission timer, too
    /// (TCP-Linux).
    #[setting(default = false)]
    pub dup_ack_timer: bool,
    /// Recovery sack with sack_pipe "scoreboard" and timestamps: duplicate acknowledgments measure round trips, too
    /// (TCP-Linux), not only those of new data (RFC 7323 section 4.1). If not given, as dup_ack_timer.
    #[setting(default = false)]
    pub dup_ack_timing: bool,
    /// A measurement of the round trip under way goes on when fast recovery begins (TCP-Linux), instead of ending there
    /// (Karn and Partridge 1987).
    #[setting(default = false)]
    pub timing_in_recovery: bool,
    /// With timestamps: each acknowledgment of new data ends the backoff of the retransmission timer, not only that of
    /// the timed segment (ns-2: ts_resetRTO_).
    #[setting(default = true)]
    pub stamps_end_backoff: bool,
}

/// Growth of the window, and sending of segments.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Growth {
    /// Counting of an acknowledgment for the growth of the window.
    #[setting(default = AckCounting::Acks, source = "RFC 5681 section 3.1")]
    pub ack_counting: AckCounting,
    /// Slow start goes on while cwnd equals ssthresh (RFC 5681 leaves it open).
    #[setting(default = false)]
    pub slow_start_at_threshold: bool,
    /// The window grows by whole segments only: parts are kept until they make one (TCP-Linux).
    #[setting(default = false)]
    pub whole_growth: bool,
    /// Every acknowledged segment counts one in congestion avoidance, whatever ack_counting says (TCP-Linux). If not
    /// given, as whole_growth.
    #[setting(default = false)]
    pub avoidance_by_segments: bool,
    /// The first slow start ends when round trips grow, not when a queue overflows (HyStart++, RFC 9406). Controls that
    /// send by a rate of their own have none.
    #[setting(default = false)]
    pub hystart: bool,
    /// Segments leave one by one at a rate, 2 windows per round trip in slow start and 1.2 after it, instead of by the
    /// clock of acknowledgments. Controls that send by a rate of their own do so in any case.
    #[setting(default = false)]
    pub pacing: bool,
}

/// Detection of losses, and the estimate of data in the network.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct LossDetection {
    /// Number of duplicate acknowledgments that mean a loss. Recovery rack, and sack with sack_pipe "scoreboard", count
    /// segments that arrived beyond a hole instead: 3.
    #[setting(default = 3, range = 1..=255, source = "RFC 5681 section 3.2")]
    pub duplicates: u32,
    /// Duplicates that may stem from a loss before the last cut of the window begin fast recovery anew, instead of
    /// being ignored (RFC 6582 section 3.2, step 2).
    #[setting(default = false)]
    pub repeated_recovery: bool,
    /// A new segment on the first and second duplicate acknowledgment (RFC 3042).
    #[setting(default = true)]
    pub limited_transmit: bool,
    /// Recovery sack with sack_pipe "scoreboard": bound of these new segments.
    #[setting(default = LimitedTransmitBound::Outstanding)]
    pub limited_transmit_bound: LimitedTransmitBound,
    /// Recovery sack: estimate of the data in the network.
    #[setting(default = SackPipe::Scoreboard, source = "RFC 6675")]
    pub sack_pipe: SackPipe,
    /// Recovery sack with sack_pipe "scoreboard": when a segment is lost.
    #[setting(default = SackLoss::Count, source = "RFC 6675 section 4")]
    pub sack_loss: SackLoss,
    /// Recovery sack with sack_pipe "scoreboard": retransmissions once no new data is left.
    #[setting(default = SackTail::Rescue, source = "RFC 6675 section 4, NextSeg rules 3 and 4")]
    pub sack_tail: SackTail,
    /// Recovery sack with sack_pipe "scoreboard": a retransmission is lost, too, once this number of segments beyond
    /// those sent before it have arrived; 0: only the timer finds it.
    #[setting(default = 0)]
    pub lost_retransmission: u32,
    /// Recovery sack with sack_pipe "scoreboard": a retransmission is lost, too, once this number of retransmissions
    /// after it has arrived; 0: not (TCP-Linux: 5).
    #[setting(default = 0)]
    pub overtaken_retransmission: u32,
    /// Recovery rack: tolerated lateness of a segment before it is lost, as a share of the least round trip, 0 to 1
    /// (RFC 8985: reo_wnd).
    #[setting(default = 0.25, form = Fraction)]
    pub reordering_window: f64,
    /// Recovery rack: it probes for losses at the tail (TLP, RFC 8985).
    #[setting(default = true)]
    pub tail_loss_probe: bool,
    /// Recovery rack: longest delay by the receiver of the acknowledgment of a single segment, which the probe timeout
    /// allows for (RFC 8985: TLP.max_ack_delay).
    #[setting(default = Duration::from_ms(200))]
    pub max_ack_delay: Duration,
}

/// The window after a loss or a mark, and the way down to it.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Decrease {
    /// Amount that a loss reduces: the data in flight, the window in use, or the data still in the network by SACK
    /// (ns-3).
    #[setting(default = Reduction::Flight)]
    pub reduction: Reduction,
    /// The slow-start threshold stays as it is if a segment that was sent again after a timeout times out again. If not
    /// given, true unless reduction is "window".
    #[setting(default = true, source = "RFC 5681 section 3.1, below equation 4")]
    pub backoff_keeps_ssthresh: bool,
    /// Rounding of the window before a loss reduces it.
    #[setting(default = Rounding::None)]
    pub window_rounding: Rounding,
    /// Rounding of the slow-start threshold.
    #[setting(default = Rounding::None)]
    pub ssthresh_rounding: Rounding,
    /// Least window that a loss found by duplicate acknowledgments leaves, in segments; 0: no floor.
    #[setting(default = 2.0, range = 0.0..=1000.0, form = Plain, source = "RFC 5681 equation 4")]
    pub loss_floor: f64,
    /// A control whose own cut is less than half halves after a loss in slow start, and after a timeout.
    #[setting(default = true)]
    pub halve_in_slow_start: bool,
    /// Control reno: a connection's first cut, a cut in slow start and one after a timeout take half, whatever decrease
    /// says (ns-2's first_decrease_).
    #[setting(default = false)]
    pub early_halving: bool,
    /// With ECN, a mark reduces the window less than a loss does: reno to 0.8, cubic to 0.85 of it (ABE, RFC 8511).
    #[setting(default = false)]
    pub abe: bool,
    /// The way down to the reduced window in fast recovery. Without effect for tahoe and fack, whose recovery starts
    /// from one segment.
    #[setting(default = WindowReduction::AtOnce)]
    pub window_reduction: WindowReduction,
    /// Rate halving: lowest window of a long recovery, as a factor from 0 to 1 of the window that the loss leaves.
    #[setting(default = 1.0, form = Fraction)]
    pub halving_floor: f64,
}

/// Partial acknowledgments, and the end of fast recovery.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct FastRecovery {
    /// NewReno: partial acknowledgments that restart the retransmission timer.
    #[setting(default = PartialAckTimer::First, source = "RFC 6582 section 3.2, step 3")]
    pub partial_ack_timer: PartialAckTimer,
    /// Recovery sack with sack_pipe "scoreboard": partial acknowledgments that restart it (ns-3: the first).
    #[setting(default = PartialAckTimer::Every, source = "RFC 6298 section 5.3")]
    pub sack_partial_timer: PartialAckTimer,
    /// NewReno: effect of a partial acknowledgment on the inflated window. If it is not given, partial_ack_timer =
    /// "every" makes it "reset", "first" makes it "deflate".
    #[setting(default = PartialWindow::Deflate, source = "RFC 6582 section 3.2, step 3")]
    pub partial_window: PartialWindow,
    /// NewReno: most segments sent for one acknowledgment in fast recovery; 0: no limit.
    #[setting(default = 0)]
    pub recovery_burst: u32,
    /// NewReno: the window after the acknowledgment that ends fast recovery: at most the outstanding segments and one
    /// more, or the slow-start threshold. If not given, exit_growth = true makes it "ssthresh", false "flight".
    #[setting(default = FullAckWindow::Flight, source = "RFC 6582 section 3.2, step 3, options 1 and 2")]
    pub full_ack_window: FullAckWindow,
    /// The acknowledgment that ends fast recovery also opens the window.
    #[setting(default = false)]
    pub exit_growth: bool,
    /// Recovery sack with sack_pipe "scoreboard": segments that may go at once when recovery ends: the window is at
    /// most the outstanding segments and these (TCP-Linux). 0: no limit.
    #[setting(default = 0)]
    pub exit_burst: u32,
    /// Recovery sack with sack_pipe "scoreboard": selective acknowledgments are forgotten when recovery ends
    /// (TCP-Linux). If not given, true if there is an exit_burst.
    #[setting(default = false, was = "exit_forgets_sacks")]
    pub clear_scoreboard_on_exit: bool,
}

/// Acknowledgments of the receiver.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Acks {
    // Zero: every segment at once.
    /// Acknowledge every second segment, or after this time; false: each at once; true: the profile's time.
    #[setting(default = Duration::from_ms(100), form = Delay, source = "RFC 5681 section 4.2: at most 500 ms")]
    pub delayed_ack: Duration,
    /// With delayed_ack: segments that arrive in order before they are acknowledged without waiting longer. More than 2 thins out
    /// acknowledgments further than RFC 5681 allows.
    #[setting(default = 2, range = 1..=255, source = "RFC 5681 section 4.2")]
    pub ack_every: u32,
    /// Most SACK blocks in an acknowledgment, 0 to 3. Only the recoveries sack, fack and rack use it; the others have 0 if it is not given.
    #[setting(default = 3, range = 0..=3, value = "0 to 3", source = "RFC 2018 section 3, beside timestamps")]
    pub sack_blocks: u8,
    // A run that falls out of this memory is not reported again until a segment of it arrives.
    /// Most runs of segments that the receiver remembers to report, 0 to 32; 0: all. ns-2's sink remembers three.
    #[setting(default = 0, range = 0..=32, value = "0 to 32")]
    pub sack_memory: u8,
}

/// Options of the header.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Options {
    /// The timestamps option (RFC 7323): a measurement with each acknowledgment.
    #[setting(default = false)]
    pub timestamps: bool,
    /// Explicit congestion notification: "classic" as in RFC 3168, "dctcp" as in RFC 8257. Control dctcp presets "dctcp".
    #[setting(default = Ecn::Off)]
    pub ecn: Ecn,
}
