//! Evaluation of videos: EvalVid's quantities, per packet and per frame, and an estimate of quality.
//!
//! The delay of a packet runs from the application's write to the packet's delivery. Over UDP a packet is
//! delivered when it arrives; over TCP, when all bytes up to its last have arrived. A frame is complete when
//! all its packets are delivered; its delay is that of the packet delivered last.
//!
//! A frame is decodable if it is complete, in time for play-out (if there is a limit), and all its references
//! are decodable. The references are the header; for a P frame also the last I or P frame; for a B frame also
//! the last two, in order of coding.
//!
//! Quality is an estimate, because no picture is decoded. A decodable frame is shown as coded, with the error
//! `MSE_0 = 255^2 / 10^(quality / 10)`. If a frame is not decodable, the last decodable picture stays on the
//! screen, and differs more from the scene the longer it stays: `MSE = MSE_0 + motion * n` for the n-th
//! successive frame that is not decodable. `PSNR = 10 log10(255^2 / MSE)`. The PSNR of each frame gives a
//! mean opinion score (MOS) by EvalVid's table: 5 above 37 dB, 4 above 31 dB, 3 above 25 dB, 2 above 20 dB,
//! otherwise 1. PSNR and MOS of a video are means over frames.
//!
//! Source: Klaue, Rathke and Wolisz 2003 (EvalVid).

use crate::kept::Kept;
use crate::output::{stems, write_file};
use crate::row::{RUN, table};
use crate::stats::DelayStats;
use crate::tracer::TraceFiles;
use base::video::{Frame, FrameKind};
use base::{Duration, Instant};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Square of the largest value of an 8-bit sample.
const PEAK: f64 = 255.0 * 255.0;

/// Times of one packet of a video.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VideoPacket {
    /// Time at which the application wrote the packet.
    pub written: Instant,
    /// Time at which the packet was delivered to the receiving application; `None`: not delivered.
    pub delivered: Option<Instant>,
}

/// Parameters of the evaluation of a video.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judging {
    /// Largest delay with which a frame is in time for play-out; `None`: no limit.
    pub playout: Option<Duration>,
    /// PSNR of a decodable frame, dB.
    pub quality: f64,
    /// Increase of the mean squared error with each successive frame that is not decodable.
    pub motion: f64,
}

/// Packets of one flow's video, in order of writing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VideoLog(Vec<VideoPacket>);

impl VideoLog {
    /// Records that the application wrote the next packet at `now`.
    pub fn on_write(&mut self, now: Instant) {
        self.0.push(VideoPacket { written: now, delivered: None });
    }

    /// Records the delivery of packet `number` at `now`; later deliveries of the same packet have no effect.
    pub fn on_delivered(&mut self, now: Instant, number: u64) {
        if let Some(packet) = self.0.get_mut(number as usize) {
            packet.delivered.get_or_insert(now);
        }
    }
}

const GAP: &str = "jitter of EvalVid, squared seconds";

