//! Choice of the traces that a run records.

use crate::buffers::{BufferLength, Buffers, DisciplineChange, Disciplines};
use crate::flowmonitor::FlowMonitor;
use crate::hops::{Hop, Hops};
use crate::ns2::Ns2Trace;
use crate::pcap::{Capture, CaptureAll};
use crate::qlog_tcp::TcpLog;
use crate::radio::{Association, Position, Transmission};
use crate::row::{Declared, Row};
use crate::series::{
    Delay, Drops, FlowBin, LostPacket, MarkedPacket, Marks, PacketDelay, Queue, QueueLength, Segment,
    Segments, Throughput,
};
use crate::sessions::RequestRow;
use crate::subjects::Subjects;
use crate::tracer::Tracer;
use crate::variables::{Control, ControlChange, Cwnd, CwndChange, State, StateChange};
use base::Duration;
use std::collections::BTreeSet;
use std::fmt;

/// Declares the traces, in the order in which lists show them: summary, variant of [`Trace`], and either the
/// row type of a table or the name of a trace that is files. `in bins` marks a trace that has time bins. `by`
/// names the tracer; a trace without a tracer is recorded by the simulation itself. `as` lists other words
/// for the trace.
macro_rules! traces {
    ($($(#[doc = $summary:literal])+ $trace:ident = $kind:ident $what:tt $(in $bins:ident)? $(by $tracer:ty)? $(as $($word:literal)+)?;)+) => {
        /// A trace that can be requested by name.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Trace {
            $($(#[doc = $summary])+ $trace,)+
        }

        impl Trace {
            /// Every trace, in the order in which lists show them.
            pub const ALL: [Self; [$(stringify!($trace)),+].len()] = [$(Self::$trace),+];

            /// Returns the trace's name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$trace => traces!(@name $kind $what),)+
                }
            }

            /// Returns the trace's content in one line.
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Self::$trace => concat!($($summary),+).trim_ascii_start(),)+
                }
            }

            /// Returns the declaration of the trace's table; `None` if the trace consists of files.
            pub const fn table(self) -> Option<Declared> {
                match self {
                    $(Self::$trace => traces!(@table $kind $what),)+
                }
            }

            /// Returns other words for the trace, such as its names in other tools. An error about an unknown name
            /// suggests the trace that has this word.
            pub const fn words(self) -> &'static [&'static str] {
                match self {
                    $(Self::$trace => &[$($($word),+)?],)+
                }
            }

            /// Returns true if the trace has time bins.
            pub const fn is_binned(self) -> bool {
                match self {
                    $(Self::$trace => traces!(@binned $($bins)?),)+
                }
            }

            /// Creates the trace's tracer; `None` if the simulation itself records the trace.
            fn tracer(self, subjects: &Subjects, bin: Duration) -> Option<Box<dyn Tracer>> {
                match self {
                    $(Self::$trace => traces!(@tracer subjects bin $($tracer)?),)+
                }
            }
        }
    };
    (@name table $row:ty) => { <$row as Row>::TABLE.name };
    (@name files $name:literal) => { $name };
    (@table table $row:ty) => { Some(<$row as Row>::TABLE) };
    (@table files $name:literal) => { None };
    (@binned) => { false };
    (@binned bins) => { true };
    (@tracer $subjects:ident $bin:ident) => { None };
    (@tracer $subjects:ident $bin:ident $tracer:ty) => { Some(Box::new(<$tracer>::new($subjects, $bin))) };
}

traces! {
    /// every packet at every place: sent, queued, transmitted, received, lost, acknowledged
    Segments = table Segment by Segments as "packets" "packet" "tcptrace" "sequence" "retransmissions" "acks";
    /// congestion window and slow-start threshold of each sender, a row for each change
    Cwnd = table CwndChange by Cwnd as "tcp" "window" "ssthresh" "congestion-window";
    /// RTT samples, SRTT, RTO, segments in flight and recovery state of each sender
    State = table StateChange by State as "rtt" "srtt" "rto" "flight" "timeouts" "recovery";
    /// variables of congestion controls: the pacing rate, Westwood's estimates, and values that user-defined
    /// controls trace
    Control = table ControlChange by Control as "pacing" "bbr";
    /// packets and bytes in each link's queue, including the packet in transmission, at each change
    Queue = table QueueLength by Queue as "backlog" "qlen" "occupancy" "buffer-size";
    /// packets and bytes in each station's queues and each UE's RLC buffers, at each change
    Buffers = table BufferLength by Buffers as "rlc" "mac-queue";
    /// variables of queue disciplines: RED's average and thresholds, CoDel's state, PIE's probability
    Disciplines = table DisciplineChange by Disciplines as "aqm" "red" "codel" "pie";
    /// every packet on each link that it crosses: queued, transmitted, arrived or lost
    Hops = table Hop by Hops as "links" "link" "path" "route";
    /// every lost packet with its place and cause
    Drops = table LostPacket by Drops as "losses" "loss" "lost" "dropped";
    /// every packet that a queue marked (ECN), with its place
    Marks = table MarkedPacket by Marks as "ecn" "ce" "marked";
    /// throughput, goodput and packet counts of each flow in bins of time
    Throughput = table FlowBin in bins by Throughput as "goodput" "rate" "bandwidth";
    /// one-way delay and delay variation of each packet received
    Delay = table PacketDelay by Delay as "latency" "jitter" "owd";
    /// every request of sessions whose response was delivered: sizes, completion time, slowdown
    Requests = table RequestRow as "completions" "fct" "responses";
    /// capture files for Wireshark, one per host interface
    Pcap = files "pcap" by Capture as "tcpdump" "wireshark" "capture" "pcapng";
    /// capture files for Wireshark, one per interface of every node, routers and access points too
    PcapAll = files "pcap-all" by CaptureAll as "pcap-routers" "pcap-nodes" "sniffer";
    /// trace file in ns-2's wired format
    Ns2 = files "ns2" by Ns2Trace as "trace-all" "tr" "nam";
    /// statistics of each flow as the XML of ns-3's FlowMonitor
    FlowMonitor = files "flowmonitor" by FlowMonitor as "flowmon" "ns3";
    /// every transmission in radio networks: time, sender, receiver, kind, and cause of loss
    Frames = table Transmission as "wifi" "mac" "air" "transmissions" "lte";
    /// the access point of each 802.11 station: a row for each change
    Associations = table Association as "roaming" "handover" "association" "access-point" "ssid";
    /// positions of nodes: all nodes at the beginning, then each moving node once per time bin
    Positions = table Position in bins as "mobility" "movement" "places";
    /// EvalVid's video, sender and receiver traces of each video flow
    EvalVid = files "evalvid" as "video" "psnr";
    /// qlog of each TCP and QUIC flow, one file per end: packets sent, received and lost, windows and round trips
    Qlog = files "qlog" by TcpLog as "quic" "sqlog" "qvis";
}

