//! Losses.

use crate::model::LossPlace;
use base::Duration;
use settings::Probability;
use settings::{Kinds, OneOrMore, Settings};
use std::ops::RangeInclusive;

/// Losses: one table, or a list of tables.
pub(crate) type Losses = OneOrMore<Loss>;

/// A loss model.
#[derive(Clone, PartialEq, Debug, Kinds)]
#[settings(what = "loss")]
pub(crate) enum Loss {
    /// Each packet by itself with a probability.
    Random(RandomLoss),
    /// Each bit by itself with a probability; one wrong bit loses the packet.
    BitError(BitErrorLoss),
    /// In bursts: a good and a bad state, each with its own probability of loss. Share lost: (loss_good r + loss_bad p) / (p + r).
    GilbertElliott(GilbertElliottLoss),
    /// Listed packets.
    List(ListLoss),
    /// One packet in every N.
    Periodic(PeriodicLoss),
    /// By a file with a mark for each packet: the file, or its content as `lost` and `length`.
    Trace(TraceLoss),
}

/// The form of a rate of losses, for messages.
pub(super) const RATE: &str = "a probability from 0 to 1: rate = 0.01";

/// Bounds of a time by which a wire may hold a packet back.
pub(super) const HELD_BACK: RangeInclusive<Duration> = Duration::ZERO..=Duration::from_secs(3600);

/// The place on a link where packets are lost.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct Site {
    /// Only in the direction to this node; each direction has its own count and state.
    #[setting(absent = "both")]
    pub toward: Option<String>,
    /// Before the queue or after it.
    #[setting(default = LossPlace::Wire)]
    pub at: LossPlace,
}

/// Random loss of packets.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct RandomLoss {
    /// Probability that a packet is lost.
    #[setting(needed = RATE, form = Probability)]
    pub rate: f64,
    /// Spares acknowledgments.
    #[setting(default = false)]
    pub spare_acks: bool,
    /// Direction and place.
    #[setting(flatten)]
    pub site: Site,
}

/// Bit errors.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct BitErrorLoss {
    /// Probability that a bit is wrong.
    #[setting(needed = RATE, form = Probability)]
    pub rate: f64,
    /// Direction and place.
    #[setting(flatten)]
    pub site: Site,
}

/// Random loss in bursts.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(no_default)]
pub(crate) struct GilbertElliottLoss {
    /// The two states.
    #[setting(flatten)]
    pub states: net::loss::gilbert_elliott::Config,
    /// Direction and place.
    #[setting(flatten)]
    pub site: Site,
}

/// Loss of listed packets.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct ListLoss {
    /// Count only this flow's packets (its position, from 0).
    #[setting(absent = "all packets together")]
    pub flow: Option<usize>,
    /// Numbers of the lost packets, counted from 0 as they arrive there, retransmissions too.
    #[setting(needed = "the packets to lose, counted from 0: packets = [14, 28]")]
    pub packets: Vec<u64>,
    /// With at = "entry": time for which they are held up before the queue instead of lost; those behind overtake them
    /// (ns-2's delay_pkt_).
    #[setting(absent = "they are lost", range = HELD_BACK)]
    pub delay: Option<Duration>,
    /// Direction and place.
    #[setting(flatten)]
    pub site: Site,
}

/// Loss of one packet in every N.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct PeriodicLoss {
    /// Period: one packet in this many is lost.
    #[setting(needed = "one packet in so many is lost: every = 100")]
    pub every: u64,
    /// The first packet lost, counted from 0.
    #[setting(absent = "`every` - 1")]
    pub offset: Option<u64>,
    /// Count only this flow's packets (its position, from 0).
    #[setting(absent = "all packets together")]
    pub flow: Option<usize>,
    /// Direction and place.
    #[setting(flatten)]
    pub site: Site,
}

/// A loss trace.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct TraceLoss {
    /// A file of 0 and 1, with any white space between them: 1 for each packet that is lost, 0 for each that is not,
    /// repeated.
    pub trace: Option<String>,
    /// The file's content: numbers of the lost packets, from 0. Filled in when the file is read.
    pub lost: Option<Vec<u64>>,
    /// The file's content: packets after which it starts over.
    pub length: Option<u64>,
    /// Count only this flow's packets (its position, from 0).
    #[setting(absent = "all packets together")]
    pub flow: Option<usize>,
    /// Direction and place.
    #[setting(flatten)]
    pub site: Site,
}
