//! Sizes by a table of cumulative probabilities.
//!
//! Between two rows the distribution function is linear. If the first row has a probability above 0, the first size
//! occurs with that probability.

use settings::schema::Json;
use settings::{Error, Node, Schemas, Setting, Settings};
use std::fmt;
use std::sync::Arc;

/// Largest size, bytes.
pub(super) const MOST: u64 = 1_000_000_000_000;

/// Form of a file of sizes, shown in error messages.
pub const CDF: &str =
    "a size in bytes and a cumulative probability on each line, both ascending, the last probability 1";

/// Flow sizes of web search: bytes and cumulative probability.
const WEB_SEARCH: [(f64, f64); 12] = [
    (0.0, 0.0),
    (1e4, 0.15),
    (2e4, 0.2),
    (3e4, 0.3),
    (5e4, 0.4),
    (8e4, 0.53),
    (2e5, 0.6),
    (1e6, 0.7),
    (2e6, 0.8),
    (5e6, 0.9),
    (1e7, 0.97),
    (3e7, 1.0),
];

/// Flow sizes of data mining: bytes and cumulative probability.
const DATA_MINING: [(f64, f64); 13] = [
    (0.0, 0.0),
    (180.0, 0.1),
    (216.0, 0.2),
    (560.0, 0.3),
    (900.0, 0.4),
    (1100.0, 0.5),
    (1870.0, 0.6),
    (3160.0, 0.7),
    (1e4, 0.8),
    (4e5, 0.9),
    (3.16e6, 0.95),
    (1e8, 0.98),
    (1e9, 1.0),
];

/// Settings of an empirical distribution. After reading, `points` is set.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(complete, no_default)]
pub struct Empirical {
    /// File of the distribution: on each line a size in bytes and its cumulative probability. ns-2's form, with a
    /// number between the two, is read, too.
    pub trace: Option<String>,
    /// The distribution as sizes in bytes with cumulative probabilities, such as "1000:0.5 100000:1". Filled in when
    /// a file is read.
    pub points: Option<Points>,
}

impl Empirical {
    fn complete(&mut self) -> Result<(), Error> {
        match (&self.points, self.trace.take()) {
            (Some(_), _) => Ok(()),
            (None, Some(_)) => Err(Error::new("trace", "the file has not been read")
                .allowed("a scenario read from a file, or `points` beside it")),
            (None, None) => Err(Error::new("points", "the distribution has no table")
                .allowed("trace = \"FILE\", or points = \"1000:0.5 100000:1\"")),
        }
    }

    /// Returns the table.
    pub(super) fn points(&self) -> Table<'_> {
        Table(self.points.as_ref().map_or(&[], |points| &points.0))
    }
}

/// Rows of a distribution function: sizes in bytes with cumulative probabilities, at least one.
#[derive(Clone, PartialEq, Debug)]
pub struct Points(Arc<[(f64, f64)]>);

/// Rows of a distribution function.
#[derive(Clone, Copy)]
pub(super) struct Table<'a>(&'a [(f64, f64)]);

impl Points {
    /// Returns the rows as a distribution function, after checking them.
    ///
    /// # Errors
    /// The index of the first wrong row and what is wrong with it.
    fn new(rows: Vec<(f64, f64)>) -> Result<Self, (usize, String)> {
        let Some(&(_, last)) = rows.last() else { return Err((0, "there are no rows".to_owned())) };
        let mut before = (0.0, 0.0);
        for (at, &(size, share)) in rows.iter().enumerate() {
            let wrong = if !(0.0..=MOST as f64).contains(&size) {
                format!("a size of {size} bytes is outside 0 to {MOST}")
            } else if !(0.0..=1.0).contains(&share) {
                format!("{share} is no probability")
            } else if size < before.0 {
                format!("the size {size} comes after {}", before.0)
            } else if share < before.1 {
                format!("the probability decreases from {} to {share}", before.1)
            } else if size == 0.0 && share > 0.0 {
                format!("a size of zero has the probability {share}")
            } else {
                before = (size, share);
                continue;
            };
            return Err((at, wrong));
        }
        if last != 1.0 {
            return Err((rows.len() - 1, format!("the last probability is {last}, not 1")));
        }
        if rows.iter().all(|(size, _)| *size == 0.0) {
            return Err((rows.len() - 1, "all sizes are zero".to_owned()));
        }
        Ok(Self(rows.into()))
    }

