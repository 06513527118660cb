//! The stations' queues, and the EDCAFs that serve them: the choice of the next frame.

use crate::config::Config;
use crate::mac::contention::Contention;
use crate::mac::counters::Counters;
use crate::mac::discipline::Disciplines;
use crate::mac::edca::AccessCategory;
use crate::mac::edcaf::Edcaf;
use crate::mac::messages::Messages;
use crate::mac::payload::{Msdu, Payload, Queued, Service};
use crate::mac::schedule::Schedule;
use crate::phy::durations::Durations;
use crate::rate::control::Controllers;
use base::{DropCause, Instant};
use radio::access::{Outbox, Station};
use radio::power;
use routing::Datagram;

/// The MAC of all stations: queues, contention, rate control and counters.
#[derive(Clone, Debug)]
pub(crate) struct Mac {
    pub(crate) config: Config,
    pub(crate) durations: Durations,
    pub(crate) contention: Contention,
    pub(crate) schedule: Schedule,
    /// The contenders of the stations: one EDCAF each or, with EDCA, four, station after station.
    pub(crate) edcafs: Vec<Edcaf>,
    /// Queue disciplines above the EDCAFs' queues, if there are any.
    pub(crate) disciplines: Option<Disciplines>,
    pub(crate) messages: Messages,
    /// Rate control, if rates are not constant.
    pub(crate) rates: Option<Box<Controllers>>,
    pub(crate) counters: Counters,
}

impl Mac {
    /// Creates stations with nothing to send. Random streams are named after `name`.
    pub(crate) fn new(config: &Config, seed: u64, name: &str) -> Self {
        let durations = Durations::new(config);
        let contention = Contention::new(config, &durations, seed, name);
        let edcafs = contention.edcaf_index.edcafs() * config.sites.len();
        Self {
            config: config.clone(),
            rates: Controllers::new(config, &durations, seed, name),
            durations,
            contention,
            schedule: Schedule::default(),
            edcafs: vec![Edcaf::new(); edcafs],
            disciplines: Disciplines::new(config, edcafs, seed, name),
            messages: Messages::default(),
            counters: Counters::new(config),
        }
    }

    /// Returns the number of stations.
    pub(crate) fn stations(&self) -> u32 {
        self.config.sites.len() as u32
    }

    /// Returns true if `to` receives `from` on a silent channel.
    pub(crate) fn reaches(&mut self, now: Instant, from: u32, to: u32) -> bool {
        let least = self.durations.reach(from, to);
        self.contention.medium.channel.path(from, to, now).power >= least
    }

    /// Returns the EDCAF of a station that sends a payload.
    pub(crate) fn edcaf_for(&self, at: u32, payload: &Payload) -> u32 {
        let category = match payload {
            Payload::Datagram(datagram) => AccessCategory::ALL[usize::from(datagram.priority)],
            Payload::Message { .. } | Payload::Management(_) => AccessCategory::Voice,
        };
        self.contention.edcaf_index.edcaf_of(at, category)
    }

    /// Returns the packets that wait or are in transmission at a station, without messages.
    pub(crate) fn packets(&self, at: u32) -> usize {
        let packets = self.contention.edcaf_index.edcafs_of(at).map(|f| {
            let edcaf = &self.edcafs[f as usize];
            let queued = edcaf.queue.iter().filter(|queued| queued.payload.is_datagram());
            let unfinished = edcaf.msdus.iter().filter(|msdu| msdu.is_pending());
            let above = self.disciplines.as_ref().map_or(0, |disciplines| disciplines.packets(f));
            queued.count() + unfinished.count() + above
        });
        packets.sum()
    }

    /// Returns the datagrams in a station's own queues and in transmission, and their bytes.
    pub(crate) fn queued(&self, at: u32) -> (u64, u64) {
        let edcafs = self.contention.edcaf_index.edcafs_of(at).map(|f| &self.edcafs[f as usize]);
        let held = edcafs.flat_map(|edcaf| {
            let unfinished = edcaf.msdus.iter().filter(|msdu| msdu.is_pending()).map(|msdu| &msdu.queued);
            edcaf.queue.iter().chain(unfinished)
        });
        held.fold((0, 0), |(packets, bytes), queued| match &queued.payload {
            Payload::Datagram(datagram) => (packets + 1, bytes + u64::from(datagram.packet.wire)),
            Payload::Message { .. } | Payload::Management(_) => (packets, bytes),
        })
    }

    /// Puts a payload into a station's queue.
    pub(crate) fn enqueue(&mut self, now: Instant, at: u32, payload: Payload, via: u32, out: &mut Outbox) {
        let f = self.edcaf_for(at, &payload);
        if let (Some(disciplines), Payload::Datagram(datagram)) = (&mut self.disciplines, payload) {
            disciplines.enqueue(now, f, datagram, via);
            self.refill(now, f, out);
        } else if !self.insert(f, Queued { payload, via, came: now }, out) {
            return;
        }
        if self.edcafs[f as usize].service.is_none() {
            self.serve(now, f, false, out);
        }
    }

