//! Protection of 802.11g against stations of 802.11b, which do not hear OFDM (9.23.2): before each frame in OFDM one goes out that they
//! understand, and that reserves the medium.
//!
//! With b stations present slots are long (8.4.1.4: 20 us), beacons and broadcast frames go at a rate of 802.11b, and EIFS lasts as
//! its slowest ACK does. The b stations themselves, which then would send at their own rates, are not modelled: what is seen is what
//! their presence costs.

use crate::air::{Kind, Transmission};
use crate::config::{Config, ConfigError};
use crate::exchange::Event;
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
        self.phy.responses.extend(Dsss::RATES.map(|rate| Mode::Dsss(Dsss { rate, preamble })));
        self.phy.responses.sort_by_key(|mode| mode.bps());
        self.mac.slot = Duration::from_us(20);
        if protection == Protection::RtsCts {
            self.mac.rts_threshold = 0;
        }
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
        if protected && !matches!(self.phy.control, Mode::Dsss(_)) {
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

    /// What goes before a data frame of so many bytes, SIFS after it included.
    pub(crate) fn prelude(&self, bytes: u32, covered: bool) -> Duration {
        let frames = &self.frames;
        let protection = self.config.mac.protection;
        if bytes > self.config.mac.rts_threshold && !(covered && protection == Protection::None) {
            return frames.rts.airtime + frames.cts.airtime + frames.sifs * 2;
        }
        match protection {
            Protection::CtsToSelf => frames.cts_to_self.airtime + frames.sifs,
            Protection::None | Protection::RtsCts => Duration::ZERO,
        }
    }
}
