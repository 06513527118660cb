//! Space that recorded traces take, so that a run can be refused before it fills memory or a disk.

use crate::column::Column;
use crate::output::Length;
use crate::table::Table;
use std::io::{self, Write};
use std::ops::{Add, Mul};

/// Largest number of rows from which the mean length of a row in CSV is estimated.
const SAMPLE: usize = 1000;

/// Space that a trace takes, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kept {
    /// Bytes in memory, until the run's results are dropped.
    pub memory: f64,
    /// Bytes in the temporary folder, until the run's results are dropped.
    pub temporary: f64,
    /// Bytes in the files of the trace, once written; a table is counted as CSV.
    pub written: f64,
}

impl Mul<f64> for Kept {
    type Output = Self;

    /// Multiplies each of the three sizes.
    fn mul(self, times: f64) -> Self {
        Self { memory: self.memory * times, temporary: self.temporary * times, written: self.written * times }
    }
}

impl Add for Kept {
    type Output = Self;

    /// Adds each of the three sizes.
    fn add(self, other: Self) -> Self {
        Self {
            memory: self.memory + other.memory,
            temporary: self.temporary + other.temporary,
            written: self.written + other.written,
        }
    }
}

impl Kept {
    /// Returns the space of files of `bytes` that wait in the temporary folder as they will be written.
    pub(crate) fn waiting(bytes: u64) -> Self {
        Self { memory: 0.0, temporary: bytes as f64, written: bytes as f64 }
    }

    /// Returns the space of a trace that takes `memory` bytes in memory and is written as files by `write`.
    pub(crate) fn held(memory: usize, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Self {
        let mut length = Length::default();
        // Writing to a length cannot fail.
        let _ = write(&mut length);
        Self { memory: memory as f64, temporary: 0.0, written: length.0 as f64 }
    }
}

impl Table {
    /// Returns the space that the table takes. The length of a row in CSV is estimated from the last rows.
    pub fn kept(&self) -> Kept {
        let columns = self.columns();
        let here: u64 = columns.iter().map(|(_, column)| bytes(column)).sum();
        let (memory, temporary) = match self.on_disk() {
            // The rows in memory will be written to disk next.
            Some(spilled) => (0, here + spilled),
            None => (here, 0),
        };
        let rows = columns.first().map_or(0, |(_, column)| column.len());
        let sampled = rows.min(SAMPLE);
        let mut text = Vec::new();
        for row in rows - sampled..rows {
            columns.iter().for_each(|(_, column)| column.write_cell(row, &mut text));
        }
        // Each cell is followed by a comma or the end of the line.
        let each = text.len() as f64 / sampled.max(1) as f64 + columns.len() as f64;
        Kept { memory: memory as f64, temporary: temporary as f64, written: each * self.rows() as f64 }
    }
}

/// Returns the space of a column's values, bytes.
fn bytes(column: &Column) -> u64 {
    let each = match column {
        Column::Time(_) | Column::Float(_) | Column::Int(_) => 8,
        Column::OptionalFloat(_) => 16,
        Column::OptionalInt32(_) => 8,
        Column::Int32(_) | Column::Label { .. } => 4,
        Column::Text(texts) => {
            let letters: usize = texts.iter().map(String::len).sum();
            return (letters + texts.len() * size_of::<String>()) as u64;
        }
    };
    each * column.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: usize) -> Table {
        Table::new()
            .with("time_s", Column::Time(vec![1_000_000_000_000; rows]))
            .with("place", Column::Label { names: vec!["a>b".into()], codes: vec![0; rows] })
    }

    #[test]
    fn a_row_is_counted_as_it_stands_and_as_it_is_written() {
        // In memory a row takes 8 B for the time and 4 B for the label. In the file it takes 16 B: "1.000000000,a>b"
        // and the end of the line.
        let expected = Kept { memory: 12.0 * 5000.0, temporary: 0.0, written: 16.0 * 5000.0 };
        assert_eq!(table(5000).kept(), expected);
        assert_eq!(Table::new().kept(), Kept::default());
        let files = Kept::held(7, |out| out.write_all(b"four"));
        assert_eq!(files * 2.0, Kept { memory: 14.0, temporary: 0.0, written: 8.0 });
    }

    #[test]
    fn what_goes_to_disk_counts_there() {
        let mut spill = crate::spill::Spill::default();
        spill.add(table(3).into_columns());
        let kept = table(2).after(Some(spill)).kept();
        assert_eq!(kept, Kept { memory: 0.0, temporary: 12.0 * 5.0, written: 16.0 * 5.0 });
    }
}
