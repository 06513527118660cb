//! Capacity of a queue, as a setting.

use settings::schema::json;
use settings::table::{self, Default as Given, Field, bounds};
use settings::{Error, Node, Schemas, Settings};
use settings::{Form, Own, Size};

/// Number of packets or bytes that a queue can hold, including the packet in transmission.
///
/// A table of a scenario may give bandwidth-delay products (`bdp`) instead. The code that knows the path
/// replaces them by packets before the table is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Number of packets.
    Packets(u32),
    /// Number of bytes on the wire.
    Bytes(u64),
    /// No limit.
    Unlimited,
}

/// Key of the capacity in bandwidth-delay products.
pub const PRODUCTS: &str = "bdp";

/// Default capacity, packets.
const USUAL: u32 = 1000;

impl Default for Limit {
    fn default() -> Self {
        Self::Packets(USUAL)
    }
}

impl Settings for Limit {
    fn any_key(test: &mut dyn FnMut(&'static str) -> bool) -> bool {
        ["packets", "bytes", PRODUCTS, "unlimited"].into_iter().any(test)
    }

    fn fields(schemas: &mut Schemas) -> Vec<Field> {
        let mut packets = <Own as Form<u32>>::schema(schemas);
        bounds::<u32, Own>(&mut packets, &1, &u32::MAX);
        let field = |name, about, value: &str, default, schema| Field {
            name,
            about,
            source: "",
            was: "",
            value: value.to_owned(),
            range: None,
            default,
            schema,
        };
        let usual = Given::Value(USUAL.into());
        vec![
            field(
                "packets",
                "Capacity in packets, including the packet in transmission.",
                "whole number",
                usual,
                packets,
            ),
            field(
                "bytes",
                "Capacity in bytes, including the packet in transmission; replaces `packets`.",
                "size",
                Given::Absent(""),
                <Size as Form<u64>>::schema(schemas),
            ),
            field(
                PRODUCTS,
                "Capacity in bandwidth-delay products; replaces `packets`. Only for the queue of a link that a TCP flow crosses.",
                "number above 0",
                Given::Absent(""),
                json!({ "type": "number", "exclusiveMinimum": 0 }),
            ),
            field("unlimited", "No limit.", "true", Given::Absent(""), <Own as Form<bool>>::schema(schemas)),
        ]
    }

    fn read_fields(table: &Node, base: Option<&Self>) -> Result<Self, Error> {
        if let Some(products) = table.get(PRODUCTS) {
            return Err(refused(table, products));
        }
        let packets = table.get("packets").map(|node| table::plain::<u32, Own>(node, "packets", None));
        let bytes = table.get("bytes").map(|node| table::plain::<u64, Size>(node, "bytes", None));
        let unlimited = table.get("unlimited").map(|node| table::plain::<bool, Own>(node, "unlimited", None));
        let (packets, bytes, unlimited) = (packets.transpose()?, bytes.transpose()?, unlimited.transpose()?);
        let limit = match (packets, bytes, unlimited.unwrap_or(false)) {
            (None, None, false) => base.copied().unwrap_or_default(),
            (Some(packets), None, false) => Self::Packets(packets),
            (None, Some(bytes), false) => Self::Bytes(bytes),
            (None, None, true) => Self::Unlimited,
            _ => return Err(several()),
        };
        let empty = match limit {
            Self::Packets(0) => "packets",
            Self::Bytes(0) => "bytes",
            _ => return Ok(limit),
        };
        let message = "a queue without room passes nothing: the packet in transmission takes a place too";
        Err(Error::new(empty, message).allowed("at least 1"))
    }

    fn write_fields(&self, table: &mut Node) {
        match self {
            Self::Packets(packets) => table.insert("packets", *packets),
            Self::Bytes(bytes) => table.insert("bytes", <Size as Form<u64>>::write(bytes)),
            Self::Unlimited => table.insert("unlimited", true),
        }
    }
}

fn several() -> Error {
    Error::new("", "a queue has one limit, and this gives several")
        .allowed("packets = 50, bytes = \"64KiB\", bdp = 1, or unlimited = true")
}

/// Returns the error for a table that still contains bandwidth-delay products when it is read.
fn refused(table: &Node, products: &Node) -> Error {
    if ["packets", "bytes", "unlimited"].iter().any(|key| table.get(key).is_some()) {
        return several();
    }
    if products.as_f64().is_none_or(|number| number <= 0.0) {
        return Error::new(PRODUCTS, "not a number of bandwidth-delay products").allowed("a number above 0");
    }
    Error::new(PRODUCTS, "only the queue of a link, not one inside it or elsewhere, can be given in products")
        .allowed("packets = 50, bytes = \"64KiB\", or unlimited = true")
}
