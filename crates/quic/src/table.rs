//! Settings of a QUIC flow: the table `quic`.

use settings::{Choice, Settings, Size};
use stack::About;
#[cfg(feature = "endpoints")]
use std::sync::Arc;

/// Size of the headers of IPv4 (RFC 791) and UDP (RFC 768) that each datagram has, bytes.
pub const HEADERS: u32 = 28;

/// Largest UDP payload, bytes: the upper limit of quinn's path MTU discovery (an Ethernet frame minus headers
/// of IPv6 and UDP).
pub const LARGEST: u32 = 1452;

/// Declares the registry entry of a variant of quinn.
const fn quinn(name: &'static str, summary: &'static str) -> About {
    About { name, summary, source: "quinn-proto 0.11", headers: HEADERS, largest: LARGEST }
}

static NEWRENO: About = quinn("quinn-newreno", "quinn's New Reno");
static CUBIC: About = quinn("quinn-cubic", "quinn's CUBIC");
static BBR: About = quinn("quinn-bbr", "quinn's BBR");

/// A congestion control that quinn-proto implements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Control {
    /// quinn's New Reno (RFC 9002, section 7)
    #[setting(name = "quinn-newreno")]
    NewReno,
    /// quinn's CUBIC (RFC 8312)
    #[setting(name = "quinn-cubic")]
    Cubic,
    /// quinn's BBR, an experimental port of version 1 from Chromium; quinn uses its window but not its pacing
    /// rate
    #[setting(name = "quinn-bbr")]
    Bbr,
}

/// quinn's default receive window, bytes: 12.5 MB/s times 100 ms.
const RECEIVE_WINDOW: u32 = 1_250_000;

/// A QUIC implementation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Stack {
    /// quinn-proto 0.11
    Quinn,
}

/// Settings of a flow over a production QUIC stack: handshake, packet format, loss recovery and congestion
/// control are those of the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
#[settings(named = "quic", expecting = "a table: { variant = \"quinn-cubic\" }")]
pub struct Table {
    /// QUIC implementation.
    #[setting(default = Stack::Quinn)]
    pub stack: Stack,
    /// Congestion control of the stack (ackclock list quic-variants). `tcp = { variant = "quinn-cubic" }` has
    /// the same meaning, so a QUIC variant can be given wherever a TCP variant can.
    #[setting(needed = "a congestion control of the stack: variant = \"quinn-cubic\"")]
    pub variant: Control,
    /// Flow-control window of the stream: bytes beyond those read that the destination accepts. It limits the
    /// data in flight.
    #[setting(default = RECEIVE_WINDOW, form = Size, range = 12_000..=1_000_000_000, allowed = "12 kB to 1 GB")]
    pub receive_window: u32,
}

impl Table {
    /// Creates the settings with congestion control `variant`, and defaults otherwise.
    pub const fn new(variant: Control) -> Self {
        Self { stack: Stack::Quinn, variant, receive_window: RECEIVE_WINDOW }
    }
}

impl Control {
    /// Every congestion control.
    pub const ALL: &'static [Self] = Self::VALUES;

    /// Returns the name of the variant in scenarios.
    pub fn name(self) -> &'static str {
        self.word()
    }

    /// Returns the registry entry of the stack with this congestion control.
    pub fn about(self) -> &'static About {
        match self {
            Self::NewReno => &NEWRENO,
            Self::Cubic => &CUBIC,
            Self::Bbr => &BBR,
        }
    }

    #[cfg(feature = "endpoints")]
    pub(crate) fn factory(self) -> Arc<dyn quinn_proto::congestion::ControllerFactory + Send + Sync> {
        match self {
            Self::NewReno => Arc::new(quinn_proto::congestion::NewRenoConfig::default()),
            Self::Cubic => Arc::new(quinn_proto::congestion::CubicConfig::default()),
            Self::Bbr => Arc::new(quinn_proto::congestion::BbrConfig::default()),
        }
    }
}
