//! A network of routers for tests, without a medium: a link carries everything in 1 ms, or fails.

use crate::port::{Action, Datagram, Message as _};
use crate::router::{Router, Site};
use base::{Body, DropCause, Duration, Ecn, FlowId, Instant, LOWEST_CLASS, Packet};
use proptest::prelude::*;
use radio::access::Station;
use std::collections::{BTreeMap, BTreeSet};

/// Airtime of a frame of 8192 bits: 1 TU, so that the airtime metric of a link is 100.
const FRAME: Duration = Duration::from_us(1024);

/// An event in a network of routers.
#[derive(Clone, Debug)]
pub(super) enum Event<M> {
    Datagram { datagram: Datagram, from: u32, to: u32 },
    Message { message: M, from: u32, to: u32 },
    Failed { datagram: Datagram, at: u32, neighbour: u32 },
    MessageFailed { message: M, at: u32, neighbour: u32 },
}

/// Routers joined by links that deliver everything after 1 ms, or report a failure to the sender after 5 ms.
pub(super) struct Net<R: Router> {
    pub routers: Vec<R>,
    links: BTreeSet<(u32, u32)>,
    pub now: Instant,
    pub events: BTreeMap<(Instant, u64), Event<R::Message>>,
    count: u64,
    /// Messages sent, in order: time in ms, sender, receiver (`None`: all), description.
    pub said: Vec<(u64, u32, Option<u32>, String)>,
    pub delivered: Vec<Datagram>,
    pub lost: Vec<(Datagram, DropCause)>,
}

/// Returns the time `n` milliseconds after the start.
pub(super) fn ms(n: u64) -> Instant {
    Instant::ZERO + Duration::from_ms(n)
}

/// Returns datagram number `n`, of station `from` to station `to`.
pub(super) fn datagram(n: u64, from: u32, to: u32) -> Datagram {
    let packet = Packet {
        sent: Instant::ZERO,
        flow: FlowId(0),
        route: 0,
        wire: 1040,
        body: Body::Datagram { seq: n, payload: 1000 },
        ecn: Ecn::NotEct,
        class: LOWEST_CLASS,
    };
    Datagram { packet, from: Station(from), to: Station(to), hops: 0, overhead: 0, priority: 0 }
}

/// Creates a router for station 0 without a network, with the random stream `name`.
pub(super) fn alone<R: Router>(config: &R::Config, name: &str) -> R {
    R::new(config, &Site { me: Station(0), frame: FRAME, seed: 1, name })
}

impl<R: Router> Net<R> {
    pub(super) fn new(config: &R::Config, n: u32, links: &[(u32, u32)]) -> Self {
        let routers = (0..n)
            .map(|k| {
                R::new(config, &Site { me: Station(k), frame: FRAME, seed: 1, name: &format!("station.{k}") })
            })
            .collect();
        let mut net = Self {
            routers,
            links: BTreeSet::new(),
            now: Instant::ZERO,
            events: BTreeMap::new(),
            count: 0,
            said: Vec::new(),
            delivered: Vec::new(),
            lost: Vec::new(),
        };
        links.iter().for_each(|link| net.link(*link, true));
        net
    }

    pub(super) fn chain(config: &R::Config, n: u32) -> Self {
        let links: Vec<_> = (1..n).map(|k| (k - 1, k)).collect();
        Self::new(config, n, &links)
    }

    pub(super) fn link(&mut self, (a, b): (u32, u32), up: bool) {
        for pair in [(a, b), (b, a)] {
            if up {
                self.links.insert(pair)
            } else {
                self.links.remove(&pair)
            };
        }
    }

    fn schedule(&mut self, delay: u64, event: Event<R::Message>) {
        self.count += 1;
        self.events.insert((self.now + Duration::from_ms(delay), self.count), event);
    }

    pub(super) fn send(&mut self, datagram: Datagram) {
        let (now, mut out) = (self.now, Vec::new());
        let at = datagram.from.0;
        self.routers[datagram.from.index()].forward(now, datagram, None, &mut out);
        self.obey(at, out);
    }

    fn obey(&mut self, at: u32, orders: Vec<Action<R::Message>>) {
        for order in orders {
            match order {
                Action::Deliver(datagram) => self.delivered.push(datagram),
                Action::Drop(datagram, cause) => self.lost.push((datagram, cause)),
                Action::Forward(datagram, next) if self.links.contains(&(at, next.0)) => {
                    self.schedule(1, Event::Datagram { datagram, from: at, to: next.0 });
                }
                Action::Forward(datagram, next) => {
                    self.schedule(5, Event::Failed { datagram, at, neighbour: next.0 });
                }
                Action::Send(message, to) => {
                    let when = self.now.since(Instant::ZERO).ps() / 1_000_000_000;
                    self.said.push((when, at, to.map(|to| to.0), message.describe()));
                    match to {
                        Some(to) if self.links.contains(&(at, to.0)) => {
                            self.schedule(1, Event::Message { message, from: at, to: to.0 });
                        }
                        Some(to) => self.schedule(5, Event::MessageFailed { message, at, neighbour: to.0 }),
                        None => {
                            let near: Vec<u32> =
                                self.links.iter().filter(|link| link.0 == at).map(|link| link.1).collect();
                            for to in near {
                                self.schedule(1, Event::Message { message: message.clone(), from: at, to });
                            }
                        }
                    }
                }
            }
        }
    }

