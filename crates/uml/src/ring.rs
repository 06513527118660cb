//! A split virtqueue (virtio 1.2, section 2.7) in a guest's memory, from the device's side.

use crate::Fault;
use std::sync::atomic::{Ordering, fence};
use vm_memory::{Address, Bytes, GuestAddress, GuestMemoryMmap};

/// Flag of a descriptor: another descriptor follows in its chain.
const NEXT: u16 = 1;
/// Flag by which one side asks the other for no notifications.
const QUIET: u16 = 1;
/// Length of the longest chain of descriptors.
const LONGEST: u32 = 1024;

/// A ring and the device's position in it.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Ring {
    /// Number of descriptors.
    pub size: u16,
    /// Guest-physical address of the descriptors.
    pub descriptors: u64,
    /// Guest-physical address of the list of buffers that the guest offers.
    pub available: u64,
    /// Guest-physical address of the list of buffers that the device has used.
    pub used: u64,
    /// True if the device may use the ring.
    pub enabled: bool,
    /// Number of the next entry of `available` that the device reads.
    pub next: u16,
}

fn out_of<T>(found: Result<T, impl std::fmt::Display>) -> Result<T, Fault> {
    found.map_err(|why| Fault::of("an address of the guest", why))
}

fn place(base: u64, offset: u64) -> Result<GuestAddress, Fault> {
    let at = GuestAddress(base).checked_add(offset);
    at.ok_or_else(|| Fault("an address of the guest lies beyond its memory".to_owned()))
}

struct Descriptor {
    address: u64,
    length: u32,
    flags: u16,
    next: u16,
}

impl Ring {
    fn word(memory: &GuestMemoryMmap, base: u64, offset: u64) -> Result<u16, Fault> {
        out_of(memory.load(place(base, offset)?, Ordering::Acquire))
    }

    fn descriptor(&self, memory: &GuestMemoryMmap, at: u16) -> Result<Descriptor, Fault> {
        let mut bytes = [0u8; 16];
        out_of(memory.read_slice(&mut bytes, place(self.descriptors, 16 * u64::from(at))?))?;
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = bytes;
        Ok(Descriptor {
            address: u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            length: u32::from_le_bytes([i, j, k, l]),
            flags: u16::from_le_bytes([m, n]),
            next: u16::from_le_bytes([o, p]),
        })
    }

    /// Takes the next chain of buffers that the guest offers; `None` if it offers no further chain.
    fn take(&mut self, memory: &GuestMemoryMmap) -> Result<Option<(u16, Vec<Descriptor>)>, Fault> {
        if !self.enabled || self.size == 0 || self.next == Self::word(memory, self.available, 2)? {
            return Ok(None);
        }
        let head = Self::word(memory, self.available, 4 + 2 * u64::from(self.next % self.size))?;
        self.next = self.next.wrapping_add(1);
        let mut chain = vec![self.descriptor(memory, head)?];
        while let Some(last) = chain.last()
            && last.flags & NEXT != 0
        {
            let next = last.next;
            chain.push(self.descriptor(memory, next)?);
            if chain.len() > LONGEST as usize {
                return Err(Fault("a chain of the guest's buffers has no end".to_owned()));
            }
        }
        Ok(Some((head, chain)))
    }

    fn give_back(&self, memory: &GuestMemoryMmap, head: u16, written: u32) -> Result<(), Fault> {
        let count = Self::word(memory, self.used, 2)?;
        let entry = 4 + 8 * u64::from(count % self.size);
        out_of(memory.write_obj(u32::from(head), place(self.used, entry)?))?;
        out_of(memory.write_obj(written, place(self.used, entry + 4)?))?;
        fence(Ordering::SeqCst);
        out_of(memory.store(count.wrapping_add(1), place(self.used, 2)?, Ordering::Release))
    }

    /// Takes the next frame that the guest sends, with its virtio header; `None` if there is none.
    pub(crate) fn read(&mut self, memory: &GuestMemoryMmap) -> Result<Option<Vec<u8>>, Fault> {
        let Some((head, chain)) = self.take(memory)? else { return Ok(None) };
        let mut bytes = Vec::with_capacity(1600);
        for part in chain {
            let begin = bytes.len();
            if begin + part.length as usize > 1 << 17 {
                return Err(Fault("a frame of the guest is larger than any".to_owned()));
            }
            bytes.resize(begin + part.length as usize, 0);
            out_of(memory.read_slice(&mut bytes[begin..], GuestAddress(part.address)))?;
        }
        self.give_back(memory, head, 0)?;
        Ok(Some(bytes))
    }

    /// Writes a frame, with its virtio header, into the guest's next buffer; returns false if the guest offers no
    /// buffer.
    pub(crate) fn write(&mut self, memory: &GuestMemoryMmap, frame: &[u8]) -> Result<bool, Fault> {
        let Some((head, chain)) = self.take(memory)? else { return Ok(false) };
        let mut rest = frame;
        for part in chain {
            let (now, later) = rest.split_at(rest.len().min(part.length as usize));
            out_of(memory.write_slice(now, GuestAddress(part.address)))?;
            rest = later;
        }
        if !rest.is_empty() {
            return Err(Fault("a buffer of the guest is too short for a frame".to_owned()));
        }
        self.give_back(memory, head, frame.len() as u32)?;
        Ok(true)
    }

    /// Returns true if the guest wants to be notified of used buffers.
    pub(crate) fn wants_calls(&self, memory: &GuestMemoryMmap) -> Result<bool, Fault> {
        Ok(self.enabled && Self::word(memory, self.available, 0)? & QUIET == 0)
    }

    /// Asks the guest to send no notifications about new buffers.
    pub(crate) fn hush(&self, memory: &GuestMemoryMmap) -> Result<(), Fault> {
        out_of(memory.store(QUIET, place(self.used, 0)?, Ordering::SeqCst))
    }
}
