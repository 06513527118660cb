//! What every loss recovery shares: sequence state, window, timers and counters of one sender.
//!
//! Recovery decides what an acknowledgment means; the core keeps the books and acts.

use crate::config::{AckCounting, Config, Reduction, Rounding, Syn, WindowReduction};
use crate::congestion::{
    AckSample, Arrival, Congestion, CongestionControl, LossSample, Oldest, State, Window,
};
use crate::hystart::HyStart;
use crate::rate::RateEstimator;
use crate::recovery::Recovery;
use crate::recovery::descent::Descent;
use crate::rtt::RttEstimator;
use crate::stats::{Judgment, SenderStats};
use crate::stream::Cuts;
use crate::times::SendTimes;
use base::{AckHeader, Duration, Instant, Stamp};
use std::sync::Arc;

/// Windows per round trip at which a paced sender without a rate of its own sends: in slow start, and after it.
const SLOW_START_PACE: f64 = 2.0;
const PACE: f64 = 1.2;

/// What ABE multiplies a window of AIMD with (RFC 8511 section 3.1); CUBIC has its own.
const ABE: f64 = 0.8;

/// Duplicate acknowledgments that mean a loss (RFC 5681 section 3.2).
pub(crate) const DUP_THRESH: u32 = 3;

/// What last cut the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LastCut {
    /// Nothing yet.
    None,
    /// A fast loss; its recovery may still go on.
    FastLoss,
    /// A fast loss whose recovery is over.
    Recovered,
    /// A timeout.
    Timeout,
}

/// Books of one sender; see the module.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    pub config: Arc<Config>,
    pub control: State,
    pub rtt: RttEstimator,
    /// First unacknowledged segment.
    pub una: u64,
    /// Next segment to send; behind `max` after a timeout.
    pub next: u64,
    /// One past the highest segment sent.
    pub max: u64,
    /// One past the last segment that there will ever be; the largest number while that is open.
    pub end: u64,
    /// One past the last segment that there is to send by now.
    pub offered: u64,
    /// One past the last segment that the receiver's advertised window has room for.
    pub edge: u64,
    /// One past the last segment that may be sent: the lesser of `offered` and `edge`.
    pub available: u64,
    /// Probes of a closed window in a row.
    pub probes: u32,
    /// Payload of the whole stream, bytes; the largest number where it is endless.
    pub total_bytes: u64,
    /// Where segments begin, of a stream that is written by and by; else they are of one size.
    pub cuts: Option<Box<Cuts>>,
    /// When a segment was last sent.
    pub last_sent: Instant,
    /// Duplicate acknowledgments in a row.
    pub dup_acks: u32,
    /// One past the highest segment sent when the window was last cut.
    pub recover: u64,
    pub last_cut: LastCut,
    /// What acknowledgments added to the window that does not make a segment yet ([`Config::whole_growth`]).
    kept: f64,
    /// Watches the first slow start, while that lasts.
    hystart: Option<Box<HyStart>>,
    /// The window on its way down, in fast recovery.
    pub descent: Option<Descent>,
    /// Segments on top of cwnd for what duplicate acknowledgments show to have left the network.
    pub inflation: u64,
    /// A segment to send now whatever the window says.
    pub resend: Option<u64>,
    /// One more segment may be sent beyond the window (RFC 3042).
    pub extra: bool,
    /// Segments so sent since the last acknowledgment of new data.
    pub extra_sent: u64,
    /// What recovery estimates to be in the network when it finds a loss ([`Reduction::Pipe`]).
    pub in_network: Option<u64>,
    /// Segments that this acknowledgment may still release.
    pub burst: u32,
    /// Most segments that may be outstanding.
    pub limit: f64,
    /// The window once the connection is open.
    pub initial_window: f64,
    /// A segment whose round trip is being measured.
    timing: Option<(u64, Instant)>,
    /// When the retransmission timer expires, and when it was set.
    pub timer: Option<Stamp>,
    /// When loss recovery wants to look again, and when that was set.
    pub alarm: Option<Stamp>,
    /// The last round trip measured.
    pub last_rtt: Option<Duration>,
    times: Option<SendTimes>,
    counts_arrivals: bool,
    /// The segment that tells of the last cut for a mark: the first one sent after it.
    marked_until: u64,
    /// The next new segment says that the window is reduced.
    pub cwr_due: bool,
    /// Delivery rates, for controls that ask for them.
    pub rate: Option<Box<RateEstimator>>,
    /// Whether segments leave at a rate.
    pub paced: bool,
    /// When the next segment may leave, where segments leave at a rate.
    release: Instant,
    /// The next segment waits for that, and since when.
    pub held: Option<Stamp>,
    /// The last answer to a loss, until it is asked for.
    pub judgment: Option<Judgment>,
    pub stats: SenderStats,
}

