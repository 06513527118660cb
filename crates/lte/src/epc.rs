//! The core (EPC): links between the gateway and each eNodeB and between eNodeBs, and the route of each UE's packets.
//!
//! Packets travel in GTP-U tunnels (TS 29.281): IP, UDP and GTP headers add to each.

use crate::config::{Backhaul, Config};
use crate::rlc::Sdu;
use base::{Duration, Instant, Packet, Stamp};
use net::{Admission, Link};
use std::collections::VecDeque;

/// Headers of a tunnel, bytes: IPv4 20, UDP 8, GTP-U 8.
const TUNNEL: u32 = 36;

/// One direction of a link.
#[derive(Clone, Debug)]
struct Path {
    link: Link,
    /// Packets on their way, each with its time of arrival and its UE, first in first out.
    in_flight: VecDeque<(Instant, u32, Sdu)>,
}

impl Path {
    fn new(backhaul: &Backhaul) -> Self {
        Self {
            link: Link::new(backhaul.rate, backhaul.delay, backhaul.queue.limit),
            in_flight: VecDeque::new(),
        }
    }

    /// Sends a packet of UE `ue` at `now`; returns its time of arrival, or `None` if the queue is full.
    fn send(&mut self, now: Instant, ue: u32, sdu: Sdu) -> Option<Instant> {
        let tunnelled = Packet { wire: sdu.packet.wire + TUNNEL, ..sdu.packet };
        let Admission::Departs { departs, .. } = self.link.admit(Stamp::new(now, now), &tunnelled) else {
            return None;
        };
        let at = self.link.arrival(departs).at;
        self.in_flight.push_back((at, ue, sdu));
        Some(at)
    }

    /// Returns the time at which the next packet arrives.
    #[inline]
    fn next(&self) -> Option<Instant> {
        self.in_flight.front().map(|&(at, ..)| at)
    }

    /// Takes out the next packet if it arrives before `end`.
    fn pop_before(&mut self, end: Instant) -> Option<(Instant, u32, Sdu)> {
        if self.next()? < end { self.in_flight.pop_front() } else { None }
    }

    /// Returns true if packets for UE `ue` are on their way.
    fn carries(&self, ue: u32) -> bool {
        self.in_flight.iter().any(|&(_, of, _)| of == ue)
    }
}

/// The links of an eNodeB.
#[derive(Clone, Debug)]
struct Links {
    down: Path,
    up: Path,
    /// The link to other eNodeBs.
    x2: Path,
}

/// Route of a UE's downlink packets.
#[derive(Clone, Debug)]
struct Route {
    /// The cell to which the gateway sends them.
    cell: usize,
    /// True while packets may be on their way by another path.
    detour: bool,
    /// Packets on the new path, held until those on the old path have arrived.
    waiting: VecDeque<Sdu>,
}

/// The links of all eNodeBs and the routes of all UEs.
#[derive(Clone, Debug)]
pub(crate) struct Epc {
    links: Vec<Links>,
    routes: Vec<Route>,
    /// Number of packets held after a path switch, over all UEs.
    waiting: usize,
}

impl Epc {
    /// Creates the core of `config`'s eNodeBs, with UEs in `cells`.
    pub(crate) fn new(config: &Config, cells: impl Iterator<Item = usize>) -> Self {
        let links = Links {
            down: Path::new(&config.s1),
            up: Path::new(&config.s1),
            x2: Path::new(config.handover.a3().map_or(&config.s1, |a3| &a3.x2)),
        };
        let route = |cell| Route { cell, detour: false, waiting: VecDeque::new() };
        Self { links: vec![links; config.enbs.len()], routes: cells.map(route).collect(), waiting: 0 }
    }

    /// Returns the number of eNodeBs.
    pub(crate) fn cells(&self) -> usize {
        self.links.len()
    }

    /// Sends a packet for UE `ue` from the gateway; returns its time of arrival at the eNodeB, or `None` if the queue
    /// is full.
    pub(crate) fn send_down(&mut self, now: Instant, ue: u32, sdu: Sdu) -> Option<Instant> {
        let cell = self.routes[ue as usize].cell;
        self.links[cell].down.send(now, ue, sdu)
    }

