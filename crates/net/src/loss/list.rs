//! Loss of packets that are listed by number, or their delay before the queue.

use super::counted::{Counted, Counter};
use super::hold::Hold;
use super::model::{Lose, LossSettings, Place};
use super::numbers::Numbers;
use crate::impairment::HELD_BACK;
use base::{Duration, Packet, Rng};
use settings::{Error, Settings};

/// Settings of listed losses.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Choice of the packets that are numbered.
    #[setting(flatten)]
    pub counted: Counted,
    /// Numbers of the lost packets, counted from 0 in order of arrival; retransmissions are counted too.
    #[setting(needed = "the packets to lose, counted from 0: packets = [14, 28]")]
    pub packets: Vec<u64>,
    /// Only with at = "entry": time by which the listed packets are delayed before the queue, instead of
    /// lost. Later packets overtake them (ns-2's delay_pkt_).
    #[setting(absent = "they are lost", range = HELD_BACK)]
    pub delay: Option<Duration>,
}

/// State of the loss of listed packets.
#[derive(Clone, Debug)]
pub struct List {
    counter: Counter,
    numbers: Numbers,
}

impl LossSettings for Config {
    type Model = List;

    fn complete(&mut self, at: Place) -> Result<(), Error> {
        self.packets.sort_unstable();
        self.packets.dedup();
        if self.delay.is_some() && at != Place::Entry {
            let message = "packets are held up before the queue";
            return Err(Error::new("at", message).allowed("at = \"entry\" with `delay`"));
        }
        Ok(())
    }

    fn flow(&self) -> Option<usize> {
        self.counted.flow
    }

    fn hold(&self) -> Option<Hold> {
        let List { counter, numbers } = List::new(self);
        self.delay.map(|delay| Hold::new(counter, numbers, delay))
    }

    fn build(&self, _: Rng) -> List {
        List::new(self)
    }
}

impl List {
    fn new(config: &Config) -> Self {
        Self { counter: Counter::of(config.counted), numbers: Numbers::new(config.packets.clone()) }
    }
}

impl Lose for List {
    fn lose(&mut self, packet: &Packet) -> bool {
        self.counter.number(packet).is_some_and(|number| self.numbers.take(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::tests::{lost, packet};

    #[test]
    fn listed_packets_are_lost() {
        let config = Config { packets: vec![7, 1, 2, 2], ..Config::of(None) };
        assert_eq!(lost(config, 10), [1, 2, 7]);
    }

    #[test]
    fn numbers_count_one_flow() {
        let mut list = List::new(&Config { packets: vec![0, 2], ..Config::of(Some(1)) });
        let lost = [1, 0, 1, 1, 1].map(|flow| list.lose(&packet(flow, 1500)));
        assert_eq!(lost, [true, false, false, true, false]);
    }

    impl Config {
        fn of(flow: Option<usize>) -> Self {
            Self { counted: Counted { flow }, packets: Vec::new(), delay: None }
        }
    }
}
