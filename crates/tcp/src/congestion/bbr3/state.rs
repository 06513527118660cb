//! State of BBRv3. Amounts are in segments, rates in segments per second; names are the draft's.

use super::config::Config;
use crate::congestion::bbr::LimitedSpan;
use crate::congestion::window::Window;
use crate::congestion::windowed_max::WindowedMax;
use base::{Duration, Instant, Rng};

pub(super) const STARTUP_PACING_GAIN: f64 = 2.772_588_722_239_781;
const DRAIN_PACING_GAIN: f64 = 0.5;
const UP_PACING_GAIN: f64 = 1.25;
const DOWN_PACING_GAIN: f64 = 0.9;
const DEFAULT_CWND_GAIN: f64 = 2.0;
const UP_CWND_GAIN: f64 = 2.25;
const PROBE_RTT_CWND_GAIN: f64 = 0.5;
/// Round-trip time assumed for the first pacing rate, seconds (InitPacingRate).
const FIRST_RTT_S: f64 = 0.001;

/// BBR.state: the phase that the control is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Startup,
    Drain,
    Down,
    Cruise,
    Refill,
    Up,
    ProbeRtt,
}

impl Phase {
    /// Returns true in the four phases of the probing cycle (IsInAProbeBWState).
    pub(super) fn is_probe_bw(self) -> bool {
        matches!(self, Self::Down | Self::Cruise | Self::Refill | Self::Up)
    }

    /// Returns true in phases that accelerate (IsProbingBW).
    pub(super) fn accelerates(self) -> bool {
        matches!(self, Self::Startup | Self::Refill | Self::Up)
    }

    pub(super) fn pacing_gain(self) -> f64 {
        match self {
            Self::Startup => STARTUP_PACING_GAIN,
            Self::Drain => DRAIN_PACING_GAIN,
            Self::Down => DOWN_PACING_GAIN,
            Self::Up => UP_PACING_GAIN,
            Self::Cruise | Self::Refill | Self::ProbeRtt => 1.0,
        }
    }

    pub(super) fn cwnd_gain(self) -> f64 {
        match self {
            Self::Up => UP_CWND_GAIN,
            Self::ProbeRtt => PROBE_RTT_CWND_GAIN,
            _ => DEFAULT_CWND_GAIN,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Startup => "startup",
            Self::Drain => "drain",
            Self::Down => "probe-down",
            Self::Cruise => "probe-cruise",
            Self::Refill => "probe-refill",
            Self::Up => "probe-up",
            Self::ProbeRtt => "probe-rtt",
        }
    }
}

/// BBR.ack_phase: the data that current acknowledgments cover, relative to the latest probe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AckPhase {
    Init,
    Refilling,
    ProbeStarting,
    ProbeFeedback,
    ProbeStopping,
}

/// Bounds of the model that losses set; infinite while unset.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bounds {
    pub(super) inflight_longterm: f64,
    pub(super) inflight_shortterm: f64,
    pub(super) bw_shortterm: f64,
}

impl Bounds {
    pub(super) const NONE: Self = Self {
        inflight_longterm: f64::INFINITY,
        inflight_shortterm: f64::INFINITY,
        bw_shortterm: f64::INFINITY,
    };

    /// Removes the short-term bounds (ResetShortTermModel).
    pub(super) fn reset_short_term(&mut self) {
        self.inflight_shortterm = f64::INFINITY;
        self.bw_shortterm = f64::INFINITY;
    }
}

/// Packet-timed round trips.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Rounds {
    /// BBR.round_count: number of round trips so far.
    pub(super) count: u64,
    /// BBR.next_round_delivered: the round trip ends with the acknowledgment of a segment that was sent when
    /// at least this number of segments had been delivered.
    pub(super) ends: u64,
    /// BBR.round_start: true if the last acknowledgment began a round trip.
    pub(super) start: bool,
}

