//! A network device of a guest: virtio (1.2, section 5.1) over vhost-user, with notifications as messages.
//!
//! With notifications as messages (in band) the guest waits for each answer, so that nothing happens outside its
//! virtual time.

use crate::Fault;
use crate::ring::Ring;
use crate::socket;
use std::fs::File;
use std::os::fd::OwnedFd;
use vm_memory::{FileOffset, GuestAddress, GuestMemoryMmap};

/// Length of a message's header, bytes: request, flags, size of the payload.
const HEADER: usize = 12;
/// Flags of a reply: version 1 of the protocol, and the bit that marks replies.
const REPLY: u32 = 1 | 4;
/// Flag of a message whose sender waits for a reply.
const NEED_REPLY: u32 = 8;
/// The largest payload of a message, bytes.
const LARGEST: usize = 4096;
/// Features of the device: VIRTIO_F_VERSION_1, VHOST_USER_F_PROTOCOL_FEATURES and VIRTIO_NET_F_MAC, but neither
/// checksums nor segmentation.
const FEATURES: u64 = 1 << 32 | 1 << 30 | 1 << 5;
/// Features of the protocol: replies, requests of the device, configuration, and notifications as messages.
const PROTOCOL: u64 = 1 << 3 | 1 << 5 | 1 << 9 | 1 << 14;
/// Length of the virtio header before each frame, bytes.
const BEFORE_FRAME: usize = 12;
/// Offset of the number of buffers in the virtio header.
const BUFFERS: usize = 10;
/// Length of the longest frame, bytes; the device does no segmentation.
const LONGEST_FRAME: usize = 1514;

/// Requests of the guest.
mod request {
    pub(super) const GET_FEATURES: u32 = 1;
    pub(super) const SET_FEATURES: u32 = 2;
    pub(super) const SET_OWNER: u32 = 3;
    pub(super) const SET_MEM_TABLE: u32 = 5;
    pub(super) const SET_VRING_NUM: u32 = 8;
    pub(super) const SET_VRING_ADDR: u32 = 9;
    pub(super) const SET_VRING_BASE: u32 = 10;
    pub(super) const GET_PROTOCOL_FEATURES: u32 = 15;
    pub(super) const SET_PROTOCOL_FEATURES: u32 = 16;
    pub(super) const SET_VRING_ENABLE: u32 = 18;
    pub(super) const SET_BACKEND_REQ_FD: u32 = 21;
    pub(super) const GET_CONFIG: u32 = 24;
    pub(super) const SET_CONFIG: u32 = 25;
    pub(super) const VRING_KICK: u32 = 35;
}

/// Request by which the device notifies the guest that it has used buffers of a ring.
const VRING_CALL: u32 = 4;

/// Index of the ring of frames to the guest.
const RECEIVE: usize = 0;
/// Index of the ring of frames from the guest.
pub(crate) const TRANSMIT: usize = 1;

/// A network device, to which the guest may not have connected yet.
pub(crate) struct Device {
    /// Socket at which the guest connects; `None` once it is connected.
    pub listener: Option<OwnedFd>,
    /// Connection for the guest's requests; `None` until the guest connects.
    pub socket: Option<OwnedFd>,
    /// Connection for the device's requests, which the guest passes during set-up.
    pub backward: Option<OwnedFd>,
    memory: Option<GuestMemoryMmap>,
    rings: [Ring; 2],
    mac: [u8; 6],
}

/// Kind of a message from the guest, for the caller of [`Device::serve`].
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// A message that [`Device::serve`] has handled: set-up, or a notification about received frames.
    Other,
    /// The guest has frames to send. Once they are taken, [`Device::reply`] sends the reply.
    Kick {
        /// True if the guest waits for a reply.
        reply: bool,
    },
    /// The guest has closed the connection.
    End,
}

impl Device {
    /// Creates a device to which a guest can connect.
    pub(crate) fn new(listener: OwnedFd, number: u8) -> Self {
        Self {
            listener: Some(listener),
            socket: None,
            backward: None,
            memory: None,
            rings: [Ring::default(); 2],
            mac: [2, 0, 0, 0, 0, number],
        }
    }

