//! Parameters of both ends of a connection, in groups. Each parameter is declared only here; the defaults are
//! those of profile `rfc`.

use super::choices::{
    AckCounting, Ecn, FullAckWindow, HyStartForm, LimitedTransmitBound, PartialAckTimer, PartialWindow,
    Reduction, Rounding, RtoFloor, SackLoss, SackPipe, SackTail, Syn, WindowReduction,
};
use super::forms::{Delay, Plain, SHORTEST, Segments, SlowStartEnd, SynSize, Threshold, TickPhase};
use base::Duration;
use settings::Settings;
use settings::{Fraction, Size};
use std::ops::RangeInclusive;

/// Largest IPv4 packet, bytes.
pub(super) const LARGEST: u32 = 65_535;
/// Largest size of the options in a TCP header, bytes.
const OPTIONS: u32 = 40;
/// Largest receive buffer, bytes.
const LARGEST_BUFFER: u64 = 1 << 31;
/// Bounds of a retransmission timeout.
const TIMEOUTS: RangeInclusive<Duration> = SHORTEST..=Duration::from_secs(3600);

/// Sizes on the wire, bytes.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Sizes {
    /// Payload of a full segment.
    #[setting(default = 1460, range = 1..=LARGEST, form = Size, source = "Ethernet's 1500 without 40 of IPv4 and TCP")]
    pub segment: u32,
    /// Size of the headers of each segment on the wire, in addition to its payload.
    #[setting(default = 40, range = 0..=LARGEST, form = Size)]
    pub header: u32,
    /// Size of an acknowledgment on the wire, without options.
    #[setting(default = 40, range = 1..=LARGEST, form = Size)]
    pub ack_size: u32,
    /// Size of the SYN on the wire; "segment": the size of a full segment with its header.
    #[setting(default = 40, range = 1..=LARGEST, form = SynSize)]
    pub syn_size: u32,
    /// Bytes that the timestamps option adds to each segment.
    #[setting(default = 12, range = 0..=OPTIONS, form = Size, source = "RFC 7323 section 3.2, padded")]
    pub timestamps_size: u32,
    /// timestamps_size is added only to segments with data (ns-2), not to acknowledgments and the SYN.
    #[setting(default = false)]
    pub timestamps_on_data: bool,
    /// Bytes that the SACK option adds to an acknowledgment, in addition to 8 for each block.
    #[setting(default = 4, range = 0..=OPTIONS, form = Size, source = "RFC 2018: 2, padded to 4")]
    pub sack_option: u32,
}

/// Opening and closing of the connection, and segmentation of an application's writes.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Connection {
    /// Opening of the connection.
    #[setting(default = Syn::Handshake)]
    pub syn: Syn,
    /// With syn = "handshake": the SYN-ACK is acknowledged by a separate ACK before the data (Linux), instead of by the first
    /// data segment.
    #[setting(default = false)]
    pub handshake_ack: bool,
    /// The last segment of each write of the application has PSH, and is acknowledged at once (Linux). An application with unlimited
    /// data writes when a third of the send buffer is free.
    #[setting(default = false)]
    pub pushes: bool,
    /// With pushes: size of the send buffer at the start, bytes of memory. It grows to hold twice the largest window.
    #[setting(default = 16_384, range = 1..=LARGEST_BUFFER, form = Size, source = "tcp(7): tcp_wmem")]
    pub send_buffer: u64,
    /// With syn = "packet": data are sent together with the SYN (TCP-Linux), instead of after its
    /// acknowledgment.
    #[setting(default = false)]
    pub early_data: bool,
    /// Each write of an application is sent as whole segments (ns-2), instead of as bytes of a stream.
    #[setting(default = false)]
    pub pad_writes: bool,
    /// The sender sends a FIN when all data of a transfer of given size are acknowledged.
    #[setting(default = true)]
    pub fin: bool,
}

