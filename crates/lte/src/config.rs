//! The settings of an LTE network, in groups, and its stations.

use crate::amc::{Adaptation, Amc, Carried, Curve, Direction, ErrorModel, Reported};
use crate::bandwidth::{Bandwidth, Granularity};
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

/// An LTE network: one carrier, its eNodeBs and UEs, and the core behind them. Plain values; [`Config::check`] checks
/// them against one another.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The eNodeBs, one cell each.
    pub enbs: Vec<Enb>,
    /// The UEs; the n-th is station n + 1.
    pub ues: Vec<Ue>,
    /// The carrier, and how the downlink allocates it.
    pub carrier: Carrier,
    /// Path loss and shadowing, the same both ways but for the frequency ([`Uplink::frequency`]).
    pub propagation: propagation::Config,
    /// Fast fading, noise and errors.
    pub reception: Reception,
    /// Channel quality reports.
    pub cqi: Cqi,
    /// Hybrid ARQ.
    pub harq: Harq,
    /// Filling of transport blocks.
    pub multiplexing: Multiplexing,
    /// Radio link control, the same for every UE and both ways.
    pub rlc: rlc::Config,
    /// The uplink.
    pub uplink: Uplink,
    /// The links between the gateway and each eNodeB.
    pub s1: Backhaul,
    /// Handover of UEs that move.
    pub handover: Handover,
}

impl Default for Config {
    /// Returns a carrier of 5 MHz at 2.12 GHz (band 1) without cells or UEs.
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

/// Returns the default propagation: band 1.
pub fn channel() -> propagation::Config {
    propagation::Config { frequency: 2.12e9, ..propagation::Config::default() }
}

/// The carrier, and how the downlink allocates it.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Carrier {
    /// Width of the carrier, each way.
    #[setting(default = Bandwidth::Mhz5)]
    pub bandwidth: Bandwidth,
    /// Resource blocks that data may use, downlink.
    #[setting(absent = "all that `granularity` allows")]
    pub blocks: Option<u32>,
    /// The unit in which the downlink allocates resource blocks; whole groups leave the rest unused (ns-3).
    #[setting(default = Granularity::default())]
    pub granularity: Granularity,
    /// OFDM symbols of a subframe for control; one more in a band of 6 blocks.
    #[setting(default = 1, range = 1..=3, source = "TS 36.211, table 6.7-1")]
    pub control_symbols: u32,
    /// Factor by which MIMO multiplies transport blocks: 1 is one antenna each side, 2 the most that two by two can
    /// give.
    #[setting(default = 1.0, range = 1.0..=2.0)]
    pub mimo: f64,
    /// The scheduler of the downlink.
    #[setting(flatten)]
    pub scheduler: Scheduler,
}

/// Fast fading, noise and errors.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Reception {
    /// Multipath that changes from subframe to subframe.
    #[setting(default = fading::Config::None)]
    pub fading: fading::Config,
    /// Noise figure of UEs' receivers, dB.
    #[setting(default = 9.0, range = 0.0..=100.0)]
    pub ue_noise_figure: f64,
    /// Dependence of errors on signal quality.
    #[setting(default = ErrorModel::Capacity)]
    pub error_model: ErrorModel,
    /// A cell that sends no data interferes by its reference signals (TS 36.211, section 6.10.1.2); in ns-3 it does
    /// not.
    #[setting(default = true)]
    pub idle_interference: bool,
    /// A UE can miss what its cell tells it in the control region (PDCCH), where every cell always sends. What it
    /// misses is lost: a transport block is not sent again, and a grant is void (ns-3).
    #[setting(default = false)]
    pub control_errors: bool,
    /// Thermal noise, without the receiver's noise figure, dBm/Hz.
    #[setting(range = -200.0..=-100.0, absent = "-173.975, at 290 K")]
    pub noise_density: Option<f64>,
    /// With "capacity": distance from capacity and steepness of the error curves.
    #[setting(flatten)]
    pub curve: Curve,
}

/// Channel quality reports (TS 36.213, section 7.2), periodic. A report is 6 ms old when first used: it
/// is sent in the fourth subframe after the one measured, and then received.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Cqi {
    /// From one report of channel quality to the next.
    #[setting(name = "cqi_period", default = 5, range = 1..=160, form = Subframes)]
    pub period: u32,
    /// Age of a report when it is first used: from the subframe that was measured.
    #[setting(name = "cqi_delay", default = 6, range = 1..=1000, form = Subframes)]
    pub delay: u32,
    /// Mapping of quality to reports, and of reports to schemes.
    #[setting(name = "link_adaptation", default = Adaptation::Capacity)]
    pub adaptation: Adaptation,
    /// The part of the band that a report covers.
    #[setting(name = "cqi_of", default = Reported::Wideband)]
    pub reported: Reported,
}

