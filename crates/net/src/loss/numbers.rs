//! An ascending list of packet numbers, compared with the numbers of arriving packets.

/// List of packet numbers, ascending.
#[derive(Clone, Debug)]
pub struct Numbers {
    packets: Vec<u64>,
    /// Entries at the front of the list whose packets have arrived.
    used: usize,
}

impl Numbers {
    /// Creates the list; `packets` must be ascending.
    pub fn new(packets: Vec<u64>) -> Self {
        Self { packets, used: 0 }
    }

    /// Returns true if `number` is in the list. Must be called with 0, 1, 2 and so on, without gaps.
    pub fn take(&mut self, number: u64) -> bool {
        let listed = self.packets.get(self.used) == Some(&number);
        self.used += usize::from(listed);
        listed
    }
}
