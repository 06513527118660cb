//! The UEs that ask for blocks, and allocation by a metric.

/// A UE with data for this subframe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) ue: u32,
    pub(crate) mcs: u8,
    /// Units that would empty its buffer.
    pub(crate) need: u32,
    /// Bits per subframe that the whole band would carry for it.
    pub(crate) rate: f64,
    /// Its average bits per subframe.
    pub(crate) average: f64,
    /// Units allocated to it.
    pub(crate) given: u32,
}

/// Serves candidates from the highest `metric` down, each as much as it needs; returns the first.
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
