//! References to stations in settings.

use radio::access::Station;
use settings::schema::Json;
use settings::{Error, Node, Schemas, Setting};

/// Reference to a station in settings: its name, as a scenario file gives it, or its number once the name has been
/// resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StationRef {
    /// Name in the scenario file.
    Named(String),
    /// Number in the network.
    Known(Station),
}

impl StationRef {
    /// Returns the number, or `None` if the name has not been resolved.
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
