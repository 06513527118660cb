//! Settings of traffic: the data that a flow sends.

use crate::carriage::{Carriage, Marks, Transport};
use crate::paced::{Bursts, Paced, Packets};
use crate::source::Source;
use crate::video;
use base::{Bytes, Rng};
use settings::{Kinds, Settings};

/// The data that a flow sends.
#[derive(Clone, PartialEq, Debug, Kinds)]
#[settings(what = "traffic")]
pub enum Config {
    /// A file over TCP, endless unless it has a size.
    Ftp(Ftp),
    /// Packets at a constant rate, over UDP or TCP.
    Cbr(Packets),
    /// Packets at a constant rate in bursts, over UDP or TCP.
    OnOff(OnOff),
    /// A video's frames in packets, steady or from a trace, over UDP or TCP.
    Video(video::Config),
}

/// A file over TCP.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Ftp {
    /// Bytes to send.
    #[setting(range = Bytes(1)..=Bytes(u64::MAX), value = "size", allowed = "like \"1MB\", or no size", absent = "endless")]
    pub size: Option<Bytes>,
}

/// Packets in bursts.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(no_default)]
pub struct OnOff {
    /// The packets of a burst.
    #[setting(flatten)]
    pub packets: Packets,
    /// Beginnings and ends of bursts.
    #[setting(flatten)]
    pub bursts: Bursts,
}

impl Config {
    /// An endless transfer over TCP.
    pub const ENDLESS: Self = Self::Ftp(Ftp { size: None });

    /// Returns the transport of its packets; `None` if TCP carries a file.
    fn carriage(&self) -> Option<(Carriage, Marks)> {
        match self {
            Self::Ftp(_) => None,
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

    /// Returns the header on top of each datagram, bytes; over TCP none. Header on top of each datagram, bytes; over
    /// TCP none.
    pub fn header(&self) -> u32 {
        self.carriage().and_then(|(carriage, _)| carriage.header).unwrap_or_default()
    }

    /// Returns true if queues may mark its datagrams.
    pub fn ecn(&self) -> bool {
        self.carriage().and_then(|(_, marks)| marks.ecn).unwrap_or_default()
    }

    /// Returns the bytes of the file; `None` if it is endless, or no file.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::Ftp(Ftp { size }) => size.map(|Bytes(bytes)| bytes),
            _ => None,
        }
    }

    /// Returns the payload that every packet has, bytes; `None` if packets differ.
    pub fn packet(&self) -> Option<u32> {
        match self {
            Self::Ftp(_) | Self::Video(_) => None,
            Self::Cbr(packets) | Self::OnOff(OnOff { packets, .. }) => Some(packets.packet),
        }
    }

    /// Returns the largest payload of a packet, bytes; 0 for a file.
    pub fn largest(&self) -> u32 {
        match self {
            Self::Video(video) => video.largest(),
            _ => self.packet().unwrap_or_default(),
        }
    }

    /// Returns the video, if it is one.
    pub fn video(&self) -> Option<&video::Config> {
        match self {
            Self::Video(video) => Some(video),
            _ => None,
        }
    }

    /// Returns the source of its packets, which draws from `rng`; `None` for a file.
    pub fn source(&self, rng: Rng) -> Option<Source> {
        Some(match self {
            Self::Ftp(_) => return None,
            Self::Cbr(packets) => Source::Paced(Paced::new(packets, None, rng)),
            Self::OnOff(OnOff { packets, bursts }) => Source::Paced(Paced::new(packets, Some(*bursts), rng)),
            Self::Video(video) => Source::Video(video::Playing::new(video)),
        })
    }
}
