//! Frame exchanges: the effects of RTS, CTS, data, ACK; of Block ACK and its request.

use crate::config::Config;
use crate::forwarding::Forwarding;
use crate::mac::contention::Contender;
use crate::mac::payload::{Msdu, Payload, Service};
use crate::mac::schedule::Event;
use crate::mac::state::Link;
use crate::mlme::beacons::Beacons;
use crate::phy::air::{EVERYBODY, Kind, Transmission};
use crate::phy::arrival::{Parts, Verdict};
use base::{DropCause, Instant};
use radio::access::Outbox;

/// The exchanges of all stations.
#[derive(Clone, Debug)]
pub(crate) struct Exchanges {
    pub(crate) link: Link,
    pub(crate) forwarding: Forwarding,
    beacons: Beacons,
}

impl Exchanges {
    /// Creates the exchanges of a network. Random streams are named after `name`.
    pub(crate) fn new(config: &Config, seed: u64, name: &str) -> Self {
        let mut link = Link::new(config, seed, name);
        let beacons = Beacons::new(&mut link, seed, name);
        let forwarding = Forwarding::new(&mut link, seed, name);
        Self { link, forwarding, beacons }
    }

    /// Finds the next transmitter.
    pub(crate) fn find_first(&mut self, now: Instant) {
        self.link.contention.find_first(now);
        self.beacons.find_first(now, &mut self.link.contention);
    }

    /// Lets a contender transmit whose backoff should have ended, after checking it again.
    pub(crate) fn access(&mut self, now: Instant, contender: Contender, out: &mut Outbox) {
        let f = match contender {
            Contender::Function(f) => f,
            Contender::Beacon(at) => return self.beacons.send(now, at, &mut self.link),
        };
        let contention = &mut self.link.contention;
        if !contention.is_due(now, f) {
            return;
        }
        let has_categories = contention.layout.has_categories();
        let (winner, others) = if has_categories { contention.winner(now, f) } else { (f, Vec::new()) };
        contention.withdraw(winner);
        if self.link.has_left(winner) {
            return self.link.abandon(now, winner, out);
        }
        if !self.link.renew(now, winner, out) {
            return self.link.finish_service(now, winner, out);
        }
        self.link.transmit(now, winner);
        for other in others {
            self.collide_internally(now, other, out);
        }
    }

    /// Handles an event that is due.
    pub(crate) fn handle(&mut self, now: Instant, event: Event, out: &mut Outbox) {
        let link = &mut self.link;
        match event {
            Event::Arrived(number) => {
                let frame = *link.contention.medium.air.get(number);
                if frame.to == EVERYBODY {
                    link.show(&frame, None, out);
                    return self.arrive_everywhere(now, &frame, number, out);
                }
                let verdict = link.contention.medium.received(now, frame.to, number);
                link.show(&frame, verdict.err(), out);
                self.arrive(now, &frame, verdict, out);
            }
            Event::TimedOut(at) => self.fail(now, self.link.contention.active(at), out),
            Event::Sent(number) => link.show(link.contention.medium.air.get(number), None, out),
            Event::Cleared(number) => {
                let frame = *link.contention.medium.air.get(number);
                link.show(&frame, None, out);
                link.send_data(now + link.durations.sifs, link.contention.active(frame.from));
            }
            Event::Truncated(number) => {
                let frame = *link.contention.medium.air.get(number);
                link.show(&frame, None, out);
                self.give_back(now, self.link.contention.active(frame.from), out);
            }
            Event::Beacon(which) => self.beacons.due(now, which, link),
            Event::AssociationTimedOut(at, request) => self.forwarding.members.timed_out(now, at, request),
            Event::Scanned(at) => self.forwarding.members.scanned(now, at, link, out),
            Event::Route(at) => self.forwarding.run(now, at, link, out),
        }
    }

