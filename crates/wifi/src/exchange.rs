//! Frame exchanges: RTS, CTS, data, ACK; Block ACK and its request.
//!
//! What comes SIFS after a frame is certain as soon as the frame has been received, and is entered into the log ahead. A
//! timeout is scheduled only where the response will not come.

use crate::aggregation;
use crate::air::{EVERYBODY, Kind, Transmission};
use crate::ear::{Fault, Verdict};
use crate::frames::{CONTROL_MODE, Fixed};
use crate::network::Network;
use crate::station::{Load, Service};
use base::{DropCause, Duration, Instant};
use radio::access::{Frame, Outbox, Station};
use std::cmp::Reverse;

/// What is due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Event {
    /// The transmission of this number has ended at its receiver.
    Arrived(u64),
    /// The response that a station waits for has not come.
    TimedOut(u32),
    /// The transmission of this number, which is for nobody in particular, has ended.
    Sent(u64),
    /// A CF-End, the transmission of this number, has ended.
    Truncated(u64),
    /// A CTS of its sender to itself, the transmission of this number, has ended.
    Cleared(u64),
    /// The access point wants to send a beacon, if the medium lets it.
    Beacon,
    /// A station has had no response to its request of this number.
    Unjoined(u32, u32),
    /// The router of a station has something to do.
    Route(u32),
}

impl Network {
    pub(crate) fn schedule(&mut self, at: Instant, event: Event) {
        self.events.push(Reverse((at, self.scheduled, event)));
        self.scheduled += 1;
    }

    /// Something due happens.
    pub(crate) fn handle(&mut self, now: Instant, event: Event, out: &mut Outbox) {
        match event {
            Event::Arrived(number) => {
                let frame = *self.air.get(number);
                if frame.to == EVERYBODY {
                    self.show(&frame, None, out);
                    if frame.kind == Kind::Beacon {
                        return self.beacon_over(now, &frame, number, out);
                    }
                    return self.heard_by_all(now, &frame, number, out);
                }
                self.listen(frame.to, now);
                let verdict = self.stations[frame.to as usize].ear.verdict(number);
                self.show(&frame, verdict.err(), out);
                self.arrive(now, &frame, verdict, out);
            }
            Event::TimedOut(at) => self.fail(now, self.active(at), out),
            Event::Sent(number) => self.show(self.air.get(number), None, out),
            Event::Cleared(number) => {
                let frame = *self.air.get(number);
                self.show(&frame, None, out);
                self.send_data(now + self.frames.sifs, self.active(frame.from));
            }
            Event::Truncated(number) => {
                let frame = *self.air.get(number);
                self.show(&frame, None, out);
                self.give_back(now, self.active(frame.from), out);
            }
            Event::Beacon => self.beacon(now),
            Event::Unjoined(at, attempt) => self.unjoined(at, attempt),
            Event::Route(at) => self.route(now, at, out),
        }
    }

    /// A frame has ended at its receiver.
    fn arrive(&mut self, now: Instant, frame: &Transmission, verdict: Verdict, out: &mut Outbox) {
        let Ok(received) = verdict else {
            return match frame.kind {
                Kind::Data | Kind::Management | Kind::Rts | Kind::BlockAckReq => {
                    self.unheard(now, frame, verdict)
                }
                Kind::Cts | Kind::Ack | Kind::BlockAck => {
                    self.stations[frame.to as usize].stats.unanswered += 1;
                    self.fail(now, self.active(frame.to), out);
                }
                Kind::Beacon | Kind::CfEnd => {}
            };
        };
        if frame.kind == Kind::Data {
            self.told(frame.from, frame.to);
        }
        match frame.kind {
            Kind::Rts => self.answer_rts(now, frame),
            Kind::Cts => self.send_data(now + self.frames.sifs, self.active(frame.to)),
            Kind::Data if frame.aggregates == 0 => {
                self.answer_data(now, frame, Kind::Ack, self.frames.rate(frame.rate).ack);
                self.take(now, frame, received, out);
            }
            Kind::Management => {
                self.answer_data(now, frame, Kind::Ack, self.frames.cts);
                self.take(now, frame, received, out);
            }
            Kind::Data => {
                self.answer_data(now, frame, Kind::BlockAck, self.frames.rate(frame.rate).block_ack);
                self.take(now, frame, received, out);
            }
            Kind::BlockAckReq => {
                self.answer_data(now, frame, Kind::BlockAck, self.frames.requested);
                self.hand_on(now, self.active(frame.from), out);
            }
            Kind::Ack | Kind::BlockAck => self.acknowledged(now, self.active(frame.to), out),
            Kind::Beacon | Kind::CfEnd => {}
        }
    }

