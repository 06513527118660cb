//! The sender: opens, sends what recovery and window allow, times out, closes.

use crate::config::{Config, Ecn as EcnMode, Syn};
use crate::congestion::{Congestion, CongestionControl};
use crate::core::Core;
use crate::recovery::State;
use crate::stats::{Judgment, SenderStats};
use crate::stream::Cuts;
use base::{AckHeader, DataHeader, Duration, FlowId, Instant, Probe, Rng, Stamp, Variable};
use std::sync::Arc;

/// Where a connection is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Not opened yet.
    Idle,
    /// The SYN is on its way.
    SynSent,
    /// Data flows.
    Open,
    /// All is acknowledged, and the FIN answered where there is one.
    Closed,
}

/// The sending end of a connection.
///
/// Call [`Sender::open`], then hand in acknowledgments and timer expiries; after each call take segments from
/// [`Sender::poll`] until there is none, then look at [`Sender::timer`].
#[derive(Clone, Debug)]
pub struct Sender {
    core: Core,
    recovery: State,
    phase: Phase,
    /// A SYN, a bare acknowledgment or a probe waits to be sent.
    control_segment: Option<ControlSegment>,
    /// The SYN had to be sent again.
    syn_lost: bool,
    /// When the SYN was sent.
    syn_sent: Instant,
    /// The last segment carries a FIN.
    fin: bool,
    /// The receiver's FIN has come.
    fin_seen: bool,
    /// Timestamp to echo, microseconds plus one; 0: none.
    echo: u32,
    /// When the last payload was acknowledged.
    finished: Option<Instant>,
    /// Last values reported to a probe, by variable.
    reported: [f64; 6],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ControlSegment {
    Syn,
    Ack,
    Probe,
}

/// The timestamps option counts microseconds from one: zero means that the option is absent.
pub(crate) fn timestamp(now: Instant) -> u32 {
    ((now.ps() / 1_000_000) as u32).wrapping_add(1)
}

impl Sender {
    /// A connection at rest. `phase` is where in its clock's tick it begins ([`Config::tick_phase`]).
    pub fn new(config: &Arc<Config>, phase: Duration) -> Self {
        Self {
            core: Core::new(config, phase),
            recovery: State::new(config.recovery),
            phase: Phase::Idle,
            control_segment: None,
            syn_lost: false,
            syn_sent: Instant::ZERO,
            fin: false,
            fin_seen: false,
            echo: 0,
            finished: None,
            reported: [f64::NAN; 6],
        }
    }

    /// Hands congestion control a random stream of its own.
    pub fn give_stream(&mut self, rng: Rng) {
        self.core.control.give_stream(rng);
    }

    /// Begins: `size` bytes to send, endless where `None`.
    pub fn open(&mut self, now: Instant, size: Option<u64>) {
        let core = &mut self.core;
        match size {
            None => core.offer(u64::MAX, u64::MAX),
            Some(bytes) => {
                core.total_bytes = bytes;
                let end = core.first_payload() + bytes.div_ceil(u64::from(core.config.segment));
                core.offer(end, end);
                self.fin = core.config.fin;
            }
        }
        self.begin(now);
    }

    /// Begins a stream whose bytes come by and by ([`Sender::offer`]).
    pub fn open_stream(&mut self, now: Instant) {
        self.core.offer(self.core.first_payload(), u64::MAX);
        self.begin(now);
    }

    /// There are `bytes` of the stream by now. Whole segments of them are sent; what is left over waits for more, or for
    /// [`Sender::finish`].
    pub fn offer(&mut self, now: Instant, bytes: u64) {
        let core = &mut self.core;
        let offered = core.first_payload() + bytes / u64::from(core.config.segment);
        self.extend(now, offered, u64::MAX);
    }

    /// The stream ends after `bytes`, its last segment carrying a FIN where `fin`.
    pub fn finish(&mut self, now: Instant, bytes: u64, fin: bool) {
        let core = &mut self.core;
        core.total_bytes = bytes;
        self.fin = fin;
        let end = core.first_payload() + bytes.div_ceil(u64::from(core.config.segment));
        self.extend(now, end, end);
    }

    /// Begins a stream that an application writes by and by ([`Sender::write`]).
    pub fn open_writes(&mut self, now: Instant) {
        let core = &mut self.core;
        if !core.config.pad_writes {
            core.cuts = Some(Box::new(Cuts::new(core.first_payload())));
        }
        // A SYN that is a segment of its own goes with the first write.
        core.offer(0, u64::MAX);
        self.begin(now);
    }

