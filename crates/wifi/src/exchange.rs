//! Frame exchanges: RTS, CTS, data, ACK.
//!
//! What comes SIFS after a frame is certain as soon as the frame has been received, and is entered into the log ahead. A
//! timeout is scheduled only where the response will not come.

use crate::air::{EVERYBODY, Kind, Transmission};
use crate::config::{Config, Mac, Phy, Timeout};
use crate::ear::Fault;
use crate::network::Network;
use crate::station::{Load, Service};
use crate::timing::{Mode, Rounding};
use base::{DropCause, Duration, Instant};
use radio::access::{Frame, Outbox, Station};
use std::cmp::Reverse;

/// Length of an ACK and of a CTS, bytes.
const ACK: u32 = 14;
/// Length of an RTS, bytes.
const RTS: u32 = 20;

/// What is due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Event {
    /// The transmission of this number has ended at its receiver.
    Arrived(u64),
    /// The response that a station waits for has not come.
    TimedOut(u32),
    /// The router of a station has something to do.
    Route(u32),
}

/// Times that the exchanges of a network are made of.
#[derive(Clone, Debug)]
pub(crate) struct Frames {
    rounding: Rounding,
    /// DIFS or AIFS.
    pub(crate) ifs: Duration,
    sifs: Duration,
    slot: Duration,
    allowance: Duration,
    timeout: Timeout,
    data: Mode,
    /// Mode of frames to everybody.
    control: Mode,
    /// Mode of the ACK of a data frame, and of the CTS of an RTS.
    ack: Mode,
    cts: Mode,
    ack_time: Duration,
    cts_time: Duration,
    rts_time: Duration,
    lowest_ack: Duration,
    header: u32,
    rts_threshold: u32,
    short_retry_limit: u32,
    long_retry_limit: u32,
    /// The airtime of the length of data frame asked for last: most are of one length.
    last: (u32, Duration),
}

impl Frames {
    pub(crate) fn new(config: &Config) -> Self {
        let (phy, mac): (&Phy, &Mac) = (&config.phy, &config.mac);
        let (ack, cts) = (response(phy, phy.data), response(phy, phy.control));
        let lowest = phy.responses.iter().copied().min_by_key(|mode| mode.bps()).unwrap_or(phy.control);
        Self {
            rounding: phy.rounding,
            ifs: mac.sifs + mac.slot * u64::from(mac.aifsn),
            sifs: mac.sifs,
            slot: mac.slot,
            allowance: mac.propagation_allowance,
            timeout: mac.timeout,
            data: phy.data,
            control: phy.control,
            ack,
            cts,
            ack_time: ack.airtime(ACK, phy.rounding),
            cts_time: cts.airtime(ACK, phy.rounding),
            rts_time: phy.control.airtime(RTS, phy.rounding),
            lowest_ack: lowest.airtime(ACK, phy.rounding),
            header: mac.header,
            rts_threshold: mac.rts_threshold,
            short_retry_limit: mac.short_retry_limit,
            long_retry_limit: mac.long_retry_limit,
            last: (0, Duration::ZERO),
        }
    }

    /// EIFS after each kind of frame; `dynamic`: as long as its response takes.
    pub(crate) fn eifs(&self, dynamic: bool) -> [Duration; 4] {
        let after = |response: Duration| self.sifs + response + self.ifs;
        if !dynamic {
            return [after(self.lowest_ack); 4];
        }
        let mut eifs = [self.ifs; 4];
        eifs[Kind::Data as usize] = after(self.ack_time);
        eifs[Kind::Rts as usize] = after(self.cts_time);
        eifs
    }

    /// How long after an RTS a frame must have begun for its NAV to stay (9.3.2.4).
    pub(crate) fn nav_reset(&self) -> Duration {
        self.sifs * 2 + self.cts_time + self.cts.preamble() + self.slot * 2
    }

    fn data_time(&mut self, bytes: u32) -> Duration {
        if self.last.0 != bytes {
            self.last = (bytes, self.data.airtime(bytes, self.rounding));
        }
        self.last.1
    }

    /// Until when after the end of its frame a sender waits, and how far into a response it must be by then.
    fn patience(&self, response: Mode, airtime: Duration) -> (Duration, Duration) {
        let allowed = self.allowance * 2;
        match self.timeout {
            Timeout::Begin => (self.sifs + self.slot + response.preamble() + allowed, response.preamble()),
            Timeout::Whole => (self.sifs + airtime + allowed, airtime),
        }
    }
}

