//! Send times of outstanding segments, for controls and loss recovery that need them.

use crate::congestion::Transmission;
use base::Instant;

/// Send times of outstanding segments.
#[derive(Clone, Debug)]
pub(crate) enum SendTimes {
    /// One for each outstanding segment.
    Exact(Vec<(Instant, u32)>),
    /// ns-2's: as many slots as the window has segments, used in turn. An acknowledgment clears the slots of all
    /// segments that it acknowledges, unless these wrap around the end of the slots. Then it clears none, and the old
    /// times count for the next segments in them. A slot without a time has been sent 0 times.
    Slots {
        /// Slots that have been used, from the first on.
        slots: Vec<(Instant, u32)>,
        /// Number of slots.
        of: usize,
    },
}

/// Entry of a segment that was not sent, and of a slot without a time.
const NEVER: (Instant, u32) = (Instant::ZERO, 0);

impl SendTimes {
    /// Creates the store: in `slots` like ns-2's if given, else one for each segment.
    pub(crate) fn new(slots: Option<usize>) -> Self {
        match slots {
            Some(slots) => Self::Slots { slots: Vec::new(), of: slots.max(1) },
            None => Self::Exact(vec![NEVER; 16]),
        }
    }

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
                let need = (seq - una + 2).next_power_of_two() as usize;
                if need > ring.len() {
                    let mut larger = vec![NEVER; need];
                    for old in una..una + ring.len() as u64 {
                        larger[old as usize & (need - 1)] = ring[old as usize & (ring.len() - 1)];
                    }
                    *ring = larger;
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

    /// Notes that segments `from..to`, at least one, are acknowledged; returns the times of the newest.
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
