//! Settings of a video: a trace, or without one a steady stream of pictures of one size.

use super::frames::{Frames, LARGEST, MOST_PACKETS};
use crate::carriage::{Carriage, Marks, PAYLOADS};
use base::video::{Frame, FrameKind};
use base::{DataRate, Duration};
use settings::Size;
use settings::{Error, Settings};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A video. Once read it has its `frames`, however it was given.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(complete, no_default)]
pub struct Config {
    /// A file in EvalVid's format: on each line a frame's number, kind (H, I, P or B), size in bytes, packets, and time in
    /// seconds.
    pub trace: Option<String>,
    /// The file's content: each frame as kind, size, packets and microseconds since the one before, "I3036/3@0
    /// P659/1@40000". Filled in when the file is read.
    pub frames: Option<Frames>,
    /// With a trace: it starts over after this long.
    #[setting(absent = "it is sent once")]
    pub repeat: Option<Duration>,
    /// Without a trace: rate of payload.
    #[setting(range = DataRate::RANGE, value = "rate", absent = "\"300kbps\"")]
    pub rate: Option<DataRate>,
    /// Without a trace: pictures in a second.
    #[setting(range = RATES_OF_PICTURES, absent = "30")]
    pub fps: Option<f64>,
    /// Without a trace: kinds of the pictures of a group, in order of coding.
    #[setting(absent = "\"IPBBPBBPBB\"")]
    pub gop: Option<String>,
    /// Payload of a packet, at most.
    #[setting(form = Size, range = PAYLOADS, absent = "\"1024B\", with a trace as its column of packets says")]
    pub packet: Option<u32>,
    /// Transport of the packets.
    #[setting(flatten)]
    pub carriage: Carriage,
    /// Marks of datagrams.
    #[setting(flatten)]
    pub marks: Marks,
    /// A frame that is complete later than this after it was written is of no use to the decoder.
    #[setting(absent = "it waits")]
    pub playout: Option<Duration>,
    /// For the estimate of quality: PSNR in dB of a picture as coded.
    #[setting(default = 35.0, range = 1.0..=100.0)]
    pub quality: f64,
    /// For the estimate of quality: growth of the mean squared error with each further picture that is not decodable.
    /// The last decodable one stays on the screen meanwhile.
    #[setting(default = 30.0, range = 0.0..=65_025.0)]
    pub motion: f64,
}

/// Bounds of pictures in a second.
const RATES_OF_PICTURES: RangeInclusive<f64> = 1.0..=1000.0;
/// Defaults of a steady stream: bit/s of payload, pictures in a second, a group of pictures, bytes of payload in a
/// packet (EvalVid's: 1052 with IPv4 and UDP).
const RATE_BPS: u64 = 300_000;
const FPS: f64 = 30.0;
const GOP: &str = "IPBBPBBPBB";
const PACKET: u32 = 1024;
/// The most pictures in a group.
const LONGEST_GOP: usize = 10_000;

impl Config {
    /// Returns its frames, in order of time.
    pub fn frames(&self) -> Arc<[Frame]> {
        self.frames.as_ref().map(|Frames(frames)| Arc::clone(frames)).unwrap_or_default()
    }

    /// Returns the largest payload of a packet, bytes.
    pub fn largest(&self) -> u32 {
        let frames = self.frames.iter().flat_map(|Frames(frames)| frames.iter());
        frames.map(|frame| frame.payload(0, self.packet)).max().unwrap_or_default()
    }

    fn complete(&mut self) -> Result<(), Error> {
        match (self.frames.take(), &self.trace) {
            (Some(frames), _) => self.cut(frames)?,
            (None, Some(_)) => {
                let allowed = "a scenario read from a file, or `frames` beside it";
                return Err(Error::new("trace", "the trace has not been read").allowed(allowed));
            }
            (None, None) => self.flow_steadily()?,
        }
        self.trace = None;
        if self.frames().iter().any(|frame| frame.packets > MOST_PACKETS) {
            let message = format!("a frame is more than {MOST_PACKETS} packets");
            return Err(Error::new("packet", message).allowed("larger packets"));
        }
        let largest = self.largest();
        if !PAYLOADS.contains(&largest) {
            let message = format!("a packet carries 1 to {} bytes", PAYLOADS.end());
            return Err(Error::new("packet", message).allowed("like \"1000B\""));
        }
        self.carriage.complete(&mut self.marks, largest)
    }

