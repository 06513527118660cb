//! BBR on an unloaded path: its states, with their gains and durations.

use crate::path::{Bottleneck, Moment};
use base::Duration;
use tcp::congestion::Control;

/// Runs BBR over a path of 1000 segments per second with a round trip of 40 ms and 1 ms of transmission. The
/// bandwidth-delay product is 41 segments.
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
    // Two doublings of ten segments fill the path, and three round trips without growth follow: well under a
    // second.
    assert!(drain < probe && moments[probe].time_s < 1.0, "probe-bw from {} s", moments[probe].time_s);
    // Startup leaves about 2/ln 2 bandwidth-delay products in flight; drain leaves one bandwidth-delay
    // product and at most six segments.
    assert!(moments[drain].in_flight > 80, "{} in flight", moments[drain].in_flight);
    assert!(moments[probe].in_flight <= 47, "{} in flight", moments[probe].in_flight);
    // From 200 acknowledgments later on, the window is two bandwidth-delay products and three quanta of two
    // segments: 88.
    let steady = &moments[probe + 200..];
    assert!(
        steady.iter().all(|m| (87.0..=89.0).contains(&m.cwnd)),
        "{:?}",
        steady.iter().map(|m| m.cwnd).fold(0.0, f64::max)
    );
    let gains: Vec<f64> = steady.iter().map(|m| m.pacing_rate / 1000.0).collect();
    let near = |gain: f64, wanted: f64| (gain / wanted - 1.0).abs() < 0.03;
    assert!(gains.iter().all(|g| [1.25, 0.75, 1.0].iter().any(|w| near(*g, *w))), "{gains:?}");
    // The pacing gain is 5/4 in one of eight phases of a round trip each (320 ms together), and 3/4 in the
    // next phase.
    let rises: Vec<usize> =
        (1..gains.len()).filter(|i| near(gains[*i], 1.25) && !near(gains[i - 1], 1.25)).collect();
    assert!(rises.len() > 15, "{} cycles", rises.len());
    for pair in rises.windows(2) {
        let period = steady[pair[1]].time_s - steady[pair[0]].time_s;
        assert!((0.28..0.40).contains(&period), "{period} s");
        let next = (pair[0]..).find(|i| !near(gains[*i], 1.25)).expect("ends");
        assert!(near(gains[next], 0.75), "{} follows 5/4", gains[next]);
    }
    // The mean queue is less than a quarter of the bandwidth-delay product.
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
        // ProbeRTT waits until four segments are in flight, then lasts 200 ms and a round trip.
        assert!((0.2..0.4).contains(&(to - from)), "{spans:?}");
    }
    for pair in spans.windows(2) {
        assert!((9.9..11.0).contains(&(pair[1].0 - pair[0].1)), "{spans:?}");
    }
    let goodput = moments.last().map(|m| m.delivered as f64 / m.time_s).expect("runs");
    assert!(goodput > 950.0, "{goodput} segments per second of 1000");
}

fn third(buffer: usize, seconds: u64) -> Vec<Moment> {
    let control = Control::by_name("bbr3", &[]).expect("registered");
    let path = Bottleneck { rate: 1000.0, delay: Duration::from_ms(40), buffer };
    path.run(control, Duration::from_secs(seconds))
}

