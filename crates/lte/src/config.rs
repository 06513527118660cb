//! Settings of an LTE network, in groups, and its stations.

use crate::amc::{Adaptation, Amc, Carried, Curve, Direction, ErrorModel, Reported};
use crate::bandwidth::{Allocation, Bandwidth, Granularity};
use crate::fading;
use crate::forms::Subframes;
pub use crate::profile::Profile;
use crate::rlc::{self, SUBHEADER};
use crate::scheduler::Scheduler;
use base::{DataRate, Duration};
use net::queue::drop_tail;
use radio::quantity::{Frequency, Power};
use radio::{Position, mobility, propagation};
use settings::Size;
use settings::{Choice, Error, Kinds, Settings};

/// An LTE network: one carrier, its eNodeBs and UEs, and the core network. The fields are plain values;
/// [`Config::check`] checks them against one another.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// eNodeBs, one cell each.
    pub enbs: Vec<Enb>,
    /// UEs; UE number n (from 0) is station n + 1.
    pub ues: Vec<Ue>,
    /// Carrier, and allocation of its downlink.
    pub carrier: Carrier,
    /// Path loss and shadowing, the same in both directions except for the frequency ([`Uplink::frequency`]).
    pub propagation: propagation::Config,
    /// Fast fading, noise and block errors.
    pub reception: Reception,
    /// CQI reports.
    pub cqi: Cqi,
    /// Hybrid ARQ.
    pub harq: Harq,
    /// Multiplexing of PDUs into transport blocks.
    pub multiplexing: Multiplexing,
    /// RLC, the same for every UE and in both directions.
    pub rlc: rlc::Config,
    /// Uplink.
    pub uplink: Uplink,
    /// Links between the gateway and each eNodeB.
    pub s1: Backhaul,
    /// Handover of UEs that move.
    pub handover: Handover,
}

impl Default for Config {
    /// Returns a carrier of 5 MHz at 2.12 GHz (band 1) without eNodeBs or UEs.
    fn default() -> Self {
        Self {
            enbs: Vec::new(),
            ues: Vec::new(),
            carrier: Carrier::default(),
            propagation: channel(),
            reception: Reception::default(),
            cqi: Cqi::default(),
            harq: Harq::default(),
            multiplexing: Multiplexing::default(),
            rlc: rlc::Config::default(),
            uplink: Uplink::default(),
            s1: Backhaul::default(),
            handover: Handover::default(),
        }
    }
}

/// Returns the default propagation, at the downlink frequency of band 1.
pub fn channel() -> propagation::Config {
    propagation::Config { frequency: 2.12e9, ..propagation::Config::default() }
}

/// Carrier, and allocation of its downlink.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Carrier {
    /// Bandwidth of the carrier, in each direction.
    #[setting(default = Bandwidth::Mhz5)]
    pub bandwidth: Bandwidth,
    /// Number of resource blocks of the downlink that may carry data.
    #[setting(absent = "all that `granularity` allows")]
    pub blocks: Option<u32>,
    /// Unit in which the downlink allocates resource blocks; "whole-groups" leaves the blocks of a smaller last group
    /// unused (ns-3).
    #[setting(default = Granularity::default())]
    pub granularity: Granularity,
    /// Blocks that the scheduler of the downlink gives a UE that has data; "full" takes no account of how much data waits (ns-3).
    #[setting(default = Allocation::default())]
    pub allocation: Allocation,
    /// OFDM symbols of the control region in each subframe (CFI); with a bandwidth of 1.4 MHz one more.
    #[setting(default = 1, range = 1..=3, source = "TS 36.211, table 6.7-1")]
    pub control_symbols: u32,
    /// Factor by which MIMO multiplies the size of transport blocks: 1 is one antenna on each side, 2 is the most
    /// that 2x2 MIMO can give.
    #[setting(default = 1.0, range = 1.0..=2.0)]
    pub mimo: f64,
    /// Scheduler of the downlink.
    #[setting(flatten)]
    pub scheduler: Scheduler,
}

