//! Numbering of EDCAFs: station by station, each with one EDCAF or, with EDCA, four, lowest category first.

use crate::mac::edca::AccessCategory;
use std::ops::Range;

/// Mapping between the numbers of EDCAFs and their stations and categories.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdcafIndex {
    /// Number of low bits that hold the access category.
    shift: u32,
    /// Mask of these bits.
    ranks: u32,
}

impl EdcafIndex {
    /// Creates the numbering for stations with `edcafs` EDCAFs each, a power of two.
    pub(crate) const fn new(edcafs: usize) -> Self {
        Self { shift: edcafs.trailing_zeros(), ranks: edcafs as u32 - 1 }
    }

    /// Returns true if each station has an EDCAF for each access category.
    #[inline]
    pub(crate) const fn has_categories(self) -> bool {
        self.shift > 0
    }

    #[inline]
    pub(crate) const fn edcafs(self) -> usize {
        self.ranks as usize + 1
    }

    /// Returns the number of a station's EDCAF, given its index `rank` at the station (0: lowest access category).
    #[inline]
    pub(crate) fn edcaf(self, at: u32, rank: u8) -> u32 {
        (at << self.shift) + u32::from(rank)
    }

    /// Returns a station's EDCAF for an access category.
    pub(crate) const fn edcaf_of(self, at: u32, category: AccessCategory) -> u32 {
        if self.shift == 0 { at } else { (at << self.shift) + category as u32 }
    }

    #[inline]
    pub(crate) const fn station_of(self, f: u32) -> u32 {
        f >> self.shift
    }

    /// Returns the index of an EDCAF at its station: 0 for the lowest access category.
    #[inline]
    pub(crate) const fn rank(self, f: u32) -> usize {
        (f & self.ranks) as usize
    }

    /// Returns the EDCAFs of a station, lowest category first.
    #[inline]
    pub(crate) const fn edcafs_of(self, at: u32) -> Range<u32> {
        at << self.shift..(at + 1) << self.shift
    }
}
