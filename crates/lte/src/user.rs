//! UE with the RLC entities of both directions.

use crate::amc::Direction;
use crate::config::{Config, Ue};
use crate::rlc::Entity;
use crate::subframe::Tti;
use base::{Instant, Rng};
use radio::Position;
use radio::mobility::{self, Mobility};

/// State of a UE.
#[derive(Clone, Debug)]
pub(crate) struct User {
    /// Serving cell.
    pub(crate) cell: usize,
    /// Number of the UE's stay in a cell: it grows with each handover.
    pub(crate) stay: u32,
    /// True while the UE is attached to its cell; false during a handover.
    pub(crate) attached: bool,
    pub(crate) down: Entity,
    pub(crate) up: Entity,
    /// Subframe in which the timers of each direction's RLC entity are checked next; `Tti::MAX`: none.
    pub(crate) armed: [Tti; 2],
    /// Mobility; `None` if the UE stays in place.
    mobility: Option<Mobility>,
    /// Random stream that decides whether the UE misses a control region.
    control: Rng,
    region: (Tti, bool),
    /// Random streams that decide whether the UE's transport blocks fail, by direction.
    errors: [Rng; 2],
}

impl User {
    pub(crate) fn new(config: &Config, ue: usize, cell: usize, seed: u64, name: &str) -> Self {
        let Ue { position, mobility, .. } = &config.ues[ue];
        let moves = *mobility != mobility::Config::Constant;
        Self {
            cell,
            stay: 0,
            attached: true,
            down: Entity::new(&config.rlc),
            up: Entity::new(&config.rlc),
            armed: [Tti::MAX; 2],
            mobility: moves.then(|| Mobility::new(mobility, *position, seed, &format!("{name}.mobility"))),
            region: (Tti::MAX, false),
            control: Rng::stream(seed, &format!("{name}.control")),
            errors: ["down", "up"].map(|way| Rng::stream(seed, &format!("{name}.harq.{way}"))),
        }
    }

    pub(crate) fn moves(&self) -> bool {
        self.mobility.is_some()
    }

    /// Returns the position at `now` if the UE moves. `now` must not decrease from call to call.
    pub(crate) fn moved(&mut self, now: Instant) -> Option<Position> {
        Some(self.mobility.as_mut()?.position(now))
    }

    /// Returns true if the UE misses the control region of subframe `now`, with probability `rate`; one draw holds
    /// for the whole subframe.
    pub(crate) fn misses(&mut self, now: Tti, rate: f64) -> bool {
        if rate > 0.0 && self.region.0 != now {
            self.region = (now, self.control.uniform() < rate);
        }
        self.region == (now, true)
    }

    /// Returns the uniform random number that decides whether a new transport block fails.
    pub(crate) fn draw(&mut self, direction: Direction) -> f64 {
        self.errors[direction as usize].uniform()
    }

    pub(crate) fn entity(&mut self, direction: Direction) -> &mut Entity {
        match direction {
            Direction::Down => &mut self.down,
            Direction::Up => &mut self.up,
        }
    }

    /// Returns the bytes that wait for the downlink: data, and status reports about the uplink.
    #[inline]
    pub(crate) fn waits_down(&self, now: Tti) -> u64 {
        self.down.waiting() + u64::from(self.up.reporting(now))
    }

    /// Returns the bytes that wait for the uplink: data, and status reports about the downlink.
    #[inline]
    pub(crate) fn waits_up(&self, now: Tti) -> u64 {
        self.up.waiting() + u64::from(self.down.reporting(now))
    }
}
