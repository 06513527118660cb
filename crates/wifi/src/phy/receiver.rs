//! Receiver of one station: physical carrier sense, and the choice among overlapping signals, by their power or by
//! the SINR of their preambles.

use crate::phy::air::{Air, Transmission};
use crate::phy::arrival::{Arrival, Parts, Verdict};
use crate::phy::channel::Path;
use crate::phy::reception::{DETECTION, Rule, Signal, SuccessCache};
use crate::phy::sensing::SensingRules;
use crate::stats::Fault;
use base::{Instant, Rng};
use radio::power;

/// State of one station's receiver.
#[derive(Clone, Debug)]
pub(crate) struct Receiver {
    pub(crate) me: u32,
    /// ED threshold for OFDM frames of a station that cannot demodulate them, dBm; `None` for a station that can.
    pub(crate) energy_detection: Option<f64>,
    /// Frame to which the receiver is locked.
    pub(crate) lock: Option<Arrival>,
    /// Time until which the station senses energy of frames that it is not receiving.
    pub(crate) energy: Instant,
    /// Begin and end of the station's own last transmission.
    pub(crate) own: (Instant, Instant),
    /// Number of the last frame for this station, and the result of its reception.
    last: (u64, Verdict),
    /// Power (dBm) of the last received frame for this station; if it is infinite, the second value is the distance
    /// in metres.
    last_power: (f64, f64),
    /// Signals that are present now or were during the frame being received. With reception by power alone, only
    /// signals that the station cannot demodulate.
    signals: Vec<Signal>,
    /// Boxed to keep the receiver small, as most frames do not need the cache.
    cache: Box<SuccessCache>,
    rng: Rng,
}

impl Receiver {
    /// Creates the receiver of station `me` on a silent channel.
    pub(crate) fn new(me: u32, rng: Rng, energy_detection: Option<f64>) -> Self {
        Self {
            me,
            energy_detection,
            lock: None,
            energy: Instant::ZERO,
            own: (Instant::ZERO, Instant::ZERO),
            last: (u64::MAX, Ok(Parts::NONE)),
            last_power: (f64::NEG_INFINITY, 0.0),
            signals: Vec::new(),
            cache: SuccessCache::new().into(),
            rng,
        }
    }

    /// Returns the result of the reception of frame `number`, which was for this station and has ended here; a
    /// collision if the receiver has no record of it.
    pub(crate) fn verdict(&self, number: u64) -> Verdict {
        let (last, verdict) = self.last;
        if last == number { verdict } else { Err(Fault::Collision) }
    }

    /// Returns the received power of the last frame that was for this station, dBm.
    pub(crate) fn last_power(&self, rules: &SensingRules) -> f64 {
        rules.power(self.last_power.0, self.last_power.1)
    }

    /// Records that frame `number`, which is for this station, is too weak to be sensed.
    pub(crate) fn misses(&mut self, number: u64) {
        self.last = (number, Err(Fault::OutOfRange));
    }

    /// Records that frame `number`, which is for this station, was received over `path` without errors.
    #[inline]
    pub(crate) fn hears(&mut self, number: u64, path: &Path) {
        self.last = (number, Ok(Parts::ALL));
        self.last_power = (path.power, path.beside);
    }

    /// Ends the frame to which the receiver is locked, and records the result; returns true if at least one MPDU was
    /// received. The caller clears the lock.
    #[inline]
    pub(crate) fn judge(&mut self, rules: &SensingRules, air: &Air) -> bool {
        let Some(lock) = &self.lock else { return false };
        self.energy = self.energy.max(lock.ends);
        let whole = lock.fault.is_none() && self.is_undisturbed(lock, rules);
        // The usual case: a frame for another station.
        if whole && !lock.mine {
            return true;
        }
        self.decide(*lock, whole, rules, air)
    }

