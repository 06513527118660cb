//! Datagrams that wait for a route.

use super::port::{Action, Datagram};
use base::{DropCause, Duration, Instant};
use radio::access::Station;
use std::collections::VecDeque;

/// Queue of a station's datagrams without a route, oldest first.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    queue: VecDeque<(Instant, Datagram)>,
    room: u32,
    time: Option<Duration>,
}

impl Waiting {
    /// Creates a queue for at most `room` datagrams, each of which waits at most `time`, or without limit if
    /// `time` is `None`.
    pub(crate) fn new(room: u32, time: Option<Duration>) -> Self {
        Self { queue: VecDeque::new(), room, time }
    }

    /// Adds a datagram; if the queue is full, drops the oldest.
    pub(crate) fn push<M>(&mut self, now: Instant, datagram: Datagram, out: &mut Vec<Action<M>>) {
        let until = self.time.map_or(Instant::MAX, |time| now.saturating_add(time));
        self.queue.push_back((until, datagram));
        if self.queue.len() > self.room as usize
            && let Some((_, oldest)) = self.queue.pop_front()
        {
            out.push(Action::Drop(oldest, DropCause::Queue));
        }
    }

    /// Removes the datagrams for a destination, and returns them.
    pub(crate) fn take(&mut self, to: Station) -> Vec<Datagram> {
        let mine = self.queue.iter().filter(|waiting| waiting.1.to == to).map(|waiting| waiting.1).collect();
        self.queue.retain(|waiting| waiting.1.to != to);
        mine
    }

    /// Returns the destination of each waiting datagram, oldest first; destinations can repeat.
    pub(crate) fn destinations(&self) -> impl Iterator<Item = Station> {
        self.queue.iter().map(|waiting| waiting.1.to)
    }

    /// Returns the time at which the oldest datagram will have waited too long; `None` if no datagram waits,
    /// or if there is no limit.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.queue.front().map(|waiting| waiting.0).filter(|until| *until < Instant::MAX)
    }

    /// Drops datagrams that have waited too long.
    pub(crate) fn expire<M>(&mut self, now: Instant, out: &mut Vec<Action<M>>) {
        while let Some(&(_, datagram)) = self.queue.front().filter(|waiting| waiting.0 <= now) {
            self.queue.pop_front();
            out.push(Action::Drop(datagram, DropCause::NoRoute));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.queue.len()
    }
}
