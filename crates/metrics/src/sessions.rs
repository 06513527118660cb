//! Completion times of sessions: counters that do not grow with the number of requests, the tables `sessions` and
//! `completions`, and the trace `requests`.
//!
//! The slowdown of a request is its completion time over that of the same transfer alone on the empty path.

use crate::percentiles::Percentiles;
use crate::row::{AT, RUN, table};
use crate::stats::DelayStats;
use base::{Duration, FlowId, Instant};
use serde::Serialize;

table! {
    "sessions", RUN;
    /// One row per flow whose traffic is sessions; in JSON `sessions` of each flow.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct SessionsSummary with fn new(flow: u32, stats: &SessionStats) {
        /// the flow's number, from 0
        #[serde(skip)]
        flow: u32 ["", ""] = flow;
        /// sessions that arrived
        sessions: u64 ["", "application"] = stats.sessions;
        /// sessions whose last response was delivered
        completed_sessions: u64 ["", "application"] = stats.completed_sessions;
        /// sessions that were still running at the end: sessions - completed_sessions
        running_sessions: u64 ["", "application", over "end of the run"] = stats.sessions - stats.completed_sessions;
        /// largest number of sessions at one time
        most_sessions: u64 ["", "application"] = stats.most_sessions;
        /// requests that began
        requests: u64 ["", "application"] = stats.requests;
        /// requests whose response was delivered whole
        completed_requests: u64 ["", "application"] = stats.all().fct.count();
        /// payload of the requests that were delivered
        request_bytes: u64 ["bytes of payload", "application"] = stats.request_bytes;
        /// payload of the responses that were delivered whole
        response_bytes: u64 ["bytes of payload", "application"] = stats.all().bytes;
        /// connections that were opened
        connections: u64 ["", "transport"] = stats.connections;
        /// largest number of connections at one time
        most_connections: u64 ["", "transport"] = stats.most_connections;
    }
}

table! {
    "completions", RUN;
    /// Completion times of requests. Each flow with sessions has a row for all requests, and one for each
    /// class of response sizes that occurred. If the queries of several flows go from N sources to 1
    /// destination, the first of these flows also has a row for whole queries. In JSON `completions` of each
    /// flow.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct CompletionSummary with fn new(flow: u32, class: (&'static str, u64, Option<u64>), stats: &ClassStats) {
        /// the flow's number, from 0
        #[serde(skip)]
        flow: u32 ["", ""] = flow;
        /// requests that the row counts: `all`, those of one `class` of response sizes, or whole `queries`
        requests_of: &'static str ["", ""] = class.0;
        /// least size of the class's responses
        from_bytes: u64 ["bytes of payload", "application"] = class.1;
        /// size that all responses of the class are smaller than; absent if there is no upper bound
        below_bytes: Option<u64> ["bytes of payload", "application"] = class.2;
        /// requests of the class, or queries, that were complete
        count: u64 ["", "application"] = stats.fct.count();
        /// payload of their responses
        response_bytes: u64 ["bytes of payload", "application"] = stats.bytes;
        /// mean time from a request's beginning, with the connection's handshake if it opened one, to the delivery
        /// of the response's last byte
        fct_mean_s: Option<f64> ["s", "application, receiver"] = stats.fct.mean_s();
        /// half width of the 95 % confidence interval of fct_mean_s, by batch means over 32 to 63 batches of
        /// consecutive requests; absent below 32 requests
        fct_mean_half_width_s: Option<f64> ["s", "application, receiver"] = stats.fct_batches.half_width();
        /// median of the completion times; percentiles are precise to 0.8 %
        fct_p50_s: Option<f64> ["s", "application, receiver"] = stats.fct_s(0.5);
        /// 95th percentile of the completion times
        fct_p95_s: Option<f64> ["s", "application, receiver"] = stats.fct_s(0.95);
        /// 99th percentile of the completion times
        fct_p99_s: Option<f64> ["s", "application, receiver"] = stats.fct_s(0.99);
        /// longest completion time of the row's requests or queries
        fct_max_s: Option<f64> ["s", "application, receiver"] = stats.fct.max().map(Duration::secs);
        /// mean slowdown: completion time over that of the same transfer alone, on a new connection over the empty
        /// path without losses. A request on a connection with a grown window can have less than 1
        slowdown_mean: Option<f64> ["", "application, receiver"] = stats.slowdown.mean_s().map(of_seconds);
        /// half width of the 95 % confidence interval of slowdown_mean, as that of fct_mean_s
        slowdown_mean_half_width: Option<f64> ["", "application, receiver"] = stats.slowdown_batches.half_width();
        /// median slowdown
        slowdown_p50: Option<f64> ["", "application, receiver"] = stats.slowdown(0.5);
        /// 95th percentile of the slowdown
        slowdown_p95: Option<f64> ["", "application, receiver"] = stats.slowdown(0.95);
        /// 99th percentile of the slowdown
        slowdown_p99: Option<f64> ["", "application, receiver"] = stats.slowdown(0.99);
        /// largest slowdown of the row's requests
        slowdown_max: Option<f64> ["", "application, receiver"] = stats.slowdown.max().map(|max| of_seconds(max.secs()));
    }
}

