//! Maximum C/I: the UE with the highest rate is served first; UEs with equal rates take turns.

use super::candidate::{Candidate, by_metric};

/// Allocates `units` units; `turn` is the number after the UE that was served first last time.
pub(super) fn allot(candidates: &mut [Candidate], units: u32, turn: &mut u32) {
    let from = *turn;
    // Rates are whole bits and half of `order` is at most 1/2, so turns decide only between equal rates.
    let order = |ue: u32| f64::from(ue.wrapping_sub(from)) / f64::from(u32::MAX);
    if let Some(first) = by_metric(candidates, units, |c| c.rate - order(c.ue) / 2.0) {
        *turn = first + 1;
    }
}
