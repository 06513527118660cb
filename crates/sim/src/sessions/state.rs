//! State of sessions: those of a flow, the directions of their connections, and the transfers alone that give
//! their slowdowns.

use crate::model::Scenario;
use base::{Duration, Instant, Rng};
use metrics::SessionStats;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use traffic::sessions::{ArrivalProcess, Config, Exchange, Session};

/// Direction of a session's connection: the server's responses, or the client's requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Half {
    Responses,
    Requests,
}

/// Number of no flow.
pub(crate) const NONE: u32 = u32::MAX;

/// The sessions of one flow of the scenario.
#[derive(Clone)]
pub(crate) struct Sessions {
    pub config: Arc<Config>,
    /// Prefix of the names of the flow's random streams.
    pub streams: String,
    /// TCP parameters of the two directions: responses, then requests.
    pub tcp: [Arc<tcp::Config>; 2],
    /// Time since the last tick of the hosts' clocks.
    pub phase: Duration,
    pub process: ArrivalProcess,
    pub stats: SessionStats,
    pub alone: Alone,
    pub query: Option<Query>,
    pub running: Vec<Running>,
    /// Places in `running` of sessions that are over.
    pub vacant: Vec<u32>,
    /// For each direction, idle flows with the times at which their connections ended, in order of these
    /// times.
    pub idle: [VecDeque<(u32, Instant)>; 2],
}

/// A session that has arrived and is not over.
#[derive(Clone)]
pub(crate) struct Running {
    pub number: u64,
    pub session: Session,
    /// Requests that are not complete, those not begun included.
    pub left: u32,
    /// Payload of the responses that are complete, bytes.
    pub bytes: u64,
}

/// Role of a flow in queries that several flows answer.
#[derive(Clone)]
pub(crate) struct Query {
    /// First flow of the query, which counts the answers of all.
    pub first: u32,
    /// Number of flows that answer.
    pub flows: u32,
    /// At the first flow: queries that are not complete, by number of the session.
    pub open: BTreeMap<u64, OpenQuery>,
}

impl Query {
    /// Creates the role of a flow in queries that `flows` flows answer, of which `first` is the first.
    pub(crate) fn new(first: u32, flows: u32) -> Self {
        Self { first, flows, open: BTreeMap::new() }
    }
}

/// A query that is not complete.
#[derive(Clone, Copy)]
pub(crate) struct OpenQuery {
    pub arrived: Instant,
    /// Flows that have not answered.
    pub left: u32,
    pub bytes: u64,
}

/// State of one direction of a session's connection.
#[derive(Clone, Copy)]
pub(crate) struct Member {
    /// Flow of the scenario.
    pub owner: u32,
    pub half: Half,
    /// Flow of the other direction; [`NONE`] if there is none.
    pub other: u32,
    /// Place of the session in [`Sessions::running`].
    pub place: u32,
    /// Length of the stream up to the last write, bytes.
    pub written: u64,
    /// True while the last write has not arrived whole.
    pub awaited: bool,
    /// In the direction of responses: the request in progress, or the one that follows after the think time.
    pub exchange: Option<Exchange>,
    pub begun: Instant,
    /// True if an earlier request opened the connection.
    pub reused: bool,
    /// True if no further data follows.
    pub closing: bool,
    /// True once this direction has ended, so that its flow is idle.
    pub ended: bool,
}

/// Reference for slowdowns: flow completion times on the otherwise unloaded path. They are taken from one long
/// simulated transfer: the time at which it has delivered n bytes is the completion time of a transfer of n bytes,
/// since later bytes do not delay earlier ones.
#[derive(Clone)]
pub(crate) struct Alone {
    /// For each direction, the scenario with a flow of that direction alone, without losses and changes.
    pub scenarios: [Arc<Scenario>; 2],
    pub seed: u64,
    pub curves: [Curve; 2],
}

/// Deliveries of one transfer alone.
#[derive(Clone, Default)]
pub(crate) struct Curve {
    /// Bytes delivered in order so far, each with the time at which they were.
    pub delivered: Vec<(u64, Duration)>,
    /// True if the path did not carry the transfer.
    pub broken: bool,
    /// Times that a byte of a segment takes on the links of the path.
    pub links: LinkTimes,
}

