//! Segments that a sender sends: those that recovery and window allow, and SYN, ACK and window probes.

use super::connection::{ControlSegment, Phase, Sender};
use crate::calm::special;
use crate::config::{Ecn as EcnMode, Reduction, Syn};
use crate::congestion::CongestionControl;
use crate::recovery::State;
use crate::stamps::timestamp;
use crate::tcb::Tcb;
use base::{DataHeader, Instant, Stamp};

impl Sender {
    /// Returns the next segment to send at `now`, and its size on the wire, bytes; `None` if none can be
    /// sent.
    // Inlined so that the result is written directly to the caller's memory. Reading a copy that was just
    // written would wait for the cache.
    #[inline(always)]
    pub fn poll(&mut self, now: Instant) -> Option<(DataHeader, u32)> {
        if self.calm {
            let seq = self.next_segment::<true>(now)?;
            return Some(self.segment::<true>(now, seq));
        }
        if self.tcb.needs.timer {
            self.tcb.look_up_timer(now);
        }
        if let Some(segment) = self.control_segment.take() {
            return Some(self.control(now, segment));
        }
        let Some(seq) = self.next_segment::<false>(now) else {
            if self.observed.is_some() {
                self.settle();
            }
            return None;
        };
        Some(self.segment::<false>(now, seq))
    }

    /// Returns the number of the segment to send at `now`; `None` if no segment can be sent.
    #[inline(always)]
    fn next_segment<const CALM: bool>(&mut self, now: Instant) -> Option<u64> {
        if special::<CALM>(self.phase != Phase::Open) {
            return None;
        }
        let tcb = &mut self.tcb;
        if tcb.pacing.holds(now) {
            return None;
        }
        let in_flight = if special::<CALM>(tcb.rate.is_some()) { self.recovery.in_flight(tcb) } else { 0 };
        let una = tcb.snd.una();
        // Skips a paced retransmission that has been acknowledged since it was allowed.
        let seq = if special::<CALM>(tcb.allowance.has_resend())
            && let Some(seq) = tcb.allowance.take_resend(una)
        {
            if seq >= tcb.stream.available() {
                return None;
            }
            seq
        } else if special::<CALM>(tcb.allowance.has_extra()) {
            tcb.allowance.set_extra(false);
            if !tcb.extra_allowed() {
                return None;
            }
            tcb.snd.advance(tcb.snd.nxt() + 1);
            tcb.allowance.count_extra();
            tcb.snd.nxt() - 1
        } else if CALM || tcb.allowance.has_burst() {
            if special::<CALM>(tcb.pacing.has_overhead()) {
                let something = self.recovery.may_send(tcb);
                if tcb.pacing.works(now, something) {
                    return None;
                }
            }
            if special::<CALM>(tcb.pacing.has_trains()) && waits_for_train(tcb, &self.recovery, now) {
                return None;
            }
            let Some(seq) = self.recovery.next::<CALM>(tcb) else {
                if special::<CALM>(tcb.rate.is_some()) {
                    tcb.mark_limited(in_flight);
                }
                return None;
            };
            tcb.allowance.use_burst();
            tcb.snd.advance(seq + 1);
            seq
        } else {
            return None;
        };
        if special::<CALM>(tcb.rate.is_some()) {
            self.rate_sent(now, seq, in_flight);
        }
        Some(seq)
    }

    /// Tells the delivery-rate estimator of a segment that is about to be sent, and congestion control of the
    /// end of idle time.
    fn rate_sent(&mut self, now: Instant, seq: u64, in_flight: u64) {
        let tcb = &mut self.tcb;
        let again = seq < tcb.snd.max();
        if again && !self.recovery.shows_losses(tcb) {
            tcb.lost(now, seq);
        }
        let Some(rate) = &mut tcb.rate else { return };
        if in_flight == 0 && rate.is_app_limited() {
            tcb.control.on_restart(now);
        }
        rate.on_sent(now, tcb.snd.una(), seq, in_flight, again);
    }

