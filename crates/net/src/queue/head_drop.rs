//! Head drop: first in, first out; an arrival at a full queue pushes out the packet that has waited longest.
//!
//! Source: Lakshman, Neidhardt and Ott, "The drop from front strategy in TCP and in TCP over ATM", INFOCOM 1996.
//! The sender learns of the loss one queueing delay earlier than with drop tail, and the packets that are sent have
//! waited less. ns-2 has this discipline as `drop_front_`, Linux as `pfifo_head_drop`.
//!
//! Left out: nothing. Validated: order by hand. Under overload a packet waits for capacity / arrival rate,
//! while with drop tail it waits for capacity / service rate (`sim`'s tests).

use super::backlog::{Backlog, Fifo};
use super::discipline::{Decisions, Site};
use super::limit::Limit;
use base::DropCause;
use settings::Settings;

/// Settings of a head-drop queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Config {
    /// Capacity of the queue.
    #[setting(flatten)]
    pub limit: Limit,
}

/// State of a head-drop queue.
#[derive(Clone, Debug)]
pub struct HeadDrop {
    limit: Limit,
    backlog: Backlog,
}

impl HeadDrop {
    pub(super) fn new(config: &Config, _: &Site) -> Self {
        Self { limit: config.limit, backlog: Backlog::default() }
    }
}

impl Fifo for HeadDrop {
    fn backlog(&self) -> &Backlog {
        &self.backlog
    }

    fn backlog_mut(&mut self) -> &mut Backlog {
        &mut self.backlog
    }

    fn limit(&self) -> Limit {
        self.limit
    }

    fn make_room(&mut self, wire: u32, out: &mut Decisions) {
        while !self.backlog.fits(self.limit, wire) {
            let Some(oldest) = self.backlog.pop() else { return };
            out.drop(oldest, DropCause::Queue);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::discipline::Discipline;
    use super::super::tests::{datagram, ms, site};
    use super::*;

    /// The limit is three packets, one of which is in transmission: at the fourth arrival the oldest waiting packet is dropped.
    #[test]
    fn the_oldest_goes() {
        let mut queue = HeadDrop::new(&Config { limit: Limit::Packets(3) }, &site());
        let mut out = Decisions::default();
        for flow in 0..4 {
            queue.enqueue(ms(0), datagram(flow, 1000), &mut out);
            if flow == 0 {
                assert!(queue.dequeue(ms(0), &mut out).is_some());
            }
        }
        let dropped: Vec<_> =
            out.dropped.iter().map(|(queued, cause)| (queued.packet.flow.0, *cause)).collect();
        assert_eq!(dropped, [(1, DropCause::Queue)]);
        queue.sent();
        assert_eq!(queue.dequeue(ms(1), &mut out).map(|queued| queued.packet.flow.0), Some(2));
    }

    /// A packet larger than the limit is dropped, after all packets that waited in the queue.
    #[test]
    fn what_never_fits_is_dropped() {
        let mut queue = HeadDrop::new(&Config { limit: Limit::Bytes(1500) }, &site());
        let mut out = Decisions::default();
        queue.enqueue(ms(0), datagram(0, 1000), &mut out);
        queue.enqueue(ms(0), datagram(1, 2000), &mut out);
        let dropped: Vec<_> = out.dropped.iter().map(|(queued, _)| queued.packet.flow.0).collect();
        assert_eq!((dropped, queue.packets()), (vec![0, 1], 0));
    }
}
