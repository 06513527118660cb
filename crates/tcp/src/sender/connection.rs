//! The sender's connection from opening to close: acknowledgments, timeouts and writes.

use super::event::Observed;
use crate::calm::special;
use crate::config::{Config, Ecn, Syn};
use crate::congestion::{Congestion, CongestionControl};
use crate::recovery::{Recovery, State};
use crate::tcb::Tcb;
use base::{AckHeader, Duration, Instant, Rng, SackBlock};
use std::sync::Arc;

/// Phase of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Not opened.
    Idle,
    /// The SYN has been sent.
    SynSent,
    /// Data can be sent.
    Open,
    /// All data are acknowledged, and so is the FIN if there is one.
    Closed,
}

/// The sending end of a connection.
///
/// Call [`Sender::open`], then pass acknowledgments and timer expiries in. After each call take segments from
/// [`Sender::poll`] until it returns `None`, then read [`Sender::timer`].
// In memory the fields that every segment needs come first, those of opening and closing last.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Sender {
    /// True if nothing special is on ([`Sender::is_calm`]); false if that has not been looked at.
    pub(super) calm: bool,
    pub(super) phase: Phase,
    /// A SYN, an ACK without data or a window probe that waits to be sent.
    pub(super) control_segment: Option<ControlSegment>,
    /// True if the last segment has a FIN.
    pub(super) fin: bool,
    /// Timestamp to echo, as [`timestamp`](crate::stamps::timestamp) encodes it; 0 if there is none.
    pub(super) echo: u32,
    /// Values reported and still to be reported as events; `None` if the sender is not observed.
    pub(super) observed: Option<Box<Observed>>,
    pub(super) recovery: State,
    pub(super) tcb: Tcb,
    /// Time at which the last payload was acknowledged.
    pub(super) finished: Option<Instant>,
    /// Time at which the SYN was first sent.
    pub(super) syn_sent: Instant,
    /// Number of times that the SYN was sent again because its timer expired.
    pub(super) syn_losses: u32,
    /// True once the receiver's FIN has arrived.
    pub(super) fin_seen: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ControlSegment {
    Syn,
    Ack,
    Probe,
}

impl Sender {
    /// Creates a connection that is not open. `phase` is the time since the last tick of its clock
    /// (`Timers::tick_phase`).
    pub fn new(config: &Arc<Config>, phase: Duration) -> Self {
        Self {
            tcb: Tcb::new(config, phase),
            recovery: State::new(config.recovery),
            phase: Phase::Idle,
            control_segment: None,
            syn_losses: 0,
            syn_sent: Instant::ZERO,
            fin: false,
            fin_seen: false,
            echo: 0,
            finished: None,
            observed: None,
            calm: false,
        }
    }

    /// Sets the random stream of congestion control; ends HyStart if congestion control then sets a pacing
    /// rate.
    pub fn set_rng(&mut self, rng: Rng) {
        self.calm = false;
        let tcb = &mut self.tcb;
        tcb.control.set_rng(rng);
        if tcb.control.pacing_rate().is_some() {
            // A control that sets a pacing rate does not use slow start.
            tcb.growth.end_hystart();
        }
    }

    /// Sets the random stream of the host's processing time (`send_overhead`).
    pub fn set_overhead_rng(&mut self, rng: Rng) {
        self.calm = false;
        let most = self.tcb.config.timers.send_overhead;
        self.tcb.pacing.set_overhead(most, rng);
    }

    /// Opens the connection to send `size` bytes; `None`: unlimited data.
    pub fn open(&mut self, now: Instant, size: Option<u64>) {
        let tcb = &mut self.tcb;
        match size {
            None => tcb.stream.offer(u64::MAX, u64::MAX),
            Some(bytes) => {
                tcb.stream.offer_all(bytes);
                self.fin = tcb.config.connection.fin;
            }
        }
        self.begin(now);
    }

    /// Opens the connection for a stream that becomes available in parts ([`Sender::offer`]).
    pub fn open_stream(&mut self, now: Instant) {
        self.tcb.stream.offer(self.tcb.stream.first_payload(), u64::MAX);
        self.begin(now);
    }

    /// Makes the stream available up to `bytes`. Whole segments are sent; a remainder waits for more data, or
    /// for [`Sender::finish`].
    pub fn offer(&mut self, now: Instant, bytes: u64) {
        let offered = self.tcb.stream.full_segments(bytes);
        self.extend(now, offered, u64::MAX);
    }

