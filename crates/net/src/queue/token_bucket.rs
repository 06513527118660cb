//! Token bucket: a shaper that sends the packets of another queue at an average rate with bounded bursts.
//!
//! Tokens, one per byte, arrive at `rate` in a bucket that holds `burst` bytes and is full at the start. A packet
//! is sent when there is a token for each of its bytes, and consumes them. Within any time t at most
//! `burst + rate t` bytes are sent (the (r, b) regulator of Cruz 1991, and of RFC 2697 and RFC 2698). A packet
//! larger than the bucket is sent when the bucket is full; the level of the bucket is negative afterwards.
//!
//! The next packet is taken from the inner queue when the transmitter is idle, and waits for its tokens
//! outside of the inner queue. Left out: policing (dropping packets that find no tokens), a peak rate.
//! Validated: departures by hand, and the bound above by property test.

use super::discipline::{Decisions, Discipline, Inner, Queued, Site};
use base::{DataRate, Instant, Packet, QueueVariable};
use settings::Size;
use settings::{Setting, Settings};

/// Settings of a token bucket.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config<C: Clone + PartialEq + Default + Setting> {
    /// Average rate at which packets may leave.
    #[setting(needed = "a rate: rate = \"10Mbps\"", range = DataRate::RANGE)]
    pub rate: DataRate,
    /// Size of the bucket: the largest burst after an idle period. A larger packet waits until the bucket is
    /// full.
    // The bound keeps the time to fill the bucket within the clock's range: at 100 bit/s, 64 MiB take two
    // months.
    #[setting(needed = "the size of the bucket: burst = \"10kB\"", form = Size, range = 1..=1 << 26)]
    pub burst: u64,
    /// Queue whose packets the shaper sends.
    #[setting(default = Box::default())]
    pub queue: Box<C>,
}

/// State of a token bucket.
#[derive(Clone, Debug)]
pub struct TokenBucket<Q> {
    rate: DataRate,
    burst: u64,
    /// Level of the bucket, kept as the time at which the bucket will be full if no packet leaves.
    full_at: Instant,
    inner: Q,
    /// The packet that waits for tokens.
    next: Option<Queued>,
}

impl<Q: Inner> TokenBucket<Q> {
    pub(super) fn new(config: &Config<Q::Config>, site: &Site) -> Self {
        // The inner queue is drained at the lower of the two rates.
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
