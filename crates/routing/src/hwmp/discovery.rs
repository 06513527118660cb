//! Path discovery and maintenance: PREQs, PREPs, and the packets that wait for a path (IEEE Std 802.11-2016, 14.10.9,
//! 14.10.10).

use super::message::{Action, Message, Reply, Request};
use super::node::Hwmp;
use super::search::Search;
use crate::router::Router;
use crate::table::{Route, newer};
use base::{DropCause, Instant};
use radio::access::Station;

/// Most targets in one PREQ (9.4.2.113).
const MOST_TARGETS: usize = 20;

impl Hwmp {
    /// Starts the search for a path unless one is under way. `refreshes` is true if a path exists and the
    /// search only looks for a better one, without repeating the PREQ.
    pub(super) fn search(&mut self, now: Instant, to: Station, refreshes: bool, out: &mut Vec<Action>) {
        if let Some(search) = self.searches.get_mut(&to) {
            search.refreshes &= refreshes;
            return;
        }
        let due = self.may_ask.max(now);
        self.searches.insert(to, Search { retries: 0, due, held: true, refreshes });
        if due <= now {
            self.ask(now, out);
        }
    }

    /// Sends one PREQ for all targets whose PREQ is due, at most 20.
    fn ask(&mut self, now: Instant, out: &mut Vec<Action>) {
        let due: Vec<Station> = self
            .searches
            .iter()
            .filter(|(_, search)| search.held && search.due <= now)
            .map(|(to, _)| *to)
            .take(MOST_TARGETS)
            .collect();
        self.may_ask = now.saturating_add(self.config.preq_min_interval);
        let mut targets = Vec::with_capacity(due.len());
        for to in due {
            let seq = self.table.get(to, now).and_then(|route| route.seq);
            targets.push((to, seq));
            self.asked.insert(to, now);
            let Some(search) = self.searches.get_mut(&to) else { continue };
            if search.refreshes {
                self.searches.remove(&to);
                continue;
            }
            // Binary exponential backoff (14.10.9.3).
            let wait = self.config.net_diameter_traversal_time.saturating_mul(2 << search.retries.min(16));
            (search.due, search.held) = (now.saturating_add(wait), false);
        }
        for search in self.searches.values_mut().filter(|search| search.held) {
            search.due = search.due.max(self.may_ask);
        }
        let lifetime = self.config.active_path_timeout;
        self.request_from_here(targets, lifetime, out);
    }

    /// Sends the root's proactive PREQ, which addresses all stations.
    pub(super) fn proactive_request(&mut self, now: Instant, out: &mut Vec<Action>) {
        self.root_due = Some(now.saturating_add(self.config.root_interval));
        self.request_from_here(Vec::new(), self.config.active_path_to_root_timeout, out);
    }

    fn request_from_here(
        &mut self,
        targets: Vec<(Station, Option<u32>)>,
        lifetime: base::Duration,
        out: &mut Vec<Action>,
    ) {
        self.seq = self.seq.wrapping_add(1);
        let request = Request {
            ttl: self.config.ttl,
            hops: 0,
            metric: 0,
            originator: self.me,
            originator_seq: self.seq,
            lifetime,
            targets,
            proactive_prep: self.config.proactive_prep,
        };
        out.push(Action::Send(Message::Request(request), None));
    }

    /// Handles the searches whose wait is over: sends another PREQ, or gives up and drops the packets.
    pub(super) fn searches_due(&mut self, now: Instant, out: &mut Vec<Action>) {
        let due: Vec<Station> =
            self.searches.iter().filter(|(_, search)| search.due <= now).map(|(to, _)| *to).collect();
        for to in due {
            let Some(search) = self.searches.get_mut(&to).filter(|search| !search.held) else { continue };
            if search.retries >= self.config.max_preq_retries {
                self.searches.remove(&to);
                let lost = self.waiting.take(to).into_iter();
                out.extend(lost.map(|datagram| Action::Drop(datagram, DropCause::NoRoute)));
                continue;
            }
            search.retries += 1;
            (search.due, search.held) = (now.max(self.may_ask), true);
        }
        if self.searches.values().any(|search| search.held && search.due <= now) {
            self.ask(now, out);
        }
    }

