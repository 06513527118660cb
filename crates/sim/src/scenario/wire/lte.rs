//! LTE networks.

use lte::config::{self, Carrier, Cqi, Harq, Multiplexing, Profile, Reception, Tables};
use radio::numbers::Place;
use radio::{Position, propagation};
use settings::{Overlay, Settings};

/// An LTE network: one carrier, its eNodeBs and UEs, and the core between them and a gateway.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct Lte {
    /// Its name in results.
    #[setting(absent = "\"lte0\", \"lte1\", ... by position")]
    pub name: Option<String>,
    /// The node where packets enter the network from outside and leave it (S-GW and P-GW in one).
    #[setting(needed = "a node: gateway = \"agw\"")]
    pub gateway: String,
    /// Nodes that are UEs, one or more, each of which has a place.
    #[setting(needed = "nodes: ue = [\"phone\"]")]
    pub ue: Vec<String>,
    /// eNodeBs, one cell each, one or more. They are no nodes.
    #[setting(needed = "eNodeBs: enb = [{ position = [0, 0, 30] }]")]
    pub enb: Vec<Enb>,
    /// The profile that gives the values of settings that are not given.
    #[setting(absent = "\"3gpp\"")]
    pub profile: Option<Profile>,
    /// The carrier, and how the downlink allocates it.
    #[setting(flatten)]
    pub carrier: Overlay<Carrier>,

    /// Propagation from a sender to a receiver.
    #[setting(flatten, default = config::channel())]
    pub propagation: propagation::Config,
    /// Fast fading, noise and errors.
    #[setting(flatten)]
    pub reception: Overlay<Reception>,
    /// Channel quality reports.
    #[setting(flatten)]
    pub cqi: Overlay<Cqi>,
    /// Hybrid ARQ.
    #[setting(flatten)]
    pub harq: Harq,
    /// Filling of transport blocks.
    #[setting(flatten)]
    pub multiplexing: Overlay<Multiplexing>,
    /// Nested tables of `[[lte]]`.
    #[setting(flatten)]
    pub tables: Overlay<Tables>,
}

/// An eNodeB.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(expecting = "a table: { name = \"enb1\", position = [0, 0, 30] }")]
pub(crate) struct Enb {
    /// Its name in results.
    #[setting(absent = "\"enb0\", \"enb1\", ... by position")]
    pub name: Option<String>,
    /// Position of its antenna, metres.
    #[setting(needed = "metres: [x, y] or [x, y, z]", form = Place)]
    pub position: Position,
    /// Power and noise figure.
    #[setting(flatten)]
    pub antenna: config::Enb,
}
