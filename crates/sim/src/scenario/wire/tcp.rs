//! The `tcp` table of a flow: one declaration of every parameter, for reading, schema, profiles and description.

use super::scalar::{
    DelayedAck, Floor, Fraction, Scalar, Size, SynSize, Threshold, TickPhase, Time, Window, Wire, choice,
    wire,
};
use crate::scenario::decode::Refusal;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tcp::config;

choice! {
    /// How the connection opens.
    Syn as "Syn" for config::Syn {
        Handshake = "handshake": "three-way handshake (RFC 9293)",
        Packet = "packet": "segment 0 is a bare header, acknowledged like data (ns-2's one-way agents)",
        None = "none": "data from the first segment on",
    }
}

choice! {
    /// Whether windows are cut to whole segments.
    Rounding as "Rounding" for config::Rounding {
        None = "none": "kept fractional",
        Integer = "integer": "rounded down to whole segments",
    }
}

choice! {
    /// What a loss reduces.
    Reduction as "Reduction" for config::Reduction {
        Flight = "flight": "the data in flight (RFC 5681)",
        Window = "window": "the window in use (Jacobson 1988; ns-2)",
        Pipe = "pipe": "what SACK shows to be still in the network (ns-3)",
    }
}

choice! {
    /// Which partial acknowledgments restart the retransmission timer.
    PartialAckTimer as "PartialAckTimer" for config::PartialAckTimer {
        First = "first": "only the first: \"impatient\" (RFC 6582)",
        Every = "every": "each: \"slow but steady\" (RFC 6582)",
    }
}

choice! {
    /// What a partial acknowledgment does to the inflated window.
    PartialWindow as "PartialWindow" for config::PartialWindow {
        Deflate = "deflate": "deflated by what was acknowledged, plus one segment (RFC 6582)",
        Reset = "reset": "inflation starts over (Fall and Floyd 1996)",
    }
}

choice! {
    /// What the acknowledgment that ends fast recovery leaves of the window.
    FullAckWindow as "FullAckWindow" for config::FullAckWindow {
        Flight = "flight": "no more than what is outstanding and one segment (RFC 6582, option 1)",
        Ssthresh = "ssthresh": "the slow-start threshold (RFC 6582, option 2; ns-2)",
    }
}

choice! {
    /// Whether the connection uses explicit congestion notification, and how marks are echoed.
    Ecn as "Ecn" for config::Ecn {
        Off = "off": "packets are dropped, not marked",
        Classic = "classic": "a mark is echoed until the sender has answered it (RFC 3168)",
        Dctcp = "dctcp": "each acknowledgment tells whether what it covers was marked (RFC 8257)",
    }
}

choice! {
    /// How `sack` estimates the data in the network.
    SackPipe as "SackPipe" for config::SackPipe {
        Scoreboard = "scoreboard": "recomputed from the scoreboard (RFC 6675)",
        Counter = "counter": "counted: down for each acknowledgment, up for each transmission (Fall and Floyd 1996)",
    }
}

choice! {
    /// When selective acknowledgments make a segment lost.
    SackLoss as "SackLoss" for config::SackLoss {
        Count = "count": "three segments above it have arrived (RFC 6675)",
        Forward = "forward": "one more than three above it has arrived, and any acknowledgment that shows it begins recovery (Mathis and Mahdavi 1996; TCP-Linux)",
    }
}

choice! {
    /// How the window goes down in fast recovery.
    WindowReduction as "WindowReduction" for config::WindowReduction {
        AtOnce = "at-once": "at once; nothing is sent until less is in the network (RFC 6675)",
        RateHalving = "rate-halving": "by one segment for every second acknowledgment (Mathis, Semke and Mahdavi 1999; TCP-Linux)",
        Prr = "prr": "in proportion to what arrives (RFC 9937)",
    }
}

choice! {
    /// How an acknowledgment is counted.
    AckCounting as "AckCounting" for config::AckCounting {
        Acks = "acks": "each acknowledgment of new data counts one (RFC 5681)",
        Segments = "segments": "each acknowledged segment counts one (RFC 3465 without its limit; Linux)",
    }
}

