//! Calendar of a guest: with `time-travel=ext`, User-Mode Linux asks a calendar how far its time may advance.
//!
//! Times are nanoseconds of the guest. Most of the protocol is a page of shared memory. It holds the guest's present
//! time, the time up to which the guest may continue without asking, and the time at which the guest wants to run next.

use crate::Fault;
use crate::socket;
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::Ordering;
use vm_memory::{Bytes, FileOffset, GuestAddress, GuestMemoryMmap};

/// Length of a message, bytes: operation, number, time.
pub(crate) const MESSAGE: usize = 16;

/// Operations of messages.
mod op {
    pub(super) const ACK: u32 = 0;
    pub(super) const START: u32 = 1;
    pub(super) const REQUEST: u32 = 2;
    pub(super) const WAIT: u32 = 3;
    pub(super) const GET: u32 = 4;
    pub(super) const UPDATE: u32 = 5;
    pub(super) const RUN: u32 = 6;
    pub(super) const GET_TOD: u32 = 8;
}

/// Addresses of the fields in the shared page.
mod at {
    use vm_memory::GuestAddress;

    pub(super) const VERSION: GuestAddress = GuestAddress(0);
    pub(super) const LENGTH: GuestAddress = GuestAddress(4);
    pub(super) const FREE_UNTIL: GuestAddress = GuestAddress(8);
    pub(super) const NOW: GuestAddress = GuestAddress(16);
    pub(super) const RUNNING: GuestAddress = GuestAddress(24);
    pub(super) const CLIENTS: GuestAddress = GuestAddress(26);
    /// Capabilities of client 0, which is this process; client 1 is the guest.
    pub(super) const OWN_CAPABILITIES: GuestAddress = GuestAddress(4096);
    pub(super) const GUEST_FLAGS: GuestAddress = GuestAddress(4096 + 128 + 4);
    pub(super) const GUEST_WANTS: GuestAddress = GuestAddress(4096 + 128 + 8);
}

/// Number of the guest among the clients.
pub(crate) const GUEST: u16 = 1;
/// Version of the shared page.
const VERSION: u32 = 2;
const CLIENTS: u16 = 16;
const LENGTH: u32 = 4096 + 128 * CLIENTS as u32;
/// Flag in a client's entry of the shared page: the client has asked to run at the time in the entry.
const WANTS: u32 = 1;
/// The time of day at which every guest boots, nanoseconds since 1970.
const EPOCH: u64 = 1_700_000_000_000_000_000;

/// The calendar of one guest.
pub(crate) struct Calendar {
    page: GuestMemoryMmap,
    file: OwnedFd,
    log: OwnedFd,
    /// True while the guest waits to be run.
    pub waits: bool,
}

impl Calendar {
    /// Creates a calendar at time 0; `log` is a file to which the guest may write.
    pub(crate) fn new(log: OwnedFd) -> Result<Self, Fault> {
        let fault = |why: &dyn std::fmt::Display| Fault::of("memory shared with the guest", why);
        let file = memfd_create("calendar", MemfdFlags::CLOEXEC).map_err(|why| fault(&why))?;
        ftruncate(&file, LENGTH.into()).map_err(|why| fault(&why))?;
        let copy = File::from(file.try_clone().map_err(|why| fault(&why))?);
        let range = (GuestAddress(0), LENGTH as usize, Some(FileOffset::new(copy, 0)));
        let page = GuestMemoryMmap::from_ranges_with_files([range]).map_err(|why| fault(&why))?;
        let calendar = Self { page, file, log, waits: false };
        calendar.put(VERSION, at::VERSION)?;
        calendar.put(LENGTH, at::LENGTH)?;
        calendar.put(CLIENTS, at::CLIENTS)?;
        calendar.put(1u32, at::OWN_CAPABILITIES)?;
        // The guest may not advance its time by itself while it boots.
        calendar.put(1u64, at::FREE_UNTIL)?;
        calendar.put(GUEST, at::RUNNING)?;
        Ok(calendar)
    }

