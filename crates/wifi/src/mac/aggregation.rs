//! A-MPDU and Block ACK (8.6.1, 9.21): several packets for one receiver in one frame, acknowledged one by one. A-MSDU
//! (8.3.2.2, 9.11): several packets in one MPDU, acknowledged together; alone or as part of an A-MPDU.
//!
//! An immediate Block ACK agreement between any two stations exists from the start. The compressed Block ACK covers 64
//! MPDUs, in HE up to 256; the receiver passes packets on in order and keeps those after a hole. After the loss of a
//! Block ACK the sender asks for it by a request, or sends the frame again. If the sender gives a packet up, the
//! receiver knows at once, not from the next frame. An MPDU that goes alone is sent and acknowledged as without
//! aggregation. In VHT and HE, where every frame is an aggregate, it has a delimiter (9.12.7 of 802.11ac). Packets that
//! have been sent together stay together.

use crate::config::{Aggregation, Mac};
use crate::mac::edcaf::Edcaf;
use crate::mac::payload::{Msdu, Payload, Queued};
use crate::phy::air::EVERYBODY;

/// Returns the length of a frame of `bytes` as part of an aggregate that is not the last: a delimiter, and padding to
/// four bytes.
pub(crate) const fn subframe(bytes: u32) -> u32 {
    4 + bytes.next_multiple_of(4)
}

/// LLC and SNAP headers of each packet, bytes.
const LLC: u32 = 8;
/// Addresses and length before each packet of an A-MSDU, bytes.
const MSDU_HEADER: u32 = 14;
/// The longest MPDU in an A-MPDU of HT (8.6.1), bytes.
const LONGEST_MPDU: u32 = 4095;
/// The longest MPDU of VHT and HE (8.3.2.1 of 802.11ac), bytes.
const LONGEST_VHT_MPDU: u32 = 11_454;

/// Returns the length of the packets of an A-MSDU with one more of `bytes`; so far they are `body` long. All but the
/// last are padded to four bytes.
const fn joined(body: u32, bytes: u32) -> u32 {
    body.next_multiple_of(4) + MSDU_HEADER + LLC + bytes
}

/// Returns the packets of each MPDU, one MPDU after the other.
pub(crate) fn mpdus(packets: &[Msdu]) -> impl Iterator<Item = &[Msdu]> {
    packets.chunk_by(|_, next| next.joined)
}

/// Returns the length of an MPDU of these packets; a single one has `header` around it.
pub(crate) fn length(packets: &[Msdu], header: u32) -> u32 {
    match packets {
        [alone] => alone.queued.payload.bytes() + header,
        _ => header - LLC + packets.iter().fold(0, |body, msdu| joined(body, msdu.queued.payload.bytes())),
    }
}

/// An aggregate under construction: MPDUs, bytes before the last, and the last.
#[derive(Clone, Copy, Default)]
struct Growing {
    parts: u32,
    before: u32,
    last: u32,
}

impl Growing {
    /// Returns its length; the last part has no padding.
    const fn bytes(self) -> u32 {
        if self.parts == 0 { 0 } else { self.before.next_multiple_of(4) + 4 + self.last }
    }

    /// Returns it with another MPDU of `length` bytes.
    const fn with(self, length: u32) -> Self {
        Self { parts: self.parts + 1, before: self.bytes(), last: length }
    }

    /// Returns it with `length` bytes in its last MPDU.
    const fn grown(self, length: u32) -> Self {
        Self { last: length, ..self }
    }
}

/// Limits of a data frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes around an IP packet.
    pub(crate) header: u32,
    /// Delimiter before a data frame that is no aggregate, bytes.
    pub(crate) delimiter: u32,
    /// Most bytes of an aggregate within the longest duration.
    pub(crate) longest: u32,
}

/// A data frame of several packets under construction.
struct Filling {
    frame: Growing,
    /// MPDUs in the window of the Block ACK.
    window: u32,
    /// Length of the packets of the last MPDU, if it is a new one, which others may join.
    body: Option<u32>,
    /// True once nothing more may be added.
    full: bool,
    header: u32,
    /// Most bytes; most MPDUs; most bytes of an A-MSDU.
    bytes: u32,
    frames: u32,
    amsdu: u32,
}

impl Filling {
    const fn fits(&self, frame: Growing) -> bool {
        frame.parts == 1 || (frame.bytes() <= self.bytes && frame.parts <= self.frames)
    }

