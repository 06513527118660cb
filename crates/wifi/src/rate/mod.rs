//! Rate control: in which mode a station sends data to a neighbour.
//!
//! The modes are those of the format of `phy.data` (rates of b, or of OFDM; MCS of its width and guard interval), from the slowest up
//! to `phy.data` itself; with two streams those of one too. RTS, broadcast and management frames keep their mode, responses
//! follow the frame that they answer. A rate is chosen for each attempt, and kept through a TXOP; attempts at an RTS tell nothing.
//!
//! Left out: a guard interval or width that is chosen frame by frame.

mod arf;
mod ideal;
mod minstrel;

pub use arf::Config as ArfConfig;
pub use ideal::Config as IdealConfig;
pub use minstrel::Config as MinstrelConfig;

use crate::config::{Config, ConfigError, Reception};
use crate::frames::{Frames, Rate};
use crate::network::Network;
use crate::reception::Robustness;
use crate::station::Service;
use crate::timing::{Dsss, Ht, Mode, Ofdm, Vht};
use arf::Arf;
use base::{Duration, Instant, Rng};
use ideal::Ideal;
use minstrel::Minstrel;
use std::collections::BTreeMap;

/// How a station chooses the mode of data.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum RateControl {
    /// Always `phy.data`.
    #[default]
    Constant,
    /// Automatic rate fallback: by attempts that failed and succeeded in a row.
    Arf(ArfConfig),
    /// By the ratio of signal to noise that the receiver tells.
    Ideal(IdealConfig),
    /// By what samples of all rates have brought.
    MinstrelHt(MinstrelConfig),
}

impl RateControl {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let fail = |field, message: String| Err(ConfigError { field, message });
        match self {
            Self::Constant => Ok(()),
            Self::Arf(config) => {
                if config.successes == 0 || config.failures == 0 || config.timer == 0 {
                    return fail(
                        "phy.rate_control",
                        "successes, failures and timer are at least 1".to_owned(),
                    );
                }
                Ok(())
            }
            Self::Ideal(config) => {
                if config.target > 0.0 && config.target < 1.0 {
                    return Ok(());
                }
                let message = format!("an error rate between 0 and 1, not {}", config.target);
                fail("phy.rate_control.target", message)
            }
            Self::MinstrelHt(config) => {
                if config.interval.is_zero() {
                    return fail("phy.rate_control.interval", "longer than zero".to_owned());
                }
                for (field, share) in [
                    ("phy.rate_control.lookaround", config.lookaround),
                    ("phy.rate_control.ewma", config.ewma),
                ] {
                    if !(0.0..1.0).contains(&share) {
                        return fail(field, format!("0 or more and less than 1, not {share}"));
                    }
                }
                if config.tries == 0 {
                    return fail("phy.rate_control.tries", "at least 1".to_owned());
                }
                Ok(())
            }
        }
    }
}

/// The modes that data may have, slowest first.
pub(crate) fn modes(data: Mode, control: &RateControl) -> Vec<Mode> {
    if *control == RateControl::Constant {
        return vec![data];
    }
    let mut modes: Vec<Mode> = match data {
        Mode::Dsss(top) => {
            let rates = Dsss::RATES.into_iter().filter(|rate| *rate <= top.rate);
            rates.map(|rate| Mode::Dsss(Dsss { rate, ..top })).collect()
        }
        Mode::Ofdm(top) => {
            let rates = Ofdm::RATES.into_iter().filter(|rate| *rate <= top.rate);
            rates.map(|rate| Mode::Ofdm(Ofdm { rate, ..top })).collect()
        }
        Mode::Ht(top) => (0..=top.mcs).map(|mcs| Mode::Ht(Ht { mcs, ..top })).collect(),
        Mode::Vht(top) => {
            let last = |streams| if streams == top.streams { top.mcs } else { 9 };
            let all = (1..=top.streams)
                .flat_map(|streams| (0..=last(streams)).map(move |mcs| Vht { mcs, streams, ..top }));
            all.filter(|mode| mode.exists()).map(Mode::Vht).collect()
        }
    };
    modes.retain(|mode| mode.bps() <= data.bps());
    // Of two equally fast ones that with fewer streams comes first.
    modes.sort_by_key(|mode| mode.bps());
    modes
}

