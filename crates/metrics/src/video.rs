//! What a receiver makes of a video: EvalVid's quantities, per packet and per frame, and an estimate of quality.
//!
//! A packet's delay runs from the application's write to its delivery: over UDP to its arrival, over TCP until it is in
//! order. A frame is complete when all its packets are delivered, and its delay is that of the last of them. It is
//! decodable when it is complete, in time for the play-out where that is bounded, and so is everything that it is coded
//! from: the header, the last I or P frame for a P frame, the last two for a B frame, in order of coding.
//!
//! Quality (an estimate: no picture is decoded here). A decodable frame is shown as coded, with an error of
//! `MSE_0 = 255^2 / 10^(quality / 10)`. In place of another the last decodable one stays on the screen, and the longer it
//! stays, the less the scene is like it: `MSE = MSE_0 + motion * n` for the n-th frame in a row that is not decodable.
//! `PSNR = 10 log10(255^2 / MSE)`. Each frame's PSNR is an opinion score by EvalVid's table: above 37 dB 5, above 31 dB 4,
//! above 25 dB 3, above 20 dB 2, else 1. Both are means over frames.
//!
//! Klaue, Rathke and Wolisz 2003 (EvalVid).

use crate::stats::DelayStats;
use crate::table::{Column, Table};
use base::video::{Frame, FrameKind};
use base::{Duration, Instant};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The largest value of a sample of eight bits, squared.
const PEAK: f64 = 255.0 * 255.0;

/// A packet of a video: what became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VideoPacket {
    /// When the application wrote it.
    pub written: Instant,
    /// When it was delivered to the other application.
    pub delivered: Option<Instant>,
}

/// How a video is judged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judging {
    /// A frame later than this is of no use; `None`: the receiver waits.
    pub playout: Option<Duration>,
    /// Quality of a decodable frame, PSNR in dB.
    pub quality: f64,
    /// How much the error grows with each frame that a picture stays, as mean squared error.
    pub motion: f64,
}

/// The packets of one flow's video, in order of writing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VideoLog(Vec<VideoPacket>);

impl VideoLog {
    /// The application writes the next packet.
    pub fn on_write(&mut self, now: Instant) {
        self.0.push(VideoPacket { written: now, delivered: None });
    }

    /// Packet `number` is delivered; if it was before, that counts.
    pub fn on_delivered(&mut self, now: Instant, number: u64) {
        if let Some(packet) = self.0.get_mut(number as usize) {
            packet.delivered.get_or_insert(now);
        }
    }
}

/// The summary of a video's frames of one kind, or of all.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "each field is defined in the glossary under its name")]
pub struct VideoSummary {
    pub frames_of: &'static str,
    pub packets: u64,
    pub lost_packets: u64,
    pub packet_loss_ratio: Option<f64>,
    pub packet_delay_mean_s: Option<f64>,
    pub packet_delay_max_s: Option<f64>,
    pub packet_jitter_mean_s: Option<f64>,
    pub packet_gap_variance_s2: Option<f64>,
    pub frames: u64,
    pub complete_frames: u64,
    pub frame_loss_ratio: Option<f64>,
    pub frame_delay_mean_s: Option<f64>,
    pub frame_delay_max_s: Option<f64>,
    pub frame_jitter_mean_s: Option<f64>,
    pub frame_gap_variance_s2: Option<f64>,
    pub decodable_frames: u64,
    pub decodable_ratio: Option<f64>,
    pub psnr_mean_db: Option<f64>,
    pub mos_mean: Option<f64>,
}

/// Delays and gaps of arrivals in order of number.
#[derive(Clone, Copy, Debug, Default)]
struct Arrivals {
    delay: DelayStats,
    last: Option<Instant>,
    gaps: u64,
    sum: f64,
    squares: f64,
}

impl Arrivals {
    fn add(&mut self, written: Instant, delivered: Instant) {
        self.delay.add(delivered.since(written));
        if let Some(last) = self.last {
            // Negative where the later one overtook.
            let gap = (delivered.ps() as f64 - last.ps() as f64) / base::time::PS_PER_S as f64;
            self.gaps += 1;
            self.sum += gap;
            self.squares += gap * gap;
        }
        self.last = Some(delivered);
    }

