//! A check of a stack: a transfer over a path that loses, duplicates and delays datagrams, twice.

use crate::contract::{Datagram, Side};
use crate::registry::Custom;
use crate::transfer::Transfer;
use base::{Duration, Ecn, Instant, Rng};
use std::collections::BTreeMap;
use std::fmt;

/// Seed of the path and of the stack.
const SEED: u64 = 1;
/// One-way delay of the path.
const DELAY: Duration = Duration::from_ms(20);
/// Time that a byte takes: 10 Mb/s.
const BYTE: Duration = Duration::from_ps(800_000);
/// Longest wait in the path's queue.
const QUEUE: Duration = Duration::from_ms(50);
/// Probability that a datagram is lost, and that it is delivered twice.
const LOSS: f64 = 0.01;
/// Time within which the transfer must be complete, for each megabyte and once more.
const PATIENCE: Duration = Duration::from_secs(300);
/// Violations that are reported.
const MOST: usize = 10;

/// Outcome of the comparison of two runs with the same seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeats {
    /// Both runs sent the same bytes at the same times.
    Bytes,
    /// Times, sizes and marks were equal, bytes differed from the given datagram on, counted from 0: the stack draws
    /// random numbers of its own, and no result depends on them here.
    Shape(u64),
    /// Times, sizes or marks differed from the given datagram on, counted from 0: the stack draws random numbers of its
    /// own, or reads a clock, and results depend on it.
    Not(u64),
}

impl fmt::Display for Repeats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes => f.write_str("two runs with one seed sent the same bytes at the same times"),
            Self::Shape(at) => write!(
                f,
                "two runs with one seed sent datagrams of the same sizes at the same times, but other bytes from datagram \
                 {at} on: the stack draws random numbers of its own"
            ),
            Self::Not(at) => write!(
                f,
                "two runs with one seed differ from datagram {at} on: the stack draws random numbers of its own, or reads a \
                 clock, and results depend on it"
            ),
        }
    }
}

/// Result of the check of a stack.
#[derive(Clone, PartialEq, Debug)]
pub struct Held {
    /// Name of the stack.
    pub stack: &'static str,
    /// Violations of the contract; empty if there were none.
    pub violations: Vec<String>,
    /// Comparison of two runs with the same seed.
    pub repeats: Repeats,
    /// Datagrams that both ends sent in the first run.
    pub datagrams: u64,
    /// Time at which the client had finished in the first run; `None` if it did not.
    pub finished: Option<Instant>,
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} datagrams", self.stack, self.datagrams)?;
        if let Some(at) = self.finished {
            writeln!(f, "finished at {} s", at.secs())?;
        }
        self.violations.iter().try_for_each(|violation| writeln!(f, "violated: {violation}"))?;
        write!(f, "{}", self.repeats)
    }
}

/// A datagram that was sent, with a hash of its bytes.
#[derive(PartialEq)]
struct Sent {
    at: Instant,
    side: bool,
    bytes: usize,
    ecn: Ecn,
    hash: u64,
}

impl Sent {
    fn shape(&self) -> (Instant, bool, usize, Ecn) {
        (self.at, self.side, self.bytes, self.ecn)
    }
}

/// Returns the 64-bit FNV-1a hash of `bytes`.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Path between two ends: a link of 10 Mb/s with a short queue each way, which loses and duplicates.
struct Path {
    rng: Rng,
    headers: u32,
    /// Datagrams on their way, by time of arrival and number.
    flying: BTreeMap<(Instant, u64), (Side, Datagram)>,
    /// Times at which the directions are free.
    free: [Instant; 2],
    sent: Vec<Sent>,
}