/// Initial and largest windows, segments. Only [`LARGEST_WINDOW`](super::LARGEST_WINDOW) limits an infinite
/// window.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Windows {
    /// Congestion window when the connection has been opened.
    #[setting(default = 10.0, form = Segments, source = "RFC 6928")]
    pub initial_window: f64,
    /// Initial slow-start threshold; "max_window": the value of max_window.
    #[setting(default = f64::INFINITY, form = Threshold, source = "RFC 5681 section 3.1: arbitrarily high")]
    pub initial_ssthresh: f64,
    /// Limit on outstanding segments, in addition to cwnd.
    #[setting(default = f64::INFINITY, form = Segments)]
    pub max_window: f64,
    /// Size of the receiver's buffer, which is the window that it advertises.
    #[setting(default = f64::INFINITY, form = Segments)]
    pub receive_window: f64,
    /// Congestion window after the handshake if at least `syn_losses` SYNs or their answers were lost.
    #[setting(default = 1.0, form = Segments, source = "RFC 5681 section 3.1")]
    pub syn_loss_window: f64,
    /// Number of lost SYNs, or of lost answers, from which on syn_loss_window applies (Linux: 2).
    #[setting(default = 1, range = 1..=255, source = "RFC 5681 section 3.1")]
    pub syn_losses: u32,
    /// Limit on the new segments (with SACK also retransmissions) that one acknowledgment, timeout or write
    /// triggers; 0: no limit.
    #[setting(default = 0)]
    pub max_burst: u32,
    // With SACK and `window_clamp`, `max_window` limits the data in the network, not the distance between the
    // oldest and the newest outstanding segment (TCP-Linux).
    /// cwnd does not grow beyond max_window. Otherwise cwnd can grow further without effect.
    #[setting(default = false)]
    pub window_clamp: bool,
    /// Recovery sack with sack_pipe "scoreboard": only the receive window, not max_window, limits how far
    /// data are sent beyond the oldest outstanding segment (TCP-Linux). If not given, equal to window_clamp.
    #[setting(default = false, was = "span_by_receiver")]
    pub receive_window_only: bool,
    /// After an application has written nothing for longer than the retransmission timeout, cwnd restarts
    /// from initial_window (RFC 5681 section 4.1).
    #[setting(default = true)]
    pub idle_restart: bool,
}

/// Retransmission timer, and measurement of round-trip times.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Timers {
    /// Largest random processing time of the sending host, uniform from 0. All segments that may be sent at
    /// the end of this time are sent together. Fast retransmissions are not delayed, unless pipe does not
    /// allow them yet.
    #[setting(default = Duration::ZERO, range = Duration::ZERO..=Duration::from_secs(10))]
    pub send_overhead: Duration,
    /// Lower bound of the retransmission timeout.
    #[setting(default = Duration::from_secs(1), range = TIMEOUTS, source = "RFC 6298 section 2.4")]
    pub min_rto: Duration,
    /// The part of the retransmission timeout that min_rto bounds. Without effect with a clock_tick.
    #[setting(default = RtoFloor::Timeout, source = "RFC 6298 section 2.4")]
    pub rto_floor: RtoFloor,
    /// Retransmission timeouts are rounded up to a multiple of this time; "0s": exact. Without effect with a clock_tick.
    #[setting(default = Duration::ZERO, range = Duration::ZERO..=Duration::from_secs(10))]
    pub rto_unit: Duration,
    /// Upper bound of the retransmission timeout, including exponential backoff.
    #[setting(default = Duration::from_secs(60), range = TIMEOUTS, source = "RFC 6298 section 2.5")]
    pub max_rto: Duration,
    /// Retransmission timeout before the first sample of the round-trip time.
    #[setting(default = Duration::from_secs(1), range = TIMEOUTS, source = "RFC 6298 section 2.1")]
    pub initial_rto: Duration,
    /// Tick of the timer wheel that runs the timers of retransmission, loss recovery and delayed acknowledgments (Linux). Timers
    /// expire late: those of less than 63 ticks at the next tick, those of less than 504 ticks at the next multiple of 8 ticks,
    /// longer ones at a coarser multiple. "0s": timers are exact.
    #[setting(default = Duration::ZERO, range = Duration::ZERO..=Duration::from_secs(4))]
    pub timer_wheel: Duration,
    /// Tick of the clock that measures round-trip times, with Jacobson's integer estimator; "0s": exact times
    /// and RFC 6298's estimator.
    #[setting(default = Duration::ZERO, range = Duration::ZERO..=Duration::from_secs(10), source = "Jacobson 1988, appendix A")]
    pub clock_tick: Duration,
    /// Phase of this clock's tick at the start of the connection: "random", or the time since the last tick.
    #[setting(default = TickPhase::At(Duration::ZERO))]
    pub tick_phase: TickPhase,
    /// Timing of a segment continues if the segment is retransmitted (ns-2). Otherwise it ends without a
    /// sample (Karn and Partridge 1987). If not given, true if there is a clock_tick.
    #[setting(default = false, was = "timing_of_resent")]
    pub time_retransmissions: bool,
    /// Recovery sack with sack_pipe "scoreboard": duplicate acknowledgments restart the retransmission timer
    /// too (TCP-Linux).
    #[setting(default = false)]
    pub dup_ack_timer: bool,
    // The sample is the round-trip time of the last segment that arrived in order.
    /// Recovery sack with sack_pipe "scoreboard" and timestamps: duplicate acknowledgments give samples of
    /// the round-trip time too (TCP-Linux), not only acknowledgments of new data (RFC 7323 section 4.1). If
    /// not given, equal to dup_ack_timer.
    #[setting(default = false)]
    pub dup_ack_timing: bool,
    /// Recovery rack: an acknowledgment that shows only segments out of order measures the round trip of the first of them that
    /// was sent once (Linux). If that segment was sent before the oldest segment's last transmission, the retransmission timer is
    /// restarted. If false, no round trip is measured while the first loss of a recovery is being repaired.
    #[setting(default = false)]
    pub sack_timing: bool,
    /// Timing of a segment continues when fast recovery begins (TCP-Linux). Otherwise it ends without a
    /// sample (Karn and Partridge 1987).
    #[setting(default = false)]
    pub timing_in_recovery: bool,
    /// With timestamps: each acknowledgment of new data ends the exponential backoff of the retransmission
    /// timer, not only the acknowledgment of the timed segment (ns-2: ts_resetRTO_).
    #[setting(default = true)]
    pub stamps_end_backoff: bool,
}

