//! Checks beyond types: names that exist, numbers in range, times in order, nodes that reach each other.
//!
//! Converts the file as written to the checked scenario, or returns the first error.

mod events;
mod flows;
mod gateways;
mod links;
mod losses;
mod lte;
mod nodes;
mod places;
mod radios;
mod reach;
mod routing;
mod sessions;
mod stations;
mod times;
mod wifi;

pub(super) use links::addressable;

use super::wire::File;
use crate::model::Scenario;
use crate::scenario::ScenarioError;
use nodes::Nodes;

/// Converts a file to the checked scenario.
pub(super) fn scenario(mut file: File) -> Result<Scenario, ScenarioError> {
    let duration = times::duration(file.duration)?;
    if file.link.is_empty() && file.wifi.is_empty() && file.lte.is_empty() {
        let example =
            "[[link]] between = [\"a\", \"b\"], rate = \"10Mbps\", delay = \"20ms\"; or [[wifi]], [[lte]]";
        return Err(ScenarioError::new("link", "there are no links and no radio networks").allowed(example));
    }
    if file.flow.is_empty() {
        let example = "[[flow]] from = \"a\", to = \"b\", tcp = { variant = \"newreno\" }";
        return Err(ScenarioError::new("flow", "there are no flows").allowed(example));
    }
    let nodes = Nodes::of(&file)?;
    let links = links::links(&file, &nodes)?;
    let mut places = places::places(&file)?;
    places.resize(nodes.len(), None);
    let radios = radios::radios(&file, &nodes, &places)?;
    // Frees the larger part of a large file.
    file.link = Vec::new();
    let mut flows = flows::flows(&file, &nodes, &links, &radios)?;
    sessions::resolve(&mut flows, &nodes, &links, &radios)?;
    let gateways = gateways::gateways(&file, &nodes, &links, &radios, &mut flows)?;
    let changes = events::changes(&file, &nodes, &links, &gateways)?;
    let addresses = nodes::addresses(&file, nodes.len())?;
    let (seed, nodes, controls) = (file.seed, nodes.into_names(), file.control);
    Ok(Scenario {
        duration,
        seed,
        nodes,
        addresses,
        places,
        links,
        radios,
        flows,
        gateways,
        changes,
        controls,
        adjustable: Vec::new(),
    })
}
