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
    /// Whether only segments with data grow by timestamps_size (ns-2), rather than acknowledgments and the SYN, too.
    #[setting(default = false)]
    pub timestamps_on_data: bool,
    /// Bytes that the SACK option adds to an acknowledgment, beside 8 for each block.
    #[setting(default = 4, range = 0..=OPTIONS, form = Size, source = "RFC 2018: 2, padded to 4")]
    pub sack_option: u32,
}

/// How a connection opens and closes, and how its application's writes become segments.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Connection {
    /// How the connection opens.
    #[setting(default = Syn::Handshake)]
    pub syn: Syn,
    /// With syn = "packet": whether data leaves together with the SYN (TCP-Linux), rather than once it is acknowledged.
    #[setting(default = false)]
    pub early_data: bool,
    /// Whether each write of an application counts as whole segments (ns-2), rather than as bytes of a stream.
    #[setting(default = false)]
    pub pad_writes: bool,
    /// Close with a FIN once a transfer of given size is acknowledged.
    #[setting(default = true)]
    pub fin: bool,
}

/// Where windows begin and end, segments; infinite if unlimited, which is as good as [`LARGEST_WINDOW`](super::LARGEST_WINDOW).
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
    /// Whether cwnd itself stops at max_window, rather than growing on while max_window limits.
    #[setting(default = false)]
    pub window_clamp: bool,
    /// Recovery sack with sack_pipe "scoreboard": whether the receiver's window alone says how far beyond the oldest outstanding
    /// segment data may go, and max_window does not (TCP-Linux). If not given, as window_clamp.
    #[setting(default = false)]
    pub span_by_receiver: bool,
    /// Whether an application that has written nothing for longer than a timeout begins again with the initial window (RFC 5681
    /// section 4.1).
    #[setting(default = true)]
    pub idle_restart: bool,
}

/// The retransmission timer, and how round trips are measured.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Timers {
    /// Longest random time, uniform from 0, for which the host works on what the window lets go; all that may leave by then leaves
    /// together. A fast retransmission does not wait, unless SACK's pipe has to let it go.
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
    /// Where in a tick of that clock the connection begins: "random", or a time.
    #[setting(default = TickPhase::At(Duration::ZERO))]
    pub tick_phase: TickPhase,
    /// Whether a measurement of the round trip goes on if the timed segment is sent again (ns-2), rather than end there (Karn and
    /// Partridge 1987). If not given, true if there is a clock_tick.
    #[setting(default = false)]
    pub timing_of_resent: bool,
    // The round trip of what arrived last in order.
    /// Recovery sack with sack_pipe "scoreboard": whether duplicate acknowledgments restart the retransmission timer, too (TCP-Linux).
    #[setting(default = false)]
    pub dup_ack_timer: bool,
    /// Recovery sack with sack_pipe "scoreboard" and timestamps: whether duplicate acknowledgments measure round trips, too
    /// (TCP-Linux), rather than those of new data alone (RFC 7323 section 4.1). If not given, as dup_ack_timer.
    #[setting(default = false)]
    pub dup_ack_timing: bool,
    /// Whether a measurement of the round trip under way goes on when fast recovery begins (TCP-Linux), rather than end there (Karn
    /// and Partridge 1987).
    #[setting(default = false)]
    pub timing_in_recovery: bool,
    /// With timestamps: whether each acknowledgment of new data ends the backoff of the retransmission timer, rather than that of
    /// the timed segment alone (ns-2: ts_resetRTO_).
    #[setting(default = true)]
    pub stamps_end_backoff: bool,
}

