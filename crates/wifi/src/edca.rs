//! EDCA: four access categories at each station, each with a queue and a backoff of its own (9.2.4.2, 9.19.2).
//!
//! Where two categories of a station end their backoff at once the higher one transmits; the other takes it for a collision
//! (9.19.2.3): its window doubles and its attempt counts. TXOPs are in `txop.rs`.
//!
//! Left out: admission control, power-save delivery, block acknowledgment without immediate answer.
//!
//! Validated (`tests/edca.rs`): waits, internal collisions, bursts and what they reserve by hand; of two categories with unlike windows
//! and equal AIFS, 2 to 10 saturated 802.11a stations, the share within 0.009 and the goodput within 1.3 % of Bianchi's chains, with
//! DCF's countdown within 0.006 and 1.0 % of a model of the medium's slots; the throughput of bursts within 0.01 % of that worked by hand.

use crate::config::{Config, ConfigError, Countdown, Mac};
use crate::network::Network;
use crate::timing::Standard;
use base::{Duration, Instant};
use radio::access::Outbox;

/// An access category, lowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(u8)]
pub enum AccessCategory {
    /// AC_BK: user priorities 1 and 2.
    Background,
    /// AC_BE: user priorities 0 and 3.
    #[default]
    BestEffort,
    /// AC_VI: user priorities 4 and 5.
    Video,
    /// AC_VO: user priorities 6 and 7; messages of routing protocols.
    Voice,
}

impl AccessCategory {
    /// Every category, lowest first.
    pub const ALL: [Self; 4] = [Self::Background, Self::BestEffort, Self::Video, Self::Voice];

    /// The name in scenario files and results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Background => "background",
            Self::BestEffort => "best-effort",
            Self::Video => "video",
            Self::Voice => "voice",
        }
    }

    /// The field of a configuration with its parameters.
    const fn field(self) -> &'static str {
        match self {
            Self::Background => "mac.edca.background",
            Self::BestEffort => "mac.edca.best_effort",
            Self::Video => "mac.edca.video",
            Self::Voice => "mac.edca.voice",
        }
    }
}

/// How an access category contends for the medium.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// AIFSN: slots after SIFS before the first slot of backoff; at least 2, of an access point 1.
    pub aifsn: u32,
    /// CWmin: least contention window, slots.
    pub cw_min: u32,
    /// CWmax: greatest contention window, slots.
    pub cw_max: u32,
    /// TXOP limit: how long it may keep the medium once it has it; zero: for one frame.
    pub txop: Duration,
}

/// The EDCA parameter set, by [`AccessCategory`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edca(pub [Access; AccessCategory::ALL.len()]);

impl Edca {
    /// The default parameter set (table 8-105), where aCWmin and aCWmax are as given.
    pub const fn standard(standard: Standard, cw_min: u32, cw_max: u32) -> Self {
        let (video, voice) = match standard {
            Standard::B => (6016, 3264),
            _ => (3008, 1504),
        };
        let (half, quarter) = (cw_min.div_ceil(2).saturating_sub(1), (cw_min + 1) / 4);
        let (quarter, video, voice) =
            (quarter.saturating_sub(1), Duration::from_us(video), Duration::from_us(voice));
        Self([
            Access { aifsn: 7, cw_min, cw_max, txop: Duration::ZERO },
            Access { aifsn: 3, cw_min, cw_max, txop: Duration::ZERO },
            Access { aifsn: 2, cw_min: half, cw_max: cw_min, txop: video },
            Access { aifsn: 2, cw_min: quarter, cw_max: half, txop: voice },
        ])
    }

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        for (category, access) in AccessCategory::ALL.into_iter().zip(self.0) {
            let field = category.field();
            if access.aifsn == 0 || access.aifsn > 15 {
                return Err(ConfigError {
                    field,
                    message: format!("aifsn is 1 to 15, not {}", access.aifsn),
                });
            }
            if access.cw_min > access.cw_max || access.cw_max > 32_767 {
                let (least, most) = (access.cw_min, access.cw_max);
                let message = format!("cw_min <= cw_max <= 32767, not {least} and {most}");
                return Err(ConfigError { field, message });
            }
        }
        Ok(())
    }
}

