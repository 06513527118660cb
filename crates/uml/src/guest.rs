//! A guest: a process of User-Mode Linux with two network devices, which runs only when this crate lets it.

use crate::calendar::{Calendar, MESSAGE};
use crate::device::{Asked, Device};
use crate::errand::Errand;
use crate::{Fault, place, socket};
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::VecDeque;
use std::fs::{File, read_to_string};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Option for the memory of a guest; the host provides only the pages that the guest uses.
const MEMORY: &str = "mem=256M";
/// Number of lines of a guest's console that a fault shows.
const LAST_WORDS: usize = 4;

/// A running guest.
pub(crate) struct Guest {
    process: Process,
    socket: OwnedFd,
    calendar: Calendar,
    devices: [Device; 2],
    /// Frames that the guest has sent, each with the number of its device.
    out: VecDeque<(usize, Vec<u8>)>,
}

/// Process of the guest's kernel, and its temporary folder. Dropping the value ends the process group.
struct Process {
    child: Child,
    folder: TempDir,
}

impl Drop for Process {
    fn drop(&mut self) {
        // If the guest has ended by itself, its process group no longer exists.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }
}

impl Process {
    fn ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Returns the last lines of the guest's console, for the report of a fault.
    fn last_words(&self) -> String {
        let said = read_to_string(self.folder.path().join("console")).unwrap_or_default();
        let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        // After a panic the kernel prints its reason, then a trace of calls.
        let end = lines.iter().position(|line| line.contains("panic")).map_or(lines.len(), |at| at + 1);
        let last = lines[end.saturating_sub(LAST_WORDS)..end].join(" / ");
        if last.is_empty() { String::new() } else { format!("; its console ends: {last}") }
    }
}

fn refused(what: &'static str) -> impl Fn(std::io::Error) -> Fault {
    move |why| Fault::of(what, why)
}

impl Guest {
    /// Starts a guest and runs it until it waits for the first time.
    ///
    /// # Errors
    /// If there is no kernel, or the guest does not boot.
    pub(crate) fn boot(errand: &Errand) -> Result<Self, Fault> {
        let kernel = place::installed()?;
        let folder = tempfile::Builder::new()
            .prefix("ackclock-")
            .tempdir()
            .map_err(refused("a folder for the guest"))?;
        let at = |name: &str| folder.path().join(name);
        let time = socket::listener(&at("time"))?;
        let devices =
            [Device::new(socket::listener(&at("net0"))?, 1), Device::new(socket::listener(&at("net1"))?, 2)];
        symlink(kernel.join("guest.cpio"), at("guest.cpio")).map_err(refused("the guest's file system"))?;
        let console = File::create(at("console")).map_err(refused("the guest's console"))?;
        let errors = console.try_clone().map_err(refused("the guest's console"))?;
        let log = File::options().write(true).open("/dev/null").map_err(refused("the guest's log"))?;
        let child = Command::new(kernel.join("linux"))
            .arg0("linux")
            .args([
                MEMORY,
                "time-travel=ext:1:time",
                "initrd=guest.cpio",
                "rdinit=/init",
                "umid=guest",
                "uml_dir=./",
            ])
            .args(["virtio_uml.device=net0:1:0", "virtio_uml.device=net1:1:1", "virtio_net.napi_tx=0"])
            .args(["quiet", "con=null", "con0=fd:0,fd:1"])
            .args(errand.words())
            .current_dir(folder.path())
            .env_clear()
            .env("UML_SEED", errand.seed.to_string())
            .env("HOME", ".")
            .stdin(Stdio::null())
            .stdout(console)
            .stderr(errors)
            .process_group(0)
            .spawn()
            .map_err(refused("the kernel does not start"))?;
        let mut process = Process { child, folder };
        let calendar = Calendar::new(log.into())?;
        socket::ready(&[time.as_fd()], &mut || process.ended())
            .map_err(|fault| Fault(format!("{fault}{}", process.last_words())))?;
        let socket = socket::accepted(&time)?;
        let mut guest = Self { process, socket, calendar, devices, out: VecDeque::new() };
        guest.until_it_waits().map_err(|fault| guest.with_last_words(fault))?;
        Ok(guest)
    }

    fn with_last_words(&self, fault: Fault) -> Fault {
        Fault(format!("{fault}{}", self.process.last_words()))
    }

