//! The state of one sender: sequence numbers, window, timers and counters.

use super::pacing::{Overhead, Pacer};
use crate::config::{AckCounting, Config, Ecn, Syn};
use crate::congestion::{AckSample, Arrival, CongestionControl, LEAST, Needs, State, Transmission, Window};
use crate::hystart::HyStart;
use crate::rate::RateEstimator;
use crate::recovery::Recovery;
use crate::recovery::reduction::ReductionInProgress;
use crate::rtt::RttEstimator;
use crate::stamps::{one_way, since_echo};
use crate::stats::{ClassifiedLoss, SenderStats};
use crate::stream::Stream;
use crate::times::SendTimes;
use base::{AckHeader, Duration, Instant, Stamp};
use std::sync::Arc;

/// Segments beyond a hole that mean a loss if they are counted (RFC 6675, RFC 8985).
pub(crate) const DUP_THRESH: u32 = 3;

/// The reason for the last cut of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LastCut {
    /// No cut yet.
    None,
    /// A fast loss; its recovery may still go on.
    FastLoss,
    /// A fast loss whose recovery has ended.
    Recovered,
    /// A timeout.
    Timeout,
}

/// State of one sender; see the module.
#[derive(Clone, Debug)]
pub(crate) struct Tcb {
    pub config: Arc<Config>,
    pub control: State,
    pub rtt: RttEstimator,
    /// First unacknowledged segment.
    pub una: u64,
    /// Next segment to send; behind `max` after a timeout.
    pub next: u64,
    /// One past the highest segment sent.
    pub max: u64,
    /// The stream to send.
    pub stream: Stream,
    /// Probes of a closed window in a row.
    pub probes: u32,
    /// Time of the last transmission.
    pub last_sent: Instant,
    /// Duplicate acknowledgments in a row.
    pub dup_acks: u32,
    /// One past the highest segment sent when the window was last cut.
    pub recover: u64,
    pub last_cut: LastCut,
    /// Growth of the window below a whole segment (`whole_growth`).
    pub fraction: f64,
    /// HyStart++, during the first slow start.
    pub hystart: Option<Box<HyStart>>,
    /// The reduction of the window in fast recovery.
    pub reduction: Option<ReductionInProgress>,
    /// Segments added to cwnd for those that duplicate acknowledgments show to have left the network.
    pub inflation: u64,
    /// A segment to send now, whatever the window.
    pub resend: Option<u64>,
    /// True if one more segment may be sent beyond the window (RFC 3042).
    pub extra: bool,
    /// Segments sent beyond the window since the last acknowledgment of new data.
    pub extra_sent: u64,
    /// Recovery's estimate of the data in the network when it finds a loss
    /// ([`Reduction::Pipe`](crate::config::Reduction::Pipe)).
    pub pipe: Option<u64>,
    /// The same estimate at the last transmission.
    pub last_pipe: u64,
    /// Segments that this acknowledgment may still release.
    pub burst: u32,
    /// Most segments that may be outstanding.
    pub limit: f64,
    /// The window once the connection is open.
    pub initial_window: f64,
    /// A segment whose round trip is being measured.
    timing: Option<(u64, Instant)>,
    /// Expiry of the retransmission timer, and the time at which it was set.
    pub timer: Option<Stamp>,
    /// Time at which loss recovery wants to look again, and the time at which that was set.
    pub alarm: Option<Stamp>,
    /// The last round trip measured.
    pub last_rtt: Option<Duration>,
    times: Option<SendTimes>,
    /// The requests of congestion control.
    pub needs: Needs,
    /// The first segment sent after the last cut for a mark.
    pub marked_until: u64,
    /// True if the next new segment tells that the window was reduced.
    pub cwr_due: bool,
    /// True if a mark met a window of one segment: nothing is sent until the timer expires (RFC 3168 section 6.1.2).
    pub waits: bool,
    /// Delivery rates, for controls that ask for them.
    pub rate: Option<Box<RateEstimator>>,
    /// Pacing, if segments leave at a rate.
    pub pacer: Option<Box<Pacer>>,
    /// The host's processing time, if there is any.
    pub overhead: Option<Box<Overhead>>,
    /// True if they leave at a rate of the endpoint if congestion control has none.
    pub paces: bool,
    /// Timer of congestion control: the time it was set for, and the time at which it was set.
    control_timer: Option<Stamp>,
    /// The last answer to a loss, until it is read.
    pub loss: Option<ClassifiedLoss>,
    pub stats: SenderStats,
}