table! {
    "requests", AT;
    /// Trace: a row for each request of a session whose response was delivered whole.
    #[derive(Clone, PartialEq, Debug)]
    pub struct RequestRow with pub fn new(now: Instant, flow: FlowId, done: &Completion) {
        /// time at which the response's last byte was delivered
        time_s: Instant ["s", ""] = now;
        /// the flow's number
        flow: FlowId ["", ""] = flow;
        /// number of the session in its flow, from 0
        session: u64 ["", "application"] = done.session;
        /// number of the request in its session, from 0
        request: u32 ["", "application"] = done.request;
        /// `reused` if an earlier request had opened the request's connection, else `new`
        connection: &'static str ["", "transport"] = if done.reused { "reused" } else { "new" };
        /// time at which the request began
        start_s: Instant ["s", ""] = done.start;
        /// size of the request; absent if the source sends without one
        request_bytes: Option<u64> ["bytes of payload", "application"] = done.request_bytes;
        /// size of the response
        response_bytes: u64 ["bytes of payload", "application"] = done.response_bytes;
        /// completion time: time_s - start_s
        fct_s: f64 ["s", "application, receiver"] = now.since(done.start).secs();
        /// completion time over that of the same transfer alone; absent if the path carries nothing
        slowdown: Option<f64> ["", "application, receiver"] = done.alone.map(|alone| ratio(now.since(done.start), alone));
    }
}

/// A request of a session that is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Completion {
    /// Number of the session in its flow, from 0.
    pub session: u64,
    /// Number of the request in its session, from 0.
    pub request: u32,
    /// True if the request used a connection that an earlier request had opened.
    pub reused: bool,
    /// Time at which the request began.
    pub start: Instant,
    /// Size of the request, bytes; `None` if the source sends without one.
    pub request_bytes: Option<u64>,
    /// Size of the response, bytes.
    pub response_bytes: u64,
    /// Completion time of the same transfer alone on the empty path; `None` if the path carries nothing.
    pub alone: Option<Duration>,
}

/// Slowdowns are counted as times in [`DelayStats`] and [`Percentiles`]: this time, in seconds, is a slowdown
/// of 1.
const ONE: f64 = 1e-3;

/// Returns the slowdown for which `s` seconds stand, the inverse of a multiplication by [`ONE`].
fn of_seconds(s: f64) -> f64 {
    s / ONE
}

fn ratio(time: Duration, alone: Duration) -> f64 {
    time.ps() as f64 / alone.ps().max(1) as f64
}