/// Fast fading, noise and block errors.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Reception {
    /// Multipath fading, which changes from subframe to subframe.
    #[setting(default = fading::Config::None)]
    pub fading: fading::Config,
    /// Noise figure of the UEs' receivers, dB.
    #[setting(default = 9.0, range = 0.0..=100.0)]
    pub ue_noise_figure: f64,
    /// Model of block errors as a function of the SINR.
    #[setting(default = ErrorModel::Capacity)]
    pub error_model: ErrorModel,
    /// Let a cell without data interfere by its reference signals (TS 36.211, section 6.10.1.2); false: such a cell
    /// does not interfere (ns-3).
    #[setting(default = true)]
    pub idle_interference: bool,
    /// Let UEs miss the control region (PDCCH) of a subframe at low SINR; in control regions every cell sends at full
    /// power. A transport block whose assignment is missed is lost without HARQ, and a missed grant is void (ns-3).
    #[setting(default = false)]
    pub control_errors: bool,
    /// Thermal noise density, without the receiver's noise figure, dBm/Hz.
    #[setting(range = -200.0..=-100.0, absent = "-173.975, at 290 K")]
    pub noise_density: Option<f64>,
    /// With "capacity": gap to Shannon capacity, and slope of the block error curves.
    #[setting(flatten)]
    pub curve: Curve,
}

/// Periodic CQI reports (TS 36.213, section 7.2). A report is 6 ms old when it is first used: it is sent in the
/// fourth subframe after the one measured, and then received and decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Cqi {
    /// Time between two CQI reports.
    #[setting(name = "cqi_period", default = 5, range = 1..=160, form = Subframes)]
    pub period: u32,
    /// Age of a CQI report when it is first used, counted from the subframe that was measured.
    #[setting(name = "cqi_delay", default = 6, range = 1..=1000, form = Subframes)]
    pub delay: u32,
    /// Rule that maps SINR to CQI, and CQI to MCS.
    #[setting(name = "link_adaptation", default = Adaptation::Capacity)]
    pub adaptation: Adaptation,
    /// Part of the band that a CQI report covers.
    #[setting(name = "cqi_of", default = Reported::Wideband)]
    pub reported: Reported,
}

/// Hybrid ARQ.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Harq {
    /// Most transmissions of a transport block in either direction, the first included; 1: no HARQ.
    #[setting(default = 4, range = 1..=8)]
    pub transmissions: u32,
    /// Time from the end of a subframe until its data is decoded. The ACK or NACK of HARQ is sent in the fourth
    /// subframe after the one with the data.
    #[setting(default = 2, range = 1..=3, form = Subframes, source = "TS 36.213, section 10.1")]
    pub processing: u32,
}

/// Multiplexing of PDUs into transport blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Multiplexing {
    /// Let an RLC status report take a transport block of its own (ns-3), instead of sharing one with data
    /// (TS 36.321, section 6.1.2). In the uplink this concerns only reports that had to wait for `status_prohibit`.
    #[setting(default = false, was = "status_alone")]
    pub separate_status_block: bool,
}

impl Multiplexing {
    /// Returns the bytes for data in a downlink transport block of `room` bytes after a status report of `size` bytes;
    /// 0 if status reports have transport blocks of their own.
    pub(crate) fn after_report(self, room: u32, size: u32) -> u32 {
        if self.separate_status_block { 0 } else { room.saturating_sub(size + SUBHEADER) }
    }

    /// Returns the bytes for data in an uplink transport block after a status report. A report that did not have to
    /// wait for t-StatusProhibit (10 ms) shares its block with data. So in ns-3.37 a saturated UE that receives a packet
    /// each 11 ms loses 2 % of its rate. With a packet each 9.5 ms it loses 10 %.
    pub(crate) fn after_report_up(self, room: u32, size: u32, waited: bool) -> u32 {
        if waited { self.after_report(room, size) } else { room.saturating_sub(size + SUBHEADER) }
    }
}

/// An eNodeB.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Enb {
    /// Name in messages and statistics.
    #[setting(skip, default = String::from("enb"))]
    pub name: String,
    /// Position of the antenna.
    #[setting(skip)]
    pub position: Position,
    /// Transmit power over the whole band.
    #[setting(default = 30.0, range = -100.0..=100.0, form = Power)]
    pub power: f64,
    /// Noise figure of the receiver, dB.
    #[setting(default = 5.0, range = 0.0..=100.0)]
    pub noise_figure: f64,
}

/// A UE.
#[derive(Clone, PartialEq, Debug)]
pub struct Ue {
    /// Name in messages and statistics.
    pub name: String,
    /// Position at the start.
    pub position: Position,
    /// Mobility model with its settings.
    pub mobility: mobility::Config,
}

impl Default for Ue {
    /// Returns a UE that stays at the origin.
    fn default() -> Self {
        Self { name: String::from("ue"), position: Position::default(), mobility: mobility::Config::Constant }
    }
}

/// Allowed periods of scheduling requests, ms (TS 36.213, table 10.1.5-1).
const REQUEST_PERIODS: [u32; 7] = [1, 2, 5, 10, 20, 40, 80];

