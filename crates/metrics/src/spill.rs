//! Rows that do not fit into memory: they are kept in a temporary file, chunk by chunk, until they are read.
//!
//! A trace of every packet of a fast link takes gigabytes. While it is recorded, full chunks of rows go to an
//! unnamed file, which is deleted with the run. The table is then read one chunk at a time.

use crate::column::{Column, NO_LABEL};
use crate::scratch::{Piece, Scratch};
use std::io;

/// Number of rows in a chunk.
pub(crate) const CHUNK: usize = 1 << 18;

/// Chunks of rows on disk. A clone can be extended without effect on the original.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spill {
    scratch: Scratch,
    chunks: Vec<Chunk>,
    rows: usize,
    /// For each column, true if it is a [`Column::Label`] of which at least one cell has no string.
    gaps: Vec<bool>,
}

/// Position of a chunk in the file, and its columns without their cells, as templates for decoding.
#[derive(Clone, Debug)]
struct Chunk {
    piece: Piece,
    rows: usize,
    columns: Vec<(&'static str, Column)>,
}

impl PartialEq for Spill {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Spill {
    /// Returns the number of rows in all chunks.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the size of all chunks, bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.piece.bytes()).sum()
    }

    /// Returns the number of chunks.
    pub(crate) fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Returns true if column number `column` is a [`Column::Label`] of which at least one cell has no
    /// string.
    pub(crate) fn has_gaps(&self, column: usize) -> bool {
        self.gaps.get(column).copied().unwrap_or_default()
    }

