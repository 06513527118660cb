//! Frames of a video.

use crate::time::Duration;

/// Kind of a video frame, by the frames from which it is predicted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum FrameKind {
    /// Header of the stream, needed to decode every later frame.
    Header,
    /// Intra-coded frame: decoded without other frames.
    I,
    /// Predicted from the last I or P frame before it.
    P,
    /// Predicted from the last two I or P frames before it.
    B,
}

impl FrameKind {
    /// Every kind, in the order of result tables.
    pub const ALL: [Self; 4] = [Self::Header, Self::I, Self::P, Self::B];

    /// Returns the kind's letter in EvalVid's traces.
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Header => "H",
            Self::I => "I",
            Self::P => "P",
            Self::B => "B",
        }
    }

    /// Returns the kind with this letter; `None` for any other text.
    pub fn by_letter(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == text)
    }
}

/// A frame of a video. Frames are sent in coding order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Time of sending, from the start of the video.
    pub at: Duration,
    /// Kind, which determines the frames needed to decode this one.
    pub kind: FrameKind,
    /// Size, bytes.
    pub size: u32,
    /// Number of packets into which the frame is split.
    pub packets: u32,
}

impl Frame {
    /// Returns the payload of the frame's packet number `part`, from 0, bytes. If `packet` is given, every
    /// packet but the last has this payload; otherwise payloads differ by at most one byte.
    pub fn payload(&self, part: u32, packet: Option<u32>) -> u32 {
        match packet {
            Some(packet) => packet.min(self.size - part * packet),
            None => self.size / self.packets + u32::from(part < self.size % self.packets),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_in_packets() {
        let frame = Frame { at: Duration::ZERO, kind: FrameKind::I, size: 2500, packets: 3 };
        assert_eq!([0, 1, 2].map(|part| frame.payload(part, Some(1000))), [1000, 1000, 500]);
        assert_eq!([0, 1, 2].map(|part| frame.payload(part, None)), [834, 833, 833]);
        assert_eq!(FrameKind::by_letter("P"), Some(FrameKind::P));
        assert_eq!(FrameKind::by_letter("p"), None);
    }
}
