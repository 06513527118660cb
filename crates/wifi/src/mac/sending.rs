//! Transmission of frames: RTS, CTS, data, management frames, responses and beacons, with their Duration fields.
//!
//! A response after SIFS is certain as soon as the frame before it has been received, so it is entered into the log
//! in advance. A timeout is scheduled only if the response will not come.

use crate::mac::aggregation::{self, Limits};
use crate::mac::payload::{Payload, Service};
use crate::mac::schedule::Event;
use crate::mac::state::Mac;
use crate::phy::air::{EVERYBODY, Kind, Transmission};
use crate::phy::durations::{CONTROL_MODE, ControlFrame, Durations};
use crate::stats::Fault;
use base::{Duration, Instant};
use radio::access::{Frame, Outbox, Station};

impl Mac {
    /// Starts the transmission of an EDCAF that has won the medium.
    pub(crate) fn transmit(&mut self, now: Instant, f: u32) {
        let edcaf_index = self.contention.edcaf_index;
        let (at, rank) = (edcaf_index.station_of(f), edcaf_index.rank(f));
        let turn = &mut self.contention.turns[at as usize];
        (turn.active, turn.exchanging) = (rank as u8, true);
        if let (Some(edca), Some(stats)) = (&self.config.mac.access.edca, self.counters.category(at, rank)) {
            stats.txops += 1;
            let limit = edca.each()[rank].txop;
            let edcaf = &mut self.edcafs[f as usize];
            edcaf.txop = if limit.is_zero() { Instant::ZERO } else { now + limit };
            edcaf.covers = EVERYBODY;
        }
        self.contention.suspend_others(now, f);
        self.choose_rate(now, f);
        self.begin(now, f);
    }

    /// Begins a frame exchange of an EDCAF that has the medium: RTS, CTS-to-self or the frame itself.
    pub(crate) fn begin(&mut self, now: Instant, f: u32) {
        let longest = self.most_bytes(f, now);
        let Durations { header, delimiter, .. } = self.durations;
        let limits = Limits { header, delimiter, longest };
        aggregation::compose(&mut self.edcafs[f as usize], &self.config.mac, limits);
        let edcaf = &mut self.edcafs[f as usize];
        let manages = edcaf.management().is_some();
        let Some(service) = &mut edcaf.service else { return };
        service.past_rts = false;
        let Service { via, bytes, block_ack_request, rate, .. } = *service;
        if via == EVERYBODY {
            return self.send_to_all(now, f, bytes);
        }
        let covered = self.is_covered(f);
        let rate_of = (!manages).then_some(rate);
        let durations = &mut self.durations;
        if block_ack_request || durations.protection_time(rate_of, bytes, covered).is_zero() {
            return self.send_data(now, f);
        }
        let sifs = durations.sifs;
        let data = if manages { durations.control_time(bytes) } else { durations.data_time(rate, bytes) };
        let rest = sifs + data + sifs + self.response_of(f).airtime;
        if self.durations.has_rts(rate_of, bytes) {
            self.send_rts(now, f, via, rest);
        } else {
            self.send_cts_to_self(now, f, rest);
        }
    }

    /// Sends an RTS. `rest` is the time that the exchange takes after the CTS.
    fn send_rts(&mut self, now: Instant, f: u32, via: u32, rest: Duration) {
        let at = self.contention.edcaf_index.station_of(f);
        let (rts, cts) = (self.durations.rts, self.durations.cts);
        self.counters.of(at).rts_sent += 1;
        let rest = self.durations.sifs + cts.airtime + rest;
        let reserves = rest + self.rest_of_txop(f, now + rts.airtime + rest);
        self.send_control(rts, Kind::Rts, (at, via), now, reserves);
        let hold = now + rts.airtime + self.durations.response_timeout(&cts).0;
        self.contention.hold_others(at, hold, self.config.mac.exchange.defer_after_timeout);
    }

    /// Sends a CTS-to-self. `rest` is the time that the exchange takes after it; the data frame follows after SIFS.
    fn send_cts_to_self(&mut self, now: Instant, f: u32, rest: Duration) {
        let at = self.contention.edcaf_index.station_of(f);
        let cts = self.durations.cts_to_self;
        let reserves = rest + self.rest_of_txop(f, now + cts.airtime + rest);
        let frame = Transmission { reserves, ..cts.transmission(Kind::Cts, at, at, now) };
        let number = self.log(frame);
        self.counters.of(at).responses_sent += 1;
        self.schedule.add(frame.ends, Event::Cleared(number));
        self.contention.hold_others(at, frame.ends + self.durations.sifs, false);
    }

