//! Frames of a video.

use crate::time::Duration;

/// A kind of frame, by the frames that it is coded from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum FrameKind {
    /// The stream's header, which everything after it needs.
    Header,
    /// Coded from itself alone.
    I,
    /// Coded from the last I or P frame before it.
    P,
    /// Coded from the last two I or P frames before it.
    B,
}

impl FrameKind {
    /// Every kind, in the order of tables.
    pub const ALL: [Self; 4] = [Self::Header, Self::I, Self::P, Self::B];

    /// Returns its letter in EvalVid's traces.
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Header => "H",
            Self::I => "I",
            Self::P => "P",
            Self::B => "B",
        }
    }

    /// Returns the kind of a letter; `None` for any other text.
    pub fn by_letter(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == text)
    }
}

/// A frame of a video, in the order in which frames are sent, which is that of coding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Its time, from the start of the video.
    pub at: Duration,
    /// Its kind.
    pub kind: FrameKind,
    /// Its length, bytes.
    pub size: u32,
    /// Packets that it is cut into.
    pub packets: u32,
}

impl Frame {
    /// Returns the payload of the frame's packet number `part`, from 0, bytes. If `packet` is given, every packet but
    /// the last has this payload; if not, the payloads differ by one byte at most.
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
