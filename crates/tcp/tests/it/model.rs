//! The receiver compared with a simple reference model: the set of arrived segments, and their order of arrival.

use base::{DataHeader, Duration, Instant};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tcp::Receiver;
use tcp::recovery::Recovery;

const SEGMENT: u32 = 1000;
const DELAY: Duration = Duration::from_ms(100);

/// Reference model of a receiver by RFC 9293, RFC 5681 section 4.2 and RFC 2018, as short as possible.
#[derive(Default)]
struct Reference {
    arrived: BTreeSet<u64>,
    /// Segment numbers in the order of their last arrival, the newest first.
    newest: Vec<u64>,
    /// Arrival times of segments in order that are not acknowledged yet.
    waiting: Vec<Instant>,
    duplicates: u64,
}

impl Reference {
    /// Returns the first segment number that has not arrived.
    fn expected(&self) -> u64 {
        (0..).find(|seq| !self.arrived.contains(seq)).unwrap_or_default()
    }

    /// Returns the contiguous block of arrived segments around `seq`.
    fn run(&self, seq: u64) -> (u64, u64) {
        let from = (0..=seq).rev().take_while(|one| self.arrived.contains(one)).last().unwrap_or(seq);
        (from, (seq..).find(|one| !self.arrived.contains(one)).unwrap_or(seq))
    }

    /// Returns at most three SACK blocks beyond the first hole, the block with the newest arrival first.
    fn blocks(&self) -> Vec<(u64, u64)> {
        let mut found: Vec<(u64, u64)> = Vec::new();
        for run in self.newest.iter().filter(|seq| **seq > self.expected()).map(|seq| self.run(*seq)) {
            if !found.contains(&run) {
                found.push(run);
            }
        }
        found.truncate(3);
        found
    }

    /// Takes a segment; returns true if it must be acknowledged at once.
    fn take(&mut self, now: Instant, seq: u64, every: usize) -> bool {
        let holes = self.arrived.iter().any(|one| *one > self.expected());
        let in_order = seq == self.expected();
        self.duplicates += u64::from(!self.arrived.insert(seq));
        self.newest.retain(|one| *one != seq);
        self.newest.insert(0, seq);
        if in_order && !holes {
            self.waiting.push(now);
        }
        !in_order || holes || self.waiting.len() >= every
    }

    fn timer(&self) -> Option<Instant> {
        self.waiting.first().map(|first| *first + DELAY)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn the_receiver_answers_as_the_reference(
        steps in prop::collection::vec((0u64..24, 0u64..120), 1..120),
        every in 1usize..5,
    ) {
        let mut config = crate::common::endpoint::endpoint(Recovery::Sack);
        config.sizes.segment = SEGMENT;
        config.acks.delayed_ack = DELAY;
        config.acks.ack_every = every as u32;
        config.options.timestamps = false;
        let (mut receiver, mut reference) = (Receiver::new(&config), Reference::default());
        let mut now = Instant::ZERO;
        for (given, pause) in steps {
            now += Duration::from_ms(pause);
            if let Some(due) = reference.timer().filter(|due| *due <= now) {
                prop_assert_eq!(receiver.timer().map(|timer| timer.at), Some(due));
                receiver.on_timer(due);
                let (ack, _) = receiver.poll(due).expect("what waited is acknowledged");
                prop_assert_eq!(ack.ack, reference.expected());
                reference.waiting.clear();
            }
            // Half of the segments or more are the expected one, so that many arrive in order between the
            // others.
            let seq = if given < 12 { reference.expected() } else { reference.expected().saturating_sub(3) + given - 12 };
            let offset = seq * u64::from(SEGMENT);
            receiver.on_segment(now, &DataHeader { seq, offset, payload: SEGMENT, ..DataHeader::default() });
            let due = reference.take(now, seq, every);
            let answer = receiver.poll(now);
            prop_assert_eq!(answer.is_some(), due, "segment {}", seq);
            if let Some((ack, wire)) = answer {
                reference.waiting.clear();
                let told = ack.sacked().iter().map(|b| (ack.ack + u64::from(b.from), ack.ack + u64::from(b.to)));
                let blocks = reference.blocks();
                prop_assert_eq!((ack.ack, told.collect::<Vec<_>>()), (reference.expected(), blocks.clone()));
                let option = if blocks.is_empty() { 0 } else { 4 + 8 * blocks.len() as u32 };
                prop_assert_eq!(wire, config.sizes.ack_size + option);
            }
            prop_assert_eq!(receiver.timer().map(|timer| timer.at), reference.timer());
            prop_assert_eq!(receiver.expected(), reference.expected());
            prop_assert_eq!(receiver.delivered_bytes(), reference.expected() * u64::from(SEGMENT));
            prop_assert_eq!(receiver.stats().duplicate_packets, reference.duplicates);
        }
    }
}
