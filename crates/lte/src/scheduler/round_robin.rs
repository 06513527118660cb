//! Round robin: units go to UEs in turn, one by one; the next subframe begins with the UE after the last that was
//! served.

use super::candidate::Candidate;

/// Allocates `units` units. `turn` is the number after the UE that got the last unit in an earlier call; this call sets
/// it anew if units are left over after equal shares.
pub(super) fn allot(candidates: &mut [Candidate], mut units: u32, turn: &mut u32) {
    let n = candidates.len();
    let Some(first) = (n > 0).then(|| candidates.iter().position(|c| c.ue >= *turn).unwrap_or(0)) else {
        return;
    };
    // First, every UE gets an equal share in one step, as long as there is a unit for each; the remaining units are
    // given one by one.
    loop {
        let open = candidates.iter().filter(|c| c.given < c.need).count() as u32;
        if open == 0 {
            return;
        }
        let share = units / open;
        if share == 0 {
            break;
        }
        for candidate in candidates.iter_mut() {
            let more = share.min(candidate.need - candidate.given);
            candidate.given += more;
            units -= more;
        }
    }
    for i in (first..n).chain(0..first) {
        if units == 0 {
            return;
        }
        let candidate = &mut candidates[i];
        if candidate.given < candidate.need {
            candidate.given += 1;
            units -= 1;
            *turn = candidate.ue + 1;
        }
    }
}