/// Losses and deliveries of the current round trip.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct LossRound {
    /// BBR.loss_round_delivered: the round trip ends with the acknowledgment of a segment that was sent when
    /// at least this number of segments had been delivered.
    pub(super) ends: u64,
    /// BBR.loss_round_start: true if the last acknowledgment ended a round trip.
    pub(super) start: bool,
    /// BBR.is_loss_in_round: true if a segment was lost in the round trip.
    pub(super) lossy: bool,
    /// Number of discontiguous ranges of segments lost in the round trip.
    pub(super) ranges: u32,
    /// Segment that would continue the last range.
    pub(super) next: u64,
    /// BBR.bw_latest: largest delivery rate in the round trip, segments per second.
    pub(super) bw_latest: f64,
    /// BBR.inflight_latest: largest number of segments delivered in one sampling interval of the round trip.
    pub(super) inflight_latest: f64,
}

impl LossRound {
    /// Forgets losses and deliveries of the round trip (ResetCongestionSignals).
    pub(super) fn reset(&mut self) {
        self.lossy = false;
        self.bw_latest = 0.0;
        self.inflight_latest = 0.0;
    }
}

/// Estimate of a full pipe.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct FullPipe {
    /// BBR.full_bw_reached: true once the pipe has been full.
    pub(super) reached: bool,
    /// BBR.full_bw_now: true if the pipe is full since the last reset.
    pub(super) now: bool,
    /// BBR.full_bw: baseline, segments per second. A delivery rate a quarter above it shows that the pipe is
    /// not full, and becomes the baseline.
    pub(super) bw: f64,
    /// BBR.full_bw_count: round trips in which the delivery rate has not grown enough since `bw` was set.
    pub(super) count: u32,
}

impl FullPipe {
    /// Restarts the estimate with `bw` as the baseline (ResetFullBW).
    pub(super) fn reset(&mut self, bw: f64) {
        (self.now, self.bw, self.count) = (false, bw, 0);
    }
}

/// State of the probing for bandwidth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Probe {
    pub(super) ack_phase: AckPhase,
    /// BBR.is_bw_probe_sample: true while losses are attributed to the probe.
    pub(super) sampling: bool,
    /// BBR.bw_probe_up_acked: segments acknowledged since the last increase of the long-term bound.
    pub(super) acked: f64,
    /// BBR.probe_up_acked_per_inc: acknowledged segments per increase of the long-term bound by one segment.
    pub(super) acked_per_inc: f64,
    /// BBR.bw_probe_up_rounds: exponent of the next growth of the long-term bound in probe-up.
    pub(super) up_rounds: u32,
    /// BBR.rounds_since_probe_up: round trips since the last probe-up; it begins at 0 or 1 at random.
    pub(super) rounds_since: u64,
    /// BBR.bw_probe_wait: longest time from the beginning of the cycle to the next probe.
    pub(super) wait: Duration,
    /// BBR.cycle_stamp: time at which the probing cycle began.
    pub(super) cycle_began: Instant,
    /// BBR.prev_probe_too_high: true if the last probe lost too many segments.
    pub(super) was_too_high: bool,
    /// BBR.prev_probe_precautionary: true if the last probe ended early because the probe before it had lost
    /// too many segments.
    pub(super) was_precautionary: bool,
}

/// Schedule of the phase probe-rtt.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ProbeRtt {
    /// BBR.probe_rtt_min_delay and BBR.probe_rtt_min_stamp: least recent round-trip time, and the time of its
    /// measurement.
    pub(super) least: Option<Duration>,
    pub(super) least_at: Instant,
    /// BBR.probe_rtt_expired: true if `least` is so old that probe-rtt is due.
    pub(super) expired: bool,
    /// BBR.probe_rtt_done_stamp; `None` while the data in flight exceed the window of probe-rtt.
    pub(super) until: Option<Instant>,
    /// BBR.probe_rtt_round_done: true once a round trip has ended with few segments in flight.
    pub(super) round_done: bool,
}

/// Phases to which a spurious loss recovery returns (BBR.undo_state).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UndoState {
    None,
    Startup,
    Up,
}

