//! Videos: frames in order, in packets that can be carried.

use super::flows::Carried;
use super::links;
use crate::model::{Judging, Source, Video};
use crate::scenario::ScenarioError;
use crate::scenario::files;
use crate::scenario::wire::scalar::{Size, Time};
use crate::scenario::wire::traffic;
use base::video::{Frame, FrameKind};
use base::{Bytes, Duration};

/// What a video is where nothing else is said.
const RATE_BPS: u64 = 300_000;
const FPS: f64 = 30.0;
const GOP: &str = "IPBBPBBPBB";
/// EvalVid's packets: with IPv4 and UDP 1052 bytes.
const PACKET: u64 = 1024;
const QUALITY: f64 = 35.0;
const MOTION: f64 = 30.0;
/// The most pictures in a group.
const LONGEST_GOP: usize = 10_000;

/// The source of a video's packets, and how they are carried.
pub(super) fn source(given: &traffic::Video, path: &str) -> Result<(Carried, Source), ScenarioError> {
    let carried = Carried { transport: given.transport, header: given.header, ecn: given.ecn };
    let path_of = |key: &str| format!("{path}.traffic.{key}");
    let video = match (&given.frames, &given.trace) {
        (Some(frames), _) => traced(given, frames, &path_of)?,
        (None, Some(_)) => {
            let message = "the trace has not been read";
            return Err(ScenarioError::new(path_of("trace"), message)
                .allowed("a scenario read from a file, or `frames` beside it"));
        }
        (None, None) => steady(given, &path_of)?,
    };
    if video.frames.iter().any(|frame| frame.packets > files::MOST_PACKETS) {
        let message = format!("a frame is more than {} packets", files::MOST_PACKETS);
        return Err(ScenarioError::new(path_of("packet"), message).allowed("larger packets"));
    }
    let payload = |frame: &Frame| u64::from(frame.payload(0, video.packet));
    carried.fits(video.frames.iter().map(payload).max().unwrap_or(0), path)?;
    let number =
        |key: &str, value: Option<f64>, default: f64, least: f64, most: f64| match value.unwrap_or(default) {
            value if (least..=most).contains(&value) => Ok(value),
            _ => Err(ScenarioError::new(path_of(key), "out of range").allowed(format!("{least} to {most}"))),
        };
    let judging = Judging {
        playout: given.playout.map(|Time(time)| time),
        quality: number("quality", given.quality, QUALITY, 1.0, 100.0)?,
        motion: number("motion", given.motion, MOTION, 0.0, 65_025.0)?,
    };
    Ok((carried, Source::Video { video, judging }))
}

fn steady(given: &traffic::Video, path: &dyn Fn(&str) -> String) -> Result<Video, ScenarioError> {
    if given.repeat.is_some() {
        let message = "a steady stream goes on as it is";
        return Err(
            ScenarioError::new(path("repeat"), message).allowed("`repeat` with a trace, or no `repeat`")
        );
    }
    let bps = match given.rate {
        Some(rate) => links::rate(rate.0, &path("rate"))?.bps(),
        None => RATE_BPS,
    };
    let fps = given.fps.unwrap_or(FPS);
    if !(1.0..=1000.0).contains(&fps) {
        return Err(ScenarioError::new(path("fps"), "out of range").allowed("1 to 1000 pictures in a second"));
    }
    if bps as f64 / 8.0 / fps > f64::from(files::LARGEST_FRAME) {
        let message = "a picture is larger than 64 MiB";
        return Err(ScenarioError::new(path("rate"), message).allowed("a lower rate, or more pictures"));
    }
    let gop = given.gop.as_deref().unwrap_or(GOP);
    let kinds: Option<Vec<FrameKind>> = gop
        .chars()
        .map(|letter| {
            FrameKind::by_letter(letter.encode_utf8(&mut [0; 4])).filter(|k| *k != FrameKind::Header)
        })
        .collect();
    let wrong = |message: &str| {
        let allowed = "letters I, P and B, an I first, like \"IPBBPBBPBB\"";
        Err(ScenarioError::new(path("gop"), message.to_owned()).allowed(allowed))
    };
    match kinds {
        None => wrong("a picture is none of I, P and B"),
        Some(kinds) if kinds.first() != Some(&FrameKind::I) => wrong("a group of pictures begins with an I"),
        Some(kinds) if kinds.len() > LONGEST_GOP => wrong("more than 10000 pictures"),
        Some(kinds) => Ok(Video::steady(bps, fps, &kinds, packet(given, path)?.unwrap_or(PACKET as u32))),
    }
}

/// The most payload of a packet, where it is given.
fn packet(given: &traffic::Video, path: &dyn Fn(&str) -> String) -> Result<Option<u32>, ScenarioError> {
    match given.packet {
        None => Ok(None),
        Some(Size(Bytes(bytes @ 1..=65_535))) => Ok(Some(bytes as u32)),
        Some(_) => {
            let message = "a packet carries 1 to 65535 bytes";
            Err(ScenarioError::new(path("packet"), message).allowed("like \"1024B\""))
        }
    }
}

fn traced(given: &traffic::Video, text: &str, path: &dyn Fn(&str) -> String) -> Result<Video, ScenarioError> {
    let steady_only =
        [("rate", given.rate.is_some()), ("fps", given.fps.is_some()), ("gop", given.gop.is_some())];
    if let Some((key, _)) = steady_only.into_iter().find(|(_, given)| *given) {
        let message = "a trace says when its frames go and how large they are";
        return Err(ScenarioError::new(path(key), message).allowed(format!("no `{key}`, or no trace")));
    }
    let Some(mut frames) = files::frames(text) else {
        let allowed = "what reading a trace writes: \"I3036/3@0 P659/1@40000\"";
        return Err(ScenarioError::new(path("frames"), "these are no frames of a video").allowed(allowed));
    };
    let packet = packet(given, path)?;
    if let Some(packet) = packet {
        for frame in &mut frames {
            frame.packets = frame.size.div_ceil(packet);
        }
    }
    let last = frames.last().map_or(Duration::ZERO, |frame| frame.at);
    let repeat = given.repeat.map(|Time(time)| time);
    if repeat.is_some_and(|repeat| repeat <= last) {
        let message = format!("the last frame is there {last} after the first");
        return Err(ScenarioError::new(path("repeat"), message).allowed("a longer time"));
    }
    Ok(Video { frames: frames.into(), packet, repeat })
}