    /// A function has won the medium.
    pub(crate) fn transmit(&mut self, now: Instant, f: u32) {
        let (at, rank) = (self.station_of(f), self.rank(f));
        let station = &mut self.stations[at as usize];
        (station.active, station.exchanging) = (rank as u8, true);
        if let (Some(edca), Some(stats)) = (&self.config.mac.edca, station.stats.categories.get_mut(rank)) {
            stats.txops += 1;
            let limit = edca.0[rank].txop;
            let function = &mut self.functions[f as usize];
            function.txop = if limit.is_zero() { Instant::ZERO } else { now + limit };
            function.covers = EVERYBODY;
        }
        self.suspend_others(now, f);
        self.choose_rate(now, f);
        self.begin(now, f);
    }

    /// A function that has the medium begins an exchange.
    pub(crate) fn begin(&mut self, now: Instant, f: u32) {
        self.compose(now, f);
        let function = &mut self.functions[f as usize];
        let Some(service) = &mut function.service else { return };
        service.past_rts = false;
        let Service { via, bytes, asks, rate, .. } = *service;
        if via == EVERYBODY {
            return self.send_to_all(now, f, bytes);
        }
        let covered = self.is_covered(f);
        let manages = self.functions[f as usize].management().is_some();
        let rate_of = (!manages).then_some(rate);
        if asks || self.prelude(rate_of, bytes, covered).is_zero() {
            return self.send_data(now, f);
        }
        let at = self.station_of(f);
        let sifs = self.frames.sifs;
        let data = if manages { self.frames.control_time(bytes) } else { self.frames.data_time(rate, bytes) };
        let rest = sifs + data + sifs + self.response_of(f).airtime;
        if !self.has_rts(rate_of, bytes) {
            let rest = rest + self.rest_of_txop(f, now + self.frames.cts_to_self.airtime + rest);
            return self.send_cts_to_self(now, at, rest);
        }
        self.stations[at as usize].stats.rts_sent += 1;
        let rest = sifs + self.frames.cts.airtime + rest;
        let rest = rest + self.rest_of_txop(f, now + self.frames.rts.airtime + rest);
        self.send_fixed(now, at, via, Kind::Rts, self.frames.rts, rest);
        let hold = now + self.frames.rts.airtime + self.frames.patience(&self.frames.cts).0;
        self.hold_others(at, hold);
    }

    /// What a function's data frame or request is answered by.
    fn response_of(&self, f: u32) -> Fixed {
        let function = &self.functions[f as usize];
        match function.service {
            // An ACK is as long as a CTS, and answers at the same rate.
            Some(_) if function.management().is_some() => self.frames.cts,
            Some(service) if service.asks => self.frames.requested,
            Some(service) if service.aggregates > 0 => self.frames.rate(service.rate).block_ack,
            Some(service) => self.frames.rate(service.rate).ack,
            None => self.frames.rate(0).ack,
        }
    }

    fn send_data(&mut self, begins: Instant, f: u32) {
        let response = self.response_of(f);
        let mut reserves = self.frames.sifs + response.airtime;
        let at = self.station_of(f);
        let station = &mut self.stations[at as usize];
        let Some(service) = &mut self.functions[f as usize].service else { return };
        service.past_rts = true;
        let Service { via, bytes, aggregates, rate, .. } = *service;
        if service.asks {
            station.stats.control_sent += 1;
            let request = self.frames.block_ack_req;
            reserves += self.rest_of_txop(f, begins + request.airtime + reserves);
            self.send_fixed(begins, at, via, Kind::BlockAckReq, request, reserves);
            let hold = begins + request.airtime + self.frames.patience(&response).0;
            return self.hold_others(at, hold);
        }
        if self.functions[f as usize].management().is_some() {
            return self.send_management(begins, f, bytes);
        }
        station.stats.data_sent += 1;
        if let Some(stats) = station.stats.categories.get_mut(usize::from(station.active)) {
            stats.data_sent += 1;
        }
        let flow = self.functions[f as usize].mpdus.first().and_then(|mpdu| mpdu.held.load.flow());
        let ends = begins + self.frames.data_time(rate, bytes);
        reserves += self.reserves_ahead(f, ends + reserves);
        self.put(Transmission {
            from: at,
            to: via,
            kind: Kind::Data,
            begins,
            ends,
            reserves,
            bytes,
            mode: self.frames.rate(rate).mode,
            rate,
            aggregates,
            flow,
        });
        self.hold_others(at, ends + self.frames.patience(&response).0);
    }