    /// Does the work of [`Receiver::judge`] for a frame that is for this station, or not `whole`.
    #[inline(never)]
    fn decide(&mut self, lock: Arrival, whole: bool, rules: &SensingRules, air: &Air) -> bool {
        let verdict = match lock.fault {
            Some(fault) => Err(fault),
            None if whole => Ok(Parts::ALL),
            None => self.decode(lock, rules, air),
        };
        if lock.mine {
            self.last = (lock.number, verdict);
            self.last_power = (lock.power, lock.beside);
        }
        verdict.is_ok()
    }

    /// Returns true if every MPDU of a frame without fault is received: always with reception by power alone; with
    /// reception by SINR if the frame is the only signal and strong enough.
    #[inline]
    fn is_undisturbed(&self, lock: &Arrival, rules: &SensingRules) -> bool {
        match rules.rule {
            Rule::Capture { .. } => true,
            Rule::Sinr { .. } => {
                self.signals.len() == 1 && rules.modes[usize::from(lock.mode)].is_sure(lock.beside)
            }
        }
    }

    /// Returns true if a frame overlaps another signal of at least `least` mW.
    fn meets(&self, frame: &Arrival, least: f64) -> bool {
        let other = |signal: &&Signal| signal.number != frame.number && signal.power >= least;
        self.signals.iter().filter(other).any(|signal| frame.meets(signal))
    }

    /// Draws for each MPDU of a frame if it is received, by noise and interference. No MPDU is received if another
    /// signal of at least `fatal` mW overlaps the frame ([`Rule::Sinr`]).
    fn decode(&mut self, lock: Arrival, rules: &SensingRules, air: &Air) -> Verdict {
        let Rule::Sinr { fatal, .. } = rules.rule else { return Ok(Parts::ALL) };
        // The frame has left the log: it ended so long ago that its effects are over.
        if lock.number < air.first() {
            return Ok(Parts::ALL);
        }
        if self.meets(&lock, fatal) {
            return Err(Fault::Collision);
        }
        let frame = air.get(lock.number);
        let mode = &rules.modes[usize::from(frame.mode)];
        let signal = lock.signal();
        let (signals, rng, cache) = (&self.signals, &mut self.rng, &mut self.cache);
        let mut arrives = |from: Instant, to: Instant| {
            let probability = mode.survives(&signal, (from, to), signals, cache);
            probability >= 1.0 || (probability > 0.0 && rng.uniform() < probability)
        };
        let mut received = Parts::NONE;
        let mut from = lock.begins + mode.preamble;
        for (i, bytes) in air.parts(lock.number).iter().enumerate() {
            let to = from + mode.time(*bytes);
            if arrives(from, to) {
                received.add(i);
            }
            from = to;
        }
        if received != Parts::NONE {
            return Ok(received);
        }
        let alone = signals.iter().all(|other| other.number == lock.number || !lock.meets(other));
        Err(if alone { Fault::Noise } else { Fault::Collision })
    }

    /// Interrupts the reception of a frame because the station itself transmits.
    pub(crate) fn interrupt(&mut self, frame: &Transmission, rules: &SensingRules) {
        match (&mut self.lock, rules.rule) {
            (Some(lock), Rule::Capture { .. }) if lock.ends > frame.begins => {
                lock.collide(Fault::Transmitting);
            }
            (Some(lock), Rule::Sinr { .. }) if lock.ends > frame.begins => {
                let lock = *lock;
                self.lock = None;
                self.lose(&lock, Fault::Transmitting, rules);
            }
            _ => {}
        }
    }

    /// Returns true if a signal of `power` dBm, to which the receiver is not locked, makes the medium busy.
    #[inline]
    pub(crate) fn senses(&self, power: f64, rules: &SensingRules) -> bool {
        match rules.rule {
            Rule::Capture { sense, .. } => power >= sense,
            Rule::Sinr { energy, .. } => {
                power >= self.energy_detection.map_or(energy, |least| least.min(energy))
            }
        }
    }

