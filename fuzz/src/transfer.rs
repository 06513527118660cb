//! A whole transfer between a sender and a receiver over a path that loses, delays, repeats and marks packets.

use super::draw::Draw;
use super::endpoint::{least_window, most_outstanding, profile_and_config};
use base::{AckHeader, DataHeader, Duration, Ecn, Instant};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use tcp::{Config, Phase, Receiver, Sender};

/// Least time that a packet travels.
const DELAY: Duration = Duration::from_ms(20);

/// Packet that arrives: its index among the segments or the acknowledgments sent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Segment(usize),
    Ack(usize),
}

/// Counts of what a path did in one transfer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Done {
    /// Packets sent in both directions.
    pub packets: u64,
    /// Packets lost.
    pub lost: u64,
    /// Packets that were delayed so that others may overtake them.
    pub late: u64,
    /// Packets that arrived twice.
    pub twice: u64,
    /// Segments marked CE.
    pub marked: u64,
}

/// A transfer that was carried out.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Name of the profile from which the endpoints' configuration was made.
    pub profile: &'static str,
    /// Configuration of both endpoints.
    pub config: Config,
    /// Counts of the path.
    pub done: Done,
}

struct Bench<'a> {
    draw: Draw<'a>,
    now: Instant,
    sender: Sender,
    receiver: Receiver,
    heap: BinaryHeap<Reverse<(Instant, usize, What)>>,
    segments: Vec<(DataHeader, bool)>,
    acks: Vec<AckHeader>,
    done: Done,
}

impl Bench<'_> {
    /// Puts a packet on the path. The next byte of the input decides whether the packet is lost, delayed, repeated or
    /// marked; once the input is used up, none of these happens. Returns true if the path marks the packet.
    fn carry(&mut self, what: What) -> bool {
        let usual = self.now + DELAY;
        let mut add = |at| self.heap.push(Reverse((at, self.done.packets as usize, what)));
        let fate = self.draw.byte();
        match fate {
            0..=175 => add(usual),
            176..=207 => self.done.lost += 1,
            208..=223 => {
                add(usual + Duration::from_ms(20 * u64::from(fate - 207)));
                self.done.late += 1;
            }
            224..=239 => {
                add(usual);
                add(usual + Duration::from_ms(20 * u64::from(fate - 224)));
                self.done.twice += 1;
            }
            240..=255 => add(usual),
        }
        self.done.packets += 1;
        fate >= 240
    }

    fn pump(&mut self) {
        let mut sent = 0;
        while let Some((segment, wire)) = self.sender.poll(self.now) {
            assert!(wire > 0 && sent < 1000, "{sent} segments at once");
            sent += 1;
            let at = self.segments.len();
            let marked = self.carry(What::Segment(at)) && self.sender.codepoint(&segment) != Ecn::NotEct;
            self.done.marked += u64::from(marked);
            self.segments.push((segment, marked));
        }
        self.answer();
    }

    fn answer(&mut self) {
        while let Some((ack, _)) = self.receiver.poll(self.now) {
            self.carry(What::Ack(self.acks.len()));
            self.acks.push(ack);
        }
    }

    /// Asserts the conditions that hold at all times, such as the bounds of the window.
    fn check(&self, config: &Config, size: u64, name: &str) {
        let (sender, least) = (&self.sender, least_window(config));
        let (una, next, max) = sender.sequence();
        assert!(una <= next && next <= max.max(next), "{name}: {una}, {next}, {max}");
        assert!(sender.cwnd() >= least && sender.cwnd().is_finite(), "{name}: cwnd {}", sender.cwnd());
        assert!(sender.ssthresh() >= 2.0, "{name}: ssthresh {}", sender.ssthresh());
        assert_eq!(sender.stalled(), None, "{name}: stalled at {una} of {max}, cwnd {}", sender.cwnd());
        let outstanding = (max - una) as f64;
        assert!(outstanding <= most_outstanding(config), "{name}: {outstanding} outstanding");
        assert!(una == max || sender.timer().is_some(), "{name}: outstanding data and no timer");
        let delivered = self.receiver.delivered_bytes();
        assert!(
            sender.stats().acked_bytes <= delivered && delivered <= size,
            "{name}: {delivered} of {size}"
        );
    }

    /// Advances to the next arrival or timer and handles it; returns false if there is none.
    fn step(&mut self) -> bool {
        let arrival = self.heap.peek().map(|Reverse((at, ..))| *at);
        let timers =
            [self.sender.timer(), self.receiver.timer(), self.sender.release()].map(|t| t.map(|t| t.at));
        let Some(due) = [arrival, timers[0], timers[1], timers[2]].into_iter().flatten().min() else {
            return false;
        };
        assert!(due >= self.now, "{due} is in the past");
        self.now = due;
        if arrival == Some(due) {
            match self.heap.pop() {
                Some(Reverse((_, _, What::Segment(at)))) => {
                    let (segment, marked) = self.segments[at];
                    self.receiver.on_ecn(marked);
                    self.answer();
                    self.receiver.on_segment(due, &segment);
                }
                Some(Reverse((_, _, What::Ack(at)))) => self.sender.on_ack(due, &self.acks[at]),
                None => {}
            }
        } else if timers[0] == Some(due) {
            self.sender.on_timer(due);
        } else if timers[1] == Some(due) {
            self.receiver.on_timer(due);
        }
        true
    }
}

/// Carries out a transfer that the input describes; `None` if the profile does not have the variant.
///
/// # Panics
/// If a byte does not arrive once and in order, if a window leaves its bounds, or if nothing moves any more.
pub fn transfer(data: &[u8]) -> Option<Transfer> {
    let mut draw = Draw::new(data);
    let (profile, config) = profile_and_config(&mut draw)?;
    let size = 1 + draw.number() % 200_000;
    let name = format!("{:?}+{}, {size} B", config.recovery, config.control.algorithm().name);
    let shared = Arc::new(config.clone());
    let mut bench = Bench {
        draw,
        now: Instant::ZERO,
        sender: Sender::new(&shared, Duration::ZERO),
        receiver: Receiver::new(&shared),
        heap: BinaryHeap::new(),
        segments: Vec::new(),
        acks: Vec::new(),
        done: Done::default(),
    };
    bench.sender.open(bench.now, Some(size));
    for _ in 0..1_000_000 {
        bench.pump();
        bench.check(&config, size, &name);
        let closed = bench.sender.phase() == Phase::Closed || !config.connection.fin;
        if bench.sender.finished().is_some() && bench.receiver.delivered_bytes() == size && closed {
            assert_eq!(bench.sender.stats().acked_bytes, size, "{name}");
            return Some(Transfer { profile, config, done: bench.done });
        }
        let delivered = bench.receiver.delivered_bytes();
        assert!(bench.step(), "{name}: nothing left to happen, {delivered} B delivered");
        assert!(bench.now < Instant::ZERO + Duration::from_secs(1_000_000), "{name}: no end in sight");
    }
    panic!("{name}: a million steps, {} B delivered", bench.receiver.delivered_bytes());
}

/// Returns the next number of SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns input `number` of a seed: 20 to 599 random bytes.
pub fn input(seed: u64, number: u64) -> Vec<u8> {
    let mut state = seed ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93);
    let length = 20 + next(&mut state) % 580;
    (0..length).map(|_| next(&mut state) as u8).collect()
}