/// How the window grows, and how segments leave.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Growth {
    /// How an acknowledgment is counted when the window grows.
    #[setting(default = AckCounting::Acks, source = "RFC 5681 section 3.1")]
    pub ack_counting: AckCounting,
    /// Whether slow start goes on while cwnd equals ssthresh (RFC 5681 leaves it open).
    #[setting(default = false)]
    pub slow_start_at_threshold: bool,
    /// Whether the window grows by whole segments only: what an acknowledgment adds is kept until it makes one (TCP-Linux).
    #[setting(default = false)]
    pub whole_growth: bool,
    /// Whether every acknowledged segment counts one in congestion avoidance, whatever ack_counting says (TCP-Linux). If not given,
    /// as whole_growth.
    #[setting(default = false)]
    pub avoidance_by_segments: bool,
    /// Whether the first slow start ends where round trips grow, rather than where a queue overflows (HyStart++, RFC 9406). Controls
    /// that send by a rate of their own have none.
    #[setting(default = false)]
    pub hystart: bool,
    /// Segments leave one by one at a rate, 2 windows per round trip in slow start and 1.2 after it, instead of as acknowledgments
    /// let them. Controls that send by a rate of their own do so in any case.
    #[setting(default = false)]
    pub pacing: bool,
}

/// What makes a segment lost, and how much is in the network.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct LossDetection {
    /// Duplicate acknowledgments that mean a loss. Recovery rack, and sack with sack_pipe "scoreboard", count segments that arrived
    /// beyond a hole instead: 3.
    #[setting(default = 3, range = 1..=255, source = "RFC 5681 section 3.2")]
    pub duplicates: u32,
    /// Whether duplicates that may stem from a loss before the window was last cut begin fast recovery anew, rather than being left
    /// out (RFC 6582 section 3.2, step 2).
    #[setting(default = false)]
    pub repeated_recovery: bool,
    /// A new segment on the first and second duplicate acknowledgment (RFC 3042).
    #[setting(default = true)]
    pub limited_transmit: bool,
    /// Recovery sack with sack_pipe "scoreboard": what bounds these new segments.
    #[setting(default = LimitedTransmitBound::Outstanding)]
    pub limited_transmit_bound: LimitedTransmitBound,
    /// Recovery sack: how the data in the network is estimated.
    #[setting(default = SackPipe::Scoreboard, source = "RFC 6675")]
    pub sack_pipe: SackPipe,
    /// Recovery sack with sack_pipe "scoreboard": when a segment is lost.
    #[setting(default = SackLoss::Count, source = "RFC 6675 section 4")]
    pub sack_loss: SackLoss,
    /// Recovery sack with sack_pipe "scoreboard": what it retransmits once no new data is left.
    #[setting(default = SackTail::Rescue, source = "RFC 6675 section 4, NextSeg rules 3 and 4")]
    pub sack_tail: SackTail,
    /// Recovery sack with sack_pipe "scoreboard": a retransmission is lost, too, once so many segments beyond those sent before it
    /// have arrived; 0: only the timer finds it.
    #[setting(default = 0)]
    pub lost_retransmission: u32,
    /// Recovery sack with sack_pipe "scoreboard": a retransmission is lost, too, once the so many-th retransmission after it has
    /// arrived; 0: not (TCP-Linux: 5).
    #[setting(default = 0)]
    pub overtaken_retransmission: u32,
    /// Recovery rack: how much later than expected a segment may arrive before it is lost, as a share of the least round trip, 0 to 1
    /// (RFC 8985: reo_wnd).
    #[setting(default = 0.25, form = Fraction)]
    pub reordering_window: f64,
    /// Recovery rack: whether it probes for losses at the tail (TLP, RFC 8985).
    #[setting(default = true)]
    pub tail_loss_probe: bool,
    /// Recovery rack: how long the receiver may delay the acknowledgment of a single segment, which the probe timeout allows for
    /// (RFC 8985: TLP.max_ack_delay).
    #[setting(default = Duration::from_ms(200))]
    pub max_ack_delay: Duration,
}

