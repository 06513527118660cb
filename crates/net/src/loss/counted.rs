//! Numbering of packets for loss models that select packets by number: all packets or those of one flow,
//! counted from 0.

use base::{FlowId, Packet};
use settings::Settings;

/// Choice of the packets that are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Counted {
    /// Number only the packets that this flow's sender sends (position of the flow, from 0).
    #[setting(absent = "all packets together")]
    pub flow: Option<usize>,
}

/// Counter that numbers packets as they arrive.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// Flow whose sender's packets are counted; `None`: all packets are counted.
    flow: Option<FlowId>,
    seen: u64,
}

impl Counter {
    /// Creates a counter that gives the next packet the number 0.
    pub fn of(counted: Counted) -> Self {
        Self { flow: counted.flow.map(|position| FlowId(position as u32)), seen: 0 }
    }

    /// Returns the number of `packet`, which arrives now; `None` if it is not counted.
    pub fn number(&mut self, packet: &Packet) -> Option<u64> {
        let counted = match self.flow {
            // Counts the packets that the flow's sender sends, not the acknowledgments to it.
            Some(flow) => packet.flow == flow && packet.is_forward(),
            None => true,
        };
        counted.then(|| {
            self.seen += 1;
            self.seen - 1
        })
    }
}
