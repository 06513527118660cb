//! Columns of results: to Arrow for programs, to CSV for people.
//!
//! Times stay integer picoseconds until they are written, so that CSV shows them exactly.

use arrow_array::{ArrayRef, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

/// Tables by name.
pub type Tables = BTreeMap<&'static str, Table>;

/// The label of a cell without a value.
pub const NO_LABEL: u32 = u32::MAX;

/// One column's values.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Points in time, in picoseconds. Arrow: seconds as `f64`. CSV: seconds with 9 decimals, halves rounded up.
    Time(Vec<u64>),
    /// Numbers. CSV: the shortest form that reads back as the same number.
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
    /// Strings out of a list, by index; [`NO_LABEL`] where there is none. CSV: empty where there is none.
    Label {
        /// The strings.
        names: Vec<String>,
        /// For each row, which.
        codes: Vec<u32>,
    },
}

impl Column {
    /// Number of rows.
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

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn data_type(&self) -> DataType {
        match self {
            Self::Time(_) | Self::Float(_) | Self::OptionalFloat(_) => DataType::Float64,
            Self::Int(_) => DataType::Int64,
            Self::Int32(_) | Self::OptionalInt32(_) => DataType::Int32,
            Self::Text(_) | Self::Label { .. } => DataType::Utf8,
        }
    }

    fn array(&self) -> ArrayRef {
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

    fn write_cell(&self, row: usize, out: &mut Vec<u8>) {
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

/// Seconds with 9 decimals, halves of a nanosecond rounded up.
fn write_time(ps: u64, out: &mut Vec<u8>) -> io::Result<()> {
    let ns = ps / 1000 + u64::from(ps % 1000 >= 500);
    write!(out, "{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000)
}

/// A string, quoted where CSV (RFC 4180) needs it.
fn write_text(text: &str, out: &mut Vec<u8>) -> io::Result<()> {
    if text.contains([',', '"', '\n', '\r']) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}

/// Named columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    columns: Vec<(&'static str, Column)>,
}

impl Table {
    /// A table without columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// The table with one more column.
    ///
    /// # Panics
    /// Where its length differs from the columns before: a bug of the caller.
    #[must_use]
    pub fn with(mut self, name: &'static str, column: Column) -> Self {
        assert!(self.columns.is_empty() || column.len() == self.rows(), "column {name} differs in length");
        self.columns.push((name, column));
        self
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[(&'static str, Column)] {
        &self.columns
    }

    /// The column called `name`.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|(n, _)| *n == name).map(|(_, column)| column)
    }

    /// The table as Arrow: times as seconds, labels as strings.
    pub fn to_arrow(&self) -> RecordBatch {
        let fields: Vec<Field> = self
            .columns
            .iter()
            .map(|(name, column)| {
                let nullable = match column {
                    Column::OptionalFloat(_) | Column::OptionalInt32(_) => true,
                    Column::Label { codes, .. } => codes.contains(&NO_LABEL),
                    _ => false,
                };
                Field::new(*name, column.data_type(), nullable)
            })
            .collect();
        let arrays = self.columns.iter().map(|(_, column)| column.array()).collect();
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
            .expect("columns of equal length and stated type")
    }

    /// Writes the table as CSV with a header line.
    ///
    /// # Errors
    /// What `out` reports.
    pub fn write_csv(&self, mut out: impl Write) -> io::Result<()> {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let mut buffer = names.join(",").into_bytes();
        buffer.push(b'\n');
        for row in 0..self.rows() {
            for (i, (_, column)) in self.columns.iter().enumerate() {
                if i > 0 {
                    buffer.push(b',');
                }
                column.write_cell(row, &mut buffer);
            }
            buffer.push(b'\n');
            if buffer.len() >= 1 << 16 {
                out.write_all(&buffer)?;
                buffer.clear();
            }
        }
        out.write_all(&buffer)?;
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::Array as _;

    fn table() -> Table {
        Table::new()
            .with("time_s", Column::Time(vec![1_234_567_890_499, 1_000_000_000_500]))
            .with("event", Column::Label { names: vec!["send".into(), "drop".into()], codes: vec![0, 1] })
            .with("cause", Column::Label { names: vec!["queue".into()], codes: vec![NO_LABEL, 0] })
            .with("value", Column::OptionalFloat(vec![None, Some(0.1)]))
            .with("ratio", Column::Float(vec![f64::INFINITY, 1.0 / 3.0]))
            .with("name", Column::Text(vec!["a,b".into(), "plain".into()]))
    }

    #[test]
    fn csv_is_exact() {
        let mut out = Vec::new();
        table().write_csv(&mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "time_s,event,cause,value,ratio,name\n\
             1.234567890,send,,,inf,\"a,b\"\n\
             1.000000001,drop,queue,0.1,0.3333333333333333,plain\n"
        );
    }

    #[test]
    fn arrow_has_the_types() {
        let batch = table().to_arrow();
        assert_eq!(batch.num_rows(), 2);
        assert_eq!(batch.schema().field(0).data_type(), &DataType::Float64);
        assert_eq!(batch.schema().field(1).data_type(), &DataType::Utf8);
        assert!(batch.column(2).is_null(0) && !batch.column(2).is_null(1));
        assert!(!batch.schema().field(1).is_nullable() && batch.schema().field(2).is_nullable());
    }

    #[test]
    fn times_round_halves_up() {
        for (ps, text) in
            [(0, "0.000000000"), (499, "0.000000000"), (500, "0.000000001"), (u64::MAX, "18446744.073709552")]
        {
            let mut out = Vec::new();
            write_time(ps, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }
}
