//! Logs of the two ends of QUIC flows in the format qlog, kept on disk during a run.

use crate::kept::Kept;
use crate::output::{stems, write_file};
use crate::scratch::{Piece, Scratch};
use crate::tracer::TraceFiles;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that are collected before they are written to disk.
const PIECE: usize = 1 << 16;

/// Log of one end of a connection. Clones share the log.
#[derive(Clone, Debug, Default)]
pub struct StackLog(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    scratch: Scratch,
    earlier: Vec<Piece>,
    recent: Vec<u8>,
}

impl Write for StackLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.recent.extend_from_slice(bytes);
        if state.recent.len() >= PIECE {
            let piece = state.scratch.append(&state.recent);
            state.earlier.push(piece);
            state.recent.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl StackLog {
    /// Returns the number of bytes written to the log.
    fn bytes(&self) -> u64 {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.earlier.iter().map(|piece| piece.bytes()).sum::<u64>() + state.recent.len() as u64
    }

    fn copy(&self, out: &mut dyn Write) -> io::Result<()> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for piece in &state.earlier {
            out.write_all(&state.scratch.read(*piece)?)?;
        }
        out.write_all(&state.recent)
    }
}

/// Logs of both ends of a flow.
#[derive(Clone, Debug)]
pub struct FlowLog {
    /// The flow's name.
    pub flow: String,
    /// The log of the end that opens the connection and sends.
    pub client: StackLog,
    /// The log of the end that accepts the connection and receives.
    pub server: StackLog,
}

impl TraceFiles for Vec<FlowLog> {
    /// Writes `<stem>-<flow>-client.sqlog` and `<stem>-<flow>-server.sqlog` for each flow.
    fn write(&self, folder: &Path, stem: Option<&str>) -> io::Result<Vec<PathBuf>> {
        let stem = stem.unwrap_or("qlog");
        let mut paths = Vec::with_capacity(2 * self.len());
        for (log, flow) in self.iter().zip(stems(self.iter().map(|log| log.flow.as_str()))) {
            for (side, end) in [("client", &log.client), ("server", &log.server)] {
                let path = folder.join(format!("{stem}-{flow}-{side}.sqlog"));
                write_file(&path, |out| end.copy(out))?;
                paths.push(path);
            }
        }
        Ok(paths)
    }

    fn kept(&self) -> Kept {
        Kept::waiting(self.iter().map(|log| log.client.bytes() + log.server.bytes()).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_piece_by_piece_comes_back_whole() {
        let mut log = StackLog::default();
        let text: Vec<u8> = (0..3 * PIECE).map(|i| (i % 251) as u8).collect();
        for part in text.chunks(1000) {
            log.clone().write_all(part).unwrap();
        }
        log.flush().unwrap();
        let mut read = Vec::new();
        log.copy(&mut read).unwrap();
        assert_eq!(read, text);
        let state = log.0.lock().unwrap();
        assert!(state.earlier.len() >= 2 && state.recent.len() < PIECE);
    }
}
