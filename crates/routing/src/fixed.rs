//! Routes that do not change: direct, through the access point, by the fewest hops, or from a table.

use crate::station_ref::StationRef;
use settings::{Error, Settings};
use std::collections::VecDeque;

/// Routing table that a scenario file gives.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct RouteTable {
    /// Next hops, one for each station and destination. A packet without an entry has no route and is dropped.
    #[setting(needed = "a list: routes = [{ at = \"a\", to = \"c\", via = \"b\" }]")]
    pub routes: Vec<Route>,
}

/// Static route: the next hop `via` to which station `at` sends packets for destination `to`.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(expecting = "a table: { at = \"a\", to = \"c\", via = \"b\" }")]
pub struct Route {
    /// Station that sends or forwards the packet.
    #[setting(needed = "the name of a station")]
    pub at: StationRef,
    /// Destination of the packet.
    #[setting(needed = "the name of a station")]
    pub to: StationRef,
    /// Neighbour to which the station sends the packet.
    #[setting(needed = "the name of a station")]
    pub via: StationRef,
}

impl RouteTable {
    /// Lists the stations that the table names, each with the key of its setting.
    pub(crate) fn stations(&mut self) -> Vec<(String, &mut StationRef)> {
        let each = self.routes.iter_mut().enumerate().flat_map(|(i, route)| {
            [("at", &mut route.at), ("to", &mut route.to), ("via", &mut route.via)]
                .map(|(key, station)| (format!("routes.{i}.{key}"), station))
        });
        each.collect()
    }

    /// Checks that no station is its own next hop.
    pub(crate) fn check(&self) -> Result<(), Error> {
        for Route { at, via, .. } in &self.routes {
            if let (Some(at), Some(via)) = (at.station(), via.station())
                && at == via
            {
                return Err(Error::new("", format!("station {} cannot pass packets on to itself", at.0)));
            }
        }
        Ok(())
    }
}

/// Routes of all stations of a network, which do not change.
#[derive(Clone, Debug)]
pub enum Fixed {
    /// Straight to the destination.
    Direct,
    /// To the access point with this number, and from there to the destination.
    Star(u32),
    /// Next hop for each station and destination; `NONE` if there is no route.
    Table {
        /// Number of stations.
        stations: u32,
        /// Next hop at station `at` toward station `to`, at index `at * stations + to`.
        next: Vec<u32>,
    },
}

const NONE: u32 = u32::MAX;

impl Fixed {
    /// Creates routes of the fewest hops. `receives(a, b)` returns true if station `b` receives station `a`.
    pub(crate) fn fewest_hops(stations: u32, receives: impl FnMut(u32, u32) -> bool) -> Self {
        Self::Table { stations, next: fewest_hops(stations, receives) }
    }

    /// Creates the routes of a table in which all names of stations have been resolved.
    pub(crate) fn table(stations: u32, table: &RouteTable) -> Self {
        let mut next = vec![NONE; (stations * stations) as usize];
        for Route { at, to, via } in &table.routes {
            if let (Some(at), Some(to), Some(via)) = (at.station(), to.station(), via.station()) {
                next[(at.0 * stations + to.0) as usize] = via.0;
            }
        }
        Self::Table { stations, next }
    }

    /// Returns the next hop at station `at` toward station `to`, if there is a route.
    #[inline]
    pub fn next_hop(&self, at: u32, to: u32) -> Option<u32> {
        match self {
            Self::Direct => Some(to),
            Self::Star(ap) => Some(if at == *ap { to } else { *ap }),
            Self::Table { stations, next } => {
                Some(next[(at * stations + to) as usize]).filter(|via| *via != NONE)
            }
        }
    }
}

/// Returns the next hops of shortest paths, by station and destination. It searches breadth first from every
/// destination, over pairs of stations that receive each other. Of equally short paths the path with the
/// lowest-numbered next hop is taken.
fn fewest_hops(stations: u32, mut receives: impl FnMut(u32, u32) -> bool) -> Vec<u32> {
    let n = stations as usize;
    let mut linked = vec![false; n * n];
    for a in 0..stations {
        for b in 0..a {
            let both = receives(a, b) && receives(b, a);
            linked[a as usize * n + b as usize] = both;
            linked[b as usize * n + a as usize] = both;
        }
    }
    let mut next = vec![NONE; n * n];
    for to in 0..n {
        let mut hops = vec![u32::MAX; n];
        hops[to] = 0;
        let mut queue = VecDeque::from([to]);
        while let Some(at) = queue.pop_front() {
            for neighbour in 0..n {
                if linked[at * n + neighbour] && hops[neighbour] == u32::MAX {
                    hops[neighbour] = hops[at] + 1;
                    queue.push_back(neighbour);
                }
            }
        }
        for at in (0..n).filter(|at| *at != to && hops[*at] != u32::MAX) {
            let via = (0..n).find(|via| linked[at * n + via] && hops[*via] + 1 == hops[at]);
            next[at * n + to] = via.map_or(NONE, |via| via as u32);
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_goes_from_neighbour_to_neighbour() {
        let routes = Fixed::fewest_hops(5, |a, b| a.abs_diff(b) == 1 && a.max(b) < 4);
        assert_eq!(routes.next_hop(0, 3), Some(1));
        assert_eq!(routes.next_hop(2, 0), Some(1));
        assert_eq!(routes.next_hop(2, 3), Some(3));
        assert_eq!(routes.next_hop(0, 4), None);
    }

    #[test]
    fn all_go_through_the_access_point() {
        let routes = Fixed::Star(2);
        assert_eq!(routes.next_hop(0, 3), Some(2));
        assert_eq!(routes.next_hop(2, 3), Some(3));
    }
}
