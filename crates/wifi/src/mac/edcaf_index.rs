//! The numbering of channel access functions: station after station, each with one or, with EDCA, four, lowest first.

use crate::mac::edca::AccessCategory;
use std::ops::Range;

/// The numbers of a network's functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Number of low bits that give the access category.
    shift: u32,
    /// Mask of these bits.
    ranks: u32,
}

impl Layout {
    /// Creates the numbering of stations with this number of functions each, a power of two.
    pub(crate) const fn new(functions: usize) -> Self {
        Self { shift: functions.trailing_zeros(), ranks: functions as u32 - 1 }
    }

    /// Returns true if each station has a function for each access category.
    #[inline]
    pub(crate) const fn has_categories(self) -> bool {
        self.shift > 0
    }

    /// Returns the number of functions of each station.
    #[inline]
    pub(crate) const fn functions(self) -> usize {
        self.ranks as usize + 1
    }

    /// Returns a station's function of this rank.
    #[inline]
    pub(crate) fn function(self, at: u32, rank: u8) -> u32 {
        (at << self.shift) + u32::from(rank)
    }

    /// Returns a station's function for an access category.
    pub(crate) const fn function_of(self, at: u32, category: AccessCategory) -> u32 {
        if self.shift == 0 { at } else { (at << self.shift) + category as u32 }
    }

    /// Returns the station of a function.
    #[inline]
    pub(crate) const fn station_of(self, f: u32) -> u32 {
        f >> self.shift
    }

    /// Returns the rank of a function at its station, lowest first.
    #[inline]
    pub(crate) const fn rank(self, f: u32) -> usize {
        (f & self.ranks) as usize
    }

    /// Returns the functions of a station, lowest first.
    #[inline]
    pub(crate) const fn functions_of(self, at: u32) -> Range<u32> {
        at << self.shift..(at + 1) << self.shift
    }
}