impl Config {
    /// Lets stations contend by EDCA, category by category. Data frames have a QoS Control field of two bytes then, and AIFS begins
    /// anew after a timeout (9.19.2.3).
    pub fn set_edca(&mut self, edca: Edca) {
        if self.mac.edca.is_none() && !self.standard.is_qos() {
            self.mac.header += 2;
        }
        self.mac.defer_after_timeout = true;
        self.mac.countdown = Countdown::Begun;
        self.mac.edca = Some(edca);
    }
}

impl Mac {
    /// The parameters of each function of a station that contends: of DCF the one, with this window, or EDCA's.
    pub(crate) fn accesses(&self, cw_min: u32) -> Vec<Access> {
        let Mac { aifsn, cw_max, .. } = *self;
        let plain = Access { aifsn, cw_min, cw_max, txop: Duration::ZERO };
        self.edca.map_or_else(|| vec![plain], |edca| edca.0.to_vec())
    }
}

impl Network {
    /// The function of a station that has the medium, or had it last.
    #[inline]
    pub(crate) fn active(&self, at: u32) -> u32 {
        (at << self.shift) + u32::from(self.stations[at as usize].active)
    }

    /// The station of a function.
    #[inline]
    pub(crate) fn station_of(&self, f: u32) -> u32 {
        f >> self.shift
    }

    /// Which of the functions of its station it is, lowest first.
    #[inline]
    pub(crate) fn rank(&self, f: u32) -> usize {
        (f & self.ranks) as usize
    }

    /// The functions of a station, lowest first.
    pub(crate) fn functions_of(&self, at: u32) -> std::ops::Range<u32> {
        at << self.shift..(at + 1) << self.shift
    }

    /// Of the functions of a station whose backoff has ended now the highest; the others.
    pub(crate) fn who_wins(&self, now: Instant, f: u32) -> (u32, Vec<u32>) {
        let ear = &self.stations[self.station_of(f) as usize].ear;
        let mut due: Vec<u32> = self.functions_of(self.station_of(f)).collect();
        due.retain(|g| {
            let contends = self.functions[*g as usize].contender.is_some();
            contends && ear.fires(self.rank(*g), &self.hearing) <= now
        });
        let winner = due.pop().unwrap_or(f);
        (winner, due)
    }

    /// A function has won the medium: until the exchange is over its station's other functions do not transmit.
    pub(crate) fn suspend_others(&mut self, now: Instant, f: u32) {
        if self.shift == 0 {
            return;
        }
        let at = self.station_of(f);
        let others: Vec<u32> = self.functions_of(at).filter(|other| *other != f).collect();
        for other in others {
            let rank = self.rank(other);
            self.stations[at as usize].ear.freeze(rank, now, &self.hearing);
            self.leave(other);
        }
    }

    /// Nor do their backoffs count before `hold`.
    pub(crate) fn hold_others(&mut self, at: u32, hold: Instant) {
        let station = &mut self.stations[at as usize];
        if self.shift == 0 {
            return;
        }
        for (rank, backoff) in station.ear.backoffs.iter_mut().enumerate() {
            if rank != usize::from(station.active) {
                backoff.hold = hold;
            }
        }
    }

    /// A station's exchange is over: its other functions contend again, from `hold` on, after which comes AIFS where `defers`.
    pub(crate) fn end_exchange(&mut self, now: Instant, at: u32, defers: bool) {
        self.stations[at as usize].exchanging = false;
        if self.shift == 0 {
            return;
        }
        let active = self.active(at);
        for f in self.functions_of(at).filter(|f| *f != active) {
            let rank = self.rank(f);
            let backoff = &mut self.stations[at as usize].ear.backoffs[rank];
            backoff.give_way();
            backoff.hold = if defers { now + backoff.aifs } else { now };
            if self.functions[f as usize].service.is_some() {
                self.contend(now, f, true);
            }
        }
    }

    /// A function has lost to a higher one of its own station: as after a collision.
    pub(crate) fn collide_inside(&mut self, now: Instant, f: u32, out: &mut Outbox) {
        let at = self.station_of(f);
        let limit = self.config.mac.short_retry_limit;
        let rank = self.rank(f);
        self.stations[at as usize].stats.categories[rank].internal_collisions += 1;
        self.stations[at as usize].ear.backoffs[rank].contends = false;
        let Some(service) = &mut self.functions[f as usize].service else { return };
        service.short += 1;
        let spent = service.short >= limit;
        self.try_again(now, f, spent, out);
    }
}
