//! The loop of an emulation: it advances the simulation to the present time, and carries packets between the
//! devices and the simulated network.

use crate::{Fault, Lateness};
use base::{Duration, Instant};
use engine::Control;
use sim::{Departed, RunError, SenderSample, Simulation};

/// Maximum number of packets that are read from a device before the simulation is advanced again.
const BATCH: usize = 64;

/// Once the command has ended, the emulation goes on until no packet has entered or left for this time.
const QUIET: Duration = Duration::from_ms(250);

/// Longest time for which the emulation goes on after the command has ended.
const LINGER: Duration = Duration::from_secs(2);

/// Time between two samples of the kernel's senders.
const SAMPLES: Duration = Duration::from_ms(10);

/// Environment of an emulation: the clock, one network device for each of the two nodes (0 and 1), and the
/// command, if any, that runs over them.
pub trait Outside {
    /// Returns the time since the emulation began.
    fn now(&mut self) -> Instant;

    /// Waits until time `until`, or until a packet can be read. May return earlier.
    ///
    /// # Errors
    /// If the devices cannot be waited for.
    fn wait(&mut self, until: Instant) -> Result<(), Fault>;

    /// Returns the next packet that was sent into the device of a node; `None` if there is none at present.
    ///
    /// # Errors
    /// If the device cannot be read.
    fn read(&mut self, side: usize) -> Result<Option<Vec<u8>>, Fault>;

    /// Writes a packet to the device of a node; returns false if the device did not accept it.
    ///
    /// # Errors
    /// If the device cannot be written to.
    fn write(&mut self, side: usize, bytes: &[u8]) -> Result<bool, Fault>;

    /// Returns the state of the senders of TCP connections at a node. Called only if the run records a trace of
    /// senders.
    fn senders(&mut self, side: usize) -> Vec<SenderSample>;

    /// Returns true if the command, for which the emulation runs, has ended.
    fn has_ended(&mut self) -> bool;
}

/// Reason why an emulation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The scenario's duration is over.
    Duration,
    /// The command has ended.
    Command,
    /// The emulation was stopped from outside.
    Stopped,
}

impl Ending {
    /// Returns the name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Duration => "duration",
            Self::Command => "command",
            Self::Stopped => "stopped",
        }
    }
}

/// Account of an emulation: how it ended, its packets, and their lateness.
#[derive(Clone, Debug)]
pub struct Report {
    /// Reason why the emulation ended.
    pub ending: Ending,
    /// Lateness of the packets written.
    pub lateness: Lateness,
    /// Packets read from the device of each node.
    pub entered: [u64; 2],
    /// Packets that a device did not accept.
    pub refused: u64,
    /// Packets read that are neither IPv4 nor IPv6; they were left out.
    pub unreadable: u64,
    /// Longest time that one turn of the loop took besides waiting, seconds.
    pub longest_turn_s: f64,
}

/// State of the loop.
struct Loop<'a, O> {
    run: &'a mut Simulation,
    outside: &'a mut O,
    report: Report,
    /// Time at which a packet last entered or left.
    active: Instant,
    /// Time of the next sample of the senders; `None` if no trace records them.
    sample: Option<Instant>,
}

/// Runs `run` in real time until its end, until a while after the command has ended, or until `control` stops it.
/// Counts the packets that are late by more than `bound`.
///
/// # Errors
/// If a device fails, or if the run fails.
pub fn drive(
    run: &mut Simulation,
    outside: &mut impl Outside,
    bound: Duration,
    control: &Control,
) -> Result<Report, Fault> {
    let report = Report {
        ending: Ending::Duration,
        lateness: Lateness::new(bound),
        entered: [0; 2],
        refused: 0,
        unreadable: 0,
        longest_turn_s: 0.0,
    };
    let sample = run.watches_senders().then_some(Instant::ZERO);
    let mut turns = Loop { run, outside, report, active: Instant::ZERO, sample };
    turns.report.ending = turns.go(control)?;
    Ok(turns.report)
}

impl<O: Outside> Loop<'_, O> {
    fn go(&mut self, control: &Control) -> Result<Ending, Fault> {
        let end = self.run.end();
        let mut ended: Option<Instant> = None;
        loop {
            let now = self.outside.now().min(end);
            if !self.advance(now, control)? || control.look() {
                return Ok(Ending::Stopped);
            }
            if now == end {
                return Ok(Ending::Duration);
            }
            if ended.is_none() && self.outside.has_ended() {
                ended = Some(now);
                self.active = now;
            }
            if ended.is_some_and(|ended| now >= (self.active + QUIET).min(ended + LINGER)) {
                return Ok(Ending::Command);
            }
            let more = self.take_in(end, control)?;
            self.sample_senders(now);
            let turn = self.outside.now().since(now).secs();
            self.report.longest_turn_s = self.report.longest_turn_s.max(turn);
            if !more {
                let due = self.run.next_event().unwrap_or(end).min(end);
                let due = ended.map_or(due, |_| due.min(self.active + QUIET));
                let due = self.sample.map_or(due, |sample| due.min(sample));
                self.outside.wait(due)?;
            }
        }
    }

    /// Passes the state of the kernel's senders to the traces, if the next sample is due.
    fn sample_senders(&mut self, now: Instant) {
        if self.sample.is_some_and(|due| due <= now) {
            for side in [0, 1] {
                let samples = self.outside.senders(side);
                self.run.observe_senders(side, &samples);
            }
            self.sample = Some(now + SAMPLES);
        }
    }

    /// Advances the simulation, and writes the packets that have arrived. Returns false if `control` stopped it.
    fn advance(&mut self, to: Instant, control: &Control) -> Result<bool, Fault> {
        let goes_on = match self.run.advance(to, None, control) {
            Ok(_) => true,
            Err(RunError::Interrupted) => false,
            Err(error) => return Err(error.into()),
        };
        while let Some(Departed { at, side, bytes }) = self.run.departed() {
            if !self.outside.write(side, &bytes)? {
                self.report.refused += 1;
            }
            let now = self.outside.now();
            self.report.lateness.add(at, now);
            self.active = now;
        }
        Ok(goes_on)
    }

    /// Puts the packets that wait at both devices into the simulated network, at most `BATCH` from each; returns
    /// true if more may wait.
    fn take_in(&mut self, end: Instant, control: &Control) -> Result<bool, Fault> {
        let mut more = false;
        for side in [0, 1] {
            let mut packets = Vec::new();
            while packets.len() < BATCH
                && let Some(bytes) = self.outside.read(side)?
            {
                packets.push(bytes);
            }
            if packets.is_empty() {
                continue;
            }
            more |= packets.len() == BATCH;
            // The packets have been sent before the present time, at which they enter the simulated network.
            self.active = self.outside.now().min(end);
            self.advance(self.active, control)?;
            for bytes in packets {
                self.report.entered[side] += 1;
                if !self.run.enter(side, bytes) {
                    self.report.unreadable += 1;
                }
            }
        }
        Ok(more)
    }
}
