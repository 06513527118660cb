//! Datagrams that wait for a route.

use super::port::{Action, Datagram};
use base::{DropCause, Duration, Instant};
use radio::access::Station;
use std::collections::VecDeque;

/// A station's datagrams without a route, oldest first.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    queue: VecDeque<(Instant, Datagram)>,
    room: u32,
    time: Option<Duration>,
}

impl Waiting {
    /// Room for so many, each for this long at most; `None`: until it is taken out.
    pub(crate) fn new(room: u32, time: Option<Duration>) -> Self {
        Self { queue: VecDeque::new(), room, time }
    }

    /// Takes a datagram in; the oldest makes room.
    pub(crate) fn push<M>(&mut self, now: Instant, datagram: Datagram, out: &mut Vec<Action<M>>) {
        let until = self.time.map_or(Instant::MAX, |time| now.saturating_add(time));
        self.queue.push_back((until, datagram));
        if self.queue.len() > self.room as usize
            && let Some((_, oldest)) = self.queue.pop_front()
        {
            out.push(Action::Drop(oldest, DropCause::Queue));
        }
    }

    /// Takes out what is for a destination.
    pub(crate) fn take(&mut self, to: Station) -> Vec<Datagram> {
        let mine = self.queue.iter().filter(|waiting| waiting.1.to == to).map(|waiting| waiting.1).collect();
        self.queue.retain(|waiting| waiting.1.to != to);
        mine
    }

    /// Destinations that datagrams wait for.
    pub(crate) fn destinations(&self) -> impl Iterator<Item = Station> {
        self.queue.iter().map(|waiting| waiting.1.to)
    }

    /// When the first has waited too long. All wait equally long, so that the oldest is the first.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.queue.front().map(|waiting| waiting.0).filter(|until| *until < Instant::MAX)
    }

    /// Loses what has waited too long.
    pub(crate) fn expire<M>(&mut self, now: Instant, out: &mut Vec<Action<M>>) {
        while let Some(&(_, datagram)) = self.queue.front().filter(|waiting| waiting.0 <= now) {
            self.queue.pop_front();
            out.push(Action::Drop(datagram, DropCause::NoRoute));
        }
    }

    /// How many wait.
    pub(crate) fn len(&self) -> usize {
        self.queue.len()
    }
}
