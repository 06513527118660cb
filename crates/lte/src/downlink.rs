//! Downlink: CQI reports, scheduling, transmission.

use crate::air::AirInterface;
use crate::amc::{Amc, Direction, Reported};
use crate::bandwidth::Allocation;
use crate::config::{Config, Cqi, Multiplexing};
use crate::harq::{Block, MAC_HEADER, Processes, ROUND_TRIP};
use crate::scheduler::{Candidate, Scheduler};
use crate::subframe::{Tti, pop_if};
use crate::tbs;
use crate::user::User;
use radio::access::Outbox;
use std::collections::VecDeque;

/// Downlink of one cell.
#[derive(Clone, Debug, Default)]
struct Cell {
    /// UEs with downlink data.
    active: Vec<u32>,
    /// State of the scheduler: the number of the UE with which its next round begins.
    turn: u32,
    /// Transport blocks that HARQ sends again, each with the earliest subframe in which it may be sent.
    retransmissions: VecDeque<(Tti, Block)>,
    /// Share of the cell's resource blocks in use in the last two subframes that were run, the later first.
    loads: [(Tti, f64); 2],
}

/// State of the downlink for one UE.
#[derive(Clone, Debug, Default)]
struct Ue {
    processes: Processes,
    /// CQI report in use: the subframe that was measured, and the CQI.
    cqi: Option<(Tti, u8)>,
    /// Average throughput, bits per subframe, and the subframe for which it holds.
    average: (f64, Tti),
    /// True if the UE is in its cell's `active`.
    active: bool,
    /// Last subframe in which the UE was sent a transport block.
    served: Option<Tti>,
}

/// Downlink of all cells.
#[derive(Clone, Debug)]
pub(crate) struct Downlink {
    amc: Amc,
    scheduler: Scheduler,
    reports: Cqi,
    /// Resource blocks that may be allocated; `unit` is the unit of allocation in resource blocks.
    blocks: u32,
    unit: u32,
    /// Resource blocks for which the scheduler computes a UE's rate: those that a CQI report covers.
    rated: u32,
    allocation: Allocation,
    mimo: f64,
    multiplexing: Multiplexing,
    cells: Vec<Cell>,
    ues: Vec<Ue>,
    candidates: Vec<Candidate>,
    sending: Vec<(usize, Block)>,
}

