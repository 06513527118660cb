//! Reading of unicast frames that a station receives without errors, which are most of the log.
//!
//! If paths are constant and frames are received by power alone, a station applies such a frame as a whole, with its
//! end. It need not lock its receiver to the frame first.

use super::CarrierSense;
use crate::phy::air::{Air, EVERYBODY, Transmission};
use crate::phy::channel::Path;
use crate::phy::sensing::SensingRules;
use base::Instant;

/// State of a station while it overhears frames.
struct Heard {
    /// Time until which the station senses energy.
    energy: Instant,
    nav: Instant,
    /// Station whose frame set the NAV.
    holder: u32,
    /// Time at which DIFS or AIFS begins if no other frame comes.
    idle: Instant,
}

impl CarrierSense {
    /// Reads frames without errors from transmission `number` on, up to one that needs [`CarrierSense::read`]; returns the
    /// number of that one. Only for networks with `overhears`; `paths` are the paths from each station. The effects are
    /// those of [`CarrierSense::read`] and [`CarrierSense::settle`], for fewer instructions.
    pub(crate) fn overhear(
        &mut self,
        number: u64,
        now: Instant,
        air: &Air,
        paths: &[Path],
        rules: &SensingRules,
    ) -> u64 {
        let frames = air.since(number);
        let Some(first) = frames.first().filter(|_| self.overhears(frames, now, paths, rules)) else {
            return number;
        };
        let begins = first.begins + paths[first.from as usize].delay;
        self.settle(begins, rules, air);
        if !self.receiver.is_free(begins) {
            return number;
        }
        let idle = self.ifs_begins();
        let mut heard = Heard { energy: self.receiver.energy, nav: self.nav, holder: self.holder, idle };
        let mut rest = frames;
        loop {
            rest = self.pass_by(rest, paths, &mut heard, rules);
            if !self.overhears(rest, now, paths, rules) {
                break;
            }
            let read = (frames.len() - rest.len()) as u64;
            self.hear::<false>(number + read, &rest[0], &paths[rest[0].from as usize], &mut heard, rules);
            rest = &rest[1..];
        }
        (self.receiver.energy, self.nav, self.holder) = (heard.energy, heard.nav, heard.holder);
        self.eifs = Instant::ZERO;
        self.keep_nav();
        self.revision += 1;
        number + (frames.len() - rest.len()) as u64
    }

    /// Applies those at the beginning of `frames` that are marked `clear` and between two other stations; returns the
    /// rest. Without collisions most frames in the log are read here.
    #[inline(always)]
    fn pass_by<'a>(
        &mut self,
        frames: &'a [Transmission],
        paths: &[Path],
        heard: &mut Heard,
        rules: &SensingRules,
    ) -> &'a [Transmission] {
        let me = self.receiver.me;
        let mut rest = frames;
        while let [frame, after @ ..] = rest
            && frame.clear
            && frame.from != me
            && frame.to != me
        {
            self.hear::<true>(0, frame, &paths[frame.from as usize], heard, rules);
            rest = after;
        }
        rest
    }

    /// Applies transmission `number`, a frame without errors that came over `path`. `BETWEEN_OTHERS`: the frame is neither
    /// from this station nor for it.
    #[inline(always)]
    fn hear<const BETWEEN_OTHERS: bool>(
        &mut self,
        number: u64,
        frame: &Transmission,
        path: &Path,
        heard: &mut Heard,
        rules: &SensingRules,
    ) {
        let ends = frame.ends + path.delay;
        self.pause(frame.begins + path.delay, heard.idle, rules);
        heard.energy = heard.energy.max(ends);
        if !BETWEEN_OTHERS && frame.from == self.receiver.me {
            self.begin(frame);
        } else if !BETWEEN_OTHERS && frame.to == self.receiver.me {
            self.receiver.hears(number, path);
        } else if ends + frame.reserves > heard.nav {
            (heard.nav, heard.holder) = (ends + frame.reserves, frame.from);
        }
        heard.idle = heard.energy.max(heard.nav);
    }

    /// Returns true if the first of `frames`, the rest of the log at `now`, can be applied as a whole. It is a unicast
    /// frame that this station sends or receives without errors. It sets no NAV that may be reset, and ends here before
    /// the next frame arrives.
    #[inline(always)]
    fn overhears(&self, frames: &[Transmission], now: Instant, paths: &[Path], rules: &SensingRules) -> bool {
        let [frame, after @ ..] = frames else { return false };
        // An RTS may be waiting for a frame from another station, so that its NAV stays.
        if frame.from == self.receiver.me && rules.nav_reset.is_some() {
            return false;
        }
        frame.clear || self.is_clear(frame, after.first(), now, paths, rules)
    }

    /// Does the work of [`CarrierSense::overhears`] for a frame without the mark `clear`.
    fn is_clear(
        &self,
        frame: &Transmission,
        next: Option<&Transmission>,
        now: Instant,
        paths: &[Path],
        rules: &SensingRules,
    ) -> bool {
        let suffices = |from: u32| from == self.receiver.me || rules.suffices(&paths[from as usize]);
        let ends = frame.ends + paths[frame.from as usize].delay;
        // A frame that enters the log later does not begin before `now`.
        let apart = next.map_or(ends <= now, |next| ends <= next.begins && suffices(next.from));
        apart && suffices(frame.from) && frame.to != EVERYBODY && !rules.resets_nav(frame.kind)
    }
}
