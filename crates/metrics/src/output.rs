//! Files that are written completely or not at all.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file by `fill`: first under a temporary name in the same folder, then renamed, so that no
/// half-written file remains.
///
/// # Errors
/// If the file cannot be created, filled or renamed.
pub fn write_file(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".part");
    let written = (|| {
        let mut out = BufWriter::new(File::create(&temporary)?);
        fill(&mut out)?;
        out.flush()?;
        fs::rename(&temporary, path)
    })();
    if written.is_err() {
        // The caller gets the first error, not one about the temporary file.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A writer that only counts bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Length(pub usize);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns a file name for each of `names`. Characters that file systems do not allow become `_`, and names
/// that would be equal, or differ only in case, get a number.
pub(crate) fn stems<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let stem = |name: &str| {
        let plain = name.replace(['/', '\\', ':', '*', '?', '"', '<', '>', '|', '\0'], "_");
        let candidates = std::iter::once(plain.clone()).chain((2..).map(|n: u32| format!("{plain}~{n}")));
        candidates.into_iter().find(|candidate| taken.insert(candidate.to_lowercase())).unwrap_or(plain)
    };
    names.into_iter().map(stem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_become_the_same_are_numbered() {
        assert_eq!(stems(["v/1", "v_1", "V:1", "w"]), ["v_1", "v_1~2", "V_1~3", "w"]);
    }

    #[test]
    fn leaves_nothing_half_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.csv");
        let failed = write_file(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
        write_file(&path, |out| out.write_all(b"whole")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
