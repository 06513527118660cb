//! What is and was on the air: the transmissions of a network in the order in which they were decided.
//!
//! Nothing is scheduled for the arrival of a signal at a station. Each station reads this log when it has to know what the
//! medium is like (`crate::ear`), from where it stopped reading; a station with nothing to do reads nothing.

use base::{Duration, FlowId, Instant};
use std::collections::VecDeque;

/// What a frame is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Data,
    Ack,
    Rts,
    Cts,
    Beacon,
    BlockAck,
    BlockAckReq,
    Management,
    CfEnd,
}

impl Kind {
    /// How many kinds there are.
    pub(crate) const COUNT: usize = 9;

    /// The standard's word.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Data => "DATA",
            Self::Ack => "ACK",
            Self::Rts => "RTS",
            Self::Cts => "CTS",
            Self::Beacon => "BEACON",
            Self::BlockAck => "BA",
            Self::BlockAckReq => "BAR",
            Self::Management => "MANAGEMENT",
            Self::CfEnd => "CF-END",
        }
    }
}

/// A transmission.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transmission {
    /// The sender.
    pub(crate) from: u32,
    /// The receiver, or [`EVERYBODY`].
    pub(crate) to: u32,
    pub(crate) kind: Kind,
    /// When it begins at the sender.
    pub(crate) begins: Instant,
    /// When it ends at the sender.
    pub(crate) ends: Instant,
    /// How long it reserves the medium beyond its end: the Duration field.
    pub(crate) reserves: Duration,
    /// Length of the frame, bytes.
    pub(crate) bytes: u32,
    /// Its mode, by number.
    pub(crate) mode: u8,
    /// Of data to one station: the rate, by number; else 0.
    pub(crate) rate: u8,
    /// How many frames it aggregates beyond the first; 0: it is one frame.
    pub(crate) aggregates: u8,
    pub(crate) flow: Option<FlowId>,
}

impl Transmission {
    /// Where EIFS after it stands in the list of them.
    #[inline]
    pub(crate) fn class(&self) -> usize {
        if self.rate == 0 { self.kind as usize } else { Kind::COUNT - 1 + usize::from(self.rate) }
    }
}

/// The receiver of a broadcast frame.
pub(crate) const EVERYBODY: u32 = u32::MAX;

/// How long the log remembers: longer than any backoff (1023 slots of 20 us), any NAV (32.767 ms) and any frame together, so
/// that whatever a station still has to read is there.
const MEMORY: Duration = Duration::from_ms(100);

/// The longest way of a signal that still arrives: what takes longer the log may have forgotten when it is there. At the speed of light 6000 km.
pub(crate) const LONGEST_WAY: Duration = Duration::from_ms(20);

/// The log.
#[derive(Clone, Debug, Default)]
pub(crate) struct Air {
    frames: VecDeque<Transmission>,
    /// The number of the first one.
    first: u64,
    /// Lengths of the parts of those that aggregate, bytes, by number of the transmission.
    parts: VecDeque<(u64, Vec<u32>)>,
}

impl Air {
    /// Adds a transmission and says its number; forgets what is too old to matter.
    pub(crate) fn add(&mut self, frame: Transmission) -> u64 {
        while self.frames.front().is_some_and(|old| old.ends + MEMORY < frame.begins) {
            self.frames.pop_front();
            self.first += 1;
        }
        while self.parts.front().is_some_and(|(number, _)| *number < self.first) {
            self.parts.pop_front();
        }
        self.frames.push_back(frame);
        self.end() - 1
    }

    /// Adds a transmission that aggregates frames, of these lengths.
    pub(crate) fn add_aggregate(&mut self, frame: Transmission, parts: Vec<u32>) -> u64 {
        let number = self.add(frame);
        self.parts.push_back((number, parts));
        number
    }

    /// Lengths of the parts of a transmission, bytes: one where it is one frame.
    pub(crate) fn parts(&self, number: u64) -> &[u32] {
        let frame = self.get(number);
        if frame.aggregates == 0 {
            return std::slice::from_ref(&frame.bytes);
        }
        let found = self.parts.binary_search_by_key(&number, |(number, _)| *number);
        found.map_or(&[], |i| &self.parts[i].1)
    }

    /// Whether no other transmission is on the air with that of this number, anywhere within `margin` of it.
    pub(crate) fn is_alone(&self, number: u64, margin: Duration) -> bool {
        let frame = self.get(number);
        let others = (self.first..).zip(&self.frames).filter(|(other, _)| *other != number);
        others
            .into_iter()
            .all(|(_, other)| other.ends + margin <= frame.begins || other.begins >= frame.ends + margin)
    }

    /// One past the number of the last.
    #[inline]
    pub(crate) fn end(&self) -> u64 {
        self.first + self.frames.len() as u64
    }

    /// The number of the oldest that is remembered.
    #[inline]
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// The transmissions from this number on.
    #[inline]
    pub(crate) fn since(&self, number: u64) -> impl Iterator<Item = &Transmission> {
        self.frames.range((number - self.first) as usize..)
    }

    /// The transmission of a number that is remembered.
    #[inline]
    pub(crate) fn get(&self, number: u64) -> &Transmission {
        &self.frames[(number - self.first) as usize]
    }
}
