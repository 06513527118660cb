//! Channel bandwidths and their resource blocks.

use settings::Choice;

/// Channel bandwidth of LTE (TS 36.101, table 5.6-1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Choice)]
pub enum Bandwidth {
    /// 6 resource blocks
    #[setting(name = "1.4MHz")]
    Mhz1_4,
    /// 15 resource blocks
    #[setting(name = "3MHz")]
    Mhz3,
    /// 25 resource blocks
    #[setting(name = "5MHz")]
    Mhz5,
    /// 50 resource blocks
    #[setting(name = "10MHz")]
    Mhz10,
    /// 75 resource blocks
    #[setting(name = "15MHz")]
    Mhz15,
    /// 100 resource blocks
    #[setting(name = "20MHz")]
    Mhz20,
}

/// Unit in which the downlink allocates resource blocks (TS 36.213, section 7.1.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Choice)]
pub enum Granularity {
    /// single resource blocks
    Blocks,
    /// resource block groups; the last group may be smaller
    #[default]
    Groups,
    /// resource block groups of full size only; the blocks of a smaller last group stay unused (ns-3)
    WholeGroups,
}

/// Blocks that a scheduler gives a UE that has data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Choice)]
pub enum Allocation {
    /// no more than the UE's data fill
    #[default]
    Needed,
    /// the UE's full share, as though its buffer were full; blocks that its data do not fill are wasted (ns-3)
    Full,
}

/// Width of a resource block, Hz: 12 subcarriers of 15 kHz (TS 36.211, section 6.2.3).
pub const BLOCK_HZ: f64 = 180e3;

impl Bandwidth {
    /// All bandwidths, from narrow to wide.
    pub const ALL: &[Self] = Self::VALUES;

    /// Returns the name, such as `5MHz`.
    pub fn name(self) -> &'static str {
        self.word()
    }

    /// Returns the number of resource blocks (TS 36.101, table 5.6-1).
    pub const fn blocks(self) -> u32 {
        match self {
            Self::Mhz1_4 => 6,
            Self::Mhz3 => 15,
            Self::Mhz5 => 25,
            Self::Mhz10 => 50,
            Self::Mhz15 => 75,
            Self::Mhz20 => 100,
        }
    }

    /// Returns the size of a resource block group, blocks (TS 36.213, table 7.1.6.1-1).
    pub const fn group(self) -> u32 {
        match self.blocks() {
            ..=10 => 1,
            11..=26 => 2,
            27..=63 => 3,
            _ => 4,
        }
    }

    /// Returns the number of resource blocks that the downlink can allocate with this granularity.
    pub const fn usable(self, granularity: Granularity) -> u32 {
        match granularity {
            Granularity::WholeGroups => self.blocks() / self.group() * self.group(),
            _ => self.blocks(),
        }
    }

    /// Returns the size of a unit of allocation, resource blocks.
    pub const fn unit(self, granularity: Granularity) -> u32 {
        match granularity {
            Granularity::Blocks => 1,
            _ => self.group(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_groups_are_what_ns3_uses() {
        let usable: Vec<u32> = Bandwidth::ALL.iter().map(|b| b.usable(Granularity::WholeGroups)).collect();
        assert_eq!(usable, [6, 14, 24, 48, 72, 100]);
        assert_eq!(Bandwidth::Mhz5.usable(Granularity::Groups), 25);
        assert_eq!(Bandwidth::Mhz5.unit(Granularity::Groups), 2);
        assert_eq!(Bandwidth::Mhz10.unit(Granularity::Blocks), 1);
    }
}
