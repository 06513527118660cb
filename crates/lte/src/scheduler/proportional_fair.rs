//! Proportional fair: first the UE with the highest ratio of its rate in this subframe to its average throughput
//! (Jalali, Padovani, Pankaj: Data throughput of CDMA-HDR, VTC 2000). UEs with constant channels that always have
//! data get equal time.

use super::candidate::{Candidate, by_metric};

pub(super) fn allot(candidates: &mut [Candidate], units: u32) {
    // A UE that was never served has average 0 and so comes first.
    by_metric(candidates, units, |c| c.rate / c.average.max(1e-9));
}
