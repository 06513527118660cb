//! Compares event queues on the event mixes of a network; `make bench` prints the table.
//!
//! Hold model: pop the first event, push its successor. Each pending event belongs to a source of one of these mixes:
//!
//! - `links`: the mix of a dumbbell. A few sources are busy bottlenecks (a packet every 12 µs) and a few are timers (200 ms
//!   to 1 s); the others are links whose packets arrive 1 ms or 10 ms later. Times fall on a grid of transmission times, and
//!   all sources start at once, so that events tie in time and in time of scheduling.
//! - `bursts`: the same, but one pop in eight pushes nothing (a link falls idle) and one in eight pushes two events.
//! - `random`: exponential increments with one mean, the mix of most published comparisons.
//!
//! Every candidate must pop exactly the same events; otherwise the run panics.
#![expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a benchmark measures and prints")]

mod queues;

use base::{Instant, Stamp};
use queues::{Queue, calendar, dary, fused, pairing, std_heap, tournament};
use std::hint::black_box;

const SIZES: [usize; 4] = [3, 30, 1_000, 10_000];
const ROUNDS: usize = 100;
const POPS: usize = 20_000;
const MIXES: [&str; 3] = ["links", "bursts", "random"];

fn main() {
    let candidates: Vec<(&str, Start)> = vec![
        candidate::<std_heap::StdHeap>(),
        candidate::<dary::Dary<2>>(),
        candidate::<dary::Dary<4>>(),
        candidate::<dary::Dary<8>>(),
        candidate::<fused::Fused<false>>(),
        candidate::<fused::Fused<true>>(),
        candidate::<tournament::Tournament>(),
        candidate::<pairing::Pairing>(),
        candidate::<calendar::Calendar>(),
        candidate::<engine::EventQueue<u32>>(),
    ];
    let filters: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let mixes: Vec<Mix> = MIXES.iter().flat_map(|name| SIZES.map(|size| Mix::new(name, size))).collect();
    let mut best = vec![vec![f64::INFINITY; mixes.len()]; candidates.len()];
    for (m, mix) in mixes.iter().enumerate() {
        let wanted = |name: &str| {
            let label = format!("{name} {} {}.", mix.name, mix.size);
            filters.iter().all(|filter| label.contains(filter.as_str()))
        };
        let chosen = (0..candidates.len()).filter(|c| wanted(candidates[*c].0));
        let mut running: Vec<(usize, Turns<'_>)> = chosen.map(|c| (c, candidates[c].1(mix))).collect();
        // The candidates take turns in short slices, so that other load on the machine disturbs all of them alike.
        for _ in 0..ROUNDS {
            let mut expected = None;
            for (c, turns) in &mut running {
                let (seconds, checksum) = turns();
                let name = candidates[*c].0;
                assert_eq!(*expected.get_or_insert(checksum), checksum, "{name} pops in another order");
                best[*c][m] = best[*c][m].min(seconds);
            }
        }
    }
    println!("million pops and pushes per second, best of {ROUNDS}; mean: geometric");
    print!("{:32}", "");
    mixes.iter().for_each(|mix| print!("{:>8}", mix.name));
    print!("\n{:32}", "pending");
    mixes.iter().for_each(|mix| print!("{:>8}", mix.size));
    println!("{:>8}", "mean");
    for ((name, _), best) in candidates.iter().zip(best) {
        let rates: Vec<f64> = best.iter().map(|seconds| POPS as f64 / seconds / 1e6).collect();
        if rates.iter().any(|rate| *rate > 0.0) {
            print!("{name:32}");
            rates.iter().for_each(|rate| print!("{rate:8.1}"));
            let mean = libm::exp(rates.iter().map(|rate| libm::log(*rate)).sum::<f64>() / rates.len() as f64);
            println!("{mean:8.1}");
        }
    }
}

/// A function that runs [`POPS`] pops with their pushes and returns the seconds taken and a checksum of the popped events and times.
type Turns<'m> = Box<dyn FnMut() -> (f64, u64) + 'm>;
/// A function that prepares one queue for a mix.
type Start = for<'m> fn(&'m Mix) -> Turns<'m>;

fn candidate<Q: Queue + 'static>() -> (&'static str, Start) {
    (Q::NAME, |mix| hold::<Q>(mix))
}

/// An event mix: increments by kind of source.
struct Mix {
    name: &'static str,
    size: usize,
    /// Times from one event of a source to its next one, ps, for each kind of source.
    increments: [[u64; 256]; 4],
    /// The kind of each source.
    kind: Vec<u8>,
}

impl Mix {
    fn new(name: &'static str, size: usize) -> Self {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut draw = move || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        const PACKET: u64 = 12_000_000;
        let increments = if name == "random" {
            let exponential = |u: u64| (-libm::log((u >> 11) as f64 / (1u64 << 53) as f64) * 1e9) as u64 + 1;
            [0; 4].map(|_| [0; 256].map(|_| exponential(draw())))
        } else {
            [
                [PACKET; 256],
                [0; 256].map(|_| 1_000_000_000 + draw() % 16 * PACKET / 10),
                [0; 256].map(|_| 10_000_000_000 + draw() % 100 * PACKET),
                [0; 256].map(|_| 200_000_000_000 + draw() % 800 * 1_000_000_000),
            ]
        };
        let busy = 1 + size / 500;
        let kind = (0..size).map(|i| if i < busy { 0 } else { [1, 1, 1, 1, 2, 1, 1, 3][i % 8] }).collect();
        Self { name, size, increments, kind }
    }
}

fn hold<'m, Q: Queue + 'm>(mix: &'m Mix) -> Turns<'m> {
    let mut queue = Q::default();
    for source in 0..mix.size {
        queue.push(Stamp::new(Instant::ZERO, Instant::ZERO), source as u32);
    }
    let bursts = mix.name == "bursts";
    let mut idle: Vec<u32> = Vec::with_capacity(mix.size);
    let mut checksum = 0u64;
    let mut step = move |turn: usize| {
        let (stamp, source) = queue.pop().expect("never empty");
        checksum = (checksum ^ stamp.at.ps() ^ u64::from(source)).rotate_left(7);
        let mut push = |source: u32| {
            let increment = mix.increments[usize::from(mix.kind[source as usize] & 3)][turn & 255];
            queue.push(Stamp::new(Instant::from_ps(stamp.at.ps() + increment), stamp.at), source);
        };
        if bursts && checksum & 7 == 0 && idle.len() + 2 < mix.size {
            idle.push(source);
            return checksum;
        }
        push(source);
        if bursts
            && checksum & 7 == 1
            && let Some(other) = idle.pop()
        {
            push(other);
        }
        checksum
    };
    for turn in 0..(4 * mix.size).max(10_000) {
        step(turn);
    }
    Box::new(move || {
        let begin = std::time::Instant::now();
        let mut checksum = 0;
        for turn in 0..POPS {
            checksum = step(turn);
        }
        (begin.elapsed().as_secs_f64(), black_box(checksum))
    })
}
