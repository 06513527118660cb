//! Send times of outstanding segments, for controls and loss recoveries that need them.

use crate::congestion::Transmission;
use base::Instant;

/// Send times of outstanding segments, with their numbers of transmissions.
#[derive(Clone, Debug)]
pub(crate) enum SendTimes {
    /// Time of the last transmission and number of transmissions, for each outstanding segment.
    Exact(Vec<(Instant, u32)>),
    /// As in ns-2: as many slots as the window has segments, reused cyclically. An acknowledgment clears the
    /// slots of all segments that it covers, unless these wrap around the end of the slots. In that case it
    /// clears none, and the old times count for later segments in these slots. A slot without a time has 0
    /// transmissions.
    Slots {
        /// The slots used so far, from the first on.
        slots: Vec<(Instant, u32)>,
        /// Number of slots.
        of: usize,
    },
}

/// Entry of a segment that has not been sent, or of a slot without a time.
const NEVER: (Instant, u32) = (Instant::ZERO, 0);

/// Extends the ring so that it holds segments from `una` to `seq`.
#[cold]
fn enlarge(ring: &mut Vec<(Instant, u32)>, una: u64, seq: u64) {
    let need = (seq - una + 2).next_power_of_two() as usize;
    let mut larger = vec![NEVER; need];
    for old in una..una + ring.len() as u64 {
        larger[old as usize & (need - 1)] = ring[old as usize & (ring.len() - 1)];
    }
    *ring = larger;
}

impl SendTimes {
    /// Creates a store with `slots` slots as in ns-2, or if `slots` is `None` with one entry for each
    /// outstanding segment.
    pub(crate) fn new(slots: Option<usize>) -> Self {
        match slots {
            Some(slots) => Self::Slots { slots: Vec::new(), of: slots.max(1) },
            None => Self::Exact(vec![NEVER; 16]),
        }
    }

    #[inline]
    pub(crate) fn record(&mut self, una: u64, seq: u64, now: Instant, again: bool) {
        match self {
            Self::Slots { slots, of } => {
                let at = seq as usize % *of;
                if at >= slots.len() {
                    slots.resize((at + 1).next_power_of_two().min(*of), NEVER);
                }
                slots[at] = (now, slots[at].1 + 1);
            }
            Self::Exact(ring) => {
                if (seq - una + 2) as usize > ring.len() {
                    enlarge(ring, una, seq);
                }
                let at = seq as usize & (ring.len() - 1);
                ring[at] = (now, if again { ring[at].1 + 1 } else { 1 });
            }
        }
    }

    #[inline]
    pub(crate) fn get(&self, seq: u64) -> Transmission {
        let (sent, transmissions) = match self {
            Self::Slots { slots, of } => slots.get(seq as usize % of).copied().unwrap_or(NEVER),
            Self::Exact(ring) => ring[seq as usize & (ring.len() - 1)],
        };
        Transmission { sent, transmissions }
    }

    /// Records that segments `from` to `to - 1`, at least one, are acknowledged; returns the transmissions of
    /// segment `to - 1`.
    pub(crate) fn acknowledged(&mut self, from: u64, to: u64) -> Transmission {
        let newest = self.get(to - 1);
        if let Self::Slots { slots, of } = self {
            let (first, last) = (from as usize % *of, (to - 1) as usize % *of);
            let used = slots.len();
            if first <= last {
                slots[first.min(used)..(last + 1).min(used)].fill(NEVER);
            }
        }
        newest
    }
}