    /// Adds packets that have been sent before and not been acknowledged.
    fn resend(&mut self, msdus: &mut [Msdu]) {
        for packets in msdus.chunk_by_mut(|_, next| next.joined) {
            let wanted = !self.full && !packets[0].acknowledged && !packets[0].expired;
            let with = self.frame.with(length(packets, self.header));
            let goes = wanted && self.fits(with);
            if goes {
                self.frame = with;
            }
            self.full |= wanted && !goes;
            self.window += 1;
            packets.iter_mut().for_each(|msdu| msdu.on_air = goes);
        }
    }

    /// Adds a new packet or message if there is room. Returns true if it joins the MPDU before it; `None` if there is
    /// no room.
    fn add(&mut self, queued: &Queued) -> Option<bool> {
        let (bytes, packet) = (queued.payload.bytes(), queued.payload.is_datagram());
        let body = self.body.filter(|_| packet).map(|body| joined(body, bytes));
        let body = body.filter(|body| *body <= self.amsdu);
        let grown = body.map(|body| self.frame.grown(self.header - LLC + body));
        if let Some(grown) = grown.filter(|frame| frame.bytes() <= self.bytes) {
            (self.frame, self.body) = (grown, body);
            return Some(true);
        }
        let with = self.frame.with(bytes + self.header);
        if self.window >= self.frames || !self.fits(with) {
            return None;
        }
        (self.frame, self.body) = (with, (self.amsdu > 0 && packet).then_some(joined(0, bytes)));
        self.window += 1;
        Some(false)
    }

    /// Adds waiting packets of a queue for `via`. A frame that is sent `again` lets others have their turn: it adds
    /// only packets that would be next.
    fn take_along(&mut self, edcaf: &mut Edcaf, via: u32, again: bool) {
        let mut look = 0;
        while !self.full && look < edcaf.queue.len() && (self.window < self.frames || self.body.is_some()) {
            let queued = edcaf.queue[look];
            if queued.via != via || matches!(queued.payload, Payload::Management(_)) {
                self.full = again;
                look += 1;
                continue;
            }
            let Some(joined) = self.add(&queued) else { break };
            edcaf.queue.remove(look);
            edcaf.msdus.push(Msdu { on_air: true, joined, ..Msdu::new(queued) });
        }
    }
}

/// Decides the contents of an EDCAF's next data frame: one packet, or as many as fit into an aggregate.
pub(crate) fn compose(edcaf: &mut Edcaf, mac: &Mac, limits: Limits) {
    let manages = edcaf.management().is_some();
    let (header, delimiter) = if manages { (0, 0) } else { (limits.header, limits.delimiter) };
    let Some(mut service) = edcaf.service.filter(|service| !service.block_ack_request) else { return };
    let alone = service.via == EVERYBODY || service.sample || manages;
    let most = match mac.aggregation {
        most if !alone && most.is_on() => most,
        one if !alone && one.amsdu > 0 => Aggregation { bytes: u32::MAX, ..one },
        _ => {
            if let Some(msdu) = edcaf.msdus.first_mut() {
                msdu.on_air = true;
                let delimiter = if service.via == EVERYBODY { 0 } else { delimiter };
                let bytes = msdu.queued.payload.bytes() + header + delimiter;
                (service.bytes, service.aggregates) = (bytes, 0);
                edcaf.service = Some(service);
            }
            return;
        }
    };
    let longest_mpdu = if delimiter > 0 { LONGEST_VHT_MPDU } else { LONGEST_MPDU };
    let amsdu = match mac.aggregation {
        most if most.is_on() => most.amsdu.min((longest_mpdu + LLC).saturating_sub(header)),
        one => one.amsdu,
    };
    let again = edcaf.msdus.iter().any(|msdu| msdu.on_air);
    let mut filling = Filling {
        frame: Growing::default(),
        window: 0,
        body: None,
        full: false,
        header,
        bytes: most.bytes.min(limits.longest),
        frames: most.frames,
        amsdu,
    };
    filling.resend(&mut edcaf.msdus);
    filling.body = match edcaf.msdus.as_slice() {
        [first] if amsdu > 0 && !again && first.queued.payload.is_datagram() => {
            Some(joined(0, first.queued.payload.bytes()))
        }
        _ => None,
    };
    filling.take_along(edcaf, service.via, again);
    let frame = filling.frame;
    service.aggregates = frame.parts.saturating_sub(1) as u8;
    service.bytes = if frame.parts > 1 { frame.bytes() } else { frame.last + delimiter };
    edcaf.service = Some(service);
}
