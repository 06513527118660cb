//! View of the medium that all stations of a network share: a lower bound on the ends of all backoffs.
//!
//! Most frames are sent by a station that all others sense. While such a frame lasts, no countdown goes on, whatever
//! else a station hears. Two numbers are enough to bound every countdown from below: the time until which the medium is
//! busy at all stations (`busy`), and the total time for which a countdown may have gone on (`counted`). A station that
//! contends therefore need not read the log until it may be the next to transmit.
//!
//! Only the time at which a station reads the log changes, not what it finds there. The view exists if this time has no
//! effect on results: no station moves, since positions are computed when a frame is read, and nothing fades, since
//! fading is drawn then. Stations must also have one backoff each and receive by power alone, without RTS; with other
//! rules the effects of a frame at its end depend on when the station looks.

use crate::config::{Config, Countdown, Reception};
use crate::phy::air::Transmission;
use crate::phy::channel::Channel;
use crate::phy::reach::Reach;
use crate::phy::sensing::SensingRules;
use base::{Duration, Instant};
use radio::access::Station;

/// View of the medium that all stations share.
#[derive(Clone, Debug)]
pub(crate) struct SharedView {
    /// Time until which all stations sense frames, at least.
    busy: Instant,
    /// Total time for which a countdown of slots may have gone on so far, at most.
    counted: Duration,
    /// AIFS or DIFS of all stations.
    aifs: Duration,
}

impl SharedView {
    /// Creates the view of an idle medium; `None` if the network cannot have one.
    pub(crate) fn new(config: &Config, channel: &Channel, aifs: Duration) -> Option<Self> {
        let access = &config.mac.access;
        let by_power = matches!(config.phy.reception, Reception::Capture(_));
        let stations = config.sites.len() as u32;
        let understands = (0..stations).all(|at| config.energy_detection(Station(at)).is_none());
        let takes_turns = config.access_point.is_none() && config.mac.bss.beacons.0.is_some();
        let counts_whole_slots = access.edca.is_none() && access.countdown == Countdown::Over;
        let has_view = by_power && understands && counts_whole_slots && !takes_turns && channel.is_constant();
        has_view.then_some(Self { busy: Instant::ZERO, counted: Duration::ZERO, aifs })
    }

    /// Adds a transmission with this reach. A countdown goes on until its station senses the frame; while the frame
    /// lasts, none does. A frame that some station does not sense is left out.
    #[inline]
    pub(crate) fn add(&mut self, frame: &Transmission, reach: Reach, rules: &SensingRules) {
        if reach.power < rules.least {
            return;
        }
        let sensed = frame.begins + reach.delay + rules.backoff.cca;
        self.counted += sensed.since(self.busy + self.aifs);
        self.busy = self.busy.max(frame.ends);
    }

    /// Returns a mark for a countdown that has `left` to go, from which [`SharedView::ends`] bounds its end.
    pub(crate) fn mark(&self, left: Duration) -> Duration {
        self.counted + self.aifs + left
    }

    /// Returns a lower bound on the end of the countdown with this mark; `None` if the countdown may be over.
    #[inline]
    pub(crate) fn ends(&self, mark: Duration) -> Option<Instant> {
        let left = mark.saturating_sub(self.counted);
        (left > self.aifs).then(|| self.busy.saturating_add(left))
    }
}
