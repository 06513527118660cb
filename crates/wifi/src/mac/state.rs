//! Queues and EDCAFs of the stations: the choice of the next frame.

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

/// MAC of all stations: queues, contention, rate control and counters.
#[derive(Clone, Debug)]
pub(crate) struct Mac {
    pub(crate) config: Config,
    pub(crate) durations: Durations,
    pub(crate) contention: Contention,
    pub(crate) schedule: Schedule,
    /// EDCAFs, station by station: one each or, with EDCA, four.
    pub(crate) edcafs: Vec<Edcaf>,
    /// Queue disciplines above the EDCAFs' queues; `None` if there are none.
    pub(crate) disciplines: Option<Disciplines>,
    pub(crate) messages: Messages,
    /// Rate control; `None` if rates are constant.
    pub(crate) rates: Option<Box<Controllers>>,
    pub(crate) counters: Counters,
}

impl Mac {
    /// Creates the state with empty queues. Random streams are named after `name`.
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

    pub(crate) fn stations(&self) -> u32 {
        self.config.sites.len() as u32
    }

    /// Returns true if the power of a frame from `from` at `to` is at least [`Durations::reach`].
    pub(crate) fn reaches(&mut self, now: Instant, from: u32, to: u32) -> bool {
        let least = self.durations.reach(from, to);
        self.contention.medium.channel.path(from, to, now).power >= least
    }

    /// Returns the EDCAF of a station that sends this payload: by its priority, or voice for messages and management
    /// frames.
    pub(crate) fn edcaf_for(&self, at: u32, payload: &Payload) -> u32 {
        let category = match payload {
            Payload::Datagram(datagram) => AccessCategory::ALL[usize::from(datagram.priority)],
            Payload::Message { .. } | Payload::Management(_) => AccessCategory::Voice,
        };
        self.contention.edcaf_index.edcaf_of(at, category)
    }

    /// Returns the number of packets that wait or are in transmission at a station. Messages do not count.
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

    /// Returns the number and the bytes of the packets in a station's own queues and in transmission; those in queue
    /// disciplines do not count.
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

    /// Puts a payload for neighbour `via` into a station's queue, and begins to contend if the EDCAF is idle.
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

    /// Puts a payload into an EDCAF's queue; returns false if the queue is full. With `routing_first`, messages go
    /// behind the messages that wait already, and in a full queue take the place of the last packet.
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
        if first {
            let messages = queue.iter().take_while(|queued| is_message(queued)).count();
            queue.insert(messages, queued);
        } else {
            queue.push_back(queued);
        }
        true
    }

    /// Refills an EDCAF's queue from the discipline above, and reports the packets that the discipline marked or
    /// dropped.
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

    /// Takes the next packet of an EDCAF that is sending nothing, if there is one, and makes the EDCAF contend.
    /// `drawn`: the EDCAF has just drawn a backoff.
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

    /// Removes the packets for neighbour `via` from an EDCAF's queue and from the discipline above, and returns them.
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

    /// Marks the data frames that a station is sending to neighbour `via`, so that they are not sent again if they
    /// fail.
    pub(crate) fn leave(&mut self, at: u32, via: u32) {
        for f in self.contention.edcaf_index.edcafs_of(at) {
            let edcaf = &mut self.edcafs[f as usize];
            let manages = edcaf.management().is_some();
            if let Some(service) = edcaf.service.as_mut().filter(|service| service.via == via) {
                service.left |= !manages;
            }
        }
    }

    /// Returns true if the frame that an EDCAF is sending must not be sent again.
    #[inline]
    pub(crate) fn has_left(&self, f: u32) -> bool {
        self.edcafs[f as usize].service.is_some_and(|service| service.left)
    }

    /// Drops the packets that an EDCAF is sending, since their receiver is no longer associated.
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
        // The medium may have been idle for long: the new backoff counts from now on.
        self.contention.listen(f, now);
        self.contention.draw(f, true);
        self.contention.backoff(f).hold = now;
        self.edcafs[f as usize].service = None;
        self.serve(now, f, true, out);
    }

    /// Changes the next hop of a station's packets from neighbour `old` to `new`, except of packets that have been
    /// sent.
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

    /// Finishes an EDCAF's frame, delivered or not: a backoff follows (9.3.4.2), then the next frame.
    pub(crate) fn finish_service(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        self.contention.listen(f, now);
        self.contention.draw(f, true);
        self.edcafs[f as usize].service = None;
        self.clear(f);
        self.serve(now, f, true, out);
    }

    /// Removes the packets that an EDCAF is sending.
    pub(crate) fn clear(&mut self, f: u32) {
        while let Some(msdu) = self.edcafs[f as usize].msdus.pop() {
            self.messages.release(&msdu.queued.payload);
        }
    }

    /// Ends a station's frame exchange. The countdowns of its other EDCAFs go on from `now` or, with `defers`, from
    /// AIFS after `now`.
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

    /// Chooses the data rate of an EDCAF's next attempt, which may be a probe of rate control.
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

    /// Returns the number of the data rate at which an EDCAF would send to `via` in its current TXOP.
    pub(crate) fn rate_toward(&mut self, f: u32, via: u32) -> u8 {
        let at = self.contention.edcaf_index.station_of(f);
        let slowest = self.durations.slowest(at, via);
        let Some(rates) = &mut self.rates else { return slowest };
        match self.edcafs[f as usize].service.filter(|service| service.via == via) {
            Some(service) => service.rate,
            None => slowest + rates.best((at, via, self.durations.set(at, via))),
        }
    }

    /// Reports an attempt to rate control: of `sent` packets `failed` were not received.
    pub(crate) fn report_rate(&mut self, at: u32, service: Service, sent: u32, failed: u32) {
        let slowest = self.durations.slowest(at, service.via);
        let Some(rates) = &mut self.rates else { return };
        let mac = (at, service.via, self.durations.set(at, service.via));
        rates.report(mac, service.rate.wrapping_sub(slowest), (sent, failed), service.sample);
    }

    /// Reports the received power of the last frame from station `from` at station `to` to rate control.
    pub(crate) fn report_power(&mut self, from: u32, to: u32) {
        let Some(rates) = &mut self.rates else { return };
        let medium = &self.contention.medium;
        let power = medium.stations[to as usize].receiver.last_power(&medium.rules);
        rates.report_power((from, to, self.durations.set(from, to)), power::milliwatts(power));
    }
}