/// The value of a congestion control's parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum ControlValue {
    /// A number.
    Number(f64),
    /// One of the words that the parameter chooses among.
    Word(String),
}

impl Wire for ControlValue {
    const EXPECTED: &'static str = "a number, or one of the parameter's words";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        match given {
            Scalar::Integer(i) => Ok(Self::Number(*i as f64)),
            Scalar::Number(x) => Ok(Self::Number(*x)),
            Scalar::Text(word) => Ok(Self::Word((*word).to_owned())),
            Scalar::Bool(_) => Err(Refusal::new(format!("{given} does not belong here"), Self::EXPECTED)),
        }
    }

    fn write(&self) -> Value {
        match self {
            Self::Number(x) => json!(x),
            Self::Word(word) => json!(word),
        }
    }

    fn schema() -> Value {
        json!({ "type": ["number", "string"] })
    }
}

wire!(ControlValue as "ControlValue");

/// Declares the parameters that a profile presets, each optional in a scenario.
macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty,)+) => {
        /// TCP at both ends of a flow: the variant, and every parameter of the endpoints. What is not given comes from the profile.
        #[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, expecting = "a table: { variant = \"newreno\" }")]
        pub struct Tcp {
            /// Preset name (ackclock list variants) or a pair of loss recovery and congestion control
            /// ("sack+reno"). Names of ns-2, ns-3 and Linux are understood; case does not matter.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[schemars(schema_with = "variant_schema")]
            pub variant: Option<String>,
            /// Which set of values the parameters start from; default "rfc".
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[schemars(schema_with = "profile_schema")]
            pub profile: Option<String>,
            /// Parameters of the congestion control, numbers or words, by name: for reno `increase` and `decrease`, for vegas `alpha`,
            /// `beta`, `gamma` (`ackclock list controls` shows each with its range).
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[schemars(schema_with = "control_schema")]
            pub control: Option<BTreeMap<String, ControlValue>>,
            $(
                $(#[doc = $doc])+
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $name: Option<$type>,
            )+
        }

        impl Tcp {
            /// The parameters that a profile presets: name and what it does.
            pub const PARAMETERS: &'static [(&'static str, &'static str)] =
                &[$((stringify!($name), concat!($($doc),+))),+];

            /// Each parameter as given here, or else as in `base`.
            #[must_use]
            pub fn or(self, base: &Self) -> Self {
                Self {
                    variant: self.variant.or_else(|| base.variant.clone()),
                    profile: self.profile.or_else(|| base.profile.clone()),
                    control: self.control.or_else(|| base.control.clone()),
                    $($name: self.$name.or(base.$name),)+
                }
            }

            /// The names of the parameters given here.
            pub fn names(&self) -> Vec<&'static str> {
                [$((stringify!($name), self.$name.is_some())),+]
                    .into_iter()
                    .filter_map(|(name, given)| given.then_some(name))
                    .collect()
            }

            /// Of the parameters given here these alone.
            #[must_use]
            pub fn only(&self, names: &[&str]) -> Self {
                Self {
                    variant: None,
                    profile: None,
                    control: None,
                    $($name: self.$name.filter(|_| names.contains(&stringify!($name))),)+
                }
            }
        }
    };
}