/// What a controller has to know of the modes, which it knows by their numbers, slowest first.
#[derive(Clone, Debug)]
pub(crate) struct Rates {
    /// What a packet of 1500 bytes takes beyond its bits, when it goes alone: AIFS, half of CWmin, preamble, header, ACK; and its bits.
    pub(crate) times: Vec<[Duration; 2]>,
    /// The least power at which few enough frames fail, mW; empty where noise plays no part.
    pub(crate) least: Vec<f64>,
    /// Those that one may climb step by step: each is faster than all that bear less power.
    pub(crate) ladder: Vec<u8>,
}

/// A packet as the algorithms take it, bytes.
const USUAL: u32 = 1500;

impl Rates {
    fn new(config: &Config, frames: &Frames, rates: &[Rate]) -> Self {
        let mac = &config.mac;
        let wait = frames.ifs + mac.slot * u64::from(mac.cw_min) / 2 + mac.sifs;
        let times = rates.iter().map(|rate| {
            let bits = Duration::from_ps((f64::from(USUAL) * 8.0 / rate.data.bps() as f64 * 1e12) as u64);
            let whole = rate.data.airtime(USUAL + mac.header, config.phy.rounding) + rate.ack.airtime;
            [wait + whole - bits, bits]
        });
        let target = match config.phy.rate_control {
            RateControl::Ideal(ideal) => ideal.target,
            _ => IdealConfig::default().target,
        };
        let least = match config.phy.reception {
            Reception::Sinr { noise_figure, .. } => {
                let modes = rates.iter().map(|rate| Robustness::new(rate.data, noise_figure));
                modes.map(|mode| mode.least_power(USUAL + mac.header, target)).collect()
            }
            Reception::Capture { .. } => Vec::new(),
        };
        let modes: Vec<Mode> = rates.iter().map(|rate| rate.data).collect();
        let ladder = ladder(&modes, &least);
        Self { times: times.collect(), least, ladder }
    }
}

/// The modes, slowest first, without those that one with another number of streams outdoes: it is as fast, and bears less power.
fn ladder(modes: &[Mode], least: &[f64]) -> Vec<u8> {
    let outdone = |i: usize| {
        let by = |j: usize| {
            let other = modes[j].streams() != modes[i].streams();
            other && modes[j].bps() >= modes[i].bps() && least[j] < least[i]
        };
        !least.is_empty() && (0..modes.len()).any(by)
    };
    (0..modes.len()).filter(|i| !outdone(*i)).map(|i| i as u8).collect()
}

/// What a station keeps of a neighbour.
#[derive(Clone, Debug)]
enum Controller {
    Arf(Arf),
    Ideal(Ideal),
    Minstrel(Box<Minstrel>),
}

/// The controllers of all stations.
#[derive(Clone, Debug)]
pub(crate) struct Controllers {
    kind: RateControl,
    /// Those of most links, and those of links with a NonERP station.
    rates: [Rates; 2],
    /// By station, and neighbour.
    links: Vec<BTreeMap<u32, Controller>>,
    rngs: Vec<Rng>,
}

impl Controllers {
    /// Those of a network, with random streams named after it; `None` where the rate is constant.
    pub(crate) fn new(config: &Config, frames: &Frames, seed: u64, name: &str) -> Option<Box<Self>> {
        let stations = config.sites.len();
        let stream = |at| Rng::stream(seed, &format!("{name}.station.{at}.rate"));
        (config.phy.rate_control != RateControl::Constant).then(|| {
            Box::new(Self {
                kind: config.phy.rate_control,
                rates: frames.sets().map(|rates| Rates::new(config, frames, rates)),
                links: vec![BTreeMap::new(); stations],
                rngs: (0..stations).map(stream).collect(),
            })
        })
    }

    /// What a station keeps of a neighbour, with which it has this set of rates.
    fn link(&mut self, at: u32, via: u32, set: usize) -> (&mut Controller, &Rates, &mut Rng) {
        let Self { kind, rates, links, rngs } = self;
        let rates = &rates[set];
        let link = links[at as usize].entry(via).or_insert_with(|| match *kind {
            RateControl::Constant | RateControl::Arf(_) => {
                let config = if let RateControl::Arf(config) = *kind { config } else { ArfConfig::default() };
                Controller::Arf(Arf::new(config))
            }
            RateControl::Ideal(_) => Controller::Ideal(Ideal::default()),
            RateControl::MinstrelHt(config) => {
                Controller::Minstrel(Box::new(Minstrel::new(config, rates.times.len())))
            }
        });
        (link, rates, &mut rngs[at as usize])
    }
}

