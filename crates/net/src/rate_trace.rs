//! Rate traces: links whose capacity is a list of delivery opportunities (the format of mahimahi, Netravali
//! et al., USENIX ATC 2015; recorded on cellular networks by Winstein, Sivaraman, Balakrishnan, NSDI 2013).
//!
//! A trace is a list of times in milliseconds. At each time 1500 bytes may leave; the list starts over after
//! its last time. Unused capacity is lost: a packet cannot use an opportunity before its arrival. Small
//! packets share an opportunity. A packet larger than the remaining bytes of an opportunity leaves with the
//! opportunity that carries its last byte.
//!
//! Left out: nothing. (Mahimahi adds 4 bytes of tunnel header to each packet; packet sizes here have no such
//! header.) Validated: times by hand, and a link with an opportunity each millisecond against one of 12 Mb/s
//! (`sim`'s tests).

use base::{DataRate, Duration, Instant};
use std::sync::Arc;

/// Capacity of one opportunity, bytes.
pub const OPPORTUNITY: u64 = 1500;

/// A periodic list of delivery opportunities.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RateTrace {
    /// Times of the opportunities, milliseconds, ascending; the last time is the period.
    times: Arc<[u64]>,
}

impl RateTrace {
    /// Creates a trace from the times of its opportunities, in milliseconds; `None` if there are none, if
    /// they are not in ascending order, or if all are 0.
    pub fn new(times: Vec<u64>) -> Option<Self> {
        let good = times.is_sorted() && times.last().is_some_and(|last| *last > 0);
        good.then(|| Self { times: times.into() })
    }

    /// Returns the times of the opportunities, milliseconds.
    pub fn times(&self) -> &[u64] {
        &self.times
    }

    /// Returns the period after which the trace starts over, milliseconds, at least 1.
    fn period(&self) -> u64 {
        self.times.last().copied().unwrap_or(1)
    }

    /// Returns the mean capacity, at least 1 bit/s.
    pub fn mean_rate(&self) -> DataRate {
        let bits = u128::from(8 * OPPORTUNITY) * self.times.len() as u128 * 1000;
        let bps = u64::try_from(bits / u128::from(self.period())).unwrap_or(u64::MAX);
        // A `DataRate` is at least 1 bit/s.
        DataRate::from_bps(bps).or(DataRate::from_bps(1)).unwrap_or_else(|| unreachable!("one is positive"))
    }

    /// Returns the bytes that can leave within the first `span` of the trace.
    pub fn capacity(&self, span: Duration) -> u64 {
        (self.count_until(span)).saturating_mul(OPPORTUNITY)
    }

    /// Returns the number of opportunities from the start of the trace to `span`, inclusive.
    fn count_until(&self, span: Duration) -> u64 {
        let ms = span.ps() / Duration::from_ms(1).ps();
        let (rounds, rest) = (ms / self.period(), ms % self.period());
        rounds * self.times.len() as u64 + self.times.partition_point(|t| *t <= rest) as u64
    }

    /// Returns the time of opportunity number `n`, counted from 0, since the start of the trace.
    fn time(&self, n: u64) -> Duration {
        let count = self.times.len() as u64;
        Duration::from_ms((n / count) * self.period() + self.times[(n % count) as usize])
    }
}

/// State of a link that follows a rate trace.
#[derive(Clone, Debug)]
pub struct Opportunities {
    trace: RateTrace,
    start: Instant,
    /// Number of the next opportunity that has been neither used nor missed.
    next: u64,
    /// Time of the opportunity in use, and the bytes left in it.
    open: Option<(Instant, u64)>,
    /// Time of the opportunity for which a packet waits.
    awaited: Option<Instant>,
}

impl Opportunities {
    /// Creates the state of a link that follows `trace` from `start` on.
    pub fn new(trace: RateTrace, start: Instant) -> Self {
        Self { trace, start, next: 0, open: None, awaited: None }
    }