    /// Accepts the guest's connection.
    pub(crate) fn connect(&mut self) -> Result<(), Fault> {
        if let Some(listener) = self.listener.take() {
            self.socket = Some(socket::accepted(&listener)?);
        }
        Ok(())
    }

    fn answer(&self, request: u32, payload: &[u8]) -> Result<(), Fault> {
        let Some(socket) = &self.socket else { return Ok(()) };
        let mut bytes = Vec::with_capacity(HEADER + payload.len());
        for word in [request, REPLY, payload.len() as u32] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(payload);
        socket::send(socket, &bytes, &[])
    }

    /// Answers the notification that the guest has frames to send (a kick).
    pub(crate) fn reply(&self) -> Result<(), Fault> {
        self.answer(request::VRING_KICK, &0u64.to_le_bytes())
    }

    /// Reads a message of the guest, and answers it if the guest waits for a reply. The caller answers a kick.
    pub(crate) fn serve(&mut self) -> Result<Asked, Fault> {
        let Some(socket) = &self.socket else { return Ok(Asked::End) };
        let mut header = [0; HEADER];
        let Some(descriptors) = socket::receive(socket, &mut header)? else { return Ok(Asked::End) };
        let [what, flags, size] = [0, 4, 8].map(|at| word(&header, at));
        if size as usize > LARGEST {
            return Err(Fault(format!("a message of the guest's device has {size} bytes")));
        }
        let mut payload = vec![0; size as usize];
        if size > 0 && socket::receive(socket, &mut payload)?.is_none() {
            return Ok(Asked::End);
        }
        let index = if payload.len() >= 4 { word(&payload, 0) as usize } else { 0 };
        let value = if payload.len() >= 8 { word(&payload, 4) } else { 0 };
        match what {
            request::GET_FEATURES => return self.answered(what, &FEATURES.to_le_bytes()),
            request::GET_PROTOCOL_FEATURES => return self.answered(what, &PROTOCOL.to_le_bytes()),
            request::GET_CONFIG => return self.configuration(payload),
            request::SET_MEM_TABLE => self.map(&payload, descriptors)?,
            request::SET_VRING_NUM => self.ring(index)?.size = value as u16,
            request::SET_VRING_BASE => self.ring(index)?.next = value as u16,
            request::SET_VRING_ADDR => {
                let address = |at: usize| {
                    payload
                        .get(8 + 8 * at..16 + 8 * at)
                        .map_or(0, |b| u64::from(word(b, 0)) | u64::from(word(b, 4)) << 32)
                };
                let [descriptors, used, available] = [0, 1, 2].map(address);
                let ring = self.ring(index)?;
                (ring.descriptors, ring.used, ring.available) = (descriptors, used, available);
            }
            request::SET_VRING_ENABLE => {
                self.ring(index)?.enabled = value != 0;
                if index == RECEIVE
                    && value != 0
                    && let Some(memory) = &self.memory
                {
                    self.rings[RECEIVE].hush(memory)?;
                }
            }
            request::SET_BACKEND_REQ_FD => self.backward = descriptors.into_iter().next(),
            request::VRING_KICK if index == TRANSMIT => {
                return Ok(Asked::Kick { reply: flags & NEED_REPLY != 0 });
            }
            request::VRING_KICK
            | request::SET_FEATURES
            | request::SET_OWNER
            | request::SET_PROTOCOL_FEATURES
            | request::SET_CONFIG => {}
            other => return Err(Fault(format!("the guest's device asks for {other}, which is not known"))),
        }
        if flags & NEED_REPLY != 0 {
            return self.answered(what, &0u64.to_le_bytes());
        }
        Ok(Asked::Other)
    }

    fn answered(&self, request: u32, payload: &[u8]) -> Result<Asked, Fault> {
        self.answer(request, payload).map(|()| Asked::Other)
    }

    fn ring(&mut self, index: usize) -> Result<&mut Ring, Fault> {
        self.rings.get_mut(index).ok_or_else(|| Fault(format!("the guest's device has no ring {index}")))
    }

