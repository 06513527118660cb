//! A video: frames at given times, each cut into packets that leave together.

use base::video::{Frame, FrameKind};
use base::{Duration, Instant};
use std::sync::Arc;

/// A video to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Video {
    /// Its frames, in order of time; at least one.
    pub frames: Arc<[Frame]>,
    /// Most payload of a packet; parts as equal as can be where `None`.
    pub packet: Option<u32>,
    /// It starts over after this long, no earlier than its last frame; once only where `None`.
    pub repeat: Option<Duration>,
}

impl Video {
    /// A steady stream of `bps` bit/s: a group of pictures of the given kinds over and over, `fps` pictures a second, all of the
    /// same size to the byte, in packets of at most `packet` bytes.
    pub fn steady(bps: u64, fps: f64, kinds: &[FrameKind], packet: u32) -> Self {
        // Bytes and time of the first n pictures.
        let bytes = |n: usize| (bps as f64 / 8.0 / fps * n as f64) as u64;
        let time = |n: usize| Duration::from_secs_f64(n as f64 / fps);
        let frames = kinds.iter().enumerate().map(|(n, kind)| {
            let size = (bytes(n + 1) - bytes(n)).max(1) as u32;
            Frame { at: time(n), kind: *kind, size, packets: size.div_ceil(packet) }
        });
        // Rounded up to a picosecond: the n-th second ends before the pictures of the next one.
        let exact = kinds.len() as f64 * base::time::PS_PER_S as f64 / fps;
        let whole = exact as u64;
        let repeat = Duration::from_ps(whole + u64::from(exact > whole as f64));
        Self { frames: frames.collect(), packet: Some(packet), repeat: Some(repeat) }
    }
}

/// A video being sent.
#[derive(Clone, Debug)]
pub struct Playing {
    video: Video,
    began: Instant,
    frame: usize,
    part: u32,
}

impl Playing {
    /// A video that has not begun.
    pub fn new(video: &Video) -> Self {
        Self { video: video.clone(), began: Instant::ZERO, frame: 0, part: 0 }
    }

    /// The video begins at `now`; returns when its first packet goes.
    pub fn begin(&mut self, now: Instant) -> Instant {
        self.began = now;
        self.due()
    }

    /// Payload of the packet that goes next.
    pub fn payload(&self) -> u32 {
        self.video.frames[self.frame].payload(self.part, self.video.packet)
    }

    /// When the next packet goes after the one at hand; never where there is none.
    pub fn advance(&mut self) -> Instant {
        self.part += 1;
        if self.part == self.video.frames[self.frame].packets {
            self.part = 0;
            self.frame += 1;
        }
        if self.frame == self.video.frames.len() {
            let Some(repeat) = self.video.repeat else {
                // What is asked for past the end is the last frame's again.
                self.frame -= 1;
                return Instant::MAX;
            };
            self.frame = 0;
            self.began = self.began.saturating_add(repeat);
        }
        self.due()
    }

    fn due(&self) -> Instant {
        self.began.saturating_add(self.video.frames[self.frame].at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FrameKind::{B, I, P};

    #[test]
    fn a_steady_stream_has_its_rate() {
        let video = Video::steady(300_000, 30.0, &[I, P, B, B], 1024);
        let mut playing = Playing::new(&video);
        let mut due = playing.begin(Instant::ZERO);
        let (mut bytes, mut packets) = (0, 0);
        while due < Instant::ZERO + Duration::from_secs(60) {
            bytes += u64::from(playing.payload());
            packets += 1;
            due = playing.advance();
        }
        // 1250 B a picture: one packet of 1024 B and one of 226 B.
        assert_eq!((bytes, packets), (60 * 300_000 / 8, 60 * 30 * 2));
    }

    #[test]
    fn a_trace_ends_or_starts_over() {
        let ms = Duration::from_ms;
        let frame = |at, size, packets| Frame { at: ms(at), kind: I, size, packets };
        let frames: Arc<[Frame]> = Arc::new([frame(0, 1500, 2), frame(40, 10, 1)]);
        let sent = |repeat| {
            let video = Video { frames: Arc::clone(&frames), packet: None, repeat };
            let mut playing = Playing::new(&video);
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
