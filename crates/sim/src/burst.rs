//! Checks of the [`Control`] within one event, since one acknowledgment can release a million segments.
//!
//! The run loop checks the [`Control`], which reports signals and a lack of memory, every few thousand events. An
//! event that sends many packets checks it, too. If the run must stop, the event sets the pending events aside, so
//! that the run loop ends at once. The run is then [interrupted](Burst::interrupted), and can be resumed.

use crate::event::Event;
use base::Instant;
use engine::{Control, EventQueue};

/// Number of packets sent between two checks.
const LOOK_EVERY: u32 = 1 << 14;
/// Events that send at most this number of packets are not counted here. The checks by the run loop suffice
/// for them: between two of these checks they send at most about half a million packets.
const FEW: u32 = 64;

/// Number of packets sent since the last check, and the pending events of a run that was stopped within an
/// event.
#[derive(Default)]
pub(crate) struct Burst {
    control: Option<Control>,
    sent: u32,
    pending: Option<(Instant, EventQueue<Event>)>,
}

impl Burst {
    /// Starts the checks of `control`.
    pub(crate) fn watch(&mut self, control: &Control) {
        *self = Self { control: Some(control.clone()), ..Self::default() };
    }

    /// Returns true if an event that has sent `sent` packets may send more; checks the control every `LOOK_EVERY`
    /// packets.
    #[inline]
    pub(crate) fn goes_on(&self, sent: u32) -> bool {
        sent % LOOK_EVERY != LOOK_EVERY - 1 || !self.is_stopped()
    }

    /// Counts the packets of an event that has ended, if they are more than `FEW`. Returns true if the run must stop;
    /// checks the control every `LOOK_EVERY` counted packets.
    #[inline]
    pub(crate) fn stops(&mut self, sent: u32) -> bool {
        sent > FEW && self.books(sent)
    }

    #[cold]
    fn books(&mut self, sent: u32) -> bool {
        self.sent = self.sent.saturating_add(sent);
        if self.sent < LOOK_EVERY {
            return false;
        }
        self.sent = 0;
        self.is_stopped()
    }

    #[cold]
    fn is_stopped(&self) -> bool {
        self.control.as_ref().is_some_and(Control::look)
    }

    /// Sets the pending events aside after an event at `now`, so that the run loop finds none and ends.
    #[cold]
    pub(crate) fn put_aside(&mut self, now: Instant, queue: &mut EventQueue<Event>) {
        self.pending = Some((now, std::mem::take(queue)));
    }

    /// Ends the checks after the run loop. If the run was stopped within an event, gives the pending events back to
    /// `queue` and returns the time of that event; `None` otherwise.
    pub(crate) fn interrupted(&mut self, queue: &mut EventQueue<Event>) -> Option<Instant> {
        self.control = None;
        let (at, pending) = self.pending.take()?;
        *queue = pending;
        Some(at)
    }
}

/// Removes all pending events, which ends the run: a user-defined control has failed, and no control is called any
/// more.
#[cold]
pub(crate) fn end(queue: &mut EventQueue<Event>) {
    *queue = EventQueue::default();
}
