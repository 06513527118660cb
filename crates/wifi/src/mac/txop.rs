//! TXOPs: bursts of EDCA (9.19.2.4), their Duration fields, and their ends.
//!
//! A TXOP holder sends its next frame SIFS after the ACK, if the exchange ends within the TXOP. A failure ends the
//! burst. A frame that is longer than the TXOP limit is sent alone. The Duration field of a frame covers the next
//! exchange (single protection) or the rest of the TXOP (multiple protection, 8.2.5.2). Under single protection it
//! covers only the first packet of an A-MPDU that will follow. A holder without further frames may send a CF-End,
//! SIFS after the last ACK. The CF-End resets the NAV of all stations that receive it (9.19.2.7), and the holder's
//! backoff begins at the end of the CF-End.
//!
//! Left out: the CF-End with which the access point answers a station's CF-End, PIFS recovery after a failure, and
//! Duration fields of broadcast frames under multiple protection, which reserve nothing here.
//!
//! Validated (`tests/it/edca.rs`, `tests/it/txop.rs`) by timelines worked out by hand; the throughput of bursts is
//! within 0.01 % of the value computed by hand.

use crate::config::TxopProtection;
use crate::mac::payload::{Payload, Queued};
use crate::mac::state::Mac;
use crate::phy::air::EVERYBODY;
use base::{Duration, Instant};

impl Mac {
    /// Returns the payload of an EDCAF that can follow in the TXOP, SIFS after `now`, if its exchange ends within the
    /// TXOP (9.19.2.4).
    pub(crate) fn next_in_txop(&mut self, now: Instant, f: u32) -> Option<Queued> {
        let begins = now + self.durations.sifs;
        let next = self.edcafs[f as usize].next_queued()?;
        let fits =
            next.via != EVERYBODY && begins + self.exchange_time(f, &next) <= self.edcafs[f as usize].txop;
        fits.then_some(next)
    }

    /// Returns true if the receiver has acknowledged a frame in this TXOP, so that no further RTS is needed.
    pub(crate) fn is_covered(&self, f: u32) -> bool {
        let edcaf = &self.edcafs[f as usize];
        edcaf.service.is_some_and(|service| service.via == edcaf.covers)
    }

    /// Returns the duration of an exchange for a payload that is sent alone: RTS and CTS if needed, frame, SIFS and
    /// ACK.
    fn exchange_time(&mut self, f: u32, queued: &Queued) -> Duration {
        let sifs = self.durations.sifs;
        if let Payload::Management(frame) = queued.payload {
            let durations = &self.durations;
            let protection = durations.protection_time(None, frame.bytes, false);
            return protection + durations.control_time(frame.bytes) + sifs + durations.cts.airtime;
        }
        let rate = self.rate_toward(f, queued.via);
        let durations = &mut self.durations;
        let bytes = queued.payload.bytes() + durations.header;
        let data = durations.data_time(rate, bytes) + sifs + durations.rate(rate).ack.airtime;
        let covered = self.edcafs[f as usize].covers == queued.via;
        durations.protection_time(Some(rate), bytes, covered) + data
    }

    /// Returns the time by which the reservation of a data frame extends beyond its own exchange, which ends at
    /// `over`.
    pub(crate) fn reserves_ahead(&mut self, f: u32, over: Instant) -> Duration {
        if self.config.mac.access.txop_protection == TxopProtection::Multiple {
            return self.rest_of_txop(f, over);
        }
        let edcaf = &self.edcafs[f as usize];
        let begins = over + self.durations.sifs;
        let txop = edcaf.txop;
        if txop <= begins {
            return Duration::ZERO;
        }
        let left = edcaf.msdus.iter().find(|msdu| !msdu.on_air && !msdu.acknowledged && !msdu.expired);
        let left = left.map(|msdu| msdu.queued);
        let Some(next) = left.or_else(|| edcaf.queue.front().copied()) else { return Duration::ZERO };
        let ends = begins + self.exchange_time(f, &next);
        if next.via == EVERYBODY || ends > txop { Duration::ZERO } else { ends - over }
    }

    /// Returns the rest of an EDCAF's TXOP after `from` under multiple protection, else zero.
    pub(crate) fn rest_of_txop(&self, f: u32, from: Instant) -> Duration {
        let limit = self.edcafs[f as usize].txop;
        let all = self.config.mac.access.txop_protection == TxopProtection::Multiple && limit > from;
        if all { limit - from } else { Duration::ZERO }
    }

    /// Returns the most bytes of an A-MPDU that an EDCAF can send at `begins`: it keeps to the longest duration, and
    /// the Block ACK ends within the TXOP.
    pub(crate) fn most_bytes(&self, f: u32, begins: Instant) -> u32 {
        let (edcaf, durations) = (&self.edcafs[f as usize], &self.durations);
        let number = edcaf.service.map_or(0, |service| service.rate);
        let rate = durations.rate(number);
        if edcaf.txop <= begins {
            return rate.longest;
        }
        let around = durations.sifs
            + rate.block_ack.airtime
            + durations.protection_time(Some(number), rate.longest, self.is_covered(f));
        let limit = edcaf.txop.since(begins).saturating_sub(around);
        rate.longest.min(durations.most_bytes(number, limit))
    }
}
