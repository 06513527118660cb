//! Packets that are delayed before the queue instead of lost (ns-2's `delay_pkt_`).

use super::counted::Counter;
use super::numbers::Numbers;
use base::{Duration, Packet};

/// Model that delays the packets with given numbers.
#[derive(Clone, Debug)]
pub struct Hold {
    counter: Counter,
    numbers: Numbers,
    delay: Duration,
}

impl Hold {
    /// Creates a model that delays the packets whose numbers, given by `counter`, are in `numbers`; each by
    /// `delay`.
    pub fn new(counter: Counter, numbers: Numbers, delay: Duration) -> Self {
        Self { counter, numbers, delay }
    }

    /// Returns the time by which `packet`, which arrives now, is delayed; `None` if it is not delayed.
    pub fn hold(&mut self, packet: &Packet) -> Option<Duration> {
        let number = self.counter.number(packet)?;
        self.numbers.take(number).then_some(self.delay)
    }
}
