//! What a run is asked to record, and the names of what it records.

use base::{Duration, Instant, NodeId, PacketEvent, Place};
use std::fmt;

/// A trace that can be asked for by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Trace {
    /// Every packet at every place.
    Segments,
    /// Congestion window and slow-start threshold at each change.
    Cwnd,
    /// Round-trip times, timeout, data in flight and recovery state of senders.
    State,
    /// Length of each link's queue at each change.
    Queue,
    /// Every packet on each link that it crosses.
    Hops,
    /// Every lost packet with its cause.
    Drops,
    /// Rates and counts per flow in bins of time.
    Throughput,
    /// One-way delay and its variation for each packet received.
    Delay,
    /// Capture files of the hosts' interfaces.
    Pcap,
    /// A trace file in the wired format of ns-2.
    Ns2,
    /// Per-flow statistics in the format of ns-3's FlowMonitor.
    FlowMonitor,
    /// Every transmission of radio networks on the air.
    Frames,
    /// Where nodes are, in steps of time.
    Positions,
    /// EvalVid's traces of each video.
    EvalVid,
}

impl Trace {
    /// Every trace, in the order of lists.
    pub const ALL: [Self; 14] = [
        Self::Segments,
        Self::Cwnd,
        Self::State,
        Self::Queue,
        Self::Hops,
        Self::Drops,
        Self::Throughput,
        Self::Delay,
        Self::Pcap,
        Self::Ns2,
        Self::FlowMonitor,
        Self::Frames,
        Self::Positions,
        Self::EvalVid,
    ];

    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Segments => "segments",
            Self::Cwnd => "cwnd",
            Self::State => "state",
            Self::Queue => "queue",
            Self::Hops => "hops",
            Self::Drops => "drops",
            Self::Throughput => "throughput",
            Self::Delay => "delay",
            Self::Pcap => "pcap",
            Self::Ns2 => "ns2",
            Self::FlowMonitor => "flowmonitor",
            Self::Frames => "frames",
            Self::Positions => "positions",
            Self::EvalVid => "evalvid",
        }
    }

    /// What it holds, one line.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Segments => {
                "every packet at every place: sent, queued, transmitted, received, lost, acknowledged"
            }
            Self::Cwnd => "congestion window and slow-start threshold of each sender, a row for each change",
            Self::State => "RTT samples, SRTT, RTO, segments in flight and recovery state of each sender",
            Self::Queue => {
                "packets and bytes in each link's queue (the one in transmission included), at each change"
            }
            Self::Hops => "every packet on each link that it crosses: queued, transmitted, arrived or lost",
            Self::Drops => "every lost packet with its place and cause",
            Self::Throughput => "throughput, goodput and packet counts of each flow in bins of time",
            Self::Delay => "one-way delay and delay variation of each packet received",
            Self::Pcap => "capture files for Wireshark, one per host interface",
            Self::Ns2 => "trace file in ns-2's wired format",
            Self::EvalVid => "EvalVid's video, sender and receiver traces of each video flow",
            Self::FlowMonitor => "statistics of each flow as the XML of ns-3's FlowMonitor",
            Self::Frames => {
                "every transmission of radio networks: when, from whom, to whom, what, and whether it was lost"
            }
            Self::Positions => "where nodes are: once, and those that move in bins of time",
        }
    }
}

/// Which traces a run records. The default records none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Observe {
    /// [`Trace::Segments`].
    pub segments: bool,
    /// [`Trace::Cwnd`].
    pub cwnd: bool,
    /// [`Trace::State`].
    pub state: bool,
    /// [`Trace::Queue`].
    pub queue: bool,
    /// [`Trace::Hops`].
    pub hops: bool,
    /// [`Trace::Drops`].
    pub drops: bool,
    /// [`Trace::Throughput`], in bins of this width.
    pub throughput: Option<Duration>,
    /// [`Trace::Delay`].
    pub delay: bool,
    /// [`Trace::Pcap`].
    pub pcap: bool,
    /// [`Trace::Ns2`].
    pub ns2: bool,
    /// [`Trace::FlowMonitor`].
    pub flowmonitor: bool,
    /// [`Trace::Frames`].
    pub frames: bool,
    /// [`Trace::Positions`], in steps of this width.
    pub positions: Option<Duration>,
    /// [`Trace::EvalVid`].
    pub evalvid: bool,
}

