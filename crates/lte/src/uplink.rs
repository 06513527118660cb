//! The uplink: scheduling requests, grants, PUSCH.
//!
//! A UE that has unreported data and no grant sends a scheduling request at its next opportunity (TS 36.321, section
//! 5.4.4). The eNodeB answers with a first grant of fixed size, which is used 4 ms later (TS 36.213, section 8.0).
//! The UE builds the transport block 1 ms before it sends it; packets that arrive later wait for another grant. Every
//! transport block carries a short buffer status report (section 6.1.3.1) with the bytes that still wait. The eNodeB
//! then grants these bytes, minus what it has granted since the report was made. Resource blocks are shared equally
//! among the UEs, in counts of the form 2^a 3^b 5^c (TS 36.211, section 5.3.3). HARQ retransmissions follow 8 ms
//! later on the same resource blocks. The eNodeB knows the channel at the time of the grant (ideal sounding); the
//! interference from other cells is constant. If HARQ gives up on a transport block, its buffer status report is
//! lost, and the UE sends a scheduling request again.
//!
//! [`Grants::Shares`] follows ns-3: buffer reports travel outside of transport blocks whenever there is new data,
//! and each is answered by a whole share of the band. The MCS is that of the SINR in the whole band, over which a UE
//! would spread its power. In ns-3.37, if a UE sends a packet in each of many successive
//! subframes, the first eight packets arrive together, 11 to 4 ms old, and each further packet is 4 ms old.

use crate::air::AirInterface;
use crate::amc::{Amc, Direction};
use crate::config::{self, Config, Grants, Multiplexing};
use crate::harq::{Block, MAC_HEADER, ROUND_TRIP};
use crate::rlc::LARGEST_HEADER;
use crate::subframe::{Tti, pop_if};
use crate::tbs;
use crate::timers::Timer;
use radio::access::Outbox;
use std::collections::VecDeque;

/// Subframes from a grant to the transmission that uses it (TS 36.213, section 8.0).
const GRANT_DELAY: Tti = 4;

/// Subframes from the building of a transport block to its transmission. The standard only requires that a block is
/// built after its grant was received, 3 ms before the transmission. With 3 ms here, the ACKs of a burst would need
/// two grants in a cell of 3 MHz. The throughput with short buffers would then not collapse there, as it does in
/// ns-3.
const PREPARATION: Tti = 1;

/// Short buffer status report with its subheader, bytes (TS 36.321, section 6.1.3.1).
const REPORT: u32 = 2;

/// For each number n of resource blocks, the largest number up to n of the form 2^a 3^b 5^c, in which a UE can send.
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

/// Returns the largest number of resource blocks, at most `most`, in which a UE can send (2^a 3^b 5^c).
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

/// Uplink of one cell.
#[derive(Clone, Debug, Default)]
struct Cell {
    /// UEs to which the eNodeB will give grants.
    granting: Vec<u32>,
    /// Number after the UE that got the last grant; the next round begins there.
    turn: u32,
    /// Transport blocks that HARQ sends again, each with the subframe for it.
    retransmissions: VecDeque<(Tti, Block)>,
    /// Grants for which the UE has not built a transport block yet.
    grants: VecDeque<Grant>,
    /// Transport blocks that UEs have built, each with the subframe of its transmission.
    prepared: VecDeque<(Tti, Block)>,
}

/// State of the uplink for one UE.
#[derive(Clone, Debug, Default)]
struct Ue {
    /// True while a scheduling request is on its way.
    requesting: bool,
    /// BSRs that were sent outside of transport blocks ([`Grants::Shares`]) and have not arrived: subframe of
    /// sending, and bytes.
    separate_reports: VecDeque<(Tti, u64)>,
    /// True if the UE is in its cell's `granting`.
    granting: bool,
    /// Bytes in the UE's buffer by its last report, minus the bytes granted since.
    reported: u64,
    /// Subframe in which the transport block with that report was first sent.
    reported_at: Tti,
    /// Subframe of the first transmission of the last transport block with a nonzero buffer status report (BSR);
    /// `None` once that block has been decoded or given up by HARQ. Not used with [`Grants::Shares`].
    report_sent: Option<Tti>,
    /// Grants for which the UE has not built a transport block yet: subframe, and bytes for data.
    grants: VecDeque<(Tti, u64)>,
}

/// Uplink of all cells.
#[derive(Clone, Debug)]
pub(crate) struct Uplink {
    amc: Amc,
    config: config::Uplink,
    multiplexing: Multiplexing,
    /// Resource blocks that may be allocated.
    blocks: u32,
    /// Subframes from the end of a transmission until its data is decoded.
    processing: Tti,
    cells: Vec<Cell>,
    ues: Vec<Ue>,
    /// UEs that are to get grants in this subframe; a field only so that the vector's memory is reused.
    waiting: Vec<u32>,
}

