//! Every parameter of a TCP endpoint, declared once, and the form of a `tcp` table.
//!
//! - `choices`, `forms`: words, and other values with a notation of their own
//! - `groups`: the parameters, each with its default, bounds and source
//! - `check`: checks between parameters
//! - `parameters`: those that a document or a profile gives, and shorthands

mod check;
mod choices;
mod forms;
mod groups;
mod parameters;

pub(crate) use check::Origin;
pub use choices::{
    AckCounting, Ecn, FullAckWindow, LimitedTransmitBound, PartialAckTimer, PartialWindow, Reduction,
    Rounding, SackLoss, SackPipe, SackTail, Syn, WindowReduction,
};
pub use forms::{LARGEST_WINDOW, TickPhase};
pub use groups::{
    Acks, Connection, Decrease, FastRecovery, Growth, LossDetection, Options, Sizes, Timers, Windows,
};
pub use parameters::Parameters;

use crate::congestion::Control;
use crate::recovery::Recovery;
use settings::Settings;

/// Every parameter of one TCP connection, both ends. By default those that the RFCs give, with NewReno.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Loss recovery.
    #[setting(skip, default = Recovery::NewReno)]
    pub recovery: Recovery,
    /// Congestion control, with its own parameters.
    #[setting(skip)]
    pub control: Control,
    /// Sizes on the wire, bytes.
    #[setting(flatten)]
    pub sizes: Sizes,
    /// Opening and closing of the connection, and segments of an application's writes.
    #[setting(flatten)]
    pub connection: Connection,
    /// Windows at the beginning and at most, segments.
    #[setting(flatten)]
    pub windows: Windows,
    /// The retransmission timer, and the measurement of round trips.
    #[setting(flatten)]
    pub timers: Timers,
    /// Growth of the window, and sending of segments.
    #[setting(flatten)]
    pub growth: Growth,
    /// Detection of losses, and the estimate of data in the network.
    #[setting(flatten)]
    pub detection: LossDetection,
    /// The window after a loss or a mark, and the way down to it.
    #[setting(flatten)]
    pub decrease: Decrease,
    /// Partial acknowledgments, and the end of fast recovery.
    #[setting(flatten)]
    pub fast_recovery: FastRecovery,
    /// Acknowledgments of the receiver.
    #[setting(flatten)]
    pub acks: Acks,
    /// Options of the header.
    #[setting(flatten)]
    pub options: Options,
}

impl Config {
    /// Returns the bytes that options add to a segment with or without data, without SACK's.
    pub fn options_size(&self, data: bool) -> u32 {
        let grows = self.options.timestamps && (data || !self.sizes.timestamps_on_data);
        if grows { self.sizes.timestamps_size } else { 0 }
    }

    /// Returns the number of the first segment with payload: 1 if segment 0 is a bare SYN, else 0 (a SYN as large as a
    /// full segment carries its payload: ns-2's Vegas).
    pub fn first_payload(&self) -> u64 {
        let Sizes { segment, header, syn_size, .. } = self.sizes;
        let full = (segment + header).min(groups::LARGEST);
        u64::from(self.connection.syn == Syn::Packet && syn_size != full)
    }
}