parameters! {
    /// Payload of a full segment.
    segment: Size,
    /// Header on top of the payload of each segment, on the wire.
    header: Size,
    /// Size of an acknowledgment on the wire, without options.
    ack_size: Size,
    /// Size of the SYN on the wire; "segment": as large as a full segment with its header.
    syn_size: SynSize,
    /// How the connection opens.
    syn: Syn,
    /// Window once the connection is open.
    initial_window: Window,
    /// Slow-start threshold at the start; "max_window": as large as max_window.
    initial_ssthresh: Threshold,
    /// The most that may be outstanding, whatever cwnd is.
    max_window: Window,
    /// The receiver's buffer, which it advertises.
    receive_window: Window,
    /// First window after the loss of the SYN.
    syn_loss_window: Window,
    /// Whether cwnd itself stops at max_window, rather than growing on while max_window limits.
    window_clamp: bool,
    /// Lower bound of the retransmission timeout.
    min_rto: Time,
    /// Upper bound of the retransmission timeout, backoff included.
    max_rto: Time,
    /// Retransmission timeout before the first measurement.
    initial_rto: Time,
    /// Tick of the clock that times round trips, with Jacobson's integer estimator; "0s": exact times, RFC 6298.
    clock_tick: Time,
    /// Where in a tick of that clock the connection begins: "random", or a time.
    tick_phase: TickPhase,
    /// Whether the window is cut to whole segments before a loss reduces it.
    window_rounding: Rounding,
    /// Whether the slow-start threshold is cut to whole segments.
    ssthresh_rounding: Rounding,
    /// What a loss reduces.
    reduction: Reduction,
    /// Least window that a loss found by duplicate acknowledgments leaves, in segments; 0: no floor.
    loss_floor: Floor,
    /// Whether the acknowledgment that ends fast recovery also opens the window.
    exit_growth: bool,
    /// A new segment on the first and second duplicate acknowledgment (RFC 3042).
    limited_transmit: bool,
    /// NewReno: which partial acknowledgments restart the retransmission timer.
    partial_ack_timer: PartialAckTimer,
    /// NewReno: what a partial acknowledgment does to the inflated window. Where not given, partial_ack_timer = "every" makes it "reset", "first" makes it "deflate".
    partial_window: PartialWindow,
    /// NewReno: what the acknowledgment that ends fast recovery leaves of the window. Where not given, exit_growth = true makes it "ssthresh", false makes it "flight".
    full_ack_window: FullAckWindow,
    /// NewReno: most segments sent for one acknowledgment in fast recovery; 0: no limit.
    recovery_burst: u32,
    /// Recovery sack: how the data in the network is estimated.
    sack_pipe: SackPipe,
    /// Recovery sack with sack_pipe "scoreboard": when a segment is lost.
    sack_loss: SackLoss,
    /// Recovery sack with sack_pipe "scoreboard": a retransmission is lost, too, once so many segments beyond those sent before it have arrived; 0: only the timer finds it.
    lost_retransmission: u32,
    /// Recovery sack with sack_pipe "scoreboard": a retransmission is lost, too, once the so many-th retransmission after it has arrived; 0: not (TCP-Linux: 5).
    overtaken_retransmission: u32,
    /// Recovery rack: how much later than expected a segment may arrive before it is lost, as a share of the least round trip, 0 to 1 (RFC 8985: reo_wnd).
    reordering_window: Fraction,
    /// Recovery rack: whether it probes for losses at the tail (TLP, RFC 8985).
    tail_loss_probe: bool,
    /// Recovery rack: how long the receiver may delay the acknowledgment of a single segment, which the probe timeout allows for (RFC 8985: TLP.max_ack_delay).
    max_ack_delay: Time,
    /// How the window goes down in fast recovery. Without effect for tahoe and fack, whose recovery starts from one segment.
    window_reduction: WindowReduction,
    /// Rate halving: how far below the window that the loss leaves a recovery that lasts may take it, as a factor from 0 to 1.
    halving_floor: Fraction,
    /// Recovery sack with sack_pipe "scoreboard": segments that may go at once when recovery ends; what was selectively acknowledged is forgotten with it, and the window is at most what is outstanding and these (TCP-Linux). 0: no limit, nothing forgotten.
    exit_burst: u32,
    /// Whether duplicate acknowledgments restart the retransmission timer, too, and with timestamps measure round trips (recovery sack with sack_pipe "scoreboard"; TCP-Linux).
    dup_ack_timer: bool,
    /// Whether a measurement of the round trip under way goes on through fast recovery, even of the segment that is sent again (TCP-Linux), rather than end there (Karn and Partridge 1987).
    timing_in_recovery: bool,
    /// With syn = "packet": whether data leaves together with the SYN (TCP-Linux), rather than once it is acknowledged.
    early_data: bool,
    /// Whether slow start goes on while cwnd equals ssthresh (RFC 5681 leaves it open).
    slow_start_at_threshold: bool,
    /// Whether the window grows by whole segments only: what an acknowledgment adds is kept until it makes one, and in congestion avoidance every segment that it acknowledges counts (TCP-Linux).
    whole_growth: bool,
    /// Whether a control whose own cut takes less than half takes half where slow start met the loss, or the timer found it.
    halve_in_slow_start: bool,
    /// Control reno: whether a connection's first cut, a cut in slow start and one after a timeout take half, whatever decrease says (ns-2's first_decrease_).
    early_halving: bool,
    /// Whether each write of an application counts as whole segments (ns-2), rather than as bytes of a stream.
    pad_writes: bool,
    /// Whether an application that has written nothing for longer than a timeout begins again with the initial window (RFC 5681 section 4.1).
    idle_restart: bool,
    /// Whether the first slow start ends where round trips grow, rather than where a queue overflows (HyStart++, RFC 9406). Controls that send by a rate of their own have none.
    hystart: bool,
    /// How an acknowledgment is counted when the window grows.
    ack_counting: AckCounting,
    /// Acknowledge every second segment, or after this time; false: each at once; true: the profile's time.
    delayed_ack: DelayedAck,
    /// The timestamps option (RFC 7323): a measurement with each acknowledgment.
    timestamps: bool,
    /// With timestamps: whether each acknowledgment of new data ends the backoff of the retransmission timer, rather than that of the timed segment alone (ns-2: ts_resetRTO_).
    stamps_end_backoff: bool,
    /// Bytes that the timestamps option adds to each segment.
    timestamps_size: Size,
    /// Bytes that the SACK option adds to an acknowledgment, beside 8 for each block.
    sack_option: Size,
    /// Most SACK blocks in an acknowledgment, 0 to 3. Without effect, and 0 where not given, unless the recovery is sack, fack or rack.
    sack_blocks: u8,
    /// Most runs of segments that the receiver remembers to report, 0 to 32; 0: all. ns-2's sink remembers three.
    sack_memory: u8,
    /// Explicit congestion notification: "classic" as in RFC 3168, "dctcp" as in RFC 8257. Control dctcp presets "dctcp".
    ecn: Ecn,
    /// With ECN, a mark reduces the window less than a loss does: reno to 0.8, cubic to 0.85 of it (ABE, RFC 8511).
    abe: bool,
    /// Segments leave one by one at a rate, 2 windows per round trip in slow start and 1.2 after it, instead of as acknowledgments let them. Controls that send by a rate of their own do so anyhow.
    pacing: bool,
    /// Close with a FIN once a transfer of given size is acknowledged.
    fin: bool,
}