/// The mode in which a frame is answered (9.7.6.5).
fn response(phy: &Phy, to: Mode) -> Mode {
    let slow_enough = phy.responses.iter().copied().filter(|mode| mode.bps() <= to.reference_bps());
    let slowest = phy.responses.iter().copied().min_by_key(|mode| mode.bps());
    slow_enough.max_by_key(|mode| mode.bps()).or(slowest).unwrap_or(to)
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
                    return self.heard_by_all(now, &frame, number, out);
                }
                self.listen(frame.to, now);
                let verdict = self.stations[frame.to as usize].ear.verdict(number);
                self.show(&frame, verdict.err(), out);
                match (frame.kind, verdict) {
                    (Kind::Rts, Ok(())) => self.answer_rts(now, &frame),
                    (Kind::Data, Ok(())) => self.answer_data(now, &frame, out),
                    (Kind::Rts | Kind::Data, Err(fault)) => self.unheard(now, &frame, fault),
                    (Kind::Cts, Ok(())) => self.send_data(now + self.frames.sifs, frame.to),
                    (Kind::Ack, Ok(())) => self.finish_service(now, frame.to, out),
                    (Kind::Cts | Kind::Ack, Err(_)) => {
                        self.stations[frame.to as usize].stats.unanswered += 1;
                        self.fail(now, frame.to, frame.kind == Kind::Ack, out);
                    }
                }
            }
            Event::TimedOut(at) => {
                let after_data = self.stations[at as usize].service.is_some_and(|s| s.sending_data);
                self.fail(now, at, after_data, out);
            }
            Event::Route(at) => self.route(now, at, out),
        }
    }

    /// A station has won the medium.
    pub(crate) fn transmit(&mut self, now: Instant, at: u32) {
        let Some(service) = &mut self.stations[at as usize].service else { return };
        let bytes = service.held.load.bytes() + self.frames.header;
        if service.held.via == EVERYBODY {
            return self.send_to_all(now, at, bytes);
        }
        if bytes <= self.frames.rts_threshold {
            return self.send_data(now, at);
        }
        service.sending_data = false;
        let (via, flow) = (service.held.via, service.held.load.flow());
        let rest = self.frames.cts_time + self.frames.data_time(bytes) + self.frames.ack_time;
        self.stations[at as usize].stats.rts_sent += 1;
        self.put(Transmission {
            from: at,
            to: via,
            kind: Kind::Rts,
            begins: now,
            ends: now + self.frames.rts_time,
            reserves: self.frames.sifs * 3 + rest,
            bytes: RTS,
            flow,
        });
    }

    fn send_data(&mut self, begins: Instant, at: u32) {
        let station = &mut self.stations[at as usize];
        let Some(service) = &mut station.service else { return };
        service.sending_data = true;
        let bytes = service.held.load.bytes() + self.frames.header;
        station.stats.data_sent += 1;
        let (via, flow) = (service.held.via, service.held.load.flow());
        let ends = begins + self.frames.data_time(bytes);
        self.put(Transmission {
            from: at,
            to: via,
            kind: Kind::Data,
            begins,
            ends,
            reserves: self.frames.sifs + self.frames.ack_time,
            bytes,
            flow,
        });
    }

    /// A message to all goes out once, without an answer, at the rate that all receive (9.7.5.3).
    fn send_to_all(&mut self, begins: Instant, at: u32, bytes: u32) {
        self.stations[at as usize].stats.control_sent += 1;
        let airtime = self.frames.control.airtime(bytes, self.frames.rounding);
        self.stations[at as usize].stats.airtime += airtime;
        let ends = begins + airtime;
        let number = self.air.add(Transmission {
            from: at,
            to: EVERYBODY,
            kind: Kind::Data,
            begins,
            ends,
            reserves: Duration::ZERO,
            bytes,
            flow: None,
        });
        let everywhere = ends + self.farthest(at, begins);
        self.schedule(everywhere, Event::Arrived(number));
    }

    /// A transmission goes on the air; its receiver will look at it when it has ended there.
    fn put(&mut self, frame: Transmission) {
        let airtime = frame.ends - frame.begins;
        self.stations[frame.from as usize].stats.airtime += airtime;
        let delay = self.channel.path(frame.from, frame.to, frame.begins).delay;
        let number = self.air.add(frame);
        self.schedule(frame.ends + delay, Event::Arrived(number));
    }

    /// The receiver of an RTS answers, unless its NAV is set.
    fn answer_rts(&mut self, now: Instant, rts: &Transmission) {
        if self.stations[rts.to as usize].ear.is_reserved(now) {
            self.stations[rts.to as usize].stats.refused += 1;
            return self.wait_in_vain(now, rts);
        }
        let reserves = rts.reserves.saturating_sub(self.frames.sifs + self.frames.cts_time);
        self.answer(now, rts, Kind::Cts, self.frames.cts, self.frames.cts_time, reserves);
    }

    /// The receiver of a data frame takes the packet, if it has not got it already, and answers.
    fn answer_data(&mut self, now: Instant, data: &Transmission, out: &mut Outbox) {
        self.answer(now, data, Kind::Ack, self.frames.ack, self.frames.ack_time, Duration::ZERO);
        let Some(service) = &mut self.stations[data.from as usize].service else { return };
        let Service { held, .. } = *service;
        if std::mem::replace(&mut service.received, true) {
            self.stations[data.to as usize].stats.duplicates += 1;
            return;
        }
        self.receive(now, data, held.load, out);
    }

    /// The response to a frame goes out after SIFS; too late for its sender, it is on the air all the same.
    fn answer(
        &mut self,
        now: Instant,
        to: &Transmission,
        kind: Kind,
        mode: Mode,
        airtime: Duration,
        reserves: Duration,
    ) {
        let begins = now + self.frames.sifs;
        let frame = Transmission {
            from: to.to,
            to: to.from,
            kind,
            begins,
            ends: begins + airtime,
            reserves,
            bytes: ACK,
            flow: to.flow,
        };
        self.stations[to.to as usize].stats.responses_sent += 1;
        let delay = self.channel.path(frame.from, frame.to, frame.begins).delay;
        let (patience, needed) = self.frames.patience(mode, airtime);
        if begins + delay + needed <= to.ends + patience {
            return self.put(frame);
        }
        self.stations[frame.from as usize].stats.airtime += airtime;
        self.air.add(frame);
        self.stations[to.from as usize].stats.unanswered += 1;
        self.wait_in_vain(now, to);
    }

    /// A frame has not reached its receiver.
    fn unheard(&mut self, now: Instant, frame: &Transmission, fault: Fault) {
        let sender = &mut self.stations[frame.from as usize];
        sender.stats.failed[fault as usize] += 1;
        if let Some(service) = &mut sender.service {
            service.fault = Some(fault);
        }
        self.wait_in_vain(now, frame);
    }

    /// The sender of a frame will not get its response.
    fn wait_in_vain(&mut self, now: Instant, frame: &Transmission) {
        let (mode, airtime) = match frame.kind {
            Kind::Rts => (self.frames.cts, self.frames.cts_time),
            _ => (self.frames.ack, self.frames.ack_time),
        };
        let (patience, _) = self.frames.patience(mode, airtime);
        self.schedule(now.max(frame.ends + patience), Event::TimedOut(frame.from));
    }

    /// An attempt has failed: once more, or no more.
    fn fail(&mut self, now: Instant, at: u32, after_data: bool, out: &mut Outbox) {
        self.listen(at, now);
        let rules = &self.hearing.backoff;
        let hold = if self.config.mac.defer_after_timeout { now + self.frames.ifs } else { now };
        let station = &mut self.stations[at as usize];
        let Some(service) = &mut station.service else { return };
        station.ear.backoff.hold = hold;
        let long = after_data && service.held.load.bytes() + self.frames.header > self.frames.rts_threshold;
        let spent = if long {
            service.long += 1;
            service.long >= self.frames.long_retry_limit
        } else {
            service.short += 1;
            service.short >= self.frames.short_retry_limit
        };
        if !spent {
            station.ear.backoff.widen(rules);
            station.ear.backoff.draw(rules);
            return self.contend(now, at, true);
        }
        let Service { held, received, .. } = *service;
        self.give_up(now, at, held, received, out);
        self.finish_service(now, at, out);
    }

    /// A station is through with a packet, for good or bad: a backoff follows (9.3.4.2), then the next.
    pub(crate) fn finish_service(&mut self, now: Instant, at: u32, out: &mut Outbox) {
        self.listen(at, now);
        let station = &mut self.stations[at as usize];
        let done = station.service.take();
        station.ear.backoff.reset(&self.hearing.backoff);
        station.ear.backoff.draw(&self.hearing.backoff);
        if let Some(done) = done {
            self.release(done.held.load);
        }
        self.serve(now, at, true, out);
    }

    /// A transmission has ended: for those who look at the air.
    fn show(&self, frame: &Transmission, fault: Option<Fault>, out: &mut Outbox) {
        let Some(frames) = &mut out.frames else { return };
        let service = self.stations[frame.from as usize].service;
        let kind = match service.filter(|_| frame.kind == Kind::Data).map(|service| service.held.load) {
            Some(Load::Message { name, .. }) => name,
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
