//! Route discovery: RREQs, RREPs, and the datagrams that wait for a route (RFC 3561, sections 6.3 to 6.7, 6.12).

use super::config::HopTime;
use super::message::{Action, Message, Reply, Request};
use super::node::Aodv;
use super::search::Search;
use crate::port::Datagram;
use crate::router::Router;
use crate::table::{Route, State, newer, newest};
use base::{DropCause, Duration, Instant};
use radio::access::Station;

/// Number of searches per destination over which the time of a hop is averaged.
const REMEMBERED: usize = 3;

impl Aodv {
    /// Starts the search for a route (sections 6.3 and 6.4). If a search is under way that continues with the next
    /// packet, sends the search's next RREQ or gives up.
    pub(super) fn search(&mut self, now: Instant, to: Station, out: &mut Vec<Action>) {
        if let Some(search) = self.searches.get(&to) {
            if search.ready <= now {
                self.search_due(now, to, out);
            }
            return;
        }
        let ttl = match self.table.get(to, now) {
            Some(known) => known.hops.saturating_add(self.config.ttl_increment),
            None => self.config.ttl_start,
        };
        let ttl = ttl.min(self.config.net_diameter);
        self.searches.insert(to, Search::new(now, ttl, false));
        self.ask(now, to, out);
    }

    /// Starts the local repair of a datagram's route to a destination that was `hops` hops away (section 6.12).
    pub(super) fn repair(&mut self, now: Instant, datagram: Datagram, hops: u8, out: &mut Vec<Action>) {
        if let Some(route) = self.table.get(datagram.to, now) {
            route.state = State::Repairing;
        }
        let ttl = hops
            .max(datagram.hops / 2)
            .saturating_add(self.config.local_add_ttl)
            .min(self.config.net_diameter);
        self.searches.insert(datagram.to, Search::new(now, ttl, true));
        self.ask(now, datagram.to, out);
    }

    /// Broadcasts the search's RREQ, or postpones it if RREQ_RATELIMIT is reached.
    fn ask(&mut self, now: Instant, to: Station, out: &mut Vec<Action>) {
        let hop = self.hop_time(to);
        let Some(search) = self.searches.get_mut(&to) else {
            return;
        };
        if let Err(free) = self.requests.take(now) {
            (search.due, search.held, search.ready) = (free, true, Instant::MAX);
            return;
        }
        let wait = self.config.wait(hop, search.ttl, search.retries);
        search.held = false;
        search.wait(now.saturating_add(wait), self.config.repeat);
        let ttl = search.ttl;
        self.seq = self.seq.wrapping_add(1);
        self.id = self.id.wrapping_add(1);
        self.remember(now, (self.me, self.id));
        let request = Request {
            ttl,
            hops: 0,
            id: self.id,
            originator: self.me,
            originator_seq: self.seq,
            destination: to,
            destination_seq: self.table.get(to, now).and_then(|route| route.seq),
            destination_only: self.config.destination_only,
            gratuitous: self.config.gratuitous,
            asked: now,
        };
        self.broadcast(now, Message::Request(request), out);
    }

    /// Continues a search that is due: sends a postponed RREQ, repeats an unanswered RREQ with the same or a
    /// larger TTL, gives up, or ends the pause after a failed search.
    pub(super) fn search_due(&mut self, now: Instant, to: Station, out: &mut Vec<Action>) {
        let Some(search) = self.searches.get_mut(&to) else {
            return;
        };
        let diameter = self.config.net_diameter;
        if search.held {
            return self.ask(now, to, out);
        }
        if search.rests {
            (search.rests, search.retries) = (false, 0);
            if self.waiting.destinations().all(|waiting| waiting != to) {
                self.searches.remove(&to);
                return;
            }
            return self.ask(now, to, out);
        }
        if search.repair || (search.ttl >= diameter && search.retries >= self.config.rreq_retries) {
            return self.give_up(now, to, out);
        }
        if search.ttl >= diameter {
            search.retries += 1;
        } else {
            let wider = search.ttl.saturating_add(self.config.ttl_increment);
            search.ttl = if wider > self.config.ttl_threshold { diameter } else { wider };
        }
        self.ask(now, to, out);
    }

