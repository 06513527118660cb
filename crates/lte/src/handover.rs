//! Handover between eNodeBs (TS 36.331, section 5.5; TS 36.300, section 10.1.2).
//!
//! UEs that move measure all cells' reference signals at a fixed period, average them (section 5.5.3.2), and report event A3:
//! another cell better than their own by offset and hysteresis for the time to trigger (section 5.5.4.4). The eNodeB
//! prepares the other over X2 and sends the command; from then until the UE has found the new cell it neither sends nor receives. What
//! is lost is what the old cell had:
//!
//! - Downlink packets that wait, and those that arrive until the path is switched, are forwarded over X2, or lost (cause
//!   `handover`) where it is not. In acknowledged mode the same goes for what is sent but not acknowledged; in unacknowledged mode packets of
//!   which anything has been sent are lost either way.
//! - Uplink packets of which nothing has been sent stay in the UE; the rest goes as in the downlink.
//! - After the path switch, packets on the new path wait for those on the old one (the end marker of TS 36.300, section 10.1.2.2).
//!
//! Times of the procedure are parameters: signalling is not sent as packets. Left out: failures of handovers and of radio
//! links, PDCP status reports (packets received out of order are sent again), load as a reason.

use crate::amc::Direction;
use crate::config::Backhaul;
use crate::harq::Processes;
use crate::network::{Cell, Network};
use crate::rlc::{Fates, Held};
use crate::timer::Timer;
use crate::{Tti, begins};
use base::DropCause;
use radio::access::{Outbox, Station};

/// Parameters of handover. Times in ms.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Handover {
    /// By how much a cell must be better, dB.
    pub offset: f64,
    /// By how much more, dB.
    pub hysteresis: f64,
    /// For how long.
    pub time_to_trigger: u32,
    /// From one measurement to the next: 200 (TS 36.133, section 8.1.2.2.1).
    pub period: u32,
    /// k of the average: a measurement counts `2^(-k/4)` (TS 36.331, section 5.5.3.2).
    pub filter: u32,
    /// From the report to the command.
    pub preparation: u32,
    /// From the command until the UE is in the new cell.
    pub interruption: u32,
    /// From then until packets come to the new cell directly.
    pub path_switch: u32,
    /// Whether packets are forwarded over X2.
    pub forwarding: bool,
    /// The X2 link out of each eNodeB.
    pub x2: Backhaul,
}

impl Default for Handover {
    /// 3 dB in all for 256 ms, averages of k = 4; 20 ms to prepare, 30 ms of interruption, 20 ms to switch the path, usual
    /// figures of networks in use; forwarding over a link as fast as S1.
    fn default() -> Self {
        Self {
            offset: 2.0,
            hysteresis: 1.0,
            time_to_trigger: 256,
            period: 200,
            filter: 4,
            preparation: 20,
            interruption: 30,
            path_switch: 20,
            forwarding: true,
            x2: Backhaul::default(),
        }
    }
}

/// A UE's measurements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measurements {
    /// Averages, dBm, by cell.
    averages: Vec<f64>,
    /// The cell that fulfils A3, and since when.
    entered: Option<(usize, Tti)>,
    /// A handover is being prepared or carried out.
    busy: bool,
}

impl Measurements {
    /// Takes the measurements of subframe `now`; the cell for which A3 has held long enough.
    fn take(&mut self, now: Tti, powers: &[f64], serving: usize, config: &Handover) -> Option<usize> {
        let weight = libm::exp2(-f64::from(config.filter) / 4.0);
        if self.averages.is_empty() {
            self.averages = powers.to_vec();
        }
        for (average, power) in self.averages.iter_mut().zip(powers) {
            *average += weight * (power - *average);
        }
        let threshold = self.averages[serving] + config.offset + config.hysteresis;
        let best = (0..powers.len())
            .filter(|&cell| cell != serving && self.averages[cell] > threshold)
            .max_by(|&a, &b| self.averages[a].total_cmp(&self.averages[b]));
        self.entered = match (best, self.entered) {
            (Some(best), Some((cell, since))) if best == cell => Some((cell, since)),
            (best, _) => best.map(|cell| (cell, now)),
        };
        let (cell, since) = self.entered?;
        (now - since >= Tti::from(config.time_to_trigger)).then_some(cell)
    }
}

impl Network {
    /// Starts the measurements of UEs that move, where there is another cell to go to.
    pub(crate) fn begin_measuring(&mut self) {
        let Some(handover) = self.config.handover.filter(|_| self.cells.len() > 1) else { return };
        for ue in 0..self.users.len() as u32 {
            if self.users[ue as usize].moves() {
                self.start(handover.period.into(), ue, Timer::Measure);
            }
        }
    }

    /// UE `ue` measures.
    pub(crate) fn measure(&mut self, now: Tti, ue: u32) {
        let Some(handover) = self.config.handover else { return };
        self.start(now + Tti::from(handover.period), ue, Timer::Measure);
        let user = &mut self.users[ue as usize];
        if let Some(position) = user.moved(begins(now)) {
            self.channel.place(ue as usize, position);
        }
        let powers: Vec<f64> =
            (0..self.cells.len()).map(|cell| self.channel.power(ue as usize, cell)).collect();
        if user.measurements.busy {
            return;
        }
        if let Some(cell) = user.measurements.take(now, &powers, user.cell, &handover) {
            user.measurements.busy = true;
            self.start(now + Tti::from(handover.preparation), ue, Timer::Command { cell });
        }
    }

