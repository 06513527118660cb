//! Search for stations that do not move and are out of reach of every access point or, in an ad hoc network,
//! of every other station.

use crate::model::{Place, Start};
use crate::scenario::ScenarioError;
use crate::scenario::wire::wifi::Wifi;
use radio::mobility;
use radio::power::noise;
use radio::propagation::{Fading, Propagation};
use radio::{Position, access::Station};
use wifi::config::{Capture, Config, Reception, Sinr};

/// Checks that each station with a constant position is in reach of an access point or, in an ad hoc network, of
/// another station. Positions and powers that are drawn from the seed are not checked.
pub(super) fn in_reach(
    given: &Wifi,
    config: &Config,
    members: &[usize],
    places: &[Option<Box<Place>>],
    path: &str,
) -> Result<(), ScenarioError> {
    let phy = &config.phy;
    if phy.propagation.shadowing > 0.0 || phy.fading != Fading::None {
        return Ok(());
    }
    let fixed: Vec<Option<Position>> = members.iter().map(|node| at(places[*node].as_deref())).collect();
    let propagation = Propagation::new(&phy.propagation, Fading::None, 0, "");
    let least = match phy.reception {
        Reception::Capture(Capture { receive, .. }) => receive,
        Reception::Sinr(Sinr { noise_figure, preamble_snr, preamble_power, .. }) => {
            preamble_power.max(noise(phy.data.bandwidth(), noise_figure) + preamble_snr)
        }
    };
    let power = |a: Position, b: Position| propagation.mean(phy.power, a, b);
    for (station, here) in fixed.iter().enumerate().filter_map(|(s, here)| here.map(|here| (s, here))) {
        let is_access_point = |other: usize| config.is_access_point(Station(other as u32));
        // Access points are connected by the distribution system and need not reach each other.
        if is_access_point(station) {
            continue;
        }
        let ad_hoc = config.access_point.is_none();
        let others = fixed.iter().enumerate();
        let others = others.filter(|(other, _)| *other != station && (ad_hoc || is_access_point(*other)));
        let others: Option<Vec<Position>> = others.map(|(_, place)| *place).collect();
        // `None`: some other station moves and may come within reach.
        let Some(others) = others.filter(|others| !others.is_empty()) else { continue };
        let best = others.iter().map(|other| power(here, *other)).fold(f64::NEG_INFINITY, f64::max);
        if best < least {
            let of = match config.access_points().count() {
                0 => "every other station",
                1 => "the access point",
                _ => "every access point",
            };
            let name = &given.stations[station];
            let message = format!(
                "\"{name}\" is out of range of {of}: signals would come with {best:.1} dBm, and {least:.1} dBm are needed"
            );
            let reach = propagation.reach(phy.power, least, here);
            let error = ScenarioError::new(format!("{path}.stations.{station}"), message);
            return Err(
                error.allowed(format!("places within {reach:.1} m of each other, a higher `tx_power`"))
            );
        }
    }
    Ok(())
}

/// Returns the position of a node if it is constant; `None` if the node moves or its position is drawn.
fn at(place: Option<&Place>) -> Option<Position> {
    let place = place?;
    match (&place.start, place.movement()) {
        (Start::At(position), mobility::Config::Constant) => Some(*position),
        _ => None,
    }
}
