//! Checks of the [`Control`] within one event: an acknowledgment can release a million segments.
//!
//! The run loop checks the [`Control`], which watches memory and signals, every few thousand events. An event that
//! sends many packets checks it, too. If the run is to stop, the event puts aside the pending events, so that the loop
//! ends at once. The run is then [interrupted](Burst::interrupted), and can be resumed.

use crate::event::Event;
use base::Instant;
use engine::{Control, EventQueue};

/// Packets sent between two checks.
const LOOK_EVERY: u32 = 1 << 14;
/// Events that send no more packets than this are left to the run loop: between two checks of its own they send half a
/// million.
const FEW: u32 = 64;

/// Packets sent since the last check, and the pending events of a run that was stopped within an event.
#[derive(Default)]
pub(crate) struct Burst {
    control: Option<Control>,
    sent: u32,
    pending: Option<(Instant, EventQueue<Event>)>,
}

impl Burst {
    /// Checks `control` from now on.
    pub(crate) fn watch(&mut self, control: &Control) {
        *self = Self { control: Some(control.clone()), ..Self::default() };
    }

    /// Returns true if an event that has sent `sent` packets may continue; checks the control now and then.
    #[inline]
    pub(crate) fn goes_on(&self, sent: u32) -> bool {
        sent % LOOK_EVERY != LOOK_EVERY - 1 || !self.is_stopped()
    }

    /// Counts the packets of an event; returns true if the run is to stop.
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

    /// Puts aside the events pending after an event at `now`: the run loop finds nothing more to do.
    #[cold]
    pub(crate) fn put_aside(&mut self, now: Instant, queue: &mut EventQueue<Event>) {
        self.pending = Some((now, std::mem::take(queue)));
    }

    /// Ends the checks after the run loop. If the loop ended within an event, gives back the pending events and returns
    /// the event's time.
    pub(crate) fn interrupted(&mut self, queue: &mut EventQueue<Event>) -> Option<Instant> {
        self.control = None;
        let (at, pending) = self.pending.take()?;
        *queue = pending;
        Some(at)
    }
}

/// Ends the run: no further control is called after one that could not continue.
#[cold]
pub(crate) fn end(queue: &mut EventQueue<Event>) {
    *queue = EventQueue::default();
}
