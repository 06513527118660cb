//! A-MPDU and Block ACK (8.6.1, 9.21): several packets for one receiver in one frame, acknowledged one by one. A-MSDU (8.3.2.2, 9.11):
//! several packets in one MPDU, acknowledged together; alone or as part of an A-MPDU.
//!
//! An immediate Block ACK agreement between any two stations is there from the start. The compressed Block ACK covers 64
//! MPDUs; the receiver passes packets on in order and keeps what comes after a hole. A lost Block ACK is asked for again by
//! a request, or its frame is sent again. That the sender has given a packet up the receiver knows at once, not from the
//! next frame. An MPDU that goes alone is sent and acknowledged as without aggregation; in VHT, which has nothing but aggregates, with
//! its delimiter (9.12.7 of 802.11ac). Packets that have been sent together stay together.

use crate::air::{EVERYBODY, Transmission};
use crate::config::Aggregation;
use crate::network::Network;
use crate::station::{Load, Mpdu, Service};
use base::{DropCause, Duration, Instant};
use radio::access::Outbox;

/// Length of a frame of `bytes` as part of an aggregate that is not the last: a delimiter, and padding to four bytes.
pub(crate) const fn subframe(bytes: u32) -> u32 {
    4 + bytes.next_multiple_of(4)
}

/// LLC and SNAP, which each packet has of its own.
const LLC: u32 = 8;
/// Addresses and length before each packet of an A-MSDU.
const MSDU_HEADER: u32 = 14;
/// The longest MPDU in an A-MPDU of HT (8.6.1), bytes.
const LONGEST_MPDU: u32 = 4095;
/// The longest MPDU of VHT (8.3.2.1 of 802.11ac), bytes.
const LONGEST_VHT_MPDU: u32 = 11_454;

/// Length of the packets of an A-MSDU up to one of `bytes`, which so far are `body` long: all but the last are padded to four bytes.
const fn joined(body: u32, bytes: u32) -> u32 {
    body.next_multiple_of(4) + MSDU_HEADER + LLC + bytes
}

/// Packets that make one MPDU each, one after the other.
pub(crate) fn mpdus(packets: &[Mpdu]) -> impl Iterator<Item = &[Mpdu]> {
    packets.chunk_by(|_, next| next.joined)
}

/// Length of an MPDU of these packets, where one alone has `header` around it.
pub(crate) fn length(packets: &[Mpdu], header: u32) -> u32 {
    match packets {
        [alone] => alone.held.load.bytes() + header,
        _ => header - LLC + packets.iter().fold(0, |body, mpdu| joined(body, mpdu.held.load.bytes())),
    }
}

/// An aggregate as it grows: MPDUs, bytes before the last, and the last.
#[derive(Clone, Copy, Default)]
struct Growing {
    parts: u32,
    before: u32,
    last: u32,
}

impl Growing {
    /// The last part has no padding.
    const fn bytes(self) -> u32 {
        if self.parts == 0 { 0 } else { self.before.next_multiple_of(4) + 4 + self.last }
    }

    /// With another MPDU of so many bytes.
    const fn with(self, length: u32) -> Self {
        Self { parts: self.parts + 1, before: self.bytes(), last: length }
    }

    /// With so many bytes in its last MPDU.
    const fn grown(self, length: u32) -> Self {
        Self { last: length, ..self }
    }
}