/// Hybrid ARQ.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Harq {
    /// Transmissions of a transport block, at most, the first included, both ways; 1: no HARQ.
    #[setting(default = 4, range = 1..=8)]
    pub transmissions: u32,
    /// Time from the end of a subframe until its data is decoded. HARQ's answer goes out in the fourth subframe after
    /// it.
    #[setting(default = 2, range = 1..=3, form = Subframes, source = "TS 36.213, section 10.1")]
    pub processing: u32,
}

/// Filling of transport blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Multiplexing {
    /// A status report of acknowledged mode takes a downlink transport block for itself (ns-3), instead of sharing one
    /// with data (TS 36.321, section 6.1.2).
    #[setting(default = false, was = "status_alone")]
    pub separate_status_block: bool,
}

impl Multiplexing {
    /// Returns the rest of `room` bytes after a report of `size` bytes.
    pub(crate) fn after_report(self, room: u32, size: u32) -> u32 {
        if self.separate_status_block { 0 } else { room.saturating_sub(size + SUBHEADER) }
    }
}

/// An eNodeB.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Enb {
    /// Its name, for messages and statistics.
    #[setting(skip, default = String::from("enb"))]
    pub name: String,
    /// The position of its antenna.
    #[setting(skip)]
    pub position: Position,
    /// Power of its downlink over the whole band.
    #[setting(default = 30.0, range = -100.0..=100.0, form = Power)]
    pub power: f64,
    /// Noise figure of its receiver, dB.
    #[setting(default = 5.0, range = 0.0..=100.0)]
    pub noise_figure: f64,
}

/// A UE.
#[derive(Clone, PartialEq, Debug)]
pub struct Ue {
    /// Its name, for messages and statistics.
    pub name: String,
    /// Its position at the start.
    pub position: Position,
    /// Its mobility.
    pub mobility: mobility::Config,
}

impl Default for Ue {
    /// Returns a UE that stays at the origin.
    fn default() -> Self {
        Self { name: String::from("ue"), position: Position::default(), mobility: mobility::Config::Constant }
    }
}

/// Periods that a scheduling request can have, ms (TS 36.213, table 10.1.5-1).
const REQUEST_PERIODS: [u32; 7] = [1, 2, 5, 10, 20, 40, 80];

/// The uplink.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(expecting = "a table: { request_period = \"5ms\" }", check)]
pub struct Uplink {
    /// Carrier frequency of the uplink, in frequency-division duplex.
    #[setting(form = Frequency, absent = "`frequency`, as in time-division duplex")]
    pub frequency: Option<f64>,
    /// Power of a UE, spread over the blocks that it sends in.
    #[setting(default = 23.0, range = -40.0..=23.0, form = Power, source = "TS 36.101, section 6.2.2")]
    pub power: f64,
    /// From one chance of a scheduling request to the next.
    #[setting(default = 1, form = Subframes, value = "1, 2, 5, 10, 20, 40 or 80 ms", source = "TS 36.213, table 10.1.5-1")]
    pub request_period: u32,
    /// The eNodeB's knowledge of UEs' buffers, and the size of its grants.
    #[setting(default = Grants::Requested)]
    pub grants: Grants,
    /// With "requested": size of the first grant, since a request does not say how much waits. If the ACKs of a whole
    /// burst fit, they come in one subframe, and so does the sender's next burst; if not, they come spread out.
    #[setting(default = 512, range = 16..=9000, form = Size)]
    pub first_grant: u32,
    /// Blocks at the band's edges that control takes (PUCCH).
    #[setting(default = 2, source = "TS 36.211, section 5.4.3")]
    pub control_blocks: u32,
    /// UEs may use 64QAM: those of category 5 and 8.
    #[setting(default = false, source = "TS 36.306, table 4.1-2")]
    pub qam64: bool,
    /// Interference of other cells' UEs at an eNodeB, dB above the noise: a constant.
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

/// An eNodeB's knowledge of UEs' buffers, and the size of its grants. Requests and reports are those of TS 36.321,
/// sections 5.4.4 and 5.4.5. With shares, a UE with new data reports at every chance of a request, outside of its
/// transmissions, and the whole band is granted to all that have reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Grants {
    /// a request, a first grant, then grants for the reports in its blocks
    Requested,
    /// new data is known at once; equal shares of the whole band, filled or not (ns-3)
    Shares,
}

/// Nested tables of `[[lte]]`.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Tables {
    /// Radio link control, both ways.
    #[setting(default = rlc::Config::default(), absent = "{ mode = \"um\" } with room for 1 MB")]
    pub rlc: rlc::Config,
    /// The uplink.
    #[setting(default = Uplink::default(), absent = "as below")]
    pub uplink: Uplink,
    /// The links between the gateway and each eNodeB.
    #[setting(default = Backhaul::default(), absent = "as below")]
    pub s1: Backhaul,
    /// Handover of UEs that move.
    #[setting(default = Handover::default(), absent = "{ kind = \"a3\" }")]
    pub handover: Handover,
}