/// BBRv3's states follow the draft's state machine. It probes for bandwidth every 2 to 3 s (Reno would take 41 round trips, at
/// least 1.7 s), and enters probe-rtt every 5 s.
#[test]
fn version_3_probes_in_turn() {
    let moments = third(1000, 30);
    let mut visited: Vec<(&str, f64)> = Vec::new();
    for m in &moments {
        if visited.last().is_none_or(|last| last.0 != m.state) {
            visited.push((m.state, m.time_s));
        }
    }
    let names: Vec<&str> = visited.iter().map(|v| v.0).collect();
    // After drain so little is in flight that probe-down ends with the acknowledgment that begins it.
    assert_eq!(names[..4], ["startup", "drain", "probe-cruise", "probe-refill"], "{visited:?}");
    for pair in names.windows(2) {
        let follows: &[&str] = match pair[0] {
            "startup" => &["drain"],
            "drain" => &["probe-down", "probe-cruise"],
            "probe-down" => &["probe-cruise", "probe-rtt"],
            "probe-cruise" => &["probe-refill", "probe-rtt"],
            "probe-refill" => &["probe-up", "probe-rtt"],
            "probe-up" => &["probe-down", "probe-rtt"],
            _ => &["probe-cruise"],
        };
        assert!(follows.contains(&pair[1]), "{pair:?}");
    }
    let ups: Vec<f64> = visited.iter().filter(|v| v.0 == "probe-up").map(|v| v.1).collect();
    assert!(ups.len() >= 8, "{visited:?}");
    assert!(ups.windows(2).all(|p| (1.6..4.5).contains(&(p[1] - p[0]))), "{ups:?}");
    let rtts: Vec<f64> = visited.iter().filter(|v| v.0 == "probe-rtt").map(|v| v.1).collect();
    assert!((4..=6).contains(&rtts.len()), "{rtts:?}");
    let steady: Vec<_> = moments.iter().filter(|m| m.time_s > 2.0).collect();
    let rate = (moments[moments.len() - 1].delivered - steady[0].delivered) as f64 / 28.0;
    assert!(rate > 930.0, "{rate} segments per second of 1000");
}

/// With a buffer of 12 segments, less than a third of the bandwidth-delay product, BBRv3 learns not to overflow the buffer. It
/// loses less than BBRv1, which overflows the buffer at every probe.
#[test]
fn version_3_heeds_losses() {
    let sent = |control: &str| {
        let control = Control::by_name(control, &[]).expect("registered");
        let path = Bottleneck { rate: 1000.0, delay: Duration::from_ms(40), buffer: 12 };
        let moments = path.run(control, Duration::from_secs(30));
        let last = moments[moments.len() - 1];
        (last.delivered, last.dropped)
    };
    let ((first, first_lost), (third, third_lost)) = (sent("bbr"), sent("bbr3"));
    assert!(third_lost * 3 < first_lost, "lost: {first_lost} by version 1, {third_lost} by version 3");
    assert!(
        third > 26_000 && first > 26_000,
        "delivered: {first} by version 1, {third} by version 3, of 30000"
    );
}

/// With a buffer of 12 segments each probe of a round trip overflows the buffer. The probe after a lossy one
/// is precautionary: it ends when the bound is in flight, and loses at most a third of what the lossy probe
/// lost. The next probe follows without cruise.
#[test]
fn version_3_probes_with_precaution_after_losses() {
    let moments = third(12, 30);
    // Each state entered, with the number of segments dropped before it and until its end.
    let mut visited: Vec<(&str, u64, u64)> = Vec::new();
    for m in &moments {
        match visited.last_mut() {
            Some(last) if last.0 == m.state => last.2 = m.dropped,
            _ => {
                let before = visited.last().map_or(0, |last| last.2);
                visited.push((m.state, before, m.dropped));
            }
        }
    }
    let ups: Vec<usize> = (1..visited.len() - 2).filter(|i| visited[*i].0 == "probe-up").collect();
    let lost = |i: usize| visited[i].2 - visited[i].1;
    let mut precautionary = 0;
    for pair in ups.windows(2) {
        let [first, next] = *pair else { unreachable!() };
        if lost(first) > 2 && visited[first + 1].0 == "probe-down" && visited[next + 1].0 == "probe-down" {
            assert!(3 * lost(next) <= lost(first), "{:?}", &visited[first..next + 2]);
            assert_eq!(visited[next + 2].0, "probe-refill", "{:?}", &visited[next..next + 3]);
            precautionary += 1;
        }
    }
    assert!(precautionary >= 3, "{precautionary} of {} probes", ups.len());
}
