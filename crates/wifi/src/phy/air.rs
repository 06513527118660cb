//! Log of the transmissions of a network, in the order in which they were decided.
//!
//! No event is scheduled for the arrival of a signal at a station. A station reads the log when the state of the
//! medium matters to it ([`crate::phy::carrier_sense`]), from the position where it stopped reading. A station with
//! nothing to do reads nothing.

use base::{Duration, FlowId, Instant};
use std::collections::VecDeque;

/// Type of a frame.
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
    /// Number of types.
    pub(crate) const COUNT: usize = 9;

    /// Returns the name of this kind of frame in the standard.
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

/// Transmission of a frame: an entry of the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transmission {
    /// Sender.
    pub(crate) from: u32,
    /// Receiver, or [`EVERYBODY`].
    pub(crate) to: u32,
    pub(crate) kind: Kind,
    /// Time at which the transmission begins at the sender.
    pub(crate) begins: Instant,
    /// Time at which the transmission ends at the sender.
    pub(crate) ends: Instant,
    /// Duration field: time for which the frame reserves the medium after its end.
    pub(crate) reserves: Duration,
    /// Length of the frame, bytes.
    pub(crate) bytes: u32,
    /// Number of the frame's mode in [`Durations`](crate::phy::durations::Durations).
    pub(crate) mode: u8,
    /// Number of the data rate of a unicast data frame; otherwise 0.
    pub(crate) rate: u8,
    /// Number of MPDUs beyond the first; 0: a single MPDU.
    pub(crate) aggregates: u8,
    /// EIFS minus DIFS or AIFS, which follows the frame at a station that receives it with errors. It is set when the
    /// frame enters the log.
    pub(crate) eifs: Duration,
    /// True if all stations but the sender receive this frame without errors, and before the next transmission in the
    /// log reaches any of them. It is set when that transmission enters the log.
    pub(crate) clear: bool,
    pub(crate) flow: Option<FlowId>,
}

impl Transmission {
    /// Returns the index of the frame's EIFS in `SensingRules::eifs`.
    #[inline]
    pub(crate) fn class(&self) -> usize {
        if self.rate == 0 { self.kind as usize } else { Kind::COUNT - 1 + usize::from(self.rate) }
    }
}

/// Receiver of a broadcast frame.
pub(crate) const EVERYBODY: u32 = u32::MAX;

/// Time for which a transmission stays in the log after its end. It exceeds the sum of [`SHORT_BACKOFF`], the longest
/// NAV (32.767 ms) and the longest frame, so that a station finds everything that it still has to read.
const MEMORY: Duration = Duration::from_ms(100);

/// Longest AIFS with backoff for which [`MEMORY`] suffices: 1023 slots of 20 us and an AIFS take 20.6 ms.
/// Stations with longer ones read the log before transmissions leave it.
pub(crate) const SHORT_BACKOFF: Duration = Duration::from_ms(25);

/// Greatest propagation delay with which a signal is received; a signal with a longer delay may have left the log
/// before it arrives. At the speed of light it is 6000 km.
pub(crate) const LONGEST_WAY: Duration = Duration::from_ms(20);

/// Log of recent transmissions on the channel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Air {
    /// Transmissions in the log, behind some that have left it. Stations read slices, which a ring does not have.
    frames: Vec<Transmission>,
    /// Number of the first of `frames`.
    base: u64,
    /// Number of the first transmission in the log.
    first: u64,
    /// Lengths of the MPDUs of A-MPDUs, bytes, by number of the transmission.
    parts: VecDeque<(u64, Vec<u32>)>,
}

impl Air {
    /// Returns true if the transmission with this number, unless it has left the log, may leave it when one that begins
    /// at `begins` is added.
    #[inline]
    pub(crate) fn may_leave(&self, number: u64, begins: Instant) -> bool {
        let at = number.max(self.first) - self.base;
        self.frames.get(at as usize).is_some_and(|old| old.ends + MEMORY < begins)
    }

    /// Adds a transmission and returns its number; removes transmissions that are older than `MEMORY`.
    pub(crate) fn add(&mut self, frame: Transmission) -> u64 {
        while self.may_leave(self.first, frame.begins) {
            self.first += 1;
        }
        // At most a third as many are moved as are removed, so that an addition takes constant time on average.
        let left = (self.first - self.base) as usize;
        if 4 * left > 3 * self.frames.len() {
            self.frames.drain(..left);
            self.base = self.first;
        }
        while self.parts.front().is_some_and(|(number, _)| *number < self.first) {
            self.parts.pop_front();
        }
        self.frames.push(frame);
        self.end() - 1
    }

    /// Returns the last transmission in the log, for a change.
    #[inline]
    pub(crate) fn last_mut(&mut self) -> Option<&mut Transmission> {
        self.frames.last_mut()
    }

    /// Adds the transmission of an A-MPDU; `parts` are the lengths of its MPDUs with delimiter and padding, bytes.
    pub(crate) fn add_aggregate(&mut self, frame: Transmission, parts: Vec<u32>) -> u64 {
        let number = self.add(frame);
        self.parts.push_back((number, parts));
        number
    }

    /// Returns the lengths of the MPDUs of a transmission, bytes; a frame without aggregation counts as a single
    /// MPDU.
    pub(crate) fn parts(&self, number: u64) -> &[u32] {
        let frame = self.get(number);
        if frame.aggregates == 0 {
            return std::slice::from_ref(&frame.bytes);
        }
        let found = self.parts.binary_search_by_key(&number, |(number, _)| *number);
        found.map_or(&[], |i| &self.parts[i].1)
    }

    /// Returns true if no other transmission was on the air at the same time or within `margin` before or after.
    pub(crate) fn is_alone(&self, number: u64, margin: Duration) -> bool {
        let frame = self.get(number);
        let others = (self.first..).zip(self.since(self.first)).filter(|(other, _)| *other != number);
        others
            .into_iter()
            .all(|(_, other)| other.ends + margin <= frame.begins || other.begins >= frame.ends + margin)
    }

    /// Returns the number that the next transmission will get.
    #[inline]
    pub(crate) fn end(&self) -> u64 {
        self.base + self.frames.len() as u64
    }

    /// Returns the number of the oldest transmission in the log.
    #[inline]
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// Returns the transmission with a number, which must still be in the log.
    #[inline]
    pub(crate) fn get(&self, number: u64) -> &Transmission {
        &self.frames[(number - self.base) as usize]
    }

    /// Returns the transmissions from the one with this number on, which must still be in the log or be the next.
    #[inline]
    pub(crate) fn since(&self, number: u64) -> &[Transmission] {
        &self.frames[(number - self.base) as usize..]
    }
}
