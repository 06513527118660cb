//! Transmission control block (TCB) of a sender: its parts, and steps that involve several of them.

use super::advertised::Persist;
use super::allowance::Allowance;
use super::duplicates::Duplicates;
use super::ecn::EcnState;
use super::episode::{LastCut, LossEpisode};
use super::growth::Growth;
use super::pacing::Pacing;
use super::round_trips::RoundTrips;
use super::send_buffer::SendBuffer;
use super::snd::SendSequence;
use super::timers::Timers;
use super::undo::Undo;
use crate::calm::special;
use crate::config::{Config, Ecn, Syn};
use crate::congestion::{CongestionControl, LEAST, Needs, State, Transmission, Window};
use crate::hystart::HyStart;
use crate::rate::RateEstimator;
use crate::recovery::Recovery;
use crate::stats::{ClassifiedLoss, SenderStats};
use crate::stream::Stream;
use crate::times::SendTimes;
use crate::wheel::Wheel;
use base::{Duration, Instant};
use std::sync::Arc;

/// DupThresh: number of segments that must have arrived above a missing one for it to count as lost (RFC
/// 6675, RFC 8985).
pub(crate) const DUP_THRESH: u32 = 3;

/// Transmission control block (RFC 9293 section 3.3.1): state of one sender.
///
/// The parts have private fields and change only by their methods, which keep their invariants. They lie in memory in the
/// order below: first those that every segment and acknowledgment needs in calm ([`crate::calm`]), then the others. With
/// thousands of connections each cache line that a packet touches comes from memory.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Tcb {
    pub config: Arc<Config>,
    pub snd: SendSequence,
    /// One more than the last segment that may be sent before the next acknowledgment; valid in calm only, where nothing
    /// else changes what may be sent.
    pub(super) open_until: u64,
    pub(super) last_sent: Instant,
    pub stream: Stream,
    pub timers: Timers,
    pub allowance: Allowance,
    /// Congestion control of the connection, with its window.
    pub control: State,
    pub growth: Growth,
    pub pacing: Pacing,
    /// The socket's send buffer; `None` if the ends of writes have no PSH.
    pub send_buffer: Option<Box<SendBuffer>>,
    /// Last reaction to a loss, until it is reported.
    pub(super) unreported_loss: Option<ClassifiedLoss>,
    /// Optional calls and rules that congestion control asks for.
    pub needs: Needs,
    /// Bytes acknowledged of segment SND.UNA, by a receiver that divides acknowledgments.
    pub(super) part: u16,
    /// Increase of the number of segments that have arrived out of order by the current acknowledgment;
    /// negative if it fills holes.
    pub(super) newly_sacked: i32,
    pub round_trips: RoundTrips,
    pub ecn: EcnState,
    pub duplicates: Duplicates,
    pub episode: LossEpisode,
    /// State before the last cut of the window, kept while that cut may prove needless.
    pub(super) undo: Option<Box<Undo>>,
    /// Delivery-rate estimator; `None` if congestion control does not use it.
    pub rate: Option<Box<RateEstimator>>,
    pub persist: Persist,
    /// Counters, without those of acknowledged data, which follow from SND.UNA.
    pub stats: SenderStats,
    /// Number of cuts of the window that were undone.
    pub(crate) undone: u64,
}

impl Tcb {
    /// Creates the state of a connection that is not open. `phase` is the time since the last tick of its
    /// clock.
    pub(crate) fn new(config: &Arc<Config>, phase: Duration) -> Self {
        let limit = config.windows.most();
        let alone = config.connection.syn == Syn::Packet && !config.connection.early_data;
        let opening = if alone { 1.0 } else { config.windows.initial_window };
        let window = Window { cwnd: opening, ssthresh: config.windows.initial_ssthresh };
        let control = config.control.build(window);
        let by_time = config.recovery == Recovery::Rack;
        let paces = control.pacing_rate().is_some();
        // A control that sets a pacing rate does not use slow start.
        let hystart =
            HyStart::new(config.growth.hystart, config.growth.pacing).filter(|_| !paces).map(Box::new);
        let needs = control.needs();
        let timed = needs.segment_times || by_time || hystart.is_some();
        let slots =
            needs.fine_timeout.is_some_and(|fine| fine.slots) && !by_time && config.windows.are_limited();
        let times = timed.then(|| SendTimes::new(slots.then_some(limit as usize)));
        let rate = needs.rates.then(|| Box::new(RateEstimator::new()));
        Self {
            control,
            needs,
            snd: SendSequence::default(),
            open_until: 0,
            stream: Stream::new(config),
            persist: Persist::default(),
            duplicates: Duplicates::default(),
            part: 0,
            episode: LossEpisode::default(),
            allowance: Allowance::default(),
            timers: Timers::default(),
            round_trips: RoundTrips::new(&config.timers, phase, times),
            ecn: EcnState::default(),
            pacing: Pacing::new(config.growth.pacing || paces, needs.may_pace, config.growth.gso),
            growth: Growth::new(limit, config.windows.initial_window, hystart),
            send_buffer: config.connection.pushes.then(|| Box::new(SendBuffer::new(config))),
            rate,
            stats: SenderStats::default(),
            undo: None,
            undone: 0,
            last_sent: Instant::ZERO,
            newly_sacked: 0,
            unreported_loss: None,
            config: Arc::clone(config),
        }
    }