    /// Ends a stream that [`Sender::open_stream`] began, after `bytes`. If `fin` is true, the last segment
    /// has a FIN.
    pub fn finish(&mut self, now: Instant, bytes: u64, fin: bool) {
        let tcb = &mut self.tcb;
        self.fin = fin;
        let end = tcb.stream.ends_after(bytes);
        self.extend(now, end, end);
    }

    /// Opens the connection for an application that writes data in parts ([`Sender::write`]).
    pub fn open_writes(&mut self, now: Instant) {
        let tcb = &mut self.tcb;
        if !tcb.config.connection.pad_writes {
            tcb.stream.divide_writes();
        }
        // A SYN that is a separate segment is sent with the first write.
        tcb.stream.offer(0, u64::MAX);
        self.begin(now);
    }

    /// Adds a write of `bytes` by the application to the backlog. Returns the length of the stream after the
    /// write: the write is delivered when this number of bytes has arrived in order.
    ///
    /// If writes are padded (`Connection::pad_writes`), each is sent as whole segments.
    pub fn write(&mut self, now: Instant, bytes: u64) -> u64 {
        if self.tcb.config.windows.idle_restart {
            self.tcb.restart_after_idle(now);
        }
        let (offered, end) = self.tcb.stream.written(bytes);
        self.extend(now, offered, u64::MAX);
        self.tcb.allowance.set_burst(self.tcb.most_burst());
        end
    }

    fn extend(&mut self, now: Instant, offered: u64, end: u64) {
        self.calm = false;
        let tcb = &mut self.tcb;
        // New data are sent as soon as the window allows, even if no acknowledgment arrives.
        let more = offered.saturating_sub(tcb.stream.offered());
        let most = tcb.most_burst();
        tcb.allowance.raise_burst(u32::try_from(more).unwrap_or(u32::MAX), most);
        tcb.stream.offer(offered, end);
        if self.phase == Phase::Open {
            tcb.keep_alive(now);
            if tcb.window_closed() {
                tcb.persist(now);
            }
        }
    }

    fn begin(&mut self, now: Instant) {
        self.calm = false;
        let tcb = &mut self.tcb;
        if tcb.config.connection.syn == Syn::Handshake {
            self.phase = Phase::SynSent;
            self.syn_sent = now;
            self.control_segment = Some(ControlSegment::Syn);
            tcb.restart_timer(now);
        } else {
            self.phase = Phase::Open;
            tcb.release_burst();
        }
        if self.phase == Phase::Open {
            self.tcb.let_write(0);
        }
    }

    /// Stops the source: no new segments are sent, but those already sent are still delivered.
    pub fn stop(&mut self) {
        self.calm = false;
        let tcb = &mut self.tcb;
        if tcb.snd.max() < tcb.stream.end() {
            tcb.stream.cut_off(tcb.snd.max());
            self.fin = false;
        }
    }

    /// Handles an acknowledgment.
    #[inline(always)]
    pub fn on_ack(&mut self, now: Instant, ack: &AckHeader) {
        if self.calm && self.takes_calmly(ack) {
            self.echo_stamp(ack);
            self.tcb.take_window(now, ack);
            self.take_ack::<true>(now, ack);
        } else {
            self.on_general_ack(now, ack);
            self.calm = self.is_calm();
        }
        if self.calm {
            self.tcb.open_run();
        }
    }

    /// Handles an acknowledgment by all rules.
    #[inline(never)]
    fn on_general_ack(&mut self, now: Instant, ack: &AckHeader) {
        let whole;
        let ack = if ack.part() > 0 {
            if ack.ack == self.tcb.snd.una() {
                return self.on_part(now, ack);
            }
            whole = ack.without_part();
            &whole
        } else {
            ack
        };
        self.echo_stamp(ack);
        if ack.syn || ack.fin || self.phase != Phase::Open {
            self.on_control(now, ack);
            if self.phase != Phase::Open || ack.syn {
                return;
            }
        }
        let tcb = &mut self.tcb;
        if ack.ack < tcb.snd.una() || ack.ack > tcb.snd.max() {
            return;
        }
        let without_blocks;
        let most = tcb.snd.max() - ack.ack;
        let ack = if ack.sacked().iter().any(|block| !is_sound(*block, most)) {
            // If one block is invalid, no block of this acknowledgment is used.
            without_blocks = AckHeader { blocks: 0, ..*ack };
            &without_blocks
        } else {
            ack
        };
        if tcb.take_window(now, ack) && ack.ack == tcb.snd.una() && ack.blocks == 0 {
            // An acknowledgment that changes the window is not a duplicate (RFC 5681 section 2).
            tcb.release_burst();
            if tcb.window_closed() {
                tcb.persist(now);
            }
            tcb.keep_alive(now);
            return;
        }
        if ack.ack == tcb.snd.una() && tcb.snd.una() == tcb.snd.max() {
            self.recovery.on_idle_ack(ack);
            if tcb.may_undo() && tcb.is_needless(ack, |_| false) {
                self.recovery.undo(tcb);
                tcb.restore(now);
            }
            return;
        }
        self.take_ack::<false>(now, ack);
    }