impl Tcb {
    pub(crate) fn new(config: &Arc<Config>, phase: Duration) -> Self {
        let limit = config.windows.most();
        let alone = config.connection.syn == Syn::Packet && !config.connection.early_data;
        let opening = if alone { 1.0 } else { config.windows.initial_window };
        let window = Window { cwnd: opening, ssthresh: config.windows.initial_ssthresh };
        let control = config.control.build(window);
        let by_time = config.recovery == Recovery::Rack;
        let paces = control.pacing_rate().is_some();
        // A control with a rate of its own has no slow start.
        let hystart = (config.growth.hystart && !paces).then(|| Box::new(HyStart::new(config.growth.pacing)));
        let needs = control.needs();
        let timed = needs.segment_times || by_time || hystart.is_some();
        let slots =
            needs.fine_timeout.is_some_and(|fine| fine.slots) && !by_time && config.windows.are_limited();
        let times = timed.then(|| SendTimes::new(slots.then_some(limit as usize)));
        let rate = needs.rates.then(|| Box::new(RateEstimator::new()));
        Self {
            rtt: RttEstimator::new(&config.timers, phase),
            control,
            una: 0,
            next: 0,
            max: 0,
            stream: Stream::new(config),
            probes: 0,
            last_sent: Instant::ZERO,
            dup_acks: 0,
            recover: 0,
            last_cut: LastCut::None,
            fraction: 0.0,
            hystart,
            reduction: None,
            inflation: 0,
            resend: None,
            extra: false,
            extra_sent: 0,
            pipe: None,
            last_pipe: 0,
            burst: 0,
            limit,
            initial_window: config.windows.initial_window,
            timing: None,
            timer: None,
            alarm: None,
            last_rtt: None,
            times,
            needs,
            marked_until: 0,
            cwr_due: false,
            waits: false,
            rate,
            pacer: (config.growth.pacing || paces || needs.may_pace).then(Box::default),
            overhead: None,
            paces: config.growth.pacing || paces,
            control_timer: None,
            loss: None,
            stats: SenderStats::default(),
            config: Arc::clone(config),
        }
    }

    /// Returns the window in use, in segments with a fraction.
    #[inline]
    pub(crate) fn window(&self) -> f64 {
        (self.control.window().cwnd + self.inflation as i64 as f64).min(self.limit)
    }

    /// Returns true if the window in use has room for one more segment beside this number of segments.
    #[inline]
    pub(crate) fn has_room(&self, segments: u64) -> bool {
        // Of a signed number, since a processor has an instruction for it.
        (segments as i64 + 1) as f64 <= self.window()
    }

    /// Returns true if `next` is not too far above the oldest segment; segments that have arrived selectively count.
    pub(crate) fn within_reach(&self) -> bool {
        let windows = &self.config.windows;
        let most = if windows.span_by_receiver { windows.receive_window } else { self.limit };
        ((self.next - self.una) as i64 as f64) < most
    }

    /// Returns true if the window allows sending `next`.
    #[inline]
    pub(crate) fn window_open(&self) -> bool {
        self.next < self.stream.available && self.has_room(self.next - self.una)
    }

    /// Returns true if one more segment may be sent beyond the window on an early duplicate acknowledgment (RFC 3042).
    pub(crate) fn extra_allowed(&self) -> bool {
        let outstanding = (self.next - self.una) as f64;
        self.next < self.stream.available
            && outstanding + 1.0 <= self.limit
            && outstanding + 1.0 <= self.control.window().cwnd + f64::from(self.dup_acks)
    }

    /// Notes any acknowledgment, for algorithms that count arrivals or rates.
    #[inline]
    pub(crate) fn arrived(&mut self, now: Instant, ack: &AckHeader) {
        if let Some(rate) = &mut self.rate {
            rate.on_ack(now, self.una, ack);
        }
        if self.needs.arrivals {
            let acked = ack.ack - self.una;
            let outstanding = self.next - self.una;
            self.control.on_arrival(&Arrival {
                now,
                acked,
                outstanding,
                segment: u64::from(self.config.sizes.segment),
                srtt: self.rtt.srtt(),
                marked: ack.ece,
            });
        }
    }

    /// Applies an acknowledgment of new data to sequence numbers, round trip and timer. Returns the sample for
    /// congestion control.
    #[inline]
    pub(crate) fn advance(&mut self, now: Instant, ack: &AckHeader) -> AckSample {
        let (una_before, outstanding) = (self.una, self.next - self.una);
        self.dup_acks = 0;
        let rtt = self.move_una(now, ack);
        self.update_timer(now);
        let one_way = if self.config.options.timestamps { one_way(ack) } else { None };
        // An acknowledgment that echoes a mark opens no window (RFC 3168 section 6.1.2).
        let grow = !(ack.ece && self.config.options.ecn == Ecn::Classic);
        AckSample { one_way, grow, ..self.sample(now, una_before, ack.ack, outstanding, rtt) }
    }

