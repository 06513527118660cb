//! One column of a table: its values, and how they are written to CSV and Arrow.

use arrow_array::{ArrayRef, Float64Array, Int32Array, Int64Array, StringArray};
use arrow_schema::DataType;
use std::io::{self, Write};
use std::sync::Arc;

/// Index that marks a cell of [`Column::Label`] without a string.
pub const NO_LABEL: u32 = u32::MAX;

/// One column's values.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Points in time, in picoseconds. Arrow: seconds as `f64`. CSV: seconds with 9 decimals, halves rounded up.
    Time(Vec<u64>),
    /// Numbers. CSV: the shortest decimal that reads back as the same number.
    Float(Vec<f64>),
    /// Numbers, absent where `None`. CSV: empty where absent.
    OptionalFloat(Vec<Option<f64>>),
    /// Integers of 64 bits.
    Int(Vec<i64>),
    /// Integers of 32 bits.
    Int32(Vec<i32>),
    /// Integers of 32 bits, absent where `None`. CSV: empty where absent.
    OptionalInt32(Vec<Option<i32>>),
    /// Strings.
    Text(Vec<String>),
    /// Dictionary-encoded strings. [`NO_LABEL`] marks a cell without a string, which is empty in CSV.
    Label {
        /// The dictionary: each distinct string once.
        names: Vec<String>,
        /// For each row, an index into `names`, or [`NO_LABEL`].
        codes: Vec<u32>,
    },
}

impl Column {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Time(v) => v.len(),
            Self::Float(v) => v.len(),
            Self::OptionalFloat(v) => v.len(),
            Self::Int(v) => v.len(),
            Self::Int32(v) => v.len(),
            Self::OptionalInt32(v) => v.len(),
            Self::Text(v) => v.len(),
            Self::Label { codes, .. } => codes.len(),
        }
    }

    /// Returns true if there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn data_type(&self) -> DataType {
        match self {
            Self::Time(_) | Self::Float(_) | Self::OptionalFloat(_) => DataType::Float64,
            Self::Int(_) => DataType::Int64,
            Self::Int32(_) | Self::OptionalInt32(_) => DataType::Int32,
            Self::Text(_) | Self::Label { .. } => DataType::Utf8,
        }
    }

    pub(crate) fn array(&self) -> ArrayRef {
        match self {
            Self::Time(v) => Arc::new(Float64Array::from_iter_values(
                v.iter().map(|ps| base::Instant::from_ps(*ps).secs()),
            )),
            Self::Float(v) => Arc::new(Float64Array::from_iter_values(v.iter().copied())),
            Self::OptionalFloat(v) => Arc::new(Float64Array::from_iter(v.iter().copied())),
            Self::Int(v) => Arc::new(Int64Array::from_iter_values(v.iter().copied())),
            Self::Int32(v) => Arc::new(Int32Array::from_iter_values(v.iter().copied())),
            Self::OptionalInt32(v) => Arc::new(Int32Array::from_iter(v.iter().copied())),
            Self::Text(v) => Arc::new(StringArray::from_iter_values(v)),
            Self::Label { names, codes } => {
                Arc::new(StringArray::from_iter(codes.iter().map(|code| label(names, *code))))
            }
        }
    }

    pub(crate) fn write_cell(&self, row: usize, out: &mut Vec<u8>) {
        // Writing to a `Vec` cannot fail.
        let _ = match self {
            Self::Time(v) => write_time(v[row], out),
            Self::Float(v) => write!(out, "{}", v[row]),
            Self::OptionalFloat(v) => v[row].map_or(Ok(()), |value| write!(out, "{value}")),
            Self::Int(v) => write!(out, "{}", v[row]),
            Self::Int32(v) => write!(out, "{}", v[row]),
            Self::OptionalInt32(v) => v[row].map_or(Ok(()), |value| write!(out, "{value}")),
            Self::Text(v) => write_text(&v[row], out),
            Self::Label { names, codes } => {
                label(names, codes[row]).map_or(Ok(()), |name| write_text(name, out))
            }
        };
    }
}

fn label(names: &[String], code: u32) -> Option<&str> {
    (code != NO_LABEL).then(|| names[code as usize].as_str())
}

/// Writes `ps` picoseconds as seconds with 9 decimals, halves of a nanosecond rounded up.
pub(crate) fn write_time(ps: u64, out: &mut Vec<u8>) -> io::Result<()> {
    let ns = ps / 1000 + u64::from(ps % 1000 >= 500);
    write!(out, "{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000)
}

/// Writes a string, in quotes if CSV (RFC 4180) requires them.
fn write_text(text: &str, out: &mut Vec<u8>) -> io::Result<()> {
    if text.contains([',', '"', '\n', '\r']) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}