/// Growth of the window, and pacing.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Growth {
    /// Increments of the window per acknowledgment.
    #[setting(default = AckCounting::Acks, source = "RFC 5681 section 3.1")]
    pub ack_counting: AckCounting,
    /// Slow start continues while cwnd equals ssthresh (RFC 5681 allows either).
    #[setting(default = false)]
    pub slow_start_at_threshold: bool,
    /// cwnd grows by whole segments only; fractions accumulate until they make a segment (TCP-Linux).
    #[setting(default = false)]
    pub whole_growth: bool,
    /// With ack_counting = "acks": an acknowledgment of a part of a segment (ack_division) counts as one of a whole segment
    /// (RFC 2581). Otherwise it counts by its part: min(N, SMSS) of N bytes.
    #[setting(default = false, source = "RFC 5681 section 3.1, equation 2")]
    pub count_parts_as_whole: bool,
    /// In congestion avoidance, one increment for each acknowledged segment, whatever the value of
    /// ack_counting (TCP-Linux). If not given, equal to whole_growth.
    #[setting(default = false)]
    pub avoidance_by_segments: bool,
    /// Rule that ends the first slow start before a queue overflows. HyStart++ (true, RFC 9406) ends it when round-trip
    /// times grow; the rule of Linux ("linux") ends it also after a long train of acknowledgments. Without effect for
    /// controls that set a pacing rate.
    #[setting(default = HyStartForm::None, form = SlowStartEnd)]
    pub hystart: HyStartForm,
    /// Segments are paced: at 2 windows per round trip in slow start, and at 1.2 windows after it. Controls
    /// that set a pacing rate are paced at their own rate in any case.
    #[setting(default = false)]
    pub pacing: bool,
    /// Segmentation offload (GSO, TSO): largest number of segments that a host sends as a train, without a gap. The train's size
    /// follows the pacing rate, and a train waits for room in the window (Linux). Linux's limit of 64 KiB is 45 segments of 1448
    /// bytes. 1: no trains.
    #[setting(default = 1, range = 1..=1000, source = "ip-sysctl: tcp_min_tso_segs, tcp_tso_rtt_log, tcp_tso_win_divisor")]
    pub gso: u32,
}

