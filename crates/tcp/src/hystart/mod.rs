//! HyStart: ends the first slow start before a queue overflows, by one of two rules.

mod linux;
mod plus_plus;

use crate::config::HyStartForm;
use crate::congestion::{AckSample, CongestionControl, State};

/// State of a connection in its first slow start.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum HyStart {
    PlusPlus(plus_plus::PlusPlus),
    Linux(linux::Linux),
}

impl HyStart {
    /// Creates the state for `form`; `None` if HyStart is off. `paced` is true if segments are paced.
    pub(crate) fn new(form: HyStartForm, paced: bool) -> Option<Self> {
        match form {
            HyStartForm::None => None,
            HyStartForm::Rfc9406 => Some(Self::PlusPlus(plus_plus::PlusPlus::new(paced))),
            HyStartForm::Linux => Some(Self::Linux(linux::Linux::new(paced))),
        }
    }

    /// Increases the window of `control` for an acknowledgment in slow start, or ends slow start; returns
    /// true if slow start continues.
    pub(crate) fn on_ack(&mut self, control: &mut State, ack: &AckSample) -> bool {
        match self {
            Self::PlusPlus(hystart) => hystart.on_ack(control, ack),
            Self::Linux(hystart) => {
                let cwnd = control.window().cwnd;
                let ends = hystart.ends(cwnd, ack);
                if ends {
                    control.window_mut().ssthresh = cwnd.max(2.0);
                }
                control.on_ack(ack);
                !ends
            }
        }
    }
}