    fn send_fixed(
        &mut self,
        begins: Instant,
        from: u32,
        to: u32,
        kind: Kind,
        fixed: Fixed,
        reserves: Duration,
    ) {
        let mpdu = self.functions[self.active(from) as usize].mpdus.first();
        self.put(Transmission {
            from,
            to,
            kind,
            begins,
            ends: begins + fixed.airtime,
            reserves,
            bytes: fixed.bytes,
            mode: fixed.mode,
            rate: 0,
            aggregates: 0,
            flow: mpdu.and_then(|mpdu| mpdu.held.load.flow()),
        });
    }

    /// A message to all goes out once, without an answer, at the rate that all receive (9.7.5.3).
    fn send_to_all(&mut self, begins: Instant, f: u32, bytes: u32) {
        let at = self.station_of(f);
        self.stations[at as usize].stats.control_sent += 1;
        let ends = begins + self.frames.control_time(bytes);
        let number = self.air_frame(Transmission {
            from: at,
            to: EVERYBODY,
            kind: Kind::Data,
            begins,
            ends,
            reserves: Duration::ZERO,
            bytes,
            mode: CONTROL_MODE,
            rate: 0,
            aggregates: 0,
            flow: None,
        });
        let everywhere = ends + self.farthest(at, begins);
        self.schedule(everywhere, Event::Arrived(number));
        self.hold_others(at, everywhere);
    }

    /// A transmission goes on the air; its receiver will look at it when it has ended there.
    pub(crate) fn put(&mut self, frame: Transmission) {
        let number = self.air_frame(frame);
        let delay = self.channel.path(frame.from, frame.to, frame.begins).delay;
        self.schedule(frame.ends + delay, Event::Arrived(number));
    }

    /// A transmission goes on the air.
    pub(crate) fn air_frame(&mut self, frame: Transmission) -> u64 {
        let station = &mut self.stations[frame.from as usize];
        station.stats.airtime += frame.ends - frame.begins;
        if frame.aggregates == 0 {
            return self.air.add(frame);
        }
        let sent = aggregation::mpdus(&self.functions[self.active(frame.from) as usize].mpdus);
        let header = self.frames.header;
        let sent = sent.filter(|packets| packets[0].on_air);
        let parts = sent.map(|packets| aggregation::subframe(aggregation::length(packets, header))).collect();
        self.air.add_aggregate(frame, parts)
    }

    /// The receiver of an RTS answers, unless its NAV is set.
    fn answer_rts(&mut self, now: Instant, rts: &Transmission) {
        let ear = &self.stations[rts.to as usize].ear;
        if ear.is_reserved(now) && !(self.shift > 0 && ear.is_held_by(rts.from)) {
            self.stations[rts.to as usize].stats.refused += 1;
            return self.wait_in_vain(now, rts);
        }
        let reserves = rts.reserves.saturating_sub(self.frames.sifs + self.frames.cts.airtime);
        self.answer(now, rts, Kind::Cts, self.frames.cts, reserves);
    }

    /// The acknowledgment of data reserves the medium for as long as its frame did.
    fn answer_data(&mut self, now: Instant, data: &Transmission, kind: Kind, fixed: Fixed) {
        let reserves = data.reserves.saturating_sub(self.frames.sifs + fixed.airtime);
        self.answer(now, data, kind, fixed, reserves);
    }

    /// The response to a frame goes out after SIFS; too late for its sender, it is on the air all the same.
    fn answer(&mut self, now: Instant, to: &Transmission, kind: Kind, fixed: Fixed, reserves: Duration) {
        let begins = now + self.frames.sifs;
        let frame = Transmission {
            from: to.to,
            to: to.from,
            kind,
            begins,
            ends: begins + fixed.airtime,
            reserves,
            bytes: fixed.bytes,
            mode: fixed.mode,
            rate: 0,
            aggregates: 0,
            flow: to.flow,
        };
        let station = &mut self.stations[to.to as usize];
        if to.aggregates == 0 {
            station.answers = begins;
        }
        station.stats.responses_sent += 1;
        let delay = self.channel.path(frame.from, frame.to, frame.begins).delay;
        let (patience, needed) = self.frames.patience(&fixed);
        if begins + delay + needed <= to.ends + patience {
            return self.put(frame);
        }
        self.air_frame(frame);
        self.stations[to.from as usize].stats.unanswered += 1;
        self.wait_in_vain(now, to);
    }

    /// A frame has not reached its receiver.
    fn unheard(&mut self, now: Instant, frame: &Transmission, verdict: Verdict) {
        let sender = &mut self.stations[frame.from as usize];
        if let Err(fault) = verdict {
            sender.stats.failed[fault as usize] += 1;
        }
        self.wait_in_vain(now, frame);
    }

