//! Profiles: values of the settings that are not given.

use crate::amc::{Adaptation, ErrorModel, Reported};
use crate::bandwidth::Granularity;
use crate::config::{A3, Config, Grants, Handover, Tables};
use settings::Choice;

/// The profile that gives the values of settings that are not given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Choice)]
pub enum Profile {
    /// the specifications of 3GPP as they are read here
    #[default]
    #[setting(name = "3gpp")]
    ThreeGpp,
    /// the behaviour of ns-3.37
    Ns3,
}

impl Config {
    /// Returns the configuration with the values of `profile` in the groups that differ by it.
    #[must_use]
    pub fn like(mut self, profile: Profile) -> Self {
        if profile == Profile::Ns3 {
            // Its schedulers leave the rest of the last group unused.
            self.carrier.granularity = Granularity::WholeGroups;
            self.reception.error_model = ErrorModel::Miesm;
            self.reception.idle_interference = false;
            self.reception.control_errors = true;
            self.reception.noise_density = Some(-174.0);
            self.cqi.adaptation = Adaptation::Miesm;
            // A30 reports, of the sub-bands, are what its proportional fair scheduler reads.
            self.cqi.reported = Reported::SubBand;
            self.multiplexing.separate_status_block = true;
        }
        self
    }
}

impl Tables {
    /// Returns the tables with the values of `profile` for these kinds and modes. Sizes of buffers and powers stay as
    /// they are.
    #[must_use]
    pub fn like(mut self, profile: Profile) -> Self {
        if profile == Profile::Ns3 {
            self.rlc = self.rlc.like_ns3();
            self.uplink.grants = Grants::Shares;
            // EARFCN 18100, ns-3's default; its downlink is at 2.12 GHz.
            self.uplink.frequency = Some(1.93e9);
            // It leaves no blocks to PUCCH, and its UEs send 64QAM.
            self.uplink.control_blocks = 0;
            self.uplink.qam64 = true;
            if let Handover::A3(a3) = &mut self.handover {
                *a3 = like_ns3(*a3);
            }
        }
        self
    }
}

/// Returns the timing of ns-3's handover with RRC messages that take no resources. The report goes out when the time to
/// trigger is over, and the UE leaves at once. It is in the new cell 6 subframes later, and from then on packets take
/// the new path.
fn like_ns3(a3: A3) -> A3 {
    A3 {
        offset: 0.0,
        hysteresis: 3.0,
        preparation: 0,
        interruption: 6,
        path_switch: 0,
        keep_waiting: false,
        ..a3
    }
}