    pub(super) fn web_search() -> Table<'static> {
        Table(&WEB_SEARCH)
    }

    pub(super) fn data_mining() -> Table<'static> {
        Table(&DATA_MINING)
    }
}

impl Table<'_> {
    /// Returns the size at cumulative probability `share`, bytes.
    pub(super) fn at(self, share: f64) -> f64 {
        let above = self.0.partition_point(|(_, upto)| *upto < share);
        match (above.checked_sub(1).and_then(|below| self.0.get(below)), self.0.get(above)) {
            (Some((low, from)), Some((high, upto))) if upto > from => {
                low + (high - low) * (share - from) / (upto - from)
            }
            (_, Some((size, _))) | (Some((size, _)), None) => *size,
            (None, None) => 1.0,
        }
    }

    /// Returns the mean size, bytes.
    pub(super) fn mean(self) -> f64 {
        let first = self.0.first().map_or(0.0, |(size, share)| size * share);
        let each = self.0.windows(2).map(|two| (two[0].0 + two[1].0) / 2.0 * (two[1].1 - two[0].1));
        first + each.sum::<f64>()
    }
}

/// Error in a file of sizes: the number of the line, from 1, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CdfError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Description of the error.
    pub problem: String,
}

impl fmt::Display for CdfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for CdfError {}

/// Reads a file of sizes. Columns are separated by white space or commas; text after `#` is ignored.
///
/// # Errors If the file has no row, or its rows are not an ascending table; the error gives the first wrong line.
pub fn read_cdf(text: &str) -> Result<Points, CdfError> {
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
        let (size, share) = match words.as_slice() {
            [] => continue,
            [size, share] | [size, _, share] => (size.parse(), share.parse()),
            _ => {
                let problem = format!("{} columns instead of 2 or 3", words.len());
                return Err(CdfError { line: at + 1, problem });
            }
        };
        let (Ok(size), Ok(share)) = (size, share) else {
            return Err(CdfError { line: at + 1, problem: format!("`{}` are no numbers", line.trim()) });
        };
        rows.push((size, share));
        lines.push(at + 1);
    }
    Points::new(rows).map_err(|(row, problem)| {
        let problem = if lines.is_empty() { "the file has no size".to_owned() } else { problem };
        CdfError { line: lines.get(row).copied().unwrap_or(1), problem }
    })
}

impl Setting for Points {
    fn expected() -> String {
        "sizes in bytes with cumulative probabilities: \"1000:0.5 100000:1\"".to_owned()
    }
    fn value() -> String {
        "text".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        let text = String::read(node)?;
        let wrong = |message: String| Err(Error::new("", message).allowed(<Self as Setting>::expected()));
        let mut rows = Vec::new();
        for word in text.split_ascii_whitespace() {
            let row = word.split_once(':').map(|(size, share)| (size.parse(), share.parse()));
            let Some((Ok(size), Ok(share))) = row else { return wrong(format!("`{word}` is no row")) };
            rows.push((size, share));
        }
        match Self::new(rows) {
            Ok(points) => Ok(points),
            Err((_, problem)) => wrong(problem),
        }
    }
    fn write(&self) -> Node {
        let rows = self.0.iter().map(|(size, share)| format!("{size}:{share}"));
        rows.collect::<Vec<_>>().join(" ").into()
    }
    fn schema(schemas: &mut Schemas) -> Json {
        String::schema(schemas)
    }
}