impl Observe {
    /// The traces called `names`, throughput and positions in bins of `bin`.
    ///
    /// # Errors
    /// When a name is none of [`Trace::ALL`], or one in bins of time is asked for in bins of no width.
    pub fn parse(names: &[String], bin: Duration) -> Result<Self, ObserveError> {
        let mut observe = Self::default();
        for name in names {
            let Some(trace) = Trace::ALL.into_iter().find(|t| t.name() == name) else {
                return Err(ObserveError::unknown(name));
            };
            match trace {
                Trace::Segments => observe.segments = true,
                Trace::Cwnd => observe.cwnd = true,
                Trace::State => observe.state = true,
                Trace::Queue => observe.queue = true,
                Trace::Hops => observe.hops = true,
                Trace::Drops => observe.drops = true,
                Trace::Throughput | Trace::Positions if bin.is_zero() => {
                    return Err(ObserveError::NoBin(trace));
                }
                Trace::Throughput => observe.throughput = Some(bin),
                Trace::Delay => observe.delay = true,
                Trace::Pcap => observe.pcap = true,
                Trace::Ns2 => observe.ns2 = true,
                Trace::FlowMonitor => observe.flowmonitor = true,
                Trace::Frames => observe.frames = true,
                Trace::Positions => observe.positions = Some(bin),
                Trace::EvalVid => observe.evalvid = true,
            }
        }
        Ok(observe)
    }

    /// Whether nothing is recorded: a run then needs no [`Recorder`](crate::Recorder).
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// The packet events that the traces look at, each perhaps more than once.
    pub(crate) fn packet_events(&self) -> Vec<PacketEvent> {
        use PacketEvent::{Ack, AckSent, Departed, Dequeue, Drop, Duplicate, Enqueue, Mark, Receive, Send};
        let traces: [(bool, &[PacketEvent]); 9] = [
            (self.segments, &[Send, Enqueue, Dequeue, Receive, Drop, Mark, Duplicate, AckSent, Ack]),
            (self.hops, &[Enqueue, Dequeue, Departed, Receive, Drop, Duplicate]),
            (self.drops, &[Drop]),
            (self.queue, &[Enqueue, Departed, Drop]),
            (self.delay, &[Receive]),
            (self.throughput.is_some(), &[Send, Receive, Drop]),
            (self.pcap, &[Send, Enqueue, Dequeue, Receive, Ack]),
            (self.ns2, &[Send, AckSent, Enqueue, Dequeue, Receive, Drop]),
            (self.flowmonitor, &[Send, AckSent, Receive, Drop]),
        ];
        traces.into_iter().filter(|(on, _)| *on).flat_map(|(_, events)| events.iter().copied()).collect()
    }
}

/// Why a list of trace names is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ObserveError {
    /// There is no such trace.
    Unknown {
        /// The name given.
        given: String,
        /// The trace whose name is nearest, if one is near.
        nearest: Option<&'static str>,
    },
    /// This trace needs bins wider than 0 s.
    NoBin(Trace),
}

impl ObserveError {
    fn unknown(given: &str) -> Self {
        let near =
            Trace::ALL.map(|t| (strsim::damerau_levenshtein(&given.to_lowercase(), t.name()), t.name()));
        let nearest = near.into_iter().min().filter(|(distance, _)| *distance <= 3).map(|(_, name)| name);
        Self::Unknown { given: given.to_owned(), nearest }
    }

    /// What is allowed, one line.
    pub fn allowed() -> String {
        Trace::ALL.map(Trace::name).join(", ")
    }
}

impl fmt::Display for ObserveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { given, nearest } => {
                write!(f, "unknown trace `{given}`")?;
                if let Some(name) = nearest {
                    write!(f, "; did you mean `{name}`?")?;
                }
                write!(f, " (traces: {})", Self::allowed())
            }
            Self::NoBin(trace) => {
                write!(f, "the bins of trace `{}` must be wider than 0 s", trace.name())
            }
        }
    }
}

