//! Rate controllers of all stations.

use super::arf::{self, Arf};
use super::ideal::{self, Ideal};
use super::minstrel::Minstrel;
use super::rates::{Rates, ladder};
use super::settings::RateControl;
use crate::config::{Config, Reception, Sinr};
use crate::phy::durations::{Durations, Rate};
use crate::phy::reception::Robustness;
use crate::phy::timing::Mode;
use base::{Duration, Instant, Rng};
use std::collections::BTreeMap;

/// Packet length that the algorithms assume, bytes.
const USUAL: u32 = 1500;

/// Computes the properties of rates that the algorithms use.
fn measure(config: &Config, durations: &Durations, rates: &[Rate]) -> Rates {
    let mac = &config.mac;
    let wait = durations.ifs + mac.access.slot * u64::from(mac.access.cw_min) / 2 + mac.access.sifs;
    let times = rates.iter().map(|rate| {
        let bits = Duration::from_ps((f64::from(USUAL) * 8.0 / rate.data.bps() as f64 * 1e12) as u64);
        let whole = rate.data.airtime(USUAL + mac.exchange.header, config.phy.rounding) + rate.ack.airtime;
        [wait + whole - bits, bits]
    });
    let ideal::Config { target, bytes } = match config.phy.rate_control {
        RateControl::Ideal(ideal) => ideal,
        _ => ideal::Config::default(),
    };
    let least = match config.phy.reception {
        Reception::Sinr(Sinr { noise_figure, .. }) => {
            let modes = rates.iter().map(|rate| Robustness::new(rate.data, &config.phy, noise_figure));
            modes.map(|mode| mode.least_power(bytes, target)).collect()
        }
        Reception::Capture(_) => Vec::new(),
    };
    let modes: Vec<Mode> = rates.iter().map(|rate| rate.data).collect();
    let ladder = ladder(&modes, &least);
    Rates { times: times.collect(), least, ladder }
}

/// Rate controller of a station for one neighbour.
#[derive(Clone, Debug)]
enum Controller {
    Arf(Arf),
    Ideal(Ideal),
    Minstrel(Box<Minstrel>),
}

/// Link: a station, a neighbour, and the index of the set of rates between them.
type Neighbour = (u32, u32, usize);

/// Rate controllers of all stations.
#[derive(Clone, Debug)]
pub(crate) struct Controllers {
    kind: RateControl,
    /// Properties of the rates, by set of rates.
    rates: Vec<Rates>,
    /// Controllers of each station, by neighbour.
    links: Vec<BTreeMap<u32, Controller>>,
    rngs: Vec<Rng>,
}

impl Controllers {
    /// Creates the controllers of a network; `None` if the rate is constant. Random streams are named after `name`.
    pub(crate) fn new(config: &Config, durations: &Durations, seed: u64, name: &str) -> Option<Box<Self>> {
        let stations = config.sites.len();
        let stream = |at| Rng::stream(seed, &format!("{name}.station.{at}.rate"));
        (config.phy.rate_control != RateControl::Constant).then(|| {
            Box::new(Self {
                kind: config.phy.rate_control,
                rates: durations.sets().map(|rates| measure(config, durations, rates)).collect(),
                links: vec![BTreeMap::new(); stations],
                rngs: (0..stations).map(stream).collect(),
            })
        })
    }

    /// Returns a station's controller for a neighbour, with its rates and random stream; creates the controller if
    /// needed.
    fn link(&mut self, (at, via, set): Neighbour) -> (&mut Controller, &Rates, &mut Rng) {
        let Self { kind, rates, links, rngs } = self;
        let rates = &rates[set];
        let link = links[at as usize].entry(via).or_insert_with(|| match *kind {
            RateControl::Constant | RateControl::Arf(_) => {
                let config =
                    if let RateControl::Arf(config) = *kind { config } else { arf::Config::default() };
                Controller::Arf(Arf::new(config))
            }
            RateControl::Ideal(_) => Controller::Ideal(Ideal::default()),
            RateControl::MinstrelHt(config) => {
                Controller::Minstrel(Box::new(Minstrel::new(config, rates.times.len())))
            }
        });
        (link, rates, &mut rngs[at as usize])
    }

    /// Returns the rate for an attempt, and true if the attempt is a probe. `attempt` counts from 0; `fresh`: the
    /// frame has a single packet, which has not been sent yet.
    pub(crate) fn choose(&mut self, now: Instant, link: Neighbour, attempt: u32, fresh: bool) -> (u8, bool) {
        let (controller, rates, rng) = self.link(link);
        match controller {
            Controller::Arf(arf) => (rates.ladder[arf.step()], fresh && arf.tries()),
            Controller::Ideal(ideal) => (ideal.rate(rates, attempt), false),
            Controller::Minstrel(minstrel) => minstrel.rate(now, attempt, fresh, rates, rng),
        }
    }

    /// Returns the rate that the controller of a link estimates to be best.
    pub(crate) fn best(&mut self, link: Neighbour) -> u8 {
        let (controller, rates, _) = self.link(link);
        match controller {
            Controller::Arf(arf) => rates.ladder[arf.step()],
            Controller::Ideal(ideal) => ideal.rate(rates, 0),
            Controller::Minstrel(minstrel) => minstrel.best(),
        }
    }

    /// Reports an attempt at this rate, in which `failed` of `sent` packets were not received. `sample`: it was a
    /// probe.
    pub(crate) fn report(&mut self, link: Neighbour, rate: u8, (sent, failed): (u32, u32), sample: bool) {
        let (controller, rates, _) = self.link(link);
        match controller {
            Controller::Arf(arf) => arf.report(2 * failed < sent, rates.ladder.len()),
            Controller::Ideal(_) => {}
            Controller::Minstrel(minstrel) => minstrel.report(rate, sent, failed, sample),
        }
    }

    /// Reports the received power of a frame on a link, mW.
    pub(crate) fn report_power(&mut self, link: Neighbour, power: f64) {
        if let (Controller::Ideal(ideal), ..) = self.link(link) {
            ideal.report_power(power);
        }
    }
}
