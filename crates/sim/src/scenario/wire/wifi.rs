//! 802.11 networks.

use super::declared::Declared;
use super::edca::Edca;
use super::kinds::kinds;
use super::propagation::{Fading, Frequency, PathLoss, Power};
use super::routing::Routing;
use super::scalar::{Rate, Scalar, Size, Time, Wire, choice, wire};
use crate::scenario::decode::{Refusal, decode_inside, read_raw};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use std::borrow::Cow;

/// An 802.11 network: stations on one channel. What is not given comes from the profile, by standard.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wifi {
    /// Its name in results; default "wifi0", "wifi1", ... by position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The standard that its stations follow.
    pub standard: Standard,
    /// Nodes on it, two or more, each of which has a place.
    pub stations: Vec<String>,
    /// The node that is the access point, through which all others send; default none: ad hoc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_point: Option<String>,
    /// Stations of 802.11b in a network of g, which send in DSSS and do not understand OFDM; default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b_stations: Option<Vec<String>>,
    /// Where values come from that are not given; default "ieee".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// Channel number; default none: a channel of its own at the profile's frequency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<u32>,

    /// Rate of data frames to one station; of n and ac one of the legacy rates, in place of `mcs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Rate of data frames from and to `b_stations`; default "11Mbps".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b_rate: Option<Rate>,
    /// Modulation and coding scheme of data frames (n: 0 to 15, ac: 0 to 9), in place of `rate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcs: Option<u8>,
    /// Spatial streams with `mcs` of ac, 1 or 2; default 1. In n the MCS says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 2))]
    pub streams: Option<u8>,
    /// Width of the channel with `mcs`; default "20MHz".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<Width>,
    /// Guard interval with `mcs`; default "long".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard_interval: Option<GuardInterval>,
    /// Preamble of b's data frames at 2 Mb/s and above; default "long".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preamble: Option<Preamble>,
    /// How the rate of data is chosen, up to `rate` or `mcs`; default { kind = "constant" }.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_control: Option<Declared<wifi::rate::RateControl>>,
    /// Rate of RTS, broadcast and management frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_rate: Option<Rate>,
    /// Modulation and coding scheme of RTS, broadcast and management frames of n in HT format, in place of `control_rate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_mcs: Option<u8>,
    /// Rates for CTS, ACK and Block ACK: each takes the fastest that is not faster than the frame it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_rates: Option<Vec<Rate>>,
    /// How airtimes are rounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounding: Option<Rounding>,

    /// Transmit power.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tx_power: Option<Power>,
    /// How the mean power falls with distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub propagation: Option<PathLoss>,
    /// Carrier frequency; default the channel's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency: Option<Frequency>,
    /// Gain of senders' antennas, dB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tx_gain: Option<f64>,
    /// Gain of receivers' antennas, dB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rx_gain: Option<f64>,
    /// Losses of the equipment, dB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_loss: Option<f64>,
    /// Height of antennas above their nodes, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub antenna_height: Option<f64>,
    /// Shorter distances count as this one, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum_distance: Option<f64>,
    /// Speed of light in the formulas, m/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub light_speed: Option<f64>,
    /// Standard deviation of the shadowing that each pair of stations keeps for the run, dB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shadowing: Option<f64>,
    /// What changes from frame to frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fading: Option<Fading>,
    /// What becomes of signals at a receiver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reception: Option<Reception>,
    /// Weakest frame in OFDM that `b_stations` sense, as mere energy; default "-70dBm", in profile ns3 -62, in ns2 what all sense.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b_energy_detection: Option<Power>,
    /// How long a signal lasts until a station senses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cca_time: Option<Time>,
    /// How old positions of moving stations may be where powers are computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position_interval: Option<Time>,

    /// Length of a slot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<Time>,
    /// Short interframe space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sifs: Option<Time>,
    /// Slots after SIFS before the first slot of backoff: 2 makes DIFS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aifsn: Option<u32>,
    /// Least contention window, slots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cw_min: Option<u32>,
    /// Greatest contention window, slots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cw_max: Option<u32>,
    /// Least contention window of `b_stations` without `edca`, slots; default 31.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b_cw_min: Option<u32>,
    /// EDCA: four access categories in place of one; {}: the standard's parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edca: Option<Edca>,
    /// How far the frames of a TXOP reserve the medium; default "single", in profile ns3 "multiple".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub txop_protection: Option<TxopProtection>,
    /// Whether a CF-End frame ends a TXOP that nothing more is sent in; default false, in profile ns3 true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cf_end: Option<bool>,
    /// What a backoff is drawn from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<Draw>,
    /// Which slots count down a backoff: those that are over (b, g, a), or those that have begun (n, ac, and with `edca`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub countdown: Option<Countdown>,
    /// How long a station waits after a frame with errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eifs: Option<Eifs>,
    /// How long a sender waits for CTS and ACK.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Timeout>,
    /// What that allows for propagation, each way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub propagation_allowance: Option<Time>,
    /// Whether DIFS begins anew when a timeout ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub defer_after_timeout: Option<bool>,
    /// When a packet is sent that finds the medium idle and no backoff running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_access: Option<IdleAccess>,
    /// Whether the reservation by an RTS ends when no frame follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nav_reset: Option<bool>,
    /// Attempts at an RTS, or at a frame without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub short_retry_limit: Option<u32>,
    /// Attempts at a frame with RTS.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub long_retry_limit: Option<u32>,
    /// An RTS goes before frames of more bytes, MAC header and FCS included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rts_threshold: Option<Size>,
    /// What goes before data frames of g where there are stations of b; default "cts-to-self" with `b_stations`, else "none".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protection: Option<Protection>,
    /// Bytes around an IP packet: MAC header, LLC/SNAP and FCS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<Size>,

    /// Limits of an aggregate of n and ac.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregation: Option<Aggregation>,
    /// Whether a lost Block ACK is asked for; else the frame is sent again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_ack_request: Option<bool>,
    /// Time between two beacons, of the access point or of an ad hoc network's stations in turn; "never": none, as ad hoc by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beacons: Option<Lifetime>,
    /// Length of a beacon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beacon_size: Option<Size>,
    /// How a station comes to belong to the access point; default "in-reach".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub association: Option<Association>,
    /// With association "exchange": beacons missed in a row after which a station no longer does; default 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub missed_beacons: Option<u32>,
    /// Likewise how long a station waits for a response until it scans again; default 500 ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub association_timeout: Option<Time>,

    /// How packets of an ad hoc network find stations that are out of reach; default { kind = "direct" }. With an access point all go
    /// through it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routing: Option<Declared<Routing>>,
    /// Packets that find room in a station's queue, without those being transmitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub queue: Option<u32>,
    /// A queue discipline above that queue, which is filled from it as there is room; "none": packets join the queue itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discipline: Option<Discipline>,
    /// After which time a packet that waits in the queue is dropped; "never": not at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifetime: Option<Lifetime>,
    /// Whether packets of the routing protocol go first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routing_first: Option<bool>,
}