    /// Returns the usable window: cwnd and inflation, up to the limit, segments.
    #[inline]
    pub(crate) fn window(&self) -> f64 {
        (self.control.window().cwnd + self.duplicates.inflation() as i64 as f64).min(self.growth.limit())
    }

    /// Returns true if the window in use allows one segment more than `segments`.
    #[inline]
    pub(crate) fn has_room(&self, segments: u64) -> bool {
        // Converted through a signed integer, for which processors have an instruction.
        (segments as i64 + 1) as f64 <= self.window()
    }

    /// Returns true if SND.NXT is within the largest distance from the oldest outstanding segment.
    /// Selectively acknowledged segments between the two count as well.
    pub(crate) fn within_reach(&self) -> bool {
        let windows = &self.config.windows;
        let most = if windows.receive_window_only { windows.receive_window } else { self.growth.limit() };
        (self.snd.outstanding() as i64 as f64) < most
    }

    /// Returns true if segment SND.NXT is available and the window allows it.
    #[inline]
    pub(crate) fn window_open(&self) -> bool {
        self.snd.nxt() < self.stream.available() && self.has_room(self.snd.outstanding())
    }

    /// Returns SND.NXT if the segment is available and the window allows it, for recoveries that follow SND.UNA only.
    #[inline(always)]
    pub(crate) fn next_new(&self) -> Option<u64> {
        self.window_open().then_some(self.snd.nxt())
    }

    /// Computes `open_until` for the segments that may be sent in calm until the next acknowledgment.
    #[inline(always)]
    pub(crate) fn open_run(&mut self) {
        debug_assert_eq!(self.duplicates.inflation(), 0, "the window is inflated in calm");
        let window = self.control.window().cwnd.min(self.growth.limit()) as i64 as u64;
        let within = self.snd.una().saturating_add(window).min(self.stream.available());
        self.open_until = within.min(self.snd.nxt().saturating_add(self.allowance.burst().into()));
    }

    /// Returns SND.NXT if the segment is available, and the window and the burst allow it. The sender must be calm.
    #[inline(always)]
    pub(crate) fn next_in_run(&self) -> Option<u64> {
        let next = self.snd.nxt();
        let open = next < self.open_until;
        debug_assert_eq!(open, self.window_open() && self.allowance.has_burst(), "the run is out of date");
        open.then_some(next)
    }

    /// Returns true if Limited Transmit may send SND.NXT: the segment is available, and the outstanding
    /// segments stay within the limit and within cwnd plus the number of duplicate acknowledgments (RFC
    /// 3042).
    pub(crate) fn extra_allowed(&self) -> bool {
        let outstanding = self.snd.outstanding() as f64;
        self.snd.nxt() < self.stream.available()
            && outstanding + 1.0 <= self.growth.limit()
            && outstanding + 1.0 <= self.control.window().cwnd + f64::from(self.duplicates.acks())
    }

    /// Returns cwnd, without inflation.
    pub(crate) fn control_window(&self) -> f64 {
        self.control.window().cwnd
    }

    /// Returns the transmissions of the oldest outstanding segment; zeros if send times are not kept.
    pub(crate) fn oldest(&self) -> Transmission {
        self.round_trips.transmission(self.snd.una())
    }

    /// Returns the transmissions of outstanding segment `seq`; zeros if send times are not kept.
    #[inline]
    pub(crate) fn sending(&self, seq: u64) -> Transmission {
        self.round_trips.transmission(seq)
    }

    /// Returns the time at which a segment was last sent.
    pub(crate) fn last_sent(&self) -> Instant {
        self.last_sent
    }

