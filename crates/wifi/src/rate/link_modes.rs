//! Modes of data frames on each link. Links of 802.11b stations, and of stations with their own rate, differ from other
//! links.

use crate::config::Config;
use crate::phy::timing::Mode;
use crate::rate::RateControl;
use crate::rate::modes::modes;
use radio::access::Station;

/// Links grouped into sets with the same fastest mode.
#[derive(Clone, Debug)]
pub(crate) struct LinkModes {
    /// Fastest mode of each set; that of the first set is the network's usual data mode.
    pub(crate) fastest: Vec<Mode>,
    /// Kind of each station (802.11b, own rate); empty if all stations are of one kind.
    kinds: Vec<u8>,
    /// Index of the set of links between two kinds of stations.
    sets: Vec<Vec<u8>>,
}

impl LinkModes {
    /// Most modes of data frames, so that all modes can be numbered in a byte: each data mode has a response mode,
    /// and control frames have two.
    pub(crate) const MOST: usize = 127;

    pub(crate) fn new(config: &Config) -> Self {
        let mut links = Self { fastest: vec![config.phy.data], kinds: Vec::new(), sets: Vec::new() };
        if config.non_erp.is_none() && config.station_rates.is_empty() {
            return links;
        }
        let own = |at: Station| config.station_rates.iter().find(|own| own.station == at).map(|own| own.data);
        // The kinds found so far, each with one station of that kind.
        let mut kinds: Vec<((bool, Option<Mode>), Station)> = Vec::new();
        for at in (0..config.sites.len() as u32).map(Station) {
            let kind = (config.is_non_erp(at), own(at));
            let known = kinds.iter().position(|(known, _)| *known == kind);
            links.kinds.push(known.unwrap_or(kinds.len()) as u8);
            if known.is_none() {
                kinds.push((kind, at));
            }
        }
        let mut set = |a: Station, b: Station| {
            let data = config.data_between(a, b);
            let known = links.fastest.iter().position(|mode| *mode == data);
            if known.is_none() {
                links.fastest.push(data);
            }
            known.unwrap_or(links.fastest.len() - 1) as u8
        };
        links.sets = kinds.iter().map(|(_, a)| kinds.iter().map(|(_, b)| set(*a, *b)).collect()).collect();
        links
    }

    /// Returns the index of the set to which the link between two stations belongs.
    #[inline]
    pub(crate) fn set(&self, a: u32, b: u32) -> usize {
        if self.kinds.is_empty() {
            return 0;
        }
        let kind = |at: u32| self.kinds.get(at as usize).copied().map_or(0, usize::from);
        usize::from(self.sets[kind(a)][kind(b)])
    }

    /// Returns the number of modes of data frames over all sets.
    pub(crate) fn count(&self, control: &RateControl) -> usize {
        self.fastest.iter().map(|fastest| modes(*fastest, control).len()).sum()
    }
}