/// What a loss or a mark leaves of the window, and the way down to it.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Decrease {
    /// What a loss reduces: the data in flight, the window in use, or what SACK shows to be still in the network (ns-3).
    #[setting(default = Reduction::Flight)]
    pub reduction: Reduction,
    /// Whether the slow-start threshold stays as it is if a segment that was sent again after a timeout times out again. If not
    /// given, true unless reduction is "window".
    #[setting(default = true, source = "RFC 5681 section 3.1, below equation 4")]
    pub backoff_keeps_ssthresh: bool,
    /// Whether the window is cut to whole segments before a loss reduces it.
    #[setting(default = Rounding::None)]
    pub window_rounding: Rounding,
    /// Whether the slow-start threshold is cut to whole segments.
    #[setting(default = Rounding::None)]
    pub ssthresh_rounding: Rounding,
    /// Least window that a loss found by duplicate acknowledgments leaves, in segments; 0: no floor.
    #[setting(default = 2.0, range = 0.0..=1000.0, form = Plain, source = "RFC 5681 equation 4")]
    pub loss_floor: f64,
    /// Whether a control whose own cut takes less than half takes half where slow start met the loss, or the timer found it.
    #[setting(default = true)]
    pub halve_in_slow_start: bool,
    /// Control reno: whether a connection's first cut, a cut in slow start and one after a timeout take half, whatever decrease says
    /// (ns-2's first_decrease_).
    #[setting(default = false)]
    pub early_halving: bool,
    /// With ECN, a mark reduces the window less than a loss does: reno to 0.8, cubic to 0.85 of it (ABE, RFC 8511).
    #[setting(default = false)]
    pub abe: bool,
    /// How the window goes down in fast recovery. Without effect for tahoe and fack, whose recovery starts from one segment.
    #[setting(default = WindowReduction::AtOnce)]
    pub window_reduction: WindowReduction,
    /// Rate halving: how far below the window that the loss leaves a recovery that lasts may take it, as a factor from 0 to 1.
    #[setting(default = 1.0, form = Fraction)]
    pub halving_floor: f64,
}

/// Partial acknowledgments, and the end of fast recovery.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct FastRecovery {
    /// NewReno: which partial acknowledgments restart the retransmission timer.
    #[setting(default = PartialAckTimer::First, source = "RFC 6582 section 3.2, step 3")]
    pub partial_ack_timer: PartialAckTimer,
    /// Recovery sack with sack_pipe "scoreboard": which partial acknowledgments restart it (ns-3: the first).
    #[setting(default = PartialAckTimer::Every, source = "RFC 6298 section 5.3")]
    pub sack_partial_timer: PartialAckTimer,
    /// NewReno: what a partial acknowledgment does to the inflated window. If it is not given, partial_ack_timer = "every" makes it
    /// "reset", "first" makes it "deflate".
    #[setting(default = PartialWindow::Deflate, source = "RFC 6582 section 3.2, step 3")]
    pub partial_window: PartialWindow,
    /// NewReno: most segments sent for one acknowledgment in fast recovery; 0: no limit.
    #[setting(default = 0)]
    pub recovery_burst: u32,
    /// NewReno: what the acknowledgment that ends fast recovery leaves of the window: no more than what is outstanding and one segment,
    /// or the slow-start threshold. If not given, exit_growth = true makes it "ssthresh", false "flight".
    #[setting(default = FullAckWindow::Flight, source = "RFC 6582 section 3.2, step 3, options 1 and 2")]
    pub full_ack_window: FullAckWindow,
    /// Whether the acknowledgment that ends fast recovery also opens the window.
    #[setting(default = false)]
    pub exit_growth: bool,
    /// Recovery sack with sack_pipe "scoreboard": segments that may go at once when recovery ends: the window is at most what is
    /// outstanding and these (TCP-Linux). 0: no limit.
    #[setting(default = 0)]
    pub exit_burst: u32,
    /// Recovery sack with sack_pipe "scoreboard": whether what was selectively acknowledged is forgotten when recovery ends
    /// (TCP-Linux). If not given, true if there is an exit_burst.
    #[setting(default = false)]
    pub exit_forgets_sacks: bool,
}

/// What the receiver answers.
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