    /// Handles an acknowledgment that ends within segment SND.UNA. While a loss is being repaired it has no effect.
    #[cold]
    fn on_part(&mut self, now: Instant, ack: &AckHeader) {
        self.echo_stamp(ack);
        let tcb = &mut self.tcb;
        let sent = (tcb.stream.first_payload()..tcb.snd.max()).contains(&ack.ack);
        if self.phase == Phase::Open && sent && !self.recovery.active(tcb) {
            tcb.take_window(now, ack);
            tcb.acknowledge_part(now, ack);
        }
    }

    /// Keeps the timestamp of an acknowledgment, to be echoed.
    #[inline(always)]
    fn echo_stamp(&mut self, ack: &AckHeader) {
        if self.tcb.config.options.timestamps {
            self.echo = ack.ts_val;
        }
    }

    /// Handles a valid acknowledgment of an open connection that has segments outstanding.
    #[inline(always)]
    fn take_ack<const CALM: bool>(&mut self, now: Instant, ack: &AckHeader) {
        let tcb = &mut self.tcb;
        tcb.allowance.withdraw();
        let held = tcb.pacing.is_waiting();
        let una = tcb.snd.una();
        tcb.arrived::<CALM>(now, ack);
        if special::<CALM>(tcb.may_undo()) {
            self.judge_undo(now, ack);
        } else {
            self.recovery.on_ack::<CALM>(tcb, now, ack);
        }
        let tcb = &mut self.tcb;
        if special::<CALM>(ack.ece) && tcb.config.options.ecn != Ecn::Off && !tcb.reduces_for_marks() {
            tcb.echoed(now);
        } else if special::<CALM>(tcb.ecn.waits()) && tcb.snd.una() > una {
            tcb.wait_no_longer();
        }
        if held {
            // Paced segments that an earlier acknowledgment allowed still wait, so the burst is allowed
            // again.
            tcb.release_burst();
        }
        if special::<CALM>(tcb.rate.is_some()) {
            let in_flight = self.recovery.in_flight(tcb);
            tcb.rated(in_flight);
        }
        if tcb.window_closed() {
            tcb.persist(now);
        }
        if tcb.send_buffer.is_some() {
            let merged = if CALM { 0 } else { self.recovery.merged() };
            tcb.let_write(merged);
        }
        tcb.keep_alive(now);
        tcb.assert_bounds();
        if tcb.snd.una() == tcb.snd.max() && tcb.snd.una() >= tcb.stream.end() && self.finished.is_none() {
            self.finish_transfer(now);
        }
    }

    /// Records that the last payload is acknowledged; closes the connection if no FIN was sent.
    #[cold]
    fn finish_transfer(&mut self, now: Instant) {
        self.calm = false;
        self.finished = Some(now);
        if !self.fin {
            self.phase = Phase::Closed;
            self.tcb.timers.close();
        }
    }

    /// Handles an acknowledgment while the last cut of the window can still be undone: if it shows the cut to
    /// be needless, first restores the state before the cut.
    #[cold]
    fn judge_undo(&mut self, now: Instant, ack: &AckHeader) {
        let tcb = &mut self.tcb;
        let (recovery, una) = (&self.recovery, tcb.snd.una());
        let needless = tcb.is_needless(ack, |seq| recovery.is_sacked(seq));
        if needless {
            self.recovery.undo(tcb);
            tcb.restore(now);
        }
        let restored = tcb.control_window();
        self.recovery.on_ack::<false>(tcb, now, ack);
        if needless && tcb.snd.una() > una && !tcb.config.fast_recovery.exit_growth {
            // The acknowledgment that ends recovery does not increase the window.
            let window = tcb.control.window_mut();
            window.cwnd = window.cwnd.min(restored);
        }
    }