    /// Removes and returns the last reaction to a loss, if it has not been reported.
    #[inline(always)]
    pub(crate) fn take_unreported_loss(&mut self) -> Option<ClassifiedLoss> {
        self.unreported_loss.take()
    }

    /// Allows the oldest segment to be retransmitted at once, on a loss detected by acknowledgments; restarts
    /// the timer.
    pub(crate) fn fast_retransmit(&mut self, now: Instant) {
        self.begin_repair(now);
        self.allowance.resend(self.snd.una());
    }

    /// Begins recovery from a loss detected by acknowledgments; restarts the timer.
    pub(crate) fn begin_repair(&mut self, now: Instant) {
        if !self.config.timers.timing_in_recovery {
            self.round_trips.give_up_timed();
        }
        self.set_timer(now);
    }

    /// Restarts the timer; stops timing a segment (Karn and Partridge 1987).
    pub(crate) fn restart_timer(&mut self, now: Instant) {
        self.round_trips.give_up_timed();
        self.set_timer(now);
    }

    /// Passes the delivery-rate sample of the last acknowledgment to congestion control.
    #[cold]
    pub(crate) fn rated(&mut self, in_flight: u64) {
        if let Some(sample) = self.rate.as_mut().and_then(|rate| rate.take(in_flight)) {
            self.control.departs_in(self.pacing.departs_in(sample.now));
            self.control.on_rate(&sample);
        }
    }

    /// Marks the next rate samples as app-limited if `in_flight` segments do not fill the window although
    /// nothing more is sent: the application or the receiver then limits the sender. If they fill it, marks
    /// the samples as limited by the window.
    #[inline(always)]
    pub(crate) fn mark_limited(&mut self, in_flight: u64) {
        if let Some(rate) = &mut self.rate {
            if in_flight < self.control.window().cwnd as u64 {
                rate.on_app_limited(in_flight);
            } else {
                rate.on_window_full(in_flight);
            }
        }
    }

    /// Counts segment `seq` as lost in the rate samples and reports the loss to congestion control, if there
    /// is a rate estimator.
    #[inline]
    pub(crate) fn lost(&mut self, now: Instant, seq: u64) {
        if let Some(lost) = self.rate.as_mut().and_then(|rate| rate.on_lost(now, seq)) {
            self.control.on_lost(&lost);
        }
    }

    /// Sets congestion control's timer to the time that the control requests.
    #[cold]
    pub(crate) fn look_up_timer(&mut self, now: Instant) {
        self.timers.set_control(now, self.control.wake());
    }

    /// Calls congestion control if its timer has expired, and allows the segments that its window then
    /// permits. Returns true if it was called.
    pub(crate) fn wakes(&mut self, now: Instant) -> bool {
        let due = self.timers.control_expired(now);
        if due {
            self.timers.stop_control();
            self.control.on_timer(now);
            self.look_up_timer(now);
            self.release_burst();
        }
        due
    }

    /// Restarts the retransmission timer if segments are outstanding (RFC 6298 section 5) or the window
    /// is closed ([`Self::is_closed`]); otherwise stops it.
    #[inline]
    pub(crate) fn update_timer(&mut self, now: Instant) {
        if self.snd.nxt() > self.snd.una() || self.snd.una() < self.snd.max() || self.is_closed() {
            self.set_timer(now);
        } else {
            self.timers.stop_retransmission();
        }
    }

    /// Returns true if no segment may be sent until the timer expires. This holds after a mark at a window of
    /// one segment (RFC 3168 section 6.1.2). As in ns-2, it also holds if a loss reduced the window below one
    /// segment, or Vegas restored the window of 0 that a timeout left.
    #[inline]
    fn is_closed(&self) -> bool {
        self.ecn.waits() || self.control.window().cwnd < LEAST
    }

    /// Starts the timer if the window is closed, data wait, no segment is outstanding and the timer does not
    /// run. Its expiry opens the window.
    #[inline]
    pub(crate) fn keep_alive(&mut self, now: Instant) {
        if self.snd.all_acknowledged() && self.is_closed() {
            self.wait_for_room(now);
        }
    }

    #[cold]
    fn wait_for_room(&mut self, now: Instant) {
        let idle = self.timers.retransmission().is_none();
        if idle && self.snd.nxt() < self.stream.available() && self.window() < 1.0 {
            self.set_timer(now);
        }
    }