/// Uplink.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(expecting = "a table: { request_period = \"5ms\" }", check)]
pub struct Uplink {
    /// Carrier frequency of the uplink (frequency-division duplex).
    #[setting(form = Frequency, absent = "`frequency`, as in time-division duplex")]
    pub frequency: Option<f64>,
    /// Transmit power of a UE, spread over the resource blocks in which it sends.
    #[setting(default = 23.0, range = -40.0..=23.0, form = Power, source = "TS 36.101, section 6.2.2")]
    pub power: f64,
    /// Period of a UE's opportunities to send a scheduling request.
    #[setting(default = 1, form = Subframes, value = "1, 2, 5, 10, 20, 40 or 80 ms", source = "TS 36.213, table 10.1.5-1")]
    pub request_period: u32,
    /// Rule by which the eNodeB learns of UEs' buffers and sizes its grants.
    #[setting(default = Grants::Requested)]
    pub grants: Grants,
    /// With "requested": size of the first grant after a scheduling request, which does not say how much data waits.
    /// If the ACKs of a whole burst fit into the first grant, they arrive in one subframe and release the sender's
    /// next burst at once; otherwise they are spread out.
    #[setting(default = 512, range = 16..=9000, form = Size)]
    pub first_grant: u32,
    /// Resource blocks at the edges of the band that carry control (PUCCH).
    #[setting(default = 2, source = "TS 36.211, section 5.4.3")]
    pub control_blocks: u32,
    /// Let UEs send with 64QAM, as those of categories 5 and 8 can.
    #[setting(default = false, source = "TS 36.306, table 4.1-2")]
    pub qam64: bool,
    /// Interference from other cells' UEs at an eNodeB, dB above the noise; constant.
    #[setting(default = 0.0, range = 0.0..=100.0)]
    pub noise_rise: f64,
}

impl Uplink {
    fn check(&self) -> Result<(), Error> {
        if REQUEST_PERIODS.contains(&self.request_period) {
            return Ok(());
        }
        let message = format!("{} ms is none of {REQUEST_PERIODS:?}", self.request_period);
        Err(Error::new("request_period", message))
    }
}

/// Rule by which the eNodeB learns of UEs' buffers and sizes its grants. "requested" follows TS 36.321, sections
/// 5.4.4 and 5.4.5. With "shares", a UE with new data reports its buffer at every opportunity for a scheduling
/// request, outside of transport blocks, and the whole band is granted to the UEs that have reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Grants {
    /// a scheduling request, a first grant, then grants for the buffer status reports in its transport blocks
    Requested,
    /// a UE with new data reports its buffer at every opportunity for a scheduling request. All UEs that reported get
    /// equal shares of the whole band, even if they cannot fill them, in the MCS that suits the whole band (ns-3)
    Shares,
}

/// Nested tables of `[[lte]]`.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Tables {
    /// RLC, in both directions.
    #[setting(default = rlc::Config::default(), absent = "{ mode = \"um\" } with a buffer of 1 MB")]
    pub rlc: rlc::Config,
    /// The uplink.
    #[setting(default = Uplink::default(), absent = "as below")]
    pub uplink: Uplink,
    /// Links between the gateway and each eNodeB.
    #[setting(default = Backhaul::default(), absent = "as below")]
    pub s1: Backhaul,
    /// Handover of UEs that move.
    #[setting(default = Handover::default(), absent = "{ kind = \"a3\" }")]
    pub handover: Handover,
}

/// Link between the gateway and an eNodeB, or between eNodeBs, in each direction; packets go in GTP-U tunnels over
/// IP.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(expecting = "a table: { rate = \"1Gbps\", delay = \"5ms\" }")]
pub struct Backhaul {
    /// Data rate.
    #[setting(default = FAST, range = DataRate::RANGE)]
    pub rate: DataRate,
    /// Propagation delay.
    #[setting(default = Duration::ZERO, range = Duration::ZERO..=Duration::from_secs(3600), allowed = "a delay of at most one hour")]
    pub delay: Duration,
    /// Queue in front of the link.
    #[setting(default = drop_tail::Config::default())]
    pub queue: drop_tail::Config,
}

/// Rate of a backhaul link that is no bottleneck, 10 Gb/s.
const FAST: DataRate = DataRate::from_bps(10_000_000_000).expect("not zero");

/// Rule that decides when a UE is handed over to another eNodeB.
#[derive(Clone, Copy, PartialEq, Debug, Kinds)]
#[settings(what = "handover", overlay)]
pub enum Handover {
    /// No handover: a UE stays in the cell that was best at the start.
    None,
    /// Handover to a cell that has been better than the serving cell for a time (event A3 of TS 36.331).
    A3(A3),
}

