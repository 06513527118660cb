//! Checks of radio networks; each of their stations must have a position.

use super::nodes::{Nodes, name};
use super::{lte, wifi};
use crate::model::{Place, Radio};
use crate::scenario::ScenarioError;
use crate::scenario::wire::File;
use std::collections::BTreeMap;

/// Checks all radio networks of the file and returns them, first 802.11, then LTE.
pub(super) fn radios(
    file: &File,
    nodes: &Nodes,
    places: &[Option<Box<Place>>],
) -> Result<Vec<Radio>, ScenarioError> {
    let mut radios = Vec::new();
    for i in 0..file.wifi.len() {
        radios.push((format!("wifi.{i}"), wifi::network(file, i, nodes, places)?));
    }
    wifi::apart(&file.wifi)?;
    for (i, network) in file.lte.iter().enumerate() {
        radios.push((format!("lte.{i}"), lte::network(network, i, nodes, places)?));
    }
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for (path, radio) in &radios {
        name(&radio.name).map_err(|e| e.under(&format!("{path}.name")))?;
        if let Some(first) = seen.insert(radio.name.clone(), path.clone()) {
            let message = format!("{first} is called \"{}\" already", radio.name);
            return Err(ScenarioError::new(format!("{path}.name"), message).allowed("a name of its own"));
        }
    }
    Ok(radios.into_iter().map(|(_, radio)| radio).collect())
}
