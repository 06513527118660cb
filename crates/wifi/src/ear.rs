//! What one station senses and receives: physical and virtual carrier sense, and frames that reach it whole.
//!
//! A station reads the log of transmissions ([`crate::air`]) when its state matters. Each is worked out as of its arrival at this
//! station: power by the pair of stations, delay at the speed of light. Arrivals may come out of order by the difference of
//! two delays, or by SIFS where a response was entered ahead; the rules below take them by their instants.

mod contest;

use crate::air::{Air, EVERYBODY, Kind, Transmission};
use crate::backoff::{Backoff, Rules};
use crate::channel::{Channel, Path};
use crate::reception::{Known, Robustness, Rule, Signal};
use base::{Duration, Instant, Rng};

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

/// Which parts of a frame were received, one bit each; a frame that is not aggregated is one part. Or why none was.
pub(crate) type Verdict = Result<u64, Fault>;

/// Values that all stations share.
#[derive(Clone, Debug)]
pub(crate) struct Hearing {
    pub(crate) rule: Rule,
    /// How the network's modes stand up to noise, by number; empty where noise plays no part.
    pub(crate) modes: Vec<Robustness>,
    /// Which modes are in DSSS, by number.
    pub(crate) dsss: Vec<bool>,
    /// DIFS, or AIFS of all.
    pub(crate) ifs: Duration,
    /// EIFS after a frame of each kind, and after data at each rate but the slowest, without the DIFS or AIFS that it has.
    pub(crate) eifs: Vec<Duration>,
    /// After an RTS, the time without a frame that ends its NAV; `None`: it stays.
    pub(crate) nav_reset: Option<Duration>,
    /// Whether stations take notice of beacons.
    pub(crate) beacons: bool,
    pub(crate) backoff: Rules,
}

impl Hearing {
    /// Whether a frame that comes by `path` is received where nothing else is on the air; `None`: chance decides.
    pub(crate) fn is_plain(&self, path: &Path, frame: &Transmission) -> Option<bool> {
        match self.rule {
            Rule::Capture { receive, .. } => Some(path.power >= receive),
            Rule::Sinr { .. } => match self.stands_out(frame.mode, (path.power, path.milliwatts), 0.0) {
                true => self.modes[usize::from(frame.mode)].is_sure(path.milliwatts).then_some(true),
                false => Some(false),
            },
        }
    }
}

/// The frame that a receiver is locked to.
#[derive(Clone, Copy, Debug)]
struct Lock {
    number: u64,
    begins: Instant,
    ends: Instant,
    /// dBm, and mW.
    power: f64,
    milliwatts: f64,
    /// Its mode, by number.
    mode: u8,
    fault: Option<Fault>,
    /// Who sent it, and whether it is for this station.
    from: u32,
    mine: bool,
    /// How long it reserves the medium beyond its end.
    reserves: Duration,
    kind: Kind,
    /// EIFS without DIFS, if it has errors.
    eifs: Duration,
    /// The least time from its end to the DIFS or AIFS before the countdown of a backoff, by what is known.
    wait: Duration,
}

/// State of one station's receiver.
#[derive(Clone, Debug)]
pub(crate) struct Ear {
    me: u32,
    /// From which power on, dBm, it senses OFDM where it does not understand it.
    deaf: Option<f64>,
    /// The next transmission to read.
    pub(crate) cursor: u64,
    lock: Option<Lock>,
    /// Until when energy is sensed.
    energy: Instant,
    /// The last transmission of its own: begin and end.
    own: (Instant, Instant),
    nav: Instant,
    /// Whose frame set the NAV: the TXOP holder, by what is known.
    holder: u32,
    /// The NAV was set by an RTS: if nothing comes until the first instant, it is the second again.
    nav_check: Option<(Instant, Instant)>,
    /// Until when EIFS without DIFS lasts after a frame with errors; zero: none.
    resync: Instant,
    /// The last frame for this station, and what became of it.
    heard: (u64, Verdict),
    /// Its power, mW.
    heard_power: f64,
    /// Signals here now and during the frame being received, where they disturb each other by degrees or are not understood.
    signals: Vec<Signal>,
    known: Known,
    rng: Rng,
    /// Those of the station's functions, lowest first.
    pub(crate) backoffs: Vec<Backoff>,
}

impl Ear {
    pub(crate) fn new(me: u32, backoffs: Vec<Backoff>, rng: Rng, deaf: Option<f64>) -> Self {
        Self {
            me,
            deaf,
            cursor: 0,
            lock: None,
            energy: Instant::ZERO,
            own: (Instant::ZERO, Instant::ZERO),
            nav: Instant::ZERO,
            holder: me,
            nav_check: None,
            resync: Instant::ZERO,
            heard: (u64::MAX, Ok(0)),
            heard_power: 0.0,
            signals: Vec::new(),
            known: Known::new(),
            rng,
            backoffs,
        }
    }

    /// When the medium becomes idle, by what is known; not after the truth.
    #[inline]
    pub(crate) fn idle(&self) -> Instant {
        self.idle_but(self.lock.as_ref().map_or(Instant::ZERO, |lock| lock.ends))
    }

