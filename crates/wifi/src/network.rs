//! The network: packets in and out, who transmits next, and when.

use crate::above::Above;
use crate::air::Air;
use crate::association::Association;
use crate::backoff::{Backoff, Rules};
use crate::channel::Channel;
use crate::config::{Config, Eifs, IdleAccess};
use crate::ear::{Ear, Hearing};
use crate::edca::AccessCategory;
use crate::exchange::Event;
use crate::frames::Frames;
use crate::ibss;
use crate::rate::Controllers;
use crate::reception::Rule;
use crate::relay::Messages;
use crate::routing::{Datagram, Router};
use crate::station::{Function, Load, Mpdu, Service, State};
use crate::stats::{CategoryStats, StationStats, Stats};
use base::{DropCause, Instant, Packet, Rng};
use radio::access::{Outbox, Station};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Stations of one 802.11 network.
///
/// Addresses are known from the start: there is no ARP. Duplicates are recognised by the sender's knowledge of what the
/// receiver has, which comes to the same as the standard's cache of sequence numbers. Left out: fragmentation, power
/// save, PCF.
#[derive(Clone, Debug)]
pub struct Network {
    pub(crate) config: Config,
    pub(crate) frames: Frames,
    pub(crate) hearing: Hearing,
    pub(crate) channel: Channel,
    pub(crate) air: Air,
    pub(crate) stations: Vec<State>,
    /// What contends at the stations: one function each or, with EDCA, four, station after station.
    pub(crate) functions: Vec<Function>,
    /// How many binary digits of a function's number say which of its station's it is.
    pub(crate) shift: u32,
    /// And which these are: all ones.
    pub(crate) ranks: u32,
    pub(crate) router: Router,
    pub(crate) messages: Messages,
    pub(crate) above: Option<Above>,
    /// Functions that contend for the medium, and for each a lower bound of when it transmits, and when it does by all that
    /// its station has read.
    contenders: Vec<u32>,
    bounds: Vec<Instant>,
    fires: Vec<Instant>,
    /// The contender that transmits next, and when.
    pub(crate) first: Option<(Instant, u32)>,
    /// What is due, in order; ties in the order of scheduling.
    pub(crate) events: BinaryHeap<Reverse<(Instant, u64, Event)>>,
    pub(crate) scheduled: u64,
    /// What chooses rates, where they are not constant.
    pub(crate) controllers: Option<Box<Controllers>>,
    /// When the next beacon is due, and in an ad hoc network the stations that are about to send theirs.
    pub(crate) tbtt: Instant,
    pub(crate) with_beacon: Vec<u32>,
}

