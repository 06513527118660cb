//! Video traces in EvalVid's format: a line for each frame.

use super::frames::{Frames, LATEST, is_frame};
use base::Duration;
use base::video::{Frame, FrameKind};

/// Format of a trace's lines, shown in error messages.
pub const TRACE: &str =
    "a frame on each line: number, kind (H, I, P or B), size in bytes, packets, time in seconds";

/// Error in a trace, with the number of the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Description of the error.
    pub problem: String,
}

/// Parses a trace; times are relative to the first frame.
///
/// # Errors
/// If a line is not in the trace's format, or there is no frame.
pub fn read_trace(text: &str) -> Result<Frames, TraceError> {
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        reader.line(line).map_err(|problem| TraceError { line: index + 1, problem })?;
    }
    if reader.frames.is_empty() {
        return Err(TraceError { line: 1, problem: "the file has no frame".to_owned() });
    }
    Ok(Frames(reader.frames.into()))
}

/// State of the parser of a trace.
#[derive(Default)]
struct Reader {
    frames: Vec<Frame>,
    /// Time of the first frame, microseconds.
    first: Option<u64>,
    /// Number of the frame on the line before.
    number: Option<u64>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if words.is_empty() {
            return Ok(());
        }
        let [number, kind, size, packets, time] = words[..] else {
            return Err(format!("{} columns instead of 5", words.len()));
        };
        let number: u64 = number.parse().map_err(|_| format!("{number:?} is no number of a frame"))?;
        if self.number.replace(number).is_some_and(|above| number <= above) {
            return Err(format!("frame {number} does not come after the one above it"));
        }
        let kind = FrameKind::by_letter(kind).ok_or_else(|| format!("{kind:?} is no kind of frame"))?;
        let (size, packets) = match (size.parse::<u32>(), packets.parse::<u32>()) {
            (Ok(size), Ok(packets)) if is_frame(size, packets) => (size, packets),
            _ => return Err(format!("no {size} bytes in {packets} packets")),
        };
        let seconds = time.parse::<f64>().ok().filter(|t| (0.0..LATEST.secs()).contains(t));
        let seconds = seconds.ok_or_else(|| format!("{time:?} is no time"))?;
        // Times are rounded to microseconds.
        let at = (seconds * 1e6 + 0.5) as u64;
        let at = at.checked_sub(*self.first.get_or_insert(at)).map(Duration::from_us);
        let at = at.ok_or("it comes before the first frame")?;
        if self.frames.last().is_some_and(|last| at < last.at) {
            return Err("it comes before the frame above it".to_owned());
        }
        self.frames.push(Frame { at, kind, size, packets });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use settings::Setting;

    #[test]
    fn a_trace_by_hand() {
        let text = "# a comment\n1 H 29 1 0.5\n2\tI\t3036\t3\t0.500\n3 P 659 1 0.540000\n";
        let frames = read_trace(text).expect("a trace");
        assert_eq!(frames.write().as_text(), Some("H29/1@0 I3036/3@0 P659/1@40000"));
    }

    #[test]
    fn what_is_wrong_with_a_trace() {
        for (line, problem) in [
            ("1 I 100 1", "4 columns instead of 5"),
            ("x I 100 1 0", "\"x\" is no number of a frame"),
            ("0 I 100 1 0", "frame 0 does not come after the one above it"),
            ("2 X 100 1 0", "\"X\" is no kind of frame"),
            ("2 I 0 1 0", "no 0 bytes in 1 packets"),
            ("2 I 100 1 nan", "\"nan\" is no time"),
            ("2 I 100 1 0.01", "it comes before the first frame"),
        ] {
            let error = read_trace(&format!("1 I 10 1 0.1\n{line}\n")).expect_err(line);
            assert_eq!(error, TraceError { line: 2, problem: problem.to_owned() });
        }
        assert_eq!(read_trace("\n#\n").expect_err("nothing").problem, "the file has no frame");
    }
}