    /// The same, where the frame that the receiver is locked to ends at `ends`.
    #[inline]
    fn idle_but(&self, ends: Instant) -> Instant {
        let nav = match self.lock {
            // What is being received may end the NAV.
            Some(Lock { kind: Kind::CfEnd, .. }) => Instant::ZERO,
            _ => self.nav_check.map_or(self.nav, |(_, before)| before.min(self.nav)),
        };
        ends.max(self.energy).max(nav).max(self.own.1)
    }

    /// When the DIFS or AIFS before a countdown begins, by what is known; not after the truth.
    #[inline]
    fn quiet(&self) -> Instant {
        let from = self.idle();
        // The frame being received decides whether EIFS ends or begins anew.
        match &self.lock {
            Some(lock) => from.max(lock.ends + lock.wait),
            None => from.max(self.resync),
        }
    }

    /// When the backoff of this rank ends, by what is known; not after the truth.
    #[inline]
    pub(crate) fn fires(&self, rank: usize, hearing: &Hearing) -> Instant {
        self.backoffs[rank].ends(&hearing.backoff, self.quiet())
    }

    /// As [`Ear::fires`], and not after the truth whatever is sent from `now` on: a frame without errors ends EIFS, and while its
    /// preamble lasts the receiver may lose a frame again.
    #[inline]
    pub(crate) fn fires_at_least(&self, rank: usize, hearing: &Hearing, now: Instant) -> Instant {
        let idle = match &self.lock {
            Some(lock) if hearing.rule.is_open(lock.begins, now) => {
                let ends = if self.senses(lock.power, hearing) { lock.ends } else { lock.begins };
                self.idle_but(ends)
            }
            _ => self.idle(),
        };
        self.backoffs[rank].ends(&hearing.backoff, idle)
    }

    /// Whether a signal or the NAV keeps the medium busy at `now`.
    pub(crate) fn is_busy(&self, now: Instant) -> bool {
        self.idle() > now
    }

    /// Whether the NAV keeps the station from answering an RTS at `now`.
    pub(crate) fn is_reserved(&self, now: Instant) -> bool {
        self.nav > now
    }

    /// Whether a station's own frame set the NAV: the TXOP holder's RTS are answered all the same (9.19.2.4).
    pub(crate) fn is_held_by(&self, station: u32) -> bool {
        self.holder == station
    }

    /// The frame `number`, which was for this station, has had to end here: what of it was received.
    pub(crate) fn verdict(&self, number: u64) -> Verdict {
        let (heard, verdict) = self.heard;
        if heard == number { verdict } else { Err(Fault::Collision) }
    }

    /// How strong the last frame was that was received here and for this station, mW.
    pub(crate) fn heard_power(&self) -> f64 {
        self.heard_power
    }

    /// What ended at or before `now` has its consequences.
    #[inline]
    pub(crate) fn settle(&mut self, now: Instant, hearing: &Hearing, air: &Air) {
        if self.lock.as_ref().is_some_and(|lock| lock.ends <= now) {
            self.end(hearing, air);
        }
        if let Some((_, before)) = self.nav_check.filter(|(check, _)| *check <= now) {
            self.nav_check = None;
            self.nav = self.nav.min(before);
        }
    }

    /// The frame that the receiver is locked to ends.
    fn end(&mut self, hearing: &Hearing, air: &Air) {
        let Some(lock) = self.lock.take() else { return };
        self.energy = self.energy.max(lock.ends);
        let verdict = match (lock.fault, hearing.rule) {
            (Some(fault), _) => Err(fault),
            (None, Rule::Capture { .. }) => Ok(u64::MAX),
            // Forgotten: it ended so long ago that nothing follows from it any more.
            (None, Rule::Sinr { .. }) if lock.number < air.first() => Ok(u64::MAX),
            (None, Rule::Sinr { .. }) => self.decode(&lock, hearing, air),
        };
        if lock.mine {
            self.heard = (lock.number, verdict);
            self.heard_power = lock.milliwatts;
        }
        if verdict.is_err() {
            self.resync = lock.ends + lock.eifs;
            return;
        }
        self.resync = Instant::ZERO;
        if lock.kind == Kind::CfEnd {
            (self.nav, self.nav_check) = (self.nav.min(lock.ends), None);
            return;
        }
        let nav = lock.ends + lock.reserves;
        if !lock.mine && nav > self.nav {
            let check =
                hearing.nav_reset.filter(|_| lock.kind == Kind::Rts).map(|silence| lock.ends + silence);
            self.nav_check = check.map(|check| (check, check.max(self.nav)));
            (self.nav, self.holder) = (nav, lock.from);
        }
    }

