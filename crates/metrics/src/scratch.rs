//! Temporary file for data that do not fit into memory.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Store of the pieces.
#[cfg(not(target_family = "wasm"))]
type File = std::fs::File;
/// Store of the pieces in WebAssembly, which has no files.
#[cfg(target_family = "wasm")]
type File = io::Cursor<Vec<u8>>;

#[cfg(not(target_family = "wasm"))]
fn created() -> io::Result<File> {
    tempfile::tempfile()
}

#[cfg(target_family = "wasm")]
#[allow(clippy::unnecessary_wraps, reason = "as with files")]
fn created() -> io::Result<File> {
    Ok(File::default())
}

/// Unnamed temporary file to which pieces are appended. The file is created when the first piece is appended,
/// and deleted with the last clone. Clones append to the same file; each keeps the positions of its own
/// pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    file: Option<File>,
    bytes: u64,
    /// The first error of writing; nothing is written after it.
    failed: Option<(io::ErrorKind, String)>,
}

/// Position and length of a piece within the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    at: u64,
    bytes: usize,
}

impl Piece {
    /// Returns the length of the piece, bytes.
    pub(crate) fn bytes(self) -> u64 {
        self.bytes as u64
    }
}

impl State {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(created()?),
        };
        // Reading has moved the file position, so the end of the file is sought before writing.
        file.seek(SeekFrom::Start(self.bytes))?;
        file.write_all(bytes)
    }
}

impl Scratch {
    /// Appends a piece. A write error is reported when a piece is read.
    pub(crate) fn append(&self, bytes: &[u8]) -> Piece {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.failed.is_none() {
            state.failed = state.append(bytes).err().map(|error| (error.kind(), error.to_string()));
        }
        let piece = Piece { at: state.bytes, bytes: bytes.len() };
        state.bytes += bytes.len() as u64;
        piece
    }

    /// Reads a piece.
    ///
    /// # Errors
    /// If an earlier write failed, or the file cannot be read.
    pub(crate) fn read(&self, piece: Piece) -> io::Result<Vec<u8>> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((kind, why)) = &state.failed {
            let message = format!("the trace does not fit into the temporary folder: {why}");
            return Err(io::Error::new(*kind, message));
        }
        let mut buffer = vec![0; piece.bytes];
        if let Some(file) = &mut state.file {
            file.seek(SeekFrom::Start(piece.at))?;
            file.read_exact(&mut buffer)?;
        }
        Ok(buffer)
    }

    /// Makes all further writes fail, as if the disk were full.
    #[cfg(test)]
    pub(crate) fn fail(&self) {
        self.0.lock().unwrap().failed = Some((io::ErrorKind::StorageFull, "no space left on device".into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_append_to_one_file_and_read_their_own() {
        let one = Scratch::default();
        let first = one.append(b"first");
        let other = one.clone();
        let (mine, theirs) = (one.append(b"mine"), other.append(b"theirs"));
        assert_eq!(one.read(first).unwrap(), b"first");
        assert_eq!(other.read(theirs).unwrap(), b"theirs");
        assert_eq!(one.read(mine).unwrap(), b"mine");
        assert_eq!(one.read(one.append(b"")).unwrap(), b"");
    }

    #[test]
    fn a_full_disk_is_an_error_of_the_reader() {
        let scratch = Scratch::default();
        let piece = scratch.append(b"piece");
        scratch.fail();
        let error = scratch.read(piece).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(error.to_string().contains("no space left"), "{error}");
    }
}