    fn next_at(&self) -> Instant {
        self.start + self.trace.time(self.next)
    }

    /// Returns the capacity from the start of the trace until `now`, bytes.
    pub fn capacity(&self, now: Instant) -> u64 {
        self.trace.capacity(now.since(self.start))
    }

    /// Discards the bytes left in the opportunity in use, because no packet waits.
    pub fn close(&mut self) {
        self.open = None;
    }

    /// Opens an opportunity at `now` for a packet that waits, if an opportunity is left.
    ///
    /// # Errors
    /// The time of the next opportunity, if nothing can leave now.
    pub fn open(&mut self, now: Instant) -> Result<(), Instant> {
        match self.open {
            Some((at, left)) if at == now && left > 0 => return Ok(()),
            Some((at, _)) if at == now && self.next_at() == now => {}
            _ if self.awaited == Some(now) && self.next_at() == now => {}
            _ => {
                // Skips opportunities up to the time of the packet's arrival, inclusive.
                self.next = self.next.max(self.trace.count_until(now.since(self.start)));
                self.open = None;
                self.awaited = Some(self.next_at());
                return Err(self.next_at());
            }
        }
        self.take();
        Ok(())
    }

    fn take(&mut self) {
        self.open = Some((self.next_at(), OPPORTUNITY));
        self.awaited = None;
        self.next += 1;
    }

    /// Sends a packet of `wire` bytes, beginning with the open opportunity; returns the time at which the
    /// last byte leaves.
    pub fn transmit(&mut self, wire: u32) -> Instant {
        let mut rest = u64::from(wire);
        loop {
            let Some((at, left)) = &mut self.open else {
                self.take();
                continue;
            };
            if rest <= *left {
                *left -= rest;
                return *at;
            }
            rest -= *left;
            self.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Instant {
        Instant::ZERO + Duration::from_ms(n)
    }

    #[test]
    fn opportunities_by_hand() {
        let trace = RateTrace::new(vec![2, 2, 5]).expect("ascends");
        assert_eq!(trace.mean_rate().bps(), 7_200_000);
        // The trace repeats after 5 ms: opportunities at 2, 2, 5, 7, 7, 10 ms and so on.
        assert_eq!(
            (0..6).map(|n| trace.time(n)).collect::<Vec<_>>(),
            [2, 2, 5, 7, 7, 10].map(Duration::from_ms)
        );
        assert_eq!([1, 2, 4, 5, 7, 12].map(|t| trace.count_until(Duration::from_ms(t))), [0, 2, 2, 3, 5, 8]);
        let mut link = Opportunities::new(trace, Instant::ZERO);
        assert_eq!(link.open(ms(0)), Err(ms(2)));
        assert_eq!(link.open(ms(2)), Ok(()));
        // The packets of 1000 and 500 bytes share the first opportunity; the packet of 2000 bytes takes the second and a third of the third.
        assert_eq!([1000, 500].map(|wire| link.transmit(wire)), [ms(2), ms(2)]);
        assert_eq!(link.open(ms(2)), Ok(()));
        assert_eq!(link.transmit(2000), ms(5));
        assert_eq!(link.open(ms(5)), Ok(()));
        link.close();
        // The rest of an opportunity is lost if the queue is empty, and so is an opportunity at the instant of a packet's arrival.
        assert_eq!(link.open(ms(5)), Err(ms(7)));
        assert_eq!(link.open(ms(12)), Err(ms(15)));
    }

    #[test]
    fn a_late_start_is_its_own() {
        let mut link = Opportunities::new(RateTrace::new(vec![3]).expect("ascends"), ms(10));
        assert_eq!(link.open(ms(10)), Err(ms(13)));
        assert_eq!(link.capacity(ms(20)), 3 * OPPORTUNITY);
    }

    #[test]
    fn what_is_no_trace() {
        for times in [vec![], vec![0], vec![0, 0], vec![3, 2]] {
            assert_eq!(RateTrace::new(times), None);
        }
    }
}
