//! Interfaces of traces: while they are recorded, and as finished files.

use crate::kept::Kept;
use crate::subjects::Subjects;
use crate::table::Table;
use base::{DropCause, Duration, Instant, Observation, Packet, PacketEvent, Place};
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

/// A packet event, as tracers get it; events come in order of time.
#[derive(Clone, Copy)]
pub(crate) struct Event<'a> {
    pub at: Instant,
    pub event: PacketEvent,
    pub place: Place,
    pub packet: &'a Packet,
    pub cause: Option<DropCause>,
}

/// Copying of a trace while it is recorded; implemented for every tracer that is `Clone`.
pub(crate) trait Copied {
    /// Returns a copy; recording into the copy does not change the original.
    fn copied(&self) -> Box<dyn Tracer>;
}

impl<T: Tracer + Clone + 'static> Copied for T {
    fn copied(&self) -> Box<dyn Tracer> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Tracer> {
    fn clone(&self) -> Self {
        (**self).copied()
    }
}

/// A trace that is being recorded.
pub(crate) trait Tracer: Copied + Send {
    /// Creates an empty trace; `bin` is the width of its time bins.
    fn new(subjects: &Subjects, bin: Duration) -> Self
    where
        Self: Sized;

    /// Returns the kinds of packet events that the tracer uses.
    fn events(&self) -> &'static [PacketEvent] {
        &[]
    }

    /// Records a packet event of a kind in [`Tracer::events`].
    fn packet(&mut self, _: &Subjects, _: &Event<'_>) {}

    /// Records the bytes of a packet that an outside program or a kernel has just sent.
    fn content(&mut self, _packet: &Packet, _bytes: &[u8]) {}

    /// Records a value that the simulation reports at `now`, such as a sender's variable or the length of a
    /// buffer.
    fn observe(&mut self, _now: Instant, _: &Observation<'_>) {}

    /// Returns true if the tracer uses lengths of buffers or variables of queue disciplines.
    fn watches_queues(&self) -> bool {
        false
    }

    /// Returns true if the tracer uses the variables of congestion controls.
    fn watches_controls(&self) -> bool {
        false
    }

    /// Ends the recording at `end` and returns the finished trace.
    fn finish(self: Box<Self>, subjects: &Subjects, end: Instant) -> Recorded;
}

/// A finished trace: a table, or files of another format.
pub(crate) enum Recorded {
    Table(Table),
    Files(Box<dyn TraceFiles>),
}

/// A finished trace that is written as files of its own format.
pub trait TraceFiles: Debug + Send + Sync {
    /// Writes the files into `folder` and returns their paths. The files' names begin with `stem`, or with
    /// the trace's name if there is no stem.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn write(&self, folder: &Path, stem: Option<&str>) -> io::Result<Vec<PathBuf>>;

    /// Returns the space that the trace takes.
    fn kept(&self) -> Kept;
}