impl Path {
    fn send(&mut self, now: Instant, from: Side, datagram: Datagram) {
        let Datagram { bytes, ecn } = &datagram;
        let side = from == Side::Server;
        self.sent.push(Sent { at: now, side, bytes: bytes.len(), ecn: *ecn, hash: hash(bytes) });
        let lost = self.rng.uniform() < LOSS;
        let twice = self.rng.uniform() < LOSS;
        let begin = self.free[usize::from(side)].max(now);
        if lost || begin.since(now) > QUEUE {
            return;
        }
        let end = begin + BYTE.saturating_mul(bytes.len() as u64 + u64::from(self.headers));
        self.free[usize::from(side)] = end;
        let to = if side { Side::Client } else { Side::Server };
        for copy in 0..1 + u64::from(twice) {
            let key = (end + DELAY.saturating_mul(1 + copy), 2 * self.sent.len() as u64 + copy);
            self.flying.insert(key, (to, datagram.clone()));
        }
    }
}

/// Carries out a transfer of `size` bytes; returns the datagrams sent, the violations and the end.
fn course(custom: &Custom, size: u64) -> (Vec<Sent>, Vec<String>, Option<Instant>) {
    let ends = custom.ends(Rng::stream(SEED, "stack"));
    let mut transfer = Transfer::new(custom.about(), ends, Some(size));
    let mut path = Path {
        rng: Rng::stream(SEED, "path"),
        headers: custom.about().headers,
        flying: BTreeMap::new(),
        free: [Instant::ZERO; 2],
        sent: Vec::new(),
    };
    let last = Instant::ZERO + PATIENCE.saturating_mul(1 + size / 1_000_000);
    let mut violations = Vec::new();
    let mut now = Instant::ZERO;
    transfer.open(now);
    let mut side = Side::Client;
    loop {
        while let Some(datagram) = transfer.poll(now, side) {
            path.send(now, side, datagram);
        }
        if let Some(fault) = transfer.fault() {
            violations.push(fault.to_string());
            break;
        }
        if transfer.finished().is_some() && transfer.received_all() {
            break;
        }
        let mut timer = |side| transfer.timer(side).map(|due| (due.max(now), side));
        let timers = [timer(Side::Client), timer(Side::Server)].into_iter().flatten().min_by_key(|one| one.0);
        let arrival = path.flying.first_key_value().map(|(key, _)| key.0);
        let due = [timers.map(|one| one.0), arrival].into_iter().flatten().min();
        let Some(due) = due.filter(|due| *due <= last) else {
            let why = if due.is_none() { "it sleeps: no end has a timeout" } else { "it takes too long" };
            let delivered = transfer.delivered_bytes();
            violations.push(format!("{delivered} of {size} bytes arrived by {} s: {why}", now.secs()));
            break;
        };
        now = due;
        if arrival == Some(now)
            && let Some((_, (to, datagram))) = path.flying.pop_first()
        {
            side = to;
            transfer.receive(now, side, datagram);
        } else if let Some((_, at)) = timers {
            side = at;
            transfer.on_timer(now, side);
        }
    }
    violations.extend(transfer.failed().map(|why| format!("the connection ended early: {why}")));
    (path.sent, violations, transfer.finished())
}

/// Carries out a transfer of `size` bytes over a lossy path, twice with the same seed, and reports violations of the
/// contract and the first difference between both runs.
pub fn hold(custom: &Custom, size: u64) -> Held {
    let (first, mut violations, finished) = course(custom, size);
    let (second, more, _) = course(custom, size);
    let other = more.into_iter().filter(|one| !violations.contains(one)).collect::<Vec<_>>();
    violations.extend(other);
    violations.truncate(MOST);
    let differs = |same: fn(&Sent, &Sent) -> bool| {
        let at = first.iter().zip(&second).position(|(a, b)| !same(a, b));
        at.or((first.len() != second.len()).then_some(first.len().min(second.len()))).map(|at| at as u64)
    };
    let repeats = match (differs(|a, b| a.shape() == b.shape()), differs(|a, b| a == b)) {
        (Some(at), _) => Repeats::Not(at),
        (None, Some(at)) => Repeats::Shape(at),
        (None, None) => Repeats::Bytes,
    };
    Held { stack: custom.about().name, violations, repeats, datagrams: first.len() as u64, finished }
}
