//! Losses by number: packets are counted from 0 as they arrive, all of them or one flow's.

use base::{Duration, FlowId, Packet};
use std::sync::Arc;

/// Counts packets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counter {
    /// Whose packets are counted; everybody's where `None`.
    flow: Option<FlowId>,
    seen: u64,
}

impl Counter {
    /// Counts the packets that `flow` sends, or everybody's.
    pub fn of(flow: Option<FlowId>) -> Self {
        Self { flow, seen: 0 }
    }

    /// The number of `packet`, arriving now; `None` where it is not counted.
    pub fn number(&mut self, packet: &Packet) -> Option<u64> {
        let counted = match self.flow {
            // Counts what a flow sends, not what is acknowledged to it.
            Some(flow) => packet.flow == flow && packet.is_forward(),
            None => true,
        };
        counted.then(|| {
            self.seen += 1;
            self.seen - 1
        })
    }
}

/// Listed packets.
#[derive(Clone, Debug)]
pub struct List {
    /// Ascending.
    packets: Vec<u64>,
    /// Entries used up.
    used: usize,
}

impl List {
    /// Loses `packets`, which ascend.
    pub fn new(packets: Vec<u64>) -> Self {
        Self { packets, used: 0 }
    }

    /// Whether packet `number` is lost; numbers ascend.
    pub fn lose(&mut self, number: u64) -> bool {
        let lost = self.packets.get(self.used) == Some(&number);
        self.used += usize::from(lost);
        lost
    }
}

/// Listed packets that are held up, not lost.
#[derive(Clone, Debug)]
pub struct Hold {
    counter: Counter,
    list: List,
    delay: Duration,
}

impl Hold {
    /// Holds up the packets of `list` for `delay`.
    pub fn new(counter: Counter, list: List, delay: Duration) -> Self {
        Self { counter, list, delay }
    }

    /// For how long `packet`, arriving now, is held up; `None`: it is not.
    pub fn hold(&mut self, packet: &Packet) -> Option<Duration> {
        let number = self.counter.number(packet)?;
        self.list.lose(number).then_some(self.delay)
    }
}

/// One packet in every N.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Periodic {
    /// Packets from one loss to the next, at least 1.
    pub every: u64,
    /// The first packet lost.
    pub offset: u64,
}

impl Periodic {
    /// Whether packet `number` is lost.
    pub fn lose(self, number: u64) -> bool {
        number.checked_sub(self.offset).is_some_and(|past| past.is_multiple_of(self.every))
    }
}

/// A loss trace: for each packet whether it is lost, over and over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Numbers of the packets lost, ascending.
    pub lost: Arc<[u64]>,
    /// Packets after which it starts over, more than any of `lost`.
    pub length: u64,
}

impl Trace {
    /// Whether packet `number` is lost.
    pub fn lose(&self, number: u64) -> bool {
        self.lost.binary_search(&(number % self.length)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_number() {
        let lost = |lose: &mut dyn FnMut(u64) -> bool| (0..10).filter(|n| lose(*n)).collect::<Vec<u64>>();
        let mut list = List::new(vec![1, 2, 7]);
        assert_eq!(lost(&mut |n| list.lose(n)), [1, 2, 7]);
        assert_eq!(lost(&mut |n| Periodic { every: 4, offset: 1 }.lose(n)), [1, 5, 9]);
        assert_eq!(lost(&mut |n| Periodic { every: 1, offset: 8 }.lose(n)), [8, 9]);
        let trace = Trace { lost: Arc::from([0, 3]), length: 4 };
        assert_eq!(lost(&mut |n| trace.lose(n)), [0, 3, 4, 7, 8]);
    }
}
