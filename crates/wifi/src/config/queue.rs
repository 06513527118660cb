//! Settings of the stations' queues.

use settings::TimeOrNever;
use settings::schema::{Json, any};
use settings::{Choice, Error, Node, Schemas, Setting, Settings};

/// A station's queue: drop-tail, or filled by a discipline above it as there is room.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Queue {
    /// Packets that find room in a station's queue, without those being transmitted.
    #[setting(name = "queue", default = 50, range = 1..=u32::MAX, absent = "50, in profile \"ns3\" 500")]
    pub packets: u32,
    /// A queue discipline above that queue, which is filled from it as there is room; "none": packets join the queue itself.
    #[setting(default = Discipline::None, absent = "\"none\", in profile \"ns3\" FQ-CoDel")]
    pub discipline: Discipline,
    /// Age at which a packet is dropped that waits in the queue or, in an aggregate, has not been acknowledged;
    /// "never": not at all.
    #[setting(default = TimeOrNever(None), absent = "\"never\", in profile \"ns3\" \"500ms\"")]
    pub lifetime: TimeOrNever,
    /// Packets of the routing protocol go first.
    #[setting(default = true, absent = "true, in profile \"ns3\" false but in a mesh")]
    pub routing_first: bool,
}

impl Queue {
    /// Checks between the settings.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.discipline.get().is_some_and(waits_for_time) {
            let message =
                "a token bucket releases packets by the clock: here they go when the station has room";
            return Err(Error::new("discipline", message).allowed("any other queue"));
        }
        Ok(())
    }
}

/// Returns true if a queue, or one in it, holds packets back that could go.
fn waits_for_time(queue: &net::queue::Config) -> bool {
    match queue {
        net::queue::Config::TokenBucket(_) => true,
        net::queue::Config::TxRing(ring) => waits_for_time(&ring.queue),
        net::queue::Config::Priority(priority) => priority.bands.iter().any(waits_for_time),
        _ => false,
    }
}

/// The discipline before a station's queue.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Discipline {
    /// Nothing.
    #[default]
    None,
    /// A queue discipline.
    Queue(net::queue::Config),
}

/// The word for no discipline.
#[derive(Clone, Copy, Choice)]
enum Word {
    /// packets join the queue itself
    None,
}

impl Discipline {
    /// Returns the discipline, if there is one.
    pub const fn get(&self) -> Option<&net::queue::Config> {
        match self {
            Self::None => None,
            Self::Queue(queue) => Some(queue),
        }
    }
}

impl Setting for Discipline {
    fn expected() -> String {
        "{ kind = \"fq-codel\" } and other queues, or \"none\"".to_owned()
    }
    fn value() -> String {
        "queue, `\"none\"`".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        match node.as_text() {
            Some("none") => Ok(Self::None),
            _ if node.is_table() => net::queue::Config::read(node).map(Self::Queue),
            _ => Err(Error::new("", "no queue discipline").allowed(Self::expected())),
        }
    }
    fn write(&self) -> Node {
        self.get().map_or_else(|| "none".into(), Setting::write)
    }
    fn schema(schemas: &mut Schemas) -> Json {
        any([Word::schema(schemas), net::queue::Config::schema(schemas)])
    }
}