    /// Stores a signal that interferes; removes the signals that have ended before the current reception. Returns
    /// true if no other signal is stored.
    #[inline]
    pub(crate) fn remember(&mut self, signal: Signal) -> bool {
        let begins = self.lock.as_ref().map_or(signal.begins, |lock| lock.begins.min(signal.begins));
        match &mut self.signals[..] {
            // The usual case: one signal after another.
            [only] if only.ends <= begins => *only = signal,
            _ => {
                self.signals.retain(|signal| signal.ends > begins);
                self.signals.push(signal);
            }
        }
        self.signals.len() == 1
    }

    /// Handles a frame that the station cannot demodulate, as energy and interference. Returns true if the station
    /// senses it, that is, if `power` is at least `least` dBm.
    pub(crate) fn disturb(&mut self, signal: Signal, power: f64, least: f64, rules: &SensingRules) -> bool {
        self.remember(signal);
        if let Rule::Capture { ratio, .. } = rules.rule {
            let lost = |lock: &&mut Arrival| lock.meets(&signal) && lock.power < power + ratio;
            if let Some(lock) = self.lock.as_mut().filter(lost) {
                lock.collide(Fault::Collision);
            }
        } else {
            self.check_preamble(&signal, rules);
        }
        let sensed = power >= least;
        if sensed {
            self.energy = self.energy.max(signal.ends);
        }
        sensed
    }

    /// Ends the reception of a preamble if a signal arrives within its detection time that makes its SINR too low.
    fn check_preamble(&mut self, signal: &Signal, rules: &SensingRules) {
        let Some(lock) = self.lock.filter(|lock| signal.begins < lock.begins + DETECTION) else { return };
        if !self.stands_out(&lock, lock.begins.max(signal.begins), rules) {
            self.lock = None;
            self.energy = self.energy.max(lock.begins + DETECTION);
            self.lose(&lock, Fault::Collision, rules);
        }
    }

    /// Returns true if the station itself transmits at some time between `begins` and `ends`.
    #[inline]
    fn transmits_during(&self, begins: Instant, ends: Instant) -> bool {
        begins < self.own.1 && ends > self.own.0
    }

    /// Returns true if nothing prevents the receiver from locking, at `begins`, to a signal that is strong enough: it is
    /// not locked, can demodulate all frames and does not transmit. This is the usual case.
    #[inline]
    pub(crate) fn is_free(&self, begins: Instant) -> bool {
        self.lock.is_none() && self.energy_detection.is_none() && begins >= self.own.1
    }

    /// Returns true if a free receiver certainly locks to a frame: always with reception by power alone; with reception
    /// by SINR if the frame is the only signal and its preamble can be received. Stores the signal if it interferes.
    #[inline]
    pub(crate) fn locks(
        &mut self,
        number: u64,
        frame: &Transmission,
        path: &Path,
        rules: &SensingRules,
    ) -> bool {
        matches!(rules.rule, Rule::Capture { .. }) || self.stands_alone(number, frame, path, rules)
    }

    /// Does the work of [`Receiver::locks`] with reception by SINR.
    #[inline(never)]
    fn stands_alone(&mut self, number: u64, frame: &Transmission, path: &Path, rules: &SensingRules) -> bool {
        let (begins, ends) = (frame.begins + path.delay, frame.ends + path.delay);
        let only = self.remember(Signal { number, begins, ends, power: path.beside });
        only && rules.stands_out(frame.mode, (path.power, path.beside), 0.0)
    }

