//! The core: the links between the gateway and an eNodeB, and between eNodeBs.
//!
//! Packets travel in GTP-U tunnels (TS 29.281): IP, UDP and GTP headers add to each.

use crate::config::Backhaul;
use crate::rlc::Held;
use base::{Instant, Packet, Stamp};
use net::{Admission, Link};
use std::collections::VecDeque;

/// Headers of a tunnel, bytes: IPv4 20, UDP 8, GTP-U 8.
pub(crate) const TUNNEL: u32 = 36;

/// One direction.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    link: Link,
    /// Packets on their way with the UE whose tunnel they are in, first in first out.
    flying: VecDeque<(Instant, u32, Held)>,
}

impl Path {
    pub fn new(backhaul: &Backhaul) -> Self {
        Self { link: Link::new(backhaul.rate, backhaul.delay, backhaul.queue), flying: VecDeque::new() }
    }

    /// A packet of UE `ue` enters at `now`: when it arrives; `None`: no room.
    pub fn send(&mut self, now: Instant, ue: u32, held: Held) -> Option<Instant> {
        let tunnelled = Packet { wire: held.packet.wire + TUNNEL, ..held.packet };
        let Admission::Departs { departs, .. } = self.link.admit(Stamp::new(now, now), &tunnelled) else {
            return None;
        };
        let at = self.link.arrival(departs).at;
        self.flying.push_back((at, ue, held));
        Some(at)
    }

    /// When the next packet arrives.
    #[inline]
    pub fn next(&self) -> Option<Instant> {
        self.flying.front().map(|&(at, ..)| at)
    }

    /// The next packet, where it arrives before `end`.
    pub fn pop_before(&mut self, end: Instant) -> Option<(Instant, u32, Held)> {
        if self.next()? < end { self.flying.pop_front() } else { None }
    }

    /// Whether packets for UE `ue` are on their way.
    pub fn carries(&self, ue: u32) -> bool {
        self.flying.iter().any(|&(_, of, _)| of == ue)
    }

    /// Packets on their way.
    pub fn inside(&self) -> usize {
        self.flying.len()
    }
}
