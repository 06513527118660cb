//! A-MPDU and Block ACK (8.6.1, 9.21): several packets for one receiver in one frame, acknowledged one by one.
//!
//! An immediate Block ACK agreement between any two stations is there from the start. The compressed Block ACK covers 64
//! packets; the receiver passes packets on in order and keeps what comes after a hole. A lost Block ACK is asked for again by
//! a request, or its frame is sent again. That the sender has given a packet up the receiver knows at once, not from the
//! next frame. A packet that goes alone is sent and acknowledged as without aggregation.

use crate::air::{EVERYBODY, Transmission};
use crate::network::Network;
use crate::station::{Load, Mpdu, Service};
use base::{DropCause, Instant};
use radio::access::Outbox;

/// Length of a frame of `bytes` as part of an aggregate that is not the last: a delimiter, and padding to four bytes.
pub(crate) const fn subframe(bytes: u32) -> u32 {
    4 + bytes.next_multiple_of(4)
}

impl Network {
    /// What the next data frame of a function consists of, which begins with what goes before it at `begins`: one packet, or as many as go into an aggregate.
    pub(crate) fn compose(&mut self, begins: Instant, f: u32) {
        let header = self.frames.header;
        let longest = self.most_bytes(f, begins);
        let function = &mut self.functions[f as usize];
        let Some(service) = &mut function.service else { return };
        if service.asks {
            return;
        }
        let Some(limits) =
            self.config.mac.aggregation.filter(|_| service.via != EVERYBODY && !service.probes)
        else {
            if let Some(mpdu) = function.mpdus.first_mut() {
                mpdu.on_air = true;
                (service.bytes, service.aggregates) = (mpdu.held.load.bytes() + header, 0);
            }
            return;
        };
        let most = limits.bytes.min(longest);
        let mut parts = 0;
        let mut bytes = 0;
        // The last part has no padding.
        let add = |length: u32, parts: &mut u32, bytes: &mut u32| {
            let next = bytes.next_multiple_of(4) + 4 + length;
            let fits = *parts == 0 || (next <= most && *parts < limits.frames);
            if fits {
                (*parts, *bytes) = (*parts + 1, next);
            }
            fits
        };
        let mut full = false;
        let again = function.mpdus.iter().any(|mpdu| mpdu.on_air);
        for mpdu in &mut function.mpdus {
            mpdu.on_air = !full && !mpdu.acknowledged;
            if mpdu.on_air && !add(mpdu.held.load.bytes() + header, &mut parts, &mut bytes) {
                (mpdu.on_air, full) = (false, true);
            }
        }
        // What is sent again lets others have their turn: it takes along only what would be next.
        let mut look = 0;
        while !full && look < function.queue.len() && function.mpdus.len() < limits.frames as usize {
            let held = function.queue[look];
            if held.via != service.via {
                full = again;
                look += 1;
                continue;
            }
            if !add(held.load.bytes() + header, &mut parts, &mut bytes) {
                break;
            }
            function.queue.remove(look);
            function.mpdus.push(Mpdu { on_air: true, ..Mpdu::new(held) });
        }
        service.aggregates = if parts > 1 { parts as u8 } else { 0 };
        service.bytes = if parts > 1 { bytes } else { bytes - 4 };
    }

    /// A data frame has reached its receiver, or some of it has: the receiver takes what it has not got.
    pub(crate) fn take(&mut self, now: Instant, frame: &Transmission, received: u64, out: &mut Outbox) {
        let sender = self.active(frame.from);
        let mut duplicates = 0;
        let sent = self.functions[sender as usize].mpdus.iter_mut().filter(|mpdu| mpdu.on_air);
        for (_, mpdu) in sent.enumerate().filter(|(i, _)| received >> i & 1 == 1) {
            duplicates += u64::from(std::mem::replace(&mut mpdu.received, true));
        }
        self.stations[frame.to as usize].stats.duplicates += duplicates;
        self.hand_on(now, sender, out);
    }

    /// The receiver of a function's packets passes on what it has without a hole before it.
    pub(crate) fn hand_on(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let sender = self.station_of(f);
        let mut next = 0;
        while let Some(mpdu) = self.functions[f as usize].mpdus.get_mut(next).filter(|mpdu| mpdu.received) {
            next += 1;
            if std::mem::replace(&mut mpdu.released, true) {
                continue;
            }
            let held = mpdu.held;
            self.receive(now, sender, held, out);
        }
    }

    /// An ACK or Block ACK has come: what was received is done; what was not goes again.
    pub(crate) fn acknowledged(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let (at, rank) = (self.station_of(f), self.rank(f));
        let limit = self.config.mac.short_retry_limit;
        let function = &mut self.functions[f as usize];
        let Some(service) = &mut function.service else { return };
        let (via, asked) = (service.via, std::mem::take(&mut service.asks));
        (service.short, service.long) = (0, 0);
        if !asked {
            let sent = function.mpdus.iter().filter(|mpdu| mpdu.on_air);
            let (sent, got) = sent.fold((0, 0), |(n, got), mpdu| (n + 1, got + u32::from(mpdu.received)));
            let tried = *service;
            self.attempted(now, at, tried, sent, sent - got);
        }
        let function = &mut self.functions[f as usize];
        let mut new = 0;
        for mpdu in &mut function.mpdus {
            new += u64::from(mpdu.received && !mpdu.acknowledged);
            mpdu.acknowledged = mpdu.received;
            mpdu.misses += u32::from(mpdu.on_air && !mpdu.acknowledged);
        }
        if let Some(stats) = self.stations[at as usize].stats.categories.get_mut(rank) {
            stats.acknowledged += new;
            function.covers = via;
        }
        let done = function.mpdus.iter().take_while(|mpdu| mpdu.released).count();
        if done < function.mpdus.len() {
            function.mpdus.drain(..done);
            if function.mpdus.iter().any(|mpdu| mpdu.misses >= limit) {
                self.drop_missed(now, f, limit, out);
            }
        }
        if self.continues(now, f, out) {
            return;
        }
        self.end_exchange(now, at, false);
        if self.functions[f as usize].mpdus.iter().all(|mpdu| mpdu.released) {
            return self.finish_service(now, f, out);
        }
        // A new backoff, and the same receiver again.
        self.listen(at, now);
        let backoff = &mut self.stations[at as usize].ear.backoffs[rank];
        backoff.reset();
        backoff.draw(&self.hearing.backoff);
        self.contend(now, f, true);
    }
}

impl Network {
    /// Packets that the receiver has missed `limit` times are lost, though it answers; what it has got beyond them it passes
    /// on.
    fn drop_missed(&mut self, now: Instant, f: u32, limit: u32, out: &mut Outbox) {
        let at = self.station_of(f);
        let mut mpdus = std::mem::take(&mut self.functions[f as usize].mpdus);
        mpdus.retain(|mpdu| {
            let missed = mpdu.misses >= limit && !mpdu.received;
            if let (true, Load::Datagram(datagram)) = (missed, mpdu.held.load) {
                self.lose(at, datagram, DropCause::RetryLimit, out);
            }
            if missed {
                self.release(mpdu.held.load);
            }
            !missed
        });
        self.functions[f as usize].mpdus = mpdus;
        self.hand_on(now, f, out);
    }
}

impl Service {
    /// A new service for packets to `via`.
    pub(crate) const fn new(via: u32) -> Self {
        Self {
            via,
            bytes: 0,
            aggregates: 0,
            asks: false,
            past_rts: false,
            rate: 0,
            probes: false,
            short: 0,
            long: 0,
        }
    }
}
