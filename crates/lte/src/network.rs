//! The machine: packets enter at the gateway or a UE, and leave at the other or are lost.
//!
//! Everything on the air happens at the beginning of a subframe: what was received is decoded, timers end, uplink grants
//! are used and given, the downlink is scheduled. A subframe in which nothing would happen is not run.

use crate::amc::{Amc, Direction};
use crate::channel::Channel;
use crate::config::{Config, Grants};
use crate::epc::Path;
use crate::harq::Block;
use crate::rlc::{Fates, Held, Pdu};
use crate::scheduler::Candidate;
use crate::stats::{Packets, Stats};
use crate::timer::Timer;
use crate::user::User;
use crate::{SUBFRAME, Tti, after, begins};
use base::{DropCause, Instant, Packet};
use radio::access::{Frame, Outbox, Station};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// A cell with its links to the gateway.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// UEs with downlink data.
    pub active: Vec<u32>,
    /// UEs to grant uplink blocks to.
    pub granting: Vec<u32>,
    /// The downlink scheduler's memory.
    pub turn: u32,
    /// The uplink scheduler's memory.
    pub up_turn: u32,
    /// Blocks to send again, and the first subframe to do so.
    pub again: VecDeque<(Tti, Block)>,
    /// The same for the uplink; there the subframe is fixed.
    pub up_again: VecDeque<(Tti, Block)>,
    /// Grants that UEs have made no transport block for yet.
    pub grants: VecDeque<Grant>,
    /// Transport blocks that UEs have made, and when they send them.
    pub made: VecDeque<(Tti, Block)>,
    /// The shares of blocks that it used in the last two subframes in which it was looked at, the later first.
    pub loads: [(Tti, f64); 2],
    pub down: Path,
    pub up: Path,
    /// To other eNodeBs.
    pub x2: Path,
}

/// A grant to send in the uplink.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grant {
    pub at: Tti,
    pub ue: u32,
    pub stay: u32,
    pub mcs: u8,
    pub blocks: u32,
    pub bytes: u32,
}

/// A transport block that has been decoded, or given up.
#[derive(Clone, Debug)]
pub(crate) struct Landing {
    pub at: Tti,
    pub direction: Direction,
    pub received: bool,
    pub block: Block,
}

/// An LTE network.
#[derive(Clone, Debug)]
pub struct Network {
    pub(crate) config: Config,
    pub(crate) channel: Channel,
    pub(crate) down: Amc,
    pub(crate) up: Amc,
    pub(crate) cells: Vec<Cell>,
    pub(crate) users: Vec<User>,
    pub(crate) stats: Stats,
    air: VecDeque<Landing>,
    pub(crate) timers: BinaryHeap<Reverse<(Tti, u32, Timer)>>,
    /// The next subframe in which something happens.
    due: Tti,
    pub(crate) fates: Fates,
    /// Packets that wait for those on an old path.
    held: usize,
    /// Spent lists of PDUs.
    spare: Vec<Vec<Pdu>>,
    pub(crate) candidates: Vec<Candidate>,
    /// UEs to grant to, in turn.
    pub(crate) waiting: Vec<u32>,
    pub(crate) sending: Vec<(usize, Block)>,
}

/// A block's fate as an observer sees it.
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