choice! {
    /// A standard.
    Standard as "WifiStandard" for wifi::timing::Standard {
        B = "b": "802.11b: DSSS and CCK at 2.4 GHz, 1 to 11 Mb/s",
        G = "g": "802.11g: OFDM at 2.4 GHz, 6 to 54 Mb/s, and `b_stations` among its own",
        A = "a": "802.11a: OFDM at 5 GHz, 6 to 54 Mb/s",
        N = "n": "802.11n: MCS 0 to 15 at 20 and 40 MHz",
        Ac = "ac": "802.11ac: MCS 0 to 9 at 20, 40 and 80 MHz",
    }
}

choice! {
    /// Where values come from that are not given.
    Profile as "WifiProfile" for wifi::Profile {
        Ieee = "ieee": "as IEEE Std 802.11 says",
        Ns3 = "ns3": "as ns-3.37 does",
        Ns2 = "ns2": "as Mac/802_11 of ns-2.35 does",
    }
}

choice! {
    /// Width of a channel.
    Width as "WifiWidth" for wifi::timing::Width {
        Mhz20 = "20MHz": "every standard",
        Mhz40 = "40MHz": "n and ac",
        Mhz80 = "80MHz": "ac",
    }
}

choice! {
    /// Guard interval between symbols.
    GuardInterval as "GuardInterval" for wifi::timing::GuardInterval {
        Long = "long": "800 ns",
        Short = "short": "400 ns",
    }
}

choice! {
    /// Preamble of 802.11b.
    Preamble as "Preamble" for wifi::timing::Preamble {
        Long = "long": "192 us with the header",
        Short = "short": "96 us with the header",
    }
}

choice! {
    /// What goes before data frames of 802.11g where there are stations of 802.11b.
    Protection as "Protection" for wifi::config::Protection {
        None = "none": "nothing",
        CtsToSelf = "cts-to-self": "a CTS of the sender to itself, at `control_rate`, a rate of 802.11b",
        RtsCts = "rts-cts": "RTS and CTS, likewise",
    }
}

choice! {
    /// How a station comes to belong to the access point.
    Association as "Association" for wifi::config::Association {
        InReach = "in-reach": "when the two first have a packet for each other and are in reach, for good, without a frame",
        Exchange = "exchange": "a beacon, then authentication and association, frame by frame; without beacons no longer",
    }
}

choice! {
    /// How airtimes are rounded.
    Rounding as "AirtimeRounding" for wifi::timing::Rounding {
        Standard = "standard": "b to whole microseconds, OFDM to whole symbols, with a short guard interval to whole 4 us",
        ShortSymbols = "short-symbols": "likewise, symbols with a short guard interval as they are (ns-3)",
        None = "none": "not at all: every bit at the data rate (ns-2)",
    }
}

choice! {
    /// How far the frames of a TXOP reserve the medium.
    TxopProtection as "TxopProtection" for wifi::config::TxopProtection {
        Single = "single": "to the end of the exchange after their own, if one follows",
        Multiple = "multiple": "to the end of the TXOP",
    }
}

