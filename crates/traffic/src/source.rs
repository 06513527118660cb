//! A source of either kind.

use crate::paced::Paced;
use crate::video::Playing;
use base::Instant;

/// A source of packets.
#[derive(Clone, Debug)]
pub enum Source {
    /// Of one size, at a rate.
    Paced(Paced),
    /// A video's.
    Video(Playing),
}

impl Source {
    /// The source begins at `now`; returns when its first packet goes.
    pub fn begin(&mut self, now: Instant) -> Instant {
        match self {
            Self::Paced(paced) => paced.begin(now),
            Self::Video(video) => video.begin(now),
        }
    }

    /// Payload of the packet that goes next, bytes.
    pub fn payload(&self) -> u32 {
        match self {
            Self::Paced(paced) => paced.payload,
            Self::Video(video) => video.payload(),
        }
    }

    /// When the next packet goes after one that went at `now`; never where there is none.
    pub fn next(&mut self, now: Instant) -> Instant {
        match self {
            Self::Paced(paced) => paced.next(now),
            Self::Video(video) => video.advance(),
        }
    }
}