    /// Ends a search without a route and drops the packets that waited for it; then the `search_pause`
    /// begins, if there is one. A local repair is followed by no pause, but by a RERR to the precursors of
    /// the route.
    fn give_up(&mut self, now: Instant, to: Station, out: &mut Vec<Action>) {
        let search = self.searches.remove(&to);
        let repair = search.is_some_and(|search| search.repair);
        if let Some(mut search) =
            search.filter(|search| !search.repair && !self.config.search_pause.is_zero())
        {
            search.rests = true;
            search.wait(now.saturating_add(self.config.search_pause), self.config.repeat);
            self.searches.insert(to, search);
        }
        out.extend(
            self.waiting.take(to).into_iter().map(|datagram| Action::Drop(datagram, DropCause::NoRoute)),
        );
        if repair {
            self.table.invalidate(to, now);
            let broken = self.table.broken(to, now);
            self.report(now, broken.into_iter().collect(), out);
        }
    }

    /// Ends the search for `to` if there is an active route now, and sends the packets that waited for it.
    pub(super) fn found(&mut self, now: Instant, to: Station, out: &mut Vec<Action>) {
        if self.table.active(to, now).is_none() || self.searches.remove(&to).is_none() {
            return;
        }
        for datagram in self.waiting.take(to) {
            self.forward(now, datagram, None, out);
        }
    }

    /// Records the RREQ for PATH_DISCOVERY_TIME; returns true if it was new.
    fn remember(&mut self, now: Instant, request: (Station, u32)) -> bool {
        while let Some(&(_, old)) = self.seen_until.front().filter(|seen| seen.0 <= now) {
            self.seen_until.pop_front();
            self.seen.remove(&old);
        }
        let new = self.seen.insert(request);
        if new {
            self.seen_until.push_back((now.saturating_add(self.config.path_discovery_time()), request));
        }
        new
    }

    /// Handles a RREQ (sections 6.5 and 6.6).
    pub(super) fn request(
        &mut self,
        now: Instant,
        request: Request,
        previous: Station,
        out: &mut Vec<Action>,
    ) {
        self.blacklist.retain(|_, until| *until > now);
        if self.blacklist.contains_key(&previous) {
            return;
        }
        self.table.neighbour(previous, 1, now, now.saturating_add(self.config.active_route_timeout));
        self.found(now, previous, out);
        if !self.remember(now, (request.originator, request.id)) || request.originator == self.me {
            return;
        }
        let request = Request { hops: request.hops.saturating_add(1), ..request };
        self.reverse(now, &request, previous, out);
        if request.destination == self.me {
            // Section 6.6.1: the destination's number becomes at least the number in the RREQ.
            self.seq = request.destination_seq.filter(|seq| newer(*seq, self.seq)).unwrap_or(self.seq);
            let reply = Reply {
                hops: 0,
                destination: self.me,
                destination_seq: self.seq,
                originator: request.originator,
                lifetime: self.config.my_route_timeout,
                asked: request.asked,
            };
            self.answer(now, reply, out);
        } else if !self.answer_for(now, &request, out) && request.ttl > 1 {
            let known = self.table.get(request.destination, now).and_then(|route| route.seq);
            let destination_seq = newest(request.destination_seq, known);
            let request = Request { ttl: request.ttl - 1, destination_seq, ..request };
            let at = now.saturating_add(self.rng.duration_below(self.config.jitter));
            self.delays += 1;
            self.delayed.insert((at, self.delays), request);
        }
    }

    /// Enters the reverse route, to the originator of an RREQ.
    fn reverse(&mut self, now: Instant, request: &Request, previous: Station, out: &mut Vec<Action>) {
        let there = self.config.net_traversal_time() * 2;
        let come = self.config.node_traversal_time * (2 * u64::from(request.hops));
        let until = now.saturating_add(there.saturating_sub(come));
        let lives =
            self.table.active(request.originator, now).map_or(until, |route| route.expires.max(until));
        let route = Route::new(previous, request.hops, Some(request.originator_seq), lives);
        self.table.offer(request.originator, route, now);
        self.table.refresh(request.originator, now, until);
        self.found(now, request.originator, out);
    }

