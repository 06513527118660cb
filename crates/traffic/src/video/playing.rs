//! The source of a video's packets.

use super::config::Config;
use base::video::Frame;
use base::{Duration, Instant};
use std::sync::Arc;

/// State of a video that is being sent.
#[derive(Clone, Debug)]
pub struct Playing {
    /// Frames in order of time; at least one.
    frames: Arc<[Frame]>,
    /// Largest payload of a packet, bytes. If it is `None`, a frame is split into parts that differ by at
    /// most one byte.
    packet: Option<u32>,
    /// Period after which the video starts over, no earlier than its last frame; `None` if the video is sent
    /// once.
    repeat: Option<Duration>,
    began: Instant,
    frame: usize,
    part: u32,
}

impl Playing {
    /// Creates the source of a video, not started.
    pub fn new(video: &Config) -> Self {
        Self::of(video.frames(), video.packet, video.repeat)
    }

    fn of(frames: Arc<[Frame]>, packet: Option<u32>, repeat: Option<Duration>) -> Self {
        Self { frames, packet, repeat, began: Instant::ZERO, frame: 0, part: 0 }
    }

    /// Starts the video at `now`; returns the time of the first packet.
    pub fn begin(&mut self, now: Instant) -> Instant {
        self.began = now;
        self.due()
    }

    /// Returns the payload of the next packet, bytes.
    pub fn payload(&self) -> u32 {
        self.frames[self.frame].payload(self.part, self.packet)
    }

    /// Moves to the next packet and returns its time; `Instant::MAX` if there is none.
    pub fn advance(&mut self) -> Instant {
        self.part += 1;
        if self.part == self.frames[self.frame].packets {
            self.part = 0;
            self.frame += 1;
        }
        if self.frame == self.frames.len() {
            let Some(repeat) = self.repeat else {
                // After the end, the last frame stays the current one.
                self.frame -= 1;
                return Instant::MAX;
            };
            self.frame = 0;
            self.began = self.began.saturating_add(repeat);
        }
        self.due()
    }

    fn due(&self) -> Instant {
        self.began.saturating_add(self.frames[self.frame].at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::video::FrameKind::I;
    use settings::{Node, Setting};

    #[test]
    fn a_steady_stream_has_its_rate() {
        let video = Config::read(&Node::from_toml("gop = \"IPBB\"").expect("TOML")).expect("a video");
        let mut playing = Playing::new(&video);
        let mut due = playing.begin(Instant::ZERO);
        let (mut bytes, mut packets) = (0, 0);
        while due < Instant::ZERO + Duration::from_secs(60) {
            bytes += u64::from(playing.payload());
            packets += 1;
            due = playing.advance();
        }
        // A picture has 1250 bytes, sent in a packet of 1024 and one of 226 bytes.
        assert_eq!((bytes, packets), (60 * 300_000 / 8, 60 * 30 * 2));
    }

    #[test]
    fn a_trace_ends_or_starts_over() {
        let ms = Duration::from_ms;
        let frame = |at, size, packets| Frame { at: ms(at), kind: I, size, packets };
        let frames: Arc<[Frame]> = Arc::new([frame(0, 1500, 2), frame(40, 10, 1)]);
        let sent = |repeat| {
            let mut playing = Playing::of(Arc::clone(&frames), None, repeat);
            let mut due = playing.begin(Instant::ZERO + ms(5));
            let mut sent = Vec::new();
            while due < Instant::ZERO + ms(100) {
                sent.push((due.ps() / 1_000_000_000, playing.payload()));
                due = playing.advance();
            }
            sent
        };
        assert_eq!(sent(None), [(5, 750), (5, 750), (45, 10)]);
        assert_eq!(sent(Some(ms(50))), [(5, 750), (5, 750), (45, 10), (55, 750), (55, 750), (95, 10)]);
    }
}