    fn put<T: vm_memory::AtomicAccess>(&self, value: T, place: GuestAddress) -> Result<(), Fault> {
        self.page.store(value, place, Ordering::SeqCst).map_err(|why| Fault::of("the shared page", why))
    }

    fn get<T: vm_memory::AtomicAccess>(&self, place: GuestAddress) -> Result<T, Fault> {
        self.page.load(place, Ordering::SeqCst).map_err(|why| Fault::of("the shared page", why))
    }

    /// Returns the guest's present time, nanoseconds since it booted.
    pub(crate) fn now(&self) -> Result<u64, Fault> {
        self.get(at::NOW)
    }

    /// Sets the guest's present time, nanoseconds since it booted.
    pub(crate) fn set_now(&self, now: u64) -> Result<(), Fault> {
        self.put(now, at::NOW)
    }

    /// Sets the time up to which the guest may continue without asking.
    pub(crate) fn set_free_until(&self, until: u64) -> Result<(), Fault> {
        self.put(until, at::FREE_UNTIL)
    }

    /// Returns the time at which the guest wants to be run; `None` if it has not asked.
    pub(crate) fn wanted(&self) -> Result<Option<u64>, Fault> {
        let flags: u32 = self.get(at::GUEST_FLAGS)?;
        Ok(if flags & WANTS == 0 { None } else { Some(self.get(at::GUEST_WANTS)?) })
    }

    /// Lets the guest run from its present time on, and clears its request to run.
    pub(crate) fn begin(&mut self, guest: &OwnedFd) -> Result<(), Fault> {
        self.put(GUEST, at::RUNNING)?;
        self.waits = false;
        let flags: u32 = self.get(at::GUEST_FLAGS)?;
        self.put(flags & !WANTS, at::GUEST_FLAGS)?;
        self.say(guest, op::RUN, 1, self.now()?)
    }

    /// Marks that this process runs again, after the guest has begun to wait.
    pub(crate) fn end(&self) -> Result<(), Fault> {
        self.put(0u16, at::RUNNING)
    }

    fn say(&self, guest: &OwnedFd, operation: u32, number: u32, time: u64) -> Result<(), Fault> {
        socket::send(guest, &message(operation, number, time), &[])
    }

    /// Answers a message of the guest.
    pub(crate) fn answer(&mut self, guest: &OwnedFd, said: &[u8; MESSAGE]) -> Result<(), Fault> {
        let word = |at: usize| u32::from_le_bytes([said[at], said[at + 1], said[at + 2], said[at + 3]]);
        let (operation, number) = (word(0), word(4));
        let time = u64::from(word(8)) | u64::from(word(12)) << 32;
        match operation {
            op::ACK => Ok(()),
            op::START => {
                let files = [self.file.as_fd(), self.log.as_fd()];
                socket::send(guest, &message(op::ACK, number, GUEST.into()), &files)
            }
            op::WAIT => {
                self.waits = true;
                Ok(())
            }
            op::GET => self.say(guest, op::ACK, number, self.now()?),
            op::GET_TOD => self.say(guest, op::ACK, number, EPOCH),
            op::UPDATE => {
                self.set_now(time)?;
                self.say(guest, op::ACK, number, 0)
            }
            op::REQUEST => {
                self.put(time, at::GUEST_WANTS)?;
                let flags: u32 = self.get(at::GUEST_FLAGS)?;
                self.put(flags | WANTS, at::GUEST_FLAGS)?;
                self.say(guest, op::ACK, number, 0)
            }
            other => {
                Err(Fault(format!("the guest's calendar asks for operation {other}, which is not known")))
            }
        }
    }
}

fn message(operation: u32, number: u32, time: u64) -> [u8; MESSAGE] {
    let mut bytes = [0; MESSAGE];
    bytes[..4].copy_from_slice(&operation.to_le_bytes());
    bytes[4..8].copy_from_slice(&number.to_le_bytes());
    bytes[8..].copy_from_slice(&time.to_le_bytes());
    bytes
}
