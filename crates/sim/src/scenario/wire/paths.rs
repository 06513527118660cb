//! Rates that follow a trace, and impaired wires.

use super::losses::{HELD_BACK, RATE};
use base::{DataRate, Duration};
use settings::Probability;
use settings::setting::misplaced;
use settings::{Data, Error, Form, Kinds, Node, Own, Schemas, Setting, Settings, schema};

/// A link's rate: constant, or from a trace.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum LinkRate {
    /// Constant.
    Constant(DataRate),
    /// Opportunities to deliver.
    Trace(TraceRate),
}

/// A rate trace: a file, or its content as `gaps`.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct TraceRate {
    /// A file in mahimahi's format: a time in milliseconds on each line, at which 1500 bytes may leave; it starts over after the last.
    pub trace: Option<String>,
    /// The file's content: milliseconds from one opportunity to the next, the first from the start; `1x5` is five
    /// times 1. Filled in when the file is read.
    pub gaps: Option<String>,
}

impl Setting for LinkRate {
    fn expected() -> String {
        format!("{}, or {{ trace = \"FILE\" }}", DataRate::expected())
    }

    fn value() -> String {
        "rate, or `{ trace = \"FILE\" }`".to_owned()
    }

    fn read(node: &Node) -> Result<Self, Error> {
        match node.data {
            Data::Table(_) => TraceRate::read(node).map(Self::Trace),
            Data::List(_) => Err(misplaced(node, Self::expected())),
            _ => settings::table::within::<DataRate, Own>(
                DataRate::read(node)?,
                Some(DataRate::RANGE.into_inner()),
                "",
            )
            .map(Self::Constant),
        }
    }

    fn write(&self) -> Node {
        match self {
            Self::Constant(rate) => rate.write(),
            Self::Trace(trace) => trace.write(),
        }
    }

    fn schema(schemas: &mut Schemas) -> schema::Json {
        schema::any([DataRate::schema(schemas), TraceRate::schema(schemas)])
    }
}

/// A delay that varies from packet to packet, added to the propagation delay.
#[derive(Clone, PartialEq, Debug, Kinds)]
#[settings(what = "jitter")]
pub(crate) enum Jitter {
    /// Uniform from zero to `max`.
    Uniform(UniformJitter),
    /// Exponential.
    Exponential(ExponentialJitter),
    /// Normal, cut off at zero.
    Normal(NormalJitter),
}

/// Settings of every jitter.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct JitterSite {
    /// Packets arrive in the order in which they were sent.
    #[setting(default = true)]
    pub keep_order: bool,
    /// Only in the direction to this node.
    #[setting(absent = "both")]
    pub toward: Option<String>,
}

/// Uniform jitter.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct UniformJitter {
    /// The largest delay that is added.
    #[setting(needed = "the most that is added to the delay: max = \"5ms\"", range = HELD_BACK)]
    pub max: Duration,
    /// Direction and order.
    #[setting(flatten)]
    pub site: JitterSite,
}

/// Exponential jitter.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct ExponentialJitter {
    /// Mean of the added delay.
    #[setting(needed = MEAN, range = HELD_BACK)]
    pub mean: Duration,
    /// Direction and order.
    #[setting(flatten)]
    pub site: JitterSite,
}

/// The form of a mean, for messages.
const MEAN: &str = "the mean of what is added to the delay: mean = \"5ms\"";

/// Normal jitter.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct NormalJitter {
    /// Mean of the added delay, before it is cut off at zero.
    #[setting(needed = MEAN, range = HELD_BACK)]
    pub mean: Duration,
    /// Standard deviation, before it is cut off.
    #[setting(needed = "the standard deviation of what is added: deviation = \"1ms\"", range = HELD_BACK)]
    pub deviation: Duration,
    /// Direction and order.
    #[setting(flatten)]
    pub site: JitterSite,
}

/// Packets held back, so that those behind overtake them.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "reorder", expecting = "a table: { rate = 0.01, delay = \"10ms\" }")]
pub(crate) struct Reorder {
    /// Probability that a packet is held back.
    #[setting(needed = RATE, form = Probability)]
    pub rate: f64,
    /// Time for which it is held back.
    #[setting(needed = "how long it is held back: delay = \"10ms\"", range = HELD_BACK)]
    pub delay: Duration,
    /// Only in the direction to this node.
    #[setting(absent = "both")]
    pub toward: Option<String>,
}

/// Packets delivered twice.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "duplicate", expecting = "a table: { rate = 0.01 }")]
pub(crate) struct Duplicate {
    /// Probability that a packet is delivered twice.
    #[setting(needed = RATE, form = Probability)]
    pub rate: f64,
    /// Only in the direction to this node.
    #[setting(absent = "both")]
    pub toward: Option<String>,
}

/// The two nodes that a link joins.
pub(crate) struct Ends;

impl Form<[String; 2]> for Ends {
    fn expected() -> String {
        "two names: between = [\"a\", \"b\"]".to_owned()
    }

    fn value() -> String {
        "two names".to_owned()
    }

    fn read(node: &Node) -> Result<[String; 2], Error> {
        if node.as_list().is_none() {
            return Err(settings::setting::misplaced(node, Self::expected()));
        }
        Vec::<String>::read(node)?.try_into().map_err(|names: Vec<_>| {
            let message = format!("a link joins two nodes, not {}", names.len());
            Error::new("", message).allowed("between = [\"a\", \"b\"]")
        })
    }

    fn write(value: &[String; 2]) -> Node {
        value.iter().map(|name| name.as_str().into()).collect::<Vec<Node>>().into()
    }

    fn schema(schemas: &mut Schemas) -> schema::Json {
        let mut schema = Vec::<String>::schema(schemas);
        schema["minItems"] = 2.into();
        schema["maxItems"] = 2.into();
        schema
    }
}
