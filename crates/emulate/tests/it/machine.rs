//! A clock and devices in memory.

use base::{Duration, Instant};
use emulate::{Fault, Outside, SenderSample};
use std::collections::VecDeque;

/// A packet: when it is sent or was written, at which node, and its bytes.
pub type Moment = (Instant, usize, Vec<u8>);

/// A clock that jumps to the next event, and devices in memory.
#[derive(Default)]
pub struct Machine {
    now: Instant,
    sent: [VecDeque<(Instant, Vec<u8>)>; 2],
    /// Packets that left the network.
    pub written: Vec<Moment>,
    /// Periods in which the program does not run: begin, and duration.
    pub stalls: Vec<(Instant, Duration)>,
    /// Time at which the command ends.
    pub command_ends: Option<Instant>,
    /// True if the devices accept no packet.
    pub refuses: bool,
}

impl Machine {
    /// Creates devices into which these packets are sent.
    pub fn new(sent: Vec<Moment>) -> Self {
        let mut machine = Self::default();
        for (at, side, bytes) in sent {
            machine.sent[side].push_back((at, bytes));
        }
        machine
    }
}

impl Outside for Machine {
    fn now(&mut self) -> Instant {
        self.now
    }

    fn wait(&mut self, until: Instant) -> Result<(), Fault> {
        let next = self.sent.iter().filter_map(|sent| Some(sent.front()?.0)).min();
        let ends = self.command_ends.filter(|ends| *ends > self.now);
        let mut to = [next, ends].into_iter().flatten().fold(until, Instant::min).max(self.now);
        while let Some(at) = self.stalls.iter().position(|(from, _)| (self.now..=to).contains(from)) {
            let (from, time) = self.stalls.remove(at);
            to = to.max(from + time);
        }
        self.now = to;
        Ok(())
    }

    fn read(&mut self, side: usize) -> Result<Option<Vec<u8>>, Fault> {
        let ready = self.sent[side].front().is_some_and(|(at, _)| *at <= self.now);
        Ok(if ready { self.sent[side].pop_front().map(|(_, bytes)| bytes) } else { None })
    }

    fn write(&mut self, side: usize, bytes: &[u8]) -> Result<bool, Fault> {
        self.written.push((self.now, side, bytes.to_vec()));
        Ok(!self.refuses)
    }

    fn senders(&mut self, _: usize) -> Vec<SenderSample> {
        Vec::new()
    }

    fn has_ended(&mut self) -> bool {
        self.command_ends.is_some_and(|ends| ends <= self.now)
    }
}

/// Returns a UDP datagram over IPv4 of `wire` bytes with headers; `ecn` is the ECN codepoint.
pub fn datagram(wire: usize, ecn: u8) -> Vec<u8> {
    let mut bytes = vec![0; wire];
    bytes[..2].copy_from_slice(&[0x45, ecn]);
    bytes[2..4].copy_from_slice(&(wire as u16).to_be_bytes());
    bytes[9] = 17;
    bytes[12..20].copy_from_slice(&[10, 0, 0, 1, 10, 0, 0, 2]);
    bytes[20..24].copy_from_slice(&[0x9c, 0x40, 0x13, 0x89]);
    bytes
}
