//! One end of a connection behind a guard, which catches panics and holds the end to its limits.

use crate::contract::{Datagram, Log, Side, Stack, State};
use crate::fault::Fault;
use crate::limits;
use crate::registry::About;
use base::Instant;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// One end of a connection. After a fault the stack is not called again, and the end answers nothing.
pub(crate) struct Guard {
    stack: Box<dyn Stack>,
    about: &'static About,
    side: Side,
    /// Start of the span in which datagrams and timeouts are counted.
    since: Instant,
    datagrams: u32,
    timeouts: u32,
    in_all: u64,
    /// Time of the latest event.
    now: Instant,
    fault: Option<Box<Fault>>,
}

impl Guard {
    pub(crate) fn new(stack: Box<dyn Stack>, about: &'static About, side: Side) -> Self {
        let (since, now) = (Instant::ZERO, Instant::ZERO);
        Self { stack, about, side, since, datagrams: 0, timeouts: 0, in_all: 0, now, fault: None }
    }

    /// Returns the first violation of the contract.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.fault.as_deref()
    }

    /// Records a violation, after which the stack is not called again.
    #[cold]
    pub(crate) fn refuse(&mut self, message: String) {
        let Self { about, side, now, .. } = *self;
        self.fault.get_or_insert_with(|| Box::new(Fault { stack: about.name, side, at: now, message }));
    }

    /// Calls the stack; returns `idle` after a fault and if the stack panics.
    fn call<T>(&mut self, name: &str, now: Instant, idle: T, call: impl FnOnce(&mut dyn Stack) -> T) -> T {
        if self.fault.is_some() {
            return idle;
        }
        if now.since(self.since) >= limits::SPAN {
            (self.since, self.datagrams, self.timeouts) = (now, 0, 0);
        }
        self.now = now;
        let stack = &mut *self.stack;
        match catch_unwind(AssertUnwindSafe(|| call(stack))) {
            Ok(answer) => answer,
            Err(payload) => {
                let text = payload.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
                self.refuse(format!("it panicked in `{name}`: {text}"));
                idle
            }
        }
    }

    pub(crate) fn log(&mut self, title: &str, into: Log) {
        self.call("log", Instant::ZERO, (), |stack| stack.log(title, into));
    }

    pub(crate) fn open(&mut self, now: Instant) {
        self.call("open", now, (), |stack| stack.open(now));
    }

    pub(crate) fn receive(&mut self, now: Instant, datagram: Datagram) {
        self.call("receive", now, (), |stack| stack.receive(now, datagram));
    }

    pub(crate) fn on_timeout(&mut self, now: Instant) {
        self.call("on_timeout", now, (), |stack| stack.on_timeout(now));
        self.timeouts += 1;
        if self.timeouts > limits::TIMEOUTS {
            let (most, span) = (limits::TIMEOUTS, limits::SPAN.secs() * 1e3);
            self.refuse(format!(
                "it asked for more than {most} timeouts within {span} ms: `next_timeout` goes on returning times that \
                 have passed"
            ));
        }
    }

    pub(crate) fn next_timeout(&mut self) -> Option<Instant> {
        let now = self.now;
        self.call("next_timeout", now, None, |stack| stack.next_timeout())
    }

    pub(crate) fn transmit(&mut self, now: Instant) -> Option<Datagram> {
        let datagram = self.call("transmit", now, None, |stack| stack.transmit(now))?;
        self.datagrams += 1;
        self.in_all += 1;
        let (bytes, largest) = (datagram.bytes.len(), self.about.largest);
        if self.datagrams > limits::DATAGRAMS {
            let (most, span) = (limits::DATAGRAMS, limits::SPAN.secs() * 1e3);
            self.refuse(format!("it sent more than {most} datagrams within {span} ms"));
        } else if self.in_all > limits::DATAGRAMS_IN_ALL {
            self.refuse(format!("it sent more than {} datagrams", limits::DATAGRAMS_IN_ALL));
        } else if bytes > largest as usize {
            self.refuse(format!("it sent a datagram of {bytes} bytes: it says that {largest} is the most"));
        } else if bytes == 0 {
            self.refuse("it sent a datagram without bytes".to_owned());
        } else {
            return Some(datagram);
        }
        None
    }

    /// Passes `bytes` of the application to the stack; returns the number of bytes that it took.
    pub(crate) fn write(&mut self, now: Instant, bytes: &[u8]) -> usize {
        let taken = self.call("write", now, 0, |stack| stack.write(now, bytes));
        if taken > bytes.len() {
            self.refuse(format!("`write` was given {} bytes and took {taken}", bytes.len()));
            return 0;
        }
        taken
    }

    pub(crate) fn end(&mut self, now: Instant) -> bool {
        self.call("end", now, false, |stack| stack.end(now))
    }

    pub(crate) fn read(&mut self, now: Instant, into: &mut Vec<u8>) -> bool {
        self.call("read", now, false, |stack| stack.read(now, into))
    }

    pub(crate) fn close(&mut self, now: Instant) {
        self.call("close", now, (), |stack| stack.close(now));
    }

    pub(crate) fn finished(&mut self) -> bool {
        let now = self.now;
        self.call("finished", now, false, |stack| stack.finished())
    }

    pub(crate) fn failed(&mut self) -> Option<String> {
        let now = self.now;
        self.call("failed", now, None, |stack| stack.failed())
    }

    /// Returns the stack's state; `None` after a fault.
    pub(crate) fn state(&self) -> Option<State> {
        if self.fault.is_some() {
            return None;
        }
        // A panic here is not recorded: a stack that cannot show its state has none.
        catch_unwind(AssertUnwindSafe(|| self.stack.state())).ok().flatten()
    }

    #[cfg(test)]
    pub(crate) fn pretend_sent(&mut self, datagrams: u64) {
        self.in_all = datagrams;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stack that sends a byte whenever it is asked.
    struct Chatter;

    impl Stack for Chatter {
        fn receive(&mut self, _: Instant, _: Datagram) {}
        fn on_timeout(&mut self, _: Instant) {}
        fn next_timeout(&mut self) -> Option<Instant> {
            None
        }
        fn transmit(&mut self, _: Instant) -> Option<Datagram> {
            Some(Datagram::new(vec![0]))
        }
        fn write(&mut self, _: Instant, _: &[u8]) -> usize {
            0
        }
        fn end(&mut self, _: Instant) -> bool {
            false
        }
        fn read(&mut self, _: Instant, _: &mut Vec<u8>) -> bool {
            false
        }
        fn finished(&self) -> bool {
            false
        }
    }

    static ABOUT: About =
        About { name: "chatter", summary: "sends without end", source: "a test", headers: 28, largest: 1 };

    /// A stack may send 2^32 datagrams in a run, and not one more.
    #[test]
    fn the_number_of_datagrams_in_all_is_limited() {
        let mut end = Guard::new(Box::new(Chatter), &ABOUT, Side::Client);
        end.pretend_sent(limits::DATAGRAMS_IN_ALL - 1);
        assert!(end.transmit(Instant::ZERO).is_some());
        assert!(end.fault().is_none());
        assert!(end.transmit(Instant::ZERO).is_none());
        let said = end.fault().expect("a fault").to_string();
        assert_eq!(said, "the client of stack chatter at 0 s: it sent more than 4294967296 datagrams");
    }
}
