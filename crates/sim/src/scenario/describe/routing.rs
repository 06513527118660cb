//! Routing of ad hoc networks written back.

use crate::scenario::wire::routing::{
    Aodv, Direct, Dsdv, Hello, Hwmp, LocalRepair, Olsr, Route, RouteTable, Routing,
};
use crate::scenario::wire::scalar::Time;
use crate::scenario::wire::wifi::Lifetime;
use radio::access::Station;
use wifi::routing::Config;

/// The routing of a network whose stations are called `name`.
pub(super) fn routing(config: &Config, name: impl Fn(Station) -> String) -> Routing {
    match config {
        Config::Direct => Routing::Direct(Direct {}),
        Config::FewestHops => Routing::FewestHops(Direct {}),
        Config::Table(entries) => {
            let routes = entries.iter().map(|e| Route { at: name(e.at), to: name(e.to), via: name(e.via) });
            Routing::Table(RouteTable { routes: routes.collect() })
        }
        Config::Aodv(c) => Routing::Aodv(Aodv {
            active_route_timeout: Some(Time(c.active_route_timeout)),
            my_route_timeout: Some(Time(c.my_route_timeout)),
            delete_period: Some(Time(c.delete_period)),
            node_traversal_time: Some(Time(c.node_traversal_time)),
            net_diameter: Some(c.net_diameter),
            ttl_start: Some(c.ttl_start),
            ttl_increment: Some(c.ttl_increment),
            ttl_threshold: Some(c.ttl_threshold),
            timeout_buffer: Some(c.timeout_buffer),
            rreq_retries: Some(c.rreq_retries),
            rreq_ratelimit: Some(c.rreq_ratelimit as u32),
            rerr_ratelimit: Some(c.rerr_ratelimit as u32),
            destination_only: Some(c.destination_only),
            gratuitous: Some(c.gratuitous),
            local_repair: Some(LocalRepair(c.local_repair)),
            local_add_ttl: Some(c.local_add_ttl),
            hello: c
                .hello
                .map(|hello| Hello { interval: Time(hello.interval), allowed_loss: hello.allowed_loss }),
            blacklist: Some(c.blacklist),
            salvage: Some(c.salvage),
            buffer: Some(c.buffer as u32),
            buffer_time: Some(
                c.buffer_time.map_or(Lifetime::Unlimited, |time| Lifetime::Limited(Time(time))),
            ),
            jitter: Some(Time(c.jitter)),
        }),
        Config::Dsdv(c) => Routing::Dsdv(Dsdv {
            update_interval: Some(Time(c.update_interval)),
            missed_updates: Some(c.missed_updates),
            trigger_gap: Some(Time(c.trigger_gap)),
            settling: Some(Time(c.settling)),
            link_layer: Some(c.link_layer),
            salvage: Some(c.salvage),
            buffer: Some(c.buffer as u32),
            buffer_time: Some(Time(c.buffer_time)),
        }),
        Config::Olsr(c) => Routing::Olsr(Olsr {
            hello_interval: Some(Time(c.hello_interval)),
            tc_interval: Some(Time(c.tc_interval)),
            jitter: Some(Time(c.jitter)),
            link_layer: Some(c.link_layer),
            salvage: Some(c.salvage),
            buffer: Some(c.buffer as u32),
            buffer_time: Some(Time(c.buffer_time)),
        }),
        Config::Hwmp(c) => Routing::Hwmp(Hwmp {
            active_path_timeout: Some(Time(c.active_path_timeout)),
            active_path_to_root_timeout: Some(Time(c.active_path_to_root_timeout)),
            net_diameter_traversal_time: Some(Time(c.net_diameter_traversal_time)),
            max_preq_retries: Some(c.max_preq_retries),
            preq_min_interval: Some(Time(c.preq_min_interval)),
            perr_min_interval: Some(Time(c.perr_min_interval)),
            maintenance_interval: Some(Time(c.maintenance_interval)),
            ttl: Some(c.ttl),
            root: c.root.map(&name),
            root_interval: Some(Time(c.root_interval)),
            proactive_prep: Some(c.proactive_prep),
            gates: Some(c.gates.iter().map(|gate| name(*gate)).collect()),
            beacon_interval: Some(Time(c.beacon_interval)),
            missed_beacons: Some(c.missed_beacons),
            peering_retries: Some(c.peering_retries),
            peering_timeout: Some(Time(c.peering_timeout)),
            packet_failures: Some(c.packet_failures),
            loss_memory: Some(Time(c.loss_memory)),
            salvage: Some(c.salvage),
            buffer: Some(c.buffer as u32),
            jitter: Some(Time(c.jitter)),
        }),
    }
}
