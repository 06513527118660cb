//! Tables as bytes that the page reads as typed arrays.
//!
//! A table begins with the length of its header (4 bytes, little endian) and the header (JSON). The columns follow,
//! each at a multiple of 8 bytes. The header names the columns with their types and offsets. A type is `f64` (absent
//! values are NaN), `i32` or `label`. A label is an index (`u32`) into `names`, or `u32::MAX` for a cell without a
//! string.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use metrics::Table;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;

#[derive(Serialize)]
struct Header<'a> {
    rows: usize,
    columns: Vec<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    /// Offset from the end of the header, bytes.
    at: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
}

/// Bytes of one column while batches of rows are added.
enum Packed {
    Floats(Vec<u8>),
    Ints(Vec<u8>),
    Labels { codes: Vec<u8>, names: Vec<String>, known: BTreeMap<String, u32> },
}

impl Packed {
    fn like(array: &ArrayRef) -> Self {
        if array.as_string_opt::<i32>().is_some() {
            Self::Labels { codes: Vec::new(), names: Vec::new(), known: BTreeMap::new() }
        } else if array.as_primitive_opt::<Int32Type>().is_some_and(|ints| ints.null_count() == 0) {
            Self::Ints(Vec::new())
        } else {
            Self::Floats(Vec::new())
        }
    }

    fn add(&mut self, array: &ArrayRef) {
        match self {
            Self::Floats(out) => floats(array).for_each(|value| out.extend(value.to_le_bytes())),
            Self::Ints(out) => {
                let ints = array.as_primitive::<Int32Type>();
                ints.values().iter().for_each(|value| out.extend(value.to_le_bytes()));
            }
            Self::Labels { codes, names, known } => {
                for text in array.as_string::<i32>() {
                    let code = text.map_or(u32::MAX, |text| {
                        known.get(text).copied().unwrap_or_else(|| {
                            let code = names.len() as u32;
                            names.push(text.to_owned());
                            known.insert(text.to_owned(), code);
                            code
                        })
                    });
                    codes.extend(code.to_le_bytes());
                }
            }
        }
    }

    fn finish(self) -> (&'static str, Vec<u8>, Vec<String>) {
        match self {
            Self::Floats(bytes) => ("f64", bytes, Vec::new()),
            Self::Ints(bytes) => ("i32", bytes, Vec::new()),
            Self::Labels { codes, names, .. } => ("label", codes, names),
        }
    }
}

fn floats(array: &ArrayRef) -> Box<dyn Iterator<Item = f64> + '_> {
    if let Some(wide) = array.as_primitive_opt::<Int64Type>() {
        return Box::new(wide.iter().map(|value| value.map_or(f64::NAN, |value| value as f64)));
    }
    if let Some(narrow) = array.as_primitive_opt::<Int32Type>() {
        return Box::new(narrow.iter().map(|value| value.map_or(f64::NAN, f64::from)));
    }
    Box::new(array.as_primitive::<Float64Type>().iter().map(|value| value.unwrap_or(f64::NAN)))
}

/// Returns the table as bytes.
///
/// # Errors
/// If rows that were spilled to disk cannot be read back.
pub(crate) fn table(table: &Table) -> io::Result<Vec<u8>> {
    let batches = table.to_arrow();
    let schema = batches.schema();
    let mut columns: Vec<Packed> = Vec::new();
    for batch in batches {
        let batch: RecordBatch = batch.map_err(io::Error::other)?;
        if columns.is_empty() {
            columns = batch.columns().iter().map(Packed::like).collect();
        }
        columns.iter_mut().zip(batch.columns()).for_each(|(column, array)| column.add(array));
    }
    let mut body = Vec::new();
    let mut places = Vec::new();
    for (field, column) in schema.fields().iter().zip(columns) {
        let (kind, bytes, names) = column.finish();
        places.push(Place { name: field.name(), kind, at: body.len(), names });
        body.extend(bytes);
        body.resize(body.len().next_multiple_of(8), 0);
    }
    let mut header = serde_json::to_vec(&Header { rows: table.rows(), columns: places })?;
    // The columns begin at a multiple of 8 bytes; JSON allows white space at its end.
    header.resize((header.len() + 4).next_multiple_of(8) - 4, b' ');
    let mut out = (header.len() as u32).to_le_bytes().to_vec();
    out.extend(header);
    out.extend(body);
    Ok(out)
}
