//! The uplink: scheduling requests, grants, PUSCH.
//!
//! A UE with data that the eNodeB does not know of, and without a grant, sends a scheduling request at its next chance
//! (TS 36.321, section 5.4.4). The eNodeB answers with a first grant of fixed size, used 4 ms later (TS 36.213, section
//! 8.0). The UE makes the transport block 1 ms before it sends it: later packets wait for another grant. Every
//! transport block carries a short buffer status report (section 6.1.3.1) of the bytes that still wait. The eNodeB
//! grants those, minus its grants since. Blocks are shared equally, in turn, in counts of the form 2^a 3^b 5^c (TS
//! 36.211, section 5.3.3); retransmissions come 8 ms later in the same blocks. The eNodeB knows the channel at the time
//! of the grant (sounding is ideal); interference of other cells is a constant. After a transport block that is lost
//! for good, with the report in it, the UE asks again.
//!
//! With [`Grants::Shares`] it is as in ns-3 instead: reports travel outside of transport blocks, whenever there is new
//! data, and each is answered by a whole share of the band. Timeline of ns-3.37 for packets sent in successive
//! subframes: all of the first eight arrive together, 11 to 4 ms old, and each further one after 4 ms.

use crate::air::AirInterface;
use crate::amc::{Amc, Direction};
use crate::config::{self, Config, Grants};
use crate::harq::{Block, MAC_HEADER, ROUND_TRIP};
use crate::rlc::{LARGEST_HEADER, SUBHEADER};
use crate::subframe::{Tti, pop_if};
use crate::tbs;
use crate::timers::Timer;
use radio::access::Outbox;
use std::collections::VecDeque;

/// Subframes from a grant to its transmission (TS 36.213, section 8.0).
const GRANT_DELAY: Tti = 4;

/// Subframes from the making of a transport block to its transmission. The standard only bounds it: grants are read 3
/// ms before. With 3 here, a burst's ACKs need two grants in a cell of 3 MHz, and its short buffer no longer collapses
/// as in ns-3.
const PREPARATION: Tti = 1;

/// A short buffer status report with its subheader, bytes (TS 36.321, section 6.1.3.1).
const REPORT: u32 = 2;

/// By number of resource blocks, the largest number up to it in which a UE can send: 2^a 3^b 5^c.
const SENDABLE: [u8; 101] = {
    let mut table = [0; 101];
    let mut n = 1;
    while n <= 100 {
        let mut rest = n;
        while rest % 2 == 0 {
            rest /= 2;
        }
        while rest % 3 == 0 {
            rest /= 3;
        }
        while rest % 5 == 0 {
            rest /= 5;
        }
        table[n] = if rest == 1 { n as u8 } else { table[n - 1] };
        n += 1;
    }
    table
};

/// Returns the largest number of resource blocks, at most `most`, in which a UE can send.
#[inline]
fn sendable(most: u32) -> u32 {
    SENDABLE[most as usize].into()
}

/// A grant to send in the uplink.
#[derive(Clone, Copy, Debug)]
struct Grant {
    at: Tti,
    ue: u32,
    stay: u32,
    mcs: u8,
    blocks: u32,
    bytes: u32,
}

/// A cell's uplink.
#[derive(Clone, Debug, Default)]
struct Cell {
    /// UEs to grant blocks to.
    granting: Vec<u32>,
    /// The UE after the last that was granted something.
    turn: u32,
    /// Blocks to send again, each with its subframe.
    retransmissions: VecDeque<(Tti, Block)>,
    /// Grants that UEs have made no transport block for yet.
    grants: VecDeque<Grant>,
    /// Transport blocks that UEs have made, each with the subframe of its transmission.
    prepared: VecDeque<(Tti, Block)>,
}

/// State of the uplink for one UE.
#[derive(Clone, Debug, Default)]
struct Ue {
    /// A scheduling request is on its way.
    requesting: bool,
    /// Reports on their way outside of transport blocks: subframe of sending, bytes ([`Grants::Shares`]).
    separate_reports: VecDeque<(Tti, u64)>,
    /// True if it is on its cell's list of UEs to grant to.
    granting: bool,
    /// Bytes that, to the eNodeB's knowledge, wait in it beyond its grants.
    reported: u64,
    /// Subframe in which that report was sent.
    reported_at: Tti,
    /// Subframe of a transport block on its way whose report is above zero.
    report_sent: Option<Tti>,
    /// Grants that it has not used yet: subframe, bytes.
    grants: VecDeque<(Tti, u64)>,
}