impl Network {
    /// What the next data frame of a function consists of, which begins with what goes before it at `begins`: one packet, or as
    /// many as go into an aggregate.
    pub(crate) fn compose(&mut self, begins: Instant, f: u32) {
        let longest = self.most_bytes(f, begins);
        let function = &mut self.functions[f as usize];
        let manages = function.management().is_some();
        let (header, delimiter) = if manages { (0, 0) } else { (self.frames.header, self.frames.delimiter) };
        let Some(service) = &mut function.service else { return };
        if service.asks {
            return;
        }
        let mac = &self.config.mac;
        let alone = service.via == EVERYBODY || service.probes || manages;
        let limits = match mac.aggregation {
            Some(limits) if !alone => limits,
            None if !alone && mac.amsdu > 0 => {
                Aggregation { frames: 1, bytes: u32::MAX, duration: Duration::ZERO }
            }
            _ => {
                if let Some(mpdu) = function.mpdus.first_mut() {
                    mpdu.on_air = true;
                    let delimiter = if service.via == EVERYBODY { 0 } else { delimiter };
                    let bytes = mpdu.held.load.bytes() + header + delimiter;
                    (service.bytes, service.aggregates) = (bytes, 0);
                }
                return;
            }
        };
        let most = limits.bytes.min(longest);
        let longest_mpdu = if delimiter > 0 { LONGEST_VHT_MPDU } else { LONGEST_MPDU };
        let amsdu = match mac.aggregation {
            Some(_) => mac.amsdu.min((longest_mpdu + LLC).saturating_sub(header)),
            None => mac.amsdu,
        };
        let mut frame = Growing::default();
        let fits =
            |frame: Growing| frame.parts == 1 || (frame.bytes() <= most && frame.parts <= limits.frames);
        let mut full = false;
        let again = function.mpdus.iter().any(|mpdu| mpdu.on_air);
        let mut window = 0;
        for packets in function.mpdus.chunk_by_mut(|_, next| next.joined) {
            let wanted = !full && !packets[0].acknowledged;
            let with = frame.with(length(packets, header));
            let goes = wanted && fits(with);
            if goes {
                frame = with;
            }
            full |= wanted && !goes;
            window += 1;
            packets.iter_mut().for_each(|mpdu| mpdu.on_air = goes);
        }
        // The packets of the last MPDU where it is a new one, which others may join.
        let mut body = match function.mpdus.as_slice() {
            [first] if amsdu > 0 && !again && first.held.load.is_datagram() => {
                Some(joined(0, first.held.load.bytes()))
            }
            _ => None,
        };
        // What is sent again lets others have their turn: it takes along only what would be next.
        let mut look = 0;
        while !full && look < function.queue.len() && (window < limits.frames || body.is_some()) {
            let held = function.queue[look];
            if held.via != service.via || matches!(held.load, Load::Management(_)) {
                full = again;
                look += 1;
                continue;
            }
            let (bytes, packet) = (held.load.bytes(), held.load.is_datagram());
            let more = body.filter(|_| packet).map(|body| joined(body, bytes)).filter(|body| *body <= amsdu);
            let grown =
                more.map(|body| frame.grown(header - LLC + body)).filter(|frame| frame.bytes() <= most);
            if let Some(grown) = grown {
                (frame, body) = (grown, more);
            } else {
                let with = frame.with(bytes + header);
                if window >= limits.frames || !fits(with) {
                    break;
                }
                (frame, body) = (with, (amsdu > 0 && packet).then_some(joined(0, bytes)));
                window += 1;
            }
            function.queue.remove(look);
            function.mpdus.push(Mpdu { on_air: true, joined: grown.is_some(), ..Mpdu::new(held) });
        }
        service.aggregates = if frame.parts > 1 { frame.parts as u8 } else { 0 };
        service.bytes = if frame.parts > 1 { frame.bytes() } else { frame.last + delimiter };
    }

    /// A data frame has reached its receiver, or some of it has: the receiver takes what it has not got.
    pub(crate) fn take(&mut self, now: Instant, frame: &Transmission, received: u64, out: &mut Outbox) {
        let sender = self.active(frame.from);
        let mut duplicates = 0;
        let sent = self.functions[sender as usize].mpdus.chunk_by_mut(|_, next| next.joined);
        let sent = sent.filter(|packets| packets[0].on_air);
        for (_, packets) in sent.enumerate().filter(|(i, _)| received >> i & 1 == 1) {
            duplicates += u64::from(packets[0].received);
            packets.iter_mut().for_each(|mpdu| mpdu.received = true);
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
        let management = function.management();
        let Some(service) = &mut function.service else { return };
        let (via, asked) = (service.via, std::mem::take(&mut service.asks));
        (service.short, service.long) = (0, 0);
        if !asked && management.is_none() {
            let sent = function.mpdus.iter().filter(|mpdu| mpdu.on_air && !mpdu.joined);
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
        if let Some(frame) = management {
            self.management_acknowledged(via, frame);
        }
        if !self.continues(now, f, out) && !self.sends_cf_end(now, f) {
            self.give_back(now, f, out);
        }
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
