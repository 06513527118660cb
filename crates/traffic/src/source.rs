//! A source of packets: paced packets or a video.

use crate::paced::Paced;
use crate::video::Playing;
use base::Instant;

/// Traffic source of a flow over UDP or TCP: the times and sizes of its packets.
#[derive(Clone, Debug)]
pub enum Source {
    /// Packets of one size at a given rate.
    Paced(Paced),
    /// Packets of a video.
    Video(Playing),
}

impl Source {
    /// Starts the source at `now`; returns the time of the first packet.
    pub fn begin(&mut self, now: Instant) -> Instant {
        match self {
            Self::Paced(paced) => paced.begin(now),
            Self::Video(video) => video.begin(now),
        }
    }

    /// Returns the payload of the next packet, bytes.
    pub fn payload(&self) -> u32 {
        match self {
            Self::Paced(paced) => paced.payload,
            Self::Video(video) => video.payload(),
        }
    }

    /// Returns the time of the packet that follows a packet at `now`; `Instant::MAX` if none follows.
    pub fn next(&mut self, now: Instant) -> Instant {
        match self {
            Self::Paced(paced) => paced.next(now),
            Self::Video(video) => video.advance(),
        }
    }
}