    /// Puts a payload into an EDCAF's queue, if it finds room; returns true if it does. Messages with priority go
    /// behind those that wait already, and in a full queue replace the last packet.
    fn insert(&mut self, f: u32, queued: Queued, out: &mut Outbox) -> bool {
        let at = self.contention.edcaf_index.station_of(f);
        let is_message = |queued: &Queued| matches!(queued.payload, Payload::Message { .. });
        let queue = &mut self.edcafs[f as usize].queue;
        let first = self.config.queue.routing_first && is_message(&queued);
        if queue.len() >= self.config.queue.packets as usize {
            let makes_room = first && queue.back().is_some_and(|last| last.payload.is_datagram());
            let dropped = if makes_room { queue.pop_back() } else { Some(queued) };
            match dropped.map(|dropped| dropped.payload) {
                Some(Payload::Datagram(datagram)) => {
                    self.counters.lose_queued(at, datagram, DropCause::Queue, out);
                }
                Some(payload) => self.messages.release(&payload),
                None => {}
            }
            if !makes_room {
                return false;
            }
        }
        let queue = &mut self.edcafs[f as usize].queue;
        let messages = queue.iter().take_while(|queued| is_message(queued)).count();
        queue.insert(if first { messages } else { queue.len() }, queued);
        true
    }

    /// Fills an EDCAF's queue from the discipline above it while it has room.
    #[inline]
    pub(crate) fn refill(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let Some(disciplines) = &mut self.disciplines else { return };
        disciplines.fill(now, f, &mut self.edcafs[f as usize].queue, self.config.queue.packets);
        let at = self.contention.edcaf_index.station_of(f);
        while let Some(packet) = disciplines.marked() {
            out.marked.push((Station(at), packet));
        }
        while let Some((datagram, cause)) = disciplines.dropped() {
            self.counters.lose_queued(at, datagram, cause, out);
        }
    }

    /// Lets an EDCAF that is sending nothing take the next packet, if there is one, and contend for the medium; with
    /// the backoff that it has just drawn, or as [`Contention::contend`] finds.
    pub(crate) fn serve(&mut self, now: Instant, f: u32, drawn: bool, out: &mut Outbox) {
        self.drop_expired(now, f, out);
        self.refill(now, f, out);
        let edcaf = &mut self.edcafs[f as usize];
        let Some(queued) = edcaf.queue.pop_front() else { return };
        edcaf.service = Some(Service::new(queued.via));
        edcaf.msdus.push(Msdu::new(queued));
        self.refill(now, f, out);
        self.contention.contend(now, f, drawn);
    }

    /// Takes out the packets for neighbour `via` from an EDCAF's queue; then those from the discipline above it.
    pub(crate) fn take_for(&mut self, f: u32, via: u32) -> Vec<Datagram> {
        let mut taken = Vec::new();
        self.edcafs[f as usize].queue.retain(|queued| match queued.payload {
            Payload::Datagram(datagram) if queued.via == via => {
                taken.push(datagram);
                false
            }
            _ => true,
        });
        if let Some(disciplines) = &mut self.disciplines {
            taken.extend(disciplines.take(f, via));
        }
        taken
    }

    /// Keeps failed frames of a station to a neighbour from being sent again.
    pub(crate) fn leave(&mut self, at: u32, via: u32) {
        for f in self.contention.edcaf_index.edcafs_of(at) {
            let edcaf = &mut self.edcafs[f as usize];
            let manages = edcaf.management().is_some();
            if let Some(service) = edcaf.service.as_mut().filter(|service| service.via == via) {
                service.left |= !manages;
            }
        }
    }

    /// Returns true if the frames that an EDCAF is sending are not sent again.
    #[inline]
    pub(crate) fn has_left(&self, f: u32) -> bool {
        self.edcafs[f as usize].service.is_some_and(|service| service.left)
    }

    /// Ends the transmission of packets whose receiver is no longer associated: they are lost.
    pub(crate) fn abandon(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let at = self.contention.edcaf_index.station_of(f);
        for msdu in std::mem::take(&mut self.edcafs[f as usize].msdus) {
            match msdu.queued.payload {
                Payload::Datagram(datagram) if !msdu.released && !msdu.is_lost() => {
                    self.counters.lose(at, datagram, DropCause::NotAssociated, out);
                }
                _ => {}
            }
        }
        // The medium has been idle for long: the backoff after these counts from now on.
        self.contention.listen(f, now);
        self.contention.draw(f, true);
        self.contention.backoff(f).hold = now;
        self.edcafs[f as usize].service = None;
        self.serve(now, f, true, out);
    }

