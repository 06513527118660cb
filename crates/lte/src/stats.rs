//! What a network counts.

/// Transport blocks of one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Air {
    /// Transport blocks sent for the first time.
    pub blocks: u64,
    /// Their bytes.
    pub bytes: u64,
    /// HARQ retransmissions.
    pub retransmissions: u64,
    /// Transport blocks that failed as often as they may be sent.
    pub gave_up: u64,
    /// Resource blocks used, retransmissions included.
    pub resource_blocks: u64,
}

impl Air {
    /// A transmission of a block of `bytes` in `resource_blocks`.
    pub(crate) fn sent(&mut self, first: bool, bytes: u32, resource_blocks: u32) {
        if first {
            self.blocks += 1;
            self.bytes += u64::from(bytes);
        } else {
            self.retransmissions += 1;
        }
        self.resource_blocks += u64::from(resource_blocks);
    }
}

/// Packets that went through a station, by fate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Packets {
    /// Entered for or from it.
    pub entered: u64,
    /// Came out at the other end.
    pub delivered: u64,
    /// No room in the S1 link's queue.
    pub lost_backhaul: u64,
    /// No room in the buffer of radio link control.
    pub lost_buffer: u64,
    /// HARQ, or in acknowledged mode radio link control, gave up.
    pub lost_harq: u64,
    /// Left behind at a handover.
    pub lost_handover: u64,
}

/// A UE's counters.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct UeStats {
    /// Packets to it.
    pub downlink: Packets,
    /// Packets from it.
    pub uplink: Packets,
    /// Transport blocks to it.
    pub downlink_air: Air,
    /// Transport blocks from it.
    pub uplink_air: Air,
    /// Handovers.
    pub handovers: u64,
    /// Scheduling requests.
    pub requests: u64,
    /// Most bytes in its downlink buffer.
    pub longest_buffer: u64,
    /// The cell that serves it at the end, from 0.
    pub cell: usize,
    /// The last CQI used.
    pub cqi: u8,
}

/// A cell's counters.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CellStats {
    /// Subframes in which it sent data.
    pub busy: u64,
    /// Downlink resource blocks used.
    pub downlink_blocks: u64,
    /// Uplink resource blocks used.
    pub uplink_blocks: u64,
}

/// What a network counted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stats {
    /// By UE, in order of station.
    pub ues: Vec<UeStats>,
    /// By eNodeB.
    pub cells: Vec<CellStats>,
    /// Subframes in which anything was done.
    pub subframes: u64,
}
