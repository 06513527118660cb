//! A sender that tests drive step by step.

use base::{AckHeader, Duration, Instant, SackBlock};
use std::sync::Arc;
use tcp::{ClassifiedLoss, Config, Event, Sender};

/// Returns the instant `ms` milliseconds after the start.
pub fn at(ms: u64) -> Instant {
    Instant::ZERO + Duration::from_ms(ms)
}

/// Returns an acknowledgment of all segments below `ack`, with SACK blocks.
pub fn ack(ack: u64, blocks: &[(u64, u64)]) -> AckHeader {
    let mut header = AckHeader { ack, blocks: blocks.len() as u8, ..AckHeader::default() };
    for (place, (from, to)) in header.sack.iter_mut().zip(blocks) {
        *place = SackBlock { from: (from - ack) as u32, to: (to - ack) as u32 };
    }
    header
}

/// A sender that a test drives step by step.
pub struct Bench(pub Sender);

impl Bench {
    /// Opens a transfer of `size` segments at time 0.
    pub fn new(config: Config, size: u64) -> Self {
        let mut sender = Sender::new(&Arc::new(config.clone()), Duration::ZERO);
        sender.open(Instant::ZERO, Some(size * u64::from(config.sizes.segment)));
        Self(sender)
    }

    /// Returns the numbers of the segments that the sender sends at `ms`.
    pub fn sent(&mut self, ms: u64) -> Vec<u64> {
        std::iter::from_fn(|| self.0.poll(at(ms))).map(|(segment, _)| segment.seq).collect()
    }

    /// Delivers an acknowledgment and returns the numbers of the segments that the sender then sends.
    pub fn ack(&mut self, ms: u64, to: u64, blocks: &[(u64, u64)]) -> Vec<u64> {
        self.0.on_ack(at(ms), &ack(to, blocks));
        self.sent(ms)
    }

    /// Lets the timer, which is due at `ms`, expire; returns the numbers of the segments sent.
    pub fn expire(&mut self, ms: u64) -> Vec<u64> {
        assert_eq!(self.due(), at(ms), "the timer is due");
        self.0.on_timer(at(ms));
        self.sent(ms)
    }

    /// Returns the time at which the timer expires.
    pub fn due(&self) -> Instant {
        self.0.timer().expect("set").at
    }
}

/// Removes the sender's pending events; returns the last RTT sample among them.
pub fn rtt(sender: &mut Sender) -> Option<Duration> {
    let events = std::iter::from_fn(|| sender.poll_event());
    events.filter_map(|event| if let Event::RoundTrip(rtt) = event { Some(rtt) } else { None }).last()
}

/// Removes the sender's pending events; returns the last loss among them.
pub fn loss(sender: &mut Sender) -> Option<ClassifiedLoss> {
    let events = std::iter::from_fn(|| sender.poll_event());
    events.filter_map(|event| if let Event::Loss(loss) = event { Some(loss) } else { None }).last()
}
