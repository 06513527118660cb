//! A connection's life at its sender: it opens, takes acknowledgments, times out, closes.

use crate::config::{Config, Ecn, Syn};
use crate::congestion::{Congestion, CongestionControl};
use crate::core::{Core, Overhead};
use crate::recovery::{Recovery, State};
use base::{AckHeader, Duration, Instant, Rng};
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
    pub(super) core: Core,
    pub(super) recovery: State,
    pub(super) phase: Phase,
    /// A SYN, a bare acknowledgment or a probe waits to be sent.
    pub(super) control_segment: Option<ControlSegment>,
    /// The SYN had to be sent again.
    pub(super) syn_lost: bool,
    /// When the SYN was sent.
    pub(super) syn_sent: Instant,
    /// The last segment carries a FIN.
    pub(super) fin: bool,
    /// The receiver's FIN has come.
    pub(super) fin_seen: bool,
    /// Timestamp to echo, microseconds plus one; 0: none.
    pub(super) echo: u32,
    /// When the last payload was acknowledged.
    pub(super) finished: Option<Instant>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ControlSegment {
    Syn,
    Ack,
    Probe,
}

impl Sender {
    /// A connection at rest. `phase` is where in its clock's tick it begins (`Config::tick_phase`).
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
        }
    }

    /// Hands congestion control a random stream of its own.
    pub fn give_stream(&mut self, rng: Rng) {
        let core = &mut self.core;
        core.control.give_stream(rng);
        if core.control.pacing_rate().is_some() {
            // A control with a rate of its own knows no slow start.
            core.hystart = None;
        }
    }

    /// Hands it a random stream for the time that the host works on segments (`send_overhead`).
    pub fn give_overhead(&mut self, rng: Rng) {
        let most = self.core.config.timers.send_overhead;
        self.core.overhead = (!most.is_zero()).then(|| Box::new(Overhead::new(most, rng)));
    }

    /// Begins: `size` bytes to send, endless where `None`.
    pub fn open(&mut self, now: Instant, size: Option<u64>) {
        let core = &mut self.core;
        match size {
            None => core.stream.offer(u64::MAX, u64::MAX),
            Some(bytes) => {
                core.stream.total_bytes = bytes;
                let end = core.stream.end_of(bytes);
                core.stream.offer(end, end);
                self.fin = core.config.connection.fin;
            }
        }
        self.begin(now);
    }

    /// Begins a stream whose bytes come by and by ([`Sender::offer`]).
    pub fn open_stream(&mut self, now: Instant) {
        self.core.stream.offer(self.core.stream.first_payload(), u64::MAX);
        self.begin(now);
    }

    /// There are `bytes` of the stream by now. Whole segments of them are sent; what is left over waits for more, or for
    /// [`Sender::finish`].
    pub fn offer(&mut self, now: Instant, bytes: u64) {
        let offered = self.core.stream.full_segments(bytes);
        self.extend(now, offered, u64::MAX);
    }

    /// The stream that [`Sender::open_stream`] began ends after `bytes`, its last segment carrying a FIN where `fin`.
    pub fn finish(&mut self, now: Instant, bytes: u64, fin: bool) {
        let core = &mut self.core;
        core.stream.total_bytes = bytes;
        self.fin = fin;
        let end = core.stream.end_of(bytes);
        self.extend(now, end, end);
    }

    /// Begins a stream that an application writes by and by ([`Sender::write`]).
    pub fn open_writes(&mut self, now: Instant) {
        let core = &mut self.core;
        if !core.config.connection.pad_writes {
            core.stream.divide_writes();
        }
        // A SYN that is a segment of its own goes with the first write.
        core.stream.offer(0, u64::MAX);
        self.begin(now);
    }

    /// The application writes `bytes`; what of them is not sent at once waits. Returns where in the stream they end: they are
    /// delivered once so many bytes have arrived in order.
    ///
    /// Where writes are padded (`Config::pad_writes`), each counts as whole segments.
    pub fn write(&mut self, now: Instant, bytes: u64) -> u64 {
        if self.core.config.windows.idle_restart {
            self.core.restart_after_idle(now);
        }
        let (offered, end) = self.core.stream.written(bytes);
        self.extend(now, offered, u64::MAX);
        self.core.burst = self.core.most_burst();
        end
    }

    fn extend(&mut self, now: Instant, offered: u64, end: u64) {
        let core = &mut self.core;
        // New data goes out as soon as the window lets it, with or without an acknowledgment.
        let more = offered.saturating_sub(core.stream.offered);
        core.burst = core.burst.max(u32::try_from(more).unwrap_or(u32::MAX)).min(core.most_burst());
        core.stream.offer(offered, end);
        if self.phase == Phase::Open {
            core.keep_alive(now);
            if core.window_closed() {
                core.persist(now);
            }
        }
    }

    fn begin(&mut self, now: Instant) {
        let core = &mut self.core;
        if core.config.connection.syn == Syn::Handshake {
            self.phase = Phase::SynSent;
            self.syn_sent = now;
            self.control_segment = Some(ControlSegment::Syn);
            core.restart_timer(now);
        } else {
            self.phase = Phase::Open;
            core.burst = core.most_burst();
        }
    }

    /// The source offers no more data: what was sent is still delivered.
    pub fn stop(&mut self) {
        let core = &mut self.core;
        if core.max < core.stream.end {
            core.stream.offer(core.max, core.max);
            core.stream.total_bytes = core.stream.bytes_below(core.max);
            self.fin = false;
        }
    }

    /// An acknowledgment arrives.
    #[inline]
    pub fn on_ack(&mut self, now: Instant, ack: &AckHeader) {
        if self.core.config.options.timestamps {
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
            core.burst = core.most_burst();
            if core.window_closed() {
                core.persist(now);
            }
            core.keep_alive(now);
            return;
        }
        if ack.ack == core.una && core.una == core.max {
            self.recovery.on_idle_ack(ack);
            return;
        }
        core.extra = false;
        core.burst = 0;
        let held = core.pacer.as_ref().is_some_and(|pacer| pacer.held().is_some())
            || core.overhead.as_ref().is_some_and(|overhead| overhead.wait().is_some());
        let una = core.una;
        core.arrived(now, ack);
        self.recovery.on_ack(core, now, ack);
        if ack.ece && core.config.options.ecn != Ecn::Off {
            core.echoed(now);
        } else if core.waits && core.una > una {
            core.wait_no_longer();
        }
        if held {
            // What an earlier acknowledgment let go is still waiting for its time.
            core.burst = core.most_burst();
        }
        if core.rate.is_some() {
            let in_flight = self.recovery.in_flight(core);
            core.rated(in_flight);
        }
        if core.window_closed() {
            core.persist(now);
        }
        core.keep_alive(now);
        core.assert_bounds();
        if core.una == core.max && core.una >= core.stream.end && self.finished.is_none() {
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
                core.control.window_mut().cwnd = core.config.windows.syn_loss_window;
            } else {
                let rtt = now.since(self.syn_sent);
                core.measured(now, rtt);
                core.control.on_handshake(now, rtt);
            }
            core.rtt.end_backoff();
            core.burst = core.most_burst();
            core.take_window(now, ack);
            if core.stream.available == 0 {
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
            if ack.ack >= core.max && core.max >= core.stream.end {
                if self.finished.is_none() && core.max > core.una {
                    // Nothing beyond what was sent can be acknowledged (RFC 9293 section 3.10.7.4).
                    self.recovery.on_ack(core, now, &AckHeader { ack: core.max, ..*ack });
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
        if core.wakes(now) {
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
        if self.phase != Phase::Open {
            return;
        }
        if core.una == 0 && core.config.connection.syn == Syn::Packet {
            core.initial_window = core.config.windows.syn_loss_window;
        }
        let kept =
            if core.needs.fine_timeout.is_some_and(|fine| fine.keeps_inflation) { core.inflation } else { 0 };
        let window = core.control.window_mut();
        window.cwnd = (window.cwnd + kept as f64).max(1.0);
        core.inflation = 0;
        // Tahoe goes on counting: what it counts for is not in flight any more either way.
        if core.config.recovery != Recovery::Tahoe {
            core.dup_acks = 0;
        }
        core.resend = None;
        core.extra = false;
        core.in_network = Some(core.last_in_network);
        if core.waits {
            core.wait_no_longer();
        }
        core.cut(now, Congestion::Timeout);
        core.rtt.back_off();
        core.restart_timer(now);
        core.rewind();
        // Also the window alone can have held everything back: then nothing is lost.
        if core.una < core.max {
            self.recovery.on_timeout(core, now);
        }
        core.burst = core.most_burst();
        core.assert_bounds();
    }
}
