//! Settings of traffic: when a flow sends data, and how much.

use crate::carriage::{Carriage, Marks, Transport};
use crate::paced::{Bursts, Paced, Packets};
use crate::sessions;
use crate::source::Source;
use crate::video;
use base::{Bytes, Rng};
use settings::{Kinds, Settings};

/// Traffic of a flow.
#[derive(Clone, PartialEq, Debug, Kinds)]
#[settings(what = "traffic")]
pub enum Config {
    /// A file over TCP; without a size, unlimited data.
    Ftp(Ftp),
    /// Packets at a constant rate, over UDP or TCP.
    Cbr(Packets),
    /// Bursts of packets at a constant rate with pauses between, over UDP or TCP.
    OnOff(OnOff),
    /// Frames of a video, split into packets, over UDP or TCP; the frames have a constant bit rate or come
    /// from a trace.
    Video(video::Config),
    /// Sessions of requests and responses over TCP, which arrive, think and leave.
    Sessions(sessions::Config),
}

/// Settings of a file transfer over TCP.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Ftp {
    /// Bytes to send.
    #[setting(range = Bytes(1)..=Bytes(u64::MAX), value = "size", allowed = "like \"1MB\", or no size", absent = "endless")]
    pub size: Option<Bytes>,
}

/// Settings of packets in bursts.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(no_default)]
pub struct OnOff {
    /// Packets within a burst.
    #[setting(flatten)]
    pub packets: Packets,
    /// Lengths of bursts and pauses.
    #[setting(flatten)]
    pub bursts: Bursts,
}

impl Config {
    /// Unlimited data over TCP.
    pub const ENDLESS: Self = Self::Ftp(Ftp { size: None });

    /// Returns the transport settings of the packets; `None` for a file and for sessions.
    fn carriage(&self) -> Option<(Carriage, Marks)> {
        match self {
            Self::Ftp(_) | Self::Sessions(_) => None,
            Self::Cbr(packets) | Self::OnOff(OnOff { packets, .. }) => {
                Some((packets.carriage, packets.marks))
            }
            Self::Video(video) => Some((video.carriage, video.marks)),
        }
    }

    /// Returns the transport protocol.
    pub fn transport(&self) -> Transport {
        self.carriage().map_or(Transport::Tcp, |(carriage, _)| carriage.transport)
    }

    /// Returns the size of the headers of each datagram, bytes; 0 over TCP.
    pub fn header(&self) -> u32 {
        self.carriage().and_then(|(carriage, _)| carriage.header).unwrap_or_default()
    }

    /// Returns true if datagrams are ECN-capable.
    pub fn ecn(&self) -> bool {
        self.carriage().and_then(|(_, marks)| marks.ecn).unwrap_or_default()
    }

    /// Returns the size of the file, bytes; `None` if it is unlimited or the traffic is not a file.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::Ftp(Ftp { size }) => size.map(|Bytes(bytes)| bytes),
            _ => None,
        }
    }

    /// Returns the payload of every packet, bytes; `None` if sizes differ, and for a file and for sessions.
    pub fn packet(&self) -> Option<u32> {
        match self {
            Self::Ftp(_) | Self::Video(_) | Self::Sessions(_) => None,
            Self::Cbr(packets) | Self::OnOff(OnOff { packets, .. }) => Some(packets.packet),
        }
    }

    /// Returns the largest payload of a packet, bytes; 0 for a file and for sessions.
    pub fn largest(&self) -> u32 {
        match self {
            Self::Video(video) => video.largest(),
            _ => self.packet().unwrap_or_default(),
        }
    }

    /// Returns the settings of the video; `None` for other traffic.
    pub fn video(&self) -> Option<&video::Config> {
        match self {
            Self::Video(video) => Some(video),
            _ => None,
        }
    }

    /// Returns the settings of sessions; `None` for other traffic.
    pub fn sessions(&self) -> Option<&sessions::Config> {
        match self {
            Self::Sessions(sessions) => Some(sessions),
            _ => None,
        }
    }

    /// Creates the source of the packets, which draws from `rng`; `None` for a file and for sessions.
    pub fn source(&self, rng: Rng) -> Option<Source> {
        Some(match self {
            Self::Ftp(_) | Self::Sessions(_) => return None,
            Self::Cbr(packets) => Source::Paced(Paced::new(packets, None, rng)),
            Self::OnOff(OnOff { packets, bursts }) => Source::Paced(Paced::new(packets, Some(*bursts), rng)),
            Self::Video(video) => Source::Video(video::Playing::new(video)),
        })
    }
}