/// Times that a byte takes on the links of a path, picoseconds.
#[derive(Clone, Copy, Default)]
pub(crate) struct LinkTimes {
    /// Sum over all links.
    pub all: f64,
    /// On the slowest link.
    pub slowest: f64,
    /// Sum over the slowest link and those behind it.
    pub from_slowest: f64,
}

/// Upper bound of the headers of a segment, bytes.
const HEADERS: u64 = 80;

impl Curve {
    /// Returns the size of the transfer, bytes.
    pub(crate) fn covered(&self) -> u64 {
        self.delivered.last().map_or(0, |(bytes, _)| *bytes)
    }

    /// Returns the completion time of a transfer of `bytes`; `None` if this transfer delivered fewer. The
    /// last segment of the shorter transfer may be smaller, which saves time on all links of the path. If the
    /// segment waits behind others at the slowest link, it saves time only on that link and those behind it.
    pub(crate) fn time(&self, bytes: u64) -> Option<Duration> {
        let at = self.delivered.partition_point(|(delivered, _)| *delivered < bytes);
        let (delivered, time) = *self.delivered.get(at)?;
        let (so_far, before) = at.checked_sub(1).map_or((0, Duration::ZERO), |at| self.delivered[at]);
        let LinkTimes { all, slowest, from_slowest } = self.links;
        let sending = (delivered - so_far + HEADERS) as f64 * slowest;
        let waits = (time.saturating_sub(before).ps() as f64) <= sending;
        let saved = (delivered - bytes) as f64 * if waits { from_slowest } else { all };
        Some(time.saturating_sub(Duration::from_ps(saved as u64)).max(before))
    }
}

impl Sessions {
    /// Creates the state before the first arrival.
    pub(crate) fn new(
        config: &Config,
        streams: String,
        tcp: [Arc<tcp::Config>; 2],
        phase: Duration,
        arrivals: Rng,
        alone: Alone,
    ) -> Self {
        Self {
            process: ArrivalProcess::new(&config.arrivals, arrivals),
            stats: SessionStats::new(config.classes.iter().map(|bound| bound.0).collect()),
            config: Arc::new(config.clone()),
            streams,
            tcp,
            phase,
            alone,
            query: None,
            running: Vec::new(),
            vacant: Vec::new(),
            idle: Default::default(),
        }
    }

    /// Adds a session, and returns its place.
    pub(crate) fn admit(&mut self, running: Running) -> u32 {
        self.stats.on_arrival();
        if let Some(place) = self.vacant.pop() {
            self.running[place as usize] = running;
            return place;
        }
        self.running.push(running);
        (self.running.len() - 1) as u32
    }

    /// Removes and returns an idle flow of direction `half` whose connection ended before `now`.
    pub(crate) fn take_idle(&mut self, half: Half, now: Instant) -> Option<u32> {
        let idle = &mut self.idle[half as usize];
        idle.front().filter(|(_, ended)| *ended < now)?;
        idle.pop_front().map(|(at, _)| at)
    }

    /// Records the arrival of query `number`, of which this is the first flow.
    pub(crate) fn query_arrives(&mut self, number: u64, now: Instant) {
        if let Some(Query { open, flows, .. }) = &mut self.query {
            open.entry(number).or_insert(OpenQuery { arrived: now, left: *flows, bytes: 0 });
        }
    }

    /// Records that a flow has answered query `number` with `bytes`; counts the query if it was the last.
    pub(crate) fn query_answered(&mut self, number: u64, bytes: u64, now: Instant) {
        let Some(Query { open, .. }) = &mut self.query else { return };
        let Some(one) = open.get_mut(&number) else { return };
        one.left -= 1;
        one.bytes += bytes;
        if one.left == 0 {
            let OpenQuery { arrived, bytes, .. } = *one;
            open.remove(&number);
            self.stats.on_query(bytes, now.since(arrived));
        }
    }
}
