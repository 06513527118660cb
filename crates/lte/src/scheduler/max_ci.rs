//! Maximum C/I: the best channel gets everything; equals take turns.

use super::candidate::{Candidate, by_metric};

/// Allocates `units`; `turn` is the UE after the last served first.
pub(super) fn allot(candidates: &mut [Candidate], units: u32, turn: &mut u32) {
    let from = *turn;
    // Turns decide among equal rates only: the rotated order, from 1 down to 0, stays below any difference of rates.
    let order = |ue: u32| f64::from(ue.wrapping_sub(from)) / f64::from(u32::MAX);
    if let Some(first) = by_metric(candidates, units, |c| c.rate - order(c.ue) / 2.0) {
        *turn = first + 1;
    }
}
