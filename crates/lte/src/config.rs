//! What an LTE network is made of.

use crate::amc::{Amc, Curve, Direction};
use crate::bandwidth::{Bandwidth, Granularity};
use crate::fading;
use crate::rlc;
use crate::scheduler::Scheduler;
use base::{DataRate, Duration};
use net::Limit;
use radio::{Position, mobility, propagation};

/// An LTE network: one carrier, its eNodeBs and UEs, and the core behind them. Plain values; [`Config::check`] says what is wrong
/// with them.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Width of the carrier, each way.
    pub bandwidth: Bandwidth,
    /// Resource blocks that data may use, downlink; `None`: all that the granularity allows.
    pub blocks: Option<u32>,
    /// In what units the downlink allocates.
    pub granularity: Granularity,
    /// OFDM symbols of a subframe for control, 1 to 3; one more in a band of 6 blocks (TS 36.211, table 6.7-1).
    pub control_symbols: u32,
    /// By what MIMO multiplies a transport block: 1 is one antenna each side, 2 the most that two by two can give. A factor,
    /// not a model of streams.
    pub mimo: f64,
    /// The eNodeBs, one cell each.
    pub enbs: Vec<Enb>,
    /// The UEs; the n-th is station n + 1.
    pub ues: Vec<Ue>,
    /// Path loss and shadowing, the same both ways; its own fading, frame by frame, is not LTE's and must be none.
    pub propagation: propagation::Config,
    /// Fast fading; `None`: none.
    pub fading: Option<fading::Config>,
    /// Noise figure of a UE's receiver, dB.
    pub ue_noise_figure: f64,
    /// Distance from capacity and steepness of the error curves.
    pub curve: Curve,
    /// Channel quality reports.
    pub cqi: Cqi,
    /// Who gets the downlink's blocks.
    pub scheduler: Scheduler,
    /// Most transmissions of a transport block, the first included, both ways; 1: no HARQ.
    pub transmissions: u32,
    /// From the end of a subframe to what was received in it, ms: 1 to 3. HARQ's answer goes out in the fourth subframe after it
    /// (TS 36.213, section 10.1), so 3 is the most.
    pub processing: u32,
    /// Radio link control, the same for every UE and both ways.
    pub rlc: rlc::Config,
    /// The uplink.
    pub uplink: Uplink,
    /// The links between the gateway and each eNodeB.
    pub s1: Backhaul,
    /// Handover of UEs that move; `None`: a UE stays in the cell that was best at the start.
    pub handover: Option<Handover>,
}

impl Default for Config {
    /// A carrier of 5 MHz at 2.12 GHz (band 1) without cells or UEs.
    fn default() -> Self {
        Self {
            bandwidth: Bandwidth::Mhz5,
            blocks: None,
            granularity: Granularity::default(),
            control_symbols: 1,
            mimo: 1.0,
            enbs: Vec::new(),
            ues: Vec::new(),
            propagation: propagation::Config { frequency: 2.12e9, ..propagation::Config::default() },
            fading: None,
            ue_noise_figure: 9.0,
            curve: Curve::default(),
            cqi: Cqi::default(),
            scheduler: Scheduler::default(),
            transmissions: 4,
            processing: 2,
            rlc: rlc::Config::default(),
            uplink: Uplink::default(),
            s1: Backhaul::default(),
            handover: Some(Handover::default()),
        }
    }
}

/// An eNodeB.
#[derive(Clone, PartialEq, Debug)]
pub struct Enb {
    /// Its name, for messages and statistics.
    pub name: String,
    /// Where its antenna is.
    pub position: Position,
    /// Power of its downlink over the whole band, dBm.
    pub power: f64,
    /// Noise figure of its receiver, dB.
    pub noise_figure: f64,
}

impl Default for Enb {
    /// At the origin, 30 dBm, 5 dB.
    fn default() -> Self {
        Self { name: String::from("enb"), position: Position::default(), power: 30.0, noise_figure: 5.0 }
    }
}

/// A UE.
#[derive(Clone, PartialEq, Debug)]
pub struct Ue {
    /// Its name, for messages and statistics.
    pub name: String,
    /// Where it starts.
    pub position: Position,
    /// How it moves.
    pub mobility: mobility::Config,
}

impl Default for Ue {
    /// At the origin, and stays there.
    fn default() -> Self {
        Self { name: String::from("ue"), position: Position::default(), mobility: mobility::Config::Constant }
    }
}