    /// The application writes `bytes`; what of them is not sent at once waits. Returns where in the stream they end: they are
    /// delivered once so many bytes have arrived in order.
    ///
    /// Where writes are padded ([`Config::pad_writes`]), each counts as whole segments.
    pub fn write(&mut self, now: Instant, bytes: u64) -> u64 {
        if self.core.config.idle_restart {
            self.core.restart_after_idle(now);
        }
        let (offered, end) = self.core.written(bytes);
        self.extend(now, offered, u64::MAX);
        self.core.burst = u32::MAX;
        end
    }

    fn extend(&mut self, now: Instant, offered: u64, end: u64) {
        let core = &mut self.core;
        // New data goes out as soon as the window lets it, with or without an acknowledgment.
        let more = offered.saturating_sub(core.offered);
        core.burst = core.burst.max(u32::try_from(more).unwrap_or(u32::MAX));
        core.offer(offered, end);
        if self.phase == Phase::Open && core.window_closed() {
            core.persist(now);
        }
    }

    fn begin(&mut self, now: Instant) {
        let core = &mut self.core;
        if core.config.syn == Syn::Handshake {
            self.phase = Phase::SynSent;
            self.syn_sent = now;
            self.control_segment = Some(ControlSegment::Syn);
            core.restart_timer(now);
        } else {
            self.phase = Phase::Open;
            core.burst = u32::MAX;
        }
    }

    /// The source offers no more data: what was sent is still delivered.
    pub fn stop(&mut self) {
        let core = &mut self.core;
        if core.max < core.end {
            core.offer(core.max, core.max);
            core.total_bytes = core.bytes_below(core.max);
            self.fin = false;
        }
    }

    /// An acknowledgment arrives.
    #[inline]
    pub fn on_ack(&mut self, now: Instant, ack: &AckHeader) {
        if self.core.config.timestamps {
            self.echo = ack.ts_val;
        }
        if ack.syn || ack.fin || self.phase != Phase::Open {
            self.on_control(now, ack);
            if self.phase != Phase::Open || ack.syn {
                return;
            }
        }
        let core = &mut self.core;
        if ack.ack < core.una || ack.ack > core.max {
            return;
        }
        if core.take_window(now, ack) && ack.ack == core.una && ack.blocks == 0 {
            // An update of the window is no duplicate (RFC 5681 section 2).
            core.burst = u32::MAX;
            if core.window_closed() {
                core.persist(now);
            }
            return;
        }
        if ack.ack == core.una && core.una == core.max {
            self.recovery.on_idle_ack(ack);
            return;
        }
        core.extra = false;
        core.burst = 0;
        let held = core.held.is_some();
        core.arrived(now, ack);
        self.recovery.on_ack(core, now, ack);
        if ack.ece && core.config.ecn != EcnMode::Off {
            core.echoed(now);
        }
        if held {
            // What an earlier acknowledgment let go is still waiting for its time.
            core.burst = u32::MAX;
        }
        if core.rate.is_some() {
            let in_flight = self.recovery.in_flight(core);
            core.rated(in_flight);
        }
        if core.window_closed() {
            core.persist(now);
        }
        if core.una == core.max && core.una >= core.end && self.finished.is_none() {
            self.finished = Some(now);
            if !self.fin {
                self.phase = Phase::Closed;
                core.timer = None;
                core.alarm = None;
            }
        }
    }

    /// Acknowledgments that carry a SYN or FIN, or come outside the connection's life.
    #[cold]
    fn on_control(&mut self, now: Instant, ack: &AckHeader) {
        let core = &mut self.core;
        if self.phase == Phase::SynSent && ack.syn {
            self.phase = Phase::Open;
            core.timer = None;
            if self.syn_lost {
                // RFC 5681 section 3.1: the loss of the SYN leaves a loss window.
                core.control.window_mut().cwnd = core.config.syn_loss_window;
            } else {
                let rtt = now.since(self.syn_sent);
                core.measured(now, rtt);
                core.control.on_handshake(rtt);
            }
            core.rtt.end_backoff();
            core.burst = u32::MAX;
            core.take_window(now, ack);
            if core.available == 0 {
                self.control_segment = Some(ControlSegment::Ack);
            }
            if core.window_closed() {
                core.persist(now);
            }
        } else if ack.syn {
            // The acknowledgment of our SYN comes twice: the first answer was lost.
            self.control_segment = Some(ControlSegment::Ack);
        }
        if ack.fin {
            self.fin_seen = true;
            self.control_segment = Some(ControlSegment::Ack);
            if ack.ack >= core.max && core.max >= core.end {
                if self.finished.is_none() && ack.ack > core.una {
                    self.recovery.on_ack(core, now, ack);
                    self.finished = Some(now);
                }
                self.phase = Phase::Closed;
                core.timer = None;
                core.alarm = None;
            }
        }
    }