    /// Sends a packet from UE `ue` from the eNodeB of `cell` to the gateway; returns its time of arrival, or `None` if
    /// the queue is full.
    pub(crate) fn send_up(&mut self, now: Instant, cell: usize, ue: u32, sdu: Sdu) -> Option<Instant> {
        self.links[cell].up.send(now, ue, sdu)
    }

    /// Forwards a packet for UE `ue` from the eNodeB of `cell` over X2; returns its time of arrival, or `None` if the
    /// queue is full.
    pub(crate) fn forward(&mut self, now: Instant, cell: usize, ue: u32, sdu: Sdu) -> Option<Instant> {
        self.links[cell].x2.send(now, ue, sdu)
    }

    /// Returns the time at which the next packet arrives at the gateway.
    pub(crate) fn next_at_gateway(&self) -> Option<Instant> {
        self.links.iter().filter_map(|links| links.up.next()).min()
    }

    /// Returns the time at which the next packet arrives at an eNodeB.
    pub(crate) fn next_at_enb(&self) -> Option<Instant> {
        self.links.iter().flat_map(|links| [links.down.next(), links.x2.next()]).flatten().min()
    }

    /// Takes out the next packet from `cell` that arrives at the gateway at or before `now`; returns its time of
    /// arrival, its UE and the packet.
    pub(crate) fn pop_at_gateway(&mut self, now: Instant, cell: usize) -> Option<(Instant, u32, Sdu)> {
        self.links[cell].up.pop_before(now + Duration::from_ps(1))
    }

    /// Takes out the next packet that `cell` has forwarded and that arrives before `now`.
    pub(crate) fn pop_forwarded(&mut self, now: Instant, cell: usize) -> Option<(u32, Sdu)> {
        self.links[cell].x2.pop_before(now).map(|(_, ue, sdu)| (ue, sdu))
    }

    /// Takes out the next packet from the gateway that arrives in `cell` before `now`.
    pub(crate) fn pop_at_enb(&mut self, now: Instant, cell: usize) -> Option<(u32, Sdu)> {
        self.links[cell].down.pop_before(now).map(|(_, ue, sdu)| (ue, sdu))
    }

    /// Notes that UE `ue` has left its cell: packets may now be on their way by another path.
    pub(crate) fn detour(&mut self, ue: u32) {
        self.routes[ue as usize].detour = true;
    }

    /// Routes packets for UE `ue` to `cell` from now on.
    pub(crate) fn switch_path(&mut self, ue: u32, cell: usize) {
        self.routes[ue as usize].cell = cell;
    }

    /// Returns true while packets for UE `ue` are on their way by another path than the direct one to its cell,
    /// `serving`.
    pub(crate) fn detoured(&mut self, ue: u32, serving: usize) -> bool {
        let route = &mut self.routes[ue as usize];
        if route.detour {
            let carries = |(cell, links): (usize, &Links)| {
                links.x2.carries(ue) || (cell != serving && links.down.carries(ue))
            };
            route.detour = route.cell != serving || self.links.iter().enumerate().any(carries);
        }
        route.detour
    }

    /// Holds a packet for UE `ue` until those on the old path have arrived.
    pub(crate) fn wait(&mut self, ue: u32, sdu: Sdu) {
        self.routes[ue as usize].waiting.push_back(sdu);
        self.waiting += 1;
    }

    /// Returns true if packets of any UE are held.
    pub(crate) fn any_waits(&self) -> bool {
        self.waiting > 0
    }

    /// Takes out the next held packet of UE `ue` in cell `serving`, if no packet is left on the old path.
    pub(crate) fn pop_waiting(&mut self, ue: u32, serving: usize) -> Option<Sdu> {
        if self.routes[ue as usize].waiting.is_empty() || self.detoured(ue, serving) {
            return None;
        }
        self.waiting -= 1;
        self.routes[ue as usize].waiting.pop_front()
    }

    /// Returns the number of packets inside.
    pub(crate) fn inside(&self) -> usize {
        let links = |links: &Links| [&links.down, &links.up, &links.x2].map(|path| path.in_flight.len());
        self.links.iter().flat_map(links).sum::<usize>() + self.waiting
    }
}
