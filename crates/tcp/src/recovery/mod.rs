//! Loss recovery, one file per algorithm. An algorithm interprets acknowledgments and chooses the next
//! segment to send. The shared state is in the transmission control block (`Tcb`).

mod fack;
mod kind;
mod newreno;
mod rack;
pub(crate) mod reduction;
mod reno;
mod resent;
mod sack;
mod tahoe;

pub use kind::Recovery;

use crate::config::{Ecn, SackPipe, WindowReduction};
use crate::congestion::CongestionControl;
use crate::tcb::{LastCut, Tcb};
use base::{AckHeader, Instant};
use reduction::Progress;

/// State of a connection's loss recovery.
#[derive(Clone, Debug)]
pub(crate) enum State {
    Tahoe,
    Reno,
    NewReno(newreno::State),
    Sack(Box<sack::State>),
    Fack(Box<fack::State>),
    Rack(Box<rack::State>),
}

impl State {
    pub(crate) fn new(recovery: Recovery) -> Self {
        match recovery {
            Recovery::Tahoe => Self::Tahoe,
            Recovery::Reno => Self::Reno,
            Recovery::NewReno => Self::NewReno(newreno::State::default()),
            Recovery::Sack => Self::Sack(Box::default()),
            Recovery::Fack => Self::Fack(Box::default()),
            Recovery::Rack => Self::Rack(Box::default()),
        }
    }

    /// Returns true if nothing is lost, and recovery has nothing to do but to follow SND.UNA.
    pub(crate) fn is_calm(&self, tcb: &Tcb) -> bool {
        match self {
            Self::Tahoe => true,
            Self::Reno => tcb.episode.last_cut() != LastCut::FastLoss,
            Self::NewReno(state) => state.is_calm(),
            Self::Sack(state) => {
                let counted = tcb.config.detection.sack_pipe == SackPipe::Counter;
                state.is_calm(tcb) && !state.detected_new_loss() && !counted
            }
            Self::Fack(_) => false,
            Self::Rack(state) => state.calm(),
        }
    }

    /// Handles an acknowledgment, which may be a duplicate; on the calm path one of new data.
    #[inline(always)]
    pub(crate) fn on_ack<const CALM: bool>(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        if CALM { self.follow(tcb, now, ack) } else { self.on_general_ack(tcb, now, ack) }
    }

    /// Handles an acknowledgment of new data on the calm path.
    #[inline(always)]
    fn follow(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        match self {
            Self::Sack(state) => state.on_calm_ack::<true>(tcb, now, ack),
            Self::Rack(state) => state.on_calm_ack::<true>(tcb, now, ack),
            Self::Tahoe | Self::Reno | Self::NewReno(_) => {
                tcb.release_burst();
                tcb.acknowledge::<true>(now, ack);
            }
            Self::Fack(state) => state.on_ack(tcb, now, ack),
        }
    }

    fn on_general_ack(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        if let Self::Rack(state) = self
            && state.takes_calmly(tcb, ack)
            && !(tcb.ecn.reduces() || tcb.needs.gradual || tcb.config.options.ecn != Ecn::Off)
        {
            // No recovery is in progress, and no mark can have reduced the window, so there is no reduction
            // to continue.
            state.on_calm_ack::<false>(tcb, now, ack);
        } else if tcb.config.decrease.window_reduction == WindowReduction::AtOnce {
            self.judge(tcb, now, ack);
        } else {
            self.judge_reducing(tcb, now, ack);
        }
    }