    fn gap_variance(&self) -> Option<f64> {
        let n = self.gaps as f64;
        (self.gaps > 0).then(|| (self.squares / n - (self.sum / n) * (self.sum / n)).max(0.0))
    }
}

/// Counts of one kind of frame.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    packets: u64,
    lost: u64,
    of_packets: Arrivals,
    frames: u64,
    complete: u64,
    of_frames: Arrivals,
    decodable: u64,
    psnr: f64,
    mos: u64,
    pictures: u64,
}

/// What has been decoded so far.
struct Decoder {
    judging: Judging,
    header: bool,
    /// The last two I and P frames, the last one first; before the second is there, nothing is wrong with it.
    references: [bool; 2],
    /// Frames in a row that were not decodable.
    frozen: u32,
}

impl Decoder {
    /// Whether a frame can be decoded that `arrived` in time or not.
    fn decodable(&mut self, kind: FrameKind, arrived: bool) -> bool {
        let [last, before] = self.references;
        let found = arrived
            && match kind {
                FrameKind::Header => true,
                FrameKind::I => self.header,
                FrameKind::P => self.header && last,
                FrameKind::B => self.header && last && before,
            };
        match kind {
            FrameKind::Header => self.header &= found,
            FrameKind::I | FrameKind::P => self.references = [found, last],
            FrameKind::B => {}
        }
        found
    }

    /// PSNR in dB of what is on the screen after a frame.
    fn psnr(&mut self, decodable: bool) -> f64 {
        self.frozen = if decodable { 0 } else { self.frozen + 1 };
        let coded = PEAK / libm::pow(10.0, self.judging.quality / 10.0);
        let error = coded + self.judging.motion * f64::from(self.frozen);
        10.0 * libm::log10(PEAK / error)
    }
}

/// EvalVid's opinion score of a PSNR.
fn opinion(psnr: f64) -> u64 {
    match psnr {
        p if p > 37.0 => 5,
        p if p > 31.0 => 4,
        p if p > 25.0 => 3,
        p if p > 20.0 => 2,
        _ => 1,
    }
}

/// Sums up a video whose `frames` start over after the last: a row for each kind that it has, then one for all.
///
/// A frame that was not written whole by the end counts with its packets only.
pub fn summarise(frames: &[Frame], log: &VideoLog, judging: Judging) -> Vec<VideoSummary> {
    let mut counts = [Counts::default(); FrameKind::ALL.len()];
    let mut all = Counts::default();
    let mut decoder = Decoder { judging, header: true, references: [true; 2], frozen: 0 };
    let mut rest = log.0.as_slice();
    for frame in frames.iter().cycle() {
        let (packets, after) = rest.split_at((frame.packets as usize).min(rest.len()));
        rest = after;
        let whole = packets.len() == frame.packets as usize;
        let kind = &mut counts[frame.kind as usize];
        let last = packets.iter().map(|packet| packet.delivered).max().flatten();
        let complete = whole && packets.iter().all(|packet| packet.delivered.is_some());
        let first = packets.first().map(|packet| packet.written);
        let delay = first.zip(last).map(|(written, last)| last.since(written));
        let in_time = judging.playout.is_none_or(|bound| delay.is_some_and(|delay| delay <= bound));
        let decodable = whole && decoder.decodable(frame.kind, complete && in_time);
        let psnr = (whole && frame.kind != FrameKind::Header).then(|| decoder.psnr(decodable));
        for counts in [kind, &mut all] {
            for packet in packets {
                counts.packets += 1;
                match packet.delivered {
                    Some(delivered) => counts.of_packets.add(packet.written, delivered),
                    None => counts.lost += 1,
                }
            }
            counts.frames += u64::from(whole);
            counts.complete += u64::from(complete);
            counts.decodable += u64::from(decodable);
            if let (true, Some(written), Some(last)) = (complete, first, last) {
                counts.of_frames.add(written, last);
            }
            if let Some(psnr) = psnr {
                counts.pictures += 1;
                counts.psnr += psnr;
                counts.mos += opinion(psnr);
            }
        }
        if rest.is_empty() {
            break;
        }
    }
    let kinds = FrameKind::ALL.into_iter().zip(counts);
    let present = kinds.filter(|(kind, _)| frames.iter().any(|frame| frame.kind == *kind));
    present.map(|(kind, counts)| counts.summary(kind.letter())).chain([all.summary("all")]).collect()
}

