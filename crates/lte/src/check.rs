//! Checks of a configuration: settings against one another, and stations. Bounds of a single setting are declared
//! with the setting.

use crate::amc::Direction;
use crate::channel::Channel;
use crate::config::{Config, Reception};
use crate::fading;
use radio::mobility::Config as Mobility;
use radio::propagation;
use settings::Error;

impl Config {
    /// Checks that the configuration can be simulated.
    ///
    /// # Errors
    /// If there is no eNodeB or no UE, at the first setting that contradicts another, or at the first UE that no cell
    /// can serve.
    pub fn check(&self) -> Result<(), Error> {
        if self.enbs.is_empty() {
            return Err(Error::new("enb", "a network needs at least one eNodeB"));
        }
        if self.ues.is_empty() {
            return Err(Error::new("ue", "a network needs at least one UE"));
        }
        self.check_carrier()?;
        self.check_channel()?;
        self.check_coverage()
    }

    fn check_carrier(&self) -> Result<(), Error> {
        let (bandwidth, band) = (self.carrier.bandwidth, self.carrier.bandwidth.blocks());
        if let Some(blocks) = self.carrier.blocks
            && !(1..=band).contains(&blocks)
        {
            let message = format!("{blocks}: {} has 1 to {band} resource blocks", bandwidth.name());
            return Err(Error::new("blocks", message));
        }
        let control = self.uplink.control_blocks;
        if control >= band {
            let message = format!("{control} is not from 0 to {}", band - 1);
            return Err(Error::new("uplink.control_blocks", message));
        }
        Ok(())
    }

    fn check_channel(&self) -> Result<(), Error> {
        self.propagation.check()?;
        for (i, ue) in self.ues.iter().enumerate() {
            ue.mobility.check().map_err(|e| e.under(&format!("ue.{i}.mobility")))?;
        }
        Ok(())
    }

    /// Checks for every UE that does not move that some cell can serve it. While the other cells send no
    /// data, and without shadowing and fading, the downlink must allow CQI 1, and the uplink the lowest MCS
    /// in one resource block.
    fn check_coverage(&self) -> Result<(), Error> {
        let propagation = propagation::Config { shadowing: 0.0, ..self.propagation.clone() };
        let reception = Reception { fading: fading::Config::None, ..self.reception };
        let plain = Self { propagation, reception, ..self.clone() };
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
                return Err(Error::new(field, message));
            }
            let quality = channel.uplink(i, cell, 0, 1);
            if up.best(quality).is_none() {
                let message = format!(
                    "out of range: {} reaches {} with {:.1} dB",
                    ue.name,
                    self.enbs[cell].name,
                    db(quality)
                );
                return Err(Error::new(field, message));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bandwidth::Bandwidth;
    use crate::config::{Carrier, Enb, Ue};
    use radio::Position;

    fn config() -> Config {
        Config { enbs: vec![Enb::default()], ues: vec![Ue::default()], ..Config::default() }
    }

    #[test]
    fn problems_name_the_field() {
        assert_eq!(config().check(), Ok(()));
        type Spoil = fn(&mut Config);
        let spoils: [(&str, Spoil); 6] = [
            ("enb", |c| c.enbs.clear()),
            ("ue", |c| c.ues.clear()),
            ("blocks", |c| c.carrier.blocks = Some(26)),
            ("uplink.control_blocks", |c| c.uplink.control_blocks = 25),
            ("light_speed", |c| c.propagation.light_speed = 150.0),
            ("ue.0.position", |c| c.ues[0].position = Position::new(1e6, 0.0, 0.0)),
        ];
        for (field, spoil) in spoils {
            let mut config = config();
            spoil(&mut config);
            assert_eq!(config.check().expect_err(field).path, field);
        }
    }

    #[test]
    fn more_blocks_than_the_band() {
        let carrier = Carrier { bandwidth: Bandwidth::Mhz3, blocks: Some(25), ..Carrier::default() };
        let config = Config { carrier, ..config() };
        let problem = config.check().expect_err("too many");
        assert_eq!(problem.message, "25: 3MHz has 1 to 15 resource blocks");
    }

    /// A UE that receives the cell may still be too weak for the eNodeB to receive its uplink; such a scenario is refused.
    #[test]
    fn both_ways_must_reach() {
        let mut config = config();
        config.ues[0].position = Position::new(20_000.0, 0.0, 0.0);
        assert_eq!(config.check(), Ok(()));
        config.uplink.power = -20.0;
        assert!(config.check().expect_err("too weak").message.starts_with("out of range"));
    }
}