impl Uplink {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            amc: config.amc(Direction::Up),
            config: config.uplink,
            multiplexing: config.multiplexing,
            blocks: config.uplink_blocks(),
            processing: config.harq.processing.into(),
            cells: vec![Cell::default(); config.enbs.len()],
            ues: vec![Ue::default(); config.ues.len()],
            waiting: Vec::new(),
        }
    }

    /// Handles a new packet that waits in UE `ue` from subframe `from` on: the UE asks for a grant, as the setting
    /// `grants` says.
    pub(crate) fn on_packet(&mut self, ue: u32, from: Tti, air: &mut AirInterface) {
        match self.config.grants {
            Grants::Requested => self.request(ue, from, air),
            Grants::Shares => self.report_separately(ue, from, air),
        }
    }

    /// Sends a scheduling request of UE `ue` at its next opportunity from subframe `from` on, unless it has no data,
    /// or a request, a report or a grant is already under way.
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

    /// Sends a buffer status report of UE `ue`, outside of transport blocks, at its next opportunity from subframe
    /// `from` on.
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

    /// Returns the first subframe from `from` on in which UE `ue` may send a scheduling request; UEs have different
    /// offsets in the period.
    fn chance(&self, ue: u32, from: Tti) -> Tti {
        let period = Tti::from(self.config.request_period);
        (from + Tti::from(ue)).next_multiple_of(period) - Tti::from(ue)
    }

    fn send_request(&self, ue: u32, chance: Tti, air: &mut AirInterface) {
        let stay = air.users[ue as usize].stay;
        air.stats.ues[ue as usize].requests += 1;
        air.timers.start(chance + 1 + self.processing, ue, Timer::Request { stay });
    }

    /// Handles a scheduling request of UE `ue` that arrives in `cell`, or a buffer status report that was sent
    /// outside of a transport block ([`Grants::Shares`]).
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

    /// Adds UE `ue` to the UEs to which the eNodeB of `cell` gives grants.
    fn grant_to(&mut self, ue: u32, cell: usize) {
        let state = &mut self.ues[ue as usize];
        if !state.granting {
            state.granting = true;
            self.cells[cell].granting.push(ue);
        }
    }

    /// Handles the buffer status report of a transport block that was decoded in `cell` or that HARQ has given up
    /// (`received` false).
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

    /// Removes UE `ue`, which leaves `cell`, with its reports and grants.
    pub(crate) fn leave(&mut self, now: Tti, ue: u32, cell: usize) {
        self.cells[cell].granting.retain(|&other| other != ue);
        self.ues[ue as usize] = Ue { reported_at: now, ..Ue::default() };
    }

    /// Returns the next subframe after `now` in which a grant is given or a transport block is built or sent.
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

    /// Runs the uplink of subframe `now`: sends transport blocks and builds those of the next subframe, then gives
    /// grants.
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

    /// Sends `block`, unless the UE has left the cell that granted it.
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

    /// Builds the transport block for `grant`.
    fn fill(&mut self, now: Tti, grant: Grant, air: &mut AirInterface) -> Block {
        let mut pdus = air.pdus();
        let user = &mut air.users[grant.ue as usize];
        let state = &mut self.ues[grant.ue as usize];
        state.grants.pop_front();
        let mut room = grant.bytes.saturating_sub(MAC_HEADER + REPORT);
        if let Some((report, size)) = user.down.report(now, room) {
            pdus.push(report);
            room = self.multiplexing.after_report_up(room, size, user.down.report_waited());
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

    /// Gives the grants for the subframe `GRANT_DELAY` after `now`.
    fn give_grants(&mut self, now: Tti, cell: usize, air: &mut AirInterface) {
        if self.cells[cell].granting.is_empty() {
            return;
        }
        let at = now + GRANT_DELAY;
        let Cell { granting, retransmissions, turn, .. } = &self.cells[cell];
        let again = || retransmissions.iter().filter(|&&(again, _)| again == at);
        let taken: u32 = again().map(|(_, block)| block.blocks).sum();
        let mut left = self.blocks.saturating_sub(taken);
        // A UE that sends a retransmission in that subframe gets no grant: it can send only one transport block.
        let idle = |ue: &u32| !again().any(|(_, block)| block.ue == *ue);
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend(granting.iter().copied().filter(idle));
        waiting.sort_unstable_by_key(|ue| ue.wrapping_sub(*turn));
        let count = waiting.len() as u32;
        for (i, ue) in waiting.drain(..).enumerate() {
            let share = (left / (count - i as u32)).max(1);
            air.follow(now, ue);
            let Some(grant) = (left > 0).then(|| self.grant(now, cell, ue, share, air)).flatten() else {
                continue;
            };
            left -= grant.blocks;
            self.cells[cell].turn = ue + 1;
            let state = &mut self.ues[ue as usize];
            let bytes = u64::from(grant.bytes - MAC_HEADER - REPORT);
            state.reported = state.reported.saturating_sub(bytes);
            if air.misses(now, ue, cell) {
                // The UE has missed its grant and sends a scheduling request again.
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

    /// Returns a grant for UE `ue` of at most `share` resource blocks; `None` if its SINR is too low for any MCS, or
    /// if no useful block fits.
    fn grant(&self, now: Tti, cell: usize, ue: u32, share: u32, air: &AirInterface) -> Option<Grant> {
        let need = self.ues[ue as usize].reported + u64::from(MAC_HEADER + REPORT);
        let bytes = |mcs: u8, blocks: u32| tbs::usable(self.amc.i_tbs(mcs), blocks) / 8;
        // With ns-3's grants the eNodeB takes the SINR of sounding signals in the whole band.
        let whole = self.config.grants == Grants::Shares;
        let best = |blocks: u32| {
            let sounded = if whole { self.blocks } else { blocks };
            self.amc.best(air.channel.uplink(ue as usize, cell, now, sounded))
        };
        // A UE spreads its power over its resource blocks: with fewer blocks the SINR may suffice for an MCS.
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
        // A transport block too small for any data would be granted over and over again.
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
