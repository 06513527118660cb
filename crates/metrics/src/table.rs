//! Tables of results, which are written as Arrow for programs and as CSV for people.
//!
//! Times are stored as integer picoseconds and converted when they are written, so that CSV shows them
//! exactly.

use crate::spill::Spill;
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

pub use crate::column::{Column, NO_LABEL};

/// Tables by name.
pub type Tables = BTreeMap<&'static str, Table>;

/// Named columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    columns: Vec<(&'static str, Column)>,
    /// Rows on disk, which come before those in `columns`.
    earlier: Option<Arc<Spill>>,
}

impl Table {
    /// Creates a table without columns.
    pub fn new() -> Self {
        Self::default()
    }

    fn of(columns: Vec<(&'static str, Column)>) -> Self {
        Self { columns, earlier: None }
    }

    /// Adds a column.
    ///
    /// # Panics
    /// If the column has another number of rows than the table.
    #[must_use]
    pub fn with(mut self, name: &'static str, column: Column) -> Self {
        self.push(name, column);
        self
    }

    /// Adds a column, as [`Table::with`] does.
    pub(crate) fn push(&mut self, name: &'static str, column: Column) {
        assert!(self.columns.is_empty() || column.len() == self.rows(), "column {name} differs in length");
        self.columns.push((name, column));
    }

    /// Puts the rows of `earlier` before the table's own rows.
    #[must_use]
    pub(crate) fn after(mut self, earlier: Option<Spill>) -> Self {
        self.earlier = earlier.map(Arc::new);
        self
    }

    /// Returns the size of the table's rows on disk, bytes; `None` if the table never goes to disk.
    pub(crate) fn on_disk(&self) -> Option<u64> {
        self.earlier.as_ref().map(|spill| spill.bytes())
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        let earlier = self.earlier.as_ref().map_or(0, |spill| spill.rows());
        earlier + self.columns.first().map_or(0, |(_, column)| column.len())
    }

    /// Returns the columns with the rows in memory; rows on disk are dropped.
    pub(crate) fn into_columns(self) -> Vec<(&'static str, Column)> {
        self.columns
    }

    /// Returns the columns in order, with the rows in memory. These are the last rows if there are rows on
    /// disk.
    pub fn columns(&self) -> &[(&'static str, Column)] {
        &self.columns
    }

    /// Returns the column called `name`, with its rows in memory; `None` if there is none.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|(n, _)| *n == name).map(|(_, column)| column)
    }

    /// Returns the table as Arrow batches; times are in seconds, labels become strings.
    pub fn to_arrow(&self) -> Batches {
        let field = |(i, (name, column)): (usize, &(&'static str, Column))| {
            let nullable = match column {
                Column::OptionalFloat(_) | Column::OptionalInt32(_) => true,
                Column::Label { codes, .. } => {
                    codes.contains(&NO_LABEL) || self.earlier.as_ref().is_some_and(|spill| spill.has_gaps(i))
                }
                _ => false,
            };
            Field::new(*name, column.data_type(), nullable)
        };
        let schema = Arc::new(Schema::new(self.columns.iter().enumerate().map(field).collect::<Vec<_>>()));
        let end = self.earlier.as_ref().map_or(0, |spill| spill.chunks());
        Batches { last: Some(self.batch(&schema)), earlier: self.earlier.clone(), next: 0, end, schema }
    }

    fn batch(&self, schema: &SchemaRef) -> RecordBatch {
        let arrays = self.columns.iter().map(|(_, column)| column.array()).collect();
        RecordBatch::try_new(Arc::clone(schema), arrays).expect("columns of equal length and stated type")
    }

    /// Writes the table as CSV with a header line.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn write_csv(&self, mut out: impl Write) -> io::Result<()> {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let mut buffer = names.join(",").into_bytes();
        buffer.push(b'\n');
        if let Some(spill) = &self.earlier {
            for chunk in 0..spill.chunks() {
                Self::of(spill.read(chunk)?).write_rows(&mut buffer, &mut out)?;
            }
        }
        self.write_rows(&mut buffer, &mut out)?;
        out.write_all(&buffer)?;
        out.flush()
    }

    /// Writes the rows in memory to `out` by way of `buffer`, which holds the last of them afterwards.
    fn write_rows(&self, buffer: &mut Vec<u8>, out: &mut impl Write) -> io::Result<()> {
        for row in 0..self.columns.first().map_or(0, |(_, column)| column.len()) {
            for (i, (_, column)) in self.columns.iter().enumerate() {
                if i > 0 {
                    buffer.push(b',');
                }
                column.write_cell(row, buffer);
            }
            buffer.push(b'\n');
            if buffer.len() >= 1 << 16 {
                out.write_all(buffer)?;
                buffer.clear();
            }
        }
        Ok(())
    }
}

/// A table as a sequence of Arrow batches. Batches on disk are read when the iterator reaches them.
#[derive(Clone, Debug)]
pub struct Batches {
    schema: SchemaRef,
    earlier: Option<Arc<Spill>>,
    /// Number of the next chunk to read from disk.
    next: usize,
    end: usize,
    last: Option<RecordBatch>,
}

impl Batches {
    /// Returns names and types of the columns.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Returns the batches as one table each, without reading them from disk.
    pub fn each(&self) -> Vec<Self> {
        let on_disk =
            (self.next..self.end).map(|next| Self { next, end: next + 1, last: None, ..self.clone() });
        let in_memory = self.last.is_some().then(|| Self { next: self.end, ..self.clone() });
        on_disk.chain(in_memory).collect()
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(spill) = self.earlier.as_ref().filter(|_| self.next < self.end) else {
            return self.last.take().map(Ok);
        };
        self.next += 1;
        let read = spill.read(self.next - 1).map_err(|error| ArrowError::IoError(error.to_string(), error));
        Some(read.map(|columns| Table::of(columns).batch(&self.schema)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::write_time;
    use arrow_array::Array as _;
    use arrow_schema::DataType;

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
        let batch = table().to_arrow().next().unwrap().unwrap();
        assert_eq!(batch.num_rows(), 2);
        assert_eq!(batch.schema().field(0).data_type(), &DataType::Float64);
        assert_eq!(batch.schema().field(1).data_type(), &DataType::Utf8);
        assert!(batch.column(2).is_null(0) && !batch.column(2).is_null(1));
        assert!(!batch.schema().field(1).is_nullable() && batch.schema().field(2).is_nullable());
    }

    #[test]
    fn rows_on_disk_come_first() {
        let mut spill = Spill::default();
        spill.add(table().into_columns());
        let both = table().after(Some(spill));
        let (mut once, mut twice) = (Vec::new(), Vec::new());
        table().write_csv(&mut once).unwrap();
        both.write_csv(&mut twice).unwrap();
        let rows = once.split_inclusive(|byte| *byte == b'\n').skip(1).collect::<Vec<_>>().concat();
        assert_eq!(twice, [once, rows].concat());
        let batches: Vec<RecordBatch> = both.to_arrow().map(Result::unwrap).collect();
        assert_eq!((both.rows(), batches.len()), (4, 2));
        assert!(batches[0] == batches[1] && batches[0].schema() == both.to_arrow().schema());
        let each: Vec<Vec<RecordBatch>> =
            both.to_arrow().each().into_iter().map(|one| one.map(Result::unwrap).collect()).collect();
        assert_eq!(each, [[batches[0].clone()], [batches[1].clone()]]);
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
