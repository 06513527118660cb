//! Event type of a run: each pending event takes eight bytes.

use base::LinkId;

/// Kind of a pending event. Events with equal stamps and ranks are ordered by kind, as declared here, then by index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    /// A change of the network takes effect.
    Change,
    /// A flow begins.
    Start,
    /// A stepped link ends a transmission.
    Depart,
    /// A waiting packet at a stepped link may be transmitted.
    Wake,
    /// The first packet on a link's wire arrives.
    Arrive,
    /// A radio network must be called.
    Radio,
    /// A timer of a flow's sender is due.
    SenderTimer,
    /// A timer of a flow's receiver is due.
    ReceiverTimer,
    /// A sender with pacing may send its next segment.
    Release,
    /// A timer of a gateway's proxy is due.
    ProxyTimer,
    /// A source has data: a datagram to send, or a write to TCP.
    Source,
    /// A flow's source stops offering data.
    Stop,
}

const KINDS: [Kind; 12] = [
    Kind::Change,
    Kind::Start,
    Kind::Depart,
    Kind::Wake,
    Kind::Arrive,
    Kind::Radio,
    Kind::SenderTimer,
    Kind::ReceiverTimer,
    Kind::Release,
    Kind::ProxyTimer,
    Kind::Source,
    Kind::Stop,
];
/// Bits of the index of the component: up to 268 million links or flows.
const INDEX_BITS: u32 = 28;

/// Pending event, in one word whose order is that of events: rank, then kind, then index of the component.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Event(u64);

/// Rank of an event among events that were scheduled at the same instant for the same time. The cause of each was
/// itself an event; the event whose cause had been pending longer comes first.
///
/// A packet's arrival is scheduled when its transmission begins. Of two transmissions that begin at one instant, one
/// may have been caused by an arrival that was scheduled long before, the other by the end of a transmission that was
/// scheduled just before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Rank(pub u32);

impl Rank {
    /// Returns the rank of an event whose cause had been pending for `ps` picoseconds.
    #[inline]
    pub(crate) fn of_cause(ps: u64) -> Self {
        // In nanoseconds, saturating at 4.3 s: longer times count as equal.
        Self(u32::MAX - u32::try_from(ps / 1000).unwrap_or(u32::MAX))
    }
}

impl Event {
    /// Creates an event with rank 0, for a component whose order among simultaneous events does not matter.
    #[inline]
    pub(crate) fn new(kind: Kind, index: u32) -> Self {
        Self::ranked(Rank(0), kind, index)
    }

    /// Creates the event of the arrival of the first packet on a link's wire.
    #[inline]
    pub(crate) fn arrive(at: LinkId, rank: Rank) -> Self {
        Self::ranked(rank, Kind::Arrive, at.0)
    }

    #[inline]
    fn ranked(Rank(rank): Rank, kind: Kind, index: u32) -> Self {
        Self((u64::from(rank) << 32) | u64::from(((kind as u32) << INDEX_BITS) | index))
    }

    /// Returns the link at which the first packet on its wire arrives; `None` for other events.
    #[inline(always)]
    pub(crate) fn arrival(self) -> Option<LinkId> {
        let code = self.0 as u32;
        (code >> INDEX_BITS == Kind::Arrive as u32).then_some(LinkId(code & ((1 << INDEX_BITS) - 1)))
    }

    /// Returns the kind of the event and the index of its component.
    #[inline]
    pub(crate) fn decode(self) -> (Kind, u32) {
        let code = self.0 as u32;
        (KINDS[(code >> INDEX_BITS) as usize], code & ((1 << INDEX_BITS) - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_stay_small_and_come_back() {
        assert_eq!(size_of::<Event>(), 8);
        for kind in KINDS {
            assert_eq!(Event::new(kind, 77).decode(), (kind, 77));
            let link = (kind == Kind::Arrive).then_some(LinkId(77));
            assert_eq!(Event::new(kind, 77).arrival(), link);
        }
    }

    #[test]
    fn what_was_pending_longer_comes_first() {
        let old = Event::arrive(LinkId(9), Rank::of_cause(10_000_000));
        let young = Event::arrive(LinkId(1), Rank::of_cause(5_000_000));
        assert!(old < young);
    }
}