impl Trace {
    /// Returns true if the trace shows connections of sessions, too. The other traces tell packets apart by flow and
    /// sequence number, and a flow with sessions has many connections.
    pub const fn shows_sessions(self) -> bool {
        matches!(self, Self::Requests | Self::Queue | Self::Buffers | Self::Disciplines)
    }
}

/// The traces that a run records; by default none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Observe {
    traces: BTreeSet<Trace>,
    bin: Duration,
}

impl Observe {
    /// Returns the traces called `names`; `bin` is the width of the bins of those traces that have time bins.
    ///
    /// # Errors
    /// If a name is not in [`Trace::ALL`], or if a trace with time bins is requested and `bin` is zero.
    pub fn parse(names: &[String], bin: Duration) -> Result<Self, ObserveError> {
        let mut traces = BTreeSet::new();
        for name in names {
            let Some(trace) = Trace::ALL.into_iter().find(|t| t.name() == name) else {
                return Err(ObserveError::unknown(name));
            };
            if trace.is_binned() && bin.is_zero() {
                return Err(ObserveError::NoBin(trace));
            }
            traces.insert(trace);
        }
        Ok(Self { traces, bin })
    }

    /// Returns true if no trace is recorded, so that the run needs no [`Recorder`](crate::Recorder).
    pub fn is_nothing(&self) -> bool {
        self.traces.is_empty()
    }

    /// Returns true if `trace` is recorded.
    pub fn has(&self, trace: Trace) -> bool {
        self.traces.contains(&trace)
    }

    /// Creates the tracers of the requested traces, without those that the simulation itself records.
    pub(crate) fn tracers(&self, subjects: &Subjects) -> Vec<(Trace, Box<dyn Tracer>)> {
        let tracer = |trace: &Trace| Some((*trace, trace.tracer(subjects, self.bin)?));
        self.traces.iter().filter_map(tracer).collect()
    }

    /// Returns the width of time bins.
    pub fn bin(&self) -> Duration {
        self.bin
    }
}

/// Error: a list of trace names is invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ObserveError {
    /// No trace has this name.
    Unknown {
        /// The name given.
        given: String,
        /// The trace that has the given name among its [`Trace::words`], or else the one with the most
        /// similar name.
        nearest: Option<&'static str>,
    },
    /// This trace needs bins wider than 0 s.
    NoBin(Trace),
}

impl ObserveError {
    fn unknown(given: &str) -> Self {
        let lower = given.to_lowercase();
        let sought = Trace::ALL.into_iter().find(|t| t.words().contains(&lower.as_str())).map(Trace::name);
        let near = Trace::ALL.map(|t| (strsim::damerau_levenshtein(&lower, t.name()), t.name()));
        let alike = near.into_iter().min().filter(|(distance, _)| *distance <= 3).map(|(_, name)| name);
        let nearest = sought.or(alike);
        Self::Unknown { given: given.to_owned(), nearest }
    }

    /// Returns the names of all traces in one line.
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
        assert!(Trace::ALL.into_iter().all(|trace| observe.has(trace)));
        assert!(Observe::parse(&[], Duration::ZERO).unwrap().is_nothing());
    }

    #[test]
    fn a_word_leads_to_one_trace_and_is_no_name() {
        let words: Vec<&str> = Trace::ALL.iter().flat_map(|t| t.words()).copied().collect();
        assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len());
        assert!(Trace::ALL.iter().all(|t| !words.contains(&t.name())));
    }

    #[test]
    fn names_the_nearest() {
        let error = Observe::parse(&names(&["cwnd", "segmets"]), Duration::from_secs(1)).unwrap_err();
        assert_eq!(error, ObserveError::Unknown { given: "segmets".into(), nearest: Some("segments") });
        assert!(error.to_string().contains("did you mean `segments`?"));
        assert!(error.to_string().contains("throughput, delay, requests, pcap"));
        let error = Observe::parse(&names(&["tcp"]), Duration::from_secs(1)).unwrap_err();
        assert!(error.to_string().contains("did you mean `cwnd`?"), "not `pcap`, which has as many letters");
        assert_eq!(
            Observe::parse(&names(&["throughput"]), Duration::ZERO),
            Err(ObserveError::NoBin(Trace::Throughput))
        );
    }
}