    /// Handles an acknowledgment as [`State::judge`] does, and continues the reduction of the window in fast
    /// recovery, and after a mark.
    fn judge_reducing(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        let (before, una, goes_on) = (self.arrived(tcb), tcb.snd.una(), self.active(tcb));
        self.judge(tcb, now, ack);
        let marks = tcb.config.options.ecn != Ecn::Off;
        if (marks || tcb.ecn.reduces()) && tcb.reduces_for_marks() {
            tcb.end_mark_reduction();
            if ack.ece && marks {
                tcb.echoed(now);
            }
        }
        if !self.active(tcb) && !tcb.ecn.reduces() {
            return;
        }
        let Some(mut reduction) = tcb.episode.reduction() else {
            return;
        };
        reduction.begin(tcb.snd.nxt().saturating_sub(before));
        let pending = u64::from(tcb.allowance.has_resend());
        // SACK's pipe already includes the retransmission that is about to be sent; RACK's count of segments
        // in flight does not.
        let (booked, shown) = match self {
            Self::Sack(state) => (pending, state.detected_new_loss()),
            Self::Rack(state) => (0, state.detected_new_loss()),
            Self::Tahoe | Self::Reno | Self::NewReno(_) | Self::Fack(_) => (0, false),
        };
        // Without SACK, the sender cannot know if further segments are lost, so no acknowledgment is safe.
        let further = shown || !matches!(self, Self::Sack(_) | Self::Rack(_));
        let progress = Progress {
            delivered: self.arrived(tcb).saturating_sub(before),
            // The counted pipe can be zero before the retransmission is subtracted.
            in_flight: self.in_flight(tcb).saturating_sub(booked),
            safe: tcb.snd.una() > una && !further,
            lost: goes_on && shown,
        };
        let window = reduction.on_ack(tcb.control_window(), progress) - (pending - booked) as f64;
        tcb.control.window_mut().cwnd = window.max(1.0);
        tcb.episode.set_reduction(Some(reduction));
    }

    /// Returns the number of segments that have arrived since the connection began. Without SACK, each
    /// duplicate acknowledgment counts as one.
    fn arrived(&self, tcb: &Tcb) -> u64 {
        match self {
            Self::Sack(state) => tcb.snd.una() + state.sacked(),
            Self::Rack(state) => tcb.snd.una() + state.sacked(),
            Self::Reno | Self::NewReno(_) if tcb.duplicates.inflation() > 0 => {
                tcb.snd.una() + tcb.duplicates.inflation()
            }
            Self::Tahoe | Self::Reno | Self::NewReno(_) | Self::Fack(_) => {
                tcb.snd.una() + u64::from(tcb.duplicates.acks())
            }
        }
    }

    #[inline]
    fn judge(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        match self {
            Self::Tahoe => tahoe::on_ack(tcb, now, ack),
            Self::Reno => reno::on_ack(tcb, now, ack),
            Self::NewReno(state) => state.on_ack(tcb, now, ack),
            Self::Sack(state) => state.on_ack(tcb, now, ack),
            Self::Fack(state) => state.on_ack(tcb, now, ack),
            Self::Rack(state) => state.on_ack(tcb, now, ack),
        }
    }

    /// Handles the expiry of the retransmission timer, after the window has been reduced.
    pub(crate) fn on_timeout(&mut self, tcb: &mut Tcb, now: Instant) {
        match self {
            Self::Tahoe | Self::Reno | Self::NewReno(_) => {}
            Self::Sack(state) => state.on_timeout(tcb, now),
            Self::Fack(state) => state.on_timeout(tcb),
            Self::Rack(state) => state.on_timeout(tcb, now),
        }
    }

    /// Returns true if this recovery reports a lost segment with `Tcb::lost` when it detects the loss. With
    /// other recoveries a segment counts as lost when it is retransmitted.
    pub(crate) fn shows_losses(&self, tcb: &Tcb) -> bool {
        match self {
            Self::Sack(_) => tcb.config.detection.sack_pipe == SackPipe::Scoreboard,
            Self::Rack(_) => true,
            Self::Tahoe | Self::Reno | Self::NewReno(_) | Self::Fack(_) => false,
        }
    }

    /// Ends recovery because no segment was lost: all outstanding segments count as in the network.
    #[cold]
    pub(crate) fn undo(&mut self, tcb: &mut Tcb) {
        tcb.snd.advance(tcb.snd.max());
        match self {
            Self::Tahoe | Self::Fack(_) => {}
            Self::Reno | Self::NewReno(_) => {
                tcb.duplicates.deflate();
                tcb.duplicates.clear();
            }
            Self::Sack(state) => state.undo(tcb),
            Self::Rack(state) => state.undo(tcb),
        }
    }

    /// Returns true if segment `seq` is known to have arrived out of order.
    pub(crate) fn is_sacked(&self, seq: u64) -> bool {
        match self {
            Self::Sack(state) => state.is_sacked(seq),
            Self::Rack(state) => state.is_sacked(seq),
            Self::Tahoe | Self::Reno | Self::NewReno(_) | Self::Fack(_) => false,
        }
    }

