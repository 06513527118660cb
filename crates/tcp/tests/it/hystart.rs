//! HyStart++ on a long path with a small buffer: slow start ends before many segments are lost.

use crate::path::{Bottleneck, Moment, config};
use base::Duration;
use tcp::config::HyStartForm;
use tcp::congestion::Control;

/// Runs a control over 5000 segments per second and 100 ms: a bandwidth-delay product of 500 segments, with a buffer of twice that.
fn run(control: &str, hystart: HyStartForm) -> Vec<Moment> {
    let control = Control::by_name(control, &[]).expect("registered");
    let path = Bottleneck { rate: 5000.0, delay: Duration::from_ms(100), buffer: 1000 };
    path.run_with(
        &{
            let mut changed = config(control);
            changed.growth.hystart = hystart;
            changed
        },
        Duration::from_secs(4),
    )
}

#[test]
fn slow_start_ends_with_fewer_losses() {
    for control in ["reno", "cubic", "highspeed", "htcp"] {
        let last = |hystart| *run(control, hystart).last().expect("runs");
        let (plain, watched) = (last(HyStartForm::None), last(HyStartForm::Rfc9406));
        assert!(
            watched.dropped * 3 < plain.dropped,
            "{control}: lost {} with it, {} without",
            watched.dropped,
            plain.dropped
        );
        assert!(
            watched.delivered as f64 > 0.9 * plain.delivered as f64,
            "{control}: {} delivered against {}",
            watched.delivered,
            plain.delivered
        );
    }
}

/// Growth slows down only when the queueing delay reaches an eighth of the RTT.
#[test]
fn it_slows_down_where_the_queue_begins() {
    let moments = run("reno", HyStartForm::Rfc9406);
    let steps: Vec<(f64, f64)> = moments.windows(2).map(|m| (m[0].cwnd, m[1].cwnd - m[0].cwnd)).collect();
    let slower = steps.iter().find(|(_, step)| *step > 0.0 && (step - 0.25).abs() < 1e-9).expect("reached");
    // A window of 500 segments fills the path. A window of 562 leaves a queue of 12.5 ms for the next flight, twice as large.
    assert!((1124.0..2248.0).contains(&slower.0), "{slower:?}");
}
