//! Frame exchanges: the handling of received RTS, CTS, data, ACK, Block ACK and Block ACK request frames.

use crate::config::Config;
use crate::forwarding::Forwarding;
use crate::mac::contention::Contender;
use crate::mac::payload::{Msdu, Payload, Service};
use crate::mac::schedule::Event;
use crate::mac::state::Mac;
use crate::mlme::beacons::Beacons;
use crate::phy::air::{EVERYBODY, Kind, Transmission};
use crate::phy::arrival::{Parts, Verdict};
use base::{DropCause, Instant};
use radio::access::Outbox;

/// Frame exchanges of all stations.
#[derive(Clone, Debug)]
pub(crate) struct FrameExchangeManager {
    pub(crate) mac: Mac,
    pub(crate) forwarding: Forwarding,
    beacons: Beacons,
}

impl FrameExchangeManager {
    /// Creates the state of a network. Random streams are named after `name`.
    pub(crate) fn new(config: &Config, seed: u64, name: &str) -> Self {
        let mut mac = Mac::new(config, seed, name);
        let beacons = Beacons::new(&mut mac, seed, name);
        let forwarding = Forwarding::new(&mut mac, seed, name);
        Self { mac, forwarding, beacons }
    }

    /// Finds the next transmitter: an EDCAF or a beacon.
    pub(crate) fn find_first(&mut self, now: Instant) {
        let event = self.mac.schedule.next().unwrap_or(Instant::MAX);
        self.mac.contention.find_first(now, event);
        self.beacons.find_first(now, &mut self.mac.contention);
    }

    /// Lets a contender transmit if its backoff has indeed ended, now that its station has read the whole log.
    pub(crate) fn access(&mut self, now: Instant, contender: Contender, out: &mut Outbox) {
        let f = match contender {
            Contender::Edcaf(f) => f,
            Contender::Beacon(at) => return self.beacons.send(now, at, &mut self.mac),
        };
        let contention = &mut self.mac.contention;
        if !contention.is_due(now, f) {
            return;
        }
        let has_categories = contention.edcaf_index.has_categories();
        let (winner, others) = if has_categories { contention.winner(now, f) } else { (f, Vec::new()) };
        contention.withdraw(winner);
        if self.mac.has_left(winner) {
            return self.mac.abandon(now, winner, out);
        }
        if !self.mac.renew(now, winner, out) {
            return self.mac.finish_service(now, winner, out);
        }
        self.mac.transmit(now, winner);
        for other in others {
            self.collide_internally(now, other, out);
        }
    }

    /// Handles an event that is due at `now`.
    pub(crate) fn handle(&mut self, now: Instant, event: Event, out: &mut Outbox) {
        let mac = &mut self.mac;
        match event {
            Event::Arrived(number) => {
                let frame = *mac.contention.medium.air.get(number);
                if frame.to == EVERYBODY {
                    mac.show(&frame, None, out);
                    return self.arrive_everywhere(now, &frame, number, out);
                }
                let verdict = mac.contention.medium.received(now, frame.to, number);
                mac.show(&frame, verdict.err(), out);
                self.arrive(now, &frame, verdict, out);
            }
            Event::TimedOut(at) => self.fail(now, self.mac.contention.active(at), out),
            Event::Sent(number) => mac.show(mac.contention.medium.air.get(number), None, out),
            Event::Cleared(number) => {
                let frame = *mac.contention.medium.air.get(number);
                mac.show(&frame, None, out);
                mac.send_data(now + mac.durations.sifs, mac.contention.active(frame.from));
            }
            Event::Truncated(number) => {
                let frame = *mac.contention.medium.air.get(number);
                mac.show(&frame, None, out);
                self.give_back(now, self.mac.contention.active(frame.from), out);
            }
            Event::Beacon(which) => self.beacons.due(now, which, mac),
            Event::AssociationTimedOut(at, request) => self.forwarding.members.timed_out(now, at, request),
            Event::Scanned(at) => self.forwarding.members.scanned(now, at, mac, out),
            Event::Route(at) => self.forwarding.run(now, at, mac, out),
        }
    }

    /// Handles the end of a broadcast frame, at all stations.
    fn arrive_everywhere(&mut self, now: Instant, frame: &Transmission, number: u64, out: &mut Outbox) {
        let Self { mac, forwarding, beacons } = self;
        if frame.kind != Kind::Beacon {
            return self.arrive_message(now, frame, number, out);
        }
        match mac.config.access_point {
            Some(_) => forwarding.members.beacon(now, frame, number, mac, out),
            None => beacons.received(now, frame, number, &mut mac.contention),
        }
    }

