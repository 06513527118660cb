//! Queue disciplines above the stations' own queues: a discipline fills its station's queue whenever that has room, as Linux's and
//! ns-3's do (flow control between device and discipline). It sees the delay of what waits in it, not that of the queue below, and where it
//! drops early, a flow in slow start loses a few packets in place of all that overflow.
//!
//! Messages of routing protocols go past it.

use crate::config::Config;
use crate::network::Network;
use crate::routing::Datagram;
use crate::station::{Held, Load};
use base::{DataRate, DropCause, Instant, Packet};
use net::queue::{Decisions, Discipline, Queue};
use radio::access::Outbox;

/// The disciplines of a network, one for each function.
#[derive(Clone, Debug)]
pub(crate) struct Above {
    disciplines: Vec<Queue>,
    /// What waits in them: a discipline knows a packet, whose route says where in this list the rest of it is.
    waiting: Vec<(Datagram, u32)>,
    free: Vec<u32>,
    decisions: Decisions,
}

impl Above {
    /// Empty disciplines, where `config` has one.
    pub(crate) fn new(config: &Config, functions: usize, seed: u64, name: &str) -> Option<Self> {
        let discipline = config.queue.discipline.as_ref()?;
        let rate = DataRate::from_bps(config.phy.data.bps())?;
        let one = |f| Queue::new(discipline, rate, seed, &format!("{name}.discipline.{f}"));
        Some(Self {
            disciplines: (0..functions).map(one).collect(),
            waiting: Vec::new(),
            free: Vec::new(),
            decisions: Decisions::default(),
        })
    }

    /// Packets waiting above a function.
    pub(crate) fn packets(&self, f: u32) -> usize {
        self.disciplines[f as usize].packets()
    }

    fn enqueue(&mut self, now: Instant, f: u32, datagram: Datagram, via: u32) {
        let number = self.free.pop().unwrap_or(self.waiting.len() as u32);
        if number as usize == self.waiting.len() {
            self.waiting.push((datagram, via));
        } else {
            self.waiting[number as usize] = (datagram, via);
        }
        let packet = Packet { route: number, ..datagram.packet };
        self.disciplines[f as usize].enqueue(now, packet, &mut self.decisions);
    }

    fn dequeue(&mut self, now: Instant, f: u32) -> Option<(Datagram, u32)> {
        let held = self.disciplines[f as usize].dequeue(now, &mut self.decisions)?;
        self.disciplines[f as usize].sent();
        Some(self.release(held.packet))
    }

    /// What a discipline hands back, as it came, but for a mark that it may have.
    fn release(&mut self, packet: Packet) -> (Datagram, u32) {
        let (datagram, via) = self.waiting[packet.route as usize];
        self.free.push(packet.route);
        let packet = Packet { route: datagram.packet.route, ..packet };
        (Datagram { packet, ..datagram }, via)
    }

    fn dropped(&mut self) -> Option<(Datagram, DropCause)> {
        let (held, cause) = self.decisions.dropped.pop()?;
        Some((self.release(held.packet).0, cause))
    }

    /// Takes out what is for neighbour `via`.
    pub(crate) fn take(&mut self, f: u32, via: u32) -> Vec<Datagram> {
        let (gone, stay): (Vec<_>, Vec<_>) = self.disciplines[f as usize]
            .drain()
            .into_iter()
            .partition(|held| self.waiting[held.packet.route as usize].1 == via);
        stay.into_iter().for_each(|held| self.disciplines[f as usize].adopt(held));
        gone.into_iter().map(|held| self.release(held.packet).0).collect()
    }
}

impl Network {
    /// A packet joins the discipline above a function's queue, and the queue takes what it has room for.
    pub(crate) fn enqueue_above(&mut self, now: Instant, f: u32, packet: (Datagram, u32), out: &mut Outbox) {
        if let Some(above) = &mut self.above {
            above.enqueue(now, f, packet.0, packet.1);
            self.refill(now, f, out);
        }
    }

    /// A function's queue takes packets from the discipline above it while it has room.
    #[inline]
    pub(crate) fn refill(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let Some(above) = &mut self.above else { return };
        let queue = &mut self.functions[f as usize].queue;
        while queue.len() < self.config.queue.packets as usize {
            let Some((datagram, via)) = above.dequeue(now, f) else { break };
            queue.push_back(Held { load: Load::Datagram(datagram), via, came: now });
        }
        above.decisions.marked.clear();
        let at = self.station_of(f);
        while let Some((datagram, cause)) = self.above.as_mut().and_then(Above::dropped) {
            self.lose_queued(at, datagram, cause, out);
        }
    }
}