choice! {
    /// What a backoff is drawn from.
    Draw as "BackoffDraw" for wifi::config::Draw {
        Inclusive = "inclusive": "0 to the contention window",
        Exclusive = "exclusive": "0 to one less (ns-2)",
    }
}

choice! {
    /// How long a station waits after a frame with errors.
    Eifs as "Eifs" for wifi::config::Eifs {
        Lowest = "lowest": "as if the frame were answered at the lowest rate",
        Dynamic = "dynamic": "as long as the answer that the frame would have had",
    }
}

choice! {
    /// How long a sender waits for CTS and ACK.
    Timeout as "ResponseTimeout" for wifi::config::Timeout {
        Begin = "begin": "until they should have begun: SIFS, a slot, and a preamble",
        Whole = "whole": "until they should be there: SIFS and their airtime (ns-2)",
    }
}

choice! {
    /// When a slot counts down a backoff.
    Countdown as "Countdown" for wifi::config::Countdown {
        Over = "over": "once it is over: DCF",
        Begun = "begun": "as it begins, also where another transmits in it: EDCA",
    }
}

choice! {
    /// When a packet is sent that finds the medium idle and no backoff running.
    IdleAccess as "IdleAccess" for wifi::config::IdleAccess {
        Immediate = "immediate": "at once, where the medium has been idle for DIFS",
        BetweenFrames = "between-frames": "likewise, also in the SIFS before an answer of its own: DIFS after that (ns-3)",
        Backoff = "backoff": "after DIFS and a backoff of its own, from when it came (ns-2)",
    }
}

kinds! {
    /// What becomes of signals at a receiver.
    Reception, "reception" {
        /// By power alone: what is received first survives newcomers that are weaker by a ratio, else both are lost. No noise.
        "capture" => Capture(Capture),
        /// Against thermal noise and all interference, with error rates; a receiver locks to the first preamble that stands out.
        "sinr" => Sinr(Sinr),
    }
}

/// First-frame capture, as in ns-2.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Capture {
    /// Weakest frame that is received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receive: Option<Power>,
    /// Weakest frame that is sensed and disturbs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sense: Option<Power>,
    /// By how much the frame being received is stronger than a newcomer that it survives, dB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Whether such a newcomer reserves the medium at the receiver until EIFS after its end: ns-2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserves: Option<bool>,
}

/// Reception against noise and interference, as in ns-3.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sinr {
    /// Noise figure of receivers, dB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise_figure: Option<f64>,
    /// Least ratio of a preamble to noise and interference, dB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preamble_snr: Option<f64>,
    /// Weakest preamble that is received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preamble_power: Option<Power>,
    /// Weakest signal whose preamble was missed that makes the medium busy; in profile ns3 -82 dBm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy_detection: Option<Power>,
}

/// Limits of an aggregate of frames (A-MPDU).
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Aggregation {
    /// Frames, up to 64; 1: no aggregation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 64))]
    pub frames: Option<u32>,
    /// Length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Size>,
    /// Time on the air.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<Time>,
    /// Most bytes of packets with their headers in one MPDU (A-MSDU), up to 7935; default "0B": each has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amsdu: Option<Size>,
}

/// What packets pass before a station's queue.
#[derive(Clone, PartialEq, Debug)]
pub enum Discipline {
    /// Nothing.
    None,
    /// A queue discipline.
    Queue(Declared<net::queue::Config>),
}

impl<'de> Deserialize<'de> for Discipline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_raw(deserializer, |value| match value {
            table @ Value::Object(_) => decode_inside(&table).map(Self::Queue),
            Value::String(text) if text == "none" => Ok(Self::None),
            _ => Err(Refusal::new(
                "no queue discipline",
                "{ kind = \"fq-codel\" } and other queues, or \"none\"",
            )),
        })
    }
}

impl Serialize for Discipline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => "none".serialize(serializer),
            Self::Queue(queue) => queue.serialize(serializer),
        }
    }
}

impl JsonSchema for Discipline {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Discipline".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let queue = generator.subschema_for::<Declared<net::queue::Config>>();
        schemars::json_schema!({ "anyOf": [{ "const": "none" }, queue] })
    }
}

/// How long a packet may wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// As long as it takes.
    Unlimited,
    /// At most so long.
    Limited(Time),
}

wire! { Lifetime as "Lifetime" }

impl Wire for Lifetime {
    const EXPECTED: &'static str = "a time with its unit, like \"500ms\", or \"never\"";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        match given {
            Scalar::Text("never") => Ok(Self::Unlimited),
            _ => Time::read(given).map(Self::Limited),
        }
    }

    fn write(&self) -> Value {
        match self {
            Self::Unlimited => "never".into(),
            Self::Limited(time) => time.write(),
        }
    }

    fn schema() -> Value {
        json!({ "anyOf": [{ "const": "never" }, Time::schema()] })
    }
}
