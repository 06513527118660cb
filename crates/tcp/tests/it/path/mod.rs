//! One connection over one bottleneck, the smallest network in which windows matter.

#![allow(dead_code, reason = "no test looks at every value")]

use base::{AckHeader, DataHeader, Duration, Instant};
use std::collections::VecDeque;
use std::sync::Arc;
use tcp::config::{AckCounting, Config, Syn};
use tcp::congestion::Control;
use tcp::recovery::Recovery;
use tcp::{Receiver, Sender};

/// A link of `rate` segments per second with a buffer of `buffer` segments, and a reverse path without queue.
pub struct Bottleneck {
    pub rate: f64,
    /// Round-trip time without queueing and transmission.
    pub delay: Duration,
    pub buffer: usize,
}

/// State of the sender after an acknowledgment.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub time_s: f64,
    pub cwnd: f64,
    pub in_flight: u64,
    pub delivered: u64,
    /// Segments that found the buffer full.
    pub dropped: u64,
    pub rtt_s: f64,
    /// Segments per second.
    pub pacing_rate: f64,
    pub state: &'static str,
}

/// Returns an endpoint by the RFCs with recovery `sack`, no handshake, and immediate acknowledgments counted in segments.
pub fn config(control: Control) -> Config {
    let mut changed = crate::common::config(Recovery::Sack, control, false, false);
    changed.connection.syn = Syn::None;
    changed.windows.max_window = f64::INFINITY;
    changed.growth.ack_counting = AckCounting::Segments;
    changed.growth.pacing = false;
    changed.connection.fin = false;
    changed
}

impl Bottleneck {
    /// Runs a transfer and returns the sender's state after each acknowledgment.
    pub fn run(&self, control: Control, length: Duration) -> Vec<Moment> {
        self.run_with(&config(control), length)
    }

    /// Runs a transfer as [`Bottleneck::run`] does, with another configuration.
    pub fn run_with(&self, config: &Config, length: Duration) -> Vec<Moment> {
        self.run_losing(config, length, u64::MAX)
    }

    /// Runs as [`Bottleneck::run_with`] does, and loses one of `every` segments that leave the sender.
    pub fn run_losing(&self, config: &Config, length: Duration, every: u64) -> Vec<Moment> {
        let mut sender = Sender::new(&Arc::new(config.clone()), Duration::ZERO);
        let mut receiver = Receiver::new(config);
        let service = Duration::from_secs_f64(1.0 / self.rate);
        let half = Duration::from_ps(self.delay.ps() / 2);
        // Departure times of queued segments; segments and acknowledgments under way, with their arrival times.
        let mut queue: VecDeque<Instant> = VecDeque::new();
        let mut out: VecDeque<(Instant, DataHeader)> = VecDeque::new();
        let mut back: VecDeque<(Instant, AckHeader)> = VecDeque::new();
        let mut moments = Vec::new();
        let mut rtt = 0.0;
        let mut dropped = 0;
        let mut sent = 0;
        let mut now = Instant::ZERO;
        sender.open(now, None);
        while now < Instant::ZERO + length {
            while let Some((segment, _)) = sender.poll(now) {
                while queue.front().is_some_and(|departs| *departs <= now) {
                    queue.pop_front();
                }
                sent += 1;
                if sent % every == 0 {
                    continue;
                }
                if queue.len() < self.buffer {
                    let departs = queue.back().copied().unwrap_or(now).max(now) + service;
                    queue.push_back(departs);
                    out.push_back((departs + half, segment));
                } else {
                    dropped += 1;
                }
            }
            let due = [
                out.front().map(|next| next.0),
                back.front().map(|next| next.0),
                sender.release().map(|stamp| stamp.at),
                sender.timer().map(|stamp| stamp.at),
                receiver.timer().map(|stamp| stamp.at),
            ];
            now = due.into_iter().flatten().min().expect("something is always to come");
            let arrived = if due[0] == Some(now) { out.pop_front() } else { None };
            if arrived.is_some() || due[4] == Some(now) {
                match arrived {
                    Some((_, segment)) => receiver.on_segment(now, &segment),
                    None => receiver.on_timer(now),
                };
                while let Some((ack, _)) = receiver.poll(now) {
                    back.push_back((now + half, ack));
                }
            } else if due[1] == Some(now)
                && let Some((_, ack)) = back.pop_front()
            {
                sender.on_ack(now, &ack);
                rtt = crate::common::bench::rtt(&mut sender).map_or(rtt, Duration::secs);
                moments.push(Moment {
                    time_s: now.since(Instant::ZERO).secs(),
                    cwnd: sender.cwnd(),
                    in_flight: sender.in_flight(),
                    delivered: receiver.expected(),
                    dropped,
                    rtt_s: rtt,
                    pacing_rate: sender.pacing_rate().unwrap_or(f64::NAN),
                    state: sender.control_state(),
                });
            } else if due[3] == Some(now) && due[2] != Some(now) {
                sender.on_timer(now);
            }
        }
        moments
    }
}