    /// Answers a request for a part of the device's configuration. The message has offset, size and flags, then the
    /// bytes.
    fn configuration(&self, mut payload: Vec<u8>) -> Result<Asked, Fault> {
        let all: Vec<u8> = self.mac.iter().copied().chain([0; 250]).collect();
        let (from, size) = (word(&payload, 0) as usize, word(&payload, 4) as usize);
        let (Some(part), Some(into)) = (all.get(from..from + size), payload.get_mut(12..12 + size)) else {
            return Err(Fault("the guest asks for a configuration that its device has not".to_owned()));
        };
        into.copy_from_slice(part);
        self.answered(request::GET_CONFIG, &payload)
    }

    /// Maps the guest's memory. Each region has its guest-physical address, its size, its address in the guest's
    /// process, and its offset in the file.
    fn map(&mut self, payload: &[u8], descriptors: Vec<OwnedFd>) -> Result<(), Fault> {
        let mut ranges = Vec::new();
        for (i, file) in descriptors.into_iter().enumerate() {
            let Some(region) = payload.get(8 + 32 * i..40 + 32 * i) else { break };
            let [address, size, _, offset] =
                [0, 8, 16, 24].map(|at| u64::from(word(region, at)) | u64::from(word(region, at + 4)) << 32);
            let file = FileOffset::new(File::from(file), offset);
            ranges.push((GuestAddress(address), size as usize, Some(file)));
        }
        ranges.sort_by_key(|range| range.0);
        let memory = GuestMemoryMmap::from_ranges_with_files(ranges);
        self.memory = Some(memory.map_err(|why| Fault::of("the guest's memory", why))?);
        Ok(())
    }

    /// Returns the next frame that the guest sends; `None` if there is none.
    pub(crate) fn sent(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        let Some(memory) = &self.memory else { return Ok(None) };
        let Some(mut bytes) = self.rings[TRANSMIT].read(memory)? else { return Ok(None) };
        if bytes.len() < BEFORE_FRAME || bytes.len() - BEFORE_FRAME > LONGEST_FRAME {
            return Err(Fault(format!("a frame of the guest has {} bytes", bytes.len())));
        }
        bytes.drain(..BEFORE_FRAME);
        Ok(Some(bytes))
    }

    /// Writes a frame into the guest's memory; returns false if the guest offers no buffer for it.
    pub(crate) fn deliver(&mut self, frame: &[u8]) -> Result<bool, Fault> {
        let Some(memory) = &self.memory else { return Ok(false) };
        let mut bytes = vec![0; BEFORE_FRAME];
        bytes[BUFFERS] = 1;
        bytes.extend(frame);
        self.rings[RECEIVE].write(memory, &bytes)
    }

    /// Returns true if the guest wants to be notified of used buffers: in the ring of frames from the guest if
    /// `transmit` is true, otherwise in the ring of frames to the guest.
    pub(crate) fn wants_calls(&self, transmit: bool) -> Result<bool, Fault> {
        let ring = &self.rings[if transmit { TRANSMIT } else { RECEIVE }];
        self.memory.as_ref().map_or(Ok(false), |memory| ring.wants_calls(memory))
    }

    /// Tells the guest that buffers were used. The guest replies over the same connection; [`Device::called`] reads the
    /// reply.
    pub(crate) fn call(&self, transmit: bool) -> Result<(), Fault> {
        let Some(backward) = &self.backward else {
            return Err(Fault("the guest's device cannot be told of frames".to_owned()));
        };
        let mut bytes = Vec::with_capacity(HEADER + 8);
        for word in [VRING_CALL, 1 | NEED_REPLY, 8, u32::from(transmit), 0] {
            bytes.extend(word.to_le_bytes());
        }
        socket::send(backward, &bytes, &[])
    }

    /// Reads the reply to [`Device::call`].
    pub(crate) fn called(&self) -> Result<(), Fault> {
        let Some(backward) = &self.backward else { return Ok(()) };
        let mut bytes = [0; HEADER + 8];
        match socket::receive(backward, &mut bytes)? {
            Some(_) if bytes[HEADER..].iter().all(|&byte| byte == 0) => Ok(()),
            Some(_) => Err(Fault("the guest refuses a notification".to_owned())),
            None => Err(Fault("the guest has ended".to_owned())),
        }
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}
