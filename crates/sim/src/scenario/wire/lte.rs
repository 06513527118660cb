//! LTE networks.

use super::declared::Declared;
use super::kinds::kinds;
use super::places::Place;
use super::propagation::{Frequency, NoFading, PathLoss, Power};
use super::scalar::{Rate, Size, Time, choice};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An LTE network: one carrier, its eNodeBs and UEs, and the core between them and a gateway.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lte {
    /// Its name in results; default "lte0", "lte1", ... by position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The node where packets enter the network from outside and leave it (S-GW and P-GW in one).
    pub gateway: String,
    /// Nodes that are UEs, one or more, each of which has a place.
    pub ue: Vec<String>,
    /// eNodeBs, one cell each, one or more. They are no nodes.
    pub enb: Vec<Enb>,
    /// Width of the carrier, each way; default "5MHz".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bandwidth: Option<Bandwidth>,
    /// Resource blocks that data may use, downlink; default all that `granularity` allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub blocks: Option<u32>,
    /// In what units the downlink allocates resource blocks; default "groups".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub granularity: Option<Granularity>,
    /// OFDM symbols of a subframe for control, 1 to 3; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 3))]
    pub control_symbols: Option<u32>,
    /// By what MIMO multiplies transport blocks, 1 to 2; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 2))]
    pub mimo: Option<f64>,
    /// Who gets the downlink's blocks; default "proportional-fair".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheduler: Option<Scheduler>,
    /// Subframes over which "proportional-fair" takes the average of what a UE had; default 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub scheduler_window: Option<u32>,

    /// How the mean power falls with distance; default { kind = "friis" }.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub propagation: Option<PathLoss>,
    /// Carrier frequency; default "2120MHz", in band 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency: Option<Frequency>,
    /// Gain of senders' antennas, dB; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tx_gain: Option<f64>,
    /// Gain of receivers' antennas, dB; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rx_gain: Option<f64>,
    /// Losses of the equipment, dB; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_loss: Option<f64>,
    /// Height of antennas above their places, metres; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub antenna_height: Option<f64>,
    /// Shorter distances count as this one, metres; default 0.5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum_distance: Option<f64>,
    /// Speed of light in the formulas, m/s; default 299792458.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub light_speed: Option<f64>,
    /// Standard deviation of the shadowing that each eNodeB and UE keep for the run, dB; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shadowing: Option<f64>,
    /// Multipath that changes from subframe to subframe; default { kind = "none" }.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fading: Option<LteFading>,
    /// Noise figure of UEs' receivers, dB; default 9.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ue_noise_figure: Option<f64>,
    /// Distance from capacity at which one transport block in ten fails, dB; default 2.5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_gap: Option<f64>,
    /// How much more quality divides the odds of an error by e, dB; default 0.25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_slope: Option<f64>,

    /// From one report of channel quality to the next, whole milliseconds; default "5ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cqi_period: Option<Time>,
    /// Age of a report when it is first used, whole milliseconds; default "6ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cqi_delay: Option<Time>,
    /// Most transmissions of a transport block, the first included, both ways; 1: no HARQ; default 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub transmissions: Option<u32>,
    /// From the end of a subframe to what was received in it, whole milliseconds, "1ms" to "3ms"; default "2ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processing: Option<Time>,
    /// Radio link control, both ways; default { mode = "um" } with room for 1 MB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rlc: Option<Rlc>,
    /// The uplink.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uplink: Option<Uplink>,
    /// The links between the gateway and each eNodeB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub s1: Option<Backhaul>,
    /// Handover of UEs that move; default { kind = "a3" }.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handover: Option<Handover>,
}

kinds! {
    /// Fast fading: a delay profile of TS 36.101.
    LteFading, "fading" {
        /// None.
        "none" => None(NoFading),
        /// Extended Pedestrian A: 410 ns, nearly flat.
        "epa" => Epa(Profile),
        /// Extended Vehicular A: 2.5 us.
        "eva" => Eva(Profile),
        /// Extended Typical Urban: 5 us, very selective.
        "etu" => Etu(Profile),
    }
}

/// A delay profile.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The greatest Doppler shift, Hz: speed over wavelength; default 5 for "epa", 70 for "eva", 300 for "etu".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doppler: Option<f64>,
}

kinds! {
    /// Handover between eNodeBs.
    Handover, "handover" {
        /// A UE stays in the cell that was best at the start.
        "none" => None(NoHandover),
        /// To a cell that is better than its own for a time (event A3 of TS 36.331).
        "a3" => A3(A3),
    }
}

/// No handover.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoHandover {}

/// Handover by event A3. Times are whole milliseconds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct A3 {
    /// By how much a cell is better, dB; default 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<f64>,
    /// By how much more, dB; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hysteresis: Option<f64>,
    /// For how long; default "256ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_to_trigger: Option<Time>,
    /// From one measurement to the next; default "200ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<Time>,
    /// k of the average: a measurement counts 2^(-k/4); default 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<u32>,
    /// From the report to the command; default "20ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preparation: Option<Time>,
    /// From the command until the UE is in the new cell; default "30ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interruption: Option<Time>,
    /// From then until packets come to the new cell directly; default "20ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_switch: Option<Time>,
    /// Whether packets are forwarded over X2; default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forwarding: Option<bool>,
    /// The X2 link out of each eNodeB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x2: Option<Backhaul>,
}

