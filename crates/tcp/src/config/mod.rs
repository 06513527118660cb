//! Every parameter of a TCP endpoint. A profile (`rfc`, `linux`, `ns2`) is a set of values of these and nothing else.

mod choices;
mod groups;

pub use choices::{
    AckCounting, Ecn, FullAckWindow, PartialAckTimer, PartialWindow, Reduction, Rounding, SackLoss, SackPipe,
    Syn, TickPhase, WindowReduction,
};
pub use groups::{
    Acks, Connection, Decrease, FastRecovery, Growth, LossDetection, Options, Sizes, Timers, Windows,
};

use crate::congestion::Control;
use crate::recovery::Recovery;

/// Every parameter of one TCP connection, both ends.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Loss recovery.
    pub recovery: Recovery,
    /// Congestion control, with its own parameters.
    pub control: Control,
    /// Sizes on the wire, bytes.
    pub sizes: Sizes,
    /// How a connection opens and closes, and how its application's writes become segments.
    pub connection: Connection,
    /// Where windows begin and end, segments.
    pub windows: Windows,
    /// The retransmission timer, and how round trips are measured.
    pub timers: Timers,
    /// How the window grows, and how segments leave.
    pub growth: Growth,
    /// What makes a segment lost, and how much is in the network.
    pub detection: LossDetection,
    /// What a loss or a mark leaves of the window, and the way down to it.
    pub decrease: Decrease,
    /// Partial acknowledgments, and the end of fast recovery.
    pub fast_recovery: FastRecovery,
    /// What the receiver answers.
    pub acks: Acks,
    /// Options of the header.
    pub options: Options,
}

impl Config {
    /// The first segment with payload: 1 where segment 0 is a bare SYN, else 0 (a SYN larger than its header carries
    /// payload: ns-2's Vegas).
    pub fn first_payload(&self) -> u64 {
        u64::from(self.connection.syn == Syn::Packet && self.sizes.syn_size <= self.sizes.header)
    }
}