impl Counts {
    fn summary(&self, frames_of: &'static str) -> VideoSummary {
        let ratio = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let seconds = |time: Option<Duration>| time.map(Duration::secs);
        let (packet, frame) = (&self.of_packets, &self.of_frames);
        VideoSummary {
            frames_of,
            packets: self.packets,
            lost_packets: self.lost,
            packet_loss_ratio: ratio(self.lost, self.packets),
            packet_delay_mean_s: packet.delay.mean_s(),
            packet_delay_max_s: seconds(packet.delay.max()),
            packet_jitter_mean_s: packet.delay.jitter_mean_s(),
            packet_gap_variance_s2: packet.gap_variance(),
            frames: self.frames,
            complete_frames: self.complete,
            frame_loss_ratio: ratio(self.frames - self.complete, self.frames),
            frame_delay_mean_s: frame.delay.mean_s(),
            frame_delay_max_s: seconds(frame.delay.max()),
            frame_jitter_mean_s: frame.delay.jitter_mean_s(),
            frame_gap_variance_s2: frame.gap_variance(),
            decodable_frames: self.decodable,
            decodable_ratio: ratio(self.decodable, self.frames),
            psnr_mean_db: (self.pictures > 0).then(|| self.psnr / self.pictures as f64),
            mos_mean: ratio(self.mos, self.pictures),
        }
    }
}

/// The table `video`: rows of every flow that is one, each with its flow's number.
pub fn video_table<'a>(flows: impl Iterator<Item = &'a [VideoSummary]>) -> Table {
    let rows: Vec<(usize, &VideoSummary)> =
        flows.enumerate().flat_map(|(flow, rows)| rows.iter().map(move |row| (flow, row))).collect();
    let count = |value: fn(&VideoSummary) -> u64| {
        Column::Int(rows.iter().map(|(_, row)| i64::try_from(value(row)).unwrap_or(i64::MAX)).collect())
    };
    let number = |value: fn(&VideoSummary) -> Option<f64>| {
        Column::OptionalFloat(rows.iter().map(|(_, row)| value(row)).collect())
    };
    Table::new()
        .with("flow", Column::Int32(rows.iter().map(|(flow, _)| *flow as i32).collect()))
        .with("frames_of", Column::Text(rows.iter().map(|(_, row)| row.frames_of.to_owned()).collect()))
        .with("packets", count(|row| row.packets))
        .with("lost_packets", count(|row| row.lost_packets))
        .with("packet_loss_ratio", number(|row| row.packet_loss_ratio))
        .with("packet_delay_mean_s", number(|row| row.packet_delay_mean_s))
        .with("packet_delay_max_s", number(|row| row.packet_delay_max_s))
        .with("packet_jitter_mean_s", number(|row| row.packet_jitter_mean_s))
        .with("packet_gap_variance_s2", number(|row| row.packet_gap_variance_s2))
        .with("frames", count(|row| row.frames))
        .with("complete_frames", count(|row| row.complete_frames))
        .with("frame_loss_ratio", number(|row| row.frame_loss_ratio))
        .with("frame_delay_mean_s", number(|row| row.frame_delay_mean_s))
        .with("frame_delay_max_s", number(|row| row.frame_delay_max_s))
        .with("frame_jitter_mean_s", number(|row| row.frame_jitter_mean_s))
        .with("frame_gap_variance_s2", number(|row| row.frame_gap_variance_s2))
        .with("decodable_frames", count(|row| row.decodable_frames))
        .with("decodable_ratio", number(|row| row.decodable_ratio))
        .with("psnr_mean_db", number(|row| row.psnr_mean_db))
        .with("mos_mean", number(|row| row.mos_mean))
}