    /// The timer set for [`Sender::timer`] expires.
    pub fn on_timer(&mut self, now: Instant) {
        let core = &mut self.core;
        if core.alarm.is_some_and(|alarm| alarm.at <= now) {
            self.recovery.on_alarm(core, now);
            return;
        }
        core.timer = None;
        if self.phase == Phase::SynSent {
            self.syn_lost = true;
            core.stats.timeouts += 1;
            core.rtt.back_off();
            core.restart_timer(now);
            self.control_segment = Some(ControlSegment::Syn);
            return;
        }
        if self.phase == Phase::Open && core.window_closed() {
            self.control_segment = Some(ControlSegment::Probe);
            core.probe(now);
            return;
        }
        if self.phase != Phase::Open || core.una == core.max {
            return;
        }
        if core.una == 0 && core.config.syn == Syn::Packet {
            core.initial_window = core.config.syn_loss_window;
        }
        let window = core.control.window_mut();
        window.cwnd = window.cwnd.max(1.0);
        core.inflation = 0;
        core.dup_acks = 0;
        core.resend = None;
        core.extra = false;
        core.in_network = Some(self.recovery.in_flight(core));
        core.cut(now, Congestion::Timeout);
        core.rtt.back_off();
        core.restart_timer(now);
        core.rewind();
        self.recovery.on_timeout(core, now);
        core.burst = u32::MAX;
    }

    /// The next segment to send now, and its size on the wire in bytes.
    #[inline]
    pub fn poll(&mut self, now: Instant) -> Option<(DataHeader, u32)> {
        if let Some(segment) = self.control_segment.take() {
            return Some(self.control(now, segment));
        }
        if self.phase != Phase::Open {
            return None;
        }
        let core = &mut self.core;
        if core.paced && core.is_held(now) {
            return None;
        }
        let in_flight = if core.rate.is_some() { self.recovery.in_flight(core) } else { 0 };
        let una = core.una;
        // A paced retransmission may be acknowledged before its time comes.
        let seq = if let Some(seq) = core.resend.take().filter(|seq| *seq >= una) {
            if seq >= core.available {
                return None;
            }
            seq
        } else if core.extra {
            core.extra = false;
            if !core.extra_allowed() {
                return None;
            }
            core.next += 1;
            core.extra_sent += 1;
            core.next - 1
        } else if core.burst > 0 {
            let Some(seq) = self.recovery.next(core) else {
                core.held_back(in_flight);
                return None;
            };
            core.burst -= 1;
            core.next = core.next.max(seq + 1);
            seq
        } else {
            return None;
        };
        if let Some(rate) = &mut core.rate {
            rate.on_sent(now, core.una, seq, in_flight, seq < core.max);
        }
        let (header, wire) = self.segment(now, seq);
        if self.core.paced {
            self.core.pace(now, wire);
        }
        Some((header, wire))
    }

    fn segment(&mut self, now: Instant, seq: u64) -> (DataHeader, u32) {
        let core = &mut self.core;
        if let Some(cuts) = &mut core.cuts {
            cuts.cut(seq, core.config.segment);
        }
        let offset = core.bytes_below(seq);
        let payload = (core.bytes_below(seq + 1) - offset) as u32;
        let retransmission = core.transmitted(now, seq);
        self.recovery.on_sent(core, now, seq, retransmission);
        let syn = core.config.syn == Syn::Packet && seq == 0;
        let options = if core.config.timestamps { core.config.timestamps_size } else { 0 };
        let wire = if syn { core.config.syn_size } else { core.config.header + payload } + options;
        let header = DataHeader {
            seq,
            offset,
            payload,
            ts_val: if core.config.timestamps { timestamp(now) } else { 0 },
            ts_ecr: self.echo,
            syn,
            fin: self.fin && seq + 1 == core.end,
            retransmission,
            bare_ack: false,
            acks_fin: false,
            // Told once, on new data (RFC 3168 section 6.1.2).
            cwr: core.cwr_due && !retransmission && payload > 0,
            probe: false,
        };
        if header.cwr {
            core.cwr_due = false;
        }
        (header, wire)
    }