    /// Returns the response that an EDCAF expects for its data frame, management frame or Block ACK request.
    fn response_of(&self, f: u32) -> ControlFrame {
        let edcaf = &self.edcafs[f as usize];
        match edcaf.service {
            // An ACK has the length of a CTS, and is sent at the same rate.
            Some(_) if edcaf.management().is_some() => self.durations.cts,
            Some(service) if service.block_ack_request => self.durations.rate(service.rate).requested,
            Some(service) if service.aggregates > 0 => self.durations.rate(service.rate).block_ack,
            Some(service) => self.durations.rate(service.rate).ack,
            None => self.durations.rate(0).ack,
        }
    }

    /// Sends the data frame, management frame or Block ACK request of an EDCAF at `begins`.
    pub(crate) fn send_data(&mut self, begins: Instant, f: u32) {
        let at = self.contention.edcaf_index.station_of(f);
        let response = self.response_of(f);
        let (sifs, timeout) = (self.durations.sifs, self.durations.response_timeout(&response).0);
        let defers = self.config.mac.exchange.defer_after_timeout;
        let mut reserves = sifs + response.airtime;
        let edcaf = &mut self.edcafs[f as usize];
        let manages = edcaf.management().is_some();
        let flow = edcaf.msdus.first().and_then(|msdu| msdu.queued.payload.flow());
        let Some(service) = &mut edcaf.service else { return };
        service.past_rts = true;
        service.in_flight |= !service.block_ack_request;
        let Service { via, bytes, aggregates, rate, .. } = *service;
        if service.block_ack_request {
            self.counters.of(at).control_sent += 1;
            let request = self.durations.rate(rate).request;
            reserves += self.rest_of_txop(f, begins + request.airtime + reserves);
            self.send_control(request, Kind::BlockAckReq, (at, via), begins, reserves);
            return self.contention.hold_others(at, begins + request.airtime + timeout, defers);
        }
        edcaf.msdus.iter_mut().filter(|msdu| msdu.on_air).for_each(|msdu| msdu.sent = true);
        let (kind, ends, mode) = if manages {
            self.counters.of(at).control_sent += 1;
            (Kind::Management, begins + self.durations.control_time(bytes), CONTROL_MODE)
        } else {
            self.counters.of(at).data_sent += 1;
            let active = usize::from(self.contention.turns[at as usize].active);
            if let Some(stats) = self.counters.category(at, active) {
                stats.data_sent += 1;
            }
            let ends = begins + self.durations.data_time(rate, bytes);
            (Kind::Data, ends, self.durations.rate(rate).mode)
        };
        let over = ends + reserves;
        reserves += if manages { self.rest_of_txop(f, over) } else { self.reserves_ahead(f, over) };
        let (rate, aggregates) = if manages { (0, 0) } else { (rate, aggregates) };
        let (to, eifs) = (via, Duration::ZERO);
        let frame = Transmission {
            from: at,
            to,
            kind,
            begins,
            ends,
            reserves,
            bytes,
            mode,
            rate,
            aggregates,
            eifs,
            clear: false,
            flow,
        };
        self.put(frame);
        self.contention.hold_others(at, ends + timeout, defers);
    }

    /// Sends a control frame of fixed length.
    fn send_control(
        &mut self,
        frame: ControlFrame,
        kind: Kind,
        (from, to): (u32, u32),
        begins: Instant,
        reserves: Duration,
    ) {
        let msdu = self.edcafs[self.contention.active(from) as usize].msdus.first();
        let flow = msdu.and_then(|msdu| msdu.queued.payload.flow());
        self.put(Transmission { reserves, flow, ..frame.transmission(kind, from, to, begins) });
    }

    /// Broadcasts a message once, at the rate of broadcast frames (9.7.5.3); no response follows.
    fn send_to_all(&mut self, begins: Instant, f: u32, bytes: u32) {
        let at = self.contention.edcaf_index.station_of(f);
        self.counters.of(at).control_sent += 1;
        let message = self.durations.message(bytes);
        let frame = message.transmission(Kind::Data, at, EVERYBODY, begins);
        let number = self.log(frame);
        let everywhere = frame.ends + self.contention.medium.longest_delay(at, begins);
        self.schedule.add(everywhere, Event::Arrived(number));
        self.contention.hold_others(at, everywhere, false);
    }

    /// Sends a beacon; returns the time at which it ends.
    pub(crate) fn send_beacon(&mut self, now: Instant, at: u32) -> Instant {
        self.counters.of(at).control_sent += 1;
        let frame = self.durations.beacon.transmission(Kind::Beacon, at, EVERYBODY, now);
        let number = self.log(frame);
        if self.contention.medium.rules.beacons {
            let everywhere = frame.ends + self.contention.medium.longest_delay(at, now);
            self.schedule.add(everywhere, Event::Arrived(number));
        } else {
            self.schedule.add(frame.ends, Event::Sent(number));
        }
        frame.ends
    }

