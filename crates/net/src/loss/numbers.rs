//! A list of packet numbers that is used up from the front.

/// Numbers of packets, ascending.
#[derive(Clone, Debug)]
pub struct Numbers {
    packets: Vec<u64>,
    /// Entries that have been used.
    used: usize,
}

impl Numbers {
    /// Creates the list of `packets`, which ascend.
    pub fn new(packets: Vec<u64>) -> Self {
        Self { packets, used: 0 }
    }

    /// Returns true if `number` is in the list; calls come with ascending numbers.
    pub fn take(&mut self, number: u64) -> bool {
        let listed = self.packets.get(self.used) == Some(&number);
        self.used += usize::from(listed);
        listed
    }
}
