//! Stations in settings.

use radio::access::Station;
use settings::schema::Json;
use settings::{Error, Node, Schemas, Setting};

/// A station in settings: by its name as a document gives it, or by its number once that name has been looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StationRef {
    /// The name in a document.
    Named(String),
    /// The number in the network.
    Known(Station),
}

impl StationRef {
    /// Returns the number, once it is known.
    pub const fn station(&self) -> Option<Station> {
        match self {
            Self::Named(_) => None,
            Self::Known(station) => Some(*station),
        }
    }
}

impl Setting for StationRef {
    fn expected() -> String {
        String::expected()
    }
    fn value() -> String {
        String::value()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        String::read(node).map(Self::Named)
    }
    fn write(&self) -> Node {
        match self {
            Self::Named(name) => name.write(),
            Self::Known(station) => station.0.to_string().write(),
        }
    }
    fn schema(schemas: &mut Schemas) -> Json {
        String::schema(schemas)
    }
}