    /// Which parts of the frame arrive against noise and interference.
    fn decode(&mut self, lock: &Lock, hearing: &Hearing, air: &Air) -> Verdict {
        let frame = air.get(lock.number);
        let mode = &hearing.modes[usize::from(frame.mode)];
        if self.signals.len() == 1 && mode.is_sure(lock.milliwatts) {
            return Ok(u64::MAX);
        }
        let signal =
            Signal { number: lock.number, begins: lock.begins, ends: lock.ends, power: lock.milliwatts };
        let (signals, rng, known) = (&self.signals, &mut self.rng, &mut self.known);
        let mut arrives = |from: Instant, to: Instant| {
            let probability = mode.survives(&signal, (from, to), signals, known);
            probability >= 1.0 || (probability > 0.0 && rng.uniform() < probability)
        };
        let mut received = 0;
        let mut from = lock.begins + mode.preamble;
        for (i, bytes) in air.parts(lock.number).iter().enumerate() {
            let to = from + mode.time(*bytes);
            received |= u64::from(arrives(from, to)) << i;
            from = to;
        }
        if received != 0 {
            return Ok(received);
        }
        let alone = signals.iter().all(|other| {
            other.number == lock.number || other.ends <= lock.begins || other.begins >= lock.ends
        });
        Err(if alone { Fault::Noise } else { Fault::Collision })
    }

    /// The station itself transmits.
    fn own(&mut self, frame: &Transmission, hearing: &Hearing) {
        match (&mut self.lock, hearing.rule) {
            (Some(lock), Rule::Capture { .. }) if lock.ends > frame.begins => {
                lock.collide(Fault::Transmitting);
            }
            (Some(lock), Rule::Sinr { .. }) if lock.ends > frame.begins => {
                let lock = *lock;
                self.lock = None;
                self.lost(&lock, Fault::Transmitting, hearing);
            }
            _ => {}
        }
        let quiet = self.quiet();
        for backoff in &mut self.backoffs {
            backoff.freeze(&hearing.backoff, frame.begins, quiet);
            backoff.give_way();
        }
        self.own = (frame.begins, frame.ends);
        self.resync = Instant::ZERO;
    }

    /// The first `count` backoffs stand still from `now` on.
    pub(crate) fn suspend(&mut self, count: usize, now: Instant, hearing: &Hearing) {
        let quiet = self.quiet();
        for backoff in &mut self.backoffs[..count] {
            backoff.suspend(&hearing.backoff, now, quiet);
        }
    }

    /// The medium becomes busy at `now` for the backoff of this rank: the station itself takes it.
    pub(crate) fn freeze(&mut self, rank: usize, now: Instant, hearing: &Hearing) {
        let quiet = self.quiet();
        self.backoffs[rank].freeze(&hearing.backoff, now, quiet);
    }

    /// A transmission, read from the log: everything that it does here.
    #[inline]
    pub(crate) fn read(
        &mut self,
        number: u64,
        frame: &Transmission,
        air: &Air,
        channel: &mut Channel,
        hearing: &Hearing,
    ) {
        if frame.from == self.me {
            self.settle(frame.begins, hearing, air);
            self.own(frame, hearing);
            return;
        }
        let to_all = frame.kind == Kind::Data || (frame.kind == Kind::Beacon && hearing.beacons);
        let mine = frame.to == self.me || (frame.to == EVERYBODY && to_all);
        let mut path = channel.path(frame.from, self.me, frame.begins);
        channel.fade(frame.from, self.me, &mut path);
        if !hearing.rule.matters(path.power) {
            if mine {
                self.heard = (number, Err(Fault::OutOfRange));
            }
            return;
        }
        let begins = frame.begins + path.delay;
        let ends = frame.ends + path.delay;
        self.settle(begins, hearing, air);
        let quiet = self.quiet();
        if let Some(least) = self.deaf.filter(|_| !hearing.dsss[usize::from(frame.mode)]) {
            let signal = Signal { number, begins, ends, power: path.milliwatts };
            if self.disturb(signal, path.power, least, hearing) {
                self.pause(begins, quiet, hearing);
            }
            return;
        }
        let fault = match hearing.rule {
            Rule::Capture { receive, .. } => (path.power < receive).then_some(Fault::OutOfRange),
            Rule::Sinr { .. } => None,
        };
        let eifs = hearing.eifs[frame.class()];
        let wait = match (fault, mine) {
            (Some(_), _) => eifs,
            (None, true) => Duration::ZERO,
            (None, false) => eifs.min(frame.reserves),
        };
        let arrival = Lock {
            number,
            begins,
            ends,
            power: path.power,
            milliwatts: path.milliwatts,
            mode: frame.mode,
            fault,
            from: frame.from,
            mine,
            reserves: frame.reserves,
            kind: frame.kind,
            eifs,
            wait,
        };
        let sensed = match hearing.rule {
            Rule::Capture { ratio, reserves, .. } => {
                self.compete(arrival, ratio, reserves, hearing);
                true
            }
            Rule::Sinr { .. } => self.detect(arrival, hearing),
        };
        if sensed {
            self.pause(begins, quiet, hearing);
            // Something has come: what the RTS announced, as far as this station can tell.
            self.nav_check = None;
        }
    }

    /// The medium becomes busy at `now`; it was to be idle from `quiet` on.
    #[inline]
    fn pause(&mut self, now: Instant, quiet: Instant, hearing: &Hearing) {
        for backoff in &mut self.backoffs {
            backoff.freeze(&hearing.backoff, now, quiet);
        }
    }
}