    /// The sender of a frame will not get its response.
    fn wait_in_vain(&mut self, now: Instant, frame: &Transmission) {
        let response = match frame.kind {
            Kind::Rts => self.frames.cts,
            _ => self.response_of(self.active(frame.from)),
        };
        let (patience, _) = self.frames.patience(&response);
        self.schedule(now.max(frame.ends + patience), Event::TimedOut(frame.from));
    }

    /// An attempt has failed: once more, or no more.
    fn fail(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let (at, rank) = (self.station_of(f), self.rank(f));
        self.listen(at, now);
        let manages = self.functions[f as usize].management().is_some();
        let service = self.functions[f as usize].service;
        let rts = service.is_some_and(|sent| self.has_rts((!manages).then_some(sent.rate), sent.bytes));
        let mac = &self.config.mac;
        let backoff = &mut self.stations[at as usize].ear.backoffs[rank];
        let Some(service) = &mut self.functions[f as usize].service else { return };
        backoff.hold = if mac.defer_after_timeout { now + backoff.aifs } else { now };
        let long = service.past_rts && !service.asks && rts;
        let spent = if long {
            service.long += 1;
            service.long >= mac.long_retry_limit
        } else {
            service.short += 1;
            service.short >= mac.short_retry_limit
        };
        let (tried, parts) = (*service, u32::from(service.aggregates.max(1)));
        let data = service.past_rts && !service.asks && !manages;
        // The receiver may have got some of it: it is asked.
        service.asks |= service.past_rts && service.aggregates > 0 && mac.block_ack_request;
        if data {
            self.attempted(now, at, tried, parts, parts);
        }
        self.end_exchange(now, at, self.config.mac.defer_after_timeout);
        self.try_again(now, f, spent, out);
    }

    /// A function that an attempt of has failed contends again, from a window twice as large; or, after as many attempts as there
    /// may be, is through.
    pub(crate) fn try_again(&mut self, now: Instant, f: u32, spent: bool, out: &mut Outbox) {
        let (at, rank) = (self.station_of(f), self.rank(f));
        if !spent {
            let backoff = &mut self.stations[at as usize].ear.backoffs[rank];
            backoff.widen();
            backoff.draw(&self.hearing.backoff);
            return self.contend(now, f, true);
        }
        let function = &mut self.functions[f as usize];
        let Some(via) = function.service.map(|service| service.via) else { return };
        let gone = std::mem::take(&mut function.mpdus);
        self.give_up(now, at, via, &gone, out);
        // What has got there beyond what has not is passed on now.
        let rest = gone.into_iter().filter(|mpdu| mpdu.received && mpdu.held.load.is_datagram());
        self.functions[f as usize].mpdus.extend(rest);
        self.hand_on(now, f, out);
        self.finish_service(now, f, out);
    }

    /// A function is through with its packets, for good or bad: a backoff follows (9.3.4.2), then the next.
    pub(crate) fn finish_service(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let (at, rank) = (self.station_of(f), self.rank(f));
        self.listen(at, now);
        let backoff = &mut self.stations[at as usize].ear.backoffs[rank];
        backoff.reset();
        backoff.draw(&self.hearing.backoff);
        self.functions[f as usize].service = None;
        self.clear(f);
        self.serve(now, f, true, out);
    }

    /// A function is through with its packets.
    pub(crate) fn clear(&mut self, f: u32) {
        while let Some(mpdu) = self.functions[f as usize].mpdus.pop() {
            self.release(mpdu.held.load);
        }
    }

    /// A transmission has ended: for those who look at the air.
    pub(crate) fn show(&self, frame: &Transmission, fault: Option<Fault>, out: &mut Outbox) {
        let Some(frames) = &mut out.frames else { return };
        let mpdu = self.functions[self.active(frame.from) as usize].mpdus.first();
        let carries = matches!(frame.kind, Kind::Data | Kind::Management);
        let kind = match mpdu.filter(|_| carries).map(|mpdu| mpdu.held.load) {
            Some(Load::Message { name, .. }) => name,
            Some(Load::Management(sent)) => sent.name(),
            _ => frame.kind.name(),
        };
        frames.push(Frame {
            begins: frame.begins,
            ends: frame.ends,
            from: Station(frame.from),
            to: (frame.to != EVERYBODY).then_some(Station(frame.to)),
            kind,
            bytes: frame.bytes,
            flow: frame.flow,
            lost: fault.map(Fault::cause),
        });
    }
}

impl Fault {
    /// The cause of loss that it is for a frame that is sent once.
    pub(crate) const fn cause(self) -> DropCause {
        match self {
            Self::OutOfRange => DropCause::OutOfRange,
            Self::Noise => DropCause::Noise,
            Self::Collision | Self::Transmitting => DropCause::Collision,
        }
    }
}