    /// Readdresses a station's packets from one neighbour to another, except those that have been on the air.
    pub(crate) fn readdress(&mut self, at: u32, (old, new): (u32, u32)) {
        let active = self.contention.active(at);
        let exchanging = self.contention.turns[at as usize].exchanging;
        for f in self.contention.edcaf_index.edcafs_of(at) {
            let Edcaf { queue, service, msdus, .. } = &mut self.edcafs[f as usize];
            let waits = |queued: &Queued| queued.via == old && queued.payload.is_datagram();
            queue.iter_mut().filter(|queued| waits(queued)).for_each(|queued| queued.via = new);
            let begun =
                exchanging && f == active || msdus.iter().any(|msdu| msdu.sent || !waits(&msdu.queued));
            if let Some(service) = service.as_mut().filter(|_| !begun) {
                *service = Service::new(new);
                msdus.iter_mut().for_each(|msdu| msdu.queued.via = new);
            }
            if let Some(disciplines) = &mut self.disciplines {
                disciplines.readdress(f, (old, new));
            }
        }
        self.leave(at, old);
    }

    /// Ends an EDCAF's work on its packets, delivered or not: a backoff follows (9.3.4.2), then the next.
    pub(crate) fn finish_service(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        self.contention.listen(f, now);
        self.contention.draw(f, true);
        self.edcafs[f as usize].service = None;
        self.clear(f);
        self.serve(now, f, true, out);
    }

    /// Removes an EDCAF's packets.
    pub(crate) fn clear(&mut self, f: u32) {
        while let Some(msdu) = self.edcafs[f as usize].msdus.pop() {
            self.messages.release(&msdu.queued.payload);
        }
    }

    /// Ends a station's exchange: its other EDCAFs contend again, from `now` on; AIFS comes first if it `defers`.
    pub(crate) fn end_exchange(&mut self, now: Instant, at: u32, defers: bool) {
        let contention = &mut self.contention;
        contention.turns[at as usize].exchanging = false;
        if !contention.edcaf_index.has_categories() {
            return;
        }
        let active = contention.active(at);
        for f in contention.edcaf_index.edcafs_of(at).filter(|f| *f != active) {
            let backoff = contention.backoff(f);
            backoff.give_way();
            backoff.hold = if defers { now + backoff.aifs } else { now };
            if self.edcafs[f as usize].service.is_some() {
                contention.contend(now, f, true);
            }
        }
    }

    /// Chooses the rate of an EDCAF's next attempt, which may be a sample.
    pub(crate) fn choose_rate(&mut self, now: Instant, f: u32) {
        let at = self.contention.edcaf_index.station_of(f);
        let edcaf = &mut self.edcafs[f as usize];
        if edcaf.management().is_some() {
            return;
        }
        let fresh = edcaf.msdus.len() == 1;
        let Some(service) = edcaf.service.as_mut().filter(|service| !service.block_ack_request) else {
            return;
        };
        let slowest = self.durations.slowest(at, service.via);
        let Some(rates) = &mut self.rates else {
            service.rate = slowest;
            return;
        };
        let (set, attempt) = (self.durations.set(at, service.via), service.short + service.long);
        let (rate, sample) = rates.choose(now, (at, service.via, set), attempt, fresh);
        (service.rate, service.sample) = (slowest + rate, sample);
    }

    /// Returns the rate at which an EDCAF would send to `via` in its current TXOP.
    pub(crate) fn rate_toward(&mut self, f: u32, via: u32) -> u8 {
        let at = self.contention.edcaf_index.station_of(f);
        let slowest = self.durations.slowest(at, via);
        let Some(rates) = &mut self.rates else { return slowest };
        match self.edcafs[f as usize].service.filter(|service| service.via == via) {
            Some(service) => service.rate,
            None => slowest + rates.best((at, via, self.durations.set(at, via))),
        }
    }

    /// Reports a service's attempt: of `sent` packets `failed` have not arrived.
    pub(crate) fn report_rate(&mut self, at: u32, service: Service, sent: u32, failed: u32) {
        let slowest = self.durations.slowest(at, service.via);
        let Some(rates) = &mut self.rates else { return };
        let mac = (at, service.via, self.durations.set(at, service.via));
        rates.report(mac, service.rate.wrapping_sub(slowest), (sent, failed), service.sample);
    }

    /// Reports the power of a frame from the receiver to the sender.
    pub(crate) fn report_power(&mut self, from: u32, to: u32) {
        let Some(rates) = &mut self.rates else { return };
        let medium = &self.contention.medium;
        let power = medium.stations[to as usize].receiver.last_power(&medium.rules);
        rates.report_power((from, to, self.durations.set(from, to)), power::milliwatts(power));
    }
}