    /// Asserts in debug builds that the window is finite and at least one segment (or 0 if parameters let it
    /// close), and that ssthresh is at least two.
    #[inline]
    pub(crate) fn assert_bounds(&self) {
        let Window { cwnd, ssthresh } = *self.control.window();
        let may_close = self.config.decrease.loss_floor < LEAST
            || self.needs.fine_timeout.is_some_and(|fine| fine.keeps_inflation);
        debug_assert!(cwnd.is_finite() && cwnd >= if may_close { 0.0 } else { LEAST }, "cwnd is {cwnd}");
        // User-defined controls may have another lower bound of ssthresh.
        debug_assert!(ssthresh >= 2.0 || self.needs.may_pace, "ssthresh is {ssthresh}");
    }

    /// Restarts the retransmission timer.
    #[inline]
    pub(crate) fn set_timer(&mut self, now: Instant) {
        self.timers.start_retransmission(now, self.round_trips.rto());
    }

    /// Returns the rounding of the times at which timers expire.
    #[inline]
    pub(crate) fn wheel(&self) -> Wheel {
        Wheel::new(self.config.timers.timer_wheel)
    }

    /// Restarts loss recovery's timer, to expire at `due`. With a timer wheel it expires [`Wheel::least`]
    /// later, rounded up to a tick.
    pub(crate) fn start_alarm(&mut self, now: Instant, due: Instant) {
        self.timers.start_recovery(now, due.since(now) + self.wheel().least());
    }

    /// Restarts loss recovery's timer, to expire after `wait`, but no later than the retransmission timeout
    /// ends.
    #[inline]
    pub(crate) fn start_probe(&mut self, now: Instant, wait: Duration) {
        let wheel = self.wheel();
        let wait = wait + wheel.least();
        let wait = self.timers.retransmission().map_or(wait, |timer| {
            // A timer wheel has rounded the retransmission timer's expiry, so the timeout is added to its
            // start.
            let ends = if wheel.is_exact() { timer.at } else { timer.since + self.round_trips.rto() };
            wait.min(ends.since(now))
        });
        self.timers.start_recovery(now, wait);
    }

    /// Lets the application fill the send buffer, if enough of it is free; `merged` segments have arrived out of
    /// order and follow another such segment.
    #[inline]
    pub(crate) fn let_write(&mut self, merged: u64) {
        if let Some(buffer) = &mut self.send_buffer {
            let cwnd = self.control.window().cwnd;
            buffer.acknowledged(self.snd.una(), self.snd.max(), cwnd, merged);
        }
    }

    /// Records the transmission of `seq`, and starts the retransmission timer if it does not run; returns
    /// true if the transmission is a retransmission.
    #[inline]
    pub(crate) fn transmitted<const CALM: bool>(&mut self, now: Instant, seq: u64) -> bool {
        let una = self.snd.una();
        let again = special::<CALM>(self.snd.transmit(seq));
        if special::<CALM>(self.undo.is_some())
            && let Some(undo) = &mut self.undo
        {
            undo.on_sent(now, seq, again);
        }
        self.last_sent = now;
        self.round_trips.on_sent(now, una, seq, again, &self.config);
        if self.timers.retransmission().is_none() {
            self.set_timer(now);
        }
        if special::<CALM>(self.episode.reduction().is_some()) {
            self.episode.on_sent();
        }
        again
    }

    /// Returns the largest burst that one acknowledgment may release, segments.
    #[inline]
    pub(crate) fn most_burst(&self) -> u32 {
        match self.config.windows.max_burst {
            0 => u32::MAX,
            most => most,
        }
    }

    /// Allows segments to be sent as the window permits, up to the largest burst.
    #[inline]
    pub(crate) fn release_burst(&mut self) {
        self.allowance.set_burst(self.most_burst());
    }

    /// Returns the number of duplicate acknowledgments that show a loss (DupThresh).
    #[inline]
    pub(crate) fn duplicates_for_loss(&self) -> u32 {
        self.config.detection.duplicates
    }

    /// Returns true if a loss detected now may reduce the window: all segments sent before the last reduction, and
    /// one sent after it, are acknowledged (RFC 6582 section 3.2, step 2), or `repeated_recovery` is set without
    /// ECN. Except after a timeout, a control with a fine-grained timeout decides by itself which losses are old.
    pub(crate) fn may_cut(&self) -> bool {
        let anew = self.config.detection.repeated_recovery && self.config.options.ecn == Ecn::Off;
        anew || self.snd.una() > self.episode.recover()
            || (self.needs.fine_timeout.is_some() && self.episode.last_cut() != LastCut::Timeout)
    }
}
