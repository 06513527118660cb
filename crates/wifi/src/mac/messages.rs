//! Messages of routing protocols in the stations' queues.

use crate::mac::payload::{Msdu, Payload};
use routing::Message;

/// Storage of the messages of routing protocols that are in the stations' queues or in transmission.
#[derive(Clone, Debug, Default)]
pub(crate) struct Messages {
    held: Vec<Option<Message>>,
    free: Vec<u32>,
}

impl Messages {
    /// Stores a message; returns its number.
    pub(crate) fn add(&mut self, message: Message) -> u32 {
        match self.free.pop() {
            Some(number) => {
                self.held[number as usize] = Some(message);
                number
            }
            None => {
                self.held.push(Some(message));
                self.held.len() as u32 - 1
            }
        }
    }

    /// Returns the message with a number, if it is still stored.
    pub(crate) fn get(&self, number: u32) -> Option<&Message> {
        self.held[number as usize].as_ref()
    }

    /// Removes a message and returns it, if it is still stored.
    pub(crate) fn take(&mut self, number: u32) -> Option<Message> {
        let message = self.held[number as usize].take();
        self.free.extend(message.is_some().then_some(number));
        message
    }

    /// Removes the message of a payload whose transmission has ended; does nothing for other payloads.
    pub(crate) fn release(&mut self, payload: &Payload) {
        if let Payload::Message { number, .. } = payload {
            self.take(*number);
        }
    }

    /// Removes the message that a frame carried and returns it; `None` for another payload.
    pub(crate) fn take_from(&mut self, msdu: &Msdu) -> Option<Message> {
        match msdu.queued.payload {
            Payload::Message { number, .. } => self.take(number),
            Payload::Datagram(_) | Payload::Management(_) => None,
        }
    }
}