    /// Handles the end of a broadcast routing message: passes it to the router of each station that received it.
    fn arrive_message(&mut self, now: Instant, frame: &Transmission, number: u64, out: &mut Outbox) {
        let mac = &mut self.mac;
        let f = mac.contention.active(frame.from);
        let msdu = mac.edcafs[f as usize].msdus.pop();
        let message = msdu.and_then(|msdu| mac.messages.take_from(&msdu));
        for to in (0..mac.stations()).filter(|to| *to != frame.from) {
            let verdict = mac.contention.medium.received(now, to, number);
            if let (Some(message), Ok(_)) = (&message, verdict) {
                self.forwarding.receive_message(now, to, message, frame.from, mac, out);
            }
        }
        mac.end_exchange(now, frame.from, false);
        mac.finish_service(now, f, out);
    }

    /// Handles the end of a frame at its receiver; `verdict` says which parts were received.
    fn arrive(&mut self, now: Instant, frame: &Transmission, verdict: Verdict, out: &mut Outbox) {
        let mac = &mut self.mac;
        let received = match verdict {
            Ok(received) => received,
            Err(fault) => {
                match frame.kind {
                    Kind::Data | Kind::Management | Kind::Rts | Kind::BlockAckReq => {
                        mac.counters.of(frame.from).failed[fault as usize] += 1;
                        mac.schedule_timeout(now, frame);
                    }
                    Kind::Cts | Kind::Ack | Kind::BlockAck => {
                        mac.counters.of(frame.to).unanswered += 1;
                        let f = mac.contention.active(frame.to);
                        self.fail(now, f, out);
                    }
                    Kind::Beacon | Kind::CfEnd => {}
                }
                return;
            }
        };
        match frame.kind {
            Kind::Rts => mac.answer_rts(now, frame),
            Kind::Cts => mac.send_data(now + mac.durations.sifs, mac.contention.active(frame.to)),
            Kind::Data => {
                mac.report_power(frame.from, frame.to);
                let rate = mac.durations.rate(frame.rate);
                match frame.aggregates {
                    0 => mac.answer(now, frame, Kind::Ack, rate.ack),
                    _ => mac.answer(now, frame, Kind::BlockAck, rate.block_ack),
                }
                self.take(now, frame, received, out);
            }
            Kind::Management => {
                mac.answer(now, frame, Kind::Ack, mac.durations.cts);
                self.take(now, frame, received, out);
            }
            Kind::BlockAckReq => {
                let sender = mac.contention.active(frame.from);
                let edcaf = &mut mac.edcafs[sender as usize];
                let rate = edcaf.service.map_or(0, |service| service.rate);
                // The request tells the receiver that the window begins after the expired packets.
                edcaf.msdus.retain(|msdu| !msdu.is_lost());
                mac.answer(now, frame, Kind::BlockAck, mac.durations.rate(rate).requested);
                self.hand_on(now, sender, out);
            }
            Kind::Ack | Kind::BlockAck => {
                let f = mac.contention.active(frame.to);
                self.acknowledged(now, f, out);
            }
            Kind::Beacon | Kind::CfEnd => {}
        }
    }

    /// Makes the receiver of a data frame accept the received parts; counts parts that it had already as duplicates.
    fn take(&mut self, now: Instant, frame: &Transmission, received: Parts, out: &mut Outbox) {
        let sender = self.mac.contention.active(frame.from);
        let mut duplicates = 0;
        let sent = self.mac.edcafs[sender as usize].msdus.chunk_by_mut(|_, next| next.joined);
        let sent = sent.filter(|packets| packets[0].on_air);
        for (_, packets) in sent.enumerate().filter(|(i, _)| received.has(*i)) {
            duplicates += u64::from(packets[0].received);
            packets.iter_mut().for_each(|msdu| msdu.received = true);
        }
        self.mac.counters.of(frame.to).duplicates += duplicates;
        self.hand_on(now, sender, out);
    }

    /// Passes on the packets that an EDCAF's receiver has received, in order, up to the first missing one.
    fn hand_on(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let sender = self.mac.contention.edcaf_index.station_of(f);
        let mut next = 0;
        while let Some(msdu) = self.mac.edcafs[f as usize].msdus.get_mut(next).filter(|msdu| msdu.received) {
            next += 1;
            if std::mem::replace(&mut msdu.released, true) {
                continue;
            }
            let queued = msdu.queued;
            self.forwarding.receive(now, sender, queued, &mut self.mac, out);
        }
    }

