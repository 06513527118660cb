//! BBR on an unloaded path: its states, their gains and how long each lasts.

mod path;

use base::Duration;
use path::{Bottleneck, Moment};
use tcp::congestion::Control;

/// 1000 segments per second and 40 ms: with the transmission of one segment a bandwidth-delay product of 41 segments.
fn run(seconds: u64) -> Vec<Moment> {
    let control = Control::by_name("bbr", &[]).expect("registered");
    Bottleneck { rate: 1000.0, delay: Duration::from_ms(40), buffer: 1000 }
        .run(control, Duration::from_secs(seconds))
}

#[test]
fn startup_doubles_drain_empties_and_probing_cycles() {
    let moments = run(9);
    let at = |state: &str| moments.iter().position(|m| m.state == state).expect("reached");
    let (drain, probe) = (at("drain"), at("probe-bw"));
    // Ten segments grow to 40 in two doublings, and three flat round trips follow: well under a second.
    assert!(drain < probe && moments[probe].time_s < 1.0, "probe-bw from {} s", moments[probe].time_s);
    // Startup leaves about 2/ln 2 bandwidth-delay products in flight; drain takes all but one and three segments away.
    assert!(moments[drain].in_flight > 80, "{} in flight", moments[drain].in_flight);
    assert!(moments[probe].in_flight <= 44, "{} in flight", moments[probe].in_flight);
    // From then on two bandwidth-delay products and three segments: 85.
    let steady = &moments[probe + 200..];
    assert!(
        steady.iter().all(|m| (84.0..=86.0).contains(&m.cwnd)),
        "{:?}",
        steady.iter().map(|m| m.cwnd).fold(0.0, f64::max)
    );
    let gains: Vec<f64> = steady.iter().map(|m| m.pacing_rate / 1000.0).collect();
    let near = |gain: f64, wanted: f64| (gain / wanted - 1.0).abs() < 0.03;
    assert!(gains.iter().all(|g| [1.25, 0.75, 1.0].iter().any(|w| near(*g, *w))), "{gains:?}");
    // 5/4 comes once in eight phases of one RTprop each (320 ms), 3/4 right after it.
    let rises: Vec<usize> =
        (1..gains.len()).filter(|i| near(gains[*i], 1.25) && !near(gains[i - 1], 1.25)).collect();
    assert!(rises.len() > 15, "{} cycles", rises.len());
    for pair in rises.windows(2) {
        let period = steady[pair[1]].time_s - steady[pair[0]].time_s;
        assert!((0.28..0.40).contains(&period), "{period} s");
        let next = (pair[0]..).find(|i| !near(gains[*i], 1.25)).expect("ends");
        assert!(near(gains[next], 0.75), "{} follows 5/4", gains[next]);
    }
    // The queue it keeps: less than a quarter of the bandwidth-delay product on the mean.
    let mean = steady.iter().map(|m| m.rtt_s).sum::<f64>() / steady.len() as f64;
    assert!(mean < 0.050, "mean round trip {mean} s");
}

#[test]
fn the_least_round_trip_is_measured_anew_every_ten_seconds() {
    let moments = run(35);
    let mut spans: Vec<(f64, f64)> = Vec::new();
    for pair in moments.windows(2) {
        match (pair[0].state == "probe-rtt", pair[1].state == "probe-rtt") {
            (false, true) => spans.push((pair[1].time_s, f64::NAN)),
            (true, false) => spans.last_mut().expect("begun").1 = pair[1].time_s,
            _ => {}
        }
    }
    assert_eq!(spans.len(), 3, "{spans:?}");
    for (from, to) in &spans {
        // Down to four segments, then 200 ms and a round trip.
        assert!((0.2..0.4).contains(&(to - from)), "{spans:?}");
    }
    for pair in spans.windows(2) {
        assert!((9.9..11.0).contains(&(pair[1].0 - pair[0].1)), "{spans:?}");
    }
    let goodput = moments.last().map(|m| m.delivered as f64 / m.time_s).expect("runs");
    assert!(goodput > 950.0, "{goodput} segments per second of 1000");
}
