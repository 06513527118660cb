//! Routing of ad hoc networks written back.

use crate::scenario::wire::routing::{Hwmp, Route, RouteTable, Routing};
use radio::access::Station;
use routing::Config;
use settings::Overlay;

/// Returns the routing of a network whose stations are called `name`.
pub(super) fn routing(config: &Config, name: impl Fn(Station) -> String) -> Routing {
    match config {
        Config::Direct => Routing::Direct,
        Config::FewestHops => Routing::FewestHops,
        Config::Table(entries) => {
            let routes = entries.iter().map(|e| Route { at: name(e.at), to: name(e.to), via: name(e.via) });
            Routing::Table(RouteTable { routes: routes.collect() })
        }
        Config::Aodv(config) => Routing::Aodv(Overlay::of(config)),
        Config::Dsdv(config) => Routing::Dsdv(Overlay::of(config)),
        Config::Olsr(config) => Routing::Olsr(config.clone()),
        Config::Hwmp(config) => Routing::Hwmp(Hwmp {
            root: config.root.map(&name),
            gates: Some(config.gates.iter().map(|gate| name(*gate)).collect()),
            protocol: config.clone(),
        }),
    }
}
