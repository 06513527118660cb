//! Interface of a network to its caller: packets in and out, and the time of the next call.

use crate::config::Config;
use crate::mac::edca::AccessCategory;
use crate::mac::exchange::FrameExchangeManager;
use crate::stats::Stats;
use base::{Buffer, Instant, Packet, QueueVariable};
use radio::access::{Outbox, Station};
use routing::Datagram;

/// Stations of one 802.11 network.
///
/// Addresses are known from the start: there is no ARP. A receiver recognizes duplicates from the sender's state,
/// with the same effect as the standard's cache of sequence numbers. Left out: fragmentation, power save, PCF.
#[derive(Clone, Debug)]
pub struct Network {
    manager: FrameExchangeManager,
}

impl Network {
    /// Creates a network from a configuration that has passed [`Config::check`]. Random streams are named after `name`.
    pub fn new(config: &Config, seed: u64, name: &str) -> Self {
        Self { manager: FrameExchangeManager::new(config, seed, name) }
    }

    /// Sends a packet from station `at` to station `to`; with EDCA as best effort.
    pub fn send(&mut self, now: Instant, at: Station, to: Station, packet: Packet, out: &mut Outbox) {
        self.send_as(AccessCategory::default(), now, (at, to), packet, out);
    }

    /// Sends a packet from the first station of `ends` to the second. With EDCA the packet has this access category;
    /// without EDCA the category is ignored.
    pub fn send_as(
        &mut self,
        category: AccessCategory,
        now: Instant,
        ends: (Station, Station),
        packet: Packet,
        out: &mut Outbox,
    ) {
        let (from, to) = ends;
        let FrameExchangeManager { mac, forwarding, .. } = &mut self.manager;
        mac.counters.of(from.0).entered += 1;
        let overhead = mac.config.routing.overhead(from, to, mac.config.standard.is_qos());
        let datagram = Datagram { packet, from, to, hops: 0, overhead, priority: category as u8 };
        forwarding.forward(now, from.0, datagram, None, mac, out);
        self.manager.find_first(now);
    }

    /// Returns the time at which [`Network::run`] must be called next; `None` if no event is pending.
    pub fn next(&self) -> Option<Instant> {
        let event = self.manager.mac.schedule.next();
        let first = self.manager.mac.contention.first.map(|(at, _)| at);
        match (event, first) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Carries out everything that is due at or before `now`.
    pub fn run(&mut self, now: Instant, out: &mut Outbox) {
        loop {
            let mac = &mut self.manager.mac;
            let event = mac.schedule.next().unwrap_or(Instant::MAX);
            let access = mac.contention.first.map_or(Instant::MAX, |(at, _)| at);
            let at = event.min(access);
            if at > now {
                return;
            }
            if event <= access {
                if let Some(event) = mac.schedule.pop() {
                    self.manager.handle(at, event, out);
                }
            } else if let Some((_, contender)) = mac.contention.first {
                self.manager.access(at, contender, out);
            }
            self.manager.find_first(at);
        }
    }

    /// Reports to `see` how many packets and bytes wait at each station: in its own queues and, if there are any, in
    /// the queue disciplines above.
    pub fn buffers(&self, see: &mut dyn FnMut(Station, Buffer, u64, u64)) {
        let mac = &self.manager.mac;
        for at in 0..mac.stations() {
            let (packets, bytes) = mac.queued(at);
            see(Station(at), Buffer::Mac, packets, bytes);
            if let Some(disciplines) = &mac.disciplines {
                let each = mac.contention.edcaf_index.edcafs_of(at);
                let all = each.map(|f| (disciplines.packets(f) as u64, disciplines.bytes(f)));
                let (packets, bytes) = all.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
                see(Station(at), Buffer::Discipline, packets, bytes);
            }
        }
    }

    /// Reports the variables of each station's queue discipline to `see`; with EDCA those of best effort.
    pub fn variables(&self, see: &mut dyn FnMut(Station, QueueVariable, f64)) {
        let mac = &self.manager.mac;
        let Some(disciplines) = &mac.disciplines else { return };
        for at in 0..mac.stations() {
            let f = mac.contention.edcaf_index.edcaf_of(at, AccessCategory::BestEffort);
            disciplines.variables(f, &mut |variable, value| see(Station(at), variable, value));
        }
    }

    /// Completes the counters at the end of the run.
    pub fn finish(&mut self, _now: Instant) {
        let FrameExchangeManager { mac, forwarding, .. } = &mut self.manager;
        for at in 0..mac.stations() {
            mac.counters.of(at).left = (mac.packets(at) + forwarding.waiting(at)) as u64;
        }
    }

    /// Returns the counters of all stations, and the time during which at least one of them was transmitting.
    pub fn stats(&self) -> Stats {
        let counters = &self.manager.mac.counters;
        Stats { stations: counters.stations.clone(), busy: counters.busy }
    }
}
