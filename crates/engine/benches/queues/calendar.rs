//! A calendar queue (Brown 1988): days of equal width in a year that repeats, each day a sorted list in a pool.
//!
//! The number of days follows the number of events, and the width of a day follows their spacing. The width is
//! estimated anew when the number of events has changed much, or when searches pass too many days or list entries.

use super::{Entry, Queue};
use base::Stamp;

const NONE: u32 = u32::MAX;

struct Node {
    entry: Entry,
    next: u32,
}

pub struct Calendar {
    days: Vec<u32>,
    /// A day lasts `1 << shift` ps.
    shift: u32,
    /// The day being emptied, counted from 0.
    today: u64,
    pool: Vec<Node>,
    free: u32,
    len: usize,
    /// Days and list entries passed in searches since the last estimate of the width, minus an allowance for
    /// each push.
    effort: i64,
}

impl Default for Calendar {
    fn default() -> Self {
        Self { days: vec![NONE; 4], shift: 20, today: 0, pool: Vec::new(), free: NONE, len: 0, effort: 0 }
    }
}

impl Calendar {
    #[inline(always)]
    fn link(&mut self, id: u32) {
        let entry = self.pool[id as usize].entry;
        let day = (entry.at >> self.shift) as usize & (self.days.len() - 1);
        let mut at = self.days[day];
        if at == NONE || entry.before(&self.pool[at as usize].entry) {
            self.pool[id as usize].next = at;
            self.days[day] = id;
            return;
        }
        loop {
            let next = self.pool[at as usize].next;
            if next == NONE || entry.before(&self.pool[next as usize].entry) {
                self.pool[id as usize].next = next;
                self.pool[at as usize].next = id;
                return;
            }
            self.effort += 1;
            at = next;
        }
    }

    /// Rebuilds the calendar with at least twice as many days as events. A day lasts three times the mean gap
    /// between the next 64 events, rounded down to a power of two.
    #[cold]
    fn resize(&mut self) {
        self.effort = -(16 * self.len as i64 + 1024);
        let mut ids = Vec::with_capacity(self.len);
        for head in &self.days {
            let mut at = *head;
            while at != NONE {
                ids.push(at);
                at = self.pool[at as usize].next;
            }
        }
        ids.sort_unstable_by_key(|id| self.pool[*id as usize].entry);
        if ids.len() > 1 {
            let sample = ids.len().min(64);
            let first = self.pool[ids[0] as usize].entry.at;
            let gap = (self.pool[ids[sample - 1] as usize].entry.at - first) / (sample as u64 - 1);
            self.shift = (3 * gap).max(1).ilog2();
            self.today = first >> self.shift;
        }
        self.days = vec![NONE; (2 * self.len).next_power_of_two().max(4)];
        let effort = self.effort;
        for id in ids.into_iter().rev() {
            self.link(id);
        }
        self.effort = effort;
    }
}

impl Queue for Calendar {
    const NAME: &'static str = "calendar queue";

    #[inline(always)]
    fn push(&mut self, stamp: Stamp, event: u32) {
        let node = Node { entry: Entry::new(stamp, event), next: NONE };
        self.today = self.today.min(node.entry.at >> self.shift);
        let id = if self.free == NONE {
            self.pool.push(node);
            (self.pool.len() - 1) as u32
        } else {
            let id = self.free;
            self.free = self.pool[id as usize].next;
            self.pool[id as usize] = node;
            id
        };
        self.link(id);
        self.len += 1;
        self.effort -= 4;
        if self.len > 2 * self.days.len() || self.effort > 0 {
            self.resize();
        }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(Stamp, u32)> {
        if self.len == 0 {
            return None;
        }
        let mut looked = 0;
        loop {
            let day = self.today as usize & (self.days.len() - 1);
            let id = self.days[day];
            if id != NONE && self.pool[id as usize].entry.at >> self.shift <= self.today {
                let node = &mut self.pool[id as usize];
                let entry = node.entry;
                self.days[day] = node.next;
                node.next = self.free;
                self.free = id;
                self.len -= 1;
                if self.days.len() > 8 && self.len < self.days.len() / 4 {
                    self.resize();
                }
                return Some(entry.get());
            }
            self.today += 1;
            self.effort += 1;
            looked += 1;
            if looked > self.days.len() {
                let heads = self.days.iter().filter(|id| **id != NONE);
                let first = heads.map(|id| self.pool[*id as usize].entry.at).min().expect("not empty");
                self.today = first >> self.shift;
                looked = 0;
            }
        }
    }
}