/// Channel quality reports (TS 36.213, section 7.2): of the whole band, periodic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cqi {
    /// From one report to the next, ms.
    pub period: u32,
    /// From the subframe that was measured to the first that the scheduler uses the report in, ms.
    pub delay: u32,
}

impl Default for Cqi {
    /// Every 5 ms; 6 ms old when first used: it is reported in the fourth subframe after the one measured and then received.
    fn default() -> Self {
        Self { period: 5, delay: 6 }
    }
}

/// The uplink.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Uplink {
    /// Power of a UE, dBm: at most 23 (TS 36.101, section 6.2.2). It is spread over the blocks it sends in.
    pub power: f64,
    /// From one chance of a scheduling request to the next, ms: 1, 2, 5, 10, 20, 40 or 80 (TS 36.213, table 10.1.5-1).
    pub request_period: u32,
    /// What UEs are granted.
    pub grants: Grants,
    /// With [`Grants::Requested`], bytes that the first grant has room for: a request does not say how much waits. With room for the ACKs of a whole burst they
    /// come in one subframe, and so does the next burst of the sender; with less they come spread out.
    pub first_grant: u32,
    /// Blocks at the band's edges that PUCCH takes (TS 36.211, section 5.4.3).
    pub control_blocks: u32,
    /// Whether UEs have 64QAM in the uplink: those of category 5 and 8 (TS 36.306, table 4.1-2).
    pub qam64: bool,
    /// What other cells' UEs add to the noise at an eNodeB, dB: uplink interference is this constant.
    pub noise_rise: f64,
}

/// How an eNodeB learns what waits in a UE, and what it grants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grants {
    /// A request is answered by a first grant of fixed size; what is sent tells how much is left, and that is granted (TS 36.321,
    /// sections 5.4.4 and 5.4.5).
    Requested,
    /// At every chance of a request a UE with new data tells how much waits in it, outside what it sends; the whole band is
    /// granted, to all that have told in equal shares, whether they fill them or not. So ns-3 has it.
    Shares,
}

impl Default for Uplink {
    fn default() -> Self {
        Self {
            power: 23.0,
            request_period: 1,
            grants: Grants::Requested,
            first_grant: 512,
            control_blocks: 2,
            qam64: false,
            noise_rise: 0.0,
        }
    }
}

/// The link between the gateway and an eNodeB, each way: GTP-U tunnels over IP.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Backhaul {
    /// Its rate.
    pub rate: DataRate,
    /// Its delay.
    pub delay: Duration,
    /// Room in its queues, the packet in transmission included.
    pub queue: Limit,
}

/// Rate of a backhaul that is no bottleneck.
const FAST: DataRate = DataRate::from_bps(10_000_000_000).expect("not zero");

impl Default for Backhaul {
    /// 10 Gb/s, no delay, room for 1000 packets.
    fn default() -> Self {
        Self { rate: FAST, delay: Duration::ZERO, queue: Limit::Packets(1000) }
    }
}

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

impl Config {
    /// Blocks that the downlink allocates from.
    pub fn downlink_blocks(&self) -> u32 {
        let usable = self.bandwidth.usable(self.granularity);
        self.blocks.map_or(usable, |blocks| blocks.min(usable))
    }

    /// Resource elements for data in a downlink block: 12 subcarriers by the symbols that control leaves of 14, less the cell's reference
    /// signals among them, 6 for one antenna and 12 for two (TS 36.211, section 6.10.1).
    pub fn downlink_elements(&self) -> u32 {
        let control = self.control_symbols + u32::from(self.bandwidth == Bandwidth::Mhz1_4);
        let reference = if self.mimo > 1.0 { 12 } else { 6 };
        12 * (14 - control) - reference
    }

    /// Resource elements for data in an uplink block: 12 by 14 symbols less 2 of reference (TS 36.211, section 5.5.2).
    pub fn uplink_elements(&self) -> u32 {
        12 * 12
    }

    /// What `direction` makes of signal qualities.
    pub(crate) fn amc(&self, direction: Direction) -> Amc {
        match direction {
            Direction::Down => {
                Amc::new(direction, self.curve, self.downlink_blocks(), self.downlink_elements(), 28)
            }
            Direction::Up => {
                let highest = if self.uplink.qam64 { 28 } else { 20 };
                let blocks = self.bandwidth.blocks() - self.uplink.control_blocks;
                Amc::new(direction, self.curve, blocks, self.uplink_elements(), highest)
            }
        }
    }
}
