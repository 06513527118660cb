//! Reach of the stations' frames in a network whose paths are constant.

use crate::phy::channel::Channel;
use base::{Duration, Instant};

/// Reach of a station's frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// Least received power at any other station, dBm.
    pub(crate) power: f64,
    /// Greatest propagation delay to any other station.
    pub(crate) delay: Duration,
}

/// Reach of the frames of each station, computed when the station first transmits.
#[derive(Clone, Debug)]
pub(crate) struct Reaches(Vec<Option<Reach>>);

impl Reaches {
    pub(crate) fn new(stations: usize) -> Self {
        Self(vec![None; stations])
    }

    /// Returns the reach of the frames of station `from`.
    #[inline]
    pub(crate) fn of(&mut self, from: u32, channel: &mut Channel) -> Reach {
        let stations = self.0.len() as u32;
        *self.0[from as usize].get_or_insert_with(|| find(from, stations, channel))
    }
}

#[cold]
fn find(from: u32, stations: u32, channel: &mut Channel) -> Reach {
    let nowhere = Reach { power: f64::INFINITY, delay: Duration::ZERO };
    (0..stations).filter(|to| *to != from).fold(nowhere, |reach, to| {
        let path = channel.path(from, to, Instant::ZERO);
        Reach { power: reach.power.min(path.power), delay: reach.delay.max(path.delay) }
    })
}
