//! Profiles: values of the settings that are not given.

use crate::amc::{Adaptation, ErrorModel, Reported};
use crate::bandwidth::{Allocation, Granularity};
use crate::config::{A3, Config, Grants, Handover, Tables};
use settings::Choice;

/// Profile: the source of the values of settings that are not given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Choice)]
pub enum Profile {
    /// the 3GPP specifications, as interpreted in this crate
    #[default]
    #[setting(name = "3gpp")]
    ThreeGpp,
    /// the behaviour of ns-3.37
    Ns3,
}

impl Config {
    /// Returns the configuration with the values of `profile` in those groups of settings that depend on it.
    #[must_use]
    pub fn like(mut self, profile: Profile) -> Self {
        if profile == Profile::Ns3 {
            // ns-3's schedulers leave the smaller last resource block group unused.
            self.carrier.granularity = Granularity::WholeGroups;
            // ns-3's schedulers check only that a UE has data, not how much: a UE with a single packet gets its full
            // share of the subframe.
            self.carrier.allocation = Allocation::Full;
            self.reception.error_model = ErrorModel::MiesmNs3;
            self.reception.idle_interference = false;
            self.reception.control_errors = true;
            self.reception.noise_density = Some(-174.0);
            self.cqi.adaptation = Adaptation::Miesm;
            // ns-3's proportional fair scheduler reads the sub-band reports (mode A30).
            self.cqi.reported = Reported::SubBand;
            self.multiplexing.separate_status_block = true;
        }
        self
    }
}

impl Tables {
    /// Returns the tables with the values of `profile` for the kind and mode that they have. Buffer sizes and powers
    /// are not changed.
    #[must_use]
    pub fn like(mut self, profile: Profile) -> Self {
        if profile == Profile::Ns3 {
            self.rlc = self.rlc.like_ns3();
            self.uplink.grants = Grants::Shares;
            // Uplink frequency of EARFCN 18100, ns-3's default; the downlink that belongs to it is at 2.12 GHz.
            self.uplink.frequency = Some(1.93e9);
            // ns-3 reserves no resource blocks for PUCCH, and its UEs send 64QAM.
            self.uplink.control_blocks = 0;
            self.uplink.qam64 = true;
            if let Handover::A3(a3) = &mut self.handover {
                *a3 = like_ns3(*a3);
            }
        }
        self
    }
}

/// Returns `a3` with the timing of ns-3's handover, whose RRC messages take no resources. The UE reports at the end of
/// the time to trigger and leaves its cell at once. It is attached to the new cell 6 subframes later; from then on the
/// gateway sends its packets there.
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
