//! What one station senses and receives: physical and virtual carrier sense, and frames that reach it whole.
//!
//! A station reads the log of transmissions ([`crate::air`]) when its state matters. Each is worked out as of its arrival at this
//! station: power by the pair of stations, delay at the speed of light. Arrivals may come out of order by the difference of
//! two delays, or by SIFS where a response was entered ahead; the rules below take them by their instants.

use crate::air::{EVERYBODY, Kind, Transmission};
use crate::backoff::{Backoff, Rules};
use crate::channel::Channel;
use crate::config::Reception;
use base::{Duration, Instant};

/// Why a frame was not received.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Fault {
    /// Too weak even on a silent channel.
    OutOfRange,
    /// Lost to noise.
    Noise,
    /// Lost to other frames.
    Collision,
    /// The receiver was transmitting.
    Transmitting,
}

impl Fault {
    /// Every fault, in the order of counters.
    pub const ALL: [Self; 4] = [Self::OutOfRange, Self::Noise, Self::Collision, Self::Transmitting];

    /// The name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OutOfRange => "out-of-range",
            Self::Noise => "noise",
            Self::Collision => "collision",
            Self::Transmitting => "transmitting",
        }
    }
}

/// Values that all stations share.
#[derive(Clone, Debug)]
pub(crate) struct Hearing {
    pub(crate) reception: Reception,
    /// AIFS or DIFS.
    pub(crate) ifs: Duration,
    /// EIFS after a frame of each kind: DATA, ACK, RTS, CTS.
    pub(crate) eifs: [Duration; 4],
    /// After an RTS, the time without a frame that ends its NAV; `None`: it stays.
    pub(crate) nav_reset: Option<Duration>,
    pub(crate) backoff: Rules,
}

/// The frame that a receiver is locked to.
#[derive(Clone, Copy, Debug)]
struct Lock {
    number: u64,
    begins: Instant,
    ends: Instant,
    power: f64,
    fault: Option<Fault>,
    /// Whether it is for this station.
    mine: bool,
    /// How long it reserves the medium beyond its end.
    reserves: Duration,
    /// Whether it is an RTS.
    rts: bool,
    /// EIFS, if it has errors.
    eifs: Duration,
    /// The least time from its end to the countdown of a backoff, by what is known.
    wait: Duration,
    /// The same whatever arrives still.
    firm: Duration,
}

/// State of one station's receiver.
#[derive(Clone, Debug)]
pub(crate) struct Ear {
    me: u32,
    /// The next transmission to read.
    pub(crate) cursor: u64,
    lock: Option<Lock>,
    /// Until when energy is sensed.
    energy: Instant,
    /// The last transmission of its own: begin and end.
    own: (Instant, Instant),
    nav: Instant,
    /// The NAV was set by an RTS that ended before this by `nav_reset`, and nothing has come since.
    nav_check: Option<Instant>,
    /// Until when EIFS lasts after a frame with errors; zero: none.
    resync: Instant,
    /// The last frame for this station, and what became of it.
    heard: (u64, Result<(), Fault>),
    pub(crate) backoff: Backoff,
}

impl Ear {
    pub(crate) fn new(me: u32, backoff: Backoff) -> Self {
        Self {
            me,
            cursor: 0,
            lock: None,
            energy: Instant::ZERO,
            own: (Instant::ZERO, Instant::ZERO),
            nav: Instant::ZERO,
            nav_check: None,
            resync: Instant::ZERO,
            heard: (u64::MAX, Ok(())),
            backoff,
        }
    }

    /// When the medium becomes idle, by what is known; not after the truth.
    #[inline]
    fn idle(&self) -> Instant {
        let nav = self.nav_check.map_or(self.nav, |check| check.min(self.nav));
        let signal = self.lock.map_or(self.energy, |lock| lock.ends.max(self.energy));
        signal.max(nav).max(self.own.1)
    }

    /// When the countdown of a backoff begins, by what is known; not after the truth.
    #[inline]
    fn countdown(&self, hearing: &Hearing) -> Instant {
        let from = (self.idle() + hearing.ifs).max(self.resync);
        self.lock.map_or(from, |lock| from.max(lock.ends + lock.wait))
    }

    /// When the backoff ends, by what is known; not after the truth.
    pub(crate) fn fires(&self, hearing: &Hearing) -> Instant {
        self.backoff.ends(&hearing.backoff, self.countdown(hearing))
    }

    /// As [`Ear::fires`], and not after the truth whatever will arrive still: a frame without errors ends EIFS.
    pub(crate) fn fires_at_least(&self, hearing: &Hearing) -> Instant {
        let from = self.idle() + hearing.ifs;
        let from = self.lock.map_or(from, |lock| from.max(lock.ends + lock.firm));
        self.backoff.ends(&hearing.backoff, from)
    }

    /// Whether a signal or the NAV keeps the medium busy at `now`.
    pub(crate) fn is_busy(&self, now: Instant) -> bool {
        self.idle() > now
    }

    /// Whether the NAV keeps the station from answering an RTS at `now`.
    pub(crate) fn is_reserved(&self, now: Instant) -> bool {
        self.nav > now
    }