    /// Sends a CF-End if the setting is on and the rest of an EDCAF's TXOP is long enough. Returns true if it was
    /// sent.
    pub(crate) fn sends_cf_end(&mut self, now: Instant, f: u32) -> bool {
        let at = self.contention.edcaf_index.station_of(f);
        let begins = now + self.durations.sifs;
        let frame = self.durations.cf_end.transmission(Kind::CfEnd, at, EVERYBODY, begins);
        if !self.config.mac.access.cf_end || self.edcafs[f as usize].txop < frame.ends {
            return false;
        }
        self.counters.of(at).control_sent += 1;
        let number = self.log(frame);
        self.contention.hold_others(at, frame.ends, false);
        self.contention.may_end_earlier(frame.ends);
        self.schedule.add(frame.ends, Event::Truncated(number));
        true
    }

    /// Answers an RTS by a CTS, unless the NAV of its receiver is set.
    pub(crate) fn answer_rts(&mut self, now: Instant, rts: &Transmission) {
        let station = &self.contention.medium.stations[rts.to as usize];
        let holder = self.contention.edcaf_index.has_categories() && station.is_held_by(rts.from);
        if station.is_reserved(now) && !holder {
            self.counters.of(rts.to).refused += 1;
            return self.schedule_timeout(now, rts);
        }
        self.answer(now, rts, Kind::Cts, self.durations.cts);
    }

    /// Sends the response to a frame after SIFS. The Duration field of the response covers the rest of the time that
    /// the frame announced. A response that will arrive after the sender's timeout is sent nevertheless.
    pub(crate) fn answer(&mut self, now: Instant, to: &Transmission, kind: Kind, response: ControlFrame) {
        let begins = now + self.durations.sifs;
        let reserves = to.reserves.saturating_sub(self.durations.sifs + response.airtime);
        let frame = response.transmission(kind, to.to, to.from, begins);
        let frame = Transmission { reserves, flow: to.flow, ..frame };
        if to.aggregates == 0 {
            self.contention.turns[to.to as usize].answers = begins;
        }
        self.counters.of(to.to).responses_sent += 1;
        let delay = self.contention.medium.delay(frame.from, frame.to, frame.begins);
        let (timeout, needed) = self.durations.response_timeout(&response);
        if begins + delay + needed <= to.ends + timeout {
            return self.put(frame);
        }
        self.log(frame);
        self.counters.of(to.from).unanswered += 1;
        self.schedule_timeout(now, to);
    }

    /// Schedules the response timeout of a frame whose sender will get no response.
    pub(crate) fn schedule_timeout(&mut self, now: Instant, frame: &Transmission) {
        let response = match frame.kind {
            Kind::Rts => self.durations.cts,
            _ => self.response_of(self.contention.active(frame.from)),
        };
        let (timeout, _) = self.durations.response_timeout(&response);
        self.schedule.add(now.max(frame.ends + timeout), Event::TimedOut(frame.from));
    }

    /// Enters a transmission into the log, and schedules its arrival at the receiver.
    fn put(&mut self, frame: Transmission) {
        let number = self.log(frame);
        let delay = self.contention.medium.delay(frame.from, frame.to, frame.begins);
        self.schedule.add(frame.ends + delay, Event::Arrived(number));
    }

    /// Enters a transmission into the log, with the lengths of its MPDUs if it is an A-MPDU; returns its number.
    fn log(&mut self, mut frame: Transmission) -> u64 {
        frame.reserves = self.config.mac.exchange.duration_field.round(frame.reserves);
        self.counters.on_transmission(&frame);
        if frame.aggregates == 0 {
            return self.contention.medium.log(frame, None);
        }
        let sent = aggregation::mpdus(&self.edcafs[self.contention.active(frame.from) as usize].msdus);
        let header = self.durations.header;
        let sent = sent.filter(|packets| packets[0].on_air);
        let parts = sent.map(|packets| aggregation::subframe(aggregation::length(packets, header))).collect();
        self.contention.medium.log(frame, Some(parts))
    }

    /// Reports a transmission that has ended to the trace of frames, if there is one.
    pub(crate) fn show(&self, frame: &Transmission, fault: Option<Fault>, out: &mut Outbox) {
        let Some(frames) = &mut out.frames else { return };
        let msdu = self.edcafs[self.contention.active(frame.from) as usize].msdus.first();
        let carries = matches!(frame.kind, Kind::Data | Kind::Management);
        let kind = match msdu.filter(|_| carries).map(|msdu| msdu.queued.payload) {
            Some(Payload::Message { name, .. }) => name,
            Some(Payload::Management(sent)) => sent.name(),
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
