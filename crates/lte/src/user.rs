//! What the network knows of a UE.

use crate::Tti;
use crate::amc::Direction;
use crate::config::{Config, Ue};
use crate::handover::Measurements;
use crate::harq::Processes;
use crate::rlc::{Entity, Held};
use base::{Instant, Rng};
use radio::Position;
use radio::mobility::{self, Mobility};
use std::collections::VecDeque;

/// A UE.
#[derive(Clone, Debug)]
pub(crate) struct User {
    /// The cell that serves it.
    pub cell: usize,
    /// Counts its stays in cells.
    pub stay: u32,
    pub down: Entity,
    pub up: Entity,
    pub processes: Processes,
    /// The report in use: the subframe measured, and the CQI.
    pub cqi: Option<(Tti, u8)>,
    /// Bits per subframe that it had on average, as of a subframe.
    pub average: (f64, Tti),
    /// It is on its cell's list of those with downlink data.
    pub active: bool,
    /// The last downlink subframe that it was sent something in.
    pub served: Option<Tti>,
    /// A scheduling request is on its way.
    pub asking: bool,
    /// Reports on their way outside of what is sent: when sent, bytes ([`Grants::Shares`](crate::config::Grants::Shares)).
    pub telling: VecDeque<(Tti, u64)>,
    /// It is on its cell's list of those to grant to.
    pub granting: bool,
    /// What the eNodeB believes to wait in it beyond what it has granted, bytes.
    pub reported: u64,
    /// A report of more than nothing is on its way: when it is sent.
    pub told: Option<Tti>,
    /// When that report was sent.
    pub reported_at: Tti,
    /// Grants that it has not used yet: when, bytes.
    pub grants: VecDeque<(Tti, u64)>,
    /// When the timers of its entities are looked at next.
    pub armed: [Tti; 2],
    /// It is in its cell, not on the way there.
    pub attached: bool,
    /// The cell that the gateway sends its packets to.
    pub path: usize,
    /// Packets may be on their way by another path.
    pub detour: bool,
    /// Packets on the new path that wait for those on the old one.
    pub waiting: VecDeque<Held>,
    pub measurements: Measurements,
    /// Its movement; `None`: it stays.
    mobility: Option<Mobility>,
    luck: [Rng; 2],
}

impl User {
    pub fn new(config: &Config, ue: usize, cell: usize, seed: u64, name: &str) -> Self {
        let Ue { position, mobility, .. } = &config.ues[ue];
        let moves = *mobility != mobility::Config::Constant;
        Self {
            cell,
            stay: 0,
            down: Entity::new(&config.rlc),
            up: Entity::new(&config.rlc),
            processes: Processes::default(),
            cqi: None,
            average: (0.0, 0),
            active: false,
            served: None,
            asking: false,
            telling: VecDeque::new(),
            granting: false,
            reported: 0,
            told: None,
            reported_at: 0,
            grants: VecDeque::new(),
            armed: [Tti::MAX; 2],
            attached: true,
            path: cell,
            detour: false,
            waiting: VecDeque::new(),
            measurements: Measurements::default(),
            mobility: moves.then(|| Mobility::new(mobility, *position, seed, &format!("{name}.mobility"))),
            luck: [
                Rng::stream(seed, &format!("{name}.harq.down")),
                Rng::stream(seed, &format!("{name}.harq.up")),
            ],
        }
    }

    /// Whether it moves.
    pub fn moves(&self) -> bool {
        self.mobility.is_some()
    }

    /// Where it is, if it moves. Instants must not go back.
    pub fn moved(&mut self, now: Instant) -> Option<Position> {
        Some(self.mobility.as_mut()?.position(now))
    }

    /// The luck of a new transport block.
    pub fn draw(&mut self, direction: Direction) -> f64 {
        self.luck[direction as usize].uniform()
    }

    pub fn entity(&mut self, direction: Direction) -> &mut Entity {
        match direction {
            Direction::Down => &mut self.down,
            Direction::Up => &mut self.up,
        }
    }

    /// Bytes that wait for the downlink: data, and reports about the uplink.
    #[inline]
    pub fn waits_down(&self, now: Tti) -> u64 {
        self.down.waiting() + u64::from(self.up.reporting(now))
    }

    /// Bytes that wait for the uplink: data, and reports about the downlink.
    #[inline]
    pub fn waits_up(&self, now: Tti) -> u64 {
        self.up.waiting() + u64::from(self.down.reporting(now))
    }
}
