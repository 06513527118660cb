//! Room of a queue.

use settings::table::{self, Default as Given, Field, bounds};
use settings::{Error, Node, Schemas, Settings};
use settings::{Form, Own, Size};

/// How many packets or bytes find room, the packet in transmission included: one of three settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// So many packets.
    Packets(u32),
    /// So many bytes on the wire.
    Bytes(u64),
    /// Any number.
    Unlimited,
}

/// Room in packets if nothing is given.
const USUAL: u32 = 1000;

impl Default for Limit {
    fn default() -> Self {
        Self::Packets(USUAL)
    }
}

impl Settings for Limit {
    fn knows(key: &str) -> bool {
        ["packets", "bytes", "unlimited"].contains(&key)
    }

    fn fields(schemas: &mut Schemas) -> Vec<Field> {
        let mut packets = <Own as Form<u32>>::schema(schemas);
        bounds::<u32, Own>(&mut packets, &1, &u32::MAX);
        let field = |name, about, value: &str, default, schema| Field {
            name,
            about,
            source: "",
            value: value.to_owned(),
            range: None,
            default,
            schema,
        };
        let usual = Given::Value(USUAL.into());
        vec![
            field(
                "packets",
                "Room in packets, the packet in transmission included.",
                "whole number",
                usual,
                packets,
            ),
            field(
                "bytes",
                "Room in bytes, those of the packet in transmission included; in place of `packets`.",
                "size",
                Given::Absent(""),
                <Size as Form<u64>>::schema(schemas),
            ),
            field("unlimited", "No limit.", "true", Given::Absent(""), <Own as Form<bool>>::schema(schemas)),
        ]
    }

    fn read_fields(table: &Node, base: Option<&Self>) -> Result<Self, Error> {
        let packets = table.get("packets").map(|node| table::plain::<u32, Own>(node, "packets", None));
        let bytes = table.get("bytes").map(|node| table::plain::<u64, Size>(node, "bytes", None));
        let unlimited = table.get("unlimited").map(|node| table::plain::<bool, Own>(node, "unlimited", None));
        let (packets, bytes, unlimited) = (packets.transpose()?, bytes.transpose()?, unlimited.transpose()?);
        let limit = match (packets, bytes, unlimited.unwrap_or(false)) {
            (None, None, false) => base.copied().unwrap_or_default(),
            (Some(packets), None, false) => Self::Packets(packets),
            (None, Some(bytes), false) => Self::Bytes(bytes),
            (None, None, true) => Self::Unlimited,
            _ => {
                return Err(Error::new("", "a queue has one limit, and this gives several")
                    .allowed("packets = 50, bytes = \"64KiB\", or unlimited = true"));
            }
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