    /// Returns congestion control's sample of an acknowledgment that moved `una` up from `una_before`.
    ///
    /// `una` is an argument: read here in one load with `next`, it would wait until both, just written, are in the
    /// cache.
    #[inline]
    fn sample(
        &self,
        now: Instant,
        una_before: u64,
        una: u64,
        outstanding: u64,
        rtt: Option<Duration>,
    ) -> AckSample {
        debug_assert_eq!(una, self.una);
        let count = match self.config.growth.ack_counting {
            AckCounting::Acks => 1.0,
            AckCounting::Segments => (una - una_before) as i64 as f64,
        };
        AckSample {
            now,
            count,
            una_before,
            una,
            next: self.next,
            delayed: !self.config.acks.delayed_ack.is_zero(),
            rtt,
            srtt: self.rtt.srtt(),
            one_way: None,
            outstanding,
            grow: true,
        }
    }

    /// Moves `una` up and measures; returns the round trip of the newest acknowledged segment if it was sent once.
    #[inline]
    fn move_una(&mut self, now: Instant, ack: &AckHeader) -> Option<Duration> {
        self.count_acked(ack.ack);
        let news = ack.ack > self.una;
        let mut sampled = None;
        let fine = self.times.as_mut().filter(|_| news).map(|times| times.acknowledged(self.una, ack.ack));
        self.una = ack.ack;
        self.next = self.next.max(self.una);
        if self.config.options.timestamps {
            sampled = self.measure_stamp(now, ack);
            if sampled.is_some() && self.config.timers.stamps_end_backoff {
                self.rtt.end_backoff();
            }
            if self.timing.is_some_and(|(seq, _)| ack.ack > seq) {
                self.timing = None;
                self.rtt.end_backoff();
            }
        } else if let Some((seq, sent)) = self.timing
            && ack.ack > seq
        {
            self.timing = None;
            self.rtt.end_backoff();
            let rtt = now.since(sent);
            self.measured(now, rtt);
            sampled = Some(rtt);
        }
        match fine {
            Some(fine) => (fine.transmissions == 1).then(|| now.since(fine.sent)),
            None => sampled,
        }
    }

    /// Measures by the stamp that an acknowledgment echoes, if there is one.
    #[inline]
    pub(crate) fn measure_stamp(&mut self, now: Instant, ack: &AckHeader) -> Option<Duration> {
        let rtt = self.config.options.timestamps.then(|| since_echo(now, ack))??;
        self.measured(now, rtt);
        Some(rtt)
    }

    #[inline]
    fn count_acked(&mut self, una: u64) {
        self.extra_sent = 0;
        let first = self.stream.first_payload();
        self.stats.acked_packets += una.max(first) - self.una.max(first);
        self.stats.acked_bytes += self.stream.bytes_below(una) - self.stream.bytes_below(self.una);
        self.stream.forget(una);
    }

    /// Applies an acknowledgment while recovery goes on: `una` and the backoff move, nothing is measured, the timer
    /// stays.
    pub(crate) fn advance_partial(&mut self, ack: &AckHeader) {
        self.count_acked(ack.ack);
        self.una = ack.ack;
        self.next = self.next.max(self.una);
        if let Some((seq, _)) = self.timing
            && ack.ack > seq
        {
            self.timing = None;
            self.rtt.end_backoff();
        }
    }

    pub(crate) fn measured(&mut self, now: Instant, rtt: Duration) {
        self.rtt.measured(now, rtt);
        self.last_rtt = Some(rtt);
    }

    /// Returns cwnd in whole segments, at most as many as may be outstanding.
    pub(crate) fn control_window(&self) -> f64 {
        self.control.window().cwnd
    }

    /// Returns the oldest outstanding segment; its times are known if segments are timed.
    pub(crate) fn oldest(&self) -> Transmission {
        self.sending(self.una)
    }

    /// Returns time and number of the transmissions of an outstanding segment, if segments are timed.
    #[inline]
    pub(crate) fn sending(&self, seq: u64) -> Transmission {
        match &self.times {
            Some(times) => times.get(seq),
            None => Transmission { sent: Instant::ZERO, transmissions: 0 },
        }
    }

    /// Sends the oldest segment again at once, on a loss seen from acknowledgments; restarts the timer.
    pub(crate) fn fast_retransmit(&mut self, now: Instant) {
        self.begin_repair(now);
        self.resend = Some(self.una);
    }

    /// Begins recovery from a loss seen from acknowledgments; restarts the timer.
    pub(crate) fn begin_repair(&mut self, now: Instant) {
        if !self.config.timers.timing_in_recovery {
            self.timing = None;
        }
        self.set_timer(now);
    }

    /// Restarts the timer; a measurement under way is given up (Karn and Partridge 1987).
    pub(crate) fn restart_timer(&mut self, now: Instant) {
        self.timing = None;
        self.set_timer(now);
    }

    /// Goes back to the oldest segment: all segments after it are sent again unless acknowledged first.
    pub(crate) fn rewind(&mut self) {
        self.next = self.una;
    }