fn variant_schema(_: &mut SchemaGenerator) -> Schema {
    let presets: Vec<_> = crate::scenario::presets::variants().iter().map(|v| v.name).collect();
    json_schema!({ "anyOf": [{ "enum": presets }, { "type": "string" }] })
}

fn profile_schema(_: &mut SchemaGenerator) -> Schema {
    let profiles = crate::scenario::presets::profiles();
    let each = profiles.iter().map(|p| json!({ "const": p.name, "description": p.summary }));
    json_schema!({ "oneOf": each.collect::<Vec<_>>(), "default": "rfc" })
}

fn control_schema(_: &mut SchemaGenerator) -> Schema {
    let mut properties: BTreeMap<&str, (Vec<Value>, String)> = BTreeMap::new();
    for algorithm in tcp::congestion::Control::ALL {
        for p in algorithm.parameters {
            let default =
                p.choices.get(p.default as usize).map_or(p.default.to_string(), |w| format!("{w:?}"));
            let about =
                format!("{}: {}{}, {default} where not given", algorithm.name, p.summary, unit(p.unit));
            let one = if p.choices.is_empty() {
                json!({ "type": "number", "minimum": p.min, "maximum": p.max })
            } else {
                json!({ "enum": p.choices })
            };
            // Controls may share a name: the editor then allows what either does.
            let (allowed, text) = properties.entry(p.name).or_default();
            if !allowed.contains(&one) {
                allowed.push(one);
            }
            *text = if text.is_empty() { about } else { format!("{text}; {about}") };
        }
    }
    let property = |(name, (allowed, text)): (&str, (Vec<Value>, String))| {
        (name.to_owned(), json!({ "anyOf": allowed, "description": text }))
    };
    let properties: serde_json::Map<_, _> = properties.into_iter().map(property).collect();
    json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn unit(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" ({unit})") }
}
