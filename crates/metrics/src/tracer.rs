//! Traces, while they are recorded and when they are finished.

use crate::kept::Kept;
use crate::subjects::Subjects;
use crate::table::Table;
use base::{DropCause, Duration, Instant, Observation, Packet, PacketEvent, Place};
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

/// A packet event; events come in order of time.
#[derive(Clone, Copy)]
pub(crate) struct Event<'a> {
    pub at: Instant,
    pub event: PacketEvent,
    pub place: Place,
    pub packet: &'a Packet,
    pub cause: Option<DropCause>,
}

/// Copying of a trace in the middle of its recording.
pub(crate) trait Copied {
    /// Returns a copy that continues on its own.
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
    /// Creates an empty trace; `bin` is the width of bins of time.
    fn new(subjects: &Subjects, bin: Duration) -> Self
    where
        Self: Sized;

    /// Returns the packet events that it wants.
    fn events(&self) -> &'static [PacketEvent] {
        &[]
    }

    /// Records an event of [`Tracer::events`].
    fn packet(&mut self, _: &Subjects, _: &Event<'_>) {}

    /// Records a value.
    fn observe(&mut self, _now: Instant, _: &Observation<'_>) {}

    /// Returns true if it wants buffers or variables of queue disciplines.
    fn watches_queues(&self) -> bool {
        false
    }

    /// Returns true if it wants the variables of congestion controls.
    fn watches_controls(&self) -> bool {
        false
    }

    /// Ends the recording.
    fn finish(self: Box<Self>, subjects: &Subjects, end: Instant) -> Recorded;
}

/// A trace that has been recorded.
pub(crate) enum Recorded {
    Table(Table),
    Files(Box<dyn TraceFiles>),
}

/// A trace that is written as files of its own format.
pub trait TraceFiles: Debug + Send + Sync {
    /// Writes the files into `folder` and returns their paths. Their names are made of `stem`, or, without one, of the
    /// trace's own name.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn write(&self, folder: &Path, stem: Option<&str>) -> io::Result<Vec<PathBuf>>;

    /// Returns the space that it takes.
    fn kept(&self) -> Kept;
}
