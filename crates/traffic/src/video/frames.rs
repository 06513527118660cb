//! The frames of a video as text, which is how stored scenarios contain them.

use base::Duration;
use base::video::{Frame, FrameKind};
use settings::schema::Json;
use settings::{Error, Node, Schemas, Setting};
use std::sync::Arc;

/// Largest size of a frame, bytes.
pub(super) const LARGEST: u32 = 64 << 20;
/// Largest number of packets of a frame.
pub(super) const MOST_PACKETS: u32 = 1 << 16;
/// Latest time of the last frame: 100 days, the length of the longest run.
pub(super) const LATEST: Duration = Duration::from_secs(100 * 86_400);

/// Returns true if a frame of `size` bytes can be split into `packets` packets.
pub(super) fn is_frame(size: u32, packets: u32) -> bool {
    size <= LARGEST && (1..=size.min(MOST_PACKETS)).contains(&packets)
}

/// Frames of a video, at least one, in order of time. As text, `I3036/3@0` is an I frame of 3036 bytes in 3
/// packets, 0 us after the frame before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frames(pub Arc<[Frame]>);

impl Frames {
    fn parse(text: &str) -> Option<Self> {
        let mut frames = Vec::new();
        let mut at = 0u64;
        for word in text.split_ascii_whitespace() {
            let kind = FrameKind::by_letter(word.get(..1)?)?;
            let (size, rest) = word[1..].split_once('/')?;
            let (packets, gap) = rest.split_once('@')?;
            let (us, ps) = gap.split_once('.').unwrap_or((gap, "000000"));
            let (size, packets) = (size.parse::<u32>().ok()?, packets.parse::<u32>().ok()?);
            let ps = ps.parse::<u64>().ok().filter(|_| ps.len() == 6)?;
            let gap = us.parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(ps)?;
            at = at.checked_add(gap).filter(|at| *at <= LATEST.ps())?;
            let at = Duration::from_ps(at);
            frames.push(is_frame(size, packets).then_some(Frame { at, kind, size, packets })?);
        }
        (!frames.is_empty()).then(|| Self(frames.into()))
    }
}

impl Setting for Frames {
    fn expected() -> String {
        "what reading a trace writes: \"I3036/3@0 P659/1@40000\"".to_owned()
    }
    fn value() -> String {
        "text".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        Self::parse(&String::read(node)?).ok_or_else(|| {
            Error::new("", "these are no frames of a video").allowed(<Self as Setting>::expected())
        })
    }
    fn write(&self) -> Node {
        let mut before = Duration::ZERO;
        let words = self.0.iter().map(|frame| {
            let Frame { at, kind, size, packets } = *frame;
            let gap = at.saturating_sub(before);
            before = at;
            // If the gap is not a whole number of microseconds, as 1/30 s is not, it has six more digits, for
            // picoseconds.
            let (us, ps) = (gap.ps() / 1_000_000, gap.ps() % 1_000_000);
            let fraction = if ps == 0 { String::new() } else { format!(".{ps:06}") };
            format!("{}{size}/{packets}@{us}{fraction}", kind.letter())
        });
        words.collect::<Vec<_>>().join(" ").into()
    }
    fn schema(schemas: &mut Schemas) -> Json {
        String::schema(schemas)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back() {
        let text = "H29/1@0 I3036/3@0 P659/1@40000 B9/2@33333.333333";
        let frames = Frames::parse(text).expect("frames");
        assert_eq!(frames.write().as_text(), Some(text));
        let third = frames.0[3].at.saturating_sub(frames.0[2].at);
        assert_eq!((frames.0.len(), third), (4, Duration::from_ps(33_333_333_333)));
        for wrong in ["", "X1/1@0", "I0/1@0", "I5/6@0", "I5/1", "I5@0", "I5/1@-1", "I5/1@1.5", "\u{e9}5/1@0"]
        {
            assert_eq!(Frames::parse(wrong), None, "{wrong}");
        }
    }
}