    #[inline(always)]
    fn segment<const CALM: bool>(&mut self, now: Instant, seq: u64) -> (DataHeader, u32) {
        let tcb = &mut self.tcb;
        let (offset, payload) = tcb.stream.send::<CALM>(seq);
        let retransmission = tcb.transmitted::<CALM>(now, seq);
        self.recovery.on_sent(tcb, now, seq, retransmission);
        if special::<CALM>(tcb.config.decrease.reduction == Reduction::Pipe) {
            tcb.episode.record_pipe(self.recovery.in_flight(tcb));
        }
        let syn = special::<CALM>(tcb.config.connection.syn == Syn::Packet && seq == 0);
        let size = if syn { tcb.config.sizes.syn_size } else { tcb.config.sizes.header + payload };
        let wire = size + tcb.config.options_size(!syn);
        // CWR is sent once, and on new data only unless `cwr_on_retransmissions` is set (RFC 3168 section
        // 6.1.2).
        let cwr = special::<CALM>(tcb.ecn.owes_cwr())
            && payload > 0
            && (!retransmission || tcb.config.options.cwr_on_retransmissions);
        if cwr {
            tcb.ecn.on_cwr();
        }
        let header =
            DataHeader {
                seq,
                offset,
                payload,
                ts_val: if tcb.config.options.timestamps { timestamp(now) } else { 0 },
                ts_ecr: self.echo,
                syn,
                fin: self.fin && seq + 1 == tcb.stream.end(),
                retransmission,
                bare_ack: false,
                acks_fin: false,
                push: tcb.send_buffer.as_mut().is_some_and(|buffer| {
                    buffer.pushes(seq, retransmission) || seq + 1 == tcb.stream.offered()
                }) || (special::<CALM>(tcb.pacing.has_trains())
                    && tcb.config.connection.pushes
                    && tcb.pacing.ends_train()),
                cwr,
                probe: false,
            };
        tcb.pace(now, wire);
        (header, wire)
    }

    #[cold]
    fn control(&mut self, now: Instant, segment: ControlSegment) -> (DataHeader, u32) {
        let tcb = &self.tcb;
        let probe = segment == ControlSegment::Probe;
        let seq = if probe { tcb.snd.una() } else { tcb.snd.nxt() };
        let header = DataHeader {
            seq,
            offset: tcb.stream.bytes_below(seq),
            ts_val: if tcb.config.options.timestamps { timestamp(now) } else { 0 },
            ts_ecr: self.echo,
            syn: segment == ControlSegment::Syn,
            bare_ack: segment == ControlSegment::Ack,
            acks_fin: segment == ControlSegment::Ack && self.fin_seen,
            probe,
            retransmission: segment == ControlSegment::Syn && self.syn_losses > 0,
            ..DataHeader::default()
        };
        // A window probe has no payload and is as large as an acknowledgment.
        let size = if probe { tcb.config.sizes.ack_size } else { tcb.config.sizes.syn_size };
        (header, size + tcb.config.options_size(false))
    }

    /// Returns the ECN codepoint of a segment: ECT(0) for data, but not for retransmissions (RFC 3168 section
    /// 6.1.5) unless ECN is "dctcp" or `ecn_retransmissions` is set.
    #[inline]
    pub fn codepoint(&self, segment: &DataHeader) -> base::Ecn {
        let crate::config::Options { ecn: mode, ecn_retransmissions, .. } = self.tcb.config.options;
        let capable = mode != EcnMode::Off
            && segment.payload > 0
            && (mode == EcnMode::Dctcp || ecn_retransmissions || !segment.retransmission);
        if capable { base::Ecn::Ect0 } else { base::Ecn::NotEct }
    }

    /// Returns the time at which a paced sender's next segment may be sent, and since when it waits;
    /// [`Sender::poll`] must be called then.
    #[inline]
    pub fn release(&self) -> Option<Stamp> {
        // Before the connection is open, and after it is closed, no segment waits.
        self.tcb.pacing.release().filter(|_| self.phase == Phase::Open)
    }

    /// Returns [`Sender::timer`] if the timer may expire before `at`; `None` if it is certain that it does not.
    ///
    /// For an owner that reads the timer again at `at` in any case, this is enough. The time of expiry then
    /// rarely has to be computed.
    #[inline(always)]
    pub fn timer_before(&self, at: Instant) -> Option<Stamp> {
        if self.tcb.timers.may_expire_before(at) { self.timer() } else { None }
    }

    /// Returns the time at which the timer expires, and the time at which it was set.
    #[inline]
    pub fn timer(&self) -> Option<Stamp> {
        let tcb = &self.tcb;
        tcb.timers.earliest(tcb.needs.timer && self.phase == Phase::Open, tcb.wheel())
    }
}

/// Returns true if the next segment waits until the window has room for a train.
#[cold]
fn waits_for_train(tcb: &mut Tcb, recovery: &State, now: Instant) -> bool {
    let in_flight = recovery.in_flight(tcb);
    let at_once = recovery.is_urgent() || tcb.episode.is_repairing(tcb.snd.una());
    let waits = !tcb.has_train(now, in_flight, at_once);
    if waits && let Some(rate) = &mut tcb.rate {
        rate.on_window_full(in_flight);
    }
    waits
}
