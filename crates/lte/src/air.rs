//! Air interface, shared by both directions: UEs and their bearers, the channel, transport blocks that are being
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

/// Transport block whose last transmission has ended, held until it is decoded or given up.
#[derive(Clone, Debug)]
pub(crate) struct Decoding {
    /// Subframe in which the block is decoded or given up.
    pub(crate) at: Tti,
    pub(crate) direction: Direction,
    pub(crate) received: bool,
    pub(crate) block: Block,
}

/// Air interface without the schedulers of downlink and uplink.
#[derive(Clone, Debug)]
pub(crate) struct AirInterface {
    pub(crate) users: Vec<User>,
    pub(crate) channel: Channel,
    pub(crate) timers: Timers,
    pub(crate) stats: Stats,
    decoding: VecDeque<Decoding>,
    /// Cleared lists of PDUs whose memory is reused.
    spare: Vec<Vec<Pdu>>,
    /// Maximum number of transmissions of a transport block.
    transmissions: u32,
    /// True if UEs can miss the control region of a subframe.
    control_errors: bool,
    /// Subframes from the end of a transmission until its data is decoded.
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

    /// Updates the channel to the position of UE `ue` in subframe `now`.
    pub(crate) fn follow(&mut self, now: Tti, ue: u32) {
        if let Some(position) = self.users[ue as usize].moved(begins(now)) {
            self.channel.set_position(ue as usize, position);
        }
    }

    /// Starts a timer for the next deadline of UE `ue`'s RLC entity of `direction`, unless an earlier timer is
    /// running.
    pub(crate) fn arm(&mut self, now: Tti, ue: u32, direction: Direction) {
        let user = &mut self.users[ue as usize];
        if let Some(at) = user.entity(direction).deadline(now)
            && at < user.armed[direction as usize]
        {
            user.armed[direction as usize] = at;
            self.timers.start(at, ue, Timer::Rlc(direction));
        }
    }

    /// Returns true if UE `ue` misses the control region of `cell` in subframe `now`. The result is random with
    /// probability [`miesm::missed`]; without control errors it is false.
    pub(crate) fn misses(&mut self, now: Tti, ue: u32, cell: usize) -> bool {
        if !self.control_errors {
            return false;
        }
        let rate = miesm::missed(self.channel.control(ue as usize, cell, now));
        self.users[ue as usize].misses(now, rate)
    }

    /// Handles the end of a transmission of `block` in subframe `now`; returns the block if HARQ sends it again.
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

    /// Removes the next block that is decoded, or given up, by subframe `now`; returns it.
    pub(crate) fn pop_decoded(&mut self, now: Tti) -> Option<Decoding> {
        pop_if(&mut self.decoding, |decoding| decoding.at <= now)
    }

    /// Returns the subframe in which the next block is decoded or given up.
    pub(crate) fn next_decoded(&self) -> Option<Tti> {
        self.decoding.front().map(|decoding| decoding.at)
    }

    /// Returns an empty list of PDUs, with the memory of a recycled list if there is one.
    pub(crate) fn pdus(&mut self) -> Vec<Pdu> {
        self.spare.pop().unwrap_or_default()
    }

    /// Clears a list of PDUs and keeps its memory for [`Self::pdus`].
    pub(crate) fn recycle(&mut self, mut pdus: Vec<Pdu>) {
        pdus.clear();
        self.spare.push(pdus);
    }

    /// Returns UE `ue`'s counters of packets in `direction`.
    pub(crate) fn packets(&mut self, ue: u32, direction: Direction) -> &mut Packets {
        let stats = &mut self.stats.ues[ue as usize];
        match direction {
            Direction::Down => &mut stats.downlink,
            Direction::Up => &mut stats.uplink,
        }
    }
}

/// Returns a transmission as a frame of the trace; `lost` is the cause if it failed.
fn frame(now: Tti, direction: Direction, block: &Block, lost: Option<DropCause>) -> Frame {
    let (gateway, ue) = (Station(0), Station(block.ue + 1));
    let (from, to, kind) = match direction {
        Direction::Down => (gateway, ue, "PDSCH"),
        Direction::Up => (ue, gateway, "PUSCH"),
    };
    // A transport block can carry packets of several flows, so no flow is named.
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
