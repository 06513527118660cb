//! Counters of a network.

/// Counters of the transport blocks of one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Air {
    /// Transport blocks sent for the first time.
    pub blocks: u64,
    /// Their bytes.
    pub bytes: u64,
    /// HARQ retransmissions.
    pub retransmissions: u64,
    /// Transport blocks given up after their last transmission.
    pub gave_up: u64,
    /// Resource blocks used, retransmissions included.
    pub resource_blocks: u64,
}

impl Air {
    /// Counts a transmission of a block of `bytes` in `resource_blocks`.
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
    /// Packets that entered for or from it.
    pub entered: u64,
    /// Packets that came out at the other end.
    pub delivered: u64,
    /// Packets lost because the S1 link's queue was full.
    pub lost_backhaul: u64,
    /// Packets lost because the buffer of radio link control was full.
    pub lost_buffer: u64,
    /// Packets lost because HARQ gave up, or radio link control in acknowledged mode.
    pub lost_harq: u64,
    /// Packets left behind at a handover.
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
    /// Bytes in its downlink buffer, at most.
    pub longest_buffer: u64,
    /// The cell that serves it at the end, from 0.
    pub cell: usize,
    /// The last CQI used for it.
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

/// Counters of a network.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stats {
    /// Counters by UE, in order of station.
    pub ues: Vec<UeStats>,
    /// Counters by eNodeB.
    pub cells: Vec<CellStats>,
    /// Subframes in which anything was done.
    pub subframes: u64,
}
