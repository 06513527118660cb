//! Rates of links from traces, and impairments of links.

use base::DataRate;
use net::impairment::{self, Order, Spread};
use settings::setting::misplaced;
use settings::{Data, Error, Form, Node, Own, Schemas, Setting, Settings, Shared, schema};

/// Rate of a link: constant, or from a trace.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum LinkRate {
    /// Constant rate.
    Constant(DataRate),
    /// Opportunities for delivery from a trace.
    Trace(TraceRate),
}

/// Rate trace: the name of a file, or its content as `gaps`.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct TraceRate {
    /// File in mahimahi's format: each line is a time in milliseconds at which 1500 bytes may leave; after the last
    /// line the trace starts over.
    pub trace: Option<String>,
    /// Content of the file: milliseconds from one opportunity to the next, the first from the start; `1x5` is five
    /// gaps of 1 ms. Filled in when the file is read.
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
            _ => settings::table::within::<DataRate, Own>(DataRate::read(node)?, DataRate::RANGE, "")
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

/// Jitter in one direction of a link, or in both.
pub(crate) type Jitter = Shared<Spread, JitterSite>;

/// Settings of any kind of jitter.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct JitterSite {
    /// Setting `keep_order`: true if packets stay in order although their delays differ.
    #[setting(flatten)]
    pub order: Order,
    /// Node toward which packets are delayed.
    #[setting(absent = "both")]
    pub toward: Option<String>,
}

/// Reordering: packets that are held back, so that later ones overtake them.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "reorder", expecting = "a table: { rate = 0.01, delay = \"10ms\" }", no_default)]
pub(crate) struct Reorder {
    /// Choice of the packets, and their delay.
    #[setting(flatten)]
    pub config: impairment::Reorder,
    /// Node toward which packets are held back.
    #[setting(absent = "both")]
    pub toward: Option<String>,
}

/// Duplication: packets that are delivered twice.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "duplicate", expecting = "a table: { rate = 0.01 }", no_default)]
pub(crate) struct Duplicate {
    /// Choice of the packets.
    #[setting(flatten)]
    pub config: impairment::Duplicate,
    /// Node toward which packets are duplicated.
    #[setting(absent = "both")]
    pub toward: Option<String>,
}

/// Form of the two nodes that a link joins.
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