    /// Handles acknowledgments with SYN or FIN, and those that arrive before the connection is open or after
    /// it is closed.
    #[cold]
    fn on_control(&mut self, now: Instant, ack: &AckHeader) {
        let tcb = &mut self.tcb;
        if ack.syn && ack.ack > tcb.snd.max() {
            // This is no answer to a SYN that was sent (RFC 9293 section 3.10.7.3).
            return;
        }
        if self.phase == Phase::SynSent && ack.syn {
            self.phase = Phase::Open;
            tcb.timers.stop_retransmission();
            if self.syn_losses >= tcb.config.windows.syn_losses {
                // RFC 5681 section 3.1: after the loss of the SYN the window is a loss window.
                tcb.control.window_mut().cwnd = tcb.config.windows.syn_loss_window;
            } else if self.syn_losses > 0 {
                // The echoed timestamp shows which of the SYNs was answered.
                if let Some(rtt) = tcb.measure_stamp(now, ack) {
                    tcb.control.on_handshake(now, rtt);
                }
            } else {
                let rtt = now.since(self.syn_sent);
                tcb.round_trips.measured(now, rtt, &tcb.config.timers);
                tcb.control.on_handshake(now, rtt);
            }
            tcb.round_trips.end_backoff(&tcb.config.timers);
            tcb.release_burst();
            tcb.take_window(now, ack);
            tcb.let_write(0);
            if tcb.stream.available() == 0 || tcb.config.connection.handshake_ack {
                self.control_segment = Some(ControlSegment::Ack);
            }
            if tcb.window_closed() {
                tcb.persist(now);
            }
        } else if ack.syn {
            // The SYN is acknowledged again, so the sender's answer was lost.
            self.control_segment = Some(ControlSegment::Ack);
        }
        if ack.fin {
            self.fin_seen = true;
            self.control_segment = Some(ControlSegment::Ack);
            if ack.ack >= tcb.snd.max() && tcb.snd.max() >= tcb.stream.end() {
                if self.finished.is_none() && tcb.snd.max() > tcb.snd.una() {
                    // Segments that were not sent cannot be acknowledged (RFC 9293 section 3.10.7.4).
                    self.recovery.on_ack::<false>(tcb, now, &AckHeader { ack: tcb.snd.max(), ..*ack });
                    self.finished = Some(now);
                }
                self.phase = Phase::Closed;
                tcb.timers.close();
            }
        }
    }

    /// Handles the expiry of the timer that [`Sender::timer`] returned.
    pub fn on_timer(&mut self, now: Instant) {
        self.calm = false;
        let tcb = &mut self.tcb;
        if tcb.timers.recovery_expired(now, tcb.wheel()) {
            self.recovery.on_alarm(tcb, now);
            return;
        }
        if tcb.wakes(now) {
            return;
        }
        tcb.timers.stop_retransmission();
        if self.phase == Phase::SynSent {
            self.syn_losses += 1;
            tcb.stats.timeouts += 1;
            tcb.round_trips.back_off(&tcb.config.timers);
            tcb.restart_timer(now);
            self.control_segment = Some(ControlSegment::Syn);
            return;
        }
        if self.phase == Phase::Open && tcb.window_closed() {
            self.control_segment = Some(ControlSegment::Probe);
            tcb.probe(now);
            return;
        }
        if self.phase != Phase::Open {
            return;
        }
        if tcb.snd.una() == 0 && tcb.config.connection.syn == Syn::Packet {
            tcb.growth.open_with(tcb.config.windows.syn_loss_window);
        }
        let inflation = tcb.duplicates.deflate();
        let kept =
            if tcb.needs.fine_timeout.is_some_and(|fine| fine.keeps_inflation) { inflation } else { 0 };
        let window = tcb.control.window_mut();
        window.cwnd = (window.cwnd + kept as f64).max(1.0);
        // Tahoe keeps its count of duplicates at a timeout, because each duplicate shows that a segment has
        // left the network.
        if tcb.config.recovery != Recovery::Tahoe {
            tcb.duplicates.set(0);
        }
        tcb.allowance.withdraw_repair();
        tcb.episode.use_last_pipe();
        if tcb.ecn.waits() {
            tcb.wait_no_longer();
        }
        tcb.cut(now, Congestion::Timeout);
        tcb.round_trips.back_off(&tcb.config.timers);
        tcb.restart_timer(now);
        tcb.snd.rewind();
        // If no segment is outstanding, the timer ran only because the window was closed, and nothing is
        // lost.
        if tcb.snd.una() < tcb.snd.max() {
            self.recovery.on_timeout(tcb, now);
        }
        tcb.release_burst();
        tcb.assert_bounds();
    }
}

/// Returns true if a SACK block reports segments beyond the cumulative acknowledgment, and none beyond the `most` segments
/// that are outstanding above it.
#[inline]
fn is_sound(block: SackBlock, most: u64) -> bool {
    0 < block.from && block.from < block.to && u64::from(block.to) <= most
}
