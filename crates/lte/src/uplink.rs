//! The uplink: scheduling requests, grants, PUSCH.
//!
//! A UE that has something to send, has not told of it and has no grant asks at its next chance (TS 36.321, section 5.4.4). The eNodeB answers with a first
//! grant of fixed size, used 4 ms later (TS 36.213, section 8.0). The UE makes the transport block 1 ms
//! before it sends it: what comes later waits for another grant. Every transport block says how much still waits (a short buffer
//! status report, section 6.1.3.1, in every one), and the eNodeB grants that, less what it has granted since. Blocks are shared equally, in
//! turn, in counts of the form 2^a 3^b 5^c (TS 36.211, section 5.3.3); retransmissions come 8 ms later in the same blocks.
//! The eNodeB knows the channel at the time of the grant (sounding is ideal); interference of other cells is a constant. After a transport block that is
//! lost for good, with the report in it, the UE asks again.
//!
//! With [`Grants::Shares`] it is as in ns-3 instead: reports come outside of what is sent, whenever there is something new, and each
//! is answered by a whole share of the band. Timeline of ns-3.37 for packets sent in successive subframes: all of the first eight arrive
//! together, 11 to 4 ms old, and each further one after 4 ms.

use crate::Tti;
use crate::amc::Direction;
use crate::config::Grants;
use crate::downlink::MAC_HEADER;
use crate::harq::{Block, ROUND_TRIP};
use crate::network::{Cell, Grant, Network};
use crate::tbs;
use crate::timer::Timer;
use radio::access::Outbox;

/// From a grant to its transmission, subframes (TS 36.213, section 8.0).
const GRANT_DELAY: Tti = 4;

/// From the making of a transport block to its transmission, subframes. The standard only gives an end to it: grants are read 3 ms before.
/// With 3 here, a burst's ACKs need two grants in a cell of 3 MHz, and its short buffer no longer collapses as in ns-3.
pub(crate) const PREPARATION: Tti = 1;

/// A short buffer status report with its subheader, bytes (TS 36.321, section 6.1.3.1).
const REPORT: u32 = 2;

/// The largest number of resource blocks up to each that a UE can send in: 2^a 3^b 5^c.
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

/// The largest number of resource blocks up to `most` that a UE can send in.
#[inline]
fn sendable(most: u32) -> u32 {
    SENDABLE[most as usize].into()
}

impl Network {
    /// UE `ue` sends a scheduling request at its next chance from subframe `from` on, where it has something to send and no
    /// other way to say so.
    pub(crate) fn ask(&mut self, ue: u32, from: Tti) {
        let user = &mut self.users[ue as usize];
        let known = user.asking || user.reported > 0 || user.told.is_some() || !user.grants.is_empty();
        if !user.attached || known || user.waits_up(from) == 0 {
            return;
        }
        if self.config.uplink.grants == Grants::Shares {
            return self.tell(ue, from);
        }
        user.asking = true;
        self.request(ue, self.chance(ue, from));
    }

    /// UE `ue` tells at its next chance from subframe `from` on how much waits in it, outside of what it sends.
    pub(crate) fn tell(&mut self, ue: u32, from: Tti) {
        let chance = self.chance(ue, from);
        let user = &mut self.users[ue as usize];
        if !user.attached {
            return;
        }
        let bytes = user.waits_up(from);
        match user.telling.back_mut() {
            Some((at, told)) if *at == chance => *told = bytes,
            _ => {
                user.telling.push_back((chance, bytes));
                self.request(ue, chance);
            }
        }
    }

    /// The first chance of a request from subframe `from` on: UEs are spread over the period.
    fn chance(&self, ue: u32, from: Tti) -> Tti {
        let period = Tti::from(self.config.uplink.request_period);
        (from + Tti::from(ue)).next_multiple_of(period) - Tti::from(ue)
    }

    fn request(&mut self, ue: u32, chance: Tti) {
        let stay = self.users[ue as usize].stay;
        self.stats.ues[ue as usize].requests += 1;
        self.start(chance + 1 + Tti::from(self.config.processing), ue, Timer::Request { stay });
    }

    /// The eNodeB has something to grant to UE `ue`.
    pub(crate) fn grant_to(&mut self, ue: u32) {
        let user = &mut self.users[ue as usize];
        if !user.granting {
            user.granting = true;
            self.cells[user.cell].granting.push(ue);
        }
    }

    /// A transport block from a UE has arrived with its report, or is lost with it.
    pub(crate) fn reported(&mut self, block: &Block, received: bool) {
        let user = &mut self.users[block.ue as usize];
        if user.told == Some(block.first) {
            user.told = None;
        }
        if !received || block.first < user.reported_at || self.config.uplink.grants == Grants::Shares {
            return;
        }
        user.reported_at = block.first;
        let granted: u64 =
            user.grants.iter().filter(|&&(at, _)| at > block.first).map(|&(_, bytes)| bytes).sum();
        user.reported = block.report.saturating_sub(granted);
        if user.reported > 0 {
            self.grant_to(block.ue);
        }
    }

    /// The uplink of subframe `now`: what was granted is sent, and grants are given.
    pub(crate) fn uplink(&mut self, now: Tti, out: &mut Outbox) {
        for cell in 0..self.cells.len() {
            while let Some((at, _)) = self.cells[cell].up_again.front()
                && *at <= now
            {
                if let Some((_, block)) = self.cells[cell].up_again.pop_front()
                    && block.stay == self.users[block.ue as usize].stay
                {
                    self.send_up(now, cell, block, out);
                }
            }
            while let Some(&grant) = self.cells[cell].grants.front()
                && grant.at <= now + PREPARATION
            {
                self.cells[cell].grants.pop_front();
                if grant.stay == self.users[grant.ue as usize].stay {
                    let block = self.fill_up(now, grant);
                    self.cells[cell].made.push_back((grant.at, block));
                }
            }
            while let Some((at, _)) = self.cells[cell].made.front()
                && *at <= now
            {
                if let Some((_, block)) = self.cells[cell].made.pop_front()
                    && block.stay == self.users[block.ue as usize].stay
                {
                    self.send_up(now, cell, block, out);
                }
            }
            self.give_grants(now, cell);
        }
    }

