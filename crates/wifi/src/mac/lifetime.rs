//! Lifetime of packets, from the arrival in a station's queue to the acknowledgment (dot11EDCATableMSDULifetime).
//!
//! Expired packets in the queue are dropped when the next packet is chosen. With aggregation and Block ACK requests, a
//! packet that expires after it was sent, in an A-MPDU or alone, is not sent again. As the receiver may hold later
//! packets until the expired packet arrives, a Block ACK request tells the receiver where the window now begins
//! (9.21.7.6.3). The request replaces the next data frame. If packets expire while they are on the air, the request
//! follows the response after SIFS, as in ns-3.37. Without aggregation or without Block ACK requests, a packet does not
//! expire after its first transmission.

use crate::mac::payload::{Msdu, Payload, Queued, Service};
use crate::mac::state::Mac;
use base::{DropCause, Instant};
use radio::access::Outbox;

impl Mac {
    /// Drops expired packets from the front of an EDCAF's queue.
    #[inline]
    pub(crate) fn drop_expired(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let Some(lifetime) = self.config.queue.lifetime.0 else { return };
        let at = self.contention.edcaf_index.station_of(f);
        while let Some(queued) = self.edcafs[f as usize].queue.front().copied() {
            if now.since(queued.came) <= lifetime {
                return;
            }
            self.edcafs[f as usize].queue.pop_front();
            if let Payload::Datagram(datagram) = queued.payload {
                self.counters.lose_queued(at, datagram, DropCause::Queue, out);
            }
            self.messages.release(&queued.payload);
            self.refill(now, f, out);
        }
    }

    /// Returns true if the lifetime of `queued` has ended at `now`.
    fn is_over(&self, now: Instant, queued: &Queued) -> bool {
        self.config.queue.lifetime.0.is_some_and(|lifetime| now.since(queued.came) > lifetime)
    }

    /// Removes expired packets of an EDCAF that has won the medium. If its only packet has expired unsent, takes the
    /// next packet from the queue. Returns true if there is a frame left to send.
    pub(crate) fn renew(&mut self, now: Instant, f: u32, out: &mut Outbox) -> bool {
        if self.config.queue.lifetime.0.is_none() {
            return true;
        }
        self.drop_expired(now, f, out);
        let waiting = |msdu: &Msdu| !msdu.sent && msdu.queued.payload.is_datagram();
        let alone = match self.edcafs[f as usize].msdus.as_slice() {
            [only] if waiting(only) && self.is_over(now, &only.queued) => *only,
            _ => {
                let requests = self.expire_sent(now, f, out);
                if let Some(service) = &mut self.edcafs[f as usize].service {
                    service.block_ack_request |= requests;
                }
                return true;
            }
        };
        self.lose_expired(f, &alone, out);
        let edcaf = &mut self.edcafs[f as usize];
        edcaf.msdus.clear();
        let Some(next) = edcaf.queue.pop_front() else { return false };
        edcaf.service = Some(Service::new(next.via));
        edcaf.msdus.push(Msdu::new(next));
        self.refill(now, f, out);
        true
    }

    /// Marks packets that were sent, are not acknowledged, and have expired; counts as lost those that the
    /// receiver does not have. Returns true if there are any, so that a Block ACK request must follow. Does
    /// nothing without aggregation or without Block ACK requests.
    pub(crate) fn expire_sent(&mut self, now: Instant, f: u32, out: &mut Outbox) -> bool {
        let mac = &self.config.mac;
        if !mac.aggregation.is_on() || !mac.block_ack_request {
            return false;
        }
        let mut expired = false;
        for i in 0..self.edcafs[f as usize].msdus.len() {
            let msdu = self.edcafs[f as usize].msdus[i];
            if msdu.expired || msdu.acknowledged || !msdu.sent || !self.is_over(now, &msdu.queued) {
                continue;
            }
            expired = true;
            self.edcafs[f as usize].msdus[i].expired = true;
            if !msdu.received {
                self.lose_expired(f, &msdu, out);
            }
        }
        expired
    }

    fn lose_expired(&mut self, f: u32, msdu: &Msdu, out: &mut Outbox) {
        if let Payload::Datagram(datagram) = msdu.queued.payload {
            self.counters.lose_queued(
                self.contention.edcaf_index.station_of(f),
                datagram,
                DropCause::Queue,
                out,
            );
        }
        self.messages.release(&msdu.queued.payload);
    }
}
