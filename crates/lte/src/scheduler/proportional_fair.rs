//! Proportional fair: the highest ratio of the rate that a UE would have now to what it had on average (Jalali, Padovani,
//! Pankaj: Data throughput of CDMA-HDR, VTC 2000). UEs that always have data and channels that do not change get equal time.

use super::candidate::{Candidate, by_metric};

pub(super) fn allot(candidates: &mut [Candidate], units: u32) {
    // A UE that was never served comes first.
    by_metric(candidates, units, |c| c.rate / c.average.max(1e-9));
}
