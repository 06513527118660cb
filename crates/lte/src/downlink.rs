//! The downlink: reports, scheduling, transmission.

use crate::amc::Direction;
use crate::harq::{Block, ROUND_TRIP};
use crate::network::Network;
use crate::scheduler::Candidate;
use crate::tbs;
use crate::{Tti, begins};
use radio::access::Outbox;

/// The MAC header of a transport block that one PDU fills, bytes (TS 36.321, section 6.1.2). A second PDU adds a subheader
/// with its length, counted where it is made.
pub(crate) const MAC_HEADER: u32 = 1;

impl Network {
    /// Schedules and sends subframe `now` in every cell.
    pub(crate) fn downlink(&mut self, now: Tti, out: &mut Outbox) {
        let mut sending = std::mem::take(&mut self.sending);
        for cell in 0..self.cells.len() {
            self.schedule(now, cell, &mut sending);
        }
        for (cell, mut block) in sending.drain(..) {
            let quality = self.quality(now, block.ue as usize, cell);
            let received = block.transmit(quality, &self.down);
            let (ue, process) = (block.ue as usize, block.process);
            match self.transmitted(now, Direction::Down, received, block, out) {
                Some(block) => self.cells[cell].again.push_back((now + ROUND_TRIP, block)),
                None => self.users[ue].processes.hold(process, now + ROUND_TRIP),
            }
        }
        self.sending = sending;
    }

    /// Signal to interference and noise of what `cell` sends to UE `ue` in subframe `now`.
    fn quality(&self, now: Tti, ue: usize, cell: usize) -> f64 {
        self.loaded(ue, cell, now, now)
    }

    /// Signal to interference and noise of `cell` at UE `ue` in subframe `at` with the interference of subframe `loads`.
    fn loaded(&self, ue: usize, cell: usize, at: Tti, loads: Tti) -> f64 {
        let share = |other: usize| {
            let [last, before] = self.cells[other].loads;
            [last, before].into_iter().find(|&(at, _)| at == loads).map_or(0.0, |(_, load)| load)
        };
        self.channel.downlink(ue, cell, at, share)
    }

    /// The report that the scheduler has of UE `ue` in subframe `now`.
    fn cqi(&mut self, now: Tti, ue: usize) -> u8 {
        let period = Tti::from(self.config.cqi.period);
        // Before the first report comes the one of attachment.
        let measured = now.saturating_sub(self.config.cqi.delay.into()) / period * period;
        if let Some((at, cqi)) = self.users[ue].cqi
            && at == measured
        {
            return cqi;
        }
        if let Some(position) = self.users[ue].moved(begins(now)) {
            self.channel.place(ue, position);
        }
        // What other cells sent last stands for what they sent when the UE measured.
        let quality = self.loaded(ue, self.users[ue].cell, measured, now.saturating_sub(1));
        let cqi = self.down.cqi(quality);
        self.users[ue].cqi = Some((measured, cqi));
        cqi
    }

    /// Bytes of a transport block of `mcs` in `blocks` resource blocks.
    fn bytes(&self, mcs: u8, blocks: u32) -> u32 {
        let bits = tbs::usable(self.down.i_tbs(mcs), blocks);
        if self.config.mimo > 1.0 { (f64::from(bits) * self.config.mimo) as u32 / 8 } else { bits / 8 }
    }