    /// Handles the next event up to `until`; returns true if there was one.
    pub(super) fn step(&mut self, until: Instant) -> bool {
        let event = self.events.first_key_value().map(|(key, _)| key.0);
        let timer = self.routers.iter().enumerate().filter_map(|(k, r)| r.next().map(|at| (at, k))).min();
        let first = event.into_iter().chain(timer.map(|(at, _)| at)).min();
        let Some(now) = first.filter(|at| *at <= until) else {
            self.now = until;
            return false;
        };
        self.now = self.now.max(now);
        let mut out = Vec::new();
        let now = self.now;
        let at = match timer.filter(|(at, _)| event.is_none_or(|event| *at < event)) {
            Some((_, k)) => {
                self.routers[k].run(now, &mut out);
                k as u32
            }
            None => match self.events.pop_first().expect("an event").1 {
                Event::Datagram { datagram, from, to } => {
                    self.routers[to as usize].forward(now, datagram, Some(Station(from)), &mut out);
                    to
                }
                Event::Message { message, from, to } => {
                    self.routers[to as usize].receive(now, &message, Station(from), &mut out);
                    to
                }
                Event::Failed { datagram, at, neighbour } => {
                    let (cause, neighbour) = (DropCause::RetryLimit, Station(neighbour));
                    let router = &mut self.routers[at as usize];
                    if router.breaks(now, neighbour) {
                        router.link_failed(now, neighbour, cause, &[datagram], &mut out);
                    } else {
                        out.push(Action::Drop(datagram, cause));
                    }
                    at
                }
                Event::MessageFailed { message, at, neighbour } => {
                    self.routers[at as usize].message_failed(now, Station(neighbour), &message);
                    at
                }
            },
        };
        self.obey(at, out);
        true
    }

    pub(super) fn run(&mut self, until: Instant) {
        while self.step(until) {}
    }

    /// Returns the next hop of each station's active route to a destination.
    pub(super) fn next_hops(&self, to: u32) -> Vec<Option<u32>> {
        self.routers.iter().map(|router| router.next_hop(Station(to), self.now).map(|next| next.0)).collect()
    }

    /// Returns the messages sent since the last call.
    pub(super) fn said(&mut self) -> Vec<(u64, u32, Option<u32>, String)> {
        std::mem::take(&mut self.said)
    }
}

/// Converts messages written in a test to the form that [`Net::said`] returns.
pub(super) fn words(said: &[(u64, u32, Option<u32>, &str)]) -> Vec<(u64, u32, Option<u32>, String)> {
    said.iter().map(|(at, who, to, what)| (*at, *who, *to, (*what).to_owned())).collect()
}

/// Draws an event in a network of six stations: pause in ms, two stations, and a kind (0: link up, 1: link down, else
/// a datagram).
pub(super) fn happening() -> impl Strategy<Value = (u64, u32, u32, u8)> {
    (0..400u64, 0..6u32, 0..6u32, 0..4u8)
}

/// Runs a chain of six stations through random events. Checks that routes never loop unless `loops` allows it, and
/// that each datagram is delivered or lost in the end.
pub(super) fn live<R: Router>(
    config: &R::Config,
    happenings: Vec<(u64, u32, u32, u8)>,
    loops: bool,
) -> Result<(), TestCaseError> {
    let mut net = Net::<R>::chain(config, 6);
    let mut sent = 0;
    for (pause, a, b, what) in happenings {
        let until = net.now + Duration::from_ms(pause);
        while net.step(until) {
            check_loops(&net, loops)?;
        }
        match what {
            0 => net.link((a, b), a != b),
            1 => net.link((a, b), false),
            _ => {
                net.send(datagram(sent, a, b));
                sent += 1;
            }
        }
    }
    let end = net.now + Duration::from_secs(120);
    let waiting = |net: &Net<R>| net.routers.iter().map(R::waiting).sum::<usize>();
    while (!net.events.is_empty() || waiting(&net) > 0) && net.step(end) {
        check_loops(&net, loops)?;
    }
    prop_assert_eq!(net.delivered.len() + net.lost.len(), sent as usize);
    prop_assert_eq!(waiting(&net), 0);
    Ok(())
}

/// Checks, unless `loops` is true, that the next hops toward any destination form no loop.
fn check_loops<R: Router>(net: &Net<R>, loops: bool) -> Result<(), TestCaseError> {
    for to in (0..6).filter(|_| !loops) {
        let next = net.next_hops(to);
        for from in 0..6usize {
            let (mut at, mut steps) = (from, 0);
            while let Some(via) = next[at].filter(|_| at as u32 != to) {
                (at, steps) = (via as usize, steps + 1);
                prop_assert!(steps <= 6, "to {to} from {from} at {:?}: {next:?}", net.now);
            }
        }
    }
    Ok(())
}