/// Detection of losses, and estimate of the data in the network (pipe).
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct LossDetection {
    /// Number of duplicate acknowledgments that show a loss (DupThresh). Must be 3 with recovery rack, and
    /// with sack and sack_pipe "scoreboard", which count selectively acknowledged segments instead.
    #[setting(default = 3, range = 1..=255, source = "RFC 5681 section 3.2")]
    pub duplicates: u32,
    /// Duplicate acknowledgments that may stem from a loss before the last reduction of the window begin fast
    /// recovery again. Otherwise they are ignored (RFC 6582 section 3.2, step 2).
    #[setting(default = false)]
    pub repeated_recovery: bool,
    /// Limited transmit: a new segment is sent on the first and second duplicate acknowledgment (RFC 3042).
    #[setting(default = true)]
    pub limited_transmit: bool,
    /// Recovery sack with sack_pipe "scoreboard": limit on the new segments of limited transmit.
    #[setting(default = LimitedTransmitBound::Outstanding)]
    pub limited_transmit_bound: LimitedTransmitBound,
    /// Recovery sack: how pipe, the estimate of the data in the network, is computed.
    #[setting(default = SackPipe::Scoreboard, source = "RFC 6675")]
    pub sack_pipe: SackPipe,
    /// Recovery sack with sack_pipe "scoreboard": rule by which a segment counts as lost.
    #[setting(default = SackLoss::Count, source = "RFC 6675 section 4")]
    pub sack_loss: SackLoss,
    /// Recovery sack with sack_pipe "scoreboard": retransmissions when no new data are left.
    #[setting(default = SackTail::Rescue, source = "RFC 6675 section 4, NextSeg rules 3 and 4")]
    pub sack_tail: SackTail,
    /// Recovery sack with sack_pipe "scoreboard": a retransmission counts as lost when the N-th new segment
    /// sent after it has arrived, with N this number; 0: only the timer detects the loss.
    #[setting(default = 0)]
    pub lost_retransmission: u32,
    /// Recovery sack with sack_pipe "scoreboard": a retransmission counts as lost when the N-th
    /// retransmission after it has arrived, with N this number; 0: never (TCP-Linux: 5).
    #[setting(default = 0)]
    pub overtaken_retransmission: u32,
    /// Recovery rack: reordering window (reo_wnd), as a fraction of the least round-trip time, 0 to 1 (RFC
    /// 8985). A segment that is late by more counts as lost.
    #[setting(default = 0.25, form = Fraction)]
    pub reordering_window: f64,
    /// Recovery rack: tail loss probes (TLP, RFC 8985).
    #[setting(default = true)]
    pub tail_loss_probe: bool,
    /// Recovery rack: largest delay of the receiver's acknowledgment of a single segment, by which the probe
    /// timeout is extended (RFC 8985: TLP.max_ack_delay).
    #[setting(default = Duration::from_ms(200))]
    pub max_ack_delay: Duration,
}

/// Window after a loss or a mark, and how it is reached.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Decrease {
    /// Quantity that a loss reduces: FlightSize, the window in use, or pipe (ns-3).
    #[setting(default = Reduction::Flight)]
    pub reduction: Reduction,
    /// ssthresh does not change if a segment that was retransmitted after a timeout times out again. If not
    /// given, true unless reduction is "window".
    #[setting(default = true, source = "RFC 5681 section 3.1, below equation 4")]
    pub backoff_keeps_ssthresh: bool,
    /// Rounding of the quantity that a loss reduces, before the reduction.
    #[setting(default = Rounding::None)]
    pub window_rounding: Rounding,
    /// Rounding of ssthresh after the reduction.
    #[setting(default = Rounding::None)]
    pub ssthresh_rounding: Rounding,
    /// Least window after a loss found by duplicate acknowledgments, segments; 0: no minimum.
    #[setting(default = 2.0, range = 0.0..=1000.0, form = Plain, source = "RFC 5681 equation 4")]
    pub loss_floor: f64,
    /// Controls that reduce the window by less than half halve it after a loss in slow start, and after a
    /// timeout.
    #[setting(default = true)]
    pub halve_in_slow_start: bool,
    /// Control reno: the first reduction of a connection, a reduction in slow start, and one after a timeout
    /// halve the window, whatever the value of `decrease` (ns-2's first_decrease_).
    #[setting(default = false)]
    pub early_halving: bool,
    /// With ECN, a mark reduces the window less than a loss does: reno to 0.8, cubic to 0.85 of its value
    /// (ABE, RFC 8511).
    #[setting(default = false)]
    pub abe: bool,
    /// With ECN: after a mark has reduced the window, the window does not grow until the data outstanding at that time are
    /// acknowledged (Linux's state CWR).
    #[setting(default = false)]
    pub pause_after_mark: bool,
    /// Reduction of cwnd to its new value in fast recovery: at once, by rate halving, or by PRR. Has no effect
    /// with tahoe and fack, which restart from a window of one segment.
    #[setting(default = WindowReduction::AtOnce)]
    pub window_reduction: WindowReduction,
    /// Rate halving: lowest window of a long recovery, as a factor from 0 to 1 of the reduced window.
    #[setting(default = 1.0, form = Fraction)]
    pub halving_floor: f64,
    /// With timestamps: the window is restored if the first acknowledgment of a retransmission echoes the stamp of an earlier
    /// transmission (Eifel, RFC 3522 and RFC 4015). Without effect for tahoe and fack.
    #[setting(default = false)]
    pub undo_by_timestamps: bool,
    /// The window is restored once D-SACK has reported a duplicate for each retransmission (RFC 3708). Without effect for tahoe and
    /// fack. Needs dsack.
    #[setting(default = false)]
    pub undo_by_dsack: bool,
    /// Recovery rack, and sack with sack_pipe "scoreboard": after a timeout and the first acknowledgment, two new segments are
    /// sent, whose acknowledgment shows if the timeout was spurious. If it was, the window is restored (F-RTO, RFC 5682).
    #[setting(default = false)]
    pub frto: bool,
}

