//! The medium as all stations sense it: the log of transmissions, the channel, and the carrier sense of each station.

use crate::mac::backoff::Backoff;
use crate::phy::air::{Air, EVERYBODY, SHORT_BACKOFF, Transmission};
use crate::phy::arrival::Verdict;
use crate::phy::carrier_sense::CarrierSense;
use crate::phy::channel::Channel;
use crate::phy::reach::Reaches;
use crate::phy::reception::Rule;
use crate::phy::sensing::SensingRules;
use crate::phy::shared_view::SharedView;
use base::{Duration, Instant};

/// Channel of a network, the log of its transmissions, and each station's carrier sense.
#[derive(Clone, Debug)]
pub(crate) struct Medium {
    pub(crate) rules: SensingRules,
    pub(crate) channel: Channel,
    pub(crate) air: Air,
    pub(crate) stations: Vec<CarrierSense>,
    /// View that all stations share; `None` if the network cannot have one.
    pub(crate) view: Option<SharedView>,
    /// Reach of the stations; `None` without [`SensingRules::overhears`].
    reaches: Option<Reaches>,
    /// Time at which the last transmission has ended at all stations, if each receives it without errors when nothing
    /// else is on the air; otherwise [`Instant::MAX`].
    received_by_all: Instant,
    /// True if some backoffs are longer than [`SHORT_BACKOFF`].
    long: bool,
    /// With a shared view or long backoffs: number of the transmission up to which the stations that need all
    /// transmissions have read the log.
    read_up_to: Option<u64>,
}

impl Medium {
    /// Creates a medium without transmissions.
    pub(crate) fn new(
        mut rules: SensingRules,
        channel: Channel,
        stations: Vec<CarrierSense>,
        view: Option<SharedView>,
    ) -> Self {
        rules.overhears = channel.is_constant() && matches!(rules.rule, Rule::Capture { .. });
        let mut backoffs = stations.iter().flat_map(CarrierSense::backoffs);
        let long = backoffs.any(|backoff| backoff.longest(&rules.backoff) > SHORT_BACKOFF);
        let read_up_to = (long || view.is_some()).then_some(0);
        let reaches = rules.overhears.then(|| Reaches::new(stations.len()));
        let (air, received_by_all) = (Air::default(), Instant::MAX);
        Self { rules, channel, air, stations, view, reaches, received_by_all, long, read_up_to }
    }

    /// Enters a transmission into the log and returns its number; `parts` are the lengths of the MPDUs of an A-MPDU,
    /// bytes.
    #[inline]
    pub(crate) fn log(&mut self, mut frame: Transmission, parts: Option<Vec<u32>>) -> u64 {
        frame.eifs = self.rules.eifs[frame.class()];
        if frame.reserves > frame.eifs {
            // An RTS or a CTS-to-self: the time at which a station applies its NAV has an effect.
            self.view = None;
        }
        if self.read_up_to.is_some_and(|read| self.air.may_leave(read, frame.begins)) {
            self.read_ahead();
        }
        self.note(&frame);
        match parts {
            None => self.air.add(frame),
            Some(parts) => self.air.add_aggregate(frame, parts),
        }
    }

    /// Adds a transmission to the shared view, and marks the one before if no station needs to read it in detail.
    #[inline]
    fn note(&mut self, frame: &Transmission) {
        let Self { rules, channel, air, view, reaches: Some(reaches), received_by_all, .. } = self else {
            return;
        };
        let reach = reaches.of(frame.from, channel);
        if let Some(view) = view {
            view.add(frame, reach, rules);
        }
        let suffices = reach.power >= rules.receive.max(rules.least);
        if let Some(last) = air.last_mut().filter(|_| suffices && *received_by_all <= frame.begins) {
            last.clear = true;
        }
        let plain = suffices && frame.to != EVERYBODY && !rules.resets_nav(frame.kind);
        *received_by_all = if plain { frame.ends + reach.delay } else { Instant::MAX };
    }

    /// Makes each station that contends read the log, since transmissions that it has not read are about to leave it;
    /// with long backoffs each station that backs off.
    #[cold]
    fn read_ahead(&mut self) {
        let long = self.long;
        let needs = |backoff: &Backoff| if long { backoff.runs() } else { backoff.contends };
        for at in 0..self.stations.len() {
            if self.stations[at].backoffs().iter().any(needs) {
                self.read(at, Instant::ZERO);
            }
        }
        self.read_up_to = Some(self.air.end());
    }