    /// The fewest units of `unit` blocks whose transport block holds `bytes`, at most those that make up `blocks`.
    fn units(&self, mcs: u8, bytes: u64, blocks: u32, unit: u32) -> u32 {
        let most = blocks.div_ceil(unit);
        let holds = |units: u32| u64::from(self.bytes(mcs, (units * unit).min(blocks))) >= bytes;
        if !holds(most) {
            return most;
        }
        let (mut low, mut high) = (0, most);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if holds(middle) { high = middle } else { low = middle }
        }
        high
    }

    /// Chooses what `cell` sends in subframe `now`.
    fn schedule(&mut self, now: Tti, cell: usize, sending: &mut Vec<(usize, Block)>) {
        let all = self.config.downlink_blocks();
        let mut left = all;
        // What failed before goes first, oldest first.
        while let Some((at, block)) = self.cells[cell].again.front()
            && *at <= now
            && block.blocks <= left
        {
            if let Some((_, block)) = self.cells[cell].again.pop_front()
                && block.stay == self.users[block.ue as usize].stay
            {
                left -= block.blocks;
                self.users[block.ue as usize].served = Some(now);
                sending.push((cell, block));
            }
        }
        let unit = self.config.bandwidth.unit(self.config.granularity);
        let mut candidates = std::mem::take(&mut self.candidates);
        self.gather(now, cell, left, unit, &mut candidates);
        let scheduler = self.config.scheduler;
        scheduler.allot(&mut candidates, left.div_ceil(unit), &mut self.cells[cell].turn);
        for candidate in &candidates {
            let blocks = (candidate.given * unit).min(left);
            if blocks > 0 {
                left -= blocks;
                let block = self.fill(now, candidate, blocks);
                sending.push((cell, block));
            }
            if let Some(window) = scheduler.window() {
                let had = if blocks > 0 { f64::from(8 * self.bytes(candidate.mcs, blocks)) } else { 0.0 };
                self.users[candidate.ue as usize].average =
                    (candidate.average + (had - candidate.average) / window, now + 1);
            }
        }
        candidates.clear();
        self.candidates = candidates;
        let Self { cells, users, stats, .. } = self;
        cells[cell].active.retain(|&ue| {
            let user = &mut users[ue as usize];
            user.active = user.waits_down(now) > 0;
            user.active
        });
        let used = all - left;
        cells[cell].loads = [(now, f64::from(used) / f64::from(all)), cells[cell].loads[0]];
        stats.cells[cell].busy += u64::from(used > 0);
        stats.cells[cell].downlink_blocks += u64::from(used);
    }

    /// The UEs of `cell` that can be sent new data in subframe `now`, with `left` blocks to give.
    fn gather(&mut self, now: Tti, cell: usize, left: u32, unit: u32, candidates: &mut Vec<Candidate>) {
        if left == 0 {
            return;
        }
        let window = self.config.scheduler.window();
        for i in 0..self.cells[cell].active.len() {
            let ue = self.cells[cell].active[i];
            let user = &self.users[ue as usize];
            if user.served == Some(now) || user.processes.free(now).is_none() {
                continue;
            }
            let waits = user.waits_down(now) + u64::from(MAC_HEADER);
            let (average, since) = user.average;
            let Some(mcs) = self.cqi(now, ue as usize).checked_sub(1).and_then(|i| self.down.mcs(i + 1))
            else {
                continue;
            };
            // Subframes without data of its own count as subframes in which it got nothing.
            let average = match window {
                Some(window) if since < now => average * libm::pow(1.0 - 1.0 / window, (now - since) as f64),
                _ => average,
            };
            candidates.push(Candidate {
                ue,
                mcs,
                need: self.units(mcs, waits, left, unit),
                rate: f64::from(8 * self.bytes(mcs, self.config.downlink_blocks())),
                average,
                given: 0,
            });
        }
    }

    /// A transport block for `candidate` in `blocks` resource blocks.
    fn fill(&mut self, now: Tti, candidate: &Candidate, blocks: u32) -> Block {
        let bytes = self.bytes(candidate.mcs, blocks);
        let mut pdus = self.pdus();
        let user = &mut self.users[candidate.ue as usize];
        let mut room = bytes.saturating_sub(MAC_HEADER);
        if let Some((report, size)) = user.up.report(now, room) {
            pdus.push(report);
            room = room.saturating_sub(size + crate::rlc::SUBHEADER);
        }
        user.down.pull(now, room, &mut pdus);
        user.served = Some(now);
        let process = user.processes.free(now).unwrap_or_default();
        user.processes.hold(process, Tti::MAX);
        let block = Block {
            ue: candidate.ue,
            stay: user.stay,
            process,
            mcs: candidate.mcs,
            blocks,
            bytes,
            attempts: 0,
            quality: 0.0,
            luck: user.draw(Direction::Down),
            first: now,
            report: 0,
            pdus,
        };
        self.arm(now, candidate.ue, Direction::Down);
        self.arm(now, candidate.ue, Direction::Up);
        block
    }
}