impl Network {
    /// The network of `config`, which [`Config::check`] has no problem with. Random draws come from streams of `seed` named after
    /// `name`.
    pub fn new(config: &Config, seed: u64, name: &str) -> Self {
        let mut channel = Channel::new(config, seed, name);
        for (ue, of) in config.ues.iter().enumerate() {
            channel.place(ue, of.position);
        }
        let users: Vec<User> = (0..config.ues.len())
            .map(|ue| User::new(config, ue, channel.strongest(ue), seed, &format!("{name}.ue.{ue}")))
            .collect();
        let cell = Cell {
            active: Vec::new(),
            granting: Vec::new(),
            turn: 0,
            up_turn: 0,
            again: VecDeque::new(),
            up_again: VecDeque::new(),
            grants: VecDeque::new(),
            made: VecDeque::new(),
            loads: [(0, 0.0); 2],
            down: Path::new(&config.s1),
            up: Path::new(&config.s1),
            x2: Path::new(&config.handover.map_or(config.s1, |handover| handover.x2)),
        };
        let mut network = Self {
            down: config.amc(Direction::Down),
            up: config.amc(Direction::Up),
            cells: vec![cell; config.enbs.len()],
            stats: Stats {
                ues: vec![Default::default(); users.len()],
                cells: vec![Default::default(); config.enbs.len()],
                subframes: 0,
            },
            users,
            channel,
            config: config.clone(),
            air: VecDeque::new(),
            timers: BinaryHeap::new(),
            due: Tti::MAX,
            fates: Fates::default(),
            held: 0,
            spare: Vec::new(),
            candidates: Vec::new(),
            waiting: Vec::new(),
            sending: Vec::new(),
        };
        network.begin_measuring();
        network
    }

    /// A packet enters at station `at` for station `to`; one is the gateway, or both are UEs.
    pub fn send(&mut self, now: Instant, at: Station, to: Station, packet: Packet, out: &mut Outbox) {
        let held = Held { packet, to: to.0 };
        match at.0.checked_sub(1) {
            None => self.enter_core(now, held, out),
            Some(ue) => self.enter_ue(now, ue, held, out),
        }
    }

    /// When [`Network::run`] wants to be called; `None`: nothing will happen before a packet enters.
    pub fn next(&self) -> Option<Instant> {
        let subframe = (self.due < Tti::MAX).then(|| begins(self.due));
        self.cells.iter().filter_map(|cell| cell.up.next()).chain(subframe).min()
    }

    /// Does everything due at or before `now`.
    pub fn run(&mut self, now: Instant, out: &mut Outbox) {
        while let Some(next) = self.next()
            && next <= now
        {
            if self.due < Tti::MAX && begins(self.due) == next {
                self.subframe(self.due, out);
            }
            self.leave_core(next, out);
        }
    }

    /// Closes the books at the end of the run.
    pub fn finish(&mut self, _now: Instant) {
        for (stats, user) in self.stats.ues.iter_mut().zip(&self.users) {
            stats.cell = user.cell;
            stats.cqi = user.cqi.map_or(0, |(_, cqi)| cqi);
        }
    }

    /// What it has counted.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Packets that have entered and not come out.
    pub fn inside(&self) -> usize {
        let paths = |cell: &Cell| cell.down.inside() + cell.up.inside() + cell.x2.inside();
        let ues = |user: &User| user.down.inside() + user.up.inside() + user.waiting.len();
        self.cells.iter().map(paths).chain(self.users.iter().map(ues)).sum()
    }

    /// A packet for a UE is at the gateway.
    fn enter_core(&mut self, now: Instant, held: Held, out: &mut Outbox) {
        let Some(ue) = held.to.checked_sub(1) else {
            // From the gateway to itself.
            return out.delivered.push((Station(0), held.packet));
        };
        let stats = &mut self.stats.ues[ue as usize].downlink;
        stats.entered += 1;
        let cell = self.users[ue as usize].path;
        match self.cells[cell].down.send(now, ue, held) {
            Some(at) => self.wake(after(at)),
            None => {
                stats.lost_backhaul += 1;
                out.lost.push((Station(0), held.packet, DropCause::Queue));
            }
        }
    }

    /// A packet from UE `ue` enters.
    fn enter_ue(&mut self, now: Instant, ue: u32, held: Held, out: &mut Outbox) {
        let stats = &mut self.stats.ues[ue as usize].uplink;
        stats.entered += 1;
        let user = &mut self.users[ue as usize];
        if user.up.push(held.packet, held.to) {
            match self.config.uplink.grants {
                Grants::Requested => self.ask(ue, after(now)),
                Grants::Shares => self.tell(ue, after(now)),
            }
        } else {
            stats.lost_buffer += 1;
            out.lost.push((Station(ue + 1), held.packet, DropCause::RlcBuffer));
        }
    }