impl Network {
    /// The function's next attempt has its rate, and whether it is a sample.
    pub(crate) fn choose_rate(&mut self, now: Instant, f: u32) {
        let at = self.station_of(f);
        let function = &mut self.functions[f as usize];
        if function.management().is_some() {
            return;
        }
        let fresh = function.mpdus.len() == 1;
        let Some(service) = function.service.as_mut().filter(|service| !service.asks) else { return };
        let (set, slowest) = (self.frames.set(at, service.via), self.frames.slowest(at, service.via));
        let Some(controllers) = &mut self.controllers else {
            service.rate = slowest;
            return;
        };
        let attempt = service.short + service.long;
        let (link, rates, rng) = controllers.link(at, service.via, set);
        let (rate, probes) = match link {
            Controller::Arf(arf) => (rates.ladder[arf.step()], fresh && arf.tries()),
            Controller::Ideal(ideal) => (ideal.rate(rates, attempt), false),
            Controller::Minstrel(minstrel) => minstrel.rate(now, attempt, fresh, rates, rng),
        };
        (service.rate, service.probes) = (slowest + rate, probes);
    }

    /// The rate at which a function would send to `via` in a TXOP that it has.
    pub(crate) fn rate_toward(&mut self, f: u32, via: u32) -> u8 {
        let at = self.station_of(f);
        let (set, slowest) = (self.frames.set(at, via), self.frames.slowest(at, via));
        let function = &self.functions[f as usize];
        let Some(controllers) = &mut self.controllers else { return slowest };
        if let Some(service) = function.service.filter(|service| service.via == via) {
            return service.rate;
        }
        let (link, rates, _) = controllers.link(at, via, set);
        let rate = match link {
            Controller::Arf(arf) => rates.ladder[arf.step()],
            Controller::Ideal(ideal) => ideal.rate(rates, 0),
            Controller::Minstrel(minstrel) => minstrel.best(),
        };
        slowest + rate
    }

    /// Of a service's attempt at `sent` packets `failed` have not got through.
    pub(crate) fn rate_brought(&mut self, at: u32, service: Service, sent: u32, failed: u32) {
        let (set, slowest) = (self.frames.set(at, service.via), self.frames.slowest(at, service.via));
        let Some(controllers) = &mut self.controllers else { return };
        let (link, rates, _) = controllers.link(at, service.via, set);
        match link {
            Controller::Arf(arf) => arf.report(2 * failed < sent, rates.ladder.len()),
            Controller::Ideal(_) => {}
            Controller::Minstrel(minstrel) => {
                minstrel.report(service.rate - slowest, sent, failed, service.probes);
            }
        }
    }

    /// A receiver tells the sender how strong its frame was, mW.
    pub(crate) fn told(&mut self, from: u32, to: u32) {
        let set = self.frames.set(from, to);
        let Some(controllers) = &mut self.controllers else { return };
        let (link, ..) = controllers.link(from, to, set);
        if let Controller::Ideal(ideal) = link {
            ideal.told(self.stations[to as usize].ear.heard_power());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::{GuardInterval, Standard, Width};

    /// Which MCS of 20 MHz, of the first so many, are on the ladder; `noise`: with the default receiver.
    fn climbs(count: u8, noise: bool) -> Vec<u8> {
        let mcs = |mcs| Standard::N.mcs(mcs, Width::Mhz20, GuardInterval::Long).expect("an MCS");
        let mut all: Vec<(u8, Mode)> = (0..count).map(|number| (number, mcs(number))).collect();
        all.sort_by_key(|(_, mode)| mode.bps());
        let modes: Vec<Mode> = all.iter().map(|(_, mode)| *mode).collect();
        let least = modes.iter().map(|mode| Robustness::new(*mode, 7.0).least_power(1538, 0.1));
        let least = if noise { least.collect() } else { Vec::new() };
        ladder(&modes, &least).into_iter().map(|rate| all[usize::from(rate)].0).collect()
    }

    /// Two streams share the power, 3 dB. MCS 10, QPSK 3/4 in two, bears less of it than MCS 3, 16-QAM 1/2 in one, and is half as fast
    /// again; MCS 11 likewise than MCS 4, and MCS 12, 16-QAM 3/4 in two, than 64-QAM in one. With one stream each is a step.
    #[test]
    fn a_ladder_has_no_step_that_another_outdoes() {
        assert_eq!(climbs(16, true), [0, 1, 8, 2, 9, 10, 11, 12, 13, 14, 15]);
        assert_eq!(climbs(8, true), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(climbs(16, false).len(), 16);
    }
}