/// Loss recovery, and the state saved at its beginning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Repair {
    /// True during fast recovery.
    pub(super) fast: bool,
    /// Segment whose acknowledgment ends the recovery from a timeout; `None` outside of such a recovery.
    pub(super) timeout: Option<u64>,
    /// True from the first lost segment of an episode to the end of its recovery.
    pub(super) saved: bool,
    /// BBR.prior_cwnd: window saved before recovery or probe-rtt, segments.
    pub(super) prior_cwnd: f64,
    pub(super) undo_state: UndoState,
    /// Bounds saved before the losses: BBR.undo_bw_shortterm, BBR.undo_inflight_shortterm and
    /// BBR.undo_inflight_longterm.
    pub(super) undo: Bounds,
}

/// State of BBRv3.
#[derive(Clone, Debug)]
pub struct Bbr3 {
    pub(in crate::congestion) window: Window,
    pub(super) config: Config,
    pub(super) rng: Option<Rng>,
    pub(super) initial_cwnd: f64,
    pub(super) phase: Phase,
    pub(super) delivered: u64,
    /// BBR.max_bw_filter: largest delivery rate of this probing cycle and of the last one.
    pub(super) max_bw: [f64; 2],
    /// BBR.bw: bandwidth in use, the smaller of the maximum and the short-term bound, segments per second.
    pub(super) bw: f64,
    pub(super) min_rtt: Option<Duration>,
    pub(super) min_rtt_at: Instant,
    pub(super) bounds: Bounds,
    pub(super) rounds: Rounds,
    pub(super) losses: LossRound,
    pub(super) full: FullPipe,
    pub(super) drain_start_round: u64,
    pub(super) probe: Probe,
    pub(super) probe_rtt: ProbeRtt,
    pub(super) repair: Repair,
    pub(super) idle_restart: bool,
    pub(super) extra: WindowedMax,
    pub(super) extra_began: Instant,
    pub(super) extra_delivered: f64,
    /// Segments whose rate probe-rtt limits (MarkConnectionAppLimited).
    pub(super) limited: LimitedSpan,
    pub(super) pacing_rate: f64,
    pub(super) seen_rtt: bool,
}

impl Bbr3 {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            rng: None,
            initial_cwnd: window.cwnd,
            phase: Phase::Startup,
            delivered: 0,
            max_bw: [0.0; 2],
            bw: 0.0,
            min_rtt: None,
            min_rtt_at: Instant::ZERO,
            bounds: Bounds::NONE,
            rounds: Rounds::default(),
            losses: LossRound::default(),
            full: FullPipe::default(),
            drain_start_round: 0,
            probe: Probe {
                ack_phase: AckPhase::Init,
                sampling: false,
                acked: 0.0,
                acked_per_inc: f64::INFINITY,
                up_rounds: 0,
                rounds_since: 0,
                wait: Duration::ZERO,
                cycle_began: Instant::ZERO,
                was_too_high: false,
                was_precautionary: false,
            },
            probe_rtt: ProbeRtt {
                least: None,
                least_at: Instant::ZERO,
                expired: false,
                until: None,
                round_done: false,
            },
            repair: Repair {
                fast: false,
                timeout: None,
                saved: false,
                prior_cwnd: 0.0,
                undo_state: UndoState::None,
                undo: Bounds::NONE,
            },
            idle_restart: false,
            extra: WindowedMax::NONE,
            extra_began: Instant::ZERO,
            extra_delivered: 0.0,
            limited: LimitedSpan::default(),
            pacing_rate: STARTUP_PACING_GAIN * window.cwnd.max(1.0) / FIRST_RTT_S,
            seen_rtt: false,
        }
    }

    /// Returns BBR.max_bw: the largest delivery rate of the last two probing cycles, segments per second.
    pub(super) fn top_bw(&self) -> f64 {
        self.max_bw[0].max(self.max_bw[1])
    }

    /// Begins a round trip (StartRound).
    pub(super) fn start_round(&mut self) {
        self.rounds.ends = self.delivered;
    }
}
