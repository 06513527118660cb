//! Transport block sizes: bits that a transport block carries, by I_TBS and number of resource blocks.
//!
//! The table of TS 36.213 section 7.1.7.2.1 for one spatial layer, used in both directions (section 8.6.2). One entry
//! is irregular: I_TBS 6 with one resource block has 328 bits, more than with two, to suit voice frames. [`usable`]
//! replaces it by the entry of I_TBS 5.
//!
//! Tests check some entries against values published elsewhere. They also check that sizes grow with the number of
//! blocks and with the index, and that every size fills its code blocks exactly, a design rule of the table.

mod table;

/// Number of resource blocks of the last column.
pub const MAX_BLOCKS: u32 = 110;

/// Returns the bits of a transport block with index `i_tbs` (at most 26) on `blocks` resource blocks (1 to 110).
#[inline]
pub fn bits(i_tbs: u8, blocks: u32) -> u32 {
    table::SIZES[usize::from(i_tbs)][blocks as usize - 1]
}

/// Returns [`bits`], but for the irregular entry the bits of the next lower index.
#[inline]
pub fn usable(i_tbs: u8, blocks: u32) -> u32 {
    if i_tbs == 6 && blocks == 1 { bits(5, 1) } else { bits(i_tbs, blocks) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Transport block sizes in bits that the literature quotes, and the sizes behind ns-3's peak rates.
    #[test]
    fn known_entries() {
        for (i_tbs, blocks, size) in [
            (0, 1, 16),
            (0, 110, 3112),
            (6, 1, 328),
            (9, 6, 936),
            (15, 50, 15264),
            (26, 1, 712),
            (26, 6, 4392),
            (26, 14, 10296),
            (26, 24, 17568),
            (26, 25, 18336),
            (26, 48, 35160),
            (26, 50, 36696),
            (26, 72, 52752),
            (26, 75, 55056),
            (26, 100, 75376),
            (26, 110, 75376),
        ] {
            assert_eq!(bits(i_tbs, blocks), size, "I_TBS {i_tbs}, {blocks} blocks");
        }
    }

    /// Every transport block size fills its code blocks, so no filler bits are needed (TS 36.212, sections 5.1.2 and 5.1.3.2.3).
    ///
    /// A block has 24 bits of CRC; above 6144 bits it is cut into code blocks that have 24 more bits each. Every code block's
    /// size is then a size of the turbo code's interleaver.
    #[test]
    fn every_size_fills_its_code_blocks() {
        let interleaver = |k: u32| {
            let step = match k {
                40..=512 => 8,
                513..=1024 => 16,
                1025..=2048 => 32,
                2049..=6144 => 64,
                _ => return false,
            };
            k.is_multiple_of(step)
        };
        for &size in table::SIZES.iter().flatten() {
            let bits = size + 24;
            let blocks = if bits <= 6144 { 1 } else { bits.div_ceil(6144 - 24) };
            let all = if blocks == 1 { bits } else { bits + 24 * blocks };
            assert!(all.is_multiple_of(blocks) && interleaver(all / blocks), "{size}");
        }
    }

    /// The table has 178 different sizes, all whole bytes, which grow with the number of resource blocks and with the TBS index.
    #[test]
    fn shape() {
        let mut sizes: Vec<u32> = table::SIZES.iter().flatten().copied().collect();
        assert!(sizes.iter().all(|size| size.is_multiple_of(8)));
        sizes.sort_unstable();
        sizes.dedup();
        assert_eq!(sizes.len(), 178);
        for i_tbs in 0..27 {
            for blocks in 2..=MAX_BLOCKS {
                assert!(usable(i_tbs, blocks) >= usable(i_tbs, blocks - 1));
            }
        }
        for blocks in 1..=MAX_BLOCKS {
            for i_tbs in 1..27 {
                assert!(usable(i_tbs, blocks) >= usable(i_tbs - 1, blocks));
            }
        }
    }
}
