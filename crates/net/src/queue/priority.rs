//! Strict priority: bands are served in order; the first band that has a packet is served.
//!
//! A packet joins the band of its flow's class: class 0 the first band, class 1 the second, and so on.
//! Classes beyond the last band join the last band. Each band is a queue with its own capacity. A packet in
//! transmission is not interrupted. RFC 3246 (expedited forwarding) describes such a scheduler.
//!
//! Parameters: the bands. Left out: weights, and protection of later bands from starvation (a token bucket as
//! the first band's queue prevents it). Validated: order by hand; in `sim`'s tests, the first band's delay
//! does not depend on the second's load.

use super::discipline::{Decisions, Discipline, Inner, Queued, Site};
use base::{DataRate, Instant, Packet};
use settings::{Error, Setting, Settings};

/// Example of the setting `bands`, shown in error messages.
const BANDS: &str = "a queue for each band: bands = [{ kind = \"droptail\" }, { kind = \"fq-codel\" }]";

/// Settings of a priority queue.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(check)]
pub struct Config<C: Clone + PartialEq + Default + Setting> {
    /// Queue of each band, 1 to 8 bands. Flows of class 0 use the first band, of class 1 the second, and so
    /// on; higher classes use the last.
    #[setting(needed = BANDS)]
    pub bands: Vec<C>,
}

impl<C: Clone + PartialEq + Default + Setting> Config<C> {
    fn check(&self) -> Result<(), Error> {
        if (1..=8).contains(&self.bands.len()) {
            return Ok(());
        }
        let message = format!("a priority queue has 1 to 8 bands, not {}", self.bands.len());
        Err(Error::new("bands", message).allowed(BANDS))
    }
}

/// State of a priority queue.
#[derive(Clone, Debug)]
pub struct Priority<Q> {
    bands: Vec<Q>,
    /// Index of the band that was served last.
    served: usize,
}

impl<Q: Inner> Priority<Q> {
    pub(super) fn new(config: &Config<Q::Config>, site: &Site) -> Self {
        let band = |(i, inner)| Q::build(inner, &Site { name: &format!("{}.band.{i}", site.name), ..*site });
        Self { bands: config.bands.iter().enumerate().map(band).collect(), served: 0 }
    }

    fn band(&mut self, packet: &Packet) -> &mut Q {
        let last = self.bands.len() - 1;
        &mut self.bands[usize::from(packet.class).min(last)]
    }
}

impl<Q: Inner> Discipline for Priority<Q> {
    fn enqueue(&mut self, now: Instant, packet: Packet, out: &mut Decisions) {
        self.band(&packet).enqueue(now, packet, out);
    }

    fn dequeue(&mut self, now: Instant, out: &mut Decisions) -> Option<Queued> {
        for (i, band) in self.bands.iter_mut().enumerate() {
            if let Some(held) = band.dequeue(now, out) {
                self.served = i;
                return Some(held);
            }
        }
        None
    }

    fn sent(&mut self) {
        self.bands[self.served].sent();
    }

    fn packets(&self) -> usize {
        self.bands.iter().map(Q::packets).sum()
    }

    fn bytes(&self) -> u64 {
        self.bands.iter().map(Q::bytes).sum()
    }

    fn ready(&self) -> Option<Instant> {
        self.bands.iter().filter_map(Q::ready).min()
    }

    fn set_rate(&mut self, rate: DataRate) {
        self.bands.iter_mut().for_each(|band| band.set_rate(rate));
    }

    fn drain(&mut self) -> Vec<Queued> {
        self.bands.iter_mut().flat_map(Q::drain).collect()
    }

    fn adopt(&mut self, held: Queued) {
        self.band(&held.packet).adopt(held);
    }
}