/// Partial acknowledgments, and the end of fast recovery.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct FastRecovery {
    /// NewReno: partial acknowledgments that restart the retransmission timer.
    #[setting(default = PartialAckTimer::First, source = "RFC 6582 section 3.2, step 3")]
    pub partial_ack_timer: PartialAckTimer,
    /// Recovery sack with sack_pipe "scoreboard": partial acknowledgments that restart the retransmission
    /// timer (ns-3: the first).
    #[setting(default = PartialAckTimer::Every, source = "RFC 6298 section 5.3")]
    pub sack_partial_timer: PartialAckTimer,
    /// NewReno: effect of a partial acknowledgment on the inflated window. If not given, "reset" with
    /// partial_ack_timer = "every", and "deflate" with "first".
    #[setting(default = PartialWindow::Deflate, source = "RFC 6582 section 3.2, step 3")]
    pub partial_window: PartialWindow,
    /// NewReno: limit on the segments sent for one acknowledgment in fast recovery; 0: no limit.
    #[setting(default = 0)]
    pub recovery_burst: u32,
    /// NewReno: window after the full acknowledgment that ends fast recovery: at most the outstanding
    /// segments plus one, or ssthresh. If not given, "ssthresh" with exit_growth = true, and "flight" with
    /// false.
    #[setting(default = FullAckWindow::Flight, source = "RFC 6582 section 3.2, step 3, options 1 and 2")]
    pub full_ack_window: FullAckWindow,
    /// The acknowledgment that ends fast recovery also increases the window.
    #[setting(default = false)]
    pub exit_growth: bool,
    /// Recovery rack: if a segment sent during a recovery was lost, a new recovery begins when this one ends, and reduces the
    /// window again (Linux), even if the segment has been retransmitted. If false, only a loss that is detected later begins a
    /// recovery.
    #[setting(default = false)]
    pub chained_recovery: bool,
    /// Recovery sack with sack_pipe "scoreboard": when recovery ends, cwnd is limited to the outstanding
    /// segments plus this number (TCP-Linux). 0: no limit.
    #[setting(default = 0)]
    pub exit_burst: u32,
    /// Recovery sack with sack_pipe "scoreboard": the scoreboard is cleared when recovery ends (TCP-Linux).
    /// If not given, true if there is an exit_burst.
    #[setting(default = false, was = "exit_forgets_sacks")]
    pub clear_scoreboard_on_exit: bool,
}

