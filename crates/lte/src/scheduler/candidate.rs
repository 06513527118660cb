//! UEs that compete for resource blocks, and allocation by a metric.

/// UE with data to send in this subframe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) ue: u32,
    pub(crate) mcs: u8,
    /// Units of allocation that would empty the UE's buffer; with `Allocation::Full` no fewer than are left.
    pub(crate) need: u32,
    /// Bits per subframe that the UE would get in the resource blocks that a CQI report covers.
    pub(crate) rate: f64,
    /// Average throughput of the UE, bits per subframe.
    pub(crate) average: f64,
    /// Units of allocation that the UE gets in this subframe.
    pub(crate) given: u32,
}

/// Serves the candidates in descending order of `metric`, each with as many units as it needs; returns the UE that
/// was served first.
pub(super) fn by_metric(
    candidates: &mut [Candidate],
    mut units: u32,
    metric: impl Fn(&Candidate) -> f64,
) -> Option<u32> {
    let mut first = None;
    while units > 0 {
        let mut best: Option<(usize, f64)> = None;
        for (i, candidate) in candidates.iter().enumerate().filter(|(_, c)| c.given == 0 && c.need > 0) {
            let m = metric(candidate);
            if best.is_none_or(|(_, b)| m > b) {
                best = Some((i, m));
            }
        }
        let Some((i, _)) = best else { break };
        first = first.or(Some(candidates[i].ue));
        let given = candidates[i].need.min(units);
        candidates[i].given = given;
        units -= given;
    }
    first
}