table! {
    "video", RUN;
    /// One row per flow whose traffic is a video, for each kind of frame that occurs (H, I, P, B) and one for
    /// all; in JSON `video` of each flow. The quantities are those of EvalVid (Klaue, Rathke and Wolisz
    /// 2003).
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct VideoSummary with fn new(flow: u32, frames_of: &'static str, counts: &Counts) {
        /// the flow's number, from 0
        #[serde(skip)]
        flow: u32 ["", "application"] = flow;
        /// kind of frame: `H` (header), `I`, `P`, `B`, or `all`
        frames_of: &'static str ["", "application"] = frames_of;
        /// packets that the application wrote
        packets: u64 ["packets", "application"] = counts.packets;
        /// packets not delivered by the end of the run
        undelivered_packets: u64 ["packets", "application", was "lost_packets"] = counts.lost;
        /// undelivered_packets / packets
        packet_loss_ratio: Option<f64>
            ["", "application", as "packet loss of EvalVid"]
            = ratio(counts.lost, counts.packets);
        /// mean time from the write of a packet to its delivery: UDP, on arrival; TCP, in order
        packet_delay_mean_s: Option<f64>
            ["s", "application", as "end-to-end delay of EvalVid, from the application's write"]
            = counts.of_packets.delay.mean_s();
        /// longest time from the write of a packet to its delivery
        packet_delay_max_s: Option<f64> ["s", "application"] = seconds(counts.of_packets.delay.max());
        /// mean |d_i - d_(i-1)| of packet delays over delivered packets, in order of writing
        packet_jitter_mean_s: Option<f64> ["s", "application"] = counts.of_packets.delay.jitter_mean_s();
        /// variance of the time between deliveries of successive packets, in order of writing
        packet_gap_variance_s2: Option<f64>
            ["s^2", "application", as GAP]
            = counts.of_packets.gap_variance();
        /// frames whose packets were all written
        frames: u64 ["frames", "application"] = counts.frames;
        /// frames whose packets were all delivered
        complete_frames: u64 ["frames", "application"] = counts.complete;
        /// (frames - complete_frames) / frames
        frame_loss_ratio: Option<f64>
            ["", "application", as "frame loss of EvalVid"]
            = ratio(counts.frames - counts.complete, counts.frames);
        /// mean time from the write of a frame's first packet to the delivery of its last, over complete
        /// frames
        frame_delay_mean_s: Option<f64> ["s", "application"] = counts.of_frames.delay.mean_s();
        /// longest time from the write of a frame's first packet to the delivery of its last
        frame_delay_max_s: Option<f64> ["s", "application"] = seconds(counts.of_frames.delay.max());
        /// mean |d_i - d_(i-1)| of frame delays over complete frames, in order of writing
        frame_jitter_mean_s: Option<f64> ["s", "application"] = counts.of_frames.delay.jitter_mean_s();
        /// variance of the time between completions of successive frames, in order of writing
        frame_gap_variance_s2: Option<f64>
            ["s^2", "application", as GAP]
            = counts.of_frames.gap_variance();
        /// complete frames, in time if `playout` sets a limit, whose references are decodable: for every
        /// frame the header, for P also the last I or P frame, for B also the last two
        decodable_frames: u64
            ["frames", "application", as "decodable frame rate of myEvalvid, times frames"]
            = counts.decodable;
        /// decodable_frames / frames
        decodable_ratio: Option<f64>
            ["", "application", as "Q, the fraction of decodable frames"]
            = ratio(counts.decodable, counts.frames);
        /// estimate without decoding: mean over pictures of 10 log10(255^2 / (255^2 / 10^(quality / 10) +
        /// motion n)). n is 0 for a decodable picture, otherwise the number of successive pictures that were not decodable. The last decodable picture then stays on the screen
        psnr_mean_db: Option<f64> ["dB", "application"] = (counts.pictures > 0).then(|| counts.psnr / counts.pictures as f64);
        /// mean over pictures of the opinion score for that PSNR: 5 above 37 dB, 4 above 31 dB, 3 above 25
        /// dB, 2 above 20 dB, otherwise 1
        mos_mean: Option<f64> ["", "application", as "MOS of EvalVid by its table"] = ratio(counts.mos, counts.pictures);
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn seconds(time: Option<Duration>) -> Option<f64> {
    time.map(Duration::secs)
}

/// Delays, and gaps between deliveries, of packets or frames in order of number.
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
            // The gap is negative if the later packet was delivered first.
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

/// Counts for one kind of frame, or for all frames.
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

/// State of the decoder model.
struct Decoder {
    judging: Judging,
    header: bool,
    /// For the last and the second last I or P frame, true if it was decodable; true if there is no such
    /// frame yet.
    references: [bool; 2],
    /// Number of successive frames that were not decodable.
    frozen: u32,
}

impl Decoder {
    /// Returns true if a frame can be decoded; `arrived` is true if the frame was complete in time.
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

    /// Returns the PSNR (dB) of the picture on the screen after a frame; `decodable` is true if that frame
    /// was decodable.
    fn psnr(&mut self, decodable: bool) -> f64 {
        self.frozen = if decodable { 0 } else { self.frozen + 1 };
        let coded = PEAK / libm::pow(10.0, self.judging.quality / 10.0);
        let error = coded + self.judging.motion * f64::from(self.frozen);
        10.0 * libm::log10(PEAK / error)
    }
}

/// Returns EvalVid's opinion score, 1 to 5, for a PSNR in dB.
fn opinion(psnr: f64) -> u64 {
    match psnr {
        p if p > 37.0 => 5,
        p if p > 31.0 => 4,
        p if p > 25.0 => 3,
        p if p > 20.0 => 2,
        _ => 1,
    }
}

/// Returns the evaluation of the video of flow number `flow`: a row for each kind of frame that occurs, then
/// one for all. The list `frames` is repeated.
///
/// If the run ends within a frame, its packets are counted, but the frame is not.
pub fn summarise(flow: u32, frames: &[Frame], log: &VideoLog, judging: Judging) -> Vec<VideoSummary> {
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
    let rows = present.map(|(kind, counts)| VideoSummary::new(flow, kind.letter(), &counts));
    rows.chain([VideoSummary::new(flow, "all", &all)]).collect()
}

/// A flow's video and its packets, for EvalVid's three traces.
#[derive(Clone, Debug)]
pub struct EvalVid {
    /// The flow's name.
    pub flow: String,
    /// Frames of the video; the list is repeated.
    pub frames: std::sync::Arc<[Frame]>,
    /// Largest payload of a packet, bytes, if frames are split into packets of that size.
    pub packet: Option<u32>,
    /// Times of the packets.
    pub log: VideoLog,
    /// Size of a packet's headers, bytes.
    pub header: u32,
}

impl TraceFiles for Vec<EvalVid> {
    /// Writes `<flow>-video.txt`, `<flow>-sent.txt` and `<flow>-received.txt` for each video; the stem is
    /// ignored.
    fn write(&self, folder: &Path, _: Option<&str>) -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::with_capacity(3 * self.len());
        for (video, stem) in self.iter().zip(stems(self.iter().map(|video| video.flow.as_str()))) {
            paths.extend(video.write(folder, &stem)?);
        }
        Ok(paths)
    }

    fn kept(&self) -> Kept {
        let packets: usize = self.iter().map(|video| video.log.0.len()).sum();
        Kept::held(packets * size_of::<VideoPacket>(), |out| {
            self.iter().try_for_each(|video| {
                video.write_video(out)?;
                video.write_sent(out)?;
                video.write_received(out)
            })
        })
    }
}

impl EvalVid {
    fn write(&self, folder: &Path, stem: &str) -> io::Result<[PathBuf; 3]> {
        let paths = ["video", "sent", "received"].map(|what| folder.join(format!("{stem}-{what}.txt")));
        write_file(&paths[0], |out| self.write_video(out))?;
        write_file(&paths[1], |out| self.write_sent(out))?;
        write_file(&paths[2], |out| self.write_received(out))?;
        Ok(paths)
    }

    /// Returns for each packet: index of its frame, number from 1, payload in bytes, and times.
    fn packets(&self) -> impl Iterator<Item = (usize, usize, u32, &VideoPacket)> {
        let parts = self.frames.iter().cycle().enumerate().flat_map(move |(number, frame)| {
            (0..frame.packets).map(move |part| (number, frame.payload(part, self.packet)))
        });
        parts
            .zip(&self.log.0)
            .enumerate()
            .map(|(id, ((frame, payload), packet))| (frame, id + 1, payload, packet))
    }

    /// Writes the video trace: `number kind size packets time` of each frame that was written, time in
    /// seconds.
    ///
    /// # Errors
    /// If writing to `out` fails.
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

    /// Writes the sender's trace: `time id number udp size` of each packet, time in seconds.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn write_sent(&self, out: &mut dyn Write) -> io::Result<()> {
        for (_, id, payload, packet) in self.packets() {
            writeln!(out, "{:.6}\tid {id}\tudp {}", packet.written.secs(), payload + self.header)?;
        }
        Ok(())
    }

    /// Writes the receiver's trace: the sender's format, for each delivered packet in order of delivery.
    ///
    /// # Errors
    /// If writing to `out` fails.
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

    /// Returns a video of one-packet frames, 40 ms apart, and a log with their delivery times `delivered`, ms.
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
        // The first P frame is lost. Therefore the two B frames before the next P frame, that P frame, and all frames
        // until the next I frame cannot be decoded. Neither can the B frame right after that I frame: it needs two
        // decodable frames, and there is one.
        let kinds = [I, P, B, B, P, B, I, B, P, B];
        let mut delivered: Vec<_> = (0..10).map(ok).collect();
        delivered[1] = None;
        let (frames, log) = video(&kinds, &delivered);
        let rows = summarise(0, &frames, &log, JUDGING);
        let decodable: Vec<_> =
            rows.iter().map(|row| (row.frames_of, row.frames, row.decodable_frames)).collect();
        assert_eq!(decodable, [("I", 2, 2), ("P", 3, 1), ("B", 5, 1), ("all", 10, 4)]);
        assert_eq!((rows[3].complete_frames, rows[3].undelivered_packets), (9, 1));
        assert_eq!(rows[3].decodable_ratio, Some(0.4));
    }

    #[test]
    fn quality_by_hand() {
        // The second of three frames is lost.
        let (frames, log) = video(&[I, I, I], &[Some(1), None, Some(81)]);
        let row = summarise(0, &frames, &log, JUDGING).pop().unwrap();
        // A coded PSNR of 35 dB is an MSE of 255^2 / 10^3.5 = 20.5627. The lost frame adds 30, which gives 50.5627, a
        // PSNR of 31.0925 dB.
        assert!((row.psnr_mean_db.unwrap() - (70.0 + 31.0925) / 3.0).abs() < 1e-4, "{row:?}");
        assert_eq!(row.mos_mean, Some(4.0));
        assert_eq!([38.0, 37.0, 31.0, 25.0, 20.0].map(opinion), [5, 4, 3, 2, 1]);
    }

    #[test]
    fn delays_and_gaps_by_hand() {
        // Delays are 10, 30 and 20 ms. Arrivals at 10, 70 and 100 ms have gaps of 60 and 30 ms, whose variance is 225
        // ms^2.
        let (frames, log) = video(&[I, P, P], &[Some(10), Some(70), Some(100)]);
        let row = summarise(0, &frames, &log, JUDGING).pop().unwrap();
        assert!((row.frame_delay_mean_s.unwrap() - 0.02).abs() < 1e-15);
        assert!((row.frame_jitter_mean_s.unwrap() - 0.015).abs() < 1e-15);
        assert!((row.packet_gap_variance_s2.unwrap() - 225e-6).abs() < 1e-12);
        // With a play-out delay of 25 ms the first and the last frame are in time, but the last is coded from the second, which is late.
        let strict = Judging { playout: Some(Duration::from_ms(25)), ..JUDGING };
        let row = summarise(0, &frames, &log, strict).pop().unwrap();
        assert_eq!((row.complete_frames, row.decodable_frames), (3, 1));
    }

    #[test]
    fn without_its_header_nothing_is_decodable() {
        let (frames, log) = video(&[FrameKind::Header, I, P], &[None, Some(50), Some(90)]);
        let rows = summarise(0, &frames, &log, JUDGING);
        assert_eq!(rows.iter().map(|row| row.decodable_frames).collect::<Vec<_>>(), [0, 0, 0, 0]);
        let empty = summarise(0, &frames, &VideoLog::default(), JUDGING).pop().unwrap();
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
