//! Which of several signals a receiver gets: by power alone, or as preambles stand out from noise and interference.

use super::{Ear, Fault, Hearing, Lock};
use crate::reception::{DETECTION, Rule, Signal};
use base::Instant;
use radio::power;

impl Ear {
    /// Whether the medium is busy while a signal of `power` dBm is there that the receiver is not locked to.
    #[inline]
    pub(super) fn senses(&self, power: f64, hearing: &Hearing) -> bool {
        match hearing.rule {
            Rule::Capture { sense, .. } => power >= sense,
            Rule::Sinr { energy, .. } => power >= self.deaf.map_or(energy, |least| least.min(energy)),
        }
    }

    /// Energy is sensed until `ends`.
    pub(crate) fn sense(&mut self, ends: Instant) {
        self.energy = self.energy.max(ends);
    }

    /// Remembers a signal for as long as it disturbs what is received; forgets those that no longer do.
    pub(crate) fn keep(&mut self, signal: Signal) {
        let keep = self.lock.map_or(signal.begins, |lock| lock.begins.min(signal.begins));
        self.signals.retain(|signal| signal.ends > keep);
        self.signals.push(signal);
    }

    /// The frame being received is lost to a signal, unless it has at least `least` dBm.
    pub(crate) fn drown(&mut self, signal: &Signal, least: f64) {
        if let Some(lock) = self.lock.as_mut().filter(|lock| lock.meets(signal) && lock.power < least) {
            lock.collide(Fault::Collision);
        }
    }

    /// The preamble being received is lost where a signal comes upon it that it does not stand out from.
    pub(crate) fn contest(&mut self, signal: &Signal, hearing: &Hearing) {
        let Some(lock) = self.lock.filter(|lock| signal.begins < lock.begins + DETECTION) else { return };
        if !self.stands_out(&lock, lock.begins.max(signal.begins), hearing) {
            self.lock = None;
            self.sense(lock.begins + DETECTION);
            self.lost(&lock, Fault::Collision, hearing);
        }
    }

    /// Whether the station transmits while a signal is there.
    pub(super) fn transmits(&self, signal: &Lock) -> bool {
        signal.begins < self.own.1 && signal.ends > self.own.0
    }

    /// A signal arrives: the first stays if it is strong enough, else both are lost.
    pub(super) fn compete(&mut self, mut arrival: Lock, ratio: f64, reserves: bool, hearing: &Hearing) {
        if self.transmits(&arrival) {
            arrival.collide(Fault::Transmitting);
        }
        if self.deaf.is_some() {
            let least = |signal: &Signal| signal.power * power::ratio(ratio);
            let mut others = self.signals.iter().filter(|signal| arrival.meets(signal));
            if others.any(|signal| arrival.milliwatts < least(signal)) {
                arrival.collide(Fault::Collision);
            }
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
            lock.collide(Fault::Collision);
            arrival.collide(Fault::Collision);
            if arrival.ends > lock.ends {
                std::mem::swap(&mut arrival, &mut lock);
            }
        } else if reserves {
            self.nav = self.nav.max(arrival.ends + arrival.eifs + hearing.ifs);
        }
        self.lost(&arrival, Fault::Collision, hearing);
        self.lock = Some(lock);
    }

    /// Whether the preamble of a frame stands out from noise and the signals there at `at`.
    fn stands_out(&self, frame: &Lock, at: Instant, hearing: &Hearing) -> bool {
        let others = self.signals.iter().filter(|signal| signal.number != frame.number);
        let present = others.filter(|signal| signal.begins <= at && signal.ends > at);
        let interference = present.map(|signal| signal.power).sum();
        hearing.stands_out(frame.mode, (frame.power, frame.milliwatts), interference)
    }

    /// A signal arrives among others: the receiver locks to it if it is free and its preamble stands out, for as long as the
    /// preamble lasts. Whether the medium counts as busy.
    pub(super) fn detect(&mut self, arrival: Lock, hearing: &Hearing) -> bool {
        self.keep(arrival.signal());
        if self.transmits(&arrival) {
            self.lost(&arrival, Fault::Transmitting, hearing);
            return self.senses(arrival.power, hearing);
        }
        let Some(lock) = self.lock else {
            if self.stands_out(&arrival, arrival.begins, hearing) {
                self.lock = Some(arrival);
                return true;
            }
            let alone = hearing.stands_out(arrival.mode, (arrival.power, arrival.milliwatts), 0.0);
            self.lost(&arrival, if alone { Fault::Collision } else { Fault::OutOfRange }, hearing);
            return self.senses(arrival.power, hearing);
        };
        let ahead = arrival.begins < lock.begins && self.stands_out(&arrival, arrival.begins, hearing);
        let (first, second) = if ahead { (arrival, lock) } else { (lock, arrival) };
        self.lock = Some(first);
        self.contest(&second.signal(), hearing);
        self.lost(&second, Fault::Collision, hearing);
        true
    }

    /// A frame does not get the receiver; its energy is there.
    pub(super) fn lost(&mut self, frame: &Lock, fault: Fault, hearing: &Hearing) {
        if self.senses(frame.power, hearing) {
            self.energy = self.energy.max(frame.ends);
        }
        if frame.mine {
            self.heard = (frame.number, Err(frame.fault.unwrap_or(fault)));
        }
    }
}

impl Hearing {
    /// Whether the preamble of a frame in a mode, so many dBm and mW strong, stands out from noise and so many mW of interference.
    pub(super) fn stands_out(&self, mode: u8, (power, milliwatts): (f64, f64), interference: f64) -> bool {
        let Rule::Sinr { preamble, preamble_ratio, .. } = self.rule else { return true };
        let noise = self.modes[usize::from(mode)].noise;
        power >= preamble && milliwatts >= preamble_ratio * (noise + interference)
    }
}

impl Lock {
    /// What others find of it.
    const fn signal(&self) -> Signal {
        Signal { number: self.number, begins: self.begins, ends: self.ends, power: self.milliwatts }
    }

    /// Whether a signal is there while it is.
    fn meets(&self, signal: &Signal) -> bool {
        signal.begins < self.ends && signal.ends > self.begins
    }

    /// It meets another that it does not survive: the wait at its end is EIFS.
    pub(super) fn collide(&mut self, fault: Fault) {
        self.fault = self.fault.or(Some(fault));
        self.wait = self.eifs;
    }
}
