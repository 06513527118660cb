//! State of BBR.

use super::aggregation::Aggregation;
use super::config::Config;
use super::limited::LimitedSpan;
use crate::congestion::window::Window;
use crate::congestion::windowed_max::WindowedMax;
use base::{Duration, Instant, Rng};

/// BBRBtlBwFilterLen: round trips over which the maximum of the delivery rate is taken.
pub(super) const RATE_ROUNDS: u64 = 10;
/// Round-trip time assumed for the first pacing rate, seconds.
const FIRST_RTT_S: f64 = 0.001;

/// States of BBR (section 4.3 of the draft).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Startup,
    Drain,
    ProbeBw,
    ProbeRtt,
}

/// Effect of loss recovery on the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Repair {
    /// No recovery.
    None,
    /// Recovery began since the last acknowledgment.
    Begins,
    /// First round trip of recovery, with packet conservation: at most as many segments are sent as are
    /// delivered. It ends when the connection has delivered this number of segments.
    Conserves(u64),
    /// Later round trips of recovery.
    GoesOn,
}

/// State of BBR.
#[derive(Clone, Debug)]
pub struct Bbr {
    pub(in crate::congestion) window: Window,
    pub(super) config: Config,
    pub(super) phase: Phase,
    pub(super) rng: Option<Rng>,
    /// BtlBw: windowed maximum of the delivery rate, segments per second.
    pub(super) rates: WindowedMax,
    pub(super) rtprop: Option<Duration>,
    pub(super) rtprop_at: Instant,
    pub(super) rounds: u64,
    /// next_round_delivered: the round trip ends with the acknowledgment of a segment that was sent when at
    /// least this number of segments had been delivered.
    pub(super) round_ends: u64,
    /// True once the pacing rate is based on a measured round-trip time.
    pub(super) seen_rtt: bool,
    pub(super) filled: bool,
    pub(super) full_rate: f64,
    pub(super) full_rounds: u32,
    pub(super) pacing_rate: f64,
    pub(super) cycle_at: usize,
    pub(super) cycle_began: Instant,
    /// probe_rtt_done_stamp: earliest end of probe-rtt; `None` while the data in flight exceed the window of
    /// probe-rtt.
    pub(super) probe_until: Option<Instant>,
    pub(super) probe_round_over: bool,
    /// prior_cwnd: the window before recovery or probe-rtt.
    pub(super) prior: f64,
    pub(super) repair: Repair,
    /// Form `linux`: time at which the last recovery ended, and its effect on the window and the window at
    /// that time.
    pub(super) ended: Option<(Instant, Repair, f64)>,
    pub(super) lost: u64,
    pub(super) aggregation: Aggregation,
    /// Time until the pacer lets the next segment depart.
    pub(super) wait: Duration,
    /// Segments whose rate probe-rtt limits.
    pub(super) limited: LimitedSpan,
    /// BBR.idle_restart: true from the end of idle time until the next acknowledgment.
    pub(super) idle_restart: bool,
}

impl Bbr {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            phase: Phase::Startup,
            rng: None,
            rates: WindowedMax::NONE,
            rtprop: None,
            rtprop_at: Instant::ZERO,
            rounds: 0,
            round_ends: 0,
            seen_rtt: false,
            filled: false,
            full_rate: 0.0,
            full_rounds: 0,
            pacing_rate: config.high_gain * window.cwnd.max(1.0) / FIRST_RTT_S,
            cycle_at: 0,
            cycle_began: Instant::ZERO,
            probe_until: None,
            probe_round_over: false,
            prior: 0.0,
            repair: Repair::None,
            ended: None,
            lost: 0,
            aggregation: Aggregation::NONE,
            wait: Duration::ZERO,
            limited: LimitedSpan::default(),
            idle_restart: false,
        }
    }

    /// Returns true if the pacing rate is that of whole packets, with the timestamps option (form `linux`).
    #[inline]
    pub(in crate::congestion) fn paces_options(&self) -> bool {
        self.config.linux
    }

    /// Takes the time until the pacer lets the next segment depart, before an acknowledgment's sample.
    #[inline]
    pub(in crate::congestion) fn departs_in(&mut self, wait: Duration) {
        self.wait = wait;
    }
}