/// An eNodeB.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table: { name = \"enb1\", position = [0, 0, 30] }")]
pub struct Enb {
    /// Its name in results; default "enb0", "enb1", ... by position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where its antenna is, metres.
    pub position: Place,
    /// Power of its downlink over the whole band; default "30dBm".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power: Option<Power>,
    /// Noise figure of its receiver, dB; default 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise_figure: Option<f64>,
}

/// Radio link control.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table: { mode = \"um\", buffer = \"10240B\" }")]
pub struct Rlc {
    /// Whether what HARQ gives up is sent again; default "um".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<RlcMode>,
    /// Room for packets that wait for their first transmission; default "1000000B".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer: Option<Size>,
    /// PDCP header; default "2B".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pdcp_header: Option<Size>,
    /// How long HARQ may take to bring a PDU that is missing, whole milliseconds; default "35ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reordering: Option<Time>,
    /// Of "um": bits of a sequence number, 5 or 10; default 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequence_bits: Option<u32>,
    /// Of "am": a poll without answer is repeated after this, whole milliseconds; default "45ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub poll_retransmit: Option<Time>,
    /// Of "am": a poll with every so-many-th PDU; default 16.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub poll_pdus: Option<u32>,
    /// Of "am": a poll after so many bytes; default "25000B".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub poll_bytes: Option<Size>,
    /// Of "am": how often a PDU is sent again before it is given up; default 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub retransmissions: Option<u32>,
    /// Of "am": least time between two status reports, whole milliseconds; default "10ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status_prohibit: Option<Time>,
}

/// The uplink.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table: { request_period = \"5ms\" }")]
pub struct Uplink {
    /// Power of a UE, spread over the blocks that it sends in; default "23dBm".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power: Option<Power>,
    /// From one chance of a scheduling request to the next: 1, 2, 5, 10, 20, 40 or 80 ms; default "1ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_period: Option<Time>,
    /// How the eNodeB learns what waits in UEs, and what it grants; default "requested".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grants: Option<Grants>,
    /// Of "requested": what the first grant has room for; default "512B".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_grant: Option<Size>,
    /// Blocks at the band's edges that control takes; default 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_blocks: Option<u32>,
    /// Whether UEs send by 64QAM; default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qam64: Option<bool>,
    /// What other cells' UEs add to the noise at an eNodeB, dB; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise_rise: Option<f64>,
}

/// The link between the gateway and an eNodeB, each way, with tunnels (GTP-U) over IP.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table: { rate = \"1Gbps\", delay = \"5ms\" }")]
pub struct Backhaul {
    /// Its rate; default "10Gbps".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Its delay; default "0s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<Time>,
    /// Room in its queues; default { packets = 1000 }.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<Declared<net::queue::drop_tail::Config>>,
}

choice! {
    /// Width of a carrier.
    Bandwidth as "LteBandwidth" for lte::bandwidth::Bandwidth {
        Mhz1_4 = "1.4MHz": "6 resource blocks",
        Mhz3 = "3MHz": "15 resource blocks",
        Mhz5 = "5MHz": "25 resource blocks",
        Mhz10 = "10MHz": "50 resource blocks",
        Mhz15 = "15MHz": "75 resource blocks",
        Mhz20 = "20MHz": "100 resource blocks",
    }
}

choice! {
    /// How an eNodeB learns what waits in UEs, and what it grants.
    Grants as "LteGrants" for lte::config::Grants {
        Requested = "requested": "a request, a first grant, then what reports in the blocks ask for",
        Shares = "shares": "new data is known at once; equal shares of the whole band, filled or not (ns-3)",
    }
}

choice! {
    /// In what units the downlink allocates resource blocks.
    Granularity as "LteGranularity" for lte::bandwidth::Granularity {
        Blocks = "blocks": "single blocks",
        Groups = "groups": "groups of blocks; the last may be smaller",
        WholeGroups = "whole-groups": "groups of one size only, what is left over stays unused (ns-3)",
    }
}

/// A scheduler by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SchedulerName {
    /// Blocks to all in turn.
    RoundRobin,
    /// Whoever's rate is highest against what it had.
    ProportionalFair,
    /// Whoever's rate is highest.
    MaxCi,
}

choice! {
    /// Who gets the downlink's blocks.
    Scheduler as "LteScheduler" for SchedulerName {
        RoundRobin = "round-robin": "all in turn",
        ProportionalFair = "proportional-fair": "whoever's rate is highest against what it had",
        MaxCi = "max-ci": "whoever's rate is highest",
    }
}

/// A mode of radio link control by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModeName {
    /// Unacknowledged.
    Um,
    /// Acknowledged.
    Am,
}

choice! {
    /// A mode of radio link control.
    RlcMode as "RlcMode" for ModeName {
        Um = "um": "unacknowledged: what HARQ gives up is lost",
        Am = "am": "acknowledged: what HARQ gives up is sent again",
    }
}