/// Counters of the sessions of one flow.
#[derive(Clone, Debug)]
pub struct SessionStats {
    /// Sessions that arrived.
    pub sessions: u64,
    /// Sessions whose last response was delivered.
    pub completed_sessions: u64,
    most_sessions: u64,
    /// Requests that began.
    pub requests: u64,
    /// Payload of the requests that were delivered, bytes.
    pub request_bytes: u64,
    connections: u64,
    open_connections: u64,
    most_connections: u64,
    /// Bounds of the classes, bytes, ascending.
    bounds: Vec<u64>,
    /// All requests, then those of each class.
    classes: Vec<ClassStats>,
    queries: ClassStats,
}

/// Counters of the completed requests of one class of response sizes, of all requests, or of whole queries.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClassStats {
    bytes: u64,
    fct: DelayStats,
    fct_percentiles: Percentiles,
    fct_batches: BatchMeans,
    /// Slowdowns, counted as times in units of [`ONE`].
    slowdown: DelayStats,
    slowdown_percentiles: Percentiles,
    slowdown_batches: BatchMeans,
}

impl ClassStats {
    fn add(&mut self, bytes: u64, time: Duration, alone: Option<Duration>) {
        self.bytes += bytes;
        self.fct.add(time);
        self.fct_percentiles.add(time);
        self.fct_batches.add(time.secs());
        let Some(alone) = alone else { return };
        let ratio = ratio(time, alone);
        let as_time = Duration::from_secs_f64(ratio * ONE);
        self.slowdown.add(as_time);
        self.slowdown_percentiles.add(as_time);
        self.slowdown_batches.add(ratio);
    }

    fn fct_s(&self, p: f64) -> Option<f64> {
        quantile(p, &self.fct, &self.fct_percentiles)
    }

    fn slowdown(&self, p: f64) -> Option<f64> {
        quantile(p, &self.slowdown, &self.slowdown_percentiles).map(of_seconds)
    }
}

fn quantile(p: f64, times: &DelayStats, percentiles: &Percentiles) -> Option<f64> {
    percentiles.at_s(p, times.count(), [times.min()?, times.max()?])
}

impl SessionStats {
    /// Creates the counters; `bounds` are those of the classes of response sizes, ascending.
    pub fn new(bounds: Vec<u64>) -> Self {
        let classes = vec![ClassStats::default(); bounds.len() + 2];
        Self {
            sessions: 0,
            completed_sessions: 0,
            most_sessions: 0,
            requests: 0,
            request_bytes: 0,
            connections: 0,
            open_connections: 0,
            most_connections: 0,
            bounds,
            classes,
            queries: ClassStats::default(),
        }
    }

    fn all(&self) -> &ClassStats {
        &self.classes[0]
    }

    /// Counts a session that arrives.
    pub fn on_arrival(&mut self) {
        self.sessions += 1;
        self.most_sessions = self.most_sessions.max(self.sessions - self.completed_sessions);
    }

    /// Counts a connection that opens.
    pub fn on_opened(&mut self) {
        self.connections += 1;
        self.open_connections += 1;
        self.most_connections = self.most_connections.max(self.open_connections);
    }

    /// Counts a connection that closes.
    pub fn on_closed(&mut self) {
        self.open_connections -= 1;
    }

    /// Counts a response of `bytes` that was delivered `time` after its request began; alone it takes `alone`.
    pub fn on_completed(&mut self, bytes: u64, time: Duration, alone: Option<Duration>) {
        let class = 1 + self.bounds.partition_point(|bound| *bound <= bytes);
        self.classes[0].add(bytes, time, alone);
        self.classes[class].add(bytes, time, alone);
    }

    /// Counts a query that was complete `time` after its arrival; its responses had `bytes`.
    pub fn on_query(&mut self, bytes: u64, time: Duration) {
        self.queries.add(bytes, time, None);
    }

    /// Returns the row of flow number `flow`.
    pub fn summary(&self, flow: u32) -> SessionsSummary {
        SessionsSummary::new(flow, self)
    }

