//! Events of a sender: each is reported once, and only an observed sender reports more than losses and RTT samples.

use crate::common::bench::{Bench, ack, at};
use crate::common::endpoint::endpoint;
use base::{Duration, Variable};
use tcp::congestion::LossClassification;
use tcp::recovery::Recovery;
use tcp::{ClassifiedLoss, Event, Sender};

fn events(sender: &mut Sender) -> Vec<Event> {
    std::iter::from_fn(|| sender.poll_event()).collect()
}

fn bench() -> Bench {
    Bench::new(endpoint(Recovery::NewReno), 100)
}

#[test]
fn losses_and_round_trips_are_reported_once() {
    let mut bench = bench();
    bench.sent(0);
    assert_eq!(events(&mut bench.0), []);
    bench.ack(100, 1, &[]);
    assert_eq!(events(&mut bench.0), [Event::RoundTrip(Duration::from_ms(100))]);
    (101..104).for_each(|ms| drop(bench.ack(ms, 1, &[])));
    let loss = ClassifiedLoss { seq: 1, timeout: false, classification: LossClassification::Congestion };
    assert_eq!(events(&mut bench.0), [Event::Loss(loss)]);
    assert_eq!(events(&mut bench.0), []);
}

/// The window grows from 10 to 11 segments, and 11 are in flight once two more are sent.
#[test]
fn an_observed_sender_reports_what_has_changed_once_nothing_more_is_sent() {
    let mut bench = bench();
    bench.0.observe();
    bench.sent(0);
    let first = events(&mut bench.0);
    assert_eq!(first.len(), 6, "every variable: {first:?}");
    assert!(first.contains(&Event::Variable(Variable::Cwnd, 10.0)));
    bench.0.on_ack(at(100), &ack(1, &[]));
    let rtt = Event::RoundTrip(Duration::from_ms(100));
    assert_eq!(events(&mut bench.0), [rtt, Event::Acked(1000)], "segments are still to be sent");
    assert_eq!(bench.sent(100), [10, 11]);
    let changed = events(&mut bench.0);
    let value = |of| {
        changed.iter().find_map(|event| match event {
            Event::Variable(variable, value) if *variable == of => Some(*value),
            _ => None,
        })
    };
    assert_eq!((value(Variable::Cwnd), value(Variable::InFlight)), (Some(11.0), Some(11.0)));
    assert_eq!((value(Variable::Ssthresh), value(Variable::Recovery)), (None, None), "unchanged");
    assert_eq!(events(&mut bench.0), []);
}
