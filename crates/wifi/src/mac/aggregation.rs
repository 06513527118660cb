//! A-MPDU and Block ACK (8.6.1, 9.21): several MPDUs for one receiver in one frame, each acknowledged by itself. A-MSDU
//! (8.3.2.2, 9.11): several packets in one MPDU, acknowledged together; the MPDU is sent alone or as part of an A-MPDU.
//!
//! Any two stations have an immediate Block ACK agreement from the start. The compressed Block ACK covers 64 MPDUs,
//! in HE up to 256. The receiver passes packets on in order, and holds those that follow a missing one. After the
//! loss of a Block ACK the sender sends a Block ACK request, or the data frame again. If the sender gives up on a
//! packet, the receiver learns this at once, not from the next frame. A single MPDU is sent and acknowledged as
//! without aggregation; in VHT and HE, where every frame is an A-MPDU, it also has a delimiter (9.12.7 of
//! 802.11ac). Packets that were sent in one MPDU are sent again in one MPDU.

use crate::config::{Aggregation, Mac};
use crate::mac::edcaf::Edcaf;
use crate::mac::payload::{Msdu, Payload, Queued};
use crate::phy::air::EVERYBODY;

/// Returns the length (bytes) of an MPDU of `bytes` bytes in an A-MPDU, if it is not the last: with a delimiter, and
/// padded to four bytes.
pub(crate) const fn subframe(bytes: u32) -> u32 {
    4 + bytes.next_multiple_of(4)
}

/// LLC and SNAP headers of a packet, bytes.
const LLC: u32 = 8;
/// Subframe header of each packet in an A-MSDU (addresses and length), bytes.
const MSDU_HEADER: u32 = 14;
/// Longest MPDU in an A-MPDU of HT (8.6.1), bytes.
const LONGEST_MPDU: u32 = 4095;
/// Longest MPDU of VHT and HE (8.3.2.1 of 802.11ac), bytes.
const LONGEST_VHT_MPDU: u32 = 11_454;

/// Returns the length of the body of an A-MSDU after adding a packet of `bytes` bytes; `body` is the length before.
/// All packets but the last are padded to four bytes.
const fn joined(body: u32, bytes: u32) -> u32 {
    body.next_multiple_of(4) + MSDU_HEADER + LLC + bytes
}

/// Groups packets by MPDU, in order.
pub(crate) fn mpdus(packets: &[Msdu]) -> impl Iterator<Item = &[Msdu]> {
    packets.chunk_by(|_, next| next.joined)
}

/// Returns the length of an MPDU with these packets, bytes. `header` is the number of bytes that a data frame adds
/// to a single packet.
pub(crate) fn length(packets: &[Msdu], header: u32) -> u32 {
    match packets {
        [alone] => alone.queued.payload.bytes() + header,
        _ => header - LLC + packets.iter().fold(0, |body, msdu| joined(body, msdu.queued.payload.bytes())),
    }
}

/// Length of an A-MPDU under construction: number of MPDUs, bytes before the last MPDU, and bytes of the last.
#[derive(Clone, Copy, Default)]
struct Growing {
    parts: u32,
    before: u32,
    last: u32,
}

impl Growing {
    /// Returns the length of the A-MPDU, bytes; the last MPDU has no padding.
    const fn bytes(self) -> u32 {
        if self.parts == 0 { 0 } else { self.before.next_multiple_of(4) + 4 + self.last }
    }

    /// Returns the A-MPDU with another MPDU of `length` bytes.
    const fn with(self, length: u32) -> Self {
        Self { parts: self.parts + 1, before: self.bytes(), last: length }
    }

    /// Returns the A-MPDU with the length of the last MPDU changed to `length` bytes.
    const fn grown(self, length: u32) -> Self {
        Self { last: length, ..self }
    }
}

/// Limits of a data frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes that a data frame adds to an IP packet.
    pub(crate) header: u32,
    /// Delimiter of a data frame with a single MPDU, bytes: 4 in VHT and HE, else 0.
    pub(crate) delimiter: u32,
    /// Length of the longest A-MPDU that does not exceed the longest duration, bytes.
    pub(crate) longest: u32,
}

/// Data frame under construction, with one or more MPDUs.
struct Filling {
    frame: Growing,
    /// Number of MPDUs in the window of the Block ACK, including those that this frame does not carry.
    window: u32,
    /// Length of the body of the last MPDU as an A-MSDU; `None` if no packet may join that MPDU.
    body: Option<u32>,
    /// True if no packet may be added any more.
    full: bool,
    header: u32,
    /// Limits: `bytes` of the A-MPDU, `frames` (number of MPDUs), and `amsdu` (bytes of an A-MSDU).
    bytes: u32,
    frames: u32,
    amsdu: u32,
}

impl Filling {
    const fn fits(&self, frame: Growing) -> bool {
        frame.parts == 1 || (frame.bytes() <= self.bytes && frame.parts <= self.frames)
    }

    /// Adds the MPDUs that were sent before and are neither acknowledged nor expired, as many as fit.
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

    /// Adds a new packet or message. Returns true if it joins the last MPDU, false if it has an MPDU of its own, and
    /// `None` if it does not fit.
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

    /// Adds packets for `via` from the queue, as many as fit. If the frame is a retransmission (`again`), the search
    /// ends at a packet for another receiver, so that other receivers get their turn.
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

/// Decides the contents of an EDCAF's next data frame: one packet or, with aggregation, as many as fit.
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