    /// Handles the end of a frame to everybody at all stations.
    fn arrive_everywhere(&mut self, now: Instant, frame: &Transmission, number: u64, out: &mut Outbox) {
        let Self { link, forwarding, beacons } = self;
        if frame.kind != Kind::Beacon {
            return self.arrive_message(now, frame, number, out);
        }
        match link.config.access_point {
            Some(_) => forwarding.members.beacon(now, frame, number, link, out),
            None => beacons.received(now, frame, number, &mut link.contention),
        }
    }

    /// Handles the end of a message to everybody at all stations: the routers of those who have received it handle it.
    fn arrive_message(&mut self, now: Instant, frame: &Transmission, number: u64, out: &mut Outbox) {
        let link = &mut self.link;
        let f = link.contention.active(frame.from);
        let msdu = link.functions[f as usize].msdus.pop();
        let message = msdu.and_then(|msdu| link.messages.take_from(&msdu));
        for to in (0..link.stations()).filter(|to| *to != frame.from) {
            let verdict = link.contention.medium.received(now, to, number);
            if let (Some(message), Ok(_)) = (&message, verdict) {
                self.forwarding.receive_message(now, to, message, frame.from, link, out);
            }
        }
        link.end_exchange(now, frame.from, false);
        link.finish_service(now, f, out);
    }

    /// Handles the end of a frame at its receiver.
    fn arrive(&mut self, now: Instant, frame: &Transmission, verdict: Verdict, out: &mut Outbox) {
        let link = &mut self.link;
        let received = match verdict {
            Ok(received) => received,
            Err(fault) => {
                match frame.kind {
                    Kind::Data | Kind::Management | Kind::Rts | Kind::BlockAckReq => {
                        link.counters.of(frame.from).failed[fault as usize] += 1;
                        link.schedule_timeout(now, frame);
                    }
                    Kind::Cts | Kind::Ack | Kind::BlockAck => {
                        link.counters.of(frame.to).unanswered += 1;
                        let f = link.contention.active(frame.to);
                        self.fail(now, f, out);
                    }
                    Kind::Beacon | Kind::CfEnd => {}
                }
                return;
            }
        };
        match frame.kind {
            Kind::Rts => link.answer_rts(now, frame),
            Kind::Cts => link.send_data(now + link.durations.sifs, link.contention.active(frame.to)),
            Kind::Data => {
                link.report_power(frame.from, frame.to);
                let rate = link.durations.rate(frame.rate);
                match frame.aggregates {
                    0 => link.answer(now, frame, Kind::Ack, rate.ack),
                    _ => link.answer(now, frame, Kind::BlockAck, rate.block_ack),
                }
                self.take(now, frame, received, out);
            }
            Kind::Management => {
                link.answer(now, frame, Kind::Ack, link.durations.cts);
                self.take(now, frame, received, out);
            }
            Kind::BlockAckReq => {
                let sender = link.contention.active(frame.from);
                let function = &mut link.functions[sender as usize];
                let rate = function.service.map_or(0, |service| service.rate);
                // The window begins after the expired packets.
                function.msdus.retain(|msdu| !msdu.is_lost());
                link.answer(now, frame, Kind::BlockAck, link.durations.rate(rate).requested);
                self.hand_on(now, sender, out);
            }
            Kind::Ack | Kind::BlockAck => {
                let f = link.contention.active(frame.to);
                self.acknowledged(now, f, out);
            }
            Kind::Beacon | Kind::CfEnd => {}
        }
    }

    /// Lets the receiver of a data frame, or of some of its parts, take the packets that it does not have.
    fn take(&mut self, now: Instant, frame: &Transmission, received: Parts, out: &mut Outbox) {
        let sender = self.link.contention.active(frame.from);
        let mut duplicates = 0;
        let sent = self.link.functions[sender as usize].msdus.chunk_by_mut(|_, next| next.joined);
        let sent = sent.filter(|packets| packets[0].on_air);
        for (_, packets) in sent.enumerate().filter(|(i, _)| received.has(*i)) {
            duplicates += u64::from(packets[0].received);
            packets.iter_mut().for_each(|msdu| msdu.received = true);
        }
        self.link.counters.of(frame.to).duplicates += duplicates;
        self.hand_on(now, sender, out);
    }

