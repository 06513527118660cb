//! Queue of a single Copa flow.

use crate::path::Bottleneck;
use base::Duration;
use tcp::congestion::Control;

/// At equilibrium the rate is 1 / (delta * queueing delay), so 1 / delta segments are queued on average (section 2.1 of the
/// paper), and the path is full.
#[test]
fn one_over_delta_segments_are_queued() {
    for delta in [0.5, 0.1] {
        let control = Control::by_name("copa", &[("delta".to_owned(), delta)]).expect("registered");
        let path = Bottleneck { rate: 1000.0, delay: Duration::from_ms(40), buffer: 1000 };
        let moments = path.run(control, Duration::from_secs(30));
        let steady: Vec<_> = moments.iter().filter(|m| m.time_s > 5.0).collect();
        let queued = steady.iter().map(|m| (m.rtt_s - 0.041) * 1000.0).sum::<f64>() / steady.len() as f64;
        assert!((0.5..2.0).contains(&(queued * delta)), "delta {delta}: {queued} segments queued");
        let first = steady[0];
        let last = steady[steady.len() - 1];
        let rate = (last.delivered - first.delivered) as f64 / (last.time_s - first.time_s);
        assert!(rate > 950.0, "delta {delta}: {rate} segments per second of 1000");
        assert!(steady.iter().all(|m| m.state == "default"), "alone it does not compete");
    }
}