    /// Handles an ACK or Block ACK: removes the packets that were passed on, keeps the others to be sent again, and
    /// continues the TXOP or gives the medium back.
    fn acknowledged(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let Self { mac, forwarding, .. } = self;
        let edcaf_index = mac.contention.edcaf_index;
        let at = edcaf_index.station_of(f);
        let limit = mac.config.mac.exchange.short_retry_limit;
        let expired = mac.expire_sent(now, f, out);
        let edcaf = &mut mac.edcafs[f as usize];
        let management = edcaf.management();
        let Some(service) = &mut edcaf.service else { return };
        let (via, requested) = (service.via, std::mem::replace(&mut service.block_ack_request, expired));
        (service.short, service.long, service.in_flight) = (0, 0, false);
        let tried = *service;
        if !requested && management.is_none() {
            let sent = edcaf.msdus.iter().filter(|msdu| msdu.on_air && !msdu.joined);
            let (sent, got) = sent.fold((0, 0), |(n, got), msdu| (n + 1, got + u32::from(msdu.received)));
            forwarding.attempted(now, at, tried, (sent, sent - got), mac);
        }
        let edcaf = &mut mac.edcafs[f as usize];
        let new = edcaf.acknowledge();
        if let Some(stats) = mac.counters.category(at, edcaf_index.rank(f)) {
            stats.acknowledged += new;
            edcaf.covers = via;
        }
        let done = edcaf.msdus.iter().take_while(|msdu| msdu.released).count();
        if done < edcaf.msdus.len() {
            edcaf.msdus.drain(..done);
            if edcaf.msdus.iter().any(|msdu| msdu.misses >= limit) {
                self.drop_missed(now, f, limit, out);
            }
        }
        if let Some(frame) = management {
            self.forwarding.members.acknowledged((at, via), frame, &mut self.mac, out);
        }
        if !self.continues(now, f, out) && !self.mac.sends_cf_end(now, f) {
            self.give_back(now, f, out);
        }
    }

    /// Drops the packets that the receiver has missed `limit` times in Block ACKs, and passes on packets behind them.
    fn drop_missed(&mut self, now: Instant, f: u32, limit: u32, out: &mut Outbox) {
        let Mac { edcafs, counters, messages, contention, .. } = &mut self.mac;
        let at = contention.edcaf_index.station_of(f);
        edcafs[f as usize].msdus.retain(|msdu| {
            let missed = msdu.misses >= limit && !msdu.received && !msdu.expired;
            if let (true, Payload::Datagram(datagram)) = (missed, msdu.queued.payload) {
                counters.lose(at, datagram, DropCause::RetryLimit, out);
            }
            if missed {
                messages.release(&msdu.queued.payload);
            }
            !missed
        });
        self.hand_on(now, f, out);
    }

    /// Continues after an ACK or Block ACK, SIFS later: with a Block ACK request if one is due, or with the next frame
    /// if its exchange ends within the TXOP (9.19.2.4). Returns true if a frame is sent.
    fn continues(&mut self, now: Instant, f: u32, out: &mut Outbox) -> bool {
        let mac = &mut self.mac;
        let begins = now + mac.durations.sifs;
        if mac.has_left(f) {
            return false;
        }
        if mac.edcafs[f as usize].service.is_some_and(|service| service.block_ack_request) {
            mac.contention.backoff(f).reset();
            mac.begin(begins, f);
            return true;
        }
        if mac.edcafs[f as usize].txop <= begins {
            return false;
        }
        mac.drop_expired(now, f, out);
        let Some(next) = mac.next_in_txop(now, f) else { return false };
        mac.contention.backoff(f).reset();
        if mac.edcafs[f as usize].msdus.iter().all(|msdu| msdu.released) {
            let rate = mac.rate_toward(f, next.via);
            mac.clear(f);
            let edcaf = &mut mac.edcafs[f as usize];
            edcaf.queue.pop_front();
            edcaf.service = Some(Service { rate, ..Service::new(next.via) });
            edcaf.msdus.push(Msdu::new(next));
            mac.refill(now, f, out);
        }
        mac.begin(begins, f);
        true
    }

