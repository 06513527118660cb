//! What is wrong with a configuration.

use crate::amc::Direction;
use crate::channel::Channel;
use crate::config::Config;
use crate::rlc::Mode;
use crate::scheduler::Scheduler;
use radio::mobility::Config as Mobility;
use radio::propagation::{self, Fading};
use std::fmt;

/// What is wrong with a configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The field, like `ue.2.position`, as in [`Config`].
    pub field: String,
    /// What it is and what is allowed.
    pub message: String,
}

impl Problem {
    fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl std::error::Error for Problem {}

/// Periods that a scheduling request can have, ms (TS 36.213, table 10.1.5-1).
const REQUEST_PERIODS: [u32; 7] = [1, 2, 5, 10, 20, 40, 80];

fn within<T: PartialOrd + fmt::Display>(field: &str, value: T, low: T, high: T) -> Result<(), Problem> {
    if value >= low && value <= high {
        return Ok(());
    }
    Err(Problem::new(field, format!("{value} is not from {low} to {high}")))
}

impl Config {
    /// Whether it can be simulated.
    pub fn check(&self) -> Result<(), Problem> {
        if self.enbs.is_empty() {
            return Err(Problem::new("enb", "a network needs at least one eNodeB"));
        }
        if self.ues.is_empty() {
            return Err(Problem::new("ue", "a network needs at least one UE"));
        }
        self.check_radio()?;
        self.check_protocols()?;
        self.check_coverage()
    }

    fn check_radio(&self) -> Result<(), Problem> {
        let band = self.bandwidth.blocks();
        if let Some(blocks) = self.blocks
            && !(1..=band).contains(&blocks)
        {
            let message = format!("{blocks}: {} has 1 to {band} resource blocks", self.bandwidth.name());
            return Err(Problem::new("blocks", message));
        }
        within("control_symbols", self.control_symbols, 1, 3)?;
        within("mimo", self.mimo, 1.0, 2.0)?;
        within("curve.gap_db", self.curve.gap_db, 0.0, 30.0)?;
        within("curve.slope_db", self.curve.slope_db, 0.01, 30.0)?;
        within("cqi.period", self.cqi.period, 1, 160)?;
        within("cqi.delay", self.cqi.delay, 1, 1000)?;
        within("uplink.control_blocks", self.uplink.control_blocks, 0, band - 1)?;
        within("uplink.power", self.uplink.power, -40.0, 23.0)?;
        within("uplink.noise_rise", self.uplink.noise_rise, 0.0, 100.0)?;
        within("ue_noise_figure", self.ue_noise_figure, 0.0, 100.0)?;
        for (i, enb) in self.enbs.iter().enumerate() {
            within(&format!("enb.{i}.power"), enb.power, -100.0, 100.0)?;
            within(&format!("enb.{i}.noise_figure"), enb.noise_figure, 0.0, 100.0)?;
        }
        if let Some(fading) = self.fading {
            within("fading.doppler", fading.doppler, 0.0, 2000.0)?;
        }
        self.propagation
            .check()
            .map_err(|invalid| Problem::new(format!("propagation.{}", invalid.field), invalid.problem))?;
        if self.propagation.fading != Fading::None {
            return Err(Problem::new(
                "propagation.fading",
                "LTE fades by subframe: give `fading` of the network",
            ));
        }
        for (i, ue) in self.ues.iter().enumerate() {
            ue.mobility.check().map_err(|invalid| {
                Problem::new(format!("ue.{i}.mobility.{}", invalid.field), invalid.problem)
            })?;
        }
        Ok(())
    }

