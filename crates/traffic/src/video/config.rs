//! Settings of a video: frames from a trace, or a stream of pictures at a constant bit rate.

use super::frames::{Frames, LARGEST, MOST_PACKETS};
use crate::carriage::{Carriage, Marks, PAYLOADS};
use base::video::{Frame, FrameKind};
use base::{DataRate, Duration};
use settings::Size;
use settings::{Error, Settings};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Settings of a video. After reading, `frames` is set with or without a trace.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(complete, no_default)]
pub struct Config {
    /// File in EvalVid's format. Each line has a frame: number, kind (H, I, P or B), size in bytes, number of
    /// packets, and time in seconds.
    pub trace: Option<String>,
    /// Content of the file: each frame as kind, size, packets and microseconds since the frame before, such
    /// as "I3036/3@0 P659/1@40000". Filled in when the file is read.
    pub frames: Option<Frames>,
    /// With a trace: period after which the trace starts over.
    #[setting(absent = "it is sent once")]
    pub repeat: Option<Duration>,
    /// Without a trace: rate of payload.
    #[setting(range = DataRate::RANGE, value = "rate", absent = "\"300kbps\"")]
    pub rate: Option<DataRate>,
    /// Without a trace: pictures per second.
    #[setting(range = RATES_OF_PICTURES, absent = "30")]
    pub fps: Option<f64>,
    /// Without a trace: kinds of the pictures in a group of pictures, in coding order.
    #[setting(absent = "\"IPBBPBBPBB\"")]
    pub gop: Option<String>,
    /// Largest payload of a packet.
    #[setting(form = Size, range = PAYLOADS, absent = "\"1024B\", or from the trace's column of packets")]
    pub packet: Option<u32>,
    /// Transport of the packets.
    #[setting(flatten)]
    pub carriage: Carriage,
    /// ECN field of datagrams.
    #[setting(flatten)]
    pub marks: Marks,
    /// Longest time from the writing of a frame to its completion with which the decoder can still use the
    /// frame.
    #[setting(absent = "it waits")]
    pub playout: Option<Duration>,
    /// Estimate of quality: PSNR in dB of a picture as coded.
    #[setting(default = 35.0, range = 1.0..=100.0)]
    pub quality: f64,
    /// Estimate of quality: increase of the mean squared error with each further picture that is not
    /// decodable, while the last decodable picture stays on the screen.
    #[setting(default = 30.0, range = 0.0..=65_025.0)]
    pub motion: f64,
}

/// Bounds of `fps`, pictures per second.
const RATES_OF_PICTURES: RangeInclusive<f64> = 1.0..=1000.0;
/// Defaults of a video without a trace: payload in bit/s, pictures per second, group of pictures, payload of
/// a packet in bytes (with headers of IPv4 and UDP this is EvalVid's 1052).
const RATE_BPS: u64 = 300_000;
const FPS: f64 = 30.0;
const GOP: &str = "IPBBPBBPBB";
const PACKET: u32 = 1024;
/// Largest number of pictures in a group.
const LONGEST_GOP: usize = 10_000;

impl Config {
    /// Returns the frames, in order of time.
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

    /// Sets `frames` to the frames of a trace, split into packets of at most `packet` bytes, or into as many
    /// as the trace says.
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

    /// Sets `frames` to one group of pictures, which is repeated. All pictures have the same size, to within
    /// one byte.
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
        // Bytes and duration of the first n pictures.
        let bytes = |n: usize| (bps as f64 / 8.0 / fps * n as f64) as u64;
        let time = |n: usize| Duration::from_secs_f64(n as f64 / fps);
        let frames = kinds.iter().enumerate().map(|(n, kind)| {
            let size = (bytes(n + 1) - bytes(n)).max(1) as u32;
            Frame { at: time(n), kind: *kind, size, packets: size.div_ceil(packet) }
        });
        self.frames = Some(Frames(frames.collect()));
        // The period is rounded up to a picosecond, so that it does not end before the last picture.
        let exact = kinds.len() as f64 * base::time::PS_PER_S as f64 / fps;
        let whole = exact as u64;
        self.repeat = Some(Duration::from_ps(whole + u64::from(exact > whole as f64)));
        (self.rate, self.fps, self.gop) = (None, None, None);
        Ok(())
    }
}

/// Parses the kinds of the pictures in a group.
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
