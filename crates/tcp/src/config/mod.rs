//! All parameters of a TCP endpoint, each declared once, and the form of a `tcp` table.
//!
//! - `choices`, `forms`: words, and other forms of values
//! - `groups`: the parameters with default, bounds and source
//! - `check`: checks of parameters against each other
//! - `calm`: parameters with which a connection can take the calm path
//! - `parameters`: parameters as a document or a profile gives them, and shorthands

mod calm;
mod check;
mod choices;
mod forms;
mod groups;
mod parameters;

pub(crate) use check::Origin;
pub use choices::{
    AckCounting, Ecn, FullAckWindow, HyStartForm, LimitedTransmitBound, PartialAckTimer, PartialWindow,
    Reduction, Rounding, RtoFloor, SackLoss, SackPipe, SackTail, Syn, WindowReduction,
};
pub use forms::{LARGEST_WINDOW, TickPhase};
pub use groups::{
    Acks, Connection, Decrease, FastRecovery, Growth, LossDetection, Misbehaviour, Options, Sizes, Timers,
    Windows,
};
pub use parameters::Parameters;

use crate::congestion::Control;
use crate::recovery::Recovery;
use settings::Settings;

/// All parameters of a TCP connection, for both ends. The defaults follow the RFCs, with NewReno recovery.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Algorithm of loss recovery; decides which segments to retransmit, and when.
    #[setting(skip, default = Recovery::NewReno)]
    pub recovery: Recovery,
    /// Congestion control, with its own parameters.
    #[setting(skip)]
    pub control: Control,
    /// Sizes on the wire, bytes.
    #[setting(flatten)]
    pub sizes: Sizes,
    /// Opening and closing of the connection, and segmentation of an application's writes.
    #[setting(flatten)]
    pub connection: Connection,
    /// Initial and largest windows, segments.
    #[setting(flatten)]
    pub windows: Windows,
    /// Retransmission timer, and measurement of round-trip times.
    #[setting(flatten)]
    pub timers: Timers,
    /// Growth of the window, and pacing.
    #[setting(flatten)]
    pub growth: Growth,
    /// Detection of losses, and estimate of the data in the network (pipe).
    #[setting(flatten)]
    pub detection: LossDetection,
    /// Window after a loss or a mark, and how it is reached.
    #[setting(flatten)]
    pub decrease: Decrease,
    /// Partial acknowledgments, and the end of fast recovery.
    #[setting(flatten)]
    pub fast_recovery: FastRecovery,
    /// Acknowledgments of the receiver.
    #[setting(flatten)]
    pub acks: Acks,
    /// Misbehaviour of the receiver; an honest receiver has none.
    #[setting(flatten)]
    pub misbehaviour: Misbehaviour,
    /// TCP options and ECN.
    #[setting(flatten)]
    pub options: Options,
}

impl Config {
    /// Returns the size of the options of a segment without SACK, bytes; `data` is true if the segment has
    /// data.
    pub fn options_size(&self, data: bool) -> u32 {
        let grows = self.options.timestamps && (data || !self.sizes.timestamps_on_data);
        if grows { self.sizes.timestamps_size } else { 0 }
    }

    /// Returns the number of the first segment with payload: 1 if segment 0 is a SYN without payload,
    /// otherwise 0. A SYN of full size counts as payload (ns-2's Vegas).
    pub fn first_payload(&self) -> u64 {
        let Sizes { segment, header, syn_size, .. } = self.sizes;
        let full = (segment + header).min(groups::LARGEST);
        u64::from(self.connection.syn == Syn::Packet && syn_size != full)
    }
}