    /// Answers an RREQ in place of the destination if the known route is fresh enough (section 6.6.2); returns true
    /// if it answered.
    fn answer_for(&mut self, now: Instant, request: &Request, out: &mut Vec<Action>) -> bool {
        let Some(back) = self.table.active(request.originator, now).map(|route| route.next) else {
            return false;
        };
        let Some(route) = self.table.active(request.destination, now).filter(|_| !request.destination_only)
        else {
            return false;
        };
        let Some(seq) =
            route.seq.filter(|seq| !request.destination_seq.is_some_and(|asked| newer(asked, *seq)))
        else {
            return false;
        };
        route.precursors.insert(back);
        let (next, hops, lifetime) = (route.next, route.hops, route.expires.since(now));
        if let Some(reverse) = self.table.active(request.originator, now) {
            reverse.precursors.insert(next);
            if request.gratuitous {
                let reply = Reply {
                    hops: reverse.hops,
                    destination: request.originator,
                    destination_seq: request.originator_seq,
                    originator: request.destination,
                    lifetime: reverse.expires.since(now),
                    asked: request.asked,
                };
                out.push(Action::Send(Message::Reply(reply), Some(next)));
            }
        }
        let reply = Reply {
            hops,
            destination: request.destination,
            destination_seq: seq,
            originator: request.originator,
            lifetime,
            asked: request.asked,
        };
        self.answer(now, reply, out);
        true
    }

    /// Sends an RREP to the next hop toward the RREQ's originator; returns that hop, or `None` without a route.
    fn answer(&mut self, now: Instant, reply: Reply, out: &mut Vec<Action>) -> Option<Station> {
        let next = self.table.active(reply.originator, now)?.next;
        out.push(Action::Send(Message::Reply(reply), Some(next)));
        Some(next)
    }

    /// Returns the assumed time of one hop on the way to a destination.
    pub(super) fn hop_time(&self, to: Station) -> Duration {
        let known = self.latencies.get(&to).filter(|_| self.config.hop_time == HopTime::Measured);
        known.map_or(self.config.node_traversal_time, |known| {
            let sum: u64 = known.iter().map(|latency| latency.ps()).sum();
            Duration::from_ps(sum / known.len() as u64)
        })
    }

    /// Records the time per hop that a search of this station took, from RREQ to RREP.
    fn learn(&mut self, now: Instant, reply: &Reply) {
        let latencies = self.latencies.entry(reply.destination).or_default();
        latencies.push_back(now.since(reply.asked) / u64::from(reply.hops.max(1)));
        if latencies.len() > REMEMBERED {
            latencies.pop_front();
        }
    }

    /// Handles an RREP (section 6.7).
    pub(super) fn reply(&mut self, now: Instant, reply: Reply, previous: Station, out: &mut Vec<Action>) {
        if reply.destination == self.me {
            return;
        }
        let until = now.saturating_add(self.config.active_route_timeout);
        self.table.neighbour(previous, 1, now, until);
        self.found(now, previous, out);
        let reply = Reply { hops: reply.hops.saturating_add(1), ..reply };
        let lives = now.saturating_add(reply.lifetime);
        let route = Route::new(previous, reply.hops, Some(reply.destination_seq), lives);
        if !self.table.offer(reply.destination, route, now) {
            return;
        }
        self.found(now, reply.destination, out);
        if reply.originator == self.me {
            self.learn(now, &reply);
            return;
        }
        self.table.refresh(reply.originator, now, until);
        if let Some(next) = self.answer(now, reply, out) {
            for to in [reply.destination, previous] {
                if let Some(route) = self.table.active(to, now) {
                    route.precursors.insert(next);
                }
            }
        }
    }
}