/// A video and what became of it, to be written as EvalVid's three traces.
#[derive(Clone, Debug)]
pub struct EvalVid {
    /// The flow's name.
    pub flow: String,
    /// The frames; they start over after the last.
    pub frames: std::sync::Arc<[Frame]>,
    /// Most payload of a packet, where that is what frames are cut by.
    pub packet: Option<u32>,
    /// The packets.
    pub log: VideoLog,
    /// Bytes that a packet has on top of its payload.
    pub header: u32,
}

impl EvalVid {
    /// Writes `<flow>-video.txt`, `<flow>-sent.txt` and `<flow>-received.txt` into `directory`; returns the paths.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, directory: &Path) -> io::Result<Vec<PathBuf>> {
        let stem = self.flow.replace(['/', '\\', ':'], "_");
        let path = |what: &str| directory.join(format!("{stem}-{what}.txt"));
        let paths = vec![path("video"), path("sent"), path("received")];
        crate::output::write_file(&paths[0], |out| self.write_video(out))?;
        crate::output::write_file(&paths[1], |out| self.write_sent(out))?;
        crate::output::write_file(&paths[2], |out| self.write_received(out))?;
        Ok(paths)
    }

    /// Each packet with its frame, number from 1 and payload.
    fn packets(&self) -> impl Iterator<Item = (usize, usize, u32, &VideoPacket)> {
        let parts = self.frames.iter().cycle().enumerate().flat_map(move |(number, frame)| {
            (0..frame.packets).map(move |part| (number, frame.payload(part, self.packet)))
        });
        parts
            .zip(&self.log.0)
            .enumerate()
            .map(|(id, ((frame, payload), packet))| (frame, id + 1, payload, packet))
    }

    /// The video trace: `number kind size packets time` of each frame that was written, the time in seconds.
    ///
    /// # Errors
    /// What `out` reports.
    pub fn write_video(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut before = None;
        for (number, _, _, packet) in self.packets() {
            if before != Some(number) {
                let Frame { kind, size, packets, .. } = self.frames[number % self.frames.len()];
                let time = packet.written.secs();
                writeln!(out, "{}\t{}\t{size}\t{packets}\t{time:.6}", number + 1, kind.letter())?;
            }
            before = Some(number);
        }
        Ok(())
    }

    /// The sender's trace: `time id number udp size` of each packet.
    ///
    /// # Errors
    /// What `out` reports.
    pub fn write_sent(&self, out: &mut dyn Write) -> io::Result<()> {
        for (_, id, payload, packet) in self.packets() {
            writeln!(out, "{:.6}\tid {id}\tudp {}", packet.written.secs(), payload + self.header)?;
        }
        Ok(())
    }

    /// The receiver's trace: the same of each packet that was delivered, in order of delivery.
    ///
    /// # Errors
    /// What `out` reports.
    pub fn write_received(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut rows: Vec<(Instant, usize, u32)> = self
            .packets()
            .filter_map(|(_, id, payload, packet)| Some((packet.delivered?, id, payload)))
            .collect();
        rows.sort_unstable();
        for (delivered, id, payload) in rows {
            writeln!(out, "{:.6}\tid {id}\tudp {}", delivered.secs(), payload + self.header)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FrameKind::{B, I, P};

    const JUDGING: Judging = Judging { playout: None, quality: 35.0, motion: 30.0 };

    /// A video of frames of one packet each, 40 ms apart, and when each was delivered, ms.
    fn video(kinds: &[FrameKind], delivered: &[Option<u64>]) -> (Vec<Frame>, VideoLog) {
        let ms = |n| Instant::ZERO + Duration::from_ms(n);
        let frames = kinds.iter().enumerate().map(|(n, kind)| Frame {
            at: Duration::from_ms(40 * n as u64),
            kind: *kind,
            size: 500,
            packets: 1,
        });
        let mut log = VideoLog::default();
        for (n, at) in delivered.iter().enumerate() {
            log.on_write(ms(40 * n as u64));
            if let Some(at) = at {
                log.on_delivered(ms(*at), n as u64);
            }
        }
        (frames.collect(), log)
    }

    #[test]
    fn what_is_coded_from_what() {
        let ok = |n: u64| Some(40 * n + 10);
        // The first P is lost: with it the two B before the next P, that P itself, and everything until the next I; the B
        // right after that has one good frame before it, but not two.
        let kinds = [I, P, B, B, P, B, I, B, P, B];
        let mut delivered: Vec<_> = (0..10).map(ok).collect();
        delivered[1] = None;
        let (frames, log) = video(&kinds, &delivered);
        let rows = summarise(&frames, &log, JUDGING);
        let decodable: Vec<_> =
            rows.iter().map(|row| (row.frames_of, row.frames, row.decodable_frames)).collect();
        assert_eq!(decodable, [("I", 2, 2), ("P", 3, 1), ("B", 5, 1), ("all", 10, 4)]);
        assert_eq!((rows[3].complete_frames, rows[3].lost_packets), (9, 1));
        assert_eq!(rows[3].decodable_ratio, Some(0.4));
    }

    #[test]
    fn quality_by_hand() {
        // The second of three frames is lost.
        let (frames, log) = video(&[I, I, I], &[Some(1), None, Some(81)]);
        let row = summarise(&frames, &log, JUDGING).pop().unwrap();
        // MSE 65025 / 10^3.5 = 20.5627, with 30 more 50.5627: 31.0925 dB.
        assert!((row.psnr_mean_db.unwrap() - (70.0 + 31.0925) / 3.0).abs() < 1e-4, "{row:?}");
        assert_eq!(row.mos_mean, Some(4.0));
        assert_eq!([38.0, 37.0, 31.0, 25.0, 20.0].map(opinion), [5, 4, 3, 2, 1]);
    }

    #[test]
    fn delays_and_gaps_by_hand() {
        // Delays 10, 30, 20 ms; arrivals at 10, 70, 100 ms: gaps 60, 30 ms, variance 225 ms^2.
        let (frames, log) = video(&[I, P, P], &[Some(10), Some(70), Some(100)]);
        let row = summarise(&frames, &log, JUDGING).pop().unwrap();
        assert!((row.frame_delay_mean_s.unwrap() - 0.02).abs() < 1e-15);
        assert!((row.frame_jitter_mean_s.unwrap() - 0.015).abs() < 1e-15);
        assert!((row.packet_gap_variance_s2.unwrap() - 225e-6).abs() < 1e-12);
        // In time for a play-out of 25 ms are the first and the last, which is coded from the second.
        let strict = Judging { playout: Some(Duration::from_ms(25)), ..JUDGING };
        let row = summarise(&frames, &log, strict).pop().unwrap();
        assert_eq!((row.complete_frames, row.decodable_frames), (3, 1));
    }

    #[test]
    fn without_its_header_nothing_is_decodable() {
        let (frames, log) = video(&[FrameKind::Header, I, P], &[None, Some(50), Some(90)]);
        let rows = summarise(&frames, &log, JUDGING);
        assert_eq!(rows.iter().map(|row| row.decodable_frames).collect::<Vec<_>>(), [0, 0, 0, 0]);
        let empty = summarise(&frames, &VideoLog::default(), JUDGING).pop().unwrap();
        assert_eq!((empty.packets, empty.frames, empty.psnr_mean_db), (0, 0, None));
    }

    #[test]
    fn traces_by_hand() {
        let (frames, log) = video(&[I, P], &[Some(10), None, Some(95)]);
        let traces = EvalVid { flow: "v".into(), frames: frames.into(), packet: None, log, header: 28 };
        let text = |write: &dyn Fn(&mut Vec<u8>)| {
            let mut out = Vec::new();
            write(&mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(
            text(&|out| traces.write_video(out).unwrap()),
            "1\tI\t500\t1\t0.000000\n2\tP\t500\t1\t0.040000\n3\tI\t500\t1\t0.080000\n"
        );
        assert_eq!(
            text(&|out| traces.write_sent(out).unwrap()),
            "0.000000\tid 1\tudp 528\n0.040000\tid 2\tudp 528\n0.080000\tid 3\tudp 528\n"
        );
        assert_eq!(
            text(&|out| traces.write_received(out).unwrap()),
            "0.010000\tid 1\tudp 528\n0.095000\tid 3\tudp 528\n"
        );
    }
}