    /// Passes on the packets of a function that its receiver has without a hole before them.
    fn hand_on(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let sender = self.link.contention.layout.station_of(f);
        let mut next = 0;
        while let Some(msdu) =
            self.link.functions[f as usize].msdus.get_mut(next).filter(|msdu| msdu.received)
        {
            next += 1;
            if std::mem::replace(&mut msdu.released, true) {
                continue;
            }
            let queued = msdu.queued;
            self.forwarding.receive(now, sender, queued, &mut self.link, out);
        }
    }

    /// Handles an ACK or Block ACK: packets that were received are finished; others are sent again.
    fn acknowledged(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let Self { link, forwarding, .. } = self;
        let layout = link.contention.layout;
        let at = layout.station_of(f);
        let limit = link.config.mac.exchange.short_retry_limit;
        let expired = link.expire_sent(now, f, out);
        let function = &mut link.functions[f as usize];
        let management = function.management();
        let Some(service) = &mut function.service else { return };
        let (via, requested) = (service.via, std::mem::replace(&mut service.block_ack_request, expired));
        (service.short, service.long, service.in_flight) = (0, 0, false);
        let tried = *service;
        if !requested && management.is_none() {
            let sent = function.msdus.iter().filter(|msdu| msdu.on_air && !msdu.joined);
            let (sent, got) = sent.fold((0, 0), |(n, got), msdu| (n + 1, got + u32::from(msdu.received)));
            forwarding.attempted(now, at, tried, (sent, sent - got), link);
        }
        let function = &mut link.functions[f as usize];
        let new = function.acknowledge();
        if let Some(stats) = link.counters.category(at, layout.rank(f)) {
            stats.acknowledged += new;
            function.covers = via;
        }
        let done = function.msdus.iter().take_while(|msdu| msdu.released).count();
        if done < function.msdus.len() {
            function.msdus.drain(..done);
            if function.msdus.iter().any(|msdu| msdu.misses >= limit) {
                self.drop_missed(now, f, limit, out);
            }
        }
        if let Some(frame) = management {
            self.forwarding.members.acknowledged((at, via), frame, &mut self.link, out);
        }
        if !self.continues(now, f, out) && !self.link.sends_cf_end(now, f) {
            self.give_back(now, f, out);
        }
    }