    fn check_protocols(&self) -> Result<(), Problem> {
        within("transmissions", self.transmissions, 1, 8)?;
        within("processing", self.processing, 1, 3)?;
        within("uplink.first_grant", self.uplink.first_grant, 16, 9_000)?;
        if !REQUEST_PERIODS.contains(&self.uplink.request_period) {
            let given = self.uplink.request_period;
            return Err(Problem::new(
                "uplink.request_period",
                format!("{given} ms is none of {REQUEST_PERIODS:?}"),
            ));
        }
        if let Scheduler::ProportionalFair { window } = self.scheduler {
            within("scheduler.window", window, 1, 1_000_000)?;
        }
        within("rlc.pdcp_header", self.rlc.pdcp_header, 1, 3)?;
        within("rlc.buffer", self.rlc.buffer, 1, u64::MAX)?;
        match self.rlc.mode {
            Mode::Um(um) => within("rlc.reordering", um.reordering, 0, 1600)?,
            Mode::Am(am) => {
                within("rlc.reordering", am.reordering, 0, 1600)?;
                within("rlc.poll_retransmit", am.poll_retransmit, 5, 4000)?;
                within("rlc.poll_pdus", am.poll_pdus, 1, 511)?;
                within("rlc.poll_bytes", am.poll_bytes, 1, u32::MAX)?;
                within("rlc.retransmissions", am.retransmissions, 1, 32)?;
                within("rlc.status_prohibit", am.status_prohibit, 0, 2400)?;
            }
        }
        if let Some(handover) = self.handover {
            within("handover.offset", handover.offset, -15.0, 15.0)?;
            within("handover.hysteresis", handover.hysteresis, 0.0, 15.0)?;
            within("handover.time_to_trigger", handover.time_to_trigger, 0, 5120)?;
            within("handover.period", handover.period, 1, 10_000)?;
            within("handover.filter", handover.filter, 0, 19)?;
            within("handover.preparation", handover.preparation, 0, 10_000)?;
            within("handover.interruption", handover.interruption, 1, 10_000)?;
            within("handover.path_switch", handover.path_switch, 0, 10_000)?;
        }
        Ok(())
    }

    /// Every UE that stays where it is can be reached by a cell, and reach it: CQI 1 without interference, and the lowest scheme in one
    /// uplink block. Shadowing, which is drawn, does not count.
    fn check_coverage(&self) -> Result<(), Problem> {
        let propagation = propagation::Config { shadowing: 0.0, ..self.propagation.clone() };
        let plain = Self { propagation, fading: None, ..self.clone() };
        let mut channel = Channel::new(&plain, 0, "");
        let down = self.amc(Direction::Down);
        let up = self.amc(Direction::Up);
        for (i, ue) in self.ues.iter().enumerate().filter(|(_, ue)| ue.mobility == Mobility::Constant) {
            channel.set_position(i, ue.position);
            let cell = channel.strongest(i);
            let quality = channel.downlink(i, cell, 0, |_| 0.0);
            let field = format!("ue.{i}.position");
            let db = |quality: f64| radio::power::decibels(quality);
            if down.cqi(quality) == 0 {
                let message = format!(
                    "no cell in range: the strongest, {}, reaches {} with {:.1} dB, below CQI 1",
                    self.enbs[cell].name,
                    ue.name,
                    db(quality)
                );
                return Err(Problem::new(field, message));
            }
            let quality = channel.uplink(i, cell, 0, 1);
            if up.best(quality).is_none() {
                let message = format!(
                    "out of range: {} reaches {} with {:.1} dB",
                    ue.name,
                    self.enbs[cell].name,
                    db(quality)
                );
                return Err(Problem::new(field, message));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bandwidth::Bandwidth;
    use crate::config::{Enb, Ue};
    use radio::Position;

    fn config() -> Config {
        Config { enbs: vec![Enb::default()], ues: vec![Ue::default()], ..Config::default() }
    }

    #[test]
    fn problems_name_the_field() {
        assert_eq!(config().check(), Ok(()));
        type Spoil = fn(&mut Config);
        let spoils: [(&str, Spoil); 9] = [
            ("enb", |c| c.enbs.clear()),
            ("ue", |c| c.ues.clear()),
            ("blocks", |c| c.blocks = Some(26)),
            ("control_symbols", |c| c.control_symbols = 4),
            ("uplink.request_period", |c| c.uplink.request_period = 3),
            ("mimo", |c| c.mimo = 4.0),
            ("propagation.fading", |c| c.propagation.fading = Fading::Rayleigh),
            ("ue.0.position", |c| c.ues[0].position = Position::new(1e6, 0.0, 0.0)),
            ("handover.filter", |c| c.handover.as_mut().expect("on by default").filter = 20),
        ];
        for (field, spoil) in spoils {
            let mut config = config();
            spoil(&mut config);
            assert_eq!(config.check().expect_err(field).field, field);
        }
    }

    #[test]
    fn more_blocks_than_the_band() {
        let config = Config { bandwidth: Bandwidth::Mhz3, blocks: Some(25), ..config() };
        let problem = config.check().expect_err("too many");
        assert_eq!(problem.to_string(), "blocks: 25: 3MHz has 1 to 15 resource blocks");
    }

    /// A UE that hears the cell may still be too weak to be heard.
    #[test]
    fn both_ways_must_reach() {
        let mut config = config();
        config.ues[0].position = Position::new(20_000.0, 0.0, 0.0);
        assert_eq!(config.check(), Ok(()));
        config.uplink.power = -20.0;
        assert!(config.check().expect_err("too weak").message.starts_with("out of range"));
    }
}
