//! The advertised receive window: a slow reader limits the sender, and no loss stops the connection forever,
//! not even the loss of the update that reopens the window.

use base::{AckHeader, Advertised, DataHeader, Duration, Instant};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use tcp::congestion::Control;
use tcp::recovery::Recovery;
use tcp::{Receiver, Sender};

use crate::common::config;

/// A receiver with a buffer from which the application reads one segment at a time.
struct Reader {
    receiver: Receiver,
    buffer: u64,
    read: u64,
    every: Duration,
    next_read: Instant,
}

impl Reader {
    fn window(&self) -> u64 {
        self.read + self.buffer - self.receiver.delivered_bytes()
    }

    /// Reads a segment; an acknowledgment is due if the window then opens for a segment.
    fn read(&mut self, now: Instant, segment: u64) {
        let closed = self.window() < segment;
        self.read = (self.read + segment).min(self.receiver.delivered_bytes());
        self.next_read = now + self.every;
        if closed && self.window() >= segment {
            self.receiver.acknowledge();
        }
    }
}

/// A packet under way; ordered so that data comes before acknowledgments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Data(usize),
    Ack(usize),
}

fn transfer(pair: (Recovery, &Control), size: u64, buffer: u64, lost: &[bool]) -> Result<u32, TestCaseError> {
    let config = Arc::new(config(pair.0, pair.1.clone(), false, false));
    let segment = u64::from(config.sizes.segment);
    let mut sender = Sender::new(&config, Duration::ZERO);
    let mut reader = Reader {
        receiver: Receiver::new(&config),
        buffer,
        read: 0,
        every: Duration::from_ms(30),
        next_read: Instant::ZERO,
    };
    let mut heap: BinaryHeap<Reverse<(Instant, usize, What)>> = BinaryHeap::new();
    let (mut segments, mut acks): (Vec<DataHeader>, Vec<AckHeader>) = (Vec::new(), Vec::new());
    let mut now = Instant::ZERO;
    let mut carried = 0;
    let mut probes = 0;
    // The highest sequence number that any window known to the sender has permitted.
    let mut reach = u64::MAX;
    sender.open(now, Some(size));
    loop {
        let mut carry = |what: What| {
            let pass = !lost.get(carried).copied().unwrap_or(false);
            carried += 1;
            if pass {
                heap.push(Reverse((now + Duration::from_ms(20), carried, what)));
            }
        };
        while let Some((data, _)) = sender.poll(now) {
            probes += u32::from(data.probe);
            prop_assert!(data.probe || data.offset + u64::from(data.payload) <= reach, "beyond the window");
            segments.push(data);
            carry(What::Data(segments.len() - 1));
        }
        while let Some((mut ack, _)) = reader.receiver.poll(now) {
            ack.window = Advertised::of(reader.window());
            acks.push(ack);
            carry(What::Ack(acks.len() - 1));
        }
        if sender.finished().is_some() {
            prop_assert_eq!(reader.receiver.delivered_bytes(), size);
            return Ok(probes);
        }
        let arrival = heap.peek().map(|Reverse((at, ..))| *at);
        let timer = sender.timer().map(|t| t.at);
        let release = sender.release().map(|t| t.at);
        prop_assert!(arrival.or(timer).or(release).is_some(), "the connection is stuck");
        let answer = reader.receiver.timer().map(|t| t.at);
        let due = [arrival, timer, answer, release, Some(reader.next_read)].into_iter().flatten().min();
        now = due.unwrap_or(now);
        prop_assert!(now < Instant::ZERO + Duration::from_secs(10_000), "no end in sight");
        if arrival == Some(now) {
            match heap.pop() {
                Some(Reverse((_, _, What::Data(i)))) => reader.receiver.on_segment(now, &segments[i]),
                Some(Reverse((_, _, What::Ack(i)))) => {
                    let ack = &acks[i];
                    let told = ack.ack * segment + ack.window.bytes().unwrap_or(0);
                    reach = if reach == u64::MAX { told } else { reach.max(told) };
                    sender.on_ack(now, ack);
                }
                None => {}
            }
        } else if timer == Some(now) {
            sender.on_timer(now);
        } else if answer == Some(now) {
            reader.receiver.on_timer(now);
        } else if release != Some(now) {
            reader.read(now, segment);
        }
    }
}

fn every_pair() -> impl Iterator<Item = (Recovery, Control)> {
    Recovery::ALL.iter().flat_map(|(recovery, ..)| {
        Control::ALL.iter().map(|a| (*recovery, Control::by_name(a.name, &[]).expect("registered")))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_slow_reader_gets_every_byte(
        size in 1u64..60_000,
        buffer in 1_000u64..20_000,
        lost in prop::collection::vec(prop::bool::weighted(0.15), 0..200),
    ) {
        for (recovery, control) in every_pair() {
            transfer((recovery, &control), size, buffer, &lost)
                .map_err(|e| TestCaseError::fail(format!("{}+{}: {e}", recovery.name(), control.algorithm().name)))?;
        }
    }
}

/// If the only window update is lost, a probe finds the window open.
#[test]
fn a_lost_update_costs_one_probe() {
    let control = Control::by_name("reno", &[]).expect("registered");
    // Packets: SYN, SYN-ACK, two segments, their acknowledgments, then the update.
    let update = 6;
    let lost: Vec<bool> = (0..=update).map(|i| i == update).collect();
    let none = transfer((Recovery::NewReno, &control), 8_000, 2_000, &[]).expect("arrives");
    let one = transfer((Recovery::NewReno, &control), 8_000, 2_000, &lost).expect("arrives");
    assert_eq!((none, one), (0, 1));
}
