//! Rates that follow a trace, and impaired wires.

use base::DataRate;
use net::impairment::{self, Order, Spread};
use settings::setting::misplaced;
use settings::{Data, Error, Form, Node, Own, Schemas, Setting, Settings, Shared, schema};

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

/// A delay that varies from packet to packet, in one direction of a link or in both.
pub(crate) type Jitter = Shared<Spread, JitterSite>;

/// Settings that every jitter has.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct JitterSite {
    /// The order of packets.
    #[setting(flatten)]
    pub order: Order,
    /// Only in the direction to this node.
    #[setting(absent = "both")]
    pub toward: Option<String>,
}

/// Packets held back, so that those behind overtake them.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "reorder", expecting = "a table: { rate = 0.01, delay = \"10ms\" }", no_default)]
pub(crate) struct Reorder {
    /// The packets, and the time.
    #[setting(flatten)]
    pub config: impairment::Reorder,
    /// Only in the direction to this node.
    #[setting(absent = "both")]
    pub toward: Option<String>,
}

/// Packets delivered twice.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "duplicate", expecting = "a table: { rate = 0.01 }", no_default)]
pub(crate) struct Duplicate {
    /// The packets.
    #[setting(flatten)]
    pub config: impairment::Duplicate,
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
