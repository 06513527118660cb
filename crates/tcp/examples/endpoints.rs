//! Runs the fuzz targets of TCP's endpoints on random input. Without a fuzzer, millions of inputs take only
//! minutes.
//!
//!     cargo run --profile fast -p ackclock-tcp --example endpoints -- tcp_transfer 1000000 1
//!
//! The command above carries out the transfers of a million inputs of seed 1 over paths that lose, delay, repeat and mark
//! packets, in random variants and profiles, and prints their counts. The other targets are `tcp_sender` and `tcp_receiver`.
//! The program stops at the first input that fails and writes it to `fuzz/found`, which tests replay.

#![allow(clippy::print_stdout, reason = "a program that prints")]

#[path = "../../../fuzz/src/draw.rs"]
#[expect(dead_code, reason = "targets of other rooms draw more")]
mod draw;
#[path = "../../../fuzz/src/endpoint.rs"]
mod endpoint;
#[path = "../../../fuzz/src/transfer.rs"]
mod transfer;

use std::collections::BTreeMap;
use std::process::ExitCode;

/// Folder of inputs that failed.
const FOUND: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/found");

const USAGE: &str = "usage: endpoints tcp_sender|tcp_receiver|tcp_transfer COUNT [SEED [FIRST]]";

/// Counts of the transfers carried out.
#[derive(Default)]
struct Sum {
    done: u64,
    path: transfer::Done,
    profiles: BTreeMap<&'static str, u64>,
    recoveries: BTreeMap<&'static str, u64>,
    controls: BTreeMap<&'static str, u64>,
}

impl Sum {
    fn add(&mut self, one: &transfer::Transfer) {
        self.done += 1;
        self.path.packets += one.done.packets;
        self.path.lost += one.done.lost;
        self.path.late += one.done.late;
        self.path.twice += one.done.twice;
        self.path.marked += one.done.marked;
        *self.profiles.entry(one.profile).or_default() += 1;
        *self.recoveries.entry(one.config.recovery.name()).or_default() += 1;
        *self.controls.entry(one.config.control.algorithm().name).or_default() += 1;
    }
}

/// Returns COUNT, SEED and FIRST; `None` if `arguments` are not one to three numbers.
fn numbers(arguments: &[String]) -> Option<[u64; 3]> {
    let mut found = [0, 1, 0];
    for (number, text) in found.iter_mut().zip(arguments) {
        *number = text.parse().ok()?;
    }
    (1..=3).contains(&arguments.len()).then_some(found)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let target = arguments.first().map(String::as_str).unwrap_or_default();
    let Some([count, seed, first]) = numbers(arguments.get(1..).unwrap_or_default()) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let carry_out: fn(&[u8]) -> Option<transfer::Transfer> = match target {
        "tcp_transfer" => transfer::transfer,
        "tcp_sender" => |data| {
            endpoint::tcp_sender(data);
            None
        },
        "tcp_receiver" => |data| {
            endpoint::tcp_receiver(data);
            None
        },
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let mut sum = Sum::default();
    for number in first..first + count {
        let data = transfer::input(seed, number);
        match std::panic::catch_unwind(|| carry_out(&data)) {
            Ok(transfer) => transfer.iter().for_each(|one| sum.add(one)),
            Err(_) => {
                let folder = format!("{FOUND}/{target}");
                let kept = format!("{folder}/seed-{seed}-{number}");
                let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&kept, &data));
                eprintln!("input {number} of seed {seed} fails: {kept} {written:?}");
                return ExitCode::FAILURE;
            }
        }
        if (number + 1 - first).is_multiple_of(100_000) {
            println!("{} inputs, {} transfers", number + 1 - first, sum.done);
        }
    }
    println!("{count} inputs of seed {seed} for {target} without a failure");
    if sum.done > 0 {
        println!("{} transfers: every byte once and in order; {:?}", sum.done, sum.path);
        println!("{:?}\n{:?}\n{:?}", sum.profiles, sum.recoveries, sum.controls);
    }
    ExitCode::SUCCESS
}
