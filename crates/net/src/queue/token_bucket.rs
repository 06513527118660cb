//! Token bucket: another queue, served at most at a rate with bursts.
//!
//! Tokens, one for each byte, come at `rate` into a bucket of `burst` bytes, full at the start. A packet leaves once there are tokens
//! for all of it, and takes them. Within any time t at most `burst + rate t` bytes leave (the (r, b) regulator of
//! Cruz 1991, and of RFC 2697 and RFC 2698). A packet larger than the bucket waits until it is full and leaves it in debt.
//!
//! The packet whose turn is next is taken from the inner queue when the transmitter is free, and waits for its tokens outside
//! of it. Left out: policing (dropping what finds no tokens), a peak rate. Validated: departures by hand, and the bound above
//! by property test.

use super::discipline::{Decisions, Discipline, Inner, Queued, Site};
use base::{DataRate, Instant, Packet, QueueVariable};
use settings::Size;
use settings::{Setting, Settings};

/// Settings of a token bucket.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config<C: Clone + PartialEq + Default + Setting> {
    /// Rate at which packets leave in the long run.
    #[setting(needed = "a rate: rate = \"10Mbps\"", range = DataRate::RANGE)]
    pub rate: DataRate,
    /// Size of the bucket: so much may leave at once after a pause. A larger packet waits until the bucket is full.
    // Times of the bucket must fit the clock: at 100 bit/s, 64 MiB take two months.
    #[setting(needed = "the size of the bucket: burst = \"10kB\"", form = Size, range = 1..=1 << 26)]
    pub burst: u64,
    /// The queue that is served.
    #[setting(default = Box::default())]
    pub queue: Box<C>,
}

/// The queue with its state.
#[derive(Clone, Debug)]
pub struct TokenBucket<Q> {
    rate: DataRate,
    burst: u64,
    /// Time at which the bucket is full again if nothing leaves: its level, kept as a time.
    full_at: Instant,
    inner: Q,
    /// The packet that waits for tokens.
    next: Option<Queued>,
}

impl<Q: Inner> TokenBucket<Q> {
    pub(super) fn new(config: &Config<Q::Config>, site: &Site) -> Self {
        // The link sees at most this rate, and so does a queue that uses the rate.
        let rate = config.rate.min(site.rate);
        Self {
            rate: config.rate,
            burst: config.burst,
            full_at: Instant::ZERO,
            inner: Q::build(&config.queue, &Site { rate, name: &format!("{}.inner", site.name), ..*site }),
            next: None,
        }
    }

    /// Returns the time at which there are tokens for a packet of `wire` bytes.
    fn conforms_at(&self, wire: u32) -> Instant {
        let spare = self.rate.time_for(self.burst.saturating_sub(u64::from(wire)));
        Instant::from_ps(self.full_at.ps().saturating_sub(spare.ps()))
    }
}

impl<Q: Inner> Discipline for TokenBucket<Q> {
    fn variables(&self, see: &mut dyn FnMut(QueueVariable, f64)) {
        self.inner.variables(see);
    }

    fn enqueue(&mut self, now: Instant, packet: Packet, out: &mut Decisions) {
        self.inner.enqueue(now, packet, out);
    }

    fn dequeue(&mut self, now: Instant, out: &mut Decisions) -> Option<Queued> {
        if self.next.is_none() {
            self.next = self.inner.dequeue(now, out);
        }
        let wire = self.next?.packet.wire;
        if self.conforms_at(wire) > now {
            return None;
        }
        self.full_at = self.full_at.max(now) + self.rate.time_for(u64::from(wire));
        self.next.take()
    }

    fn sent(&mut self) {
        self.inner.sent();
    }

    fn packets(&self) -> usize {
        self.inner.packets() + usize::from(self.next.is_some())
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes() + self.next.map_or(0, |held| u64::from(held.packet.wire))
    }

    fn ready(&self) -> Option<Instant> {
        match &self.next {
            Some(held) => Some(self.conforms_at(held.packet.wire)),
            None => self.inner.ready(),
        }
    }

    fn set_rate(&mut self, rate: DataRate) {
        self.inner.set_rate(rate.min(self.rate));
    }

    fn drain(&mut self) -> Vec<Queued> {
        self.inner.sent();
        self.next.take().into_iter().chain(self.inner.drain()).collect()
    }

    fn adopt(&mut self, held: Queued) {
        self.inner.adopt(held);
    }
}