    /// Packets from UEs that reach the gateway at or before `now`.
    fn leave_core(&mut self, now: Instant, out: &mut Outbox) {
        for cell in 0..self.cells.len() {
            while let Some((at, ue, held)) = self.cells[cell].up.pop_before(now + base::Duration::from_ps(1))
            {
                self.stats.ues[ue as usize].uplink.delivered += 1;
                match held.to {
                    0 => out.delivered.push((Station(0), held.packet)),
                    _ => self.enter_core(at, held, out),
                }
            }
        }
    }

    /// Something happens in subframe `at`.
    #[inline]
    pub(crate) fn wake(&mut self, at: Tti) {
        self.due = self.due.min(at);
    }

    fn subframe(&mut self, now: Tti, out: &mut Outbox) {
        self.due = Tti::MAX;
        self.stats.subframes += 1;
        while let Some(landing) = self.air.front()
            && landing.at <= now
        {
            if let Some(landing) = self.air.pop_front() {
                self.land(now, landing, out);
            }
        }
        while let Some(&Reverse((at, ue, timer))) = self.timers.peek()
            && at <= now
        {
            self.timers.pop();
            self.expire(now, at, ue, timer, out);
        }
        self.enter_cells(now, out);
        self.uplink(now, out);
        self.downlink(now, out);
        self.sleep(now);
    }

    /// Packets that have reached eNodeBs before subframe `now` enter their buffers.
    fn enter_cells(&mut self, now: Tti, out: &mut Outbox) {
        for cell in 0..self.cells.len() {
            while let Some((_, ue, held)) = self.cells[cell].x2.pop_before(begins(now)) {
                self.enter_buffer(ue, held, out);
            }
        }
        for cell in 0..self.cells.len() {
            while let Some((_, ue, held)) = self.cells[cell].down.pop_before(begins(now)) {
                let user = &self.users[ue as usize];
                if user.cell != cell {
                    self.misplaced(now, ue, cell, held, out);
                } else if user.detour && self.detoured(ue) {
                    self.users[ue as usize].waiting.push_back(held);
                    self.held += 1;
                } else {
                    self.enter_buffer(ue, held, out);
                }
            }
        }
        for ue in 0..self.users.len() as u32 {
            if self.held == 0 {
                break;
            }
            if !self.users[ue as usize].waiting.is_empty() && !self.detoured(ue) {
                while let Some(held) = self.users[ue as usize].waiting.pop_front() {
                    self.held -= 1;
                    self.enter_buffer(ue, held, out);
                }
            }
        }
    }

    /// A packet enters the downlink buffer of UE `ue`.
    fn enter_buffer(&mut self, ue: u32, held: Held, out: &mut Outbox) {
        let user = &mut self.users[ue as usize];
        let stats = &mut self.stats.ues[ue as usize];
        if user.down.push(held.packet, held.to) {
            stats.longest_buffer = stats.longest_buffer.max(user.down.buffered());
            self.activate(ue);
        } else {
            stats.downlink.lost_buffer += 1;
            out.lost.push((Station(0), held.packet, DropCause::RlcBuffer));
        }
    }

    /// UE `ue` has downlink data.
    pub(crate) fn activate(&mut self, ue: u32) {
        let user = &mut self.users[ue as usize];
        if user.attached && !user.active {
            user.active = true;
            self.cells[user.cell].active.push(ue);
        }
    }

    /// Finds the next subframe in which something happens.
    fn sleep(&mut self, now: Tti) {
        let mut due = self.air.front().map_or(Tti::MAX, |landing| landing.at);
        if let Some(&Reverse((at, ..))) = self.timers.peek() {
            due = due.min(at);
        }
        for cell in &self.cells {
            if !cell.active.is_empty() || !cell.granting.is_empty() {
                due = now + 1;
                break;
            }
            let events = [
                cell.again.front().map(|&(at, _)| at),
                cell.up_again.front().map(|&(at, _)| at),
                cell.grants.front().map(|grant| grant.at.saturating_sub(crate::uplink::PREPARATION)),
                cell.made.front().map(|&(at, _)| at),
                cell.down.next().map(after),
                cell.x2.next().map(after),
            ];
            due = events.into_iter().flatten().fold(due, Tti::min);
        }
        self.wake(due.max(now + 1));
    }