    /// Returns the number of segments that have arrived out of order and follow another such segment: Linux merges
    /// these with the preceding segment in its send buffer.
    #[inline]
    pub(crate) fn merged(&self) -> u64 {
        match self {
            Self::Sack(state) => state.merged(),
            Self::Rack(state) => state.merged(),
            Self::Tahoe | Self::Reno | Self::NewReno(_) | Self::Fack(_) => 0,
        }
    }

    /// Handles the expiry of RACK-TLP's timer. If it begins fast recovery and the window is to be reduced by rate
    /// halving or PRR, sets cwnd accordingly.
    #[cold]
    pub(crate) fn on_alarm(&mut self, tcb: &mut Tcb, now: Instant) {
        let Self::Rack(state) = self else { return };
        let active = state.active();
        state.on_alarm(tcb, now);
        let (sacked, in_flight) = (state.sacked(), state.in_flight(tcb));
        if !active && let Some(mut reduction) = tcb.episode.reduction() {
            reduction.begin(tcb.snd.outstanding() - sacked);
            let window = reduction.on_timer(tcb.control.window().cwnd, in_flight);
            tcb.episode.set_reduction(Some(reduction));
            tcb.control.window_mut().cwnd = window;
        }
    }

    /// Records for RACK that segment `seq` has been sent; `again` is true for a retransmission. Other
    /// recoveries need no record.
    #[inline]
    pub(crate) fn on_sent(&mut self, tcb: &mut Tcb, now: Instant, seq: u64, again: bool) {
        if let Self::Rack(state) = self {
            state.on_sent(tcb, now, seq, again);
        }
    }

    /// Handles an acknowledgment that arrives while no segment is outstanding; with RACK it can answer a
    /// probe.
    pub(crate) fn on_idle_ack(&mut self, ack: &AckHeader) {
        if let Self::Rack(state) = self {
            state.on_idle_ack(ack);
        }
    }

    /// Returns the next segment to send; `None` if the window or the data allow none.
    #[inline(always)]
    pub(crate) fn next<const CALM: bool>(&mut self, tcb: &mut Tcb) -> Option<u64> {
        if !CALM {
            return self.next_general(tcb);
        }
        debug_assert!(tcb.within_reach() || tcb.next_new().is_none(), "the window is wider than the reach");
        tcb.next_in_run()
    }

    #[inline]
    fn next_general(&mut self, tcb: &mut Tcb) -> Option<u64> {
        match self {
            Self::Tahoe | Self::Reno | Self::NewReno(_) => tcb.window_open().then_some(tcb.snd.nxt()),
            Self::Sack(state) => state.next(tcb),
            Self::Fack(state) => state.next(tcb),
            Self::Rack(state) => state.next(tcb),
        }
    }

    /// Returns true if the next segment is to be sent even if the window does not allow it.
    #[inline]
    pub(crate) fn is_urgent(&self) -> bool {
        matches!(self, Self::Rack(state) if state.is_urgent())
    }

    /// Returns true if there is a segment to send and the window allows it.
    pub(crate) fn may_send(&self, tcb: &Tcb) -> bool {
        let window = match self {
            Self::Tahoe | Self::Reno | Self::NewReno(_) => return tcb.window_open(),
            Self::Fack(state) if state.active() => tcb.control_window(),
            _ => tcb.window(),
        };
        let there =
            tcb.snd.nxt() < tcb.stream.available() || self.active(tcb) || tcb.snd.nxt() < tcb.snd.max();
        there && self.in_flight(tcb) < window as u64
    }

    /// Returns the number of segments sent that are not known to have left the network.
    pub(crate) fn in_flight(&self, tcb: &Tcb) -> u64 {
        match self {
            Self::Tahoe | Self::Reno | Self::NewReno(_) => {
                tcb.snd.outstanding().saturating_sub(tcb.duplicates.inflation())
            }
            Self::Sack(state) => state.in_flight(tcb),
            Self::Fack(state) => state.in_flight(tcb),
            Self::Rack(state) => state.in_flight(tcb),
        }
    }

    /// Returns true during fast recovery.
    pub(crate) fn active(&self, tcb: &Tcb) -> bool {
        match self {
            Self::Tahoe => false,
            Self::Reno | Self::NewReno(_) => tcb.duplicates.inflation() > 0,
            Self::Sack(state) => state.active(),
            Self::Fack(state) => state.active(),
            Self::Rack(state) => state.active(),
        }
    }
}
