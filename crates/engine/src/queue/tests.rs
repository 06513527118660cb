use super::EventQueue;
use base::{Instant, Stamp};
use proptest::prelude::*;
use std::collections::VecDeque;

fn stamp(at: u64, since: u64) -> Stamp {
    Stamp::new(Instant::from_ps(at), Instant::from_ps(since))
}

/// The reference: a sorted list, the simplest queue with the same order.
#[derive(Default)]
struct Sorted(Vec<(Stamp, u32)>);

impl Sorted {
    fn push(&mut self, stamp: Stamp, event: u32) {
        let at = self.0.partition_point(|pending| *pending > (stamp, event));
        self.0.insert(at, (stamp, event));
    }

    fn pop_until(&mut self, end: Instant) -> Option<(Stamp, u32)> {
        self.0.pop_if(|(stamp, _)| stamp.at <= end)
    }
}

/// One operation on a queue.
#[derive(Clone, Debug)]
enum Step {
    /// Pushes `.1` events that are due about `.0` ps after the last pop.
    Push(u64, u16),
    /// Pops `.1` events, and after each pushes another that is due about `.0` ps later.
    Hold(u64, u16),
    Pop(u16),
    /// Pops up to `.1` events that are due within `.0` ps of the last pop.
    PopUntil(u64, u16),
}

/// Returns random time increments, ps: 0 (ties); values as large as transmission times, link delays and timers; and values
/// beyond the end of any run.
fn increment() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0),
        1u64..4,
        (0u64..30).prop_map(|n| n * 12_000_000),
        1_000_000_000u64..1_001_000_000,
        200_000_000_000u64..1_000_000_000_000,
        Just(u64::MAX),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (increment(), 1u16..200).prop_map(|(by, n)| Step::Push(by, n)),
        (increment(), 1u16..400).prop_map(|(by, n)| Step::Hold(by, n)),
        (1u16..100).prop_map(Step::Pop),
        (increment(), 1u16..100).prop_map(|(by, n)| Step::PopUntil(by, n)),
    ]
}

proptest! {
    #[test]
    fn pops_what_a_sorted_list_pops(steps in prop::collection::vec(step(), 1..60)) {
        let mut queue = EventQueue::default();
        let mut sorted = Sorted::default();
        let mut now = 0u64;
        let mut next = 0u32;
        for step in steps {
            let (count, by) = match step {
                Step::Push(by, n) | Step::Hold(by, n) | Step::PopUntil(by, n) => (n, by),
                Step::Pop(n) => (n, u64::MAX),
            };
            for i in 0..u64::from(count) {
                if !matches!(step, Step::Push(..)) {
                    let end = match step {
                        Step::PopUntil(by, _) => Instant::from_ps(now.saturating_add(by)),
                        _ => Instant::MAX,
                    };
                    let popped = queue.pop_until(end);
                    prop_assert_eq!(popped, sorted.pop_until(end));
                    now = popped.map_or(now, |(stamp, _)| stamp.at.ps());
                }
                if matches!(step, Step::Push(..) | Step::Hold(..)) {
                    // Event numbers go down cyclically, each twice in a row, so that events at one time have falling and equal numbers.
                    next = if next.is_multiple_of(64) { next + 63 } else { next - 1 };
                    let since = if i % 3 == 0 { now } else { now / 2 };
                    let at = stamp(now.saturating_add(by.saturating_add(i / 4 * (by >> 10))), since);
                    queue.push(at, next / 2);
                    sorted.push(at, next / 2);
                }
                prop_assert_eq!(queue.len(), sorted.0.len());
            }
        }
        while let Some(expected) = sorted.pop_until(Instant::MAX) {
            prop_assert_eq!(queue.pop(), Some(expected));
        }
        prop_assert_eq!(queue.pop(), None);
        prop_assert!(queue.is_empty());
    }
}

#[test]
fn equal_times_pop_in_order_of_scheduling_then_of_event() {
    let mut queue = EventQueue::default();
    for (at, since, event) in [(5, 3, 1), (5, 2, 9), (4, 4, 0), (5, 2, 3)] {
        queue.push(stamp(at, since), event);
    }
    let order: Vec<u32> = std::iter::from_fn(|| queue.pop()).map(|(_, event)| event).collect();
    assert_eq!(order, [0, 3, 9, 1]);
}

#[test]
fn an_event_after_the_end_stays() {
    let mut queue = EventQueue::default();
    queue.push(stamp(10, 0), 'a');
    assert_eq!(queue.pop_until(Instant::from_ps(9)), None);
    assert_eq!(queue.pop_until(Instant::from_ps(10)), Some((stamp(10, 0), 'a')));
}

/// All flows of a large run may begin at one time: the queue must not take quadratic time.
#[test]
fn a_hundred_thousand_events_at_one_time() {
    let mut queue = EventQueue::default();
    for event in 0..131_072u32 {
        queue.push(stamp(7, 0), event ^ 0x5555);
    }
    for later in 0..131_072u32 {
        let (at, event) = queue.pop().expect("as many as pushed");
        assert_eq!((at, event), (stamp(7, 0), later));
        queue.push(stamp(1_000_000_000, 7), later);
    }
    assert_eq!(queue.len(), 131_072);
}

#[test]
fn every_event_of_many_is_foreseen() {
    let mut queue = EventQueue::default();
    for event in 0..1000u32 {
        queue.push(stamp(u64::from(event) * 1000, 0), event);
    }
    let mut foreseen = VecDeque::new();
    for popped in 0..20_000 {
        let (at, event) = queue.pop().expect("as many as pushed");
        let known = foreseen.pop_front() == Some(event);
        let regrouped = queue.has_regrouped();
        // The first events are still served from the heap.
        assert!(known || regrouped || popped < 1000, "{event}");
        if regrouped {
            foreseen = queue.upcoming().collect();
        }
        queue.push(stamp(at.at.ps() + 1_000_000, at.at.ps()), event);
    }
}
