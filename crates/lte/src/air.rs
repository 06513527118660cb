//! What both directions of the air interface share: the UEs and their bearers, the channel, transport blocks that are being
//! decoded, timers, counters.

use crate::amc::Direction;
use crate::channel::Channel;
use crate::config::Config;
use crate::harq::Block;
use crate::miesm;
use crate::rlc::Pdu;
use crate::stats::{Packets, Stats};
use crate::subframe::{Tti, begins, pop_if};
use crate::timers::{Timer, Timers};
use crate::user::User;
use base::DropCause;
use radio::access::{Frame, Outbox, Station};
use std::collections::VecDeque;

/// A transport block whose last transmission has ended.
#[derive(Clone, Debug)]
pub(crate) struct Decoding {
    /// The subframe in which it is known what became of it.
    pub(crate) at: Tti,
    pub(crate) direction: Direction,
    pub(crate) received: bool,
    pub(crate) block: Block,
}

/// The air interface, without what decides who sends.
#[derive(Clone, Debug)]
pub(crate) struct AirInterface {
    pub(crate) users: Vec<User>,
    pub(crate) channel: Channel,
    pub(crate) timers: Timers,
    pub(crate) stats: Stats,
    decoding: VecDeque<Decoding>,
    /// Spent lists of PDUs.
    spare: Vec<Vec<Pdu>>,
    /// Most transmissions of a block.
    transmissions: u32,
    /// Whether UEs can miss control regions.
    control_errors: bool,
    /// From the end of a subframe to what was received in it.
    processing: Tti,
}

impl AirInterface {
    pub(crate) fn new(config: &Config, seed: u64, name: &str) -> Self {
        let mut channel = Channel::new(config, seed, name);
        for (ue, of) in config.ues.iter().enumerate() {
            channel.set_position(ue, of.position);
        }
        let users: Vec<User> = (0..config.ues.len())
            .map(|ue| User::new(config, ue, channel.strongest(ue), seed, &format!("{name}.ue.{ue}")))
            .collect();
        Self {
            stats: Stats {
                ues: vec![Default::default(); users.len()],
                cells: vec![Default::default(); config.enbs.len()],
                subframes: 0,
            },
            users,
            channel,
            timers: Timers::new(),
            decoding: VecDeque::new(),
            spare: Vec::new(),
            transmissions: config.harq.transmissions,
            control_errors: config.reception.control_errors,
            processing: config.harq.processing.into(),
        }
    }

    /// The channel follows UE `ue` to where it is in subframe `now`.
    pub(crate) fn follow(&mut self, now: Tti, ue: u32) {
        if let Some(position) = self.users[ue as usize].moved(begins(now)) {
            self.channel.set_position(ue as usize, position);
        }
    }

    /// Starts the timer that UE `ue`'s entity of `direction` waits for.
    pub(crate) fn arm(&mut self, now: Tti, ue: u32, direction: Direction) {
        let user = &mut self.users[ue as usize];
        if let Some(at) = user.entity(direction).deadline(now)
            && at < user.armed[direction as usize]
        {
            user.armed[direction as usize] = at;
            self.timers.start(at, ue, Timer::Rlc(direction));
        }
    }

    /// Whether UE `ue` misses what `cell` tells it in the control region of subframe `now`.
    pub(crate) fn misses(&mut self, now: Tti, ue: u32, cell: usize) -> bool {
        if !self.control_errors {
            return false;
        }
        let rate = miesm::missed(self.channel.control(ue as usize, cell, now));
        self.users[ue as usize].misses(now, rate)
    }

    /// A transmission of `block` has ended in subframe `now`, decodable or not: the block, if it is to be sent again.
    pub(crate) fn transmitted(
        &mut self,
        now: Tti,
        direction: Direction,
        received: bool,
        block: Block,
        out: &mut Outbox,
    ) -> Option<Block> {
        let last = received || block.missed || block.attempts >= self.transmissions;
        if let Some(frames) = &mut out.frames {
            frames.push(frame(now, direction, &block, (!received).then_some(DropCause::Harq)));
        }
        let stats = &mut self.stats.ues[block.ue as usize];
        let air = match direction {
            Direction::Down => &mut stats.downlink_air,
            Direction::Up => &mut stats.uplink_air,
        };
        air.sent(block.attempts == 1, block.bytes, block.blocks);
        if !last {
            return Some(block);
        }
        air.gave_up += u64::from(!received);
        let at = now + 1 + self.processing;
        self.decoding.push_back(Decoding { at, direction, received, block });
        None
    }

    /// The next block that is decoded, or given up, by subframe `now`.
    pub(crate) fn pop_decoded(&mut self, now: Tti) -> Option<Decoding> {
        pop_if(&mut self.decoding, |decoding| decoding.at <= now)
    }

    /// The subframe in which a block is decoded next.
    pub(crate) fn next_decoded(&self) -> Option<Tti> {
        self.decoding.front().map(|decoding| decoding.at)
    }

    /// An empty list of PDUs.
    pub(crate) fn pdus(&mut self) -> Vec<Pdu> {
        self.spare.pop().unwrap_or_default()
    }

    /// A list of PDUs is spent.
    pub(crate) fn recycle(&mut self, mut pdus: Vec<Pdu>) {
        pdus.clear();
        self.spare.push(pdus);
    }

    /// UE `ue`'s counters of packets in `direction`.
    pub(crate) fn packets(&mut self, ue: u32, direction: Direction) -> &mut Packets {
        let stats = &mut self.stats.ues[ue as usize];
        match direction {
            Direction::Down => &mut stats.downlink,
            Direction::Up => &mut stats.uplink,
        }
    }
}

/// A transmission as an observer sees it.
fn frame(now: Tti, direction: Direction, block: &Block, lost: Option<DropCause>) -> Frame {
    let (gateway, ue) = (Station(0), Station(block.ue + 1));
    let (from, to, kind) = match direction {
        Direction::Down => (gateway, ue, "PDSCH"),
        Direction::Up => (ue, gateway, "PUSCH"),
    };
    // A block can carry packets of several flows.
    let flow = None;
    Frame {
        begins: begins(now),
        ends: begins(now + 1),
        from,
        to: Some(to),
        kind,
        bytes: block.bytes,
        flow,
        lost,
    }
}