    /// Takes the frames of a trace, cut into packets of the given size.
    fn cut(&mut self, frames: Frames) -> Result<(), Error> {
        let of_steady =
            [("rate", self.rate.is_some()), ("fps", self.fps.is_some()), ("gop", self.gop.is_some())];
        if let Some((key, _)) = of_steady.into_iter().find(|(_, given)| *given) {
            let message = "a trace says when its frames go and how large they are";
            return Err(Error::new(key, message).allowed(format!("no `{key}`, or no trace")));
        }
        let last = frames.0.last().map_or(Duration::ZERO, |frame| frame.at);
        if self.repeat.is_some_and(|repeat| repeat <= last) {
            let message = format!("the last frame is there {last} after the first");
            return Err(Error::new("repeat", message).allowed("a longer time"));
        }
        let packets = |frame: &Frame| self.packet.map_or(frame.packets, |most| frame.size.div_ceil(most));
        let cut = frames.0.iter().map(|frame| Frame { packets: packets(frame), ..*frame });
        self.frames = Some(Frames(cut.collect()));
        Ok(())
    }

    /// Makes the frames of a steady stream: a group of pictures over and over, all of the same size to the byte.
    fn flow_steadily(&mut self) -> Result<(), Error> {
        if self.repeat.is_some() {
            let message = "a steady stream goes on as it is";
            return Err(Error::new("repeat", message).allowed("`repeat` with a trace, or no `repeat`"));
        }
        let (bps, fps) = (self.rate.map_or(RATE_BPS, DataRate::bps), self.fps.unwrap_or(FPS));
        if bps as f64 / 8.0 / fps > f64::from(LARGEST) {
            let message = "a picture is larger than 64 MiB";
            return Err(Error::new("rate", message).allowed("a lower rate, or more pictures"));
        }
        let kinds = group(self.gop.as_deref().unwrap_or(GOP))?;
        let packet = *self.packet.get_or_insert(PACKET);
        // Bytes and time of the first n pictures.
        let bytes = |n: usize| (bps as f64 / 8.0 / fps * n as f64) as u64;
        let time = |n: usize| Duration::from_secs_f64(n as f64 / fps);
        let frames = kinds.iter().enumerate().map(|(n, kind)| {
            let size = (bytes(n + 1) - bytes(n)).max(1) as u32;
            Frame { at: time(n), kind: *kind, size, packets: size.div_ceil(packet) }
        });
        self.frames = Some(Frames(frames.collect()));
        // Rounded up to a picosecond: the n-th second ends before the pictures of the next one.
        let exact = kinds.len() as f64 * base::time::PS_PER_S as f64 / fps;
        let whole = exact as u64;
        self.repeat = Some(Duration::from_ps(whole + u64::from(exact > whole as f64)));
        (self.rate, self.fps, self.gop) = (None, None, None);
        Ok(())
    }
}

/// Returns the kinds of a group of pictures.
fn group(letters: &str) -> Result<Vec<FrameKind>, Error> {
    let kind = |letter: char| {
        FrameKind::by_letter(letter.encode_utf8(&mut [0; 4])).filter(|kind| *kind != FrameKind::Header)
    };
    let problem = match letters.chars().map(kind).collect::<Option<Vec<_>>>() {
        None => "a picture is none of I, P and B",
        Some(kinds) if kinds.first() != Some(&FrameKind::I) => "a group of pictures begins with an I",
        Some(kinds) if kinds.len() > LONGEST_GOP => "more than 10000 pictures",
        Some(kinds) => return Ok(kinds),
    };
    Err(Error::new("gop", problem).allowed("letters I, P and B, an I first, like \"IPBBPBBPBB\""))
}
