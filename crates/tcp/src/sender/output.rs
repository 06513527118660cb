//! Output of a sender: the segments that recovery and window allow, and those that control the connection.

use super::connection::{ControlSegment, Phase, Sender};
use crate::config::{Ecn as EcnMode, Reduction, Syn};
use crate::stamps::timestamp;
use base::{DataHeader, Instant, Stamp};

impl Sender {
    /// Returns the next segment to send now, and its size on the wire in bytes.
    // Inlined, so that it is written directly to the caller's place. A copy of it, just written, would wait for the
    // cache.
    #[inline(always)]
    pub fn poll(&mut self, now: Instant) -> Option<(DataHeader, u32)> {
        if self.tcb.needs.timer {
            self.tcb.look_up_timer(now);
        }
        if let Some(segment) = self.control_segment.take() {
            return Some(self.control(now, segment));
        }
        let seq = self.next_segment(now)?;
        Some(self.segment(now, seq))
    }

    /// Returns the segment to send now, if there is one.
    #[inline]
    fn next_segment(&mut self, now: Instant) -> Option<u64> {
        if self.phase != Phase::Open {
            return None;
        }
        let tcb = &mut self.tcb;
        if tcb.pacer.as_mut().is_some_and(|pacer| pacer.holds(now)) {
            return None;
        }
        let in_flight = if tcb.rate.is_some() { self.recovery.in_flight(tcb) } else { 0 };
        let una = tcb.una;
        // A paced retransmission may be acknowledged before its time comes.
        let seq = if let Some(seq) = tcb.resend.take().filter(|seq| *seq >= una) {
            if seq >= tcb.stream.available {
                return None;
            }
            seq
        } else if tcb.extra {
            tcb.extra = false;
            if !tcb.extra_allowed() {
                return None;
            }
            tcb.next += 1;
            tcb.extra_sent += 1;
            tcb.next - 1
        } else if tcb.burst > 0 {
            if tcb.overhead.is_some() {
                let something = self.recovery.may_send(tcb);
                if tcb.overhead.as_mut().is_some_and(|overhead| overhead.holds(now, something)) {
                    return None;
                }
            }
            let Some(seq) = self.recovery.next(tcb) else {
                tcb.mark_app_limited(in_flight);
                return None;
            };
            tcb.burst -= 1;
            tcb.next = tcb.next.max(seq + 1);
            seq
        } else {
            return None;
        };
        if let Some(rate) = &mut tcb.rate {
            rate.on_sent(now, tcb.una, seq, in_flight, seq < tcb.max);
        }
        Some(seq)
    }

    #[inline(always)]
    fn segment(&mut self, now: Instant, seq: u64) -> (DataHeader, u32) {
        let tcb = &mut self.tcb;
        let (offset, payload) = tcb.stream.send(seq);
        let retransmission = tcb.transmitted(now, seq);
        self.recovery.on_sent(tcb, now, seq, retransmission);
        if tcb.config.decrease.reduction == Reduction::Pipe {
            tcb.last_pipe = self.recovery.in_flight(tcb);
        }
        let syn = tcb.config.connection.syn == Syn::Packet && seq == 0;
        let size = if syn { tcb.config.sizes.syn_size } else { tcb.config.sizes.header + payload };
        let wire = size + tcb.config.options_size(!syn);
        let header = DataHeader {
            seq,
            offset,
            payload,
            ts_val: if tcb.config.options.timestamps { timestamp(now) } else { 0 },
            ts_ecr: self.echo,
            syn,
            fin: self.fin && seq + 1 == tcb.stream.end,
            retransmission,
            bare_ack: false,
            acks_fin: false,
            // Told once, on new data (RFC 3168 section 6.1.2).
            cwr: tcb.cwr_due && !retransmission && payload > 0,
            probe: false,
        };
        if header.cwr {
            tcb.cwr_due = false;
        }
        tcb.pace(now, wire);
        (header, wire)
    }

    #[cold]
    fn control(&mut self, now: Instant, segment: ControlSegment) -> (DataHeader, u32) {
        let tcb = &self.tcb;
        let probe = segment == ControlSegment::Probe;
        let seq = if probe { tcb.una } else { tcb.next };
        let header = DataHeader {
            seq,
            offset: tcb.stream.bytes_below(seq),
            ts_val: if tcb.config.options.timestamps { timestamp(now) } else { 0 },
            ts_ecr: self.echo,
            syn: segment == ControlSegment::Syn,
            bare_ack: segment == ControlSegment::Ack,
            acks_fin: segment == ControlSegment::Ack && self.fin_seen,
            probe,
            retransmission: segment == ControlSegment::Syn && self.syn_lost,
            ..DataHeader::default()
        };
        // A probe is a bare header, as large as an acknowledgment.
        let size = if probe { tcb.config.sizes.ack_size } else { tcb.config.sizes.syn_size };
        (header, size + tcb.config.options_size(false))
    }

    /// Returns the ECN codepoint: a queue may mark data, but no retransmission (RFC 3168 section 6.1.5).
    #[inline]
    pub fn codepoint(&self, segment: &DataHeader) -> base::Ecn {
        let mode = self.tcb.config.options.ecn;
        let capable = mode != EcnMode::Off
            && segment.payload > 0
            && (mode == EcnMode::Dctcp || !segment.retransmission);
        if capable { base::Ecn::Ect0 } else { base::Ecn::NotEct }
    }

    /// Returns the time at which a paced sender has its next segment to send, and the beginning of its wait: call
    /// [`Sender::poll`] then.
    #[inline]
    pub fn release(&self) -> Option<Stamp> {
        // Once all segments are acknowledged nothing waits any more.
        let tcb = &self.tcb;
        let paced = tcb.pacer.as_ref().and_then(|pacer| pacer.held());
        let waits = || tcb.overhead.as_ref().and_then(|overhead| overhead.wait());
        paced.or_else(waits).filter(|_| self.phase == Phase::Open)
    }

    fn control_timer(&self) -> Option<Stamp> {
        self.tcb.control_timer().filter(|_| self.phase == Phase::Open)
    }

    /// Returns the expiry of the timer, and the time at which it was set.
    #[inline]
    pub fn timer(&self) -> Option<Stamp> {
        let tcb = &self.tcb;
        match (tcb.alarm, tcb.needs.timer) {
            (None, false) => tcb.timer,
            (alarm, _) => [tcb.timer, alarm, self.control_timer()].into_iter().flatten().min(),
        }
    }
}
