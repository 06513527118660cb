//! A pairing heap whose nodes are kept in a pool.

use super::{Entry, Queue};
use base::Stamp;

const NONE: u32 = u32::MAX;

struct Node {
    entry: Entry,
    child: u32,
    sibling: u32,
}

pub struct Pairing {
    pool: Vec<Node>,
    free: Vec<u32>,
    root: u32,
}

impl Default for Pairing {
    fn default() -> Self {
        Self { pool: Vec::new(), free: Vec::new(), root: NONE }
    }
}

impl Pairing {
    #[inline(always)]
    fn meld(&mut self, a: u32, b: u32) -> u32 {
        let swap = self.pool[b as usize].entry.before(&self.pool[a as usize].entry);
        let (first, second) = if swap { (b, a) } else { (a, b) };
        self.pool[second as usize].sibling = self.pool[first as usize].child;
        self.pool[first as usize].child = second;
        first
    }
}

impl Queue for Pairing {
    const NAME: &'static str = "pairing heap";

    #[inline(always)]
    fn push(&mut self, stamp: Stamp, event: u32) {
        let node = Node { entry: Entry::new(stamp, event), child: NONE, sibling: NONE };
        let id = match self.free.pop() {
            Some(id) => {
                self.pool[id as usize] = node;
                id
            }
            None => {
                self.pool.push(node);
                (self.pool.len() - 1) as u32
            }
        };
        self.root = if self.root == NONE { id } else { self.meld(self.root, id) };
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(Stamp, u32)> {
        if self.root == NONE {
            return None;
        }
        let top = self.root;
        self.free.push(top);
        // Melds the children in pairs from left to right; the resulting list is then melded from right to left.
        let mut rest = self.pool[top as usize].child;
        let mut pairs = NONE;
        while rest != NONE {
            let a = rest;
            let b = self.pool[a as usize].sibling;
            let pair = if b == NONE {
                rest = NONE;
                a
            } else {
                rest = self.pool[b as usize].sibling;
                self.meld(a, b)
            };
            self.pool[pair as usize].sibling = pairs;
            pairs = pair;
        }
        self.root = pairs;
        if pairs != NONE {
            let mut rest = std::mem::replace(&mut self.pool[pairs as usize].sibling, NONE);
            while rest != NONE {
                let next = self.pool[rest as usize].sibling;
                self.root = self.meld(self.root, rest);
                rest = next;
            }
        }
        Some(self.pool[top as usize].entry.get())
    }
}