impl Core {
    pub fn new(config: &Arc<Config>, phase: Duration) -> Self {
        let limit = config.max_window.min(config.receive_window);
        let alone = config.syn == Syn::Packet && !config.early_data;
        let opening = if alone { 1.0 } else { config.initial_window };
        let window = Window { cwnd: opening, ssthresh: config.initial_ssthresh };
        let control = config.control.build(window);
        let by_time = config.recovery == Recovery::Rack;
        let paces = control.pacing_rate().is_some();
        // A control with a rate of its own knows no slow start.
        let hystart = (config.hystart && !paces).then(|| Box::new(HyStart::new(config.pacing)));
        let timed = control.times_segments() || control.judges_age() || by_time || hystart.is_some();
        let slots = control.judges_age() && !by_time;
        let times = timed.then(|| SendTimes::new(config, slots, limit));
        let counts_arrivals = control.counts_arrivals();
        let rate = control.wants_rates().then(|| Box::new(RateEstimator::new()));
        Self {
            rtt: RttEstimator::new(config, phase),
            control,
            una: 0,
            next: 0,
            max: 0,
            end: 0,
            offered: 0,
            edge: u64::MAX,
            available: 0,
            probes: 0,
            total_bytes: u64::MAX,
            cuts: None,
            last_sent: Instant::ZERO,
            dup_acks: 0,
            recover: 0,
            last_cut: LastCut::None,
            kept: 0.0,
            hystart,
            descent: None,
            inflation: 0,
            resend: None,
            extra: false,
            extra_sent: 0,
            in_network: None,
            burst: 0,
            limit,
            initial_window: config.initial_window,
            timing: None,
            timer: None,
            alarm: None,
            last_rtt: None,
            times,
            counts_arrivals,
            marked_until: 0,
            cwr_due: false,
            rate,
            paced: config.pacing || paces,
            release: Instant::ZERO,
            held: None,
            judgment: None,
            stats: SenderStats::default(),
            config: Arc::clone(config),
        }
    }

    /// The window in force, in segments with a fraction.
    #[inline]
    pub fn window(&self) -> f64 {
        (self.control.window().cwnd + self.inflation as f64).min(self.limit)
    }

    /// Whether the window lets `next` go.
    #[inline]
    pub fn window_open(&self) -> bool {
        self.next < self.available && self.next - self.una < self.window() as u64
    }

    /// Whether one more segment may go beyond the window on an early duplicate acknowledgment (RFC 3042).
    pub fn extra_allowed(&self) -> bool {
        let outstanding = (self.next - self.una) as f64;
        self.next < self.available
            && outstanding + 1.0 <= self.limit
            && outstanding + 1.0 <= self.control.window().cwnd + f64::from(self.dup_acks)
    }

    /// Any acknowledgment arrives: for algorithms that count arrivals or rates.
    #[inline]
    pub fn arrived(&mut self, now: Instant, ack: &AckHeader) {
        if let Some(rate) = &mut self.rate {
            rate.on_ack(now, self.una, ack);
        }
        if self.counts_arrivals {
            let acked = ack.ack - self.una;
            let outstanding = self.next - self.una;
            self.control.on_arrival(&Arrival { now, acked, outstanding, marked: ack.ece });
        }
    }