    /// Ends an EDCAF's use of the medium: all EDCAFs of the station contend again, this one for its remaining
    /// packets.
    fn give_back(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let mac = &mut self.mac;
        mac.end_exchange(now, mac.contention.edcaf_index.station_of(f), false);
        if mac.edcafs[f as usize].msdus.iter().all(|msdu| msdu.released) {
            return mac.finish_service(now, f, out);
        }
        // The remaining packets, for the same receiver, are sent after a new backoff.
        mac.contention.listen(f, now);
        mac.contention.draw(f, true);
        mac.refill(now, f, out);
        mac.contention.contend(now, f, true);
    }

    /// Handles a failed attempt: the EDCAF tries again, or gives up on its packets.
    fn fail(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let Self { mac, forwarding, .. } = self;
        let at = mac.contention.edcaf_index.station_of(f);
        mac.contention.listen(f, now);
        let expired = mac.expire_sent(now, f, out);
        let rules = &mac.config.mac;
        let edcaf = &mut mac.edcafs[f as usize];
        let manages = edcaf.management().is_some();
        let outstanding = edcaf.msdus.iter().any(|msdu| msdu.on_air && !msdu.acknowledged && !msdu.expired);
        let Some(service) = &mut edcaf.service else { return };
        let rts = mac.durations.has_rts((!manages).then_some(service.rate), service.bytes);
        let defers = rules.exchange.defer_after_timeout;
        let backoff = mac.contention.backoff(f);
        backoff.hold = if defers { now + backoff.aifs } else { now };
        let long = service.past_rts && !service.block_ack_request && rts;
        let spent = if long {
            service.long += 1;
            service.long >= rules.exchange.long_retry_limit
        } else {
            service.short += 1;
            service.short >= rules.exchange.short_retry_limit
        };
        let (tried, parts) = (*service, u32::from(service.aggregates) + 1);
        let data = service.past_rts && !service.block_ack_request && !manages;
        // A Block ACK request that asks for no packets and only moves the receiver's window is repeated without
        // limit.
        let anew = service.past_rts && service.block_ack_request && !(service.in_flight && outstanding);
        if anew {
            service.short = 0;
        }
        // The receiver may have received some of the MPDUs: a Block ACK request asks for them.
        service.block_ack_request |= service.past_rts && service.aggregates > 0 && rules.block_ack_request;
        service.block_ack_request |= expired;
        if data {
            forwarding.attempted(now, at, tried, (parts, parts), mac);
        }
        mac.end_exchange(now, at, defers);
        if anew {
            mac.contention.draw(f, true);
            return mac.contention.contend(now, f, true);
        }
        self.try_again(now, f, spent, out);
    }

    /// Handles an internal collision, in which a higher EDCAF of the station transmits: the contention window doubles
    /// and the attempt counts.
    fn collide_internally(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let mac = &mut self.mac;
        let edcaf_index = mac.contention.edcaf_index;
        if let Some(stats) = mac.counters.category(edcaf_index.station_of(f), edcaf_index.rank(f)) {
            stats.internal_collisions += 1;
        }
        mac.contention.backoff(f).contends = false;
        let Some(service) = &mut mac.edcafs[f as usize].service else { return };
        service.short += 1;
        let spent = service.short >= mac.config.mac.exchange.short_retry_limit;
        self.try_again(now, f, spent, out);
    }

    /// Makes an EDCAF contend again after a failed attempt, with a doubled contention window. If no attempts are left
    /// (`spent`), gives up on its packets.
    fn try_again(&mut self, now: Instant, f: u32, spent: bool, out: &mut Outbox) {
        let Self { mac, forwarding, .. } = self;
        if !spent {
            mac.contention.backoff(f).widen();
            mac.contention.draw(f, false);
            return mac.contention.contend(now, f, true);
        }
        let at = mac.contention.edcaf_index.station_of(f);
        let edcaf = &mut mac.edcafs[f as usize];
        let Some(via) = edcaf.service.map(|service| service.via) else { return };
        let mut gone = std::mem::take(&mut edcaf.msdus);
        gone.retain(|msdu| !msdu.is_lost());
        forwarding.give_up(now, (at, via), &gone, mac, out);
        // The receiver now passes on the packets that it held behind missing ones.
        let rest = gone.into_iter().filter(|msdu| msdu.received && msdu.queued.payload.is_datagram());
        mac.edcafs[f as usize].msdus.extend(rest);
        self.hand_on(now, f, out);
        self.mac.finish_service(now, f, out);
    }
}