    /// Makes a station read the transmissions in the log that it has not read.
    #[inline]
    pub(crate) fn listen(&mut self, at: u32, now: Instant) {
        self.read(at as usize, now);
        self.stations[at as usize].settle(now, &self.rules, &self.air);
    }

    /// Applies the transmissions in the log at `now` that a station has not read.
    #[inline]
    pub(crate) fn read(&mut self, at: usize, now: Instant) {
        if self.stations[at].cursor == self.air.end() {
            return;
        }
        if self.rules.overhears { self.read_many(at, now) } else { self.read_each(at) }
    }

    /// Does the work of [`Medium::read`] frame by frame.
    fn read_each(&mut self, at: usize) {
        let Self { rules, channel, air, stations, .. } = self;
        let station = &mut stations[at];
        let from = station.cursor.max(air.first());
        for (number, frame) in (from..).zip(air.since(from)) {
            station.read(number, frame, air, channel, rules);
        }
        station.cursor = air.end();
    }

    /// Does the work of [`Medium::read`] in networks with `overhears`.
    fn read_many(&mut self, at: usize, now: Instant) {
        let Self { rules, channel, air, stations, .. } = self;
        let station = &mut stations[at];
        let mut number = station.cursor.max(air.first());
        loop {
            number = station.overhear(number, now, air, channel.paths_to(at), rules);
            if number == air.end() {
                break;
            }
            station.read(number, air.get(number), air, channel, rules);
            number += 1;
        }
        station.cursor = number;
    }

    /// Returns the MPDUs that a station has received of the transmission with this number, which must have ended
    /// there.
    pub(crate) fn received(&mut self, now: Instant, at: u32, number: u64) -> Verdict {
        self.listen(at, now);
        self.stations[at as usize].receiver.verdict(number)
    }

    /// Returns the propagation delay from one station to another.
    #[inline]
    pub(crate) fn delay(&mut self, from: u32, to: u32, now: Instant) -> Duration {
        self.channel.path(from, to, now).delay
    }

    /// Returns the greatest propagation delay from a station to any other.
    pub(crate) fn longest_delay(&mut self, from: u32, now: Instant) -> Duration {
        let stations = self.stations.len() as u32;
        (0..stations).map(|to| self.delay(from, to, now)).max().unwrap_or(Duration::ZERO)
    }

    /// Returns true if no other transmission overlaps `frame` at any station.
    pub(crate) fn is_alone(&mut self, frame: &Transmission, number: u64) -> bool {
        let delay = self.longest_delay(frame.from, frame.begins);
        self.air.is_alone(number, delay * 2)
    }

    /// Returns true if a station has received a beacon. If the beacon was `alone` on the air and its power is clearly
    /// sufficient or too low, the station need not read the log, which saves time for stations with nothing to do.
    pub(crate) fn receives_beacon(
        &mut self,
        now: Instant,
        at: u32,
        frame: &Transmission,
        number: u64,
        alone: bool,
    ) -> bool {
        let path = self.channel.path(frame.from, at, frame.begins);
        let certain = self.rules.receives_alone(&path, frame).filter(|_| alone && !self.channel.fades());
        certain.unwrap_or_else(|| self.received(now, at, number).is_ok())
    }

    /// Returns the received power of a beacon at a station, dBm.
    pub(crate) fn beacon_power(&mut self, at: u32, frame: &Transmission) -> f64 {
        if self.channel.fades() {
            return self.stations[at as usize].receiver.last_power(&self.rules);
        }
        let path = self.channel.path(frame.from, at, frame.begins);
        self.rules.power(path.power, path.beside)
    }

    /// Returns a station's backoff, for a change, by its index at the station: one for each EDCAF (0: lowest access
    /// category), then that of beacons in an ad hoc network.
    #[inline]
    pub(crate) fn backoff(&mut self, at: u32, rank: usize) -> &mut Backoff {
        self.stations[at as usize].change_backoff(rank)
    }

    /// Returns the end of the backoff with index `rank` at a station, if the station senses nothing after the
    /// transmissions that it has read so far.
    #[inline]
    pub(crate) fn backoff_ends(&self, at: u32, rank: usize) -> Instant {
        self.stations[at as usize].backoff_ends(rank, &self.rules)
    }
}
