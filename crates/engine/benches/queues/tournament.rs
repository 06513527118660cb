//! A winner tree: each event has a leaf, and each inner node holds the earlier of its two children. A change updates the nodes on one path, whose
//! addresses are known in advance.

use super::{Entry, Queue};
use base::Stamp;

#[derive(Clone, Copy)]
struct Player {
    at: u64,
    since: u64,
    event: u32,
    leaf: u32,
}

impl Player {
    #[inline(always)]
    fn entry(&self) -> Entry {
        Entry { at: self.at, since: self.since, event: self.event }
    }
}

const NOBODY: Player = Player { at: u64::MAX, since: u64::MAX, event: u32::MAX, leaf: 0 };

#[derive(Default)]
pub struct Tournament {
    /// Nodes of the tree: the root at index 1, the leaves at `leaves..2 * leaves`.
    tree: Vec<Player>,
    leaves: usize,
    free: Vec<u32>,
    len: usize,
    hole: bool,
}

impl Tournament {
    #[inline(always)]
    fn play(&mut self, mut player: Player) {
        let tree = &mut self.tree[..];
        let mut at = player.leaf as usize;
        tree[at] = player;
        while at > 1 {
            let rival = tree[at ^ 1];
            player = if rival.entry().before(&player.entry()) { rival } else { player };
            at /= 2;
            tree[at] = player;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let old: Vec<Player> = self.tree[self.leaves..].to_vec();
        let leaves = (2 * self.leaves).max(4);
        self.tree = vec![NOBODY; 2 * leaves];
        let filled = old.len();
        self.leaves = leaves;
        for (i, player) in old.into_iter().enumerate() {
            let leaf = (leaves + i) as u32;
            self.tree[leaf as usize] = Player { leaf, ..player };
        }
        for at in (1..leaves).rev() {
            let (a, b) = (self.tree[2 * at], self.tree[2 * at + 1]);
            self.tree[at] = if b.entry().before(&a.entry()) { b } else { a };
        }
        self.free = (leaves + filled..2 * leaves).rev().map(|leaf| leaf as u32).collect();
    }
}

impl Queue for Tournament {
    const NAME: &'static str = "tournament tree";

    #[inline(always)]
    fn push(&mut self, stamp: Stamp, event: u32) {
        self.len += 1;
        let leaf = if self.hole {
            self.hole = false;
            self.tree[1].leaf
        } else {
            if self.free.is_empty() {
                self.grow();
            }
            self.free.pop().expect("grown")
        };
        self.play(Player { at: stamp.at.ps(), since: stamp.since.ps(), event, leaf });
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(Stamp, u32)> {
        if self.hole {
            self.hole = false;
            let leaf = self.tree[1].leaf;
            self.free.push(leaf);
            self.play(Player { leaf, ..NOBODY });
        }
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        self.hole = true;
        Some(self.tree[1].entry().get())
    }
}
