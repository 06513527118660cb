//! Rules of carrier sense and reception that all stations share.

use crate::config::{Association, Config, Eifs};
use crate::mac::backoff::Rules as BackoffRules;
use crate::phy::air::{Kind, Transmission};
use crate::phy::channel::{self, Path};
use crate::phy::durations::Durations;
use crate::phy::reception::{Robustness, Rule};
use base::Duration;
use radio::propagation::OnGround;

/// Bound on rounding errors of logarithms, dB.
const MARGIN: f64 = 1e-6;

/// Parameters of carrier sense and reception that all stations share.
#[derive(Clone, Debug)]
pub(crate) struct SensingRules {
    pub(crate) rule: Rule,
    /// Least power with which a frame has any effect, and least power with which it is received regardless of its SINR,
    /// dBm.
    pub(crate) least: f64,
    pub(crate) receive: f64,
    /// Received power as a function of distance; `None` if the power depends on anything else.
    ground: Option<OnGround>,
    /// Error model of each mode, by number; empty if reception depends on power alone.
    pub(crate) modes: Vec<Robustness>,
    /// For each mode, by number, true if it is DSSS or CCK.
    pub(crate) dsss: Vec<bool>,
    /// DIFS or AIFS, for computing EIFS.
    pub(crate) ifs: Duration,
    /// EIFS minus DIFS or AIFS; the whole EIFS if `eifs_reserves`. One entry for a frame of each type (data at the
    /// slowest rate) comes first, then one for data at each faster rate.
    pub(crate) eifs: Vec<Duration>,
    /// True if EIFS is imposed by setting the NAV (ns-2).
    pub(crate) eifs_reserves: bool,
    /// Time after an RTS within which a frame must begin, so that the NAV set by the RTS stays; `None`: it always
    /// stays.
    pub(crate) nav_reset: Option<Duration>,
    /// True if stations evaluate beacons.
    pub(crate) beacons: bool,
    /// True if stations read with [`CarrierSense::overhear`](crate::phy::carrier_sense::CarrierSense::overhear): paths
    /// are constant, and frames are received by power alone.
    pub(crate) overhears: bool,
    pub(crate) backoff: BackoffRules,
}

impl SensingRules {
    pub(crate) fn new(config: &Config, durations: &Durations) -> Self {
        let rule = Rule::new(&config.phy);
        let (least, receive) = rule.thresholds();
        Self {
            rule,
            least,
            receive,
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
            overhears: false,
            backoff: BackoffRules::new(&config.mac, config.phy.cca_time),
        }
    }

    /// Returns true if the first signal is stronger than the second by `ratio` dB. Each is given by its power in dBm
    /// and, if this is infinite, its distance in metres.
    pub(crate) fn exceeds(&self, first: (f64, f64), second: (f64, f64), ratio: f64) -> bool {
        // Both powers exceed all thresholds. Power falls with distance, so a signal from the same or a greater
        // distance is not stronger.
        if first.0 == f64::INFINITY && second.0 == f64::INFINITY && second.1 <= first.1 && ratio > MARGIN {
            return false;
        }
        self.power(first.0, first.1) >= self.power(second.0, second.1) + ratio
    }

    /// Returns the power in dBm of a signal; if `power` is infinite, computes it from the distance in metres.
    #[inline]
    pub(crate) fn power(&self, power: f64, distance: f64) -> f64 {
        let ground = self.ground.as_ref().filter(|_| power == f64::INFINITY);
        ground.map_or(power, |ground| ground.power(distance))
    }

    /// Returns true if the NAV that a frame of this kind sets may be reset.
    #[inline]
    pub(crate) fn resets_nav(&self, kind: Kind) -> bool {
        kind == Kind::Rts && self.nav_reset.is_some()
    }

    /// Returns true if the power of a path is known, has an effect and suffices for reception by power alone.
    #[inline]
    pub(crate) fn suffices(&self, path: &Path) -> bool {
        path.power >= self.receive && path.power >= self.least
    }

    /// Returns true if a frame over `path` is received when nothing else is on the air; `None` if this is random.
    pub(crate) fn receives_alone(&self, path: &Path, frame: &Transmission) -> Option<bool> {
        match self.rule {
            Rule::Capture { receive, .. } => Some(path.power >= receive),
            Rule::Sinr { .. } => match self.stands_out(frame.mode, (path.power, path.beside), 0.0) {
                true => self.modes[usize::from(frame.mode)].is_sure(path.beside).then_some(true),
                false => Some(false),
            },
        }
    }

    /// Returns true if a preamble in this mode can be received: its power, in dBm and mW, suffices against the
    /// threshold and against noise plus `interference` mW.
    pub(crate) fn stands_out(&self, mode: u8, (power, milliwatts): (f64, f64), interference: f64) -> bool {
        let Rule::Sinr { preamble, preamble_ratio, .. } = self.rule else { return true };
        let noise = self.modes[usize::from(mode)].noise;
        power >= preamble && milliwatts >= preamble_ratio * (noise + interference)
    }
}
