//! Form of the tables `[[lte]]` in a scenario file.

use lte::config::{self, Carrier, Cqi, Harq, Multiplexing, Profile, Reception, Tables};
use radio::numbers::Place;
use radio::{Position, propagation};
use settings::{Overlay, Settings};

/// An LTE network: one carrier, its eNodeBs and UEs, and the core network between them and a gateway.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct Lte {
    /// Name of the network in results.
    #[setting(absent = "\"lte0\", \"lte1\", ... by position")]
    pub name: Option<String>,
    /// Node at which packets enter and leave the network (S-GW and P-GW in one).
    #[setting(needed = "a node: gateway = \"agw\"")]
    pub gateway: String,
    /// Nodes that are UEs, one or more; each must have a position.
    #[setting(needed = "nodes: ue = [\"phone\"]")]
    pub ue: Vec<String>,
    /// eNodeBs, one or more, with one cell each. An eNodeB is not a node.
    #[setting(needed = "eNodeBs: enb = [{ position = [0, 0, 30] }]")]
    pub enb: Vec<Enb>,
    /// Source of the values of settings that are not given.
    #[setting(absent = "\"3gpp\"")]
    pub profile: Option<Profile>,
    /// Carrier, and allocation of its downlink.
    #[setting(flatten)]
    pub carrier: Overlay<Carrier>,

    /// Propagation of signals.
    #[setting(flatten, default = config::channel())]
    pub propagation: propagation::Config,
    /// Fast fading, noise and block errors.
    #[setting(flatten)]
    pub reception: Overlay<Reception>,
    /// CQI reports.
    #[setting(flatten)]
    pub cqi: Overlay<Cqi>,
    /// Hybrid ARQ.
    #[setting(flatten)]
    pub harq: Harq,
    /// Multiplexing of PDUs into transport blocks.
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
    /// Name of the eNodeB in results.
    #[setting(absent = "\"enb0\", \"enb1\", ... by position")]
    pub name: Option<String>,
    /// Position of the antenna, metres.
    #[setting(needed = "metres: [x, y] or [x, y, z]", form = Place)]
    pub position: Position,
    /// Transmit power and noise figure.
    #[setting(flatten)]
    pub antenna: config::Enb,
}
