//! Checks of `[[lte]]`: names of nodes, and settings against one another.

use super::nodes::{Nodes, name};
use super::stations::stations;
use crate::model::{Place, Radio, RadioKind, Start};
use crate::scenario::ScenarioError;
use crate::scenario::wire::lte::Lte;
use lte::config::{Config, Enb, Tables, Ue};
use radio::mobility;
use std::collections::BTreeMap;

/// Checks LTE network number `index`, and returns it.
pub(super) fn network(
    given: &Lte,
    index: usize,
    nodes: &Nodes,
    places: &[Option<Box<Place>>],
) -> Result<Radio, ScenarioError> {
    let path = format!("lte.{index}");
    let gateway = nodes.find(&given.gateway, &format!("{path}.gateway"))?;
    let ues = stations(&given.ue, &format!("{path}.ue"), nodes, places)?;
    if let Some(at) = ues.iter().position(|ue| *ue == gateway) {
        let message = format!("\"{}\" is the gateway", given.gateway);
        return Err(ScenarioError::new(format!("{path}.ue.{at}"), message).allowed("another node"));
    }
    let config = config(given, &path, ues.iter().map(|ue| places[*ue].as_deref()))?;
    let members = std::iter::once(gateway).chain(ues).collect();
    let name = given.name.clone().unwrap_or_else(|| format!("lte{index}"));
    Ok(Radio { name, stations: members, kind: RadioKind::Lte(Box::new(config)) })
}

fn config<'p>(
    given: &Lte,
    path: &str,
    places: impl Iterator<Item = Option<&'p Place>>,
) -> Result<Config, ScenarioError> {
    let profile = given.profile.unwrap_or_default();
    let base = Config::default().like(profile);
    let under = |e: settings::Error| e.under(path);
    // The values of a profile depend on the kinds and modes that the file gives.
    let plain = given.tables.over(&Tables::default()).map_err(under)?;
    let Tables { rlc, uplink, s1, handover } = given.tables.over(&plain.like(profile)).map_err(under)?;
    let config = Config {
        enbs: enbs(given, path)?,
        ues: given.ue.iter().zip(places).map(|(name, place)| ue(given, name, place)).collect(),
        carrier: given.carrier.over(&base.carrier).map_err(under)?,
        propagation: given.propagation.clone(),
        reception: given.reception.over(&base.reception).map_err(under)?,
        cqi: given.cqi.over(&base.cqi).map_err(under)?,
        harq: given.harq,
        multiplexing: given.multiplexing.over(&base.multiplexing).map_err(under)?,
        rlc,
        uplink,
        s1,
        handover,
    };
    config.check().map_err(|mut e| {
        // The error concerns the position of a UE that is out of range. The error's path becomes that of the UE's name
        // in the list `ue`.
        if let Some(ue) = e.path.strip_suffix(".position") {
            e.path = ue.to_owned();
        }
        e.under(path)
    })?;
    Ok(config)
}

fn enbs(given: &Lte, path: &str) -> Result<Vec<Enb>, ScenarioError> {
    let mut seen = BTreeMap::new();
    let each = given.enb.iter().enumerate().map(|(i, given)| {
        let own = given.name.clone().unwrap_or_else(|| format!("enb{i}"));
        let path = format!("{path}.enb.{i}.name");
        name(&own).map_err(|e| e.under(&path))?;
        if let Some(first) = seen.insert(own.clone(), i) {
            let message = format!("eNodeB {first} is called \"{own}\" already");
            return Err(ScenarioError::new(path, message).allowed("a name of its own"));
        }
        Ok(Enb { name: own, position: given.position, ..given.antenna.clone() })
    });
    each.collect()
}

/// Returns a UE at its node's position. If the position is drawn from the run's seed, the UE is put below the first
/// eNodeB for the checks and moved when the run is built.
fn ue(given: &Lte, name: &str, place: Option<&Place>) -> Ue {
    let beneath = given.enb.first().map(|enb| enb.position).unwrap_or_default();
    let position = match place.map(|place| &place.start) {
        Some(Start::At(position)) => *position,
        Some(Start::Drawn(_)) | None => beneath,
    };
    let mobility = place.map_or(mobility::Config::Constant, |place| place.movement().clone());
    Ue { name: name.to_owned(), position, mobility }
}