    /// Loses packets that the receiver has missed `limit` times, though it answers; packets beyond them that it has got
    /// are passed on.
    fn drop_missed(&mut self, now: Instant, f: u32, limit: u32, out: &mut Outbox) {
        let Link { functions, counters, messages, contention, .. } = &mut self.link;
        let at = contention.layout.station_of(f);
        functions[f as usize].msdus.retain(|msdu| {
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

    /// Continues a TXOP after an ACK: the next frame, if it fits, is sent after SIFS (9.19.2.4). Returns true if one
    /// is.
    fn continues(&mut self, now: Instant, f: u32, out: &mut Outbox) -> bool {
        let link = &mut self.link;
        let begins = now + link.durations.sifs;
        if link.has_left(f) {
            return false;
        }
        if link.functions[f as usize].service.is_some_and(|service| service.block_ack_request) {
            link.contention.backoff(f).reset();
            link.begin(begins, f);
            return true;
        }
        if link.functions[f as usize].txop <= begins {
            return false;
        }
        link.drop_expired(now, f, out);
        let Some(next) = link.next_in_txop(now, f) else { return false };
        link.contention.backoff(f).reset();
        if link.functions[f as usize].msdus.iter().all(|msdu| msdu.released) {
            let rate = link.rate_toward(f, next.via);
            link.clear(f);
            let function = &mut link.functions[f as usize];
            function.queue.pop_front();
            function.service = Some(Service { rate, ..Service::new(next.via) });
            function.msdus.push(Msdu::new(next));
            link.refill(now, f, out);
        }
        link.begin(begins, f);
        true
    }

    /// Gives the medium back: the station's other functions contend again, and so does this one for its next packets.
    fn give_back(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let link = &mut self.link;
        link.end_exchange(now, link.contention.layout.station_of(f), false);
        if link.functions[f as usize].msdus.iter().all(|msdu| msdu.released) {
            return link.finish_service(now, f, out);
        }
        // A new backoff, and the same receiver again.
        link.contention.listen(f, now);
        link.contention.draw(f, true);
        link.refill(now, f, out);
        link.contention.contend(now, f, true);
    }

    /// Handles a failed attempt: the function tries again, or gives up.
    fn fail(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let Self { link, forwarding, .. } = self;
        let at = link.contention.layout.station_of(f);
        link.contention.listen(f, now);
        let expired = link.expire_sent(now, f, out);
        let mac = &link.config.mac;
        let function = &mut link.functions[f as usize];
        let manages = function.management().is_some();
        let outstanding =
            function.msdus.iter().any(|msdu| msdu.on_air && !msdu.acknowledged && !msdu.expired);
        let Some(service) = &mut function.service else { return };
        let rts = link.durations.has_rts((!manages).then_some(service.rate), service.bytes);
        let defers = mac.exchange.defer_after_timeout;
        let backoff = link.contention.backoff(f);
        backoff.hold = if defers { now + backoff.aifs } else { now };
        let long = service.past_rts && !service.block_ack_request && rts;
        let spent = if long {
            service.long += 1;
            service.long >= mac.exchange.long_retry_limit
        } else {
            service.short += 1;
            service.short >= mac.exchange.short_retry_limit
        };
        let (tried, parts) = (*service, u32::from(service.aggregates) + 1);
        let data = service.past_rts && !service.block_ack_request && !manages;
        // A request that asks for nothing, but moves the window on, begins anew with each attempt.
        let anew = service.past_rts && service.block_ack_request && !(service.in_flight && outstanding);
        if anew {
            service.short = 0;
        }
        // The receiver may have got some of it: a request asks for that.
        service.block_ack_request |= service.past_rts && service.aggregates > 0 && mac.block_ack_request;
        service.block_ack_request |= expired;
        if data {
            forwarding.attempted(now, at, tried, (parts, parts), link);
        }
        link.end_exchange(now, at, defers);
        if anew {
            link.contention.draw(f, true);
            return link.contention.contend(now, f, true);
        }
        self.try_again(now, f, spent, out);
    }

    /// Handles an internal collision, lost to a higher function of the station: as after a collision the window doubles
    /// and the attempt counts.
    fn collide_internally(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let link = &mut self.link;
        let layout = link.contention.layout;
        if let Some(stats) = link.counters.category(layout.station_of(f), layout.rank(f)) {
            stats.internal_collisions += 1;
        }
        link.contention.backoff(f).contends = false;
        let Some(service) = &mut link.functions[f as usize].service else { return };
        service.short += 1;
        let spent = service.short >= link.config.mac.exchange.short_retry_limit;
        self.try_again(now, f, spent, out);
    }

    /// Makes a function contend again after a failed attempt, with twice the window; if no attempts are left, its
    /// packets are finished.
    fn try_again(&mut self, now: Instant, f: u32, spent: bool, out: &mut Outbox) {
        let Self { link, forwarding, .. } = self;
        if !spent {
            link.contention.backoff(f).widen();
            link.contention.draw(f, false);
            return link.contention.contend(now, f, true);
        }
        let at = link.contention.layout.station_of(f);
        let function = &mut link.functions[f as usize];
        let Some(via) = function.service.map(|service| service.via) else { return };
        let mut gone = std::mem::take(&mut function.msdus);
        gone.retain(|msdu| !msdu.is_lost());
        forwarding.give_up(now, (at, via), &gone, link, out);
        // Packets that were received beyond those that were not are passed on now.
        let rest = gone.into_iter().filter(|msdu| msdu.received && msdu.queued.payload.is_datagram());
        link.functions[f as usize].msdus.extend(rest);
        self.hand_on(now, f, out);
        self.link.finish_service(now, f, out);
    }
}
