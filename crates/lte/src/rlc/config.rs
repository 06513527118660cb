//! Parameters of radio link control.

/// Which mode, and its parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Mode {
    /// Unacknowledged: what HARQ gives up is lost.
    Um(UmConfig),
    /// Acknowledged: what HARQ gives up is sent again.
    Am(AmConfig),
}

impl Default for Mode {
    fn default() -> Self {
        Self::Um(UmConfig::default())
    }
}

/// Parameters of a bearer's radio link control.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// The mode.
    pub mode: Mode,
    /// Room for packets that wait for their first transmission, bytes.
    pub buffer: u64,
    /// PDCP header, bytes: 2 with 12 bits of sequence number (TS 36.323, section 6.2.3), 1 with 7.
    pub pdcp_header: u32,
}

impl Default for Config {
    /// Unacknowledged mode with room for 1 MB.
    fn default() -> Self {
        Self { mode: Mode::default(), buffer: 1_000_000, pdcp_header: 2 }
    }
}

/// Bits of a sequence number in unacknowledged mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SequenceNumber {
    /// 5 bits: headers of 1 byte.
    Short,
    /// 10 bits: headers of 2 bytes.
    #[default]
    Long,
}

/// Parameters of unacknowledged mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UmConfig {
    /// How long the sequence number is.
    pub sequence_number: SequenceNumber,
    /// t-Reordering, ms: how long to wait for a PDU that is missing (TS 36.331, section 6.3.2: 0 to 200 ms).
    pub reordering: u32,
}

impl Default for UmConfig {
    /// 10 bits; 35 ms, the time of three HARQ retransmissions and some.
    fn default() -> Self {
        Self { sequence_number: SequenceNumber::Long, reordering: 35 }
    }
}

/// Parameters of acknowledged mode (ranges: TS 36.331, section 6.3.2, RLC-Config).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AmConfig {
    /// t-PollRetransmit, ms: a poll without answer is repeated after this.
    pub poll_retransmit: u32,
    /// pollPDU: a poll with every so-many-th PDU.
    pub poll_pdus: u32,
    /// pollByte: a poll after so many bytes.
    pub poll_bytes: u32,
    /// maxRetxThreshold: how often a PDU is sent again before the link counts as failed.
    pub retransmissions: u32,
    /// t-Reordering, ms: how long HARQ may take to bring a PDU that is missing.
    pub reordering: u32,
    /// t-StatusProhibit, ms: the least time between two status reports; 0: none.
    pub status_prohibit: u32,
}

impl Default for AmConfig {
    /// 45 ms, 16 PDUs, 25 kB, 8 retransmissions, 35 ms, 10 ms.
    fn default() -> Self {
        Self {
            poll_retransmit: 45,
            poll_pdus: 16,
            poll_bytes: 25_000,
            retransmissions: 8,
            reordering: 35,
            status_prohibit: 10,
        }
    }
}
