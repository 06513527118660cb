//! Handover between eNodeBs (TS 36.331, section 5.5; TS 36.300, section 10.1.2).
//!
//! UEs that move measure the reference signals of all cells at a fixed period and average the results (section
//! 5.5.3.2). Event A3 holds while another cell is better than the serving cell by offset and hysteresis. A UE reports
//! A3 when it has held in every measurement during the time to trigger (sections 5.5.4.1 and 5.5.4.4). The eNodeB
//! then prepares the other eNodeB over X2 and sends the handover command. From the command until it is attached to
//! the new cell, the UE neither sends nor receives.
//!
//! Packets of the UE in the old cell are forwarded or lost:
//!
//! - Downlink packets that wait at the command, and those that arrive before the path switch, are forwarded over X2.
//!   Without `forwarding` they are lost (cause `handover`); without `keep_waiting` those that wait at the command are
//!   lost. In acknowledged mode the same holds for packets that were sent but not acknowledged. In unacknowledged mode
//!   a packet of which some part has been sent is always lost.
//! - With `keep_waiting`, uplink packets of which nothing has been sent stay in the UE. Other uplink packets are
//!   treated as in the downlink.
//! - After the path switch, packets on the new path are held until those on the old path have arrived (end marker of
//!   TS 36.300, section 10.1.2.2).
//!
//! The durations of the procedure are parameters; signalling is not sent as packets. Left out: failures of handovers
//! and of radio links, PDCP status reports (packets received out of order are sent again), and handover for load
//! balancing.

use crate::air::AirInterface;
use crate::config::{A3, Handover};
use crate::subframe::Tti;
use crate::timers::Timer;

/// Measurements of one UE.
#[derive(Clone, Debug, Default)]
struct Measurements {
    /// Filtered received power of each cell, dBm per resource block.
    averages: Vec<f64>,
    /// Cell for which A3 holds, and the subframe since which it has held.
    entered: Option<(usize, Tti)>,
    /// True while a handover is being prepared or carried out.
    busy: bool,
}

impl Measurements {
    /// Adds the measurement of subframe `now`, the `powers` of all cells in dBm; returns true if A3 begins to hold
    /// for a cell.
    fn take(&mut self, now: Tti, powers: &[f64], serving: usize, config: &A3) -> bool {
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
        self.entered.is_some_and(|(_, since)| since == now)
    }

    /// Returns the cell for which A3 has held since subframe `since`; `None` if A3 has ceased, or if a handover is
    /// under way.
    fn held(&self, since: Tti) -> Option<usize> {
        let (cell, entered) = self.entered?;
        (entered == since && !self.busy).then_some(cell)
    }
}

/// Handover decisions, from the measurements of all UEs.
#[derive(Clone, Debug)]
pub(crate) struct Handovers {
    config: Handover,
    ues: Vec<Measurements>,
}

impl Handovers {
    /// Creates the state and starts the measurements of all UEs that move, if there is more than one cell.
    pub(crate) fn new(config: Handover, cells: usize, air: &mut AirInterface) -> Self {
        if let Some(handover) = config.a3().filter(|_| cells > 1) {
            for ue in 0..air.users.len() as u32 {
                if air.users[ue as usize].moves() {
                    air.timers.start(handover.period.into(), ue, Timer::Measure);
                }
            }
        }
        Self { config, ues: vec![Measurements::default(); air.users.len()] }
    }

    /// Measures all cells at UE `ue` and starts the time to trigger if A3 begins to hold.
    pub(crate) fn measure(&mut self, now: Tti, ue: u32, air: &mut AirInterface) {
        let Some(handover) = self.config.a3() else { return };
        air.timers.start(now + Tti::from(handover.period), ue, Timer::Measure);
        air.follow(now, ue);
        let measurements = &mut self.ues[ue as usize];
        if measurements.busy {
            return;
        }
        let powers = air.channel.powers(ue as usize);
        if measurements.take(now, &powers, air.users[ue as usize].cell, handover) {
            let over = now + Tti::from(handover.time_to_trigger);
            air.timers.start(over, ue, Timer::Trigger { since: now });
        }
    }

    /// Starts the preparation of a handover of UE `ue` if A3, which began to hold in subframe `since`, still holds at
    /// the end of the time to trigger.
    pub(crate) fn trigger(&mut self, now: Tti, ue: u32, since: Tti, air: &mut AirInterface) {
        let Some(handover) = self.config.a3() else { return };
        let measurements = &mut self.ues[ue as usize];
        if let Some(cell) = measurements.held(since) {
            measurements.busy = true;
            air.timers.start(now + Tti::from(handover.preparation), ue, Timer::Command { cell });
        }
    }

    /// Records that UE `ue` leaves its cell, and starts the interruption.
    pub(crate) fn leave(&mut self, now: Tti, ue: u32, air: &mut AirInterface) {
        let Some(handover) = self.config.a3() else { return };
        self.ues[ue as usize] = Measurements { busy: true, ..Measurements::default() };
        air.stats.ues[ue as usize].handovers += 1;
        air.timers.start(now + Tti::from(handover.interruption), ue, Timer::Attach);
    }

    /// Records that UE `ue` is attached to its new cell, and starts the path switch.
    pub(crate) fn attach(&mut self, now: Tti, ue: u32, air: &mut AirInterface) {
        let Some(handover) = self.config.a3() else { return };
        self.ues[ue as usize].busy = false;
        air.timers.start(now + Tti::from(handover.path_switch), ue, Timer::Switch);
    }

    /// Returns true if the old eNodeB forwards packets over X2.
    pub(crate) fn forwarding(&self) -> bool {
        self.config.a3().is_some_and(|handover| handover.forwarding)
    }

    /// Returns true if packets that wait for transmission at the handover command go on in the new cell.
    pub(crate) fn keeps_waiting(&self) -> bool {
        self.config.a3().is_some_and(|handover| handover.keep_waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The filter with k = 4 moves the average by half of the difference. A3 triggers once its condition has held for the whole time to trigger.
    #[test]
    fn a3_needs_time() {
        let config = A3 { offset: 2.0, hysteresis: 1.0, time_to_trigger: 400, ..A3::default() };
        let mut m = Measurements::default();
        assert!(!m.take(0, &[-90.0, -95.0], 0, &config));
        // The other cell rises to -80 dBm: its averages are -87.5, then -83.75 dBm, above -87 dBm from 400 ms on.
        assert!(!m.take(200, &[-90.0, -80.0], 0, &config));
        assert_eq!(m.averages[1], -87.5);
        assert!(m.take(400, &[-90.0, -80.0], 0, &config));
        assert_eq!(m.held(400), Some(1));
        assert!(!m.take(600, &[-90.0, -80.0], 0, &config));
        assert_eq!(m.held(400), Some(1));
        // A dip resets the time to trigger, which starts anew when the condition holds again.
        assert!(!m.take(800, &[-60.0, -80.0], 0, &config));
        assert_eq!((m.held(400), m.held(800)), (None, None));
        while !m.take(1000, &[-120.0, -80.0], 0, &config) {}
        assert_eq!((m.held(400), m.held(1000)), (None, Some(1)));
    }
}