    /// Returns the rows of completion times of flow number `flow`.
    pub fn completions(&self, flow: u32) -> Vec<CompletionSummary> {
        let mut rows = vec![CompletionSummary::new(flow, ("all", 0, None), self.all())];
        for (class, stats) in self.classes[1..].iter().enumerate().filter(|(_, stats)| stats.fct.count() > 0)
        {
            let from = class.checked_sub(1).map_or(0, |below| self.bounds[below]);
            let below = self.bounds.get(class).copied();
            rows.push(CompletionSummary::new(flow, ("class", from, below), stats));
        }
        if self.queries.fct.count() > 0 {
            rows.push(CompletionSummary::new(flow, ("queries", 0, None), &self.queries));
        }
        rows
    }
}

/// Number of batches at which neighbouring batches are merged in pairs.
const BATCHES: usize = 64;

/// Means of batches of consecutive values, of which there are always fewer than [`BATCHES`]: the batches grow with the
/// number of values (Law and Carson, Operations Research 1979).
#[derive(Clone, Debug)]
struct BatchMeans {
    means: Vec<f64>,
    size: u64,
    sum: f64,
    count: u64,
}

impl Default for BatchMeans {
    fn default() -> Self {
        Self { means: Vec::new(), size: 1, sum: 0.0, count: 0 }
    }
}

impl BatchMeans {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
        if self.count < self.size {
            return;
        }
        self.means.push(self.sum / self.count as f64);
        (self.sum, self.count) = (0.0, 0);
        if self.means.len() == BATCHES {
            self.means = self.means.chunks(2).map(|two| two.iter().sum::<f64>() / two.len() as f64).collect();
            self.size *= 2;
        }
    }

    /// Returns the half width of the 95 % confidence interval of the mean; `None` below 32 batches.
    fn half_width(&self) -> Option<f64> {
        let n = self.means.len();
        if n < BATCHES / 2 {
            return None;
        }
        let mean = self.means.iter().sum::<f64>() / n as f64;
        let variance = self.means.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1) as f64;
        // Student's t for 31 to 62 degrees of freedom, within 0.001: 2.040 to 1.999.
        let t = 1.96 + 2.46 / (n - 1) as f64;
        Some(t * libm::sqrt(variance / n as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_by_hand() {
        let mut stats = SessionStats::new(vec![1000, 10_000]);
        for (bytes, ms, alone) in [(999, 10, 10), (1000, 20, 10), (9999, 40, 10), (10_000, 100, 50)] {
            stats.on_completed(bytes, Duration::from_ms(ms), Some(Duration::from_ms(alone)));
        }
        let rows = stats.completions(7);
        let row =
            |at: usize| (rows[at].requests_of, rows[at].from_bytes, rows[at].below_bytes, rows[at].count);
        assert_eq!(row(0), ("all", 0, None, 4));
        assert_eq!(row(1), ("class", 0, Some(1000), 1));
        assert_eq!(row(2), ("class", 1000, Some(10_000), 2));
        assert_eq!(row(3), ("class", 10_000, None, 1));
        assert_eq!((rows.len(), rows[0].response_bytes), (4, 21_998));
        assert!((rows[0].fct_mean_s.unwrap() - 0.0425).abs() < 1e-15);
        assert!((rows[2].slowdown_mean.unwrap() - 3.0).abs() < 1e-12);
        assert!((rows[0].slowdown_max.unwrap() - 4.0).abs() < 1e-12);
        assert!((rows[3].slowdown_p99.unwrap() - 2.0).abs() < 0.02);
        assert_eq!(rows[0].fct_mean_half_width_s, None);
    }

    /// The interval of independent values covers their mean about as often as it says.
    #[test]
    fn intervals_cover_the_mean() {
        let mut rng = base::Rng::stream(5, "batches");
        let mut covered = 0;
        for n in 0..400 {
            let mut batches = BatchMeans::default();
            (0..40 + 13 * n).for_each(|_| batches.add(rng.exponential(1.0)));
            let mean = batches.means.iter().sum::<f64>() / batches.means.len() as f64;
            covered += usize::from((mean - 1.0).abs() <= batches.half_width().unwrap());
        }
        assert!((362..=392).contains(&covered), "{covered} of 400");
    }
}
