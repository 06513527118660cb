//! The `quic` table of a flow.

use settings::{Choice, Settings, Size};
use std::sync::Arc;

/// A congestion control of quinn-proto.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Control {
    /// quinn's New Reno (RFC 9002, section 7)
    #[setting(name = "quinn-newreno")]
    NewReno,
    /// quinn's CUBIC (RFC 8312)
    #[setting(name = "quinn-cubic")]
    Cubic,
    /// quinn's BBR, an experimental port of version 1 from Chromium: its window, not its pacing rate
    #[setting(name = "quinn-bbr")]
    Bbr,
}

/// quinn's own default, bytes: 12.5 MB/s over 100 ms.
const RECEIVE_WINDOW: u32 = 1_250_000;

/// A QUIC stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Stack {
    /// quinn-proto 0.11
    Quinn,
}

/// A production QUIC stack at both ends of a flow, with its own handshake, packets, loss recovery and congestion
/// control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
#[settings(named = "quic", expecting = "a table: { variant = \"quinn-cubic\" }")]
pub struct Table {
    /// The stack.
    #[setting(default = Stack::Quinn)]
    pub stack: Stack,
    /// Its congestion control (ackclock list quic-variants). `tcp = { variant = "quinn-cubic" }` means the same, so
    /// that any place that takes a variant takes it.
    #[setting(needed = "a congestion control of the stack: variant = \"quinn-cubic\"")]
    pub variant: Control,
    /// Bytes of the stream that the destination accepts before they are read: no more is ever in flight.
    #[setting(default = RECEIVE_WINDOW, form = Size, range = 12_000..=1_000_000_000, allowed = "12 kB to 1 GB")]
    pub receive_window: u32,
}

impl Table {
    /// Creates a stack with `variant` and the defaults of its other settings.
    pub const fn new(variant: Control) -> Self {
        Self { stack: Stack::Quinn, variant, receive_window: RECEIVE_WINDOW }
    }
}

impl Control {
    /// Every one of them.
    pub const ALL: &'static [Self] = Self::VALUES;

    /// Returns its name as a variant.
    pub fn name(self) -> &'static str {
        self.word()
    }

    pub(crate) fn factory(self) -> Arc<dyn quinn_proto::congestion::ControllerFactory + Send + Sync> {
        match self {
            Self::NewReno => Arc::new(quinn_proto::congestion::NewRenoConfig::default()),
            Self::Cubic => Arc::new(quinn_proto::congestion::CubicConfig::default()),
            Self::Bbr => Arc::new(quinn_proto::congestion::BbrConfig::default()),
        }
    }
}
