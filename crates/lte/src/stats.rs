//! Counters of an LTE network.

/// Counters of the transport blocks of one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Air {
    /// Transport blocks sent for the first time.
    pub blocks: u64,
    /// Bytes of the transport blocks sent for the first time.
    pub bytes: u64,
    /// HARQ retransmissions.
    pub retransmissions: u64,
    /// Transport blocks given up: the last allowed transmission failed, or the UE missed an assignment.
    pub gave_up: u64,
    /// Resource blocks used, including retransmissions.
    pub resource_blocks: u64,
}

impl Air {
    /// Counts a transmission of a block of `bytes` bytes in `resource_blocks`; `first` is false for a retransmission.
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

/// Packets to or from one UE, by fate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Packets {
    /// Packets that entered the network.
    pub entered: u64,
    /// Packets that left the network at the other end.
    pub delivered: u64,
    /// Packets lost because the queue of an S1 or X2 link was full.
    pub lost_backhaul: u64,
    /// Packets lost because the RLC buffer was full.
    pub lost_buffer: u64,
    /// Packets lost because HARQ (in unacknowledged mode) or RLC (in acknowledged mode) gave up.
    pub lost_harq: u64,
    /// Packets lost at a handover.
    pub lost_handover: u64,
}

/// Counters of one UE.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct UeStats {
    /// Packets to the UE.
    pub downlink: Packets,
    /// Packets from the UE.
    pub uplink: Packets,
    /// Transport blocks to the UE.
    pub downlink_air: Air,
    /// Transport blocks from the UE.
    pub uplink_air: Air,
    /// Handovers of the UE.
    pub handovers: u64,
    /// Scheduling requests sent, or, with `grants = "shares"`, buffer status reports sent outside of transport
    /// blocks.
    pub requests: u64,
    /// Maximum number of bytes in the UE's downlink buffer.
    pub longest_buffer: u64,
    /// Serving cell at the end of the run, from 0.
    pub cell: usize,
    /// Last CQI that the scheduler used for the UE.
    pub cqi: u8,
}

/// Counters of one cell.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CellStats {
    /// Subframes in which the cell sent data.
    pub busy: u64,
    /// Downlink resource blocks used.
    pub downlink_blocks: u64,
    /// Uplink resource blocks used.
    pub uplink_blocks: u64,
}

/// Counters of a network.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stats {
    /// Counters of the UEs, in order of their stations.
    pub ues: Vec<UeStats>,
    /// Counters of the cells, in order of the eNodeBs.
    pub cells: Vec<CellStats>,
    /// Subframes that were simulated; those in which nothing happened are skipped.
    pub subframes: u64,
}
