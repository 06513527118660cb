//! A source of either kind.

use crate::paced::Paced;
use crate::video::Playing;
use base::Instant;

/// A source of packets.
#[derive(Clone, Debug)]
pub enum Source {
    /// A source of packets of one size, at a rate.
    Paced(Paced),
    /// A source of a video's packets.
    Video(Playing),
}

impl Source {
    /// Begins at `now`; returns the time of its first packet.
    pub fn begin(&mut self, now: Instant) -> Instant {
        match self {
            Self::Paced(paced) => paced.begin(now),
            Self::Video(video) => video.begin(now),
        }
    }

    /// Returns the payload of the packet that goes next, bytes.
    pub fn payload(&self) -> u32 {
        match self {
            Self::Paced(paced) => paced.payload,
            Self::Video(video) => video.payload(),
        }
    }

    /// Returns the time of the next packet after one at `now`; never if there is none.
    pub fn next(&mut self, now: Instant) -> Instant {
        match self {
            Self::Paced(paced) => paced.next(now),
            Self::Video(video) => video.advance(),
        }
    }
}
