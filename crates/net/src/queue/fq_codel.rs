//! FQ-CoDel: a queue for each flow, CoDel in each (Hoeiland-Joergensen, McKenney, Taht, Gettys, Dumazet, RFC
//! 8290).
//!
//! A hash of the flow assigns each packet to a queue. Queues are served by deficit round robin with a quantum
//! in bytes. A queue that was empty is served first once (the list of new queues), so that sparse flows
//! hardly wait. CoDel decides on each queue's packets when they are dequeued. If all queues together exceed
//! the limit, the queue with the most bytes loses its oldest packet (section 4.1).
//!
//! A flow here is one direction of a flow of the scenario, so data and acknowledgments are two flows. The
//! hash is perturbed by the run's seed. CoDel's test for a nearly empty queue uses the flow's own queue. Left
//! out: `CE_THRESHOLD` (section 5.2.7). Validated: order of service by hand; in `sim`'s tests, equal shares
//! beside an unresponsive flow and the delay of a sparse flow.

use super::backlog::Backlog;
use super::codel::{self, Control};
use super::discipline::{Decisions, Discipline, Queued, Site};
use super::limit::Limit;
use base::{DropCause, Instant, Packet, QueueVariable};
use settings::Settings;
use settings::Size;
use std::collections::VecDeque;

/// Settings of FQ-CoDel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Config {
    /// Capacity of all queues together.
    #[setting(flatten, default = Limit::Packets(10_240))]
    pub limit: Limit,
    /// Settings of CoDel, which each queue runs.
    #[setting(flatten)]
    pub law: codel::Law,
    /// Bytes that a queue may send per round: unless given, an Ethernet MTU, since packets here have no
    /// link-layer header.
    #[setting(default = 1500, form = Size, range = 1..=1 << 20, source = "RFC 8290 section 5.2.4")]
    pub quantum: u32,
    /// Number of queues to which flows are assigned.
    #[setting(default = 1024, range = 1..=65_536, source = "RFC 8290 section 5.2.5")]
    pub queues: u32,
}

#[derive(Clone, Debug, Default)]
struct FlowQueue {
    backlog: Backlog,
    control: Control,
    /// Bytes that the queue may still send in this round (deficit).
    credits: i64,
    /// True if the queue is in `new` or `old`.
    active: bool,
}

/// State of an FQ-CoDel queue.
#[derive(Clone, Debug)]
pub struct FqCoDel {
    config: Config,
    /// Random value that enters the hash of flows.
    perturbation: u64,
    queues: Vec<FlowQueue>,
    /// Queues that were empty when a packet arrived, and have not used up their first quantum since.
    new: VecDeque<u32>,
    /// Other active queues, in the order in which they are served.
    old: VecDeque<u32>,
    packets: usize,
    bytes: u64,
    /// Number of queues whose CoDel is in the dropping state. The number is kept up to date because traces
    /// read it at every event.
    dropping: usize,
    /// Size of the packet in transmission, bytes.
    sending: Option<u32>,
}

impl FqCoDel {
    pub(super) fn new(config: &Config, site: &Site) -> Self {
        Self {
            config: *config,
            perturbation: site.rng().bits(),
            queues: vec![FlowQueue::default(); config.queues as usize],
            new: VecDeque::new(),
            old: VecDeque::new(),
            packets: 0,
            bytes: 0,
            dropping: 0,
            sending: None,
        }
    }

    /// Returns the index of the queue for a packet's flow.
    fn classify(&self, packet: &Packet) -> u32 {
        let flow = u64::from(packet.flow.0) << 1 | u64::from(packet.is_forward());
        // The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), applied to flow and perturbation.
        let mut z = flow.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(self.perturbation);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((u128::from(z) * u128::from(self.config.queues)) >> 64) as u32
    }

    fn push(&mut self, held: Queued) {
        let at = self.classify(&held.packet);
        self.packets += 1;
        self.bytes += u64::from(held.packet.wire);
        let queue = &mut self.queues[at as usize];
        queue.backlog.push(held);
        if !queue.active {
            queue.active = true;
            queue.credits = i64::from(self.config.quantum);
            self.new.push_back(at);
        }
    }

    fn overfull(&self) -> bool {
        match self.config.limit {
            Limit::Packets(n) => self.packets + usize::from(self.sending.is_some()) > n as usize,
            Limit::Bytes(n) => self.bytes + u64::from(self.sending.unwrap_or_default()) > n,
            Limit::Unlimited => false,
        }
    }

    /// Removes and returns the oldest packet of the queue with the most bytes. If several queues have as many
    /// bytes, takes the queue with the lowest index.
    fn behead_fattest(&mut self) -> Option<Queued> {
        let active = self.new.iter().chain(&self.old);
        let fattest = active.max_by_key(|at| (self.queues[**at as usize].backlog.bytes(), !**at))?;
        let held = self.queues[*fattest as usize].backlog.pop()?;
        self.forget(&held);
        Some(held)
    }

    fn forget(&mut self, held: &Queued) {
        self.packets -= 1;
        self.bytes -= u64::from(held.packet.wire);
    }
}

impl Discipline for FqCoDel {
    fn variables(&self, see: &mut dyn FnMut(QueueVariable, f64)) {
        see(QueueVariable::Dropping, self.dropping as f64);
        see(QueueVariable::Target, self.config.law.target.secs());
    }

    fn enqueue(&mut self, now: Instant, packet: Packet, out: &mut Decisions) {
        self.push(Queued { arrived: now, packet });
        while self.overfull()
            && let Some(held) = self.behead_fattest()
        {
            out.drop(held, DropCause::Queue);
        }
    }