    /// Ends the search for `to` if there is an active path now, and sends the packets that waited for it.
    pub(super) fn found(&mut self, now: Instant, to: Station, out: &mut Vec<Action>) {
        if self.searches.is_empty() || self.table.active(to, now).is_none() {
            return;
        }
        self.searches.remove(&to);
        for datagram in self.waiting.take(to) {
            self.forward(now, datagram, None, out);
        }
    }

    /// Updates the path to the peer `previous`, from which a message has come; returns the metric of the link to it.
    fn over_one_link(&mut self, now: Instant, previous: Station, out: &mut Vec<Action>) -> u32 {
        let metric = self.metrics.metric(now, previous);
        let until = now.saturating_add(self.config.active_path_timeout);
        self.table.neighbour(previous, metric, now, until);
        self.found(now, previous, out);
        metric
    }

    /// Handles a PREQ (14.10.9.4).
    pub(super) fn request(
        &mut self,
        now: Instant,
        request: &Request,
        previous: Station,
        out: &mut Vec<Action>,
    ) {
        if request.originator == self.me {
            return;
        }
        let link = self.over_one_link(now, previous, out);
        let (hops, metric) = (request.hops.saturating_add(1), request.metric.saturating_add(link));
        let expires = now.saturating_add(request.lifetime);
        let back = Route { metric, ..Route::new(previous, hops, Some(request.originator_seq), expires) };
        if !self.table.offer(request.originator, back, now) {
            return;
        }
        self.found(now, request.originator, out);
        let mine = request.targets.iter().find(|target| target.0 == self.me);
        let to_all = request.targets.is_empty();
        if mine.is_some() || (to_all && request.proactive_prep) {
            // The target's new number exceeds the number in the PREQ (14.10.9.4).
            let asked = mine.and_then(|target| target.1).filter(|asked| newer(*asked, self.seq));
            self.seq = asked.unwrap_or(self.seq).wrapping_add(1);
            let reply = Reply {
                ttl: self.config.ttl,
                hops: 0,
                metric: 0,
                target: self.me,
                target_seq: self.seq,
                originator: request.originator,
                lifetime: request.lifetime,
            };
            self.answer(now, reply, out);
        }
        let targets: Vec<_> = request.targets.iter().copied().filter(|target| target.0 != self.me).collect();
        if request.ttl <= 1 || (targets.is_empty() && !to_all) {
            return;
        }
        let passed = Request { ttl: request.ttl - 1, hops, metric, targets, ..request.clone() };
        // The new PREQ replaces a PREQ of the same originator and kind (to targets, or to all) that waits to
        // be forwarded.
        self.delayed.retain(|_, waiting| {
            waiting.originator != passed.originator || waiting.targets.is_empty() != to_all
        });
        let at = now.saturating_add(self.rng.duration_below(self.config.jitter));
        self.delays += 1;
        self.delayed.insert((at, self.delays), passed);
    }

    /// Sends a PREP to the next hop toward the PREQ's originator; returns that hop, or `None` without a path.
    fn answer(&mut self, now: Instant, reply: Reply, out: &mut Vec<Action>) -> Option<Station> {
        let next = self.table.active(reply.originator, now)?.next;
        out.push(Action::Send(Message::Reply(reply), Some(next)));
        Some(next)
    }

    /// Handles a PREP (14.10.10.4).
    pub(super) fn reply(&mut self, now: Instant, reply: Reply, previous: Station, out: &mut Vec<Action>) {
        if reply.target == self.me {
            return;
        }
        let link = self.over_one_link(now, previous, out);
        let (hops, metric) = (reply.hops.saturating_add(1), reply.metric.saturating_add(link));
        let expires = now.saturating_add(reply.lifetime);
        let path = Route { metric, ..Route::new(previous, hops, Some(reply.target_seq), expires) };
        if !self.table.offer(reply.target, path, now) {
            return;
        }
        self.found(now, reply.target, out);
        if reply.originator == self.me || reply.ttl <= 1 {
            return;
        }
        let passed = Reply { ttl: reply.ttl - 1, hops, metric, ..reply };
        if let Some(next) = self.answer(now, passed, out) {
            for (to, precursor) in [(reply.target, next), (reply.originator, previous)] {
                if let Some(route) = self.table.active(to, now) {
                    route.precursors.insert(precursor);
                }
            }
        }
    }
}