/// The link between the gateway and an eNodeB, or between eNodeBs, each way, with tunnels (GTP-U) over IP.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(expecting = "a table: { rate = \"1Gbps\", delay = \"5ms\" }")]
pub struct Backhaul {
    /// Its rate.
    #[setting(default = FAST, range = DataRate::RANGE)]
    pub rate: DataRate,
    /// Its delay.
    #[setting(default = Duration::ZERO, range = Duration::ZERO..=Duration::from_secs(3600), allowed = "a delay of at most one hour")]
    pub delay: Duration,
    /// Room in its queues.
    #[setting(default = drop_tail::Config::default())]
    pub queue: drop_tail::Config,
}

/// Rate of a backhaul that is no bottleneck.
const FAST: DataRate = DataRate::from_bps(10_000_000_000).expect("not zero");

/// Handover between eNodeBs.
#[derive(Clone, Copy, PartialEq, Debug, Kinds)]
#[settings(what = "handover", overlay)]
pub enum Handover {
    /// A UE stays in the cell that was best at the start.
    None,
    /// To a cell that is better than its own for a time (event A3 of TS 36.331).
    A3(A3),
}

impl Default for Handover {
    fn default() -> Self {
        Self::A3(A3::default())
    }
}

impl Handover {
    /// Returns its settings, if there is any.
    pub fn a3(&self) -> Option<&A3> {
        match self {
            Self::None => None,
            Self::A3(a3) => Some(a3),
        }
    }
}

/// Handover by event A3. The times of the procedure are usual figures of networks in use.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct A3 {
    /// Offset by which another cell has to be better, dB.
    #[setting(default = 2.0, range = -15.0..=15.0)]
    pub offset: f64,
    /// Hysteresis added to the offset, dB.
    #[setting(default = 1.0, range = 0.0..=15.0)]
    pub hysteresis: f64,
    /// Time to trigger.
    #[setting(default = 256, range = 0..=5120, form = Subframes)]
    pub time_to_trigger: u32,
    /// From one measurement to the next.
    #[setting(default = 200, range = 1..=10_000, form = Subframes, source = "TS 36.133, section 8.1.2.2.1")]
    pub period: u32,
    /// k of the average: a measurement counts 2^(-k/4).
    #[setting(default = 4, range = 0..=19, source = "TS 36.331, section 5.5.3.2")]
    pub filter: u32,
    /// From the report to the command.
    #[setting(default = 20, range = 0..=10_000, form = Subframes)]
    pub preparation: u32,
    /// From the command until the UE is attached to the new cell.
    #[setting(default = 30, range = 1..=10_000, form = Subframes)]
    pub interruption: u32,
    /// From then until the gateway sends packets to the new cell.
    #[setting(default = 20, range = 0..=10_000, form = Subframes)]
    pub path_switch: u32,
    /// Packets are forwarded over X2.
    #[setting(default = true)]
    pub forwarding: bool,
    /// Packets that wait for the air at the command go on in the new cell: in the UE, and with forwarding in the old
    /// eNodeB. If not, they are lost, and only later arrivals go on (ns-3).
    #[setting(default = true)]
    pub keep_waiting: bool,
    /// The X2 link out of each eNodeB.
    #[setting(default = Backhaul::default())]
    pub x2: Backhaul,
}

impl Config {
    /// Returns the number of blocks that the downlink allocates from.
    pub fn downlink_blocks(&self) -> u32 {
        let usable = self.carrier.bandwidth.usable(self.carrier.granularity);
        self.carrier.blocks.map_or(usable, |blocks| blocks.min(usable))
    }

    /// Returns the number of blocks that the uplink allocates from: those that its control channel leaves.
    pub fn uplink_blocks(&self) -> u32 {
        self.carrier.bandwidth.blocks() - self.uplink.control_blocks
    }

    /// Returns the resource elements for data in a downlink block: 12 subcarriers by the symbols that control leaves of
    /// 14, minus the cell's reference signals among them. Those are 6 for one antenna and 12 for two (TS 36.211,
    /// section 6.10.1).
    pub fn downlink_elements(&self) -> u32 {
        let control = self.carrier.control_symbols + u32::from(self.carrier.bandwidth == Bandwidth::Mhz1_4);
        let reference = if self.carrier.mimo > 1.0 { 12 } else { 6 };
        12 * (14 - control) - reference
    }

    /// Returns the resource elements for data in an uplink block: 12 by 14 symbols, minus 2 symbols of reference (TS
    /// 36.211, section 5.5.2).
    pub fn uplink_elements(&self) -> u32 {
        12 * 12
    }

    /// Returns the modulation and coding of `direction`.
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