    /// Returns the packet to transmit next (RFC 8290, section 4.2).
    fn dequeue(&mut self, now: Instant, out: &mut Decisions) -> Option<Queued> {
        loop {
            let from_new = !self.new.is_empty();
            let list = if from_new { &mut self.new } else { &mut self.old };
            let at = *list.front()?;
            let queue = &mut self.queues[at as usize];
            if queue.credits <= 0 {
                queue.credits += i64::from(self.config.quantum);
                list.pop_front();
                self.old.push_back(at);
                continue;
            }
            let dropped = out.dropped.len();
            self.dropping -= usize::from(queue.control.is_dropping());
            let held = queue.control.dequeue(&self.config.law, now, &mut queue.backlog, out);
            self.dropping += usize::from(queue.control.is_dropping());
            for (lost, _) in &out.dropped[dropped..] {
                self.packets -= 1;
                self.bytes -= u64::from(lost.packet.wire);
            }
            let Some(held) = held else {
                list.pop_front();
                if from_new {
                    // The queue stays in the rotation once more: otherwise a flow with one packet at a time
                    // would always be served first.
                    self.old.push_back(at);
                } else {
                    queue.active = false;
                }
                continue;
            };
            queue.credits -= i64::from(held.packet.wire);
            self.forget(&held);
            self.sending = Some(held.packet.wire);
            return Some(held);
        }
    }

    fn sent(&mut self) {
        self.sending = None;
    }

    fn packets(&self) -> usize {
        self.packets
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn drain(&mut self) -> Vec<Queued> {
        let held = self.queues.iter_mut().flat_map(|queue| queue.backlog.drain()).collect();
        (self.packets, self.bytes) = (0, 0);
        held
    }

    fn adopt(&mut self, held: Queued) {
        self.push(held);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{datagram, ms, site};
    use super::*;

    fn queue(config: Config) -> FqCoDel {
        FqCoDel::new(&config, &site())
    }

    /// Serves `n` packets and returns their flows in the order of service.
    fn served(queue: &mut FqCoDel, n: usize) -> Vec<u32> {
        let mut out = Decisions::default();
        let each = (0..n).filter_map(|_| {
            let held = queue.dequeue(ms(1), &mut out)?;
            queue.sent();
            Some(held.packet.flow.0)
        });
        each.collect()
    }

    #[test]
    fn queues_take_turns_by_bytes() {
        let mut fq = queue(Config { quantum: 1000, ..Config::default() });
        let mut out = Decisions::default();
        // Flow 0 has packets of 1000 B, flow 1 of 500 B: two packets of flow 1 are served for each one of flow 0.
        for _ in 0..4 {
            fq.enqueue(ms(0), datagram(0, 1000), &mut out);
            fq.enqueue(ms(0), datagram(1, 500), &mut out);
            fq.enqueue(ms(0), datagram(1, 500), &mut out);
        }
        assert_eq!(served(&mut fq, 12), [0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1]);
        assert!(out.dropped.is_empty());
    }

    #[test]
    fn a_new_flow_comes_first() {
        let mut fq = queue(Config { quantum: 1000, ..Config::default() });
        let mut out = Decisions::default();
        for _ in 0..6 {
            fq.enqueue(ms(0), datagram(0, 1000), &mut out);
        }
        assert_eq!(served(&mut fq, 2), [0, 0]);
        for _ in 0..3 {
            fq.enqueue(ms(1), datagram(1, 1000), &mut out);
        }
        // Flow 0 has used up its credits when flow 1 arrives, and gets its next quantum after flow 1 has been served.
        assert_eq!(served(&mut fq, 7), [1, 1, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn the_fattest_queue_pays() {
        let mut fq = queue(Config { limit: Limit::Packets(10), ..Config::default() });
        let mut out = Decisions::default();
        for _ in 0..9 {
            fq.enqueue(ms(0), datagram(0, 1000), &mut out);
        }
        for _ in 0..5 {
            fq.enqueue(ms(1), datagram(1, 1000), &mut out);
        }
        // Nine packets of flow 0 and one of flow 1 fit. Each further packet of flow 1 then makes the queue drop one of flow 0, until each flow
        // has five.
        let lost: Vec<u32> = out.dropped.iter().map(|(held, _)| held.packet.flow.0).collect();
        assert_eq!(lost, [0, 0, 0, 0]);
        assert_eq!(fq.packets(), 10);
    }

    #[test]
    fn the_queues_that_drop_are_counted() {
        let mut fq = queue(Config::default());
        let mut out = Decisions::default();
        let counted = |fq: &FqCoDel| {
            let mut told = Vec::new();
            fq.variables(&mut |variable, value| {
                told.extend((variable == QueueVariable::Dropping).then_some(value))
            });
            told
        };
        let recounted =
            |fq: &FqCoDel| vec![fq.queues.iter().filter(|q| q.control.is_dropping()).count() as f64];
        let mut most = 0.0;
        for t in 0..400 {
            for flow in 0..2 {
                // Until 200 ms two flows send four packets for each one that leaves; afterwards none arrives.
                (0..2).filter(|_| t < 200).for_each(|_| fq.enqueue(ms(t), datagram(flow, 1000), &mut out));
            }
            fq.dequeue(ms(t), &mut out);
            fq.sent();
            assert_eq!(counted(&fq), recounted(&fq), "{t} ms");
            most = counted(&fq).into_iter().fold(most, f64::max);
        }
        assert_eq!(most, 2.0);
    }

    #[test]
    fn flows_spread_over_the_queues() {
        let fq = queue(Config::default());
        let used: std::collections::BTreeSet<u32> =
            (0..100).map(|flow| fq.classify(&datagram(flow, 1000))).collect();
        // A random hash would put 100 flows in 95 of 1024 queues on average.
        assert!(used.len() >= 90, "{}", used.len());
    }
}
