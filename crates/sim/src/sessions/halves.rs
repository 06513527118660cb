//! Directions of the connections of sessions ([`Half`]). Each is a flow of the world with a sender and a
//! receiver; once it has ended, a later connection reuses the flow.

use super::state::{Half, Member, NONE};
use crate::flow::{Connection, Flow, Kind};
use crate::losses::FlowLosses;
use crate::world::World;
use base::{FlowId, Instant, Probe, Rng};
use metrics::FlowStats;
use std::sync::Arc;
use traffic::sessions::Exchange;

impl<P: Probe> World<P> {
    /// Prepares a new connection for a request of the session at `place`; returns the flow of its responses.
    pub(super) fn connect(&mut self, now: Instant, owner: u32, place: u32, exchange: Exchange) -> u32 {
        let number = self.sessions(owner).map_or(0, |sessions| sessions.running[place as usize].number);
        let name = format!("session.{number}.{}", exchange.number);
        let at = self.occupy(now, owner, Half::Responses, place, &name);
        let other = match exchange.request {
            Some(_) => self.occupy(now, owner, Half::Requests, place, &name),
            None => NONE,
        };
        if let Some(member) = self.member(at) {
            (member.other, member.exchange) = (other, Some(exchange));
        }
        if let Some(member) = self.member(other) {
            member.other = at;
        }
        at
    }

    /// Creates direction `half` of a connection in an idle flow or, if there is none, in a new one; returns
    /// the flow. `name` is the connection's part of the names of random streams.
    fn occupy(&mut self, now: Instant, owner: u32, half: Half, place: u32, name: &str) -> u32 {
        let seed = self.seed;
        let Some(sessions) = self.sessions(owner) else { return NONE };
        let config = Arc::clone(&sessions.tcp[half as usize]);
        let mut sender = tcp::Sender::new(&config, sessions.phase);
        let stream = |what: &str| Rng::stream(seed, &format!("{}.{name}.{what}", sessions.streams));
        sender.set_rng(stream("control"));
        if !config.timers.send_overhead.is_zero() {
            sender.set_overhead_rng(stream("overhead"));
        }
        let idle = sessions.take_idle(half, now);
        let mut connection = Connection::new(sender, tcp::Receiver::new(&config));
        connection.member = Some(Box::new(Member {
            owner,
            half,
            other: NONE,
            place,
            written: 0,
            awaited: false,
            exchange: None,
            begun: now,
            reused: false,
            closing: false,
            ended: false,
        }));
        match idle {
            Some(at) => {
                self.replace(now, at, connection);
                at
            }
            None => self.append(now, owner, half, connection),
        }
    }

    /// Replaces the ended connection of flow `at`. Events of its timers stay pending, and are ignored or used.
    fn replace(&mut self, now: Instant, at: u32, mut connection: Connection) {
        self.network.links.losses[at as usize].reactions.forget();
        let flow = &mut self.flows[at as usize];
        flow.start = now;
        let Kind::Tcp(old) = &mut flow.kind else { return };
        connection.sender_timer = old.sender_timer;
        connection.release = old.release;
        connection.receiver_timer = old.receiver_timer;
        **old = connection;
    }

    fn append(&mut self, now: Instant, owner: u32, half: Half, connection: Connection) -> u32 {
        let at = self.flows.len() as u32;
        let Flow { from, to, stop, there, back, class, .. } = self.flows[owner as usize];
        let (from, to, there, back) = match half {
            Half::Responses => (from, to, there, back),
            Half::Requests => (to, from, back, there),
        };
        let (id, kind) = (FlowId(at), Kind::Tcp(Box::new(connection)));
        let stats = FlowStats::default();
        self.flows.push(Flow { kind, stop, id, from, to, there, back, class, start: now, stats });
        self.network.links.losses.push(FlowLosses::default());
        self.network.radios.adopt(FlowId(owner));
        at
    }

    /// Closes the connection whose responses are flow `at`. Each of its directions ends when its data are
    /// acknowledged.
    pub(super) fn close(&mut self, now: Instant, at: u32) {
        let Some(member) = self.member(at) else { return };
        let Member { owner, other, .. } = *member;
        if let Some(sessions) = self.sessions(owner) {
            sessions.stats.on_closed();
        }
        for half in [at, other] {
            if let Some(member) = self.member(half) {
                member.closing = true;
                self.end_half(now, half);
            }
        }
    }

    /// Ends flow `at`, a direction of a connection, if it is closing and its data are acknowledged; the flow
    /// is idle then.
    pub(crate) fn end_half(&mut self, now: Instant, at: u32) {
        let flow = &mut self.flows[at as usize];
        let Kind::Tcp(connection) = &mut flow.kind else { return };
        let acked = connection.sender.stats().acked_bytes;
        let Some(member) = &mut connection.member else { return };
        if !member.closing || member.ended || acked < member.written {
            return;
        }
        member.ended = true;
        let Member { owner, half, .. } = **member;
        absorb(&mut flow.stats, connection);
        if let Some(sessions) = self.sessions(owner) {
            sessions.idle[half as usize].push_back((at, now));
        }
    }

    /// Adds the counters of connections to those of their flows at the end of the run, and removes the
    /// connections. Only responses count, since a flow of the scenario leads from the servers to the clients.
    pub(crate) fn gather_sessions(&mut self) {
        let first = self.stated_flows as usize;
        let losses = self.network.links.losses.split_off(first);
        for (mut flow, losses) in self.flows.split_off(first).into_iter().zip(losses) {
            let Kind::Tcp(connection) = &mut flow.kind else { continue };
            let Some(Member { owner, half, ended, .. }) = connection.member.as_deref().copied() else {
                continue;
            };
            if half == Half::Requests {
                continue;
            }
            if !ended {
                absorb(&mut flow.stats, connection);
                flow.stats.stalled = connection.sender.stalled();
            }
            self.flows[owner as usize].stats.merge(&flow.stats);
            self.network.links.losses[owner as usize].merge(&losses);
        }
    }
}

/// Adds the counters of a connection's endpoints to `stats`.
fn absorb(stats: &mut FlowStats, connection: &Connection) {
    let sent = connection.sender.stats();
    stats.on_acked(sent.acked_packets, sent.acked_bytes);
    stats.timeouts += sent.timeouts as u32;
    stats.fast_retransmits += sent.fast_retransmits;
    stats.delivered_bytes += connection.receiver.delivered_bytes();
}
