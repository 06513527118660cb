//! Runs the cases of `fuzz/` in every test run: the seeds, the inputs that once failed, and a few random changes of each.

#[path = "../../../../fuzz/src/lib.rs"]
mod fuzz;

use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;

const FUZZ: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz");

/// Returns the files of a folder with their content, sorted by name.
fn files(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read(path).expect("a file"))).collect()
}

/// Returns the inputs from which a target's fuzzing starts; for scenario files these include the examples.
fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = files(&format!("{FUZZ}/corpus/{target}"));
    if matches!(target, "scenario_toml" | "scenario_run") {
        found.extend(files(&format!("{FUZZ}/../python/ackclock/scenarios")));
    }
    found
}

#[test]
#[ignore = "takes seconds of processor time: `make test` runs it"]
fn cases_kept_end_in_a_value_or_an_error() {
    for (name, target) in fuzz::TARGETS {
        let seeds = seeds(name);
        assert!(!seeds.is_empty(), "fuzz/corpus/{name} has no input");
        for (path, data) in seeds.into_iter().chain(files(&format!("{FUZZ}/found/{name}"))) {
            std::panic::catch_unwind(|| target(&data)).unwrap_or_else(|_| panic!("{}", path.display()));
        }
    }
}

/// Carries out a thousand random transfers; the example `endpoints` of crate `tcp` carries out any number.
#[test]
#[ignore = "takes seconds of processor time: a thousand transfers"]
fn random_transfers_deliver_every_byte_once_and_in_order() {
    let transfers: Vec<_> =
        (0..1000).filter_map(|number| fuzz::transfer::transfer(&fuzz::transfer::input(1, number))).collect();
    let lost: u64 = transfers.iter().map(|one| one.done.lost).sum();
    assert!(transfers.len() > 900 && lost > 5000, "{} transfers, {lost} packets lost", transfers.len());
    let profiles: BTreeSet<&str> = transfers.iter().map(|one| one.profile).collect();
    let controls: BTreeSet<&str> = transfers.iter().map(|one| one.config.control.algorithm().name).collect();
    assert_eq!(profiles.len(), tcp::profiles().len());
    assert_eq!(controls.len(), tcp::congestion::Control::ALL.len());
}

#[test]
fn every_target_is_a_program_of_the_fuzzer() {
    let manifest = std::fs::read_to_string(format!("{FUZZ}/Cargo.toml")).expect("the manifest");
    for (name, _) in fuzz::TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "fuzz/Cargo.toml lacks {name}");
        let program = std::fs::read_to_string(format!("{FUZZ}/fuzz_targets/{name}.rs")).expect("the program");
        assert!(program.contains(&format!("fuzz::{name}(data)")), "{program}");
    }
    assert_eq!(manifest.matches("[[bin]]").count(), fuzz::TARGETS.len());
}

/// Returns random edits (position, length, bytes): `length` bytes at the position are replaced by `bytes`.
fn change() -> impl Strategy<Value = (prop::sample::Index, usize, Vec<u8>)> {
    let bytes = prop_oneof![
        2 => prop::collection::vec(any::<u8>(), 0..4),
        3 => "[-+0-9.eE:/@={}\\[\\]\" ,\n]{0,4}".prop_map(String::into_bytes),
    ];
    (any::<prop::sample::Index>(), 0usize..8, bytes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    #[ignore = "takes seconds of processor time: `make test` runs it"]
    fn cases_kept_with_changes_end_in_a_value_or_an_error(
        which in any::<prop::sample::Index>(),
        seed in any::<prop::sample::Index>(),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let (name, target) = which.get(fuzz::TARGETS);
        let mut data = seed.get(&seeds(name)).1.clone();
        for (at, length, bytes) in changes {
            let from = at.index(data.len() + 1);
            data.splice(from..data.len().min(from + length), bytes);
        }
        target(&data);
    }
}