    /// The command: UE `ue` leaves its cell for `cell`.
    pub(crate) fn command(&mut self, now: Tti, ue: u32, cell: usize, out: &mut Outbox) {
        let Some(handover) = self.config.handover else { return };
        let user = &mut self.users[ue as usize];
        let old = user.cell;
        self.cells[old].active.retain(|&other| other != ue);
        self.cells[old].granting.retain(|&other| other != ue);
        user.cell = cell;
        user.stay += 1;
        user.attached = false;
        user.detour = true;
        user.processes = Processes::default();
        user.cqi = None;
        (user.active, user.granting, user.asking) = (false, false, false);
        user.telling.clear();
        (user.reported, user.reported_at, user.told) = (0, now, None);
        user.grants.clear();
        user.measurements = Measurements { busy: true, ..Measurements::default() };
        self.stats.ues[ue as usize].handovers += 1;
        let mut fates = Fates::default();
        for (held, again) in self.users[ue as usize].down.restart(&mut fates) {
            match again && handover.forwarding {
                true => self.forward(now, ue, old, held, out),
                false => self.leave_behind(ue, Direction::Down, held, out),
            }
        }
        self.settle(now, ue, Direction::Down, fates, out);
        let mut fates = Fates::default();
        for (held, again) in self.users[ue as usize].up.restart(&mut fates) {
            // What the UE has not sent yet needs no forwarding; its buffer had room for it.
            if !(again && self.users[ue as usize].up.push(held.packet, held.to)) {
                self.leave_behind(ue, Direction::Up, held, out);
            }
        }
        self.settle(now, ue, Direction::Up, fates, out);
        self.start(now + Tti::from(handover.interruption), ue, Timer::Attach);
    }

    /// UE `ue` is in its new cell.
    pub(crate) fn attach(&mut self, now: Tti, ue: u32) {
        let Some(handover) = self.config.handover else { return };
        let user = &mut self.users[ue as usize];
        user.attached = true;
        user.measurements.busy = false;
        if user.waits_down(now) > 0 {
            self.activate(ue);
        }
        self.ask(ue, now);
        self.start(now + Tti::from(handover.path_switch), ue, Timer::Switch);
    }

    /// Packets for UE `ue` go to its new cell directly.
    pub(crate) fn switch_path(&mut self, ue: u32) {
        let user = &mut self.users[ue as usize];
        user.path = user.cell;
    }

    /// A downlink packet has arrived in `cell`, which UE `ue` has left.
    pub(crate) fn misplaced(&mut self, now: Tti, ue: u32, cell: usize, held: Held, out: &mut Outbox) {
        match self.config.handover {
            Some(Handover { forwarding: true, .. }) => self.forward(now, ue, cell, held, out),
            _ => self.leave_behind(ue, Direction::Down, held, out),
        }
    }

    fn forward(&mut self, now: Tti, ue: u32, from: usize, held: Held, out: &mut Outbox) {
        match self.cells[from].x2.send(begins(now), ue, held) {
            Some(at) => self.wake(crate::after(at)),
            None => {
                self.stats.ues[ue as usize].downlink.lost_backhaul += 1;
                out.lost.push((Station(0), held.packet, DropCause::Queue));
            }
        }
    }

    fn leave_behind(&mut self, ue: u32, direction: Direction, held: Held, out: &mut Outbox) {
        self.packets(ue, direction).lost_handover += 1;
        let at = if direction == Direction::Down { 0 } else { ue + 1 };
        out.lost.push((Station(at), held.packet, DropCause::Handover));
    }

    /// Whether packets for UE `ue` are still on their way by another path than the direct one to its cell.
    pub(crate) fn detoured(&mut self, ue: u32) -> bool {
        let user = &mut self.users[ue as usize];
        if user.detour {
            let serving = user.cell;
            let carries =
                |(i, cell): (usize, &Cell)| cell.x2.carries(ue) || (i != serving && cell.down.carries(ue));
            user.detour = user.path != serving || self.cells.iter().enumerate().any(carries);
        }
        user.detour
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Averages with k = 4 go half of the way; A3 has to hold for the time to trigger without a break.
    #[test]
    fn a3_needs_time() {
        let config = Handover { offset: 2.0, hysteresis: 1.0, time_to_trigger: 400, ..Handover::default() };
        let mut m = Measurements::default();
        assert_eq!(m.take(0, &[-90.0, -95.0], 0, &config), None);
        // The other rises to -80: averages -87.5, -83.75, ...; above -87 from 400 on.
        assert_eq!(m.take(200, &[-90.0, -80.0], 0, &config), None);
        assert_eq!(m.averages[1], -87.5);
        assert_eq!(m.take(400, &[-90.0, -80.0], 0, &config), None);
        assert_eq!(m.entered, Some((1, 400)));
        assert_eq!(m.take(600, &[-90.0, -80.0], 0, &config), None);
        assert_eq!(m.take(800, &[-90.0, -80.0], 0, &config), Some(1));
        // A dip ends it.
        assert_eq!(m.take(1000, &[-60.0, -80.0], 0, &config), None);
        assert_eq!(m.entered, None);
    }
}
