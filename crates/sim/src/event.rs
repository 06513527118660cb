//! The one event enum: everything that can be pending in a run.

use base::LinkId;

/// A pending event. Equal stamps are ordered as declared here, then by index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Event {
    /// A change of the scenario takes effect.
    Change(u32),
    /// A flow begins.
    Start(u32),
    /// A stepped link ends a transmission.
    Depart(LinkId),
    /// The first packet on a link's wire arrives.
    Arrive(LinkId),
    /// A flow's sender has a timer due.
    SenderTimer(u32),
    /// A flow's receiver has a timer due.
    ReceiverTimer(u32),
    /// A source sends its next datagram.
    Datagram(u32),
    /// A flow's source stops offering data.
    Stop(u32),
}

#[cfg(test)]
mod tests {
    #[test]
    fn events_stay_small() {
        assert_eq!(size_of::<super::Event>(), 8);
    }
}
