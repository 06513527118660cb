//! Kinds of loss recovery.

/// A loss recovery, as a scenario chooses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recovery {
    /// Fast retransmit, then slow start from the lost segment (Jacobson 1988).
    Tahoe,
    /// Fast retransmit and fast recovery (RFC 5681 section 3.2).
    Reno,
    /// Fast recovery that continues through several losses in a window (RFC 6582).
    NewReno,
    /// Selective acknowledgments (RFC 6675).
    Sack,
    /// Forward acknowledgment (Mathis and Mahdavi 1996).
    Fack,
    /// Recent acknowledgment and tail loss probes (RFC 8985).
    Rack,
}

impl Recovery {
    /// Every recovery with name, description in one line, and source.
    pub const ALL: &'static [(Self, &'static str, &'static str, &'static str)] = &[
        (Self::Tahoe, "tahoe", "fast retransmit, then slow start from the lost segment", "Jacobson 1988"),
        (Self::Reno, "reno", "fast retransmit and fast recovery", "RFC 5681 section 3.2"),
        (Self::NewReno, "newreno", "fast recovery that survives several losses in a window", "RFC 6582"),
        (Self::Sack, "sack", "retransmits what selective acknowledgments show missing", "RFC 6675"),
        (
            Self::Fack,
            "fack",
            "counts data in flight from the highest segment that SACK reports",
            "Mathis and Mahdavi 1996",
        ),
        (
            Self::Rack,
            "rack",
            "judges losses by the time of sending, and probes for those of the tail",
            "RFC 8985",
        ),
    ];

    /// Returns the recovery called `name`.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|r| r.1 == name).map(|r| r.0)
    }

    /// Returns the name used in scenario files ([`Self::by_name`] is the inverse).
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Returns true if the recovery uses selective acknowledgments.
    pub fn needs_sack(self) -> bool {
        matches!(self, Self::Sack | Self::Fack | Self::Rack)
    }
}