impl Default for Handover {
    fn default() -> Self {
        Self::A3(A3::default())
    }
}

impl Handover {
    /// Returns the settings of event A3; `None` without handover.
    pub fn a3(&self) -> Option<&A3> {
        match self {
            Self::None => None,
            Self::A3(a3) => Some(a3),
        }
    }
}

/// Handover by event A3. The durations of the procedure are typical of networks in operation.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct A3 {
    /// Power by which another cell must exceed the serving cell (a3-Offset), dB.
    #[setting(default = 2.0, range = -15.0..=15.0)]
    pub offset: f64,
    /// Hysteresis added to the offset, dB.
    #[setting(default = 1.0, range = 0.0..=15.0)]
    pub hysteresis: f64,
    /// Time for which A3 must hold before the UE reports it (timeToTrigger).
    #[setting(default = 256, range = 0..=5120, form = Subframes)]
    pub time_to_trigger: u32,
    /// Time between two measurements.
    #[setting(default = 200, range = 1..=10_000, form = Subframes, source = "TS 36.133, section 8.1.2.2.1")]
    pub period: u32,
    /// Filter coefficient k of the average: a new measurement has weight 2^(-k/4).
    #[setting(default = 4, range = 0..=19, source = "TS 36.331, section 5.5.3.2")]
    pub filter: u32,
    /// Time from the measurement report to the handover command.
    #[setting(default = 20, range = 0..=10_000, form = Subframes)]
    pub preparation: u32,
    /// Time from the handover command until the UE is attached to the new cell.
    #[setting(default = 30, range = 1..=10_000, form = Subframes)]
    pub interruption: u32,
    /// Time from the attachment to the new cell until the gateway sends packets there.
    #[setting(default = 20, range = 0..=10_000, form = Subframes)]
    pub path_switch: u32,
    /// Let the old eNodeB forward packets to the new one over X2.
    #[setting(default = true)]
    pub forwarding: bool,
    /// Let packets that wait for transmission at the handover command go on in the new cell. They are in the UE and,
    /// with forwarding, in the old eNodeB. If false, these packets are lost, and only packets that arrive later go on
    /// (ns-3).
    #[setting(default = true)]
    pub keep_waiting: bool,
    /// X2 link that leaves each eNodeB.
    #[setting(default = Backhaul::default())]
    pub x2: Backhaul,
}

impl Config {
    /// Returns the number of resource blocks that the downlink may allocate.
    pub fn downlink_blocks(&self) -> u32 {
        let usable = self.carrier.bandwidth.usable(self.carrier.granularity);
        self.carrier.blocks.map_or(usable, |blocks| blocks.min(usable))
    }

    /// Returns the number of resource blocks that the uplink may allocate: all but those of PUCCH.
    pub fn uplink_blocks(&self) -> u32 {
        self.carrier.bandwidth.blocks() - self.uplink.control_blocks
    }

    /// Returns the resource elements for data in one downlink resource block. There are 12 subcarriers times 14
    /// symbols, minus the symbols of the control region, minus the cell's reference signals outside of that region.
    /// The latter are 6 for one antenna and 12 for two (TS 36.211, section 6.10.1).
    pub fn downlink_elements(&self) -> u32 {
        let control = self.carrier.control_symbols + u32::from(self.carrier.bandwidth == Bandwidth::Mhz1_4);
        let reference = if self.carrier.mimo > 1.0 { 12 } else { 6 };
        12 * (14 - control) - reference
    }

    /// Returns the resource elements for data in one uplink resource block: 12 subcarriers times 14 symbols, minus 2
    /// symbols of reference signals (TS 36.211, section 5.5.2).
    pub fn uplink_elements(&self) -> u32 {
        12 * 12
    }

    /// Returns the modulation and coding of `direction`, for the whole network.
    pub(crate) fn amc(&self, direction: Direction) -> Amc {
        let (blocks, elements, highest) = match direction {
            Direction::Down => (self.downlink_blocks(), self.downlink_elements(), 28),
            Direction::Up => {
                (self.uplink_blocks(), self.uplink_elements(), if self.uplink.qam64 { 28 } else { 20 })
            }
        };
        let reported = match self.cqi.reported {
            Reported::Wideband => self.carrier.bandwidth.blocks(),
            Reported::SubBand => self.carrier.bandwidth.group(),
        };
        Amc::new(Carried {
            direction,
            curve: self.reception.curve,
            errors: self.reception.error_model,
            adaptation: self.cqi.adaptation,
            blocks,
            reported,
            elements,
            highest,
        })
    }
}