impl Network {
    /// A network from a configuration that [`Config::check`] has found right. Random streams are named after `name`.
    pub fn new(config: &Config, seed: u64, name: &str) -> Self {
        let rules = Rules::new(&config.mac, config.phy.cca_time);
        let frames = Frames::new(config);
        let mut channel = Channel::new(config, seed, name);
        let functions = config.mac.accesses(config.mac.cw_min).len();
        let stations = (0..config.sites.len() as u32)
            .map(|i| {
                let window = config.non_erp.as_ref().filter(|_| config.is_non_erp(Station(i)));
                let window = window.map_or(config.mac.cw_min, |non_erp| non_erp.cw_min);
                let accesses = config.mac.accesses(window);
                let backoffs = accesses.iter().zip(AccessCategory::ALL).map(|(access, category)| {
                    let of = config.mac.edca.map_or_else(String::new, |_| format!(".{}", category.name()));
                    let rng = Rng::stream(seed, &format!("{name}.station.{i}.backoff{of}"));
                    Backoff::new(access, &config.mac, rng)
                });
                let noise = Rng::stream(seed, &format!("{name}.station.{i}.reception"));
                let categories = config.mac.edca.map_or(0, |_| accesses.len());
                let categories = vec![CategoryStats::default(); categories];
                let stats = StationStats { categories, ..StationStats::default() };
                let mut backoffs: Vec<Backoff> = backoffs.collect();
                if config.access_point.is_none() && config.mac.beacons.is_some() {
                    let rng = Rng::stream(seed, &format!("{name}.station.{i}.beacon"));
                    backoffs.push(ibss::delay(&config.mac, window, rng));
                }
                let deaf = config.deaf(Station(i));
                State::new(Ear::new(i, backoffs, noise, deaf), stats)
            })
            .collect();
        let receives = |from, to| {
            let power = channel.path(from, to, Instant::ZERO).power;
            power >= frames.reach[frames.set(from, to)]
        };
        let everyone = config.sites.len() as u32;
        let (frame, streams) = (frames.standard_frame(frames.slow - 1), (seed, name));
        let router = Router::new(&config.routing, config.access_point, everyone, frame, streams, receives);
        let hearing = Hearing {
            rule: Rule::new(&config.phy),
            modes: frames.robustness(&config.phy),
            dsss: frames.dsss(),
            ifs: frames.ifs,
            eifs: frames.eifs(config.mac.eifs == Eifs::Dynamic, config.mac.aggregation.is_some()),
            nav_reset: config.mac.nav_reset.then(|| frames.nav_reset()),
            beacons: match config.access_point {
                Some(_) => config.mac.association == Association::Exchange,
                None => config.mac.beacons.is_some(),
            },
            backoff: rules,
        };
        let mut network = Self {
            config: config.clone(),
            controllers: Controllers::new(config, &frames, seed, name),
            tbtt: Instant::ZERO,
            with_beacon: Vec::new(),
            frames,
            hearing,
            channel,
            air: Air::default(),
            stations,
            functions: vec![Function::new(); functions * config.sites.len()],
            shift: functions.trailing_zeros(),
            ranks: functions as u32 - 1,
            router,
            messages: Messages::default(),
            above: Above::new(config, functions * config.sites.len(), seed, name),
            contenders: Vec::new(),
            bounds: Vec::new(),
            fires: Vec::new(),
            first: None,
            events: BinaryHeap::new(),
            scheduled: 0,
        };
        if config.mac.beacons.is_some() {
            network.schedule(Instant::ZERO, Event::Beacon);
        }
        (0..everyone).for_each(|at| network.wake(at));
        network
    }

    /// A packet enters the network at `at` and wants to leave it at `to`; with EDCA as best effort.
    pub fn send(&mut self, now: Instant, at: Station, to: Station, packet: Packet, out: &mut Outbox) {
        self.send_as(AccessCategory::default(), now, (at, to), packet, out);
    }

    /// A packet enters the network at the first of `ends` and wants to leave it at the second; where stations tell access
    /// categories apart, in this one.
    pub fn send_as(
        &mut self,
        category: AccessCategory,
        now: Instant,
        ends: (Station, Station),
        packet: Packet,
        out: &mut Outbox,
    ) {
        let (from, to) = ends;
        self.stations[from.index()].stats.entered += 1;
        let overhead = self.config.routing.overhead(from, to, self.config.standard.is_qos());
        self.pass_on(now, from.0, Datagram { packet, from, to, hops: 0, category, overhead }, None, out);
        self.elect(now);
    }

