//! Maximum of a value over a window of round trips (Kathleen Nichols' filter).

/// Maximum over a window of round trips: up to three candidates (round, value), in descending order of
/// values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct WindowedMax {
    best: [(u64, f64); 3],
}

impl WindowedMax {
    pub(super) const NONE: Self = Self { best: [(0, 0.0); 3] };

    /// Returns the maximum; 0 before any value.
    pub(super) fn get(&self) -> f64 {
        self.best[0].1
    }

    /// Adds the value of round trip `now`, for a maximum over `window` round trips. The three candidates kept
    /// are the maximum of the window, that of a later part of the window, and that of the latest part.
    pub(super) fn enter(&mut self, window: u64, now: u64, value: f64) {
        let fresh = (now, value);
        let best = &mut self.best;
        if value >= best[0].1 || now - best[2].0 > window {
            *best = [fresh; 3];
            return;
        }
        if value >= best[1].1 {
            (best[1], best[2]) = (fresh, fresh);
        } else if value >= best[2].1 {
            best[2] = fresh;
        }
        let age = now - best[0].0;
        if age > window {
            *best = [best[1], best[2], fresh];
            if now - best[0].0 > window {
                *best = [best[1], best[2], fresh];
            }
        } else if best[1].0 == best[0].0 && age > window / 4 {
            (best[1], best[2]) = (fresh, fresh);
        } else if best[2].0 == best[1].0 && age > window / 2 {
            best[2] = fresh;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: u64 = 10;

    #[test]
    fn it_is_the_maximum_of_ten_rounds() {
        let mut filter = WindowedMax::NONE;
        let mut entered: Vec<f64> = Vec::new();
        for round in 0..100u64 {
            // The rate falls for 60 rounds, then rises.
            let rate = if round < 60 { 100.0 - round as f64 } else { round as f64 };
            entered.push(rate);
            filter.enter(WINDOW, round, rate);
            let from = entered.len().saturating_sub(WINDOW as usize + 1);
            let exact = entered[from..].iter().copied().fold(0.0, f64::max);
            // The filter keeps three candidates only: its maximum can be below the exact one, but not below
            // the newest value.
            assert!(filter.get() <= exact && filter.get() >= rate, "{round}: {}", filter.get());
        }
        assert_eq!(filter.get(), 99.0);
    }

    /// Checks the candidates of Linux's minmax filter with a window of ten rounds. A second candidate equal
    /// to the first is replaced after more than a quarter of the window (2 rounds), a third equal to the
    /// second after more than half (5 rounds). Once the first is older than ten rounds, the other two move
    /// up.
    #[test]
    fn younger_candidates_take_the_place_of_the_oldest() {
        let mut filter = WindowedMax::NONE;
        let steps = [
            (0, 100.0, [(0, 100.0), (0, 100.0), (0, 100.0)]),
            (2, 80.0, [(0, 100.0), (0, 100.0), (0, 100.0)]),
            (3, 80.0, [(0, 100.0), (3, 80.0), (3, 80.0)]),
            (4, 85.0, [(0, 100.0), (4, 85.0), (4, 85.0)]),
            (5, 70.0, [(0, 100.0), (4, 85.0), (4, 85.0)]),
            (6, 75.0, [(0, 100.0), (4, 85.0), (6, 75.0)]),
            (7, 78.0, [(0, 100.0), (4, 85.0), (7, 78.0)]),
            (8, 78.0, [(0, 100.0), (4, 85.0), (8, 78.0)]),
            (10, 60.0, [(0, 100.0), (4, 85.0), (8, 78.0)]),
            (11, 60.0, [(4, 85.0), (8, 78.0), (11, 60.0)]),
            (12, 78.0, [(4, 85.0), (12, 78.0), (12, 78.0)]),
            (16, 50.0, [(12, 78.0), (12, 78.0), (16, 50.0)]),
            // The first two candidates are too old.
            (25, 40.0, [(16, 50.0), (25, 40.0), (25, 40.0)]),
            // All three are too old.
            (36, 30.0, [(36, 30.0), (36, 30.0), (36, 30.0)]),
            (37, 30.0, [(37, 30.0), (37, 30.0), (37, 30.0)]),
        ];
        for (round, rate, rates) in steps {
            filter.enter(WINDOW, round, rate);
            assert_eq!(filter.best, rates, "round {round}");
        }
    }
}
