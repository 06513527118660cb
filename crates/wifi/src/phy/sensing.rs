//! Rules of carrier sense and reception that all stations share.

use crate::config::{Association, Config, Eifs};
use crate::mac::backoff::Rules as BackoffRules;
use crate::phy::air::Transmission;
use crate::phy::channel::{self, Path};
use crate::phy::durations::Durations;
use crate::phy::reception::{Robustness, Rule};
use base::Duration;
use radio::propagation::OnGround;

/// More than the error of logarithms, dB.
const MARGIN: f64 = 1e-6;

/// Values shared by all stations.
#[derive(Clone, Debug)]
pub(crate) struct SensingRules {
    pub(crate) rule: Rule,
    /// Ground-only path loss, if distance alone gives the received power.
    ground: Option<OnGround>,
    /// Robustness of the network's modes against noise, by number; empty if noise plays no part.
    pub(crate) modes: Vec<Robustness>,
    /// For each mode, by number, true if it is in DSSS.
    pub(crate) dsss: Vec<bool>,
    /// DIFS, or AIFS of all.
    pub(crate) ifs: Duration,
    /// Time before DIFS or AIFS after a frame with errors: of each kind, and after data at each rate but the slowest.
    /// EIFS without its DIFS or AIFS; the whole if it is reserved.
    pub(crate) eifs: Vec<Duration>,
    /// True if EIFS is a NAV.
    pub(crate) eifs_reserves: bool,
    /// After an RTS, the time without a frame that ends its NAV; `None`: it stays.
    pub(crate) nav_reset: Option<Duration>,
    /// True if stations read beacons.
    pub(crate) beacons: bool,
    pub(crate) backoff: BackoffRules,
}

impl SensingRules {
    /// Creates the rules of a network.
    pub(crate) fn new(config: &Config, durations: &Durations) -> Self {
        Self {
            rule: Rule::new(&config.phy),
            ground: channel::on_ground(config),
            modes: durations.robustness(&config.phy),
            dsss: durations.dsss(),
            ifs: durations.ifs,
            eifs: durations.eifs(config.mac.exchange.eifs, config.mac.aggregation.is_on()),
            eifs_reserves: config.mac.exchange.eifs == Eifs::Reserved,
            nav_reset: config.mac.exchange.nav_reset.then(|| durations.nav_reset()),
            beacons: match config.access_point {
                Some(_) => config.mac.bss.association == Association::Exchange,
                None => config.mac.bss.beacons.0.is_some(),
            },
            backoff: BackoffRules::new(&config.mac, config.phy.cca_time),
        }
    }

    /// Returns true if a signal is stronger than another by `ratio` dB. Of each: power, and distance if the power is
    /// only known to be enough.
    pub(crate) fn exceeds(&self, first: (f64, f64), second: (f64, f64), ratio: f64) -> bool {
        // Both are enough, and power falls with distance: a signal from further away is not stronger.
        if first.0 == f64::INFINITY && second.0 == f64::INFINITY && second.1 <= first.1 && ratio > MARGIN {
            return false;
        }
        self.power(first.0, first.1) >= self.power(second.0, second.1) + ratio
    }

    /// Returns the power in dBm of a signal over this distance, if its path only says that it is enough.
    #[inline]
    pub(crate) fn power(&self, power: f64, distance: f64) -> f64 {
        let ground = self.ground.as_ref().filter(|_| power == f64::INFINITY);
        ground.map_or(power, |ground| ground.power(distance))
    }

    /// Returns true if a frame over `path` is received if nothing else is on the air; `None`: chance decides.
    pub(crate) fn receives_alone(&self, path: &Path, frame: &Transmission) -> Option<bool> {
        match self.rule {
            Rule::Capture { receive, .. } => Some(path.power >= receive),
            Rule::Sinr { .. } => match self.stands_out(frame.mode, (path.power, path.beside), 0.0) {
                true => self.modes[usize::from(frame.mode)].is_sure(path.beside).then_some(true),
                false => Some(false),
            },
        }
    }

    /// Returns true if the preamble of a frame in a mode, of this power in dBm and mW, stands out from noise and
    /// `interference` mW.
    pub(crate) fn stands_out(&self, mode: u8, (power, milliwatts): (f64, f64), interference: f64) -> bool {
        let Rule::Sinr { preamble, preamble_ratio, .. } = self.rule else { return true };
        let noise = self.modes[usize::from(mode)].noise;
        power >= preamble && milliwatts >= preamble_ratio * (noise + interference)
    }
}