    /// Appends the rows of `table` as a chunk.
    pub(crate) fn add(&mut self, table: Vec<(&'static str, Column)>) {
        let rows = table.first().map_or(0, |(_, column)| column.len());
        self.rows += rows;
        let mut bytes = Vec::with_capacity(rows * 48);
        let mut columns = Vec::with_capacity(table.len());
        self.gaps.resize(table.len(), false);
        for ((name, column), gaps) in table.into_iter().zip(&mut self.gaps) {
            *gaps |= matches!(&column, Column::Label { codes, .. } if codes.contains(&NO_LABEL));
            encode(&column, &mut bytes);
            columns.push((name, emptied(column)));
        }
        self.chunks.push(Chunk { piece: self.scratch.append(&bytes), rows, columns });
    }

    /// Reads chunk number `chunk`.
    ///
    /// # Errors
    /// If an earlier write failed, or the file cannot be read.
    pub(crate) fn read(&self, chunk: usize) -> io::Result<Vec<(&'static str, Column)>> {
        let Chunk { piece, rows, columns } = &self.chunks[chunk];
        let buffer = self.scratch.read(*piece)?;
        let mut rest = buffer.as_slice();
        let decoded = |(name, like): &(&'static str, Column)| Ok((*name, decode(like, *rows, &mut rest)?));
        columns.iter().map(decoded).collect()
    }
}

/// Returns a column of the same type, and with the same labels, without values.
fn emptied(column: Column) -> Column {
    match column {
        Column::Time(_) => Column::Time(Vec::new()),
        Column::Float(_) => Column::Float(Vec::new()),
        Column::OptionalFloat(_) => Column::OptionalFloat(Vec::new()),
        Column::Int(_) => Column::Int(Vec::new()),
        Column::Int32(_) => Column::Int32(Vec::new()),
        Column::OptionalInt32(_) => Column::OptionalInt32(Vec::new()),
        Column::Text(_) => Column::Text(Vec::new()),
        Column::Label { names, .. } => Column::Label { names, codes: Vec::new() },
    }
}

fn encode(column: &Column, out: &mut Vec<u8>) {
    match column {
        Column::Time(v) => v.iter().for_each(|x| out.extend(x.to_le_bytes())),
        Column::Float(v) => v.iter().for_each(|x| out.extend(x.to_le_bytes())),
        Column::OptionalFloat(v) => v.iter().for_each(|x| {
            out.push(u8::from(x.is_some()));
            out.extend(x.unwrap_or_default().to_le_bytes());
        }),
        Column::Int(v) => v.iter().for_each(|x| out.extend(x.to_le_bytes())),
        Column::Int32(v) => v.iter().for_each(|x| out.extend(x.to_le_bytes())),
        Column::OptionalInt32(v) => v.iter().for_each(|x| {
            out.push(u8::from(x.is_some()));
            out.extend(x.unwrap_or_default().to_le_bytes());
        }),
        Column::Text(v) => v.iter().for_each(|x| {
            out.extend((x.len() as u64).to_le_bytes());
            out.extend(x.as_bytes());
        }),
        Column::Label { codes, .. } => codes.iter().for_each(|x| out.extend(x.to_le_bytes())),
    }
}

fn decode(like: &Column, rows: usize, from: &mut &[u8]) -> io::Result<Column> {
    Ok(match like {
        Column::Time(_) => Column::Time(values(rows, || Ok(u64::from_le_bytes(take(from)?)))?),
        Column::Float(_) => Column::Float(values(rows, || Ok(f64::from_le_bytes(take(from)?)))?),
        Column::OptionalFloat(_) => Column::OptionalFloat(values(rows, || {
            let [there] = take(from)?;
            let value = f64::from_le_bytes(take(from)?);
            Ok((there == 1).then_some(value))
        })?),
        Column::Int(_) => Column::Int(values(rows, || Ok(i64::from_le_bytes(take(from)?)))?),
        Column::Int32(_) => Column::Int32(values(rows, || Ok(i32::from_le_bytes(take(from)?)))?),
        Column::OptionalInt32(_) => Column::OptionalInt32(values(rows, || {
            let [there] = take(from)?;
            let value = i32::from_le_bytes(take(from)?);
            Ok((there == 1).then_some(value))
        })?),
        Column::Text(_) => Column::Text(values(rows, || {
            let length = u64::from_le_bytes(take(from)?) as usize;
            let (text, rest) = from.split_at_checked(length).ok_or(io::ErrorKind::UnexpectedEof)?;
            *from = rest;
            Ok(String::from_utf8_lossy(text).into_owned())
        })?),
        Column::Label { names, .. } => Column::Label {
            names: names.clone(),
            codes: values(rows, || Ok(u32::from_le_bytes(take(from)?)))?,
        },
    })
}

fn values<T>(rows: usize, mut next: impl FnMut() -> io::Result<T>) -> io::Result<Vec<T>> {
    (0..rows).map(|_| next()).collect()
}

fn take<const N: usize>(from: &mut &[u8]) -> io::Result<[u8; N]> {
    let (bytes, rest) = from.split_first_chunk::<N>().ok_or(io::ErrorKind::UnexpectedEof)?;
    *from = rest;
    Ok(*bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(from: u64) -> Vec<(&'static str, Column)> {
        vec![
            ("time_s", Column::Time(vec![from, from + 1])),
            ("float", Column::Float(vec![0.1, f64::INFINITY])),
            ("maybe", Column::OptionalFloat(vec![None, Some(0.3)])),
            ("int", Column::Int(vec![-1, i64::MAX])),
            ("small", Column::Int32(vec![-1, i32::MAX])),
            ("maybe_small", Column::OptionalInt32(vec![Some(-7), None])),
            ("text", Column::Text(vec!["a,b".into(), String::new()])),
            ("label", Column::Label { names: vec!["x".into(), format!("{from}")], codes: vec![1, NO_LABEL] }),
        ]
    }

    #[test]
    fn what_comes_back_is_what_was_written() {
        let mut spill = Spill::default();
        spill.add(table(5));
        spill.add(table(7));
        assert_eq!((spill.rows(), spill.chunks()), (4, 2));
        assert_eq!((spill.read(1).unwrap(), spill.read(0).unwrap()), (table(7), table(5)));
        assert!(spill.has_gaps(7) && !spill.has_gaps(0));
    }

    #[test]
    fn a_clone_goes_its_own_way() {
        let mut spill = Spill::default();
        spill.add(table(5));
        let mut clone = spill.clone();
        spill.add(table(7));
        clone.add(table(9));
        assert_eq!((spill.read(0).unwrap(), spill.read(1).unwrap()), (table(5), table(7)));
        assert_eq!((clone.read(0).unwrap(), clone.read(1).unwrap()), (table(5), table(9)));
        assert!(clone.has_gaps(7) && !clone.has_gaps(0));
    }
}