    /// Handles the arrival of a frame with reception by power alone. If the receiver is locked, the earlier frame
    /// survives if it is stronger than the later one by `ratio` dB; otherwise both are lost. Returns the later frame if
    /// the earlier one survives, as the later frame may reserve the medium.
    pub(crate) fn capture(
        &mut self,
        mut arrival: Arrival,
        ratio: f64,
        rules: &SensingRules,
    ) -> Option<Arrival> {
        if self.transmits_during(arrival.begins, arrival.ends) {
            arrival.collide(Fault::Transmitting);
        }
        if self.energy_detection.is_some() {
            let least = |signal: &Signal| signal.power * power::ratio(ratio);
            let mut others = self.signals.iter().filter(|signal| arrival.meets(signal));
            if others.any(|signal| arrival.beside < least(signal)) {
                arrival.collide(Fault::Collision);
            }
        }
        let Some(mut lock) = self.lock else {
            self.lock = Some(arrival);
            return None;
        };
        // The log orders frames by time of sending, so the frame read now may have arrived first.
        if arrival.begins < lock.begins {
            std::mem::swap(&mut arrival, &mut lock);
        }
        let survives = rules.exceeds((lock.power, lock.beside), (arrival.power, arrival.beside), ratio);
        if !survives {
            lock.collide(Fault::Collision);
            arrival.collide(Fault::Collision);
            if arrival.ends > lock.ends {
                std::mem::swap(&mut arrival, &mut lock);
            }
        }
        self.lose(&arrival, Fault::Collision, rules);
        self.lock = Some(lock);
        survives.then_some(arrival)
    }

    /// Returns true if the preamble of a frame can be received against noise and the signals present at time `at`.
    fn stands_out(&self, frame: &Arrival, at: Instant, rules: &SensingRules) -> bool {
        let others = self.signals.iter().filter(|signal| signal.number != frame.number);
        let present = others.filter(|signal| signal.begins <= at && signal.ends > at);
        let interference = present.map(|signal| signal.power).sum();
        rules.stands_out(frame.mode, (frame.power, frame.beside), interference)
    }

    /// Handles the arrival of a frame, whose signal is stored, with reception by SINR. The receiver locks to it if the
    /// receiver is free and the preamble can be received. Returns true if the medium is busy.
    pub(crate) fn detect(&mut self, arrival: Arrival, rules: &SensingRules) -> bool {
        if self.transmits_during(arrival.begins, arrival.ends) {
            self.lose(&arrival, Fault::Transmitting, rules);
            return self.senses(arrival.power, rules);
        }
        let Some(lock) = self.lock else { return self.detect_when_free(arrival, rules) };
        let ahead = arrival.begins < lock.begins && self.stands_out(&arrival, arrival.begins, rules);
        let (first, second) = if ahead { (arrival, lock) } else { (lock, arrival) };
        if rules.rule.takes((first.begins, first.power), (second.begins, second.power)) {
            return self.switch(&first, second, rules);
        }
        self.lock = Some(first);
        self.check_preamble(&second.signal(), rules);
        self.lose(&second, Fault::Collision, rules);
        true
    }

    /// Does the work of [`Receiver::detect`] if the receiver is not locked and the station does not transmit.
    #[inline(never)]
    pub(crate) fn detect_when_free(&mut self, arrival: Arrival, rules: &SensingRules) -> bool {
        let alone = rules.stands_out(arrival.mode, (arrival.power, arrival.beside), 0.0);
        // Interference only lowers the SINR.
        if alone && self.stands_out(&arrival, arrival.begins, rules) {
            self.lock = Some(arrival);
            return true;
        }
        self.lose(&arrival, if alone { Fault::Collision } else { Fault::OutOfRange }, rules);
        self.senses(arrival.power, rules)
    }

    /// Switches the receiver from the frame to which it is locked to a later frame (frame capture), whose preamble
    /// may still be too weak. Returns true if the medium is busy.
    fn switch(&mut self, first: &Arrival, second: Arrival, rules: &SensingRules) -> bool {
        self.lock = None;
        self.lose(first, Fault::Collision, rules);
        if self.stands_out(&second, second.begins, rules) {
            self.lock = Some(second);
            return true;
        }
        self.lose(&second, Fault::Collision, rules);
        self.senses(second.power, rules)
    }

    /// Records that a frame is lost; its energy is sensed until its end.
    fn lose(&mut self, frame: &Arrival, fault: Fault, rules: &SensingRules) {
        if self.senses(frame.power, rules) {
            self.energy = self.energy.max(frame.ends);
        }
        if frame.mine {
            self.last = (frame.number, Err(frame.fault.unwrap_or(fault)));
        }
    }
}
