//! Periodic loss: every N-th packet.

use super::counted::{Counted, Counter};
use super::model::{Lose, LossSettings, Place};
use base::{Packet, Rng};
use settings::{Error, Settings};

/// Settings of periodic losses.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Period, packets: one packet in every `every` is lost.
    #[setting(needed = "one packet in so many is lost: every = 100")]
    pub every: u64,
    /// Number of the first lost packet, counted from 0.
    #[setting(absent = "`every` - 1")]
    pub offset: Option<u64>,
    /// Choice of the packets that are numbered.
    #[setting(flatten)]
    pub counted: Counted,
}

/// State of periodic losses.
#[derive(Clone, Debug)]
pub struct Periodic {
    counter: Counter,
    every: u64,
    offset: u64,
}

impl LossSettings for Config {
    type Model = Periodic;

    fn complete(&mut self, _: Place) -> Result<(), Error> {
        if self.every == 0 {
            return Err(Error::new("every", "one packet in none cannot be lost").allowed("at least 1"));
        }
        self.offset.get_or_insert(self.every - 1);
        Ok(())
    }

    fn flow(&self) -> Option<usize> {
        self.counted.flow
    }

    fn build(&self, _: Rng) -> Periodic {
        let offset = self.offset.unwrap_or(self.every - 1);
        Periodic { counter: Counter::of(self.counted), every: self.every, offset }
    }
}

impl Lose for Periodic {
    fn lose(&mut self, packet: &Packet) -> bool {
        let past = self.counter.number(packet).and_then(|number| number.checked_sub(self.offset));
        past.is_some_and(|past| past.is_multiple_of(self.every))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::tests::lost;

    #[test]
    fn one_packet_in_every_n() {
        let lost = |every, offset| lost(Config { every, offset, counted: Counted { flow: None } }, 10);
        assert_eq!(lost(4, Some(1)), [1, 5, 9]);
        assert_eq!(lost(4, None), [3, 7]);
        assert_eq!(lost(1, Some(8)), [8, 9]);
    }
}
