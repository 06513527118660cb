//! Loss recovery: one file per algorithm. Each decides what an acknowledgment means and which segment goes next; the
//! sender's core keeps the books.

pub(crate) mod descent;
mod fack;
mod kind;
mod newreno;
mod rack;
mod reno;
mod resent;
mod sack;
mod tahoe;

pub use kind::Recovery;

use crate::config::WindowReduction;
use crate::congestion::CongestionControl;
use crate::core::Core;
use base::{AckHeader, Instant};
use descent::Progress;

/// The state of whichever recovery a connection runs.
#[derive(Clone, Debug)]
pub(crate) enum State {
    Tahoe,
    Reno,
    NewReno(newreno::State),
    Sack(sack::State),
    Fack(fack::State),
    Rack(Box<rack::State>),
}

impl State {
    pub(crate) fn new(recovery: Recovery) -> Self {
        match recovery {
            Recovery::Tahoe => Self::Tahoe,
            Recovery::Reno => Self::Reno,
            Recovery::NewReno => Self::NewReno(newreno::State::default()),
            Recovery::Sack => Self::Sack(sack::State::default()),
            Recovery::Fack => Self::Fack(fack::State::default()),
            Recovery::Rack => Self::Rack(Box::default()),
        }
    }

    /// An acknowledgment, of new data or duplicate.
    #[inline]
    pub(crate) fn on_ack(&mut self, core: &mut Core, now: Instant, ack: &AckHeader) {
        if core.config.decrease.window_reduction == WindowReduction::AtOnce {
            self.judge(core, now, ack);
        } else {
            self.judge_descending(core, now, ack);
        }
    }

    /// As [`State::judge`], and takes the window further down in fast recovery.
    fn judge_descending(&mut self, core: &mut Core, now: Instant, ack: &AckHeader) {
        let (before, una, goes_on) = (self.arrived(core), core.una, self.active(core));
        self.judge(core, now, ack);
        if !self.active(core) {
            return;
        }
        let Some(descent) = &mut core.descent else {
            return;
        };
        descent.begin(core.next.saturating_sub(before));
        let mut descent = *descent;
        let pending = u64::from(core.resend.is_some());
        // SACK's estimate has what is about to be sent again in the network already.
        let (booked, shown) = match self {
            Self::Sack(state) => (pending, state.found_more()),
            Self::Rack(state) => (0, state.found_more()),
            Self::Tahoe | Self::Reno | Self::NewReno(_) | Self::Fack(_) => (0, false),
        };
        // Without SACK, what else is lost is not known.
        let further = shown || !matches!(self, Self::Sack(_) | Self::Rack(_));
        let progress = Progress {
            delivered: self.arrived(core).saturating_sub(before),
            // The counted estimate may stand at nothing already.
            in_flight: self.in_flight(core).saturating_sub(booked),
            safe: core.una > una && !further,
            lost: goes_on && shown,
        };
        let window = descent.on_ack(core.control_window(), progress) - (pending - booked) as f64;
        core.control.window_mut().cwnd = window.max(1.0);
        core.descent = Some(descent);
    }

    /// Segments that have arrived, counted from the first of the connection: each duplicate acknowledgment stands for one
    /// where there is no SACK.
    fn arrived(&self, core: &Core) -> u64 {
        match self {
            Self::Sack(state) => core.una + state.sacked(),
            Self::Rack(state) => core.una + state.sacked(),
            Self::Reno | Self::NewReno(_) if core.inflation > 0 => core.una + core.inflation,
            Self::Tahoe | Self::Reno | Self::NewReno(_) | Self::Fack(_) => {
                core.una + u64::from(core.dup_acks)
            }
        }
    }

    #[inline]
    fn judge(&mut self, core: &mut Core, now: Instant, ack: &AckHeader) {
        match self {
            Self::Tahoe => tahoe::on_ack(core, now, ack),
            Self::Reno => reno::on_ack(core, now, ack),
            Self::NewReno(state) => state.on_ack(core, now, ack),
            Self::Sack(state) => state.on_ack(core, now, ack),
            Self::Fack(state) => state.on_ack(core, now, ack),
            Self::Rack(state) => state.on_ack(core, now, ack),
        }
    }

    /// The retransmission timer expired; the window is cut already.
    pub(crate) fn on_timeout(&mut self, core: &mut Core, now: Instant) {
        match self {
            Self::Tahoe | Self::Reno | Self::NewReno(_) => {}
            Self::Sack(state) => state.on_timeout(core),
            Self::Fack(state) => state.on_timeout(core),
            Self::Rack(state) => state.on_timeout(core, now),
        }
    }

    /// The alarm that recovery has set ([`Core::alarm`]) goes off.
    #[cold]
    pub(crate) fn on_alarm(&mut self, core: &mut Core, now: Instant) {
        let Self::Rack(state) = self else { return };
        let active = state.active();
        state.on_alarm(core, now);
        let (sacked, in_flight) = (state.sacked(), state.in_flight(core));
        if !active && let Some(descent) = &mut core.descent {
            descent.begin(core.next - core.una - sacked);
            let window = descent.on_timer(core.control.window().cwnd, in_flight);
            core.control.window_mut().cwnd = window;
        }
    }

    /// Segment `seq` has been sent, `again` or not.
    #[inline]
    pub(crate) fn on_sent(&mut self, core: &mut Core, now: Instant, seq: u64, again: bool) {
        if let Self::Rack(state) = self {
            state.on_sent(core, now, seq, again);
        }
    }

    /// An acknowledgment comes while nothing is outstanding.
    pub(crate) fn on_idle_ack(&mut self, ack: &AckHeader) {
        if let Self::Rack(state) = self {
            state.on_idle_ack(ack);
        }
    }

    /// The next segment that the window lets go, or none.
    #[inline]
    pub(crate) fn next(&mut self, core: &mut Core) -> Option<u64> {
        match self {
            Self::Tahoe | Self::Reno | Self::NewReno(_) => core.window_open().then_some(core.next),
            Self::Sack(state) => state.next(core),
            Self::Fack(state) => state.next(core),
            Self::Rack(state) => state.next(core),
        }
    }

    /// Whether the window lets a segment go that there is.
    pub(crate) fn may_send(&self, core: &Core) -> bool {
        let window = match self {
            Self::Tahoe | Self::Reno | Self::NewReno(_) => return core.window_open(),
            Self::Fack(state) if state.active() => core.control_window(),
            _ => core.window(),
        };
        let there = core.next < core.stream.available || self.active(core) || core.next < core.max;
        there && self.in_flight(core) < window as u64
    }

    /// Segments sent and not known to have left the network.
    pub(crate) fn in_flight(&self, core: &Core) -> u64 {
        match self {
            Self::Tahoe | Self::Reno | Self::NewReno(_) => {
                (core.next - core.una).saturating_sub(core.inflation)
            }
            Self::Sack(state) => state.in_flight(core),
            Self::Fack(state) => state.in_flight(core),
            Self::Rack(state) => state.in_flight(core),
        }
    }

    /// Whether fast recovery is going on.
    pub(crate) fn active(&self, core: &Core) -> bool {
        match self {
            Self::Tahoe => false,
            Self::Reno | Self::NewReno(_) => core.inflation > 0,
            Self::Sack(state) => state.active(),
            Self::Fack(state) => state.active(),
            Self::Rack(state) => state.active(),
        }
    }
}