    /// Hands the delivery rate to congestion control after an acknowledgment.
    #[cold]
    pub(crate) fn rated(&mut self, in_flight: u64) {
        if let Some(sample) = self.rate.as_mut().and_then(|rate| rate.take(in_flight)) {
            self.control.on_rate(&sample);
        }
    }

    /// Notes that sending stops with `in_flight` segments in flight: if the window has room for more, the application
    /// or the receiver limits the sender.
    #[inline(always)]
    pub(crate) fn mark_app_limited(&mut self, in_flight: u64) {
        if let Some(rate) = &mut self.rate
            && in_flight < self.control.window().cwnd as u64
        {
            rate.on_app_limited(in_flight);
        }
    }

    /// Returns the time at which congestion control asked to be called, and the time of the request.
    pub(crate) fn control_timer(&self) -> Option<Stamp> {
        self.control_timer
    }

    /// Reads the time at which congestion control wants to be called.
    #[cold]
    pub(crate) fn look_up_timer(&mut self, now: Instant) {
        let wake = self.control.wake();
        if self.control_timer.is_some_and(|timer| timer.at <= now && wake == Some(timer.at)) {
            return; // due, and not called yet
        }
        let wake = wake.filter(|at| *at > now);
        if self.control_timer.map(|timer| timer.at) != wake {
            self.control_timer = wake.map(|at| Stamp::new(at, now));
        }
    }

    /// Calls congestion control if its timer has expired, and sends as its window then allows; returns true if it did.
    pub(crate) fn wakes(&mut self, now: Instant) -> bool {
        let due = self.control_timer.is_some_and(|timer| timer.at <= now);
        if due {
            self.control_timer = None;
            self.control.on_timer(now);
            self.look_up_timer(now);
            self.burst = self.most_burst();
        }
        due
    }

    /// Runs the timer while anything is outstanding (RFC 6298 section 5).
    #[inline]
    pub(crate) fn update_timer(&mut self, now: Instant) {
        if self.next > self.una || self.una < self.max || self.is_closed() {
            self.set_timer(now);
        } else {
            self.timer = None;
        }
    }

    /// Returns true if nothing may be sent until the timer expires. That is so after a mark at a window of one segment
    /// (RFC 3168 section 6.1.2). As in ns-2, it is also so after a loss cut it below a segment, or Vegas went back to
    /// the 0 that a timeout leaves.
    #[inline]
    fn is_closed(&self) -> bool {
        self.waits || self.control.window().cwnd < LEAST
    }

    /// Keeps the timer running while the window is closed, data waits and nothing is outstanding. The window that it restarts
    /// with may be sent.
    #[inline]
    pub(crate) fn keep_alive(&mut self, now: Instant) {
        if self.una == self.max && self.is_closed() {
            self.wait_for_room(now);
        }
    }

    #[cold]
    fn wait_for_room(&mut self, now: Instant) {
        if self.timer.is_none() && self.next < self.stream.available && self.window() < 1.0 {
            self.set_timer(now);
        }
    }

    /// Asserts that the window is within its bounds: a finite number of segments, and a threshold of two or more.
    #[inline]
    pub(crate) fn assert_bounds(&self) {
        let Window { cwnd, ssthresh } = *self.control.window();
        let may_close = self.config.decrease.loss_floor < LEAST
            || self.needs.fine_timeout.is_some_and(|fine| fine.keeps_inflation);
        debug_assert!(cwnd.is_finite() && cwnd >= if may_close { 0.0 } else { LEAST }, "cwnd is {cwnd}");
        // A user-defined control may keep another bound.
        debug_assert!(ssthresh >= 2.0 || self.needs.may_pace, "ssthresh is {ssthresh}");
    }

    /// Sets the retransmission timer.
    #[inline]
    pub(crate) fn set_timer(&mut self, now: Instant) {
        self.timer = Some(Stamp::new(now + self.rtt.rto(), now));
    }

    /// Notes the transmission of `seq`; returns true if it is a retransmission.
    #[inline]
    pub(crate) fn transmitted(&mut self, now: Instant, seq: u64) -> bool {
        let again = seq < self.max;
        self.last_sent = now;
        if let Some(times) = &mut self.times {
            times.record(self.una, seq, now, again);
        }
        if !again {
            self.max = seq + 1;
            if self.timing.is_none() {
                self.timing = Some((seq, now));
            }
        } else if !self.config.timers.timing_of_resent && self.timing.is_some_and(|(timed, _)| timed == seq) {
            // Karn and Partridge 1987; also for segments that recovery itself has sent and lost.
            self.timing = None;
        }
        if self.timer.is_none() {
            self.set_timer(now);
        }
        if let Some(reduction) = &mut self.reduction {
            reduction.on_sent();
        }
        again
    }
}