    /// A transmission of `block` has ended in subframe `now`, decodable or not.
    pub(crate) fn transmitted(
        &mut self,
        now: Tti,
        direction: Direction,
        received: bool,
        block: Block,
        out: &mut Outbox,
    ) -> Option<Block> {
        let last = received || block.attempts >= self.config.transmissions;
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
        let at = now + 1 + Tti::from(self.config.processing);
        self.air.push_back(Landing { at, direction, received, block });
        None
    }

    /// A block has been decoded, or given up.
    fn land(&mut self, now: Tti, landing: Landing, out: &mut Outbox) {
        let Landing { direction, received, mut block, .. } = landing;
        let ue = block.ue;
        if block.stay == self.users[ue as usize].stay {
            // Reports are about the other direction.
            if received && block.pdus.iter().any(|pdu| matches!(pdu, Pdu::Status(_))) {
                let other = direction.other();
                let mut fates = std::mem::take(&mut self.fates);
                let entity = self.users[ue as usize].entity(other);
                for pdu in &block.pdus {
                    if let Pdu::Status(status) = pdu {
                        entity.status(now, status, &mut fates);
                    }
                }
                self.settle(now, ue, other, fates, out);
            }
            let mut fates = std::mem::take(&mut self.fates);
            let entity = self.users[ue as usize].entity(direction);
            for pdu in &block.pdus {
                match received {
                    true => entity.arrive(now, pdu, &mut fates),
                    false => entity.gave_up(pdu, &mut fates),
                }
            }
            if direction == Direction::Up {
                self.reported(&block, received);
            }
            self.settle(now, ue, direction, fates, out);
        }
        block.pdus.clear();
        self.spare.push(block.pdus);
    }

    /// Deals with what came of packets in UE `ue`'s entity of `direction`, and sees to what its two entities want next.
    pub(crate) fn settle(
        &mut self,
        now: Tti,
        ue: u32,
        direction: Direction,
        mut fates: Fates,
        out: &mut Outbox,
    ) {
        let here = Station(ue + 1);
        for held in fates.lost.drain(..) {
            self.packets(ue, direction).lost_harq += 1;
            out.lost.push((here, held.packet, DropCause::Harq));
        }
        for held in fates.delivered.drain(..) {
            match direction {
                Direction::Down => {
                    self.stats.ues[ue as usize].downlink.delivered += 1;
                    out.delivered.push((here, held.packet));
                }
                Direction::Up => {
                    let cell = self.users[ue as usize].cell;
                    if self.cells[cell].up.send(begins(now), ue, held).is_none() {
                        self.stats.ues[ue as usize].uplink.lost_backhaul += 1;
                        out.lost.push((Station(0), held.packet, DropCause::Queue));
                    }
                }
            }
        }
        self.fates = fates;
        for direction in [Direction::Down, Direction::Up] {
            self.arm(now, ue, direction);
        }
        let user = &self.users[ue as usize];
        if user.waits_down(now) > 0 {
            self.activate(ue);
        }
        self.ask(ue, now + 1);
    }

    pub(crate) fn packets(&mut self, ue: u32, direction: Direction) -> &mut Packets {
        let stats = &mut self.stats.ues[ue as usize];
        match direction {
            Direction::Down => &mut stats.downlink,
            Direction::Up => &mut stats.uplink,
        }
    }

    /// An empty list of PDUs.
    pub(crate) fn pdus(&mut self) -> Vec<Pdu> {
        self.spare.pop().unwrap_or_default()
    }
}

const _: () = assert!(SUBFRAME.ps() == 1_000_000_000);