    fn send_up(&mut self, now: Tti, cell: usize, mut block: Block, out: &mut Outbox) {
        self.stats.cells[cell].uplink_blocks += u64::from(block.blocks);
        let quality = self.channel.uplink(block.ue as usize, cell, now, block.blocks);
        let received = block.transmit(quality, &self.up);
        if let Some(block) = self.transmitted(now, Direction::Up, received, block, out) {
            self.cells[cell].up_again.push_back((now + ROUND_TRIP, block));
        }
    }

    fn fill_up(&mut self, now: Tti, grant: Grant) -> Block {
        let mut pdus = self.pdus();
        let user = &mut self.users[grant.ue as usize];
        user.grants.pop_front();
        let mut room = grant.bytes.saturating_sub(MAC_HEADER + REPORT);
        if let Some((report, size)) = user.down.report(now, room) {
            pdus.push(report);
            room = room.saturating_sub(size + crate::rlc::SUBHEADER);
        }
        user.up.pull(now, room, &mut pdus);
        let report = user.waits_up(now);
        let shares = self.config.uplink.grants == Grants::Shares;
        if !shares {
            user.told = (report > 0).then_some(grant.at).or(user.told);
        }
        let block = Block {
            ue: grant.ue,
            stay: grant.stay,
            process: 0,
            mcs: grant.mcs,
            blocks: grant.blocks,
            bytes: grant.bytes,
            attempts: 0,
            quality: 0.0,
            luck: user.draw(Direction::Up),
            first: grant.at,
            report,
            pdus,
        };
        self.arm(now, grant.ue, Direction::Down);
        self.arm(now, grant.ue, Direction::Up);
        if shares && report > 0 {
            self.tell(grant.ue, now + 1);
        }
        block
    }

    /// Grants for the subframe four from `now`.
    fn give_grants(&mut self, now: Tti, cell: usize) {
        if self.cells[cell].granting.is_empty() {
            return;
        }
        let at = now + GRANT_DELAY;
        let Cell { granting, up_again, up_turn, .. } = &self.cells[cell];
        let again = || up_again.iter().filter(|&&(again, _)| again == at);
        let taken: u32 = again().map(|(_, block)| block.blocks).sum();
        let mut left =
            (self.config.bandwidth.blocks() - self.config.uplink.control_blocks).saturating_sub(taken);
        // A UE sends one transport block in a subframe.
        let idle = |ue: &u32| !again().any(|(_, block)| block.ue == *ue);
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend(granting.iter().copied().filter(idle));
        waiting.sort_unstable_by_key(|ue| ue.wrapping_sub(*up_turn));
        let count = waiting.len() as u32;
        for (i, ue) in waiting.drain(..).enumerate() {
            let share = (left / (count - i as u32)).max(1);
            let Some(grant) = (left > 0).then(|| self.grant(now, cell, ue, share)).flatten() else {
                continue;
            };
            left -= grant.blocks;
            self.cells[cell].up_turn = ue + 1;
            let user = &mut self.users[ue as usize];
            user.reported = user.reported.saturating_sub((grant.bytes - MAC_HEADER - REPORT).into());
            user.grants.push_back((at, (grant.bytes - MAC_HEADER - REPORT).into()));
            self.cells[cell].grants.push_back(grant);
        }
        self.waiting = waiting;
        let Self { cells, users, .. } = self;
        cells[cell].granting.retain(|&ue| {
            let user = &mut users[ue as usize];
            user.granting = user.reported > 0;
            user.granting
        });
    }

    /// A grant for UE `ue` of at most `share` blocks; `None` where it is too far away, or nothing useful fits.
    fn grant(&self, now: Tti, cell: usize, ue: u32, share: u32) -> Option<Grant> {
        let user = &self.users[ue as usize];
        let need = user.reported + u64::from(MAC_HEADER + REPORT);
        let bytes = |mcs: u8, blocks: u32| tbs::usable(self.up.i_tbs(mcs), blocks) / 8;
        let best = |blocks: u32| self.up.best(self.channel.uplink(ue as usize, cell, now, blocks));
        // Power is spread over the blocks: where it is scarce, fewer blocks carry as much.
        let mut blocks = sendable(share);
        let mut mcs = best(blocks);
        while mcs.is_none() && blocks > 1 {
            blocks = sendable(blocks / 2);
            mcs = best(blocks);
        }
        let most = blocks;
        let first = mcs?;
        let shrinks = self.config.uplink.grants == Grants::Requested;
        if shrinks && u64::from(bytes(first, blocks)) >= need {
            blocks =
                (1..=most).find(|&n| sendable(n) == n && u64::from(bytes(first, n)) >= need).unwrap_or(most);
        }
        // A block too small for any data would be granted over and over.
        let useful = |n: u32| bytes(first, n) > MAC_HEADER + REPORT + crate::rlc::LARGEST_HEADER;
        if !useful(blocks) {
            blocks = (blocks..=most).find(|&n| sendable(n) == n && useful(n))?;
        }
        let mcs = best(blocks).unwrap_or(first);
        Some(Grant { at: now + GRANT_DELAY, ue, stay: user.stay, mcs, blocks, bytes: bytes(mcs, blocks) })
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