/// Acknowledgments of the receiver.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Acks {
    // Zero means that every segment is acknowledged at once.
    /// Delayed acknowledgments: the receiver acknowledges every second segment, or after this time. false:
    /// each segment at once; true: with the profile's time.
    #[setting(default = Duration::from_ms(100), form = Delay, source = "RFC 5681 section 4.2: at most 500 ms")]
    pub delayed_ack: Duration,
    /// With delayed_ack: number of in-order segments after which an acknowledgment is sent at once. RFC 5681
    /// allows at most 2; larger values give fewer acknowledgments.
    #[setting(default = 2, range = 1..=255, source = "RFC 5681 section 4.2")]
    pub ack_every: u32,
    /// With delayed_ack: number of acknowledgments that are sent at once, each for one segment, at the connection's start and
    /// after a duplicate segment (Linux).
    #[setting(default = 0, range = 0..=255)]
    pub quick_acks: u8,
    /// Receive-window autotuning (Linux's tcp_rmem): initial size of the receiver's buffer, which grows with the data of a round
    /// trip. A segment that widens the window is acknowledged at once. "0B": the window is receive_window.
    #[setting(default = 0, range = 0..=LARGEST_BUFFER, form = Size, source = "Fisk and Feng 2001; tcp(7)")]
    pub receive_buffer: u64,
    /// With receive_buffer: largest size of the receiver's buffer.
    #[setting(default = 6_291_456, range = 1..=LARGEST_BUFFER, form = Size, source = "tcp(7)")]
    pub largest_receive_buffer: u64,
    /// Largest number of SACK blocks in an acknowledgment, 0 to 3. Only the recoveries sack, fack and rack
    /// use SACK; others have 0.
    #[setting(default = 3, range = 0..=3, value = "0 to 3", source = "RFC 2018 section 3, beside timestamps")]
    pub sack_blocks: u8,
    // A run of segments that is no longer remembered is reported again only when a segment of it arrives.
    /// Largest number of runs of out-of-order segments that the receiver remembers for SACK blocks, 0 to 32;
    /// 0: all. ns-2's sink remembers three.
    #[setting(default = 0, range = 0..=32, value = "0 to 32")]
    pub sack_memory: u8,
    /// SACK compression (Linux's tcp_comp_sack_delay_ns): the first three acknowledgments of out-of-order segments in a row are
    /// sent at once. Each further one is sent this time later, or 1/20 of the round-trip time if that is less, and
    /// 100 us of timer slack; it covers all segments that arrive until then. "0s": all at once.
    #[setting(default = Duration::ZERO, range = Duration::ZERO..=Duration::from_secs(1), source = "ip-sysctl")]
    pub sack_delay: Duration,
    /// The first SACK block reports a segment that has arrived again (D-SACK, RFC 2883). Needs sack_blocks.
    #[setting(default = false)]
    pub dsack: bool,
}

/// Misbehaviour of the receiver, for the sake of more than its share (Savage, Cardwell, Wetherall and Anderson 1999).
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Misbehaviour {
    /// ACK division: number of acknowledgments for each segment that arrives in order, each of an equal part of its bytes.
    /// 1: an honest receiver.
    #[setting(default = 1, range = 1..=1000, source = "Savage et al. 1999, section 3.1")]
    pub ack_division: u32,
    /// DupACK spoofing: number of duplicates that the receiver sends after each acknowledgment.
    #[setting(default = 0, range = 0..=1000, source = "Savage et al. 1999, section 3.2")]
    pub dupack_spoofing: u32,
    /// Optimistic ACKing: with each acknowledgment the receiver also acknowledges this number of segments that have not
    /// arrived, one after the other. The sender ignores acknowledgments of segments that it has not sent. Implies
    /// conceal_losses.
    #[setting(default = 0, range = 0..=1000, source = "Savage et al. 1999, section 3.3")]
    pub optimistic_acks: u32,
    /// The receiver acknowledges lost segments as if they had arrived (optimistic ACKing without a lead), and the application
    /// never gets them. Goodput and delivered_bytes then count the bytes that arrived, and a transfer with missing bytes
    /// does not count as completed.
    #[setting(default = false, source = "Savage et al. 1999, section 3.3")]
    pub conceal_losses: bool,
    /// With ECN: the receiver does not echo marks.
    #[setting(default = false, source = "RFC 3168 section 7; RFC 3540")]
    pub conceal_marks: bool,
}

impl Misbehaviour {
    /// Returns true if the receiver acknowledges segments that have not arrived.
    pub fn conceals_losses(&self) -> bool {
        self.conceal_losses || self.optimistic_acks > 0
    }
}

/// TCP options and ECN.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Options {
    /// Timestamps option (RFC 7323): each acknowledgment gives a sample of the round-trip time.
    #[setting(default = false)]
    pub timestamps: bool,
    /// Explicit congestion notification: "classic" as in RFC 3168, "dctcp" as in RFC 8257. Control dctcp presets "dctcp".
    #[setting(default = Ecn::Off)]
    pub ecn: Ecn,
    /// With ECN "classic": retransmissions are ECN-capable, too, as in ns-2. RFC 3168 section 6.1.5 forbids it, so that a router
    /// drops them instead of marking them.
    #[setting(default = false)]
    pub ecn_retransmissions: bool,
    /// With ECN "classic": the first segment after a reduction of the window has CWR, even if it is a retransmission, as in ns-2.
    /// By RFC 3168 section 6.1.2 the first new segment has it, so that acknowledgments echo a mark, and the window does not grow,
    /// until all losses are repaired.
    #[setting(default = false)]
    pub cwr_on_retransmissions: bool,
}
