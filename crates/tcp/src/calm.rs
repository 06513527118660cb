//! Calm path: the short way of segments and acknowledgments while nothing special is on.
//!
//! Most of the time no segment is lost, no timeout has expired, and no option of a connection needs work of its own. The
//! functions on the way of every segment and acknowledgment have a constant parameter `CALM`. They ask [`special`] about
//! each thing that is off in calm. With `CALM` the answer is no without a look, so that the compiler leaves the test and
//! what follows it out. The calm path is thereby the general one without its tests: each rule is stated once.
//!
//! A sender or receiver is calm if `is_calm` says so. That function takes the state of an end and its settings apart
//! without a rest pattern, so that a new field does not compile until somebody has decided whether it is special. Calls
//! that can make an end special end its calm; the general path looks for calm after its work. Builds with debug
//! assertions look at every condition that the calm path leaves out.
//!
//! On the general path all the time: recovery `fack`, SACK with a counted pipe, controls that use
//! delivery rates, a timer, a fine-grained timeout or gradual reductions (`Needs`), the parameters `send_overhead` and
//! `reduction = "pipe"`, writes of an application, and observed senders. On the general path for a time: handshake and
//! closing, HyStart, losses and their repair, marks and their echoes, a cut that may be undone, duplicates, and segments
//! out of order.

/// Returns `condition`; on the calm path returns false, which `condition` must be there.
#[inline(always)]
pub(crate) fn special<const CALM: bool>(condition: bool) -> bool {
    debug_assert!(!(CALM && condition), "something special on the calm path");
    !CALM && condition
}