    /// The frame `number`, which was for this station, has had to end here: whether it was received.
    pub(crate) fn verdict(&self, number: u64) -> Result<(), Fault> {
        let (heard, verdict) = self.heard;
        if heard == number { verdict } else { Err(Fault::Collision) }
    }

    /// What ended at or before `now` has its consequences.
    #[inline]
    pub(crate) fn settle(&mut self, now: Instant, hearing: &Hearing) {
        if let Some(lock) = self.lock.filter(|lock| lock.ends <= now) {
            self.end(lock, hearing);
        }
        if let Some(check) = self.nav_check.filter(|check| *check <= now) {
            self.nav_check = None;
            self.nav = self.nav.min(check);
        }
    }

    /// The frame that the receiver is locked to ends.
    fn end(&mut self, lock: Lock, hearing: &Hearing) {
        self.lock = None;
        self.energy = self.energy.max(lock.ends);
        if lock.mine {
            self.heard = (lock.number, lock.fault.map_or(Ok(()), Err));
        }
        if lock.fault.is_some() {
            self.resync = lock.ends + lock.eifs;
            return;
        }
        self.resync = Instant::ZERO;
        let nav = lock.ends + lock.reserves;
        if !lock.mine && nav > self.nav {
            self.nav = nav;
            self.nav_check = hearing.nav_reset.filter(|_| lock.rts).map(|silence| lock.ends + silence);
        }
    }

    /// The station itself transmits.
    fn own(&mut self, frame: &Transmission, hearing: &Hearing) {
        if let Some(lock) = self.lock.as_mut().filter(|lock| lock.ends > frame.begins) {
            lock.collide(Fault::Transmitting, hearing);
        }
        let countdown = self.countdown(hearing);
        self.backoff.freeze(&hearing.backoff, frame.begins, countdown);
        self.own = (frame.begins, frame.ends);
        self.resync = Instant::ZERO;
    }

    /// A transmission, read from the log: everything that it does here.
    #[inline]
    pub(crate) fn read(
        &mut self,
        number: u64,
        frame: &Transmission,
        channel: &mut Channel,
        hearing: &Hearing,
    ) {
        if frame.from == self.me {
            self.settle(frame.begins, hearing);
            self.own(frame, hearing);
            return;
        }
        let mine = frame.to == self.me || frame.to == EVERYBODY;
        let path = channel.path(frame.from, self.me, frame.begins);
        let Reception::Capture { receive, sense, ratio, reserves } = hearing.reception;
        let power = path.power + channel.fading(frame.from, self.me);
        if power < sense {
            if mine {
                self.heard = (number, Err(Fault::OutOfRange));
            }
            return;
        }
        let begins = frame.begins + path.delay;
        let ends = frame.ends + path.delay;
        self.settle(begins, hearing);
        let countdown = self.countdown(hearing);
        self.backoff.freeze(&hearing.backoff, begins, countdown);
        // Something has come: what the RTS announced, as far as this station can tell.
        self.nav_check = None;
        let fault = (power < receive).then_some(Fault::OutOfRange);
        let (rts, eifs) = (frame.kind == Kind::Rts, hearing.eifs[frame.kind as usize]);
        let reserved = frame.reserves + hearing.ifs;
        let (wait, firm) = match (fault, mine) {
            (Some(_), _) => (eifs, hearing.ifs),
            (None, true) => (hearing.ifs, hearing.ifs),
            (None, false) if reserved <= eifs => (reserved, reserved),
            (None, false) => (eifs, hearing.ifs),
        };
        let mut arrival = Lock {
            number,
            begins,
            ends,
            power,
            fault,
            mine,
            reserves: frame.reserves,
            rts,
            eifs,
            wait,
            firm,
        };
        if begins < self.own.1 && ends > self.own.0 {
            arrival.collide(Fault::Transmitting, hearing);
        }
        let Some(mut lock) = self.lock else {
            self.lock = Some(arrival);
            return;
        };
        // Two at once. The log has them by the time of sending.
        if arrival.begins < lock.begins {
            std::mem::swap(&mut arrival, &mut lock);
        }
        if lock.power < arrival.power + ratio {
            lock.collide(Fault::Collision, hearing);
            arrival.collide(Fault::Collision, hearing);
            if arrival.ends > lock.ends {
                std::mem::swap(&mut arrival, &mut lock);
            }
        } else if reserves {
            self.nav = self.nav.max(arrival.ends + arrival.eifs);
        }
        self.lost(&arrival, Fault::Collision);
        self.lock = Some(lock);
    }

    /// A frame does not get the receiver; its energy is there.
    fn lost(&mut self, frame: &Lock, fault: Fault) {
        self.energy = self.energy.max(frame.ends);
        if frame.mine {
            self.heard = (frame.number, Err(frame.fault.unwrap_or(fault)));
        }
    }
}

impl Lock {
    /// It meets another that it does not survive: the wait at its end is EIFS.
    fn collide(&mut self, fault: Fault, hearing: &Hearing) {
        self.fault = self.fault.or(Some(fault));
        self.wait = self.eifs;
        self.firm = hearing.ifs;
    }
}
