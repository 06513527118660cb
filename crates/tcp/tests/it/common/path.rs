//! A path of one segment per millisecond and a round trip of 100 ms.

use base::{AckHeader, DataHeader, Duration, Instant};
use std::collections::BinaryHeap;
use std::{cmp::Reverse, sync::Arc};
use tcp::{Config, Receiver, Sender};

/// Sends for 700 ms and returns the sender; the first transmission of segment `seq` takes `late` ms longer
/// than the others.
pub fn late_segment(config: &Config, seq: u64, late: u64) -> Sender {
    let mut sender = Sender::new(&Arc::new(config.clone()), Duration::ZERO);
    let mut receiver = Receiver::new(config);
    let mut heap: BinaryHeap<Reverse<(Instant, usize, bool)>> = BinaryHeap::new();
    let (mut segments, mut acks): (Vec<DataHeader>, Vec<AckHeader>) = (Vec::new(), Vec::new());
    let (mut now, mut free) = (Instant::ZERO, Instant::ZERO);
    sender.open(now, None);
    while now < Instant::ZERO + Duration::from_ms(700) {
        while let Some((segment, _)) = sender.poll(now) {
            free = free.max(now) + Duration::from_ms(1);
            let delays = segment.seq == seq && segment.payload > 0 && !segment.retransmission;
            let extra = if delays { late } else { 0 };
            segments.push(segment);
            heap.push(Reverse((free + Duration::from_ms(50 + extra), segments.len() - 1, false)));
        }
        while let Some((header, _)) = receiver.poll(now) {
            acks.push(header);
            heap.push(Reverse((now + Duration::from_ms(50), acks.len() - 1, true)));
        }
        let arrival = heap.peek().map(|Reverse((at, ..))| *at);
        let timers = [sender.timer(), receiver.timer()].map(|timer| timer.map(|timer| timer.at));
        now = timers.into_iter().chain([arrival]).flatten().min().expect("the connection is stuck");
        if arrival == Some(now) {
            match heap.pop() {
                Some(Reverse((_, i, true))) => sender.on_ack(now, &acks[i]),
                Some(Reverse((_, i, false))) => receiver.on_segment(now, &segments[i]),
                None => {}
            }
        } else if timers[0] == Some(now) {
            sender.on_timer(now);
        } else {
            receiver.on_timer(now);
        }
    }
    sender
}
