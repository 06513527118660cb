//! Settings of the stations' queues.

use settings::TimeOrNever;
use settings::schema::{Json, any};
use settings::{Choice, Error, Node, Schemas, Setting, Settings};

/// Queue of a station: drop-tail, or fed by a queue discipline above it.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Queue {
    /// Most packets in a station's queue, without those in transmission.
    #[setting(name = "queue", default = 50, range = 1..=u32::MAX, absent = "50, in profile \"ns3\" 500")]
    pub packets: u32,
    /// Queue discipline above the station's queue. The station's queue takes packets from the discipline when it has
    /// room; "none": packets go directly into the station's queue.
    #[setting(default = Discipline::None, absent = "\"none\", in profile \"ns3\" FQ-CoDel")]
    pub discipline: Discipline,
    /// Age at which a packet is dropped if it waits in the queue or, in an A-MPDU, has not been acknowledged;
    /// "never": packets do not expire.
    #[setting(default = TimeOrNever(None), absent = "\"never\", in profile \"ns3\" \"500ms\"")]
    pub lifetime: TimeOrNever,
    /// Send packets of the routing protocol before others.
    #[setting(default = true, absent = "true, in profile \"ns3\" false except in a mesh")]
    pub routing_first: bool,
}

impl Queue {
    /// Checks the settings against one another.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.discipline.get().is_some_and(waits_for_time) {
            let message =
                "a token bucket releases packets by the clock: here they go when the station has room";
            return Err(Error::new("discipline", message).allowed("any other queue"));
        }
        Ok(())
    }
}

/// Returns true if a queue, or one inside it, can delay packets although the device is free.
fn waits_for_time(queue: &net::queue::Config) -> bool {
    match queue {
        net::queue::Config::TokenBucket(_) => true,
        net::queue::Config::TxRing(ring) => waits_for_time(&ring.queue),
        net::queue::Config::Priority(priority) => priority.bands.iter().any(waits_for_time),
        _ => false,
    }
}

/// Queue discipline above a station's queue.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Discipline {
    /// No discipline.
    #[default]
    None,
    /// A queue discipline.
    Queue(net::queue::Config),
}

/// Word of a scenario file for no discipline.
#[derive(Clone, Copy, Choice)]
enum Word {
    /// packets go directly into the station's queue
    None,
}

impl Discipline {
    /// Returns the discipline's settings; `None` without a discipline.
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
