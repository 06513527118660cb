//! Checks of parameters against each other.

use super::forms::{LARGEST_WINDOW, SHORTEST};
use super::groups::{Acks, LARGEST, LossDetection, Sizes, Timers, Windows};
use super::{Config, SackPipe, TickPhase};
use crate::recovery::Recovery;
use base::Duration;
use settings::{Error, Setting};

/// Source of each parameter's value, for error messages.
pub(crate) struct Origin<'a> {
    /// Function that returns true if the `tcp` table itself gives a parameter.
    pub(crate) given: &'a dyn Fn(&str) -> bool,
    /// Name of the profile from which the other parameters come.
    pub(crate) profile: &'a str,
}

impl Config {
    /// Returns an error if values of parameters exclude each other.
    pub(crate) fn check(&self, origin: &Origin<'_>) -> Result<(), Error> {
        self.sizes.check(origin)?;
        self.windows.check()?;
        self.timers.check(origin)?;
        self.acks.check(self.recovery)?;
        self.detection.check(self.recovery)
    }
}

impl Sizes {
    fn check(&self, origin: &Origin<'_>) -> Result<(), Error> {
        let Self { segment, header, .. } = *self;
        if segment + header <= LARGEST {
            return Ok(());
        }
        let key = if (origin.given)("header") { "header" } else { "segment" };
        let message = format!("a segment of {segment} B and its header of {header} B exceed {LARGEST} B");
        Err(Error::new(key, message).allowed(format!("together at most \"{LARGEST}B\"")))
    }
}

impl Windows {
    /// Returns the limit on outstanding segments in addition to cwnd: the smallest of max_window,
    /// receive_window and [`LARGEST_WINDOW`].
    pub(crate) fn most(&self) -> f64 {
        self.max_window.min(self.receive_window).min(LARGEST_WINDOW)
    }

    /// Returns true if max_window or receive_window is finite.
    pub(crate) fn are_limited(&self) -> bool {
        self.max_window.min(self.receive_window).is_finite()
    }

    fn check(&self) -> Result<(), Error> {
        for (key, window) in
            [("initial_window", self.initial_window), ("syn_loss_window", self.syn_loss_window)]
        {
            if window.is_infinite() {
                let message = format!("{key} has a limit");
                return Err(Error::new(key, message).allowed("segments (10) or a size (\"14600B\")"));
            }
        }
        Ok(())
    }
}

impl Timers {
    fn check(&self, origin: &Origin<'_>) -> Result<(), Error> {
        let said = |key: &str, time: Duration| {
            let time = time.write();
            let text = time.as_text().unwrap_or_default();
            let profile = origin.profile;
            if (origin.given)(key) { text.to_owned() } else { format!("{text}, from profile {profile}") }
        };
        for (key, time) in [("min_rto", self.min_rto), ("initial_rto", self.initial_rto)] {
            if time > self.max_rto {
                // The error names `max_rto`, unless the user gave only the other parameter.
                let at = if (origin.given)("max_rto") || !(origin.given)(key) { "max_rto" } else { key };
                let (given, most) = (said(key, time), said("max_rto", self.max_rto));
                return Err(Error::new(at, format!("{key} ({given}) exceeds max_rto ({most})"))
                    .allowed("min_rto and initial_rto up to max_rto"));
            }
        }
        if !self.clock_tick.is_zero() && self.clock_tick < SHORTEST {
            let tick = self.clock_tick.write();
            return Err(Error::new("clock_tick", format!("a tick of {tick} is too short"))
                .allowed(format!("\"0s\" (exact times), or {} or more", SHORTEST.write())));
        }
        match self.tick_phase {
            TickPhase::At(at) if !self.clock_tick.is_zero() && at >= self.clock_tick => {
                let tick = self.clock_tick.write();
                let message =
                    format!("a phase lies within one tick of {}", tick.as_text().unwrap_or_default());
                Err(Error::new("tick_phase", message).allowed("\"random\", or a time below clock_tick"))
            }
            _ => Ok(()),
        }
    }
}

impl LossDetection {
    fn check(&self, recovery: Recovery) -> Result<(), Error> {
        let by_arrivals = match recovery {
            Recovery::Rack => true,
            Recovery::Sack => self.sack_pipe == SackPipe::Scoreboard,
            _ => false,
        };
        if self.duplicates == 3 || !by_arrivals {
            return Ok(());
        }
        let name = recovery.name();
        let message = format!("recovery {name} counts segments that arrived beyond a hole, not duplicates");
        Err(Error::new("duplicates", message).allowed("3; or recovery sack with sack_pipe = \"counter\""))
    }
}

impl Acks {
    fn check(&self, recovery: Recovery) -> Result<(), Error> {
        if self.sack_blocks > 0 || !recovery.needs_sack() {
            return Ok(());
        }
        let message = format!("recovery {} works by SACK blocks", recovery.name());
        Err(Error::new("sack_blocks", message).allowed("1 to 3"))
    }
}