    /// Takes in an acknowledgment of new data: sequence, round trip, timer. Returns what congestion control sees of it.
    #[inline]
    pub fn advance(&mut self, now: Instant, ack: &AckHeader) -> AckSample {
        let (una_before, outstanding) = (self.una, self.next - self.una);
        self.dup_acks = 0;
        let rtt = self.move_una(now, ack);
        self.update_timer(now);
        // Both stamps count microseconds in 32 bits (RFC 7323 section 4.1).
        let stamped = self.config.timestamps && ack.ts_ecr != 0;
        let one_way = stamped.then(|| Duration::from_us(u64::from(ack.ts_val.wrapping_sub(ack.ts_ecr))));
        AckSample { one_way, ..self.sample(now, una_before, outstanding, rtt) }
    }

    /// What congestion control sees of an acknowledgment that moved `una` up from `una_before`.
    #[inline]
    fn sample(&self, now: Instant, una_before: u64, outstanding: u64, rtt: Option<Duration>) -> AckSample {
        let count = match self.config.ack_counting {
            AckCounting::Acks => 1.0,
            AckCounting::Segments => (self.una - una_before) as f64,
        };
        AckSample {
            now,
            count,
            una_before,
            una: self.una,
            next: self.next,
            delayed: !self.config.delayed_ack.is_zero(),
            rtt,
            srtt: self.rtt.srtt(),
            one_way: None,
            outstanding,
            grow: true,
        }
    }

