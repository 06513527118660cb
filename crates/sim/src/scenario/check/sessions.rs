//! Checks of sessions: loads become rates, and flows that answer the same queries have the same arrivals.

use super::nodes::Nodes;
use crate::model;
use crate::paths::Paths;
use crate::scenario::ScenarioError;
use net::routes::END;
use std::collections::BTreeMap;
use std::sync::Arc;
use traffic::sessions::{Arrivals, Config, Poisson};

/// Replaces the loads of flows with sessions by rates.
pub(super) fn resolve(
    flows: &mut [model::Flow],
    nodes: &Nodes,
    links: &[model::Link],
    radios: &[model::Radio],
) -> Result<(), ScenarioError> {
    if flows.iter().all(|flow| flow.traffic.sessions().is_none()) {
        return Ok(());
    }
    let queries = queries(flows)?;
    // Every flow has a path, since the check of flows has found that its ends can reach each other.
    let paths = Paths::new(nodes.len(), links, radios, flows).unwrap_or_default();
    let mut loads: BTreeMap<usize, f64> = BTreeMap::new();
    let mut rates = Vec::new();
    for (at, flow) in flows.iter().enumerate() {
        let Some(config) = flow.traffic.sessions() else { continue };
        let Arrivals::Poisson(Poisson { load: Some(load), link: Some(link), .. }) = &config.arrivals else {
            continue;
        };
        let path = format!("flow.{at}.traffic.arrivals");
        let direction = crossed(&paths, at, links, link, &path)?;
        let answers = config.query.as_ref().and_then(|query| queries.get(query));
        let of_query = answers.map_or_else(|| vec![at], Clone::clone);
        if of_query[0] == at {
            let sum = loads.entry(direction).or_default();
            *sum += load;
            if *sum > 1.0 + 1e-9 {
                let message = format!("the loads of all flows on link \"{link}\" come to {} %", 100.0 * *sum);
                return Err(ScenarioError::new(format!("{path}.load"), message)
                    .allowed("at most 1 (100 % of the link) in all; for an overload give `rate`"));
            }
        }
        let mean = |at: &usize| flows[*at].traffic.sessions().map_or(0.0, Config::mean_response_bytes);
        let bytes: f64 = of_query.iter().map(mean).sum();
        let bps = links[direction / 2].directions[direction % 2].rate.mean().bps() as f64;
        rates.push((at, load * bps / (8.0 * bytes)));
    }
    for (at, rate) in rates {
        if let traffic::Config::Sessions(config) = Arc::make_mut(&mut flows[at].traffic)
            && let Arrivals::Poisson(poisson) = &mut config.arrivals
        {
            *poisson = Poisson { rate: Some(rate), load: None, link: None, most: poisson.most };
        }
    }
    Ok(())
}

/// Returns the flows that answer each query; checks that they have the same arrivals.
fn queries(flows: &[model::Flow]) -> Result<BTreeMap<String, Vec<usize>>, ScenarioError> {
    let mut queries: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, flow) in flows.iter().enumerate() {
        let Some(config) = flow.traffic.sessions() else { continue };
        let Some(query) = &config.query else { continue };
        let members = queries.entry(query.clone()).or_default();
        members.push(at);
        let first = &flows[members[0]];
        let same = first.traffic.sessions().is_some_and(|one| one.arrivals == config.arrivals)
            && (first.start, first.stop) == (flow.start, flow.stop);
        if !same {
            let message = format!(
                "flows \"{}\" and \"{}\" answer query \"{query}\", but their arrivals differ",
                first.name, flow.name
            );
            return Err(ScenarioError::new(format!("flow.{at}.traffic.arrivals"), message)
                .allowed("the same arrivals, start and stop for all flows of a query"));
        }
    }
    Ok(queries)
}

/// Returns the direction of the link called `name` that the responses of flow number `at` cross.
fn crossed(
    paths: &Paths,
    at: usize,
    links: &[model::Link],
    name: &str,
    path: &str,
) -> Result<usize, ScenarioError> {
    let start = paths.routes.starts.get(2 * at).map_or(0, |start| *start as usize);
    let hops = paths.routes.hops[start..].iter().take_while(|hop| **hop != END).map(|hop| *hop as usize);
    let crossed: Vec<usize> = hops.filter(|hop| hop / 2 < links.len()).collect();
    let called = |number: usize| links[number].name.clone().unwrap_or_else(|| number.to_string());
    let found = crossed.iter().find(|hop| called(**hop / 2) == name || (**hop / 2).to_string() == name);
    found.copied().ok_or_else(|| {
        let known: Vec<String> = crossed.iter().map(|hop| called(hop / 2)).collect();
        let near = settings::nearest(name, known.iter().map(String::as_str));
        ScenarioError::new(
            format!("{path}.link"),
            format!("the flow's responses do not cross a link \"{name}\""),
        )
        .allowed(format!("a link on the flow's path: {}", known.join(", ")))
        .near(near)
    })
}
