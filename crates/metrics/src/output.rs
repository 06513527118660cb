//! Files that are whole or not there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file by `fill`: first under a temporary name beside it, then renamed, so that nothing half-written stays.
///
/// # Errors
/// When the file cannot be created, filled or renamed.
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
        // The error at hand says more than one about the leftover would.
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

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
