//! Columns of the table `video`.

use super::{RUN, Term, term};

const APPLICATION: &str = "application";
const GAP: &str = "jitter of EvalVid, squared seconds";

const fn of(name: &'static str, unit: &'static str, definition: &'static str, equals: &'static str) -> Term {
    term("video", name, unit, APPLICATION, RUN, definition, equals)
}

pub(super) const TERMS: &[Term] = &[
    of("flow", "", "the flow's number, from 0", ""),
    of("frames_of", "", "kind of frame: `H` (header), `I`, `P`, `B`, or `all`", ""),
    of("packets", "packets", "packets that the application wrote", ""),
    of("lost_packets", "packets", "of these, not delivered by the end of the run", ""),
    of("packet_loss_ratio", "", "lost_packets / packets", "packet loss of EvalVid"),
    of(
        "packet_delay_mean_s",
        "s",
        "mean time from the write of a packet to its delivery: UDP, its arrival; TCP, in order",
        "end-to-end delay of EvalVid, from the application's write",
    ),
    of("packet_delay_max_s", "s", "the longest of these times", ""),
    of(
        "packet_jitter_mean_s",
        "s",
        "mean |d_i - d_(i-1)| of these times over delivered packets, by number",
        "",
    ),
    of("packet_gap_variance_s2", "s^2", "variance of the time from one delivery to the next, by number", GAP),
    of("frames", "frames", "frames written whole", ""),
    of("complete_frames", "frames", "of these, delivered whole", ""),
    of("frame_loss_ratio", "", "(frames - complete_frames) / frames", "frame loss of EvalVid"),
    of(
        "frame_delay_mean_s",
        "s",
        "complete frames: mean time from the write of the first packet to the delivery of the last",
        "",
    ),
    of("frame_delay_max_s", "s", "the longest of these times", ""),
    of("frame_jitter_mean_s", "s", "mean |d_i - d_(i-1)| of these times over complete frames, by number", ""),
    of(
        "frame_gap_variance_s2",
        "s^2",
        "variance of the time from the completion of one frame to that of the next, by number",
        GAP,
    ),
    of(
        "decodable_frames",
        "frames",
        "complete frames, in time where `playout` bounds that, whose references are decodable: P, the last I or P frame; B, the last two; all, the header",
        "decodable frame rate of myEvalvid, times frames",
    ),
    of("decodable_ratio", "", "decodable_frames / frames", "Q, the fraction of decodable frames"),
    of(
        "psnr_mean_db",
        "dB",
        "estimate, no picture is decoded: mean over pictures of 10 log10(255^2 / (255^2 / 10^(quality / 10) + motion n)), n = 0 for a decodable picture, else how many in a row were not, for each of which the last decodable one stays on the screen",
        "",
    ),
    of(
        "mos_mean",
        "",
        "mean over pictures of the opinion score of that PSNR: above 37 dB 5, above 31 dB 4, above 25 dB 3, above 20 dB 2, else 1",
        "MOS of EvalVid by its table",
    ),
];
