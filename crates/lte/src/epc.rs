//! Evolved packet core (EPC): links between the gateway and each eNodeB and between eNodeBs, and the routes of UEs'
//! packets.
//!
//! Packets travel in GTP-U tunnels (TS 29.281), which add IP, UDP and GTP-U headers.

use crate::config::{Backhaul, Config};
use crate::rlc::Sdu;
use base::{Duration, Instant, Packet, Stamp};
use net::{Admission, Departure, Link};
use std::collections::VecDeque;

/// Headers that a tunnel adds, bytes: IPv4 20, UDP 8, GTP-U 8.
const TUNNEL: u32 = 36;

/// One direction of a link, with its queue.
#[derive(Clone, Debug)]
struct Path {
    link: Link,
    /// Packets on their way, each with its time of arrival and its UE, in order of arrival.
    in_flight: VecDeque<(Instant, u32, Sdu)>,
}

impl Path {
    fn new(backhaul: &Backhaul) -> Self {
        Self {
            link: Link::new(backhaul.rate, backhaul.delay, backhaul.queue.limit),
            in_flight: VecDeque::new(),
        }
    }

    /// Sends a packet of UE `ue` at `now`; returns its time of arrival, or `None` if the queue is full and the packet
    /// is lost.
    fn send(&mut self, now: Instant, ue: u32, sdu: Sdu) -> Option<Instant> {
        let tunnelled = Packet { wire: sdu.packet.wire + TUNNEL, ..sdu.packet };
        let Admission::Departs(Departure { departs, .. }) = self.link.admit(Stamp::new(now, now), &tunnelled)
        else {
            return None;
        };
        let at = self.link.arrival(departs).at;
        self.in_flight.push_back((at, ue, sdu));
        Some(at)
    }

    /// Returns the arrival time of the next packet.
    #[inline]
    fn next(&self) -> Option<Instant> {
        self.in_flight.front().map(|&(at, ..)| at)
    }

    /// Removes the next packet if it arrives before `end`; returns its time of arrival, its UE and the packet.
    fn pop_before(&mut self, end: Instant) -> Option<(Instant, u32, Sdu)> {
        if self.next()? < end { self.in_flight.pop_front() } else { None }
    }

    /// Returns true if the link has packets of UE `ue` on their way.
    fn carries(&self, ue: u32) -> bool {
        self.in_flight.iter().any(|&(_, of, _)| of == ue)
    }
}

/// Links of one eNodeB: S1 in each direction, and X2.
#[derive(Clone, Debug)]
struct Links {
    down: Path,
    up: Path,
    /// Link to other eNodeBs, for forwarding.
    x2: Path,
}

/// Route of one UE's downlink packets.
#[derive(Clone, Debug)]
struct Route {
    /// Cell to which the gateway sends the packets.
    cell: usize,
    /// True while packets may be on their way over the old cell or X2.
    detour: bool,
    /// Packets that came over the new path, held until those on the old path have arrived.
    waiting: VecDeque<Sdu>,
}

/// Links of all eNodeBs, and routes of all UEs.
#[derive(Clone, Debug)]
pub(crate) struct Epc {
    links: Vec<Links>,
    routes: Vec<Route>,
    /// Number of packets held in all `Route::waiting`.
    waiting: usize,
}

impl Epc {
    /// Creates the core network of `config`'s eNodeBs. `cells` yields the serving cell of each UE.
    pub(crate) fn new(config: &Config, cells: impl Iterator<Item = usize>) -> Self {
        let links = Links {
            down: Path::new(&config.s1),
            up: Path::new(&config.s1),
            x2: Path::new(config.handover.a3().map_or(&config.s1, |a3| &a3.x2)),
        };
        let route = |cell| Route { cell, detour: false, waiting: VecDeque::new() };
        Self { links: vec![links; config.enbs.len()], routes: cells.map(route).collect(), waiting: 0 }
    }

    pub(crate) fn cells(&self) -> usize {
        self.links.len()
    }

    /// Sends a packet for UE `ue` from the gateway; returns its time of arrival at the eNodeB, or `None` if the queue
    /// is full and the packet is lost.
    pub(crate) fn send_down(&mut self, now: Instant, ue: u32, sdu: Sdu) -> Option<Instant> {
        let cell = self.routes[ue as usize].cell;
        self.links[cell].down.send(now, ue, sdu)
    }

    /// Sends a packet of UE `ue` from the eNodeB of `cell` to the gateway; returns its time of arrival, or `None` if
    /// the queue is full and the packet is lost.
    pub(crate) fn send_up(&mut self, now: Instant, cell: usize, ue: u32, sdu: Sdu) -> Option<Instant> {
        self.links[cell].up.send(now, ue, sdu)
    }

    /// Forwards a packet for UE `ue` from the eNodeB of `cell` over X2; returns its time of arrival, or `None` if the
    /// queue is full and the packet is lost.
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

    /// Removes the next packet from `cell` that arrives at the gateway at or before `now`; returns its time of
    /// arrival, its UE and the packet.
    pub(crate) fn pop_at_gateway(&mut self, now: Instant, cell: usize) -> Option<(Instant, u32, Sdu)> {
        self.links[cell].up.pop_before(now + Duration::from_ps(1))
    }

    /// Removes the next packet that `cell` has forwarded over X2 and that arrives before `now`; returns its UE and
    /// the packet.
    pub(crate) fn pop_forwarded(&mut self, now: Instant, cell: usize) -> Option<(u32, Sdu)> {
        self.links[cell].x2.pop_before(now).map(|(_, ue, sdu)| (ue, sdu))
    }

    /// Removes the next packet from the gateway that arrives at the eNodeB of `cell` before `now`; returns its UE and
    /// the packet.
    pub(crate) fn pop_at_enb(&mut self, now: Instant, cell: usize) -> Option<(u32, Sdu)> {
        self.links[cell].down.pop_before(now).map(|(_, ue, sdu)| (ue, sdu))
    }

    /// Records that UE `ue` has left its cell: packets may now come over the old cell and X2.
    pub(crate) fn detour(&mut self, ue: u32) {
        self.routes[ue as usize].detour = true;
    }

    /// Makes the gateway send packets for UE `ue` to `cell` from now on (path switch).
    pub(crate) fn switch_path(&mut self, ue: u32, cell: usize) {
        self.routes[ue as usize].cell = cell;
    }

    /// Returns true while packets for UE `ue` may come by another path than straight from the gateway to `serving`,
    /// its cell.
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

    /// Holds a packet for UE `ue` until the packets on the old path have arrived.
    pub(crate) fn wait(&mut self, ue: u32, sdu: Sdu) {
        self.routes[ue as usize].waiting.push_back(sdu);
        self.waiting += 1;
    }

    /// Returns true if packets of any UE are held.
    pub(crate) fn any_waits(&self) -> bool {
        self.waiting > 0
    }

    /// Removes the next held packet of UE `ue`, served by cell `serving`, once no packet is left on the old path;
    /// returns it.
    pub(crate) fn pop_waiting(&mut self, ue: u32, serving: usize) -> Option<Sdu> {
        if self.routes[ue as usize].waiting.is_empty() || self.detoured(ue, serving) {
            return None;
        }
        self.waiting -= 1;
        self.routes[ue as usize].waiting.pop_front()
    }

    /// Returns the number of packets in transit on the links or held.
    pub(crate) fn inside(&self) -> usize {
        let links = |links: &Links| [&links.down, &links.up, &links.x2].map(|path| path.in_flight.len());
        self.links.iter().flat_map(links).sum::<usize>() + self.waiting
    }
}
