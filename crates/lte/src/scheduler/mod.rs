//! Schedulers: allocation of the downlink's resource blocks in a subframe.
//!
//! The channel of a UE is the same in all resource blocks of a subframe, so a scheduler only decides how many
//! blocks each UE gets. No UE gets more than its buffer can fill, unless the setting `allocation` is "full". HARQ
//! retransmissions come first and bypass the scheduler. Left out: frequency-selective scheduling, and the limit on
//! the number of UEs that the control channel can address in a subframe.

mod candidate;
mod max_ci;
mod proportional_fair;
mod round_robin;

pub(crate) use candidate::Candidate;

use settings::{Choice, Error, Field, Node, Schemas, Settings};

/// Name of a scheduler.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Name {
    /// all UEs in turn
    RoundRobin,
    /// first the UE with the highest ratio of its rate in this subframe to its average throughput
    ProportionalFair,
    /// first the UE with the highest rate in this subframe
    MaxCi,
}

/// Choice of the scheduler, the same in every cell.
#[derive(Clone, Copy, Debug, Settings)]
struct Named {
    /// Scheduler of the downlink.
    #[setting(default = Name::ProportionalFair)]
    scheduler: Name,
}

/// Settings of the proportional fair scheduler.
#[derive(Clone, Copy, Debug, Settings)]
struct Average {
    /// Subframes over which "proportional-fair" averages the throughput of a UE.
    #[setting(name = "scheduler_window", default = 100, range = 1..=1_000_000)]
    window: u32,
}

/// Downlink scheduler with its settings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scheduler {
    /// All UEs in turn.
    RoundRobin,
    /// First the UE with the highest ratio of its rate in this subframe to its average throughput.
    ProportionalFair {
        /// Time constant of the average, subframes.
        window: u32,
    },
    /// First the UE with the highest rate in this subframe.
    MaxCi,
}

impl Default for Scheduler {
    /// Returns proportional fair with an average over 100 subframes.
    fn default() -> Self {
        Self::ProportionalFair { window: Average::default().window }
    }
}

impl Settings for Scheduler {
    fn any_key(test: &mut dyn FnMut(&'static str) -> bool) -> bool {
        Named::any_key(test) || Average::any_key(test)
    }

    fn fields(schemas: &mut Schemas) -> Vec<Field> {
        [Named::fields(schemas), Average::fields(schemas)].concat()
    }

    fn read_fields(table: &Node, _: Option<&Self>) -> Result<Self, Error> {
        let name = Named::read_fields(table, None)?.scheduler;
        if name != Name::ProportionalFair && table.get("scheduler_window").is_some() {
            let message = "only the proportional fair scheduler takes an average";
            let allowed = "no `scheduler_window`, or scheduler = \"proportional-fair\"";
            return Err(Error::new("scheduler_window", message).allowed(allowed));
        }
        Ok(match name {
            Name::RoundRobin => Self::RoundRobin,
            Name::ProportionalFair => {
                Self::ProportionalFair { window: Average::read_fields(table, None)?.window }
            }
            Name::MaxCi => Self::MaxCi,
        })
    }

    fn write_fields(&self, table: &mut Node) {
        let scheduler = match self {
            Self::RoundRobin => Name::RoundRobin,
            Self::ProportionalFair { .. } => Name::ProportionalFair,
            Self::MaxCi => Name::MaxCi,
        };
        Named { scheduler }.write_fields(table);
        if let Self::ProportionalFair { window } = *self {
            Average { window }.write_fields(table);
        }
    }
}

impl Scheduler {
    /// Allocates `units` units among `candidates`. `turn` is the scheduler's state in the cell: the number at which
    /// the next round begins.
    pub(crate) fn allot(self, candidates: &mut [Candidate], units: u32, turn: &mut u32) {
        match self {
            Self::RoundRobin => round_robin::allot(candidates, units, turn),
            Self::ProportionalFair { .. } => proportional_fair::allot(candidates, units),
            Self::MaxCi => max_ci::allot(candidates, units, turn),
        }
    }

    /// Returns the time constant of average throughputs, subframes; `None` if the scheduler uses no averages.
    pub(crate) fn window(self) -> Option<f64> {
        match self {
            Self::ProportionalFair { window } => Some(window.into()),
            Self::RoundRobin | Self::MaxCi => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(ue: u32, need: u32, rate: f64, average: f64) -> Candidate {
        Candidate { ue, mcs: 0, need, rate, average, given: 0 }
    }

    fn given(scheduler: Scheduler, mut candidates: Vec<Candidate>, units: u32, turn: &mut u32) -> Vec<u32> {
        scheduler.allot(&mut candidates, units, turn);
        candidates.iter().map(|c| c.given).collect()
    }

    #[test]
    fn round_robin_goes_on_where_it_stopped() {
        let three = || (0..3).map(|ue| candidate(ue, 9, 1.0, 0.0)).collect::<Vec<_>>();
        let mut turn = 0;
        assert_eq!(given(Scheduler::RoundRobin, three(), 4, &mut turn), [2, 1, 1]);
        assert_eq!(given(Scheduler::RoundRobin, three(), 4, &mut turn), [1, 2, 1]);
        assert_eq!(given(Scheduler::RoundRobin, three(), 4, &mut turn), [1, 1, 2]);
        assert_eq!(given(Scheduler::RoundRobin, three(), 1, &mut turn), [1, 0, 0]);
        assert_eq!(given(Scheduler::RoundRobin, three(), 1, &mut turn), [0, 1, 0]);
    }

    #[test]
    fn nobody_gets_more_than_it_needs() {
        let mut turn = 0;
        for scheduler in [Scheduler::RoundRobin, Scheduler::default(), Scheduler::MaxCi] {
            let candidates =
                vec![candidate(0, 2, 5.0, 1.0), candidate(1, 1, 4.0, 1.0), candidate(2, 9, 3.0, 1.0)];
            assert_eq!(given(scheduler, candidates, 10, &mut turn), [2, 1, 7], "{scheduler:?}");
        }
    }

    #[test]
    fn the_best_metric_is_first() {
        let candidates =
            || vec![candidate(0, 9, 10.0, 9.0), candidate(1, 9, 5.0, 4.0), candidate(2, 9, 1.0, 2.0)];
        assert_eq!(given(Scheduler::MaxCi, candidates(), 5, &mut 0), [5, 0, 0]);
        assert_eq!(given(Scheduler::default(), candidates(), 5, &mut 0), [0, 5, 0]);
    }

    /// Among UEs of equal quality max C/I takes turns, since a fixed choice would starve all others for ever.
    #[test]
    fn max_ci_takes_turns_among_equals() {
        let mut turn = 0;
        let candidates =
            || vec![candidate(0, 9, 5.0, 1.0), candidate(1, 9, 5.0, 1.0), candidate(2, 9, 4.0, 1.0)];
        assert_eq!(given(Scheduler::MaxCi, candidates(), 5, &mut turn), [5, 0, 0]);
        assert_eq!(given(Scheduler::MaxCi, candidates(), 5, &mut turn), [0, 5, 0]);
        assert_eq!(given(Scheduler::MaxCi, candidates(), 5, &mut turn), [5, 0, 0]);
    }
}
