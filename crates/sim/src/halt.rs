//! Stops of a run within an event.

use crate::burst::end;
use crate::event::{self, Event};
use crate::flow::{Kind, Pending};
use crate::world::World;
use base::{Instant, Probe, Stamp};
use engine::EventQueue;

impl<P: Probe> World<P> {
    /// Stops the run within a sender's event. The rest of the sender's work is scheduled for when the run is resumed,
    /// as the sender may have more to send.
    #[cold]
    pub(crate) fn stop_within(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        if let Kind::Tcp(connection) = &mut self.flows[at as usize].kind {
            connection.release = Pending::NONE;
            if let Some(due) = connection.release.arm(Some(stamp)) {
                queue.push(due, Event::new(event::Kind::Release, at));
            }
        }
        self.burst.put_aside(stamp.at, queue);
    }

    /// Interrupts the run if the gateways have sent many packets and the run's [`Control`](engine::Control) asks for a
    /// stop. Ends the run if a user-defined congestion control on a gateway's far side has failed.
    pub(crate) fn check_proxies(&mut self, now: Instant, queue: &mut EventQueue<Event>) {
        if self.burst.stops(self.proxies.sent) {
            self.burst.put_aside(now, queue);
        }
        if self.custom && self.proxies.faults().next().is_some() {
            end(queue);
        }
    }
}