    /// When [`Network::run`] wants to be called; `None`: nothing is pending.
    pub fn next(&self) -> Option<Instant> {
        let event = self.events.peek().map(|Reverse((at, ..))| *at);
        let first = self.first.map(|(at, _)| at);
        match (event, first) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Does everything that is due at or before `now`.
    pub fn run(&mut self, now: Instant, out: &mut Outbox) {
        loop {
            let event = self.events.peek().map_or(Instant::MAX, |Reverse((at, ..))| *at);
            let fire = self.first.map_or(Instant::MAX, |(at, _)| at);
            if event.min(fire) > now {
                return;
            }
            let at = event.min(fire);
            if event <= fire {
                if let Some(Reverse((_, _, event))) = self.events.pop() {
                    self.handle(at, event, out);
                }
            } else if let Some((_, contender)) = self.first {
                match contender & ibss::BEACON {
                    0 => self.try_to_fire(at, contender, out),
                    _ => self.send_beacon(at, contender & !ibss::BEACON),
                }
            }
            self.elect(at);
        }
    }

    /// Closes the books at the end of the run.
    pub fn finish(&mut self, _now: Instant) {
        for at in 0..self.stations.len() {
            let functions = self.functions_of(at as u32).map(|f| &self.functions[f as usize]);
            let held = functions.map(|function| {
                let queued = function.queue.iter().filter(|held| held.load.is_datagram());
                let unfinished =
                    function.mpdus.iter().filter(|mpdu| !mpdu.released && mpdu.held.load.is_datagram());
                queued.count() + unfinished.count()
            });
            let held: usize = held.sum();
            let above = self
                .above
                .as_ref()
                .map_or(0, |above| self.functions_of(at as u32).map(|f| above.packets(f)).sum::<usize>());
            let without_route = match &self.router {
                Router::Fixed(_) => 0,
                Router::Adaptive(routers) => routers[at].waiting(),
            };
            self.stations[at].stats.left = (held + above + without_route) as u64;
        }
    }

    /// What was counted.
    pub fn stats(&self) -> Stats {
        Stats { stations: self.stations.iter().map(|station| station.stats.clone()).collect() }
    }

    /// Whether `to` receives `from` on a silent channel.
    pub(crate) fn reaches(&mut self, now: Instant, from: u32, to: u32) -> bool {
        self.channel.path(from, to, now).power >= self.frames.reach[self.frames.set(from, to)]
    }

    /// A function that is sending nothing takes the next packet, if there is one, and contends for the medium; with the backoff
    /// that it has just drawn, or as [`Network::contend`] finds.
    pub(crate) fn serve(&mut self, now: Instant, f: u32, drawn: bool, out: &mut Outbox) {
        self.drop_expired(now, f, out);
        self.refill(now, f, out);
        let function = &mut self.functions[f as usize];
        let Some(held) = function.queue.pop_front() else { return };
        function.service = Some(Service::new(held.via));
        function.mpdus.push(Mpdu::new(held));
        self.refill(now, f, out);
        self.contend(now, f, drawn);
    }

    /// Packets that have waited too long leave the queue.
    #[inline]
    pub(crate) fn drop_expired(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let Some(lifetime) = self.config.queue.lifetime else { return };
        let at = self.station_of(f);
        while let Some(held) = self.functions[f as usize].queue.front().copied() {
            if now.since(held.came) <= lifetime {
                return;
            }
            self.functions[f as usize].queue.pop_front();
            if let Load::Datagram(datagram) = held.load {
                self.lose_queued(at, datagram, DropCause::Queue, out);
            }
            self.release(held.load);
            self.refill(now, f, out);
        }
    }

    /// A function with something to send contends for the medium. A backoff that has been drawn or still runs goes on; without
    /// one the medium may be had at once where it is idle. While its station is in an exchange it waits.
    pub(crate) fn contend(&mut self, now: Instant, f: u32, drawn: bool) {
        let at = self.station_of(f);
        self.listen(at, now);
        let rank = self.rank(f);
        let (hearing, rules) = (&self.hearing, &self.hearing.backoff);
        let station = &mut self.stations[at as usize];
        let ear = &mut station.ear;
        let silent = self.config.mac.idle_access == IdleAccess::BetweenFrames && station.answers > now;
        let busy = (ear.is_busy(now) && !silent) || station.exchanging;
        ear.backoffs[rank].contends = true;
        if !drawn && !busy && ear.fires(rank, hearing) <= now {
            ear.backoffs[rank].clear();
        }
        let backoff = &mut ear.backoffs[rank];
        if !drawn && !backoff.runs() {
            let always = self.config.mac.idle_access == IdleAccess::Backoff;
            if busy || always {
                backoff.draw(rules);
            }
            if !busy {
                backoff.hold = if always { now + backoff.aifs } else { now };
            }
        }
        if station.exchanging {
            return;
        }
        self.functions[f as usize].contender = Some(self.contenders.len() as u32);
        self.contenders.push(f);
        self.bounds.push(ear.fires_at_least(rank, hearing, now));
        self.fires.push(ear.fires(rank, hearing));
    }

    /// A function no longer contends: it transmits.
    fn withdraw(&mut self, f: u32) {
        let (at, rank) = (self.station_of(f), self.rank(f));
        let backoff = &mut self.stations[at as usize].ear.backoffs[rank];
        backoff.contends = false;
        backoff.clear();
        self.leave(f);
    }

    /// A function is no longer among those that may transmit.
    pub(crate) fn leave(&mut self, f: u32) {
        let Some(slot) = self.functions[f as usize].contender.take() else { return };
        self.contenders.swap_remove(slot as usize);
        self.bounds.swap_remove(slot as usize);
        self.fires.swap_remove(slot as usize);
        if let Some(moved) = self.contenders.get(slot as usize) {
            self.functions[*moved as usize].contender = Some(slot);
        }
    }

    /// A station reads what it has not read of the log.
    #[inline]
    pub(crate) fn listen(&mut self, at: u32, now: Instant) {
        let ear = &mut self.stations[at as usize].ear;
        ear.cursor = ear.cursor.max(self.air.first());
        while ear.cursor < self.air.end() {
            ear.read(ear.cursor, self.air.get(ear.cursor), &self.air, &mut self.channel, &self.hearing);
            ear.cursor += 1;
        }
        ear.settle(now, &self.hearing, &self.air);
    }

    /// Something is on its way that may let contenders have the medium from `from` on, earlier than they could know.
    pub(crate) fn hurry(&mut self, from: Instant) {
        self.bounds.iter_mut().for_each(|bound| *bound = (*bound).min(from));
    }

    /// Finds the contender that transmits next. Only those read the log that could be it.
    fn elect(&mut self, now: Instant) {
        let end = self.air.end();
        let mut first = Instant::MAX;
        let mut who = 0;
        for slot in 0..self.contenders.len() {
            if self.bounds[slot] >= first {
                continue;
            }
            let f = self.contenders[slot];
            let (at, rank) = (self.station_of(f), self.rank(f));
            if self.stations[at as usize].ear.cursor < end || self.shift > 0 {
                self.listen(at, now);
            }
            // It may have read something since, for another function or as a receiver: a frame without errors ends EIFS.
            let ear = &self.stations[at as usize].ear;
            debug_assert!(ear.fires(rank, &self.hearing) >= self.bounds[slot], "function {f} at {now}");
            self.bounds[slot] = ear.fires_at_least(rank, &self.hearing, now);
            self.fires[slot] = ear.fires(rank, &self.hearing);
            if self.fires[slot] < first {
                (first, who) = (self.fires[slot], f);
            }
        }
        self.first = (first < Instant::MAX).then_some((first.max(now), who));
        if !self.with_beacon.is_empty() {
            self.elect_beacon(now);
        }
    }

    /// When a function transmits is worked out anew, if it contends.
    pub(crate) fn reckon(&mut self, now: Instant, f: u32) {
        let Some(slot) = self.functions[f as usize].contender else { return };
        let (at, rank) = (self.station_of(f), self.rank(f));
        self.listen(at, now);
        let ear = &self.stations[at as usize].ear;
        self.bounds[slot as usize] = ear.fires_at_least(rank, &self.hearing, now);
        self.fires[slot as usize] = ear.fires(rank, &self.hearing);
    }

    /// The backoff of a function has ended, by what was known; if it has, the function transmits.
    fn try_to_fire(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let at = self.station_of(f);
        let rank = self.rank(f);
        self.listen(at, now);
        let ear = &self.stations[at as usize].ear;
        let fires = ear.fires(rank, &self.hearing);
        debug_assert!(fires >= now, "function {f} was to transmit at {fires}, and it is {now}");
        if fires > now {
            if let Some(slot) = self.functions[f as usize].contender {
                self.bounds[slot as usize] = ear.fires_at_least(rank, &self.hearing, now);
                self.fires[slot as usize] = fires;
            }
            return;
        }
        if self.shift == 0 {
            self.withdraw(f);
            return self.transmit(now, f);
        }
        let (winner, others) = self.who_wins(now, f);
        self.withdraw(winner);
        self.transmit(now, winner);
        for other in others {
            self.collide_inside(now, other, out);
        }
    }
}