    /// Moves `una` up and measures; returns the round trip of the newest acknowledged segment where it was sent once.
    #[inline]
    fn move_una(&mut self, now: Instant, ack: &AckHeader) -> Option<Duration> {
        self.count_acked(ack.ack);
        let news = ack.ack > self.una;
        let mut sampled = None;
        let fine = self.times.as_mut().filter(|_| news).map(|times| times.acknowledged(ack.ack - 1));
        self.una = ack.ack;
        self.next = self.next.max(self.una);
        if self.config.timestamps {
            if ack.ts_ecr != 0 {
                // The option counts microseconds in 32 bits (RFC 7323 section 4.1).
                let us = ((now.ps() / 1_000_000) as u32).wrapping_sub(ack.ts_ecr.wrapping_sub(1));
                let rtt = Duration::from_us(u64::from(us));
                self.measured(now, rtt);
                self.rtt.end_backoff();
                sampled = Some(rtt);
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

    #[inline]
    fn count_acked(&mut self, una: u64) {
        self.extra_sent = 0;
        let first = self.first_payload();
        self.stats.acked_packets += una.max(first) - self.una.max(first);
        self.stats.acked_bytes += self.bytes_below(una) - self.bytes_below(self.una);
        if let Some(cuts) = &mut self.cuts {
            cuts.forget(una);
        }
    }

    /// As [`Core::advance`] while recovery goes on: `una` and the backoff move, nothing is measured, the timer stays.
    pub fn advance_partial(&mut self, ack: &AckHeader) {
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

    pub fn measured(&mut self, now: Instant, rtt: Duration) {
        self.rtt.measured(now, rtt);
        self.last_rtt = Some(rtt);
    }

    /// Lets the window grow for an acknowledgment.
    #[inline]
    pub fn grow(&mut self, sample: &AckSample) {
        if self.config.whole_growth || self.config.slow_start_at_threshold {
            self.grow_stepwise(sample);
        } else {
            self.answer(sample);
        }
        let clamp = if self.config.window_clamp { self.limit } else { f64::INFINITY };
        let window = self.control.window_mut();
        if window.cwnd > clamp {
            window.cwnd = clamp;
        }
    }

    /// What congestion control does on an acknowledgment of new data.
    #[inline]
    fn answer(&mut self, sample: &AckSample) {
        if self.hystart.is_some() {
            self.answer_in_slow_start(sample);
        } else {
            self.control.on_ack(sample);
        }
    }

    /// As [`Core::answer`] with HyStart++, while it watches.
    fn answer_in_slow_start(&mut self, sample: &AckSample) {
        let Window { cwnd, ssthresh } = *self.control.window();
        if cwnd >= ssthresh {
            self.hystart = None;
            self.control.on_ack(sample);
        } else if let Some(hystart) = &mut self.hystart
            && !hystart.on_ack(&mut self.control, sample)
        {
            self.hystart = None;
        }
    }

    /// As [`Core::grow`], by the rules of `slow_start_at_threshold` and `whole_growth`.
    fn grow_stepwise(&mut self, sample: &AckSample) {
        let Window { cwnd, ssthresh } = *self.control.window();
        let raised = ssthresh + 1.0;
        if self.config.slow_start_at_threshold && cwnd == ssthresh {
            // Seen from a threshold one segment above, it is still slow start.
            self.control.window_mut().ssthresh = raised;
        }
        self.answer(sample);
        let window = self.control.window_mut();
        if window.ssthresh == raised {
            window.ssthresh = ssthresh;
        }
        if self.config.whole_growth && window.cwnd >= cwnd {
            // Sums of n parts of 1/n may miss 1 by their rounding.
            self.kept += window.cwnd - cwnd;
            let whole = libm::floor(self.kept + 1e-9);
            self.kept = (self.kept - whole).max(0.0);
            window.cwnd = cwnd + whole;
        } else {
            self.kept = 0.0;
        }
    }

    /// Lets the window grow; opens it where the SYN that is a segment of its own is what was acknowledged.
    #[inline]
    pub fn open_window(&mut self, sample: &AckSample) {
        let packet = self.config.syn == Syn::Packet && !self.config.early_data;
        if packet && sample.una_before == 1 && self.control.opens_late() {
            self.control.window_mut().cwnd = self.initial_window;
        }
        self.grow(sample);
        if packet && self.una == 1 && !self.control.opens_late() {
            self.control.window_mut().cwnd = self.initial_window;
        }
    }

    /// cwnd in whole segments, no more than may be outstanding.
    pub fn control_window(&self) -> f64 {
        self.control.window().cwnd
    }

    /// An acknowledgment, dealt with otherwise, echoes a mark: the window is cut once until the receiver knows, and not
    /// where a loss among it has cut it (RFC 3168 section 6.1.2).
    #[cold]
    pub fn echoed(&mut self, now: Instant) {
        if self.una <= self.marked_until {
            return;
        }
        self.cwr_due = true;
        self.marked_until = self.max;
        let repairing =
            self.una < self.recover && matches!(self.last_cut, LastCut::FastLoss | LastCut::Timeout);
        if !repairing {
            self.hystart = None;
            let sample = self.loss(now, Congestion::Mark);
            self.control.on_congestion(&sample);
            self.stats.ecn_reductions += 1;
        }
    }

    /// Whether a loss seen now may cut the window: not before all that was sent when it was last cut has arrived
    /// (RFC 6582 section 3.2, step 1). A control that judges by age knows itself which losses are old.
    pub fn may_cut(&self) -> bool {
        self.una > self.recover || (self.judges_age() && self.last_cut != LastCut::Timeout)
    }

    /// What congestion control sees of a loss or a mark.
    fn loss(&self, now: Instant, why: Congestion) -> LossSample {
        let base = match self.config.reduction {
            // Without what Limited Transmit sent (RFC 5681 section 3.2 step 2, RFC 6675 section 5 step 4.2).
            Reduction::Flight => (self.next - self.una).saturating_sub(self.extra_sent) as f64,
            Reduction::Window => self.window(),
            Reduction::Pipe => self.in_network.unwrap_or(self.next - self.una) as f64,
        };
        LossSample {
            now,
            why,
            base,
            whole: self.config.window_rounding == Rounding::Integer,
            whole_ssthresh: self.config.ssthresh_rounding == Rounding::Integer,
            floor: self.config.loss_floor,
            halve_in_slow_start: self.config.halve_in_slow_start,
            early: self.config.early_halving && self.is_early(why),
            keep_ssthresh: why == Congestion::Timeout
                && self.config.reduction != Reduction::Window
                && self.rtt.backed_off(),
            oldest: self.oldest(),
            una: self.una,
            abe: (self.config.abe && why == Congestion::Mark).then_some(ABE),
            outstanding: self.next - self.una,
        }
    }

    /// Whether a cut is the connection's first, or met slow start, or begins it.
    fn is_early(&self, why: Congestion) -> bool {
        let Window { cwnd, ssthresh } = *self.control.window();
        self.last_cut == LastCut::None || cwnd < ssthresh || why == Congestion::Timeout
    }

    /// Lets congestion control answer a loss; returns whether it is a loss of its own, not one answered before.
    pub fn cut(&mut self, now: Instant, why: Congestion) -> bool {
        self.cut_for(now, why, self.una)
    }

    /// As [`Core::cut`], where the segment that was lost is `seq`.
    pub fn cut_for(&mut self, now: Instant, why: Congestion, seq: u64) -> bool {
        let timeout = why == Congestion::Timeout;
        if let Some(descent) = self.descent.take() {
            self.control.window_mut().cwnd = if timeout { descent.abandoned() } else { descent.target() };
        }
        let sample = self.loss(now, why);
        self.in_network = None;
        self.kept = 0.0;
        self.hystart = None;
        self.recover = self.max;
        self.last_cut = if timeout { LastCut::Timeout } else { LastCut::FastLoss };
        let before = self.control_window().min(self.limit);
        let reaction = self.control.on_congestion(&sample);
        if why == Congestion::FastLoss {
            self.descend(before);
        }
        self.judgment = Some(Judgment { seq, timeout, verdict: reaction.verdict });
        if timeout {
            self.stats.timeouts += 1;
        } else {
            self.stats.fast_retransmits += 1;
        }
        reaction.answered
    }

    /// Where the window is to go down by and by, begins that: it was `before`, and congestion control has cut it.
    fn descend(&mut self, before: f64) {
        let config = &self.config;
        // A control with a rate of its own has a recovery of its own.
        if config.window_reduction == WindowReduction::AtOnce || self.control.pacing_rate().is_some() {
            return;
        }
        // Without a segment in the network nothing would come back.
        let target = self.control_window().max(1.0);
        let floor = target * config.halving_floor;
        let floor = if config.window_rounding == Rounding::Integer { libm::floor(floor) } else { floor };
        // Rate halving keeps the window close to the data in the network even where there is nothing to take off.
        let descends = target < before || config.window_reduction == WindowReduction::RateHalving;
        if descends {
            self.descent = Descent::new(config.window_reduction, target, floor.max(1.0));
        }
        self.control.window_mut().cwnd = if descends { before } else { target };
    }

    /// The window that fast recovery leaves.
    pub fn target(&self) -> f64 {
        self.descent.map_or(self.control_window(), |descent| descent.target())
    }

    /// Fast recovery is over.
    pub fn recovered(&mut self, now: Instant) {
        if let Some(descent) = self.descent.take() {
            self.control.window_mut().cwnd = descent.target();
        }
        self.last_cut = LastCut::Recovered;
        self.control.on_recovered(now);
    }

    /// Whether congestion control judges losses by the age of segments.
    pub fn judges_age(&self) -> bool {
        self.control.judges_age()
    }

    /// The oldest outstanding segment; its times are known where segments are timed.
    pub fn oldest(&self) -> Oldest {
        self.sending(self.una)
    }

    /// When an outstanding segment was last sent, and how often, where segments are timed.
    #[inline]
    pub fn sending(&self, seq: u64) -> Oldest {
        match &self.times {
            Some(times) => times.get(seq),
            None => Oldest { sent: Instant::ZERO, transmissions: 0 },
        }
    }

    /// Sends the oldest segment again at once, on a loss seen from acknowledgments: the timer starts anew.
    pub fn fast_retransmit(&mut self, now: Instant) {
        self.begin_repair(now);
        self.resend = Some(self.una);
    }

    /// Recovery from a loss seen from acknowledgments begins: the timer starts anew.
    pub fn begin_repair(&mut self, now: Instant) {
        if !self.config.timing_in_recovery {
            self.timing = None;
        }
        self.set_timer(now);
    }

    /// Starts the timer anew; a measurement under way is given up (Karn and Partridge 1987).
    pub fn restart_timer(&mut self, now: Instant) {
        self.timing = None;
        self.set_timer(now);
    }

    /// Goes back to the oldest segment: all after it is sent again unless acknowledged first.
    pub fn rewind(&mut self) {
        self.next = self.una;
    }

    /// An acknowledgment has been dealt with: what it told of the rate of delivery goes to congestion control.
    #[cold]
    pub fn rated(&mut self, in_flight: u64) {
        if let Some(sample) = self.rate.as_mut().and_then(|rate| rate.take(in_flight)) {
            self.control.on_rate(&sample);
        }
    }

    /// Whether the pacing rate lets nothing go yet.
    pub fn is_held(&mut self, now: Instant) -> bool {
        self.held = (self.release > now).then(|| self.held.unwrap_or(Stamp::new(self.release, now)));
        self.held.is_some()
    }

    /// Nothing more is sent now, with so many segments in flight: where the window would let more go, the application or
    /// the receiver holds the sender back.
    pub fn held_back(&mut self, in_flight: u64) {
        if let Some(rate) = &mut self.rate
            && in_flight < self.control.window().cwnd as u64
        {
            rate.on_app_limited(in_flight);
        }
    }

    /// Books a segment of `wire` bytes against the pacing rate: the next one leaves when this one would be sent out at it.
    pub fn pace(&mut self, now: Instant, wire: u32) {
        let window = self.control.window();
        let own = self.control.pacing_rate();
        let rate = own.or_else(|| {
            let gain = if window.cwnd < window.ssthresh { SLOW_START_PACE } else { PACE };
            self.rtt.srtt().map(|srtt| gain * window.cwnd / srtt.secs())
        });
        if let Some(rate) = rate {
            let full = f64::from(self.config.segment + self.config.header);
            let gap = Duration::from_secs_f64(f64::from(wire) / (full * rate)).min(self.config.max_rto);
            self.release = self.release.max(now) + gap;
        }
    }

    /// Runs the timer while anything is outstanding (RFC 6298 section 5).
    #[inline]
    pub fn update_timer(&mut self, now: Instant) {
        if self.next > self.una || self.una < self.max || self.control.window().cwnd < 1.0 {
            self.set_timer(now);
        } else {
            self.timer = None;
        }
    }

    /// Sets the retransmission timer.
    #[inline]
    pub fn set_timer(&mut self, now: Instant) {
        self.timer = Some(Stamp::new(now + self.rtt.rto(), now));
    }

    /// Books the transmission of `seq`; returns whether it is a retransmission.
    #[inline]
    pub fn transmitted(&mut self, now: Instant, seq: u64) -> bool {
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
        } else if self.config.clock_tick.is_zero() && self.timing.is_some_and(|(timed, _)| timed == seq) {
            // Karn and Partridge 1987, also for what recovery itself has sent and lost; ns-2 goes on timing it.
            self.timing = None;
        }
        if self.timer.is_none() {
            self.set_timer(now);
        }
        if let Some(descent) = &mut self.descent {
            descent.on_sent();
        }
        again
    }
}
