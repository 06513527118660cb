//! Invariants on every path: packets are conserved, all bytes arrive, no path exceeds its rate, and equal seeds give equal runs.

use crate::path::{Path, run};
use base::{Duration, Instant};
use proptest::prelude::*;
use quic::{Control, Table};
use stack::{Custom, Repeats};

fn paths() -> impl Strategy<Value = Path> {
    let control = prop::sample::select(Control::ALL.to_vec());
    let size = 1u64..400_000;
    let rate = 300_000u64..20_000_000;
    let all = (control, size, rate, 1u64..120, 4usize..100, 0.0..0.05f64, any::<u64>());
    all.prop_map(|(control, size, bits_per_second, delay, places, loss, seed)| Path {
        control,
        size: Some(size),
        bits_per_second,
        delay: Duration::from_ms(delay),
        places,
        loss,
        until: Instant::ZERO + Duration::from_secs(120),
        seed,
    })
}

/// Returns a path of 10 Mb/s and 20 ms each way with a queue of 50 packets and no random events.
fn plain(control: Control) -> Path {
    Path {
        control,
        size: None,
        bits_per_second: 10_000_000,
        delay: Duration::from_ms(20),
        places: 50,
        loss: 0.0,
        until: Instant::ZERO + Duration::from_secs(20),
        seed: 1,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_transfer_completes_byte_for_byte_and_no_packet_is_made_or_unmade(path in paths()) {
        let outcome = run(&path);
        prop_assert_eq!(&outcome.failed, &None);
        prop_assert_eq!(&outcome.fault, &None);
        prop_assert!(outcome.received_all);
        prop_assert_eq!(Some(outcome.delivered_bytes), path.size);
        let finished = outcome.finished.expect("the client learns of it");
        let ended = outcome.arrived + outcome.dropped_full + outcome.dropped_lost + outcome.in_flight;
        prop_assert_eq!(outcome.sent.len(), ended);
        let most = finished.secs() * path.bits_per_second as f64 / 8.0;
        prop_assert!((outcome.delivered_bytes as f64) < most);
        prop_assert!(outcome.largest <= 1480, "an Ethernet packet: {}", outcome.largest);
    }

    #[test]
    fn equal_seeds_give_equal_runs(path in paths()) {
        prop_assert_eq!(run(&path), run(&path));
    }
}

#[test]
fn runs_are_equal_on_any_number_of_threads() {
    let path = Path { loss: 0.01, ..plain(Control::Bbr) };
    let alone = run(&path);
    let others: Vec<_> = (0..4).map(|_| path.clone()).collect();
    let others: Vec<_> = others.into_iter().map(|path| std::thread::spawn(move || run(&path))).collect();
    for other in others {
        assert_eq!(other.join().expect("it runs"), alone);
    }
}

#[test]
fn another_seed_gives_another_run() {
    let path = Path { loss: 0.01, ..plain(Control::Cubic) };
    assert_ne!(run(&path).sent, run(&Path { seed: 2, ..path.clone() }).sent);
}

#[test]
fn a_clean_path_is_filled_and_the_window_reacts_to_its_losses() {
    for &control in Control::ALL {
        let outcome = run(&plain(control));
        let goodput = outcome.delivered_bytes as f64 * 8.0 / 20.0;
        assert!((8.5e6..10e6).contains(&goodput), "{}: {goodput}", control.name());
        assert!(outcome.dropped_full > 0);
        let falls = outcome.cwnd.windows(2).filter(|two| two[1] < two[0]).count();
        assert!(falls > 0, "{}", control.name());
    }
}

/// The handshake of TLS 1.3 in QUIC takes one round trip (RFC 9001, section 2.1): the client sends data with its second flight.
#[test]
fn the_handshake_takes_one_round_trip() {
    let path = Path { size: Some(100), ..plain(Control::NewReno) };
    let outcome = run(&path);
    // The client's first flight is padded to 1200 bytes (RFC 9000, section 14.1).
    assert!(outcome.sent[0].2 >= 1200 + 28);
    let finished = outcome.finished.expect("it completes").secs();
    assert!(
        (0.080..0.130).contains(&finished),
        "two round trips, and at most a delayed acknowledgment: {finished}"
    );
}

/// Equal seeds give datagrams of equal sizes at equal times. Their bytes differ, because TLS draws its keys from the operating
/// system.
#[test]
fn the_stack_keeps_the_contract_and_says_that_its_keys_differ() {
    for &control in Control::ALL {
        let table = Table::new(control);
        let custom = Custom::new(control.about(), move |rng| quic::ends(&table, rng));
        let held = stack::hold(&custom, 1_000_000);
        assert!(held.violations.is_empty(), "{held}");
        assert_eq!(held.repeats, Repeats::Shape(0), "{held}");
    }
}
