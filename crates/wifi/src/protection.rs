//! Protection of 802.11g against stations of 802.11b, which do not hear OFDM (9.23.2): before each frame in OFDM one goes out that they
//! understand, and that reserves the medium.
//!
//! With b stations present slots are long (8.4.1.4: 20 us) and CCA takes as long as they allow (19.8.4: 15 us), beacons and broadcast
//! frames go at a rate of 802.11b, and EIFS lasts as its slowest ACK does. What the b stations themselves do is in [`crate::mixed`]; without
//! any in the network protection costs what their presence nearby does.

use crate::air::{Kind, Transmission};
use crate::config::{Config, ConfigError};
use crate::exchange::Event;
use crate::mixed::LONG_SLOT_CCA;
use crate::network::Network;
use crate::timing::{Dsss, Mode, Preamble, Standard};
use base::{Duration, Instant};

/// What goes before a data frame in OFDM.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protection {
    /// Nothing: no b stations.
    #[default]
    None,
    /// A CTS of the sender to itself.
    CtsToSelf,
    /// RTS and CTS.
    RtsCts,
}

impl Config {
    /// There are stations of 802.11b: `protection` goes before data frames, at the rate of 802.11b of so many units of 100 kb/s.
    pub fn set_protection(&mut self, protection: Protection, rate: u32) {
        self.mac.protection = protection;
        if protection == Protection::None {
            return;
        }
        let preamble = Preamble::Long;
        self.phy.control = Mode::Dsss(Dsss { rate, preamble });
        // The basic rates of a BSS are those of the first 802.11, as in a network of b; without one all mandatory rates may be used.
        let basic = if self.access_point.is_some() { 2 } else { Dsss::RATES.len() };
        let dsss = Dsss::RATES[..basic].iter().map(|rate| Mode::Dsss(Dsss { rate: *rate, preamble }));
        self.phy.responses.retain(|mode| !mode.is_dsss());
        self.phy.responses.extend(dsss);
        self.phy.responses.sort_by_key(|mode| mode.bps());
        self.mac.slot = Duration::from_us(20);
        self.phy.cca_time = LONG_SLOT_CCA;
    }

    pub(crate) fn check_protection(&self) -> Result<(), ConfigError> {
        let protected = self.mac.protection != Protection::None;
        let fail = |message: String| Err(ConfigError { field: "mac.protection", message });
        if protected && self.standard != Standard::G {
            return fail(format!(
                "802.11{} has no protection against b stations: 802.11g has",
                self.standard.name()
            ));
        }
        if (protected || self.non_erp.is_some()) && !self.phy.control.is_dsss() {
            return fail(
                "stations of 802.11b do not hear frames in OFDM: `control` is a rate of theirs".to_owned(),
            );
        }
        Ok(())
    }
}

impl Network {
    /// A sender's CTS to itself; the data frame follows when it is over.
    pub(crate) fn send_cts_to_self(&mut self, now: Instant, at: u32, reserves: Duration) {
        let cts = self.frames.cts_to_self;
        let ends = now + cts.airtime;
        let number = self.air_frame(Transmission {
            from: at,
            to: at,
            kind: Kind::Cts,
            begins: now,
            ends,
            reserves,
            bytes: cts.bytes,
            mode: cts.mode,
            rate: 0,
            aggregates: 0,
            flow: None,
        });
        self.stations[at as usize].stats.responses_sent += 1;
        self.schedule(ends, Event::Cleared(number));
        self.hold_others(at, ends + self.frames.sifs);
    }

    /// What has to protect a frame at this rate of data, or a management frame: those in DSSS need nothing.
    fn protection_at(&self, rate: Option<u8>) -> Protection {
        let in_ofdm = rate.is_some_and(|rate| !self.frames.rate(rate).data.is_dsss());
        if in_ofdm { self.config.mac.protection } else { Protection::None }
    }

    /// Whether an RTS goes before a frame at this rate of data, or a management frame, of so many bytes.
    pub(crate) fn has_rts(&self, rate: Option<u8>, bytes: u32) -> bool {
        bytes > self.config.mac.rts_threshold || self.protection_at(rate) == Protection::RtsCts
    }

    /// What goes before a frame at this rate of data, or a management frame, of so many bytes, SIFS after it included.
    pub(crate) fn prelude(&self, rate: Option<u8>, bytes: u32, covered: bool) -> Duration {
        let frames = &self.frames;
        let protection = self.protection_at(rate);
        if self.has_rts(rate, bytes) && !(covered && protection == Protection::None) {
            return frames.rts.airtime + frames.cts.airtime + frames.sifs * 2;
        }
        match protection {
            Protection::CtsToSelf => frames.cts_to_self.airtime + frames.sifs,
            Protection::None | Protection::RtsCts => Duration::ZERO,
        }
    }
}