impl Downlink {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            amc: config.amc(Direction::Down),
            scheduler: config.carrier.scheduler,
            reports: config.cqi,
            blocks: config.downlink_blocks(),
            unit: config.carrier.bandwidth.unit(config.carrier.granularity),
            rated: match config.cqi.reported {
                Reported::Wideband => config.downlink_blocks(),
                Reported::SubBand => config.carrier.bandwidth.group(),
            },
            allocation: config.carrier.allocation,
            mimo: config.carrier.mimo,
            multiplexing: config.multiplexing,
            cells: vec![Cell::default(); config.enbs.len()],
            ues: vec![Ue::default(); config.ues.len()],
            candidates: Vec::new(),
            sending: Vec::new(),
        }
    }

    /// Adds an attached UE `ue` to its cell's list of UEs with downlink data, unless it is there.
    pub(crate) fn activate(&mut self, ue: u32, user: &User) {
        let known = &mut self.ues[ue as usize].active;
        if user.attached && !*known {
            *known = true;
            self.cells[user.cell].active.push(ue);
        }
    }

    /// Removes UE `ue` from `cell` and clears its HARQ processes and its CQI report.
    pub(crate) fn leave(&mut self, ue: u32, cell: usize) {
        self.cells[cell].active.retain(|&other| other != ue);
        let ue = &mut self.ues[ue as usize];
        ue.processes = Processes::default();
        ue.cqi = None;
        ue.active = false;
    }

    /// Returns the last CQI that was used for UE `ue`; 0 if there is none.
    pub(crate) fn last_cqi(&self, ue: usize) -> u8 {
        self.ues[ue].cqi.map_or(0, |(_, cqi)| cqi)
    }

    /// Returns the next subframe after `now` in which some cell has data or a retransmission to send.
    pub(crate) fn next(&self, now: Tti) -> Option<Tti> {
        if self.cells.iter().any(|cell| !cell.active.is_empty()) {
            return Some(now + 1);
        }
        self.cells.iter().filter_map(|cell| cell.retransmissions.front()).map(|&(at, _)| at).min()
    }

    /// Schedules and transmits subframe `now` in every cell.
    pub(crate) fn subframe(&mut self, now: Tti, air: &mut AirInterface, out: &mut Outbox) {
        let mut sending = std::mem::take(&mut self.sending);
        for cell in 0..self.cells.len() {
            self.schedule(now, cell, air, &mut sending);
        }
        for (cell, mut block) in sending.drain(..) {
            let quality = self.quality(air, block.ue as usize, cell, now, now);
            let received = match air.misses(now, block.ue, cell) {
                true => block.miss(),
                false => block.transmit(quality, &self.amc),
            };
            let (ue, process) = (block.ue as usize, block.process);
            match air.transmitted(now, Direction::Down, received, block, out) {
                Some(block) => self.cells[cell].retransmissions.push_back((now + ROUND_TRIP, block)),
                None => self.ues[ue].processes.hold(process, now + ROUND_TRIP),
            }
        }
        self.sending = sending;
    }

    /// Returns the SINR (linear) of `cell` at UE `ue` with the fading of subframe `at` and the interference of
    /// subframe `loads`.
    fn quality(&self, air: &AirInterface, ue: usize, cell: usize, at: Tti, loads: Tti) -> f64 {
        let share = |other: usize| {
            let [last, before] = self.cells[other].loads;
            [last, before].into_iter().find(|&(at, _)| at == loads).map_or(0.0, |(_, load)| load)
        };
        air.channel.downlink(ue, cell, at, share)
    }

    /// Returns the CQI report that is in use in subframe `now` for UE `ue` of `cell`.
    fn cqi(&mut self, now: Tti, ue: u32, cell: usize, air: &mut AirInterface) -> u8 {
        let period = Tti::from(self.reports.period);
        // Before the first periodic report is available, the report is of subframe 0.
        let measured = now.saturating_sub(self.reports.delay.into()) / period * period;
        if let Some((at, cqi)) = self.ues[ue as usize].cqi
            && at == measured
        {
            return cqi;
        }
        air.follow(now, ue);
        // The load of the other cells in the measured subframe is no longer known; their load in the last subframe
        // is used instead.
        let quality = self.quality(air, ue as usize, cell, measured, now.saturating_sub(1));
        let cqi = self.amc.cqi(quality);
        self.ues[ue as usize].cqi = Some((measured, cqi));
        cqi
    }

    /// Returns the size in bytes of a transport block in `mcs` on `blocks` resource blocks.
    fn bytes(&self, mcs: u8, blocks: u32) -> u32 {
        let bits = tbs::usable(self.amc.i_tbs(mcs), blocks);
        if self.mimo > 1.0 { (f64::from(bits) * self.mimo) as u32 / 8 } else { bits / 8 }
    }

    /// Returns the fewest units of allocation whose transport block holds `bytes`; if `blocks` resource blocks do
    /// not suffice, the number of units in them.
    fn units(&self, mcs: u8, bytes: u64, blocks: u32) -> u32 {
        let most = blocks.div_ceil(self.unit);
        let holds = |units: u32| u64::from(self.bytes(mcs, (units * self.unit).min(blocks))) >= bytes;
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

    /// Chooses the transport blocks that `cell` sends in subframe `now`.
    fn schedule(&mut self, now: Tti, cell: usize, air: &mut AirInterface, sending: &mut Vec<(usize, Block)>) {
        let mut left = self.retransmit(now, cell, &air.users, sending);
        let mut candidates = std::mem::take(&mut self.candidates);
        self.gather(now, cell, left, air, &mut candidates);
        self.scheduler.allot(&mut candidates, left.div_ceil(self.unit), &mut self.cells[cell].turn);
        for candidate in candidates.drain(..) {
            let blocks = (candidate.given * self.unit).min(left);
            if blocks > 0 {
                left -= blocks;
                let block = self.fill(now, &candidate, blocks, air);
                sending.push((cell, block));
            }
            if let Some(window) = self.scheduler.window() {
                let had = if blocks > 0 { f64::from(8 * self.bytes(candidate.mcs, blocks)) } else { 0.0 };
                self.ues[candidate.ue as usize].average =
                    (candidate.average + (had - candidate.average) / window, now + 1);
            }
        }
        self.candidates = candidates;
        let Self { cells, ues, blocks: all, .. } = self;
        let cell_state = &mut cells[cell];
        cell_state.active.retain(|&ue| {
            let active = air.users[ue as usize].waits_down(now) > 0;
            ues[ue as usize].active = active;
            active
        });
        let used = *all - left;
        cell_state.loads = [(now, f64::from(used) / f64::from(*all)), cell_state.loads[0]];
        let stats = &mut air.stats.cells[cell];
        stats.busy += u64::from(used > 0);
        stats.downlink_blocks += u64::from(used);
    }

    /// Sends transport blocks of `cell` again that failed before, oldest first; returns the number of resource blocks
    /// that are left.
    fn retransmit(
        &mut self,
        now: Tti,
        cell: usize,
        users: &[User],
        sending: &mut Vec<(usize, Block)>,
    ) -> u32 {
        let mut left = self.blocks;
        let waiting = &mut self.cells[cell].retransmissions;
        while let Some((_, block)) = pop_if(waiting, |(at, block)| *at <= now && block.blocks <= left) {
            if block.stay == users[block.ue as usize].stay {
                left -= block.blocks;
                self.ues[block.ue as usize].served = Some(now);
                sending.push((cell, block));
            }
        }
        left
    }

    /// Adds to `candidates` the UEs of `cell` that can be sent new data in subframe `now`; adds none if `left`, the
    /// number of free resource blocks, is 0.
    fn gather(
        &mut self,
        now: Tti,
        cell: usize,
        left: u32,
        air: &mut AirInterface,
        candidates: &mut Vec<Candidate>,
    ) {
        if left == 0 {
            return;
        }
        let window = self.scheduler.window();
        for i in 0..self.cells[cell].active.len() {
            let ue = self.cells[cell].active[i];
            let known = &self.ues[ue as usize];
            if known.served == Some(now) || known.processes.free(now).is_none() {
                continue;
            }
            let (average, since) = known.average;
            let waits = air.users[ue as usize].waits_down(now) + u64::from(MAC_HEADER);
            let cqi = self.cqi(now, ue, cell, air);
            let Some(mcs) = self.amc.mcs(cqi) else { continue };
            // The average holds for subframe `since`. The UE has been sent no new data since then, so it has
            // decayed once per subframe.
            let average = match window {
                Some(window) if since < now => average * libm::pow(1.0 - 1.0 / window, (now - since) as f64),
                _ => average,
            };
            candidates.push(Candidate {
                ue,
                mcs,
                need: match self.allocation {
                    Allocation::Needed => self.units(mcs, waits, left),
                    Allocation::Full => left,
                },
                rate: f64::from(8 * self.bytes(mcs, self.rated)),
                average,
                given: 0,
            });
        }
    }

    /// Returns a transport block of new data for `candidate` on `blocks` resource blocks.
    fn fill(&mut self, now: Tti, candidate: &Candidate, blocks: u32, air: &mut AirInterface) -> Block {
        let bytes = self.bytes(candidate.mcs, blocks);
        let mut pdus = air.pdus();
        let user = &mut air.users[candidate.ue as usize];
        let mut room = bytes.saturating_sub(MAC_HEADER);
        if let Some((report, size)) = user.up.report(now, room) {
            pdus.push(report);
            room = self.multiplexing.after_report(room, size);
        }
        if room > 0 {
            user.down.pull(now, room, &mut pdus);
        }
        let known = &mut self.ues[candidate.ue as usize];
        known.served = Some(now);
        let process = known.processes.free(now).unwrap_or_default();
        known.processes.hold(process, Tti::MAX);
        let block = Block {
            ue: candidate.ue,
            stay: user.stay,
            process,
            mcs: candidate.mcs,
            blocks,
            bytes,
            attempts: 0,
            gathered: 0.0,
            draw: user.draw(Direction::Down),
            first: now,
            report: 0,
            missed: false,
            pdus,
        };
        air.arm(now, candidate.ue, Direction::Down);
        air.arm(now, candidate.ue, Direction::Up);
        block
    }
}
