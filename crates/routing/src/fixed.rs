//! Routes that do not change: straight, through the access point, by the fewest hops, or as given.

use super::config::Config;
use radio::access::Station;
use std::collections::VecDeque;

/// Routes of all stations.
#[derive(Clone, Debug)]
pub enum Fixed {
    /// To the destination itself.
    Direct,
    /// All but the access point send to it.
    Star(u32),
    /// Next hops, by station and destination; [`NONE`]: no route.
    Table {
        /// Number of stations.
        stations: u32,
        /// Next hops: of station `at` to station `to` in place `at * stations + to`.
        next: Vec<u32>,
    },
}

const NONE: u32 = u32::MAX;

impl Fixed {
    pub(super) fn new(
        config: &Config,
        access_point: Option<Station>,
        stations: u32,
        receives: impl FnMut(u32, u32) -> bool,
    ) -> Self {
        if let Some(ap) = access_point {
            return Self::Star(ap.0);
        }
        match config {
            Config::Direct => Self::Direct,
            Config::FewestHops => Self::Table { stations, next: fewest_hops(stations, receives) },
            Config::Table(entries) => {
                let mut next = vec![NONE; (stations * stations) as usize];
                for entry in entries {
                    next[(entry.at.0 * stations + entry.to.0) as usize] = entry.via.0;
                }
                Self::Table { stations, next }
            }
            Config::Aodv(_) | Config::Dsdv(_) | Config::Olsr(_) | Config::Hwmp(_) => Self::Direct,
        }
    }

    /// The next station on the way from one to another, if there is a way.
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

/// Breadth first from every destination over pairs that receive each other; of equally long ways the one whose next station has
/// the lowest number.
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
        let routes = Fixed::new(&Config::FewestHops, None, 5, |a, b| a.abs_diff(b) == 1 && a.max(b) < 4);
        assert_eq!(routes.next_hop(0, 3), Some(1));
        assert_eq!(routes.next_hop(2, 0), Some(1));
        assert_eq!(routes.next_hop(2, 3), Some(3));
        assert_eq!(routes.next_hop(0, 4), None);
    }

    #[test]
    fn all_go_through_the_access_point() {
        let routes = Fixed::new(&Config::Direct, Some(Station(2)), 4, |_, _| true);
        assert_eq!(routes.next_hop(0, 3), Some(2));
        assert_eq!(routes.next_hop(2, 3), Some(3));
    }
}