/// The uplink of all cells.
#[derive(Clone, Debug)]
pub(crate) struct Uplink {
    amc: Amc,
    config: config::Uplink,
    /// Resource blocks to allocate from.
    blocks: u32,
    /// Subframes from the end of a transmission until its data is decoded.
    processing: Tti,
    cells: Vec<Cell>,
    ues: Vec<Ue>,
    /// UEs to grant to, in turn; kept for reuse.
    waiting: Vec<u32>,
}

impl Uplink {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            amc: config.amc(Direction::Up),
            config: config.uplink,
            blocks: config.uplink_blocks(),
            processing: config.harq.processing.into(),
            cells: vec![Cell::default(); config.enbs.len()],
            ues: vec![Ue::default(); config.ues.len()],
            waiting: Vec::new(),
        }
    }

    /// Asks for a grant for a new packet that waits in UE `ue` from subframe `from` on.
    pub(crate) fn on_packet(&mut self, ue: u32, from: Tti, air: &mut AirInterface) {
        match self.config.grants {
            Grants::Requested => self.request(ue, from, air),
            Grants::Shares => self.report_separately(ue, from, air),
        }
    }

    /// Lets UE `ue` send a scheduling request at its next chance from subframe `from` on, if it has data and no other
    /// way to report it.
    pub(crate) fn request(&mut self, ue: u32, from: Tti, air: &mut AirInterface) {
        let user = &air.users[ue as usize];
        let state = &mut self.ues[ue as usize];
        let known =
            state.requesting || state.reported > 0 || state.report_sent.is_some() || !state.grants.is_empty();
        if !user.attached || known || user.waits_up(from) == 0 {
            return;
        }
        if self.config.grants == Grants::Shares {
            return self.report_separately(ue, from, air);
        }
        state.requesting = true;
        self.send_request(ue, self.chance(ue, from), air);
    }

    /// Lets UE `ue` report at its next chance from subframe `from` on how much waits in it, outside of transport
    /// blocks.
    fn report_separately(&mut self, ue: u32, from: Tti, air: &mut AirInterface) {
        let chance = self.chance(ue, from);
        let user = &air.users[ue as usize];
        if !user.attached {
            return;
        }
        let bytes = user.waits_up(from);
        let reports = &mut self.ues[ue as usize].separate_reports;
        match reports.back_mut() {
            Some((at, reported)) if *at == chance => *reported = bytes,
            _ => {
                reports.push_back((chance, bytes));
                self.send_request(ue, chance, air);
            }
        }
    }

    /// Returns the first subframe from `from` on in which UE `ue` may send a request; UEs are spread over the period.
    fn chance(&self, ue: u32, from: Tti) -> Tti {
        let period = Tti::from(self.config.request_period);
        (from + Tti::from(ue)).next_multiple_of(period) - Tti::from(ue)
    }

    fn send_request(&self, ue: u32, chance: Tti, air: &mut AirInterface) {
        let stay = air.users[ue as usize].stay;
        air.stats.ues[ue as usize].requests += 1;
        air.timers.start(chance + 1 + self.processing, ue, Timer::Request { stay });
    }

    /// Handles the arrival of a scheduling request, or of a separate report, of UE `ue` in `cell`.
    pub(crate) fn on_request(&mut self, ue: u32, cell: usize) {
        let state = &mut self.ues[ue as usize];
        state.requesting = false;
        if let Some((_, bytes)) = state.separate_reports.pop_front() {
            state.reported = bytes;
        } else if state.reported == 0 && state.grants.is_empty() {
            state.reported = self.config.first_grant.into();
        } else {
            return;
        }
        self.grant_to(ue, cell);
    }

    /// Puts UE `ue` on the list of UEs to which the eNodeB of `cell` grants.
    fn grant_to(&mut self, ue: u32, cell: usize) {
        let state = &mut self.ues[ue as usize];
        if !state.granting {
            state.granting = true;
            self.cells[cell].granting.push(ue);
        }
    }

    /// Handles a transport block that has arrived in `cell` with its report, or is lost with it.
    pub(crate) fn on_block(&mut self, block: &Block, received: bool, cell: usize) {
        let state = &mut self.ues[block.ue as usize];
        if state.report_sent == Some(block.first) {
            state.report_sent = None;
        }
        if !received || block.first < state.reported_at || self.config.grants == Grants::Shares {
            return;
        }
        state.reported_at = block.first;
        let granted: u64 =
            state.grants.iter().filter(|&&(at, _)| at > block.first).map(|&(_, bytes)| bytes).sum();
        state.reported = block.report.saturating_sub(granted);
        if state.reported > 0 {
            self.grant_to(block.ue, cell);
        }
    }

    /// Forgets UE `ue`, which leaves `cell`.
    pub(crate) fn leave(&mut self, now: Tti, ue: u32, cell: usize) {
        self.cells[cell].granting.retain(|&other| other != ue);
        self.ues[ue as usize] = Ue { reported_at: now, ..Ue::default() };
    }

    /// Returns the next subframe after `now` with something to send or grant.
    pub(crate) fn next(&self, now: Tti) -> Option<Tti> {
        if self.cells.iter().any(|cell| !cell.granting.is_empty()) {
            return Some(now + 1);
        }
        let events = |cell: &Cell| {
            [
                cell.retransmissions.front().map(|&(at, _)| at),
                cell.grants.front().map(|grant| grant.at.saturating_sub(PREPARATION)),
                cell.prepared.front().map(|&(at, _)| at),
            ]
        };
        self.cells.iter().flat_map(events).flatten().min()
    }

    /// Runs the uplink of subframe `now`: sends in the granted blocks, then gives grants.
    pub(crate) fn subframe(&mut self, now: Tti, air: &mut AirInterface, out: &mut Outbox) {
        for cell in 0..self.cells.len() {
            while let Some((_, block)) = pop_if(&mut self.cells[cell].retransmissions, |(at, _)| *at <= now) {
                self.send(now, cell, block, air, out);
            }
            let ready = |grant: &Grant| grant.at <= now + PREPARATION;
            while let Some(grant) = pop_if(&mut self.cells[cell].grants, ready) {
                if grant.stay == air.users[grant.ue as usize].stay {
                    let block = self.fill(now, grant, air);
                    self.cells[cell].prepared.push_back((grant.at, block));
                }
            }
            while let Some((_, block)) = pop_if(&mut self.cells[cell].prepared, |(at, _)| *at <= now) {
                self.send(now, cell, block, air, out);
            }
            self.give_grants(now, cell, air);
        }
    }

    /// Sends `block`, if the UE is still in the cell that granted it.
    fn send(&mut self, now: Tti, cell: usize, mut block: Block, air: &mut AirInterface, out: &mut Outbox) {
        if block.stay != air.users[block.ue as usize].stay {
            return;
        }
        air.stats.cells[cell].uplink_blocks += u64::from(block.blocks);
        let quality = air.channel.uplink(block.ue as usize, cell, now, block.blocks);
        let received = block.transmit(quality, &self.amc);
        if let Some(block) = air.transmitted(now, Direction::Up, received, block, out) {
            self.cells[cell].retransmissions.push_back((now + ROUND_TRIP, block));
        }
    }

    /// Returns the transport block for `grant`.
    fn fill(&mut self, now: Tti, grant: Grant, air: &mut AirInterface) -> Block {
        let mut pdus = air.pdus();
        let user = &mut air.users[grant.ue as usize];
        let state = &mut self.ues[grant.ue as usize];
        state.grants.pop_front();
        let mut room = grant.bytes.saturating_sub(MAC_HEADER + REPORT);
        if let Some((report, size)) = user.down.report(now, room) {
            pdus.push(report);
            room = room.saturating_sub(size + SUBHEADER);
        }
        if room > 0 {
            user.up.pull(now, room, &mut pdus);
        }
        let report = user.waits_up(now);
        let shares = self.config.grants == Grants::Shares;
        if !shares && report > 0 {
            state.report_sent = Some(grant.at);
        }
        let block = Block {
            ue: grant.ue,
            stay: grant.stay,
            process: 0,
            mcs: grant.mcs,
            blocks: grant.blocks,
            bytes: grant.bytes,
            attempts: 0,
            gathered: 0.0,
            draw: user.draw(Direction::Up),
            first: grant.at,
            report,
            missed: false,
            pdus,
        };
        air.arm(now, grant.ue, Direction::Down);
        air.arm(now, grant.ue, Direction::Up);
        if shares && report > 0 {
            self.report_separately(grant.ue, now + 1, air);
        }
        block
    }

    /// Gives grants for the subframe four after `now`.
    fn give_grants(&mut self, now: Tti, cell: usize, air: &mut AirInterface) {
        if self.cells[cell].granting.is_empty() {
            return;
        }
        let at = now + GRANT_DELAY;
        let Cell { granting, retransmissions, turn, .. } = &self.cells[cell];
        let again = || retransmissions.iter().filter(|&&(again, _)| again == at);
        let taken: u32 = again().map(|(_, block)| block.blocks).sum();
        let mut left = self.blocks.saturating_sub(taken);
        // A UE sends one transport block in a subframe.
        let idle = |ue: &u32| !again().any(|(_, block)| block.ue == *ue);
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend(granting.iter().copied().filter(idle));
        waiting.sort_unstable_by_key(|ue| ue.wrapping_sub(*turn));
        let count = waiting.len() as u32;
        for (i, ue) in waiting.drain(..).enumerate() {
            let share = (left / (count - i as u32)).max(1);
            let Some(grant) = (left > 0).then(|| self.grant(now, cell, ue, share, air)).flatten() else {
                continue;
            };
            left -= grant.blocks;
            self.cells[cell].turn = ue + 1;
            let state = &mut self.ues[ue as usize];
            let bytes = u64::from(grant.bytes - MAC_HEADER - REPORT);
            state.reported = state.reported.saturating_sub(bytes);
            if air.misses(now, ue, cell) {
                // The UE has to ask again.
                self.request(ue, now + 1, air);
                continue;
            }
            state.grants.push_back((at, bytes));
            self.cells[cell].grants.push_back(grant);
        }
        self.waiting = waiting;
        let Self { cells, ues, .. } = self;
        cells[cell].granting.retain(|&ue| {
            let state = &mut ues[ue as usize];
            state.granting = state.reported > 0;
            state.granting
        });
    }

    /// Returns a grant for UE `ue` of at most `share` blocks; `None` if it is too far away, or nothing useful fits.
    fn grant(&self, now: Tti, cell: usize, ue: u32, share: u32, air: &AirInterface) -> Option<Grant> {
        let need = self.ues[ue as usize].reported + u64::from(MAC_HEADER + REPORT);
        let bytes = |mcs: u8, blocks: u32| tbs::usable(self.amc.i_tbs(mcs), blocks) / 8;
        let best = |blocks: u32| self.amc.best(air.channel.uplink(ue as usize, cell, now, blocks));
        // Power is spread over the blocks: where it is scarce, fewer blocks carry as much.
        let mut blocks = sendable(share);
        let mut mcs = best(blocks);
        while mcs.is_none() && blocks > 1 {
            blocks = sendable(blocks / 2);
            mcs = best(blocks);
        }
        let most = blocks;
        let first = mcs?;
        let shrinks = self.config.grants == Grants::Requested;
        if shrinks && u64::from(bytes(first, blocks)) >= need {
            blocks =
                (1..=most).find(|&n| sendable(n) == n && u64::from(bytes(first, n)) >= need).unwrap_or(most);
        }
        // A block too small for any data would be granted over and over.
        let useful = |n: u32| bytes(first, n) > MAC_HEADER + REPORT + LARGEST_HEADER;
        if !useful(blocks) {
            blocks = (blocks..=most).find(|&n| sendable(n) == n && useful(n))?;
        }
        let mcs = best(blocks).unwrap_or(first);
        let stay = air.users[ue as usize].stay;
        Some(Grant { at: now + GRANT_DELAY, ue, stay, mcs, blocks, bytes: bytes(mcs, blocks) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_blocks_that_a_ue_can_send_in() {
        assert_eq!(sendable(0), 0);
        assert_eq!([1, 7, 11, 14, 23, 48, 98, 100].map(sendable), [1, 6, 10, 12, 20, 48, 96, 100]);
    }
}