    /// Lets the guest run at `now` until it waits.
    ///
    /// # Errors
    /// If the guest ends or hangs.
    pub(crate) fn run(&mut self, now: u64) -> Result<(), Fault> {
        self.run_on(now).map_err(|fault| self.with_last_words(fault))
    }

    fn run_on(&mut self, now: u64) -> Result<(), Fault> {
        let now = self.pass_to(now)?;
        self.calendar.set_free_until(now)?;
        self.calendar.begin(&self.socket)?;
        self.until_it_waits()
    }

    /// Advances the guest's time to `now`, unless it is already later; returns the guest's time.
    fn pass_to(&self, now: u64) -> Result<u64, Fault> {
        let now = now.max(self.calendar.now()?);
        self.calendar.set_now(now)?;
        Ok(now)
    }

    fn until_it_waits(&mut self) -> Result<(), Fault> {
        while !self.calendar.waits {
            self.serve(None)?;
        }
        self.calendar.end()
    }

    /// Hands a frame to one of the guest's devices at `now`. Afterwards [`Guest::next`] returns the time at which the
    /// guest must run.
    ///
    /// # Errors
    /// If the guest ends or hangs, or has no buffer for the frame.
    pub(crate) fn deliver(&mut self, now: u64, device: usize, frame: &[u8]) -> Result<(), Fault> {
        self.hand_over(now, device, frame).map_err(|fault| self.with_last_words(fault))
    }

    fn hand_over(&mut self, now: u64, device: usize, frame: &[u8]) -> Result<(), Fault> {
        self.pass_to(now)?;
        if !self.devices[device].deliver(frame)? {
            return Err(Fault("the guest has no room for a frame".to_owned()));
        }
        if self.devices[device].wants_calls(false)? { self.call(device, false) } else { Ok(()) }
    }

    /// Tells the guest that a device has used buffers, and answers the guest's messages until it replies.
    fn call(&mut self, device: usize, transmit: bool) -> Result<(), Fault> {
        self.devices[device].call(transmit)?;
        while !self.serve(Some(device))? {}
        Ok(())
    }

    /// Answers one message of the guest; returns true if it was the awaited reply from device `called`.
    fn serve(&mut self, called: Option<usize>) -> Result<bool, Fault> {
        let mut sockets: Vec<BorrowedFd<'_>> = vec![self.socket.as_fd()];
        for device in &self.devices {
            // A device without socket and listener is closed. The list then has in its place the calendar's socket,
            // which is closed when the guest ends.
            let connection = device.socket.as_ref().or(device.listener.as_ref());
            sockets.push(connection.map_or(self.socket.as_fd(), AsFd::as_fd));
        }
        let reply = called.and_then(|device| self.devices[device].backward.as_ref());
        sockets.extend(reply.map(AsFd::as_fd));
        let process = &mut self.process;
        match socket::ready(&sockets, &mut || process.ended())? {
            0 => {
                let mut message = [0; MESSAGE];
                if socket::receive(&self.socket, &mut message)?.is_none() {
                    return Err(Fault("the guest has ended".to_owned()));
                }
                self.calendar.answer(&self.socket, &message)?;
            }
            3 => {
                if let Some(device) = called {
                    self.devices[device].called()?;
                }
                return Ok(true);
            }
            at => self.serve_device(at - 1)?,
        }
        Ok(false)
    }

    fn serve_device(&mut self, at: usize) -> Result<(), Fault> {
        if self.devices[at].socket.is_none() {
            return self.devices[at].connect();
        }
        match self.devices[at].serve()? {
            Asked::Other => Ok(()),
            Asked::End => Err(Fault("the guest has closed a device".to_owned())),
            Asked::Kick { reply } => {
                let before = self.out.len();
                while let Some(frame) = self.devices[at].sent()? {
                    self.out.push_back((at, frame));
                }
                if self.out.len() > before && self.devices[at].wants_calls(true)? {
                    self.call(at, true)?;
                }
                if reply { self.devices[at].reply() } else { Ok(()) }
            }
        }
    }

    /// Returns the time at which the guest wants to run; `None` if it has not asked.
    ///
    /// # Errors
    /// If the memory that is shared with the guest cannot be read.
    pub(crate) fn next(&self) -> Result<Option<u64>, Fault> {
        self.calendar.wanted()
    }

    /// Removes the first frame that the guest has sent; returns the number of the frame's device and the frame.
    pub(crate) fn sent(&mut self) -> Option<(usize, Vec<u8>)> {
        self.out.pop_front()
    }
}
