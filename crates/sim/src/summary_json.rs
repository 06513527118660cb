//! JSON that is easy to read, and to process line by line: the two outermost levels of tables and lists are indented,
//! and each row in them is one line without white space.

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Number of nesting levels that are indented.
const LAID_OUT: usize = 2;

/// Writes `value` as JSON.
pub(crate) fn write(value: &impl Serialize, out: impl Write) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, RowPerLine::default())).map_err(io::Error::from)
}

#[derive(Default)]
struct RowPerLine {
    /// Number of tables and lists that are open.
    depth: usize,
    /// True if the innermost open table or list, or the one just closed, has a value.
    filled: bool,
}

impl RowPerLine {
    fn open(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.filled = false;
        out.write_all(bracket)
    }

    fn close(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.filled && self.depth < LAID_OUT {
            self.line(out)?;
        }
        out.write_all(bracket)
    }

    fn item(&mut self, out: &mut (impl Write + ?Sized), first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        if self.depth <= LAID_OUT { self.line(out) } else { Ok(()) }
    }

    fn line(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for RowPerLine {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(if self.depth <= LAID_OUT { b": " } else { b":" })
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_line_for_each_row() {
        let value = json!({
            "rows": [{ "a": 1, "b": { "c": [], "d": {} } }, { "a": 2, "b": null }],
            "none": [],
            "one": { "x": 0.5 },
        });
        let expected = "\
{
  \"rows\": [
    {\"a\":1,\"b\":{\"c\":[],\"d\":{}}},
    {\"a\":2,\"b\":null}
  ],
  \"none\": [],
  \"one\": {
    \"x\": 0.5
  }
}";
        let mut out = Vec::new();
        write(&value, &mut out).expect("memory");
        assert_eq!(String::from_utf8(out).expect("text"), expected);
        assert_eq!(serde_json::from_str::<serde_json::Value>(expected).expect("JSON"), value);
    }
}
