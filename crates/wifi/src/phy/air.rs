//! The transmissions of a network on the channel, in the order in which they were decided.
//!
//! No event is scheduled for the arrival of a signal at a station. Each station reads this log when it has to know the
//! state of the medium (`crate::ear`), from the position where it stopped reading; a station with nothing to do reads
//! nothing.

use base::{Duration, FlowId, Instant};
use std::collections::VecDeque;

/// The kind of a frame.
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
    /// Number of kinds.
    pub(crate) const COUNT: usize = 9;

    /// Returns the standard's name.
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
    /// Time at which it begins at the sender.
    pub(crate) begins: Instant,
    /// Time at which it ends at the sender.
    pub(crate) ends: Instant,
    /// Time for which it reserves the medium beyond its end: the Duration field.
    pub(crate) reserves: Duration,
    /// Length of the frame, bytes.
    pub(crate) bytes: u32,
    /// Number of its mode.
    pub(crate) mode: u8,
    /// Number of the rate of data to one station; else 0.
    pub(crate) rate: u8,
    /// Number of aggregated frames beyond the first; 0: a single frame.
    pub(crate) aggregates: u8,
    pub(crate) flow: Option<FlowId>,
}

impl Transmission {
    /// Returns the index of its EIFS in the list of them.
    #[inline]
    pub(crate) fn class(&self) -> usize {
        if self.rate == 0 { self.kind as usize } else { Kind::COUNT - 1 + usize::from(self.rate) }
    }
}

/// The receiver of a broadcast frame.
pub(crate) const EVERYBODY: u32 = u32::MAX;

/// Time for which the log remembers: longer than any backoff (1023 slots of 20 us), any NAV (32.767 ms) and any frame
/// together, so that a station finds everything that it still has to read.
const MEMORY: Duration = Duration::from_ms(100);

/// The longest propagation delay of a signal that still arrives: later ones may be forgotten by then. At the speed of
/// light 6000 km.
pub(crate) const LONGEST_WAY: Duration = Duration::from_ms(20);

/// Log of recent transmissions on the channel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Air {
    frames: VecDeque<Transmission>,
    /// Number of the first one.
    first: u64,
    /// Lengths of the parts of aggregates, bytes, by number of the transmission.
    parts: VecDeque<(u64, Vec<u32>)>,
}

impl Air {
    /// Adds a transmission and returns its number; removes those that are too old to matter.
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

    /// Adds a transmission that aggregates frames of these lengths.
    pub(crate) fn add_aggregate(&mut self, frame: Transmission, parts: Vec<u32>) -> u64 {
        let number = self.add(frame);
        self.parts.push_back((number, parts));
        number
    }

    /// Returns the lengths of the parts of a transmission, bytes: a single one if it is no aggregate.
    pub(crate) fn parts(&self, number: u64) -> &[u32] {
        let frame = self.get(number);
        if frame.aggregates == 0 {
            return std::slice::from_ref(&frame.bytes);
        }
        let found = self.parts.binary_search_by_key(&number, |(number, _)| *number);
        found.map_or(&[], |i| &self.parts[i].1)
    }

    /// Returns true if no other transmission overlaps that of this number, or comes within `margin` of it.
    pub(crate) fn is_alone(&self, number: u64, margin: Duration) -> bool {
        let frame = self.get(number);
        let others = (self.first..).zip(&self.frames).filter(|(other, _)| *other != number);
        others
            .into_iter()
            .all(|(_, other)| other.ends + margin <= frame.begins || other.begins >= frame.ends + margin)
    }

    /// Returns one past the number of the last.
    #[inline]
    pub(crate) fn end(&self) -> u64 {
        self.first + self.frames.len() as u64
    }

    /// Returns the number of the oldest that is remembered.
    #[inline]
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// Returns the transmissions from this number on.
    #[inline]
    pub(crate) fn since(&self, number: u64) -> impl Iterator<Item = &Transmission> {
        self.frames.range((number - self.first) as usize..)
    }

    /// Returns a transmission that is remembered, by number.
    #[inline]
    pub(crate) fn get(&self, number: u64) -> &Transmission {
        &self.frames[(number - self.first) as usize]
    }
}
