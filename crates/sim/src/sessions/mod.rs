//! Sessions in a run: they arrive, open connections, exchange requests and responses, and leave.
//!
//! A connection of a session is a flow of the world, behind the flows of the scenario, so that queues tell
//! connections apart. When it ends, a later connection of the same flow of the scenario takes its place:
//! memory grows with the largest number of connections at one time, not with the number of sessions. A packet
//! that was sent before the present connection began belongs to an earlier one, and is discarded when it
//! arrives.
//!
//! A connection that carries requests consists of two flows of the world, one for each direction
//! ([`state::Half`]). The client's opens with the handshake and carries requests. The server's carries
//! responses and begins when the first request has arrived. Two things are left out: acknowledgments carried
//! by data of the other direction, and the closing handshake (FIN).

mod alone;
mod halves;
pub(crate) mod state;
#[cfg(test)]
mod tests;

use crate::event::{self, Event};
use crate::flow::Kind;
use crate::world::World;
use base::{FlowId, Instant, Probe, Rng, Stamp};
use engine::EventQueue;
use metrics::{Completion, RequestRow};
use state::{Half, Member, Query, Running, Sessions};
use std::sync::Arc;
use traffic::sessions::{Exchange, Session};

impl<P: Probe> World<P> {
    fn sessions(&mut self, owner: u32) -> Option<&mut Sessions> {
        match &mut self.flows[owner as usize].kind {
            Kind::Sessions(sessions) => Some(sessions),
            _ => None,
        }
    }

    fn member(&mut self, at: u32) -> Option<&mut Member> {
        match &mut self.flows.get_mut(at as usize)?.kind {
            Kind::Tcp(connection) => connection.member.as_deref_mut(),
            _ => None,
        }
    }

    /// Handles the arrival of a session at flow `owner`, and schedules the next.
    pub(crate) fn session_arrives(&mut self, stamp: Stamp, owner: u32, queue: &mut EventQueue<Event>) {
        let (now, stop, seed) = (stamp.at, self.flows[owner as usize].stop, self.seed);
        let Some(sessions) = self.sessions(owner) else { return };
        let due = sessions.process.next(now);
        if due < stop {
            queue.push(Stamp::new(due, now), Event::new(event::Kind::Source, owner));
        }
        let config = Arc::clone(&sessions.config);
        let number = sessions.stats.sessions;
        let rng = Rng::stream(seed, &format!("{}.session.{number}", sessions.streams));
        let mut session = Session::new(&config, rng);
        let left = session.requests();
        let first: Vec<Exchange> =
            std::iter::from_fn(|| session.next(&config)).take(config.connections as usize).collect();
        let place = sessions.admit(Running { number, session, left, bytes: 0 });
        if let Some(Query { first, .. }) = sessions.query
            && let Some(first) = self.sessions(first)
        {
            first.query_arrives(number, now);
        }
        for exchange in first {
            let at = self.connect(now, owner, place, exchange);
            self.begin_exchange(stamp, at, queue);
        }
    }

    /// Begins the next request of the connection whose responses are flow `at`.
    pub(crate) fn begin_exchange(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let Some(member) = self.member(at) else { return };
        let Some(exchange) = member.exchange else { return };
        member.begun = stamp.at;
        let Member { owner, other, reused, .. } = *member;
        if let Some(sessions) = self.sessions(owner) {
            sessions.stats.requests += 1;
            if !reused {
                sessions.stats.on_opened();
            }
        }
        match exchange.request {
            Some(bytes) => self.send(stamp, other, bytes, queue),
            None => self.send(stamp, at, exchange.response, queue),
        }
    }

