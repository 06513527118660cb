//! Packets by number: counted from 0 as they arrive, all of them or one flow's.

use base::{FlowId, Packet};
use settings::Settings;

/// The packets that are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Counted {
    /// Count only this flow's packets (its position, from 0).
    #[setting(absent = "all packets together")]
    pub flow: Option<usize>,
}

/// Counts packets.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// The flow whose packets are counted; `None` if all are.
    flow: Option<FlowId>,
    seen: u64,
}

impl Counter {
    /// Creates a counter before its first packet.
    pub fn of(counted: Counted) -> Self {
        Self { flow: counted.flow.map(|position| FlowId(position as u32)), seen: 0 }
    }

    /// Returns the number of `packet`, arriving now; `None` if it is not counted.
    pub fn number(&mut self, packet: &Packet) -> Option<u64> {
        let counted = match self.flow {
            // Counts packets that a flow sends; acknowledgments to it are not.
            Some(flow) => packet.flow == flow && packet.is_forward(),
            None => true,
        };
        counted.then(|| {
            self.seen += 1;
            self.seen - 1
        })
    }
}