    fn control(&mut self, now: Instant, segment: ControlSegment) -> (DataHeader, u32) {
        let core = &self.core;
        let options = if core.config.timestamps { core.config.timestamps_size } else { 0 };
        let probe = segment == ControlSegment::Probe;
        let seq = if probe { core.una } else { core.next };
        let header = DataHeader {
            seq,
            offset: core.bytes_below(seq),
            ts_val: if core.config.timestamps { timestamp(now) } else { 0 },
            ts_ecr: self.echo,
            syn: segment == ControlSegment::Syn,
            bare_ack: segment == ControlSegment::Ack,
            acks_fin: segment == ControlSegment::Ack && self.fin_seen,
            probe,
            retransmission: segment == ControlSegment::Syn && self.syn_lost,
            ..DataHeader::default()
        };
        // A probe is a bare header, as large as an acknowledgment.
        let size = if probe { core.config.ack_size } else { core.config.syn_size };
        (header, size + options)
    }

    /// Whether a queue may mark this segment: data, and by RFC 3168 section 6.1.5 no retransmission.
    #[inline]
    pub fn codepoint(&self, segment: &DataHeader) -> base::Ecn {
        let mode = self.core.config.ecn;
        let capable = mode != EcnMode::Off
            && segment.payload > 0
            && (mode == EcnMode::Dctcp || !segment.retransmission);
        if capable { base::Ecn::Ect0 } else { base::Ecn::NotEct }
    }

    /// When a paced sender has its next segment to send, and since when it waits: call [`Sender::poll`] then.
    #[inline]
    pub fn release(&self) -> Option<Stamp> {
        // Once all is acknowledged nothing waits any more.
        self.core.held.filter(|_| self.phase == Phase::Open)
    }

    /// When the timer expires, and since when it is set.
    #[inline]
    pub fn timer(&self) -> Option<Stamp> {
        let core = &self.core;
        match core.alarm {
            None => core.timer,
            alarm => [core.timer, alarm].into_iter().flatten().min(),
        }
    }

    /// Bytes on the wire on top of a segment's payload, without options.
    pub fn header(&self) -> u32 {
        self.core.config.header
    }

    /// Counters so far.
    pub fn stats(&self) -> &SenderStats {
        &self.core.stats
    }

    /// Where the connection is in its life.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// When the last payload of a transfer of given size was acknowledged.
    pub fn finished(&self) -> Option<Instant> {
        self.finished
    }

    /// What congestion control calls the state it is in; empty where its states have no names.
    pub fn control_state(&self) -> &'static str {
        self.core.control.state()
    }

    /// Segments per second that congestion control asks for; `None` where it leaves that to the window.
    pub fn pacing_rate(&self) -> Option<f64> {
        self.core.control.pacing_rate()
    }

    /// Congestion window, segments.
    pub fn cwnd(&self) -> f64 {
        self.core.control.window().cwnd
    }

    /// Slow-start threshold, segments; infinite where unlimited.
    pub fn ssthresh(&self) -> f64 {
        self.core.control.window().ssthresh
    }

    /// Segments sent and not known to have left the network.
    pub fn in_flight(&self) -> u64 {
        self.recovery.in_flight(&self.core)
    }

    /// First unacknowledged segment, next to send, and one past the highest sent.
    pub fn sequence(&self) -> (u64, u64, u64) {
        (self.core.una, self.core.next, self.core.max)
    }

    /// The round trip measured since the last call, if any.
    #[inline]
    pub fn take_rtt(&mut self) -> Option<Duration> {
        self.core.last_rtt.take()
    }

    /// The answer to a loss since the last call, if any.
    #[inline]
    pub fn take_judgment(&mut self) -> Option<Judgment> {
        self.core.judgment.take()
    }

    /// Reports the variables that have changed since the last call, but for single round trips
    /// ([`Sender::take_rtt`]).
    pub fn observe<P: Probe>(&mut self, now: Instant, flow: FlowId, probe: &mut P) {
        let core = &self.core;
        let window = core.control.window();
        let recovery = if core.una < core.recover && core.last_cut == crate::core::LastCut::Timeout {
            2.0
        } else {
            f64::from(u8::from(self.recovery.active(core)))
        };
        let values = [
            (Variable::Cwnd, window.cwnd),
            (Variable::Ssthresh, window.ssthresh),
            (Variable::Srtt, core.rtt.srtt().map_or(0.0, Duration::secs)),
            (Variable::Rto, core.rtt.rto().secs()),
            (Variable::InFlight, self.recovery.in_flight(core) as f64),
            (Variable::Recovery, recovery),
        ];
        for ((variable, value), last) in values.into_iter().zip(&mut self.reported) {
            // Not a number at first: differs from every value.
            if value != *last {
                *last = value;
                probe.variable(now, flow, variable, value);
            }
        }
    }
}