    /// Writes `bytes` to the sender of flow `at`, a direction of a connection.
    fn send(&mut self, stamp: Stamp, at: u32, bytes: u64, queue: &mut EventQueue<Event>) {
        let Kind::Tcp(connection) = &mut self.flows[at as usize].kind else { return };
        if connection.sender.phase() == tcp::Phase::Idle {
            connection.sender.open_writes(stamp.at);
        }
        let written = connection.sender.write(stamp.at, bytes);
        if let Some(member) = &mut connection.member {
            (member.written, member.awaited) = (written, true);
        }
        self.pump_sender(stamp, at, queue);
    }

    /// Returns true if flow `at` is a direction of a session's connection.
    #[inline]
    pub(crate) fn is_in_session(&self, at: u32) -> bool {
        at >= self.stated_flows
    }

    /// Handles the arrival of a segment at the receiver of flow `at`: the last write may now have arrived
    /// completely.
    #[inline]
    pub(crate) fn delivered_more(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let Kind::Tcp(connection) = &self.flows[at as usize].kind else { return };
        let arrived =
            |member: &Member| member.awaited && connection.receiver.delivered_bytes() >= member.written;
        if connection.member.as_deref().is_some_and(arrived) {
            self.write_arrived(stamp, at, queue);
        }
    }

    /// Handles the complete arrival of the last write to flow `at`: a request starts the response, a response
    /// completes the request.
    pub(crate) fn write_arrived(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let Some(member) = self.member(at) else { return };
        member.awaited = false;
        let Member { half, other, owner, .. } = *member;
        if half == Half::Responses {
            return self.complete(stamp, at, queue);
        }
        let exchange = self.member(other).and_then(|responses| responses.exchange);
        let Some(Exchange { request: Some(bytes), response, .. }) = exchange else { return };
        if let Some(sessions) = self.sessions(owner) {
            sessions.stats.request_bytes += bytes;
        }
        self.send(stamp, other, response, queue);
    }

    /// Counts the request of the connection whose responses are flow `at` as complete. Takes the session's
    /// next request, which begins after the time to think; if there is none, closes the connection.
    fn complete(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let now = stamp.at;
        let Some(member) = self.member(at) else { return };
        let Some(exchange) = member.exchange.take() else { return };
        let Member { owner, place, begun, reused, .. } = *member;
        let Some(sessions) = self.sessions(owner) else { return };
        let alone = sessions.alone.time(exchange.request, exchange.response);
        sessions.stats.on_completed(exchange.response, now.since(begun), alone);
        let config = Arc::clone(&sessions.config);
        let running = &mut sessions.running[place as usize];
        running.left -= 1;
        running.bytes += exchange.response;
        let (number, bytes, over) = (running.number, running.bytes, running.left == 0);
        let next = running.session.next(&config);
        let query = sessions.query.as_ref().map(|query| query.first);
        if over {
            sessions.stats.completed_sessions += 1;
            sessions.vacant.push(place);
        }
        let done = Completion {
            session: number,
            request: exchange.number,
            reused,
            start: begun,
            request_bytes: exchange.request,
            response_bytes: exchange.response,
            alone,
        };
        if let Some(requests) = &mut self.requests {
            requests.push(RequestRow::new(now, FlowId(owner), &done));
        }
        if over && let Some(first) = query.and_then(|first| self.sessions(first)) {
            first.query_answered(number, bytes, now);
        }
        let Some(next) = next else { return self.close(now, at) };
        let at = self.keep_or_replace(now, at, place, next, config.reuse);
        let due = now.saturating_add(exchange.think);
        queue.push(Stamp::new(due, now), Event::new(event::Kind::Source, at));
    }

    /// Gives the next request to the connection whose responses are flow `at`, or to a new connection if
    /// connections are not reused. Returns the flow of its responses.
    fn keep_or_replace(&mut self, now: Instant, at: u32, place: u32, next: Exchange, reuse: bool) -> u32 {
        let Some(member) = self.member(at) else { return at };
        if reuse {
            (member.exchange, member.reused) = (Some(next), true);
            return at;
        }
        let owner = member.owner;
        self.close(now, at);
        self.connect(now, owner, place, next)
    }
}