impl std::error::Error for ObserveError {}

/// Names and facts of the scenario that traces mention, each indexed by its id.
#[derive(Clone, Debug, Default)]
pub struct Subjects {
    /// Node names.
    pub nodes: Vec<String>,
    /// Directions of links.
    pub links: Vec<LinkSubject>,
    /// Crossings of radio networks.
    pub crossings: Vec<CrossingSubject>,
    /// Flows.
    pub flows: Vec<FlowSubject>,
}

/// One direction of a link, as traces name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkSubject {
    /// Where it begins.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
}

/// A crossing of a radio network, as traces name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CrossingSubject {
    /// Which network, counted from 0.
    pub network: u32,
    /// Where it begins and ends.
    pub ends: LinkSubject,
}

/// A flow, as traces show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowSubject {
    /// Its name in results.
    pub name: String,
    /// The node of its source.
    pub from: NodeId,
    /// The node of its destination.
    pub to: NodeId,
    /// When it begins.
    pub start: Instant,
    /// When its source stops offering data.
    pub stop: Instant,
    /// Datagrams rather than TCP.
    pub datagrams: bool,
    /// Sequence numbers in traces count packets from 0 rather than bytes.
    pub packet_numbers: bool,
    /// Payload of a full segment, bytes.
    pub segment: u32,
    /// Number of the first segment that carries payload: 1 where the SYN takes number 0, else 0.
    pub first_data: u64,
    /// Payload to send in all, bytes; endless where `None`.
    pub size: Option<u64>,
    /// The connection opens with a three-way handshake (capture files then carry the options of a SYN).
    pub handshake: bool,
    /// The timestamps option is on.
    pub timestamps: bool,
    /// The receiver sends selective acknowledgments.
    pub sack: bool,
    /// The receiver's buffer, bytes; unlimited where `None`.
    pub receive_window: Option<u64>,
}

impl FlowSubject {
    /// The stream offset at which segment `number` begins, bytes.
    ///
    /// Exact, since a stream is cut into full segments but for the last.
    pub fn offset_of(&self, number: u64) -> u64 {
        let offset = number.saturating_sub(self.first_data).saturating_mul(u64::from(self.segment));
        self.size.map_or(offset, |size| offset.min(size))
    }
}

impl Subjects {
    /// The name of a node.
    pub fn node(&self, node: NodeId) -> &str {
        &self.nodes[node.index()]
    }

    /// Where what lies between two nodes begins and ends; `None` for a node.
    pub fn ends(&self, place: Place) -> Option<LinkSubject> {
        match place {
            Place::Node(_) => None,
            Place::Link(link) => Some(self.links[link.index()]),
            Place::Radio(crossing) => Some(self.crossings[crossing.index()].ends),
        }
    }

    /// The name of one direction of a link, or of a crossing: `a>b`.
    pub fn link(&self, link: &LinkSubject) -> String {
        format!("{}>{}", self.node(link.from), self.node(link.to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|s| (*s).to_owned()).collect()
    }

    #[test]
    fn parses_every_name() {
        let all: Vec<String> = Trace::ALL.iter().map(|t| t.name().to_owned()).collect();
        let observe = Observe::parse(&all, Duration::from_secs(1)).unwrap();
        assert!(observe.segments && observe.cwnd && observe.state && observe.queue && observe.drops);
        assert!(observe.delay && observe.pcap && observe.ns2 && observe.flowmonitor && observe.frames);
        assert_eq!(observe.throughput, Some(Duration::from_secs(1)));
        assert!(Observe::parse(&[], Duration::ZERO).unwrap().is_nothing());
    }

    #[test]
    fn names_the_nearest() {
        let error = Observe::parse(&names(&["cwnd", "segmets"]), Duration::from_secs(1)).unwrap_err();
        assert_eq!(error, ObserveError::Unknown { given: "segmets".into(), nearest: Some("segments") });
        assert!(error.to_string().contains("did you mean `segments`?"));
        assert!(error.to_string().contains("throughput, delay, pcap"));
        assert_eq!(
            Observe::parse(&names(&["throughput"]), Duration::ZERO),
            Err(ObserveError::NoBin(Trace::Throughput))
        );
    }
}
