//! The machine: its clock, two TUN devices, and the process of the command.

use crate::sockets::Sockets;
use crate::{Fault, Outside};
use base::{Duration, Instant};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space, set_current_timer_slack};
use sim::SenderSample;
use std::fs::File;
use std::io;
use std::num::NonZeroU64;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::thread;
use tappers::{Interface, Tun};

/// Longest packet, bytes.
const LONGEST: usize = 1 << 16;

/// Longest wait, after which the loop handles signals and reports progress.
const LONGEST_WAIT: Duration = Duration::from_ms(50);

/// Time by which the kernel may delay the end of a wait, nanoseconds, instead of its usual 50 microseconds.
const SLACK_NS: NonZeroU64 = NonZeroU64::MIN;

/// One end of an emulation: a device in a network namespace, and the connections there.
struct End {
    device: Tun,
    sockets: Sockets,
}

/// Two TUN devices, each in a network namespace.
pub struct Devices([End; 2]);

impl Devices {
    /// Opens a TUN device called `device` in each of two network namespaces, which are given by their files. The
    /// devices vanish when they are closed.
    ///
    /// # Errors
    /// If a namespace cannot be entered, or a device cannot be created there.
    pub fn open(namespaces: [&Path; 2], device: &str) -> Result<Self, Fault> {
        let [a, b] = namespaces;
        Ok(Self([open(a, device)?, open(b, device)?]))
    }

    /// Starts the clock. The emulation ends when process `command` ends, if a process is given. A wait sleeps until
    /// `spin` before its end and spends the rest in a busy loop.
    ///
    /// # Errors
    /// If there is no such process, or a device cannot be used.
    pub fn begin(self, command: Option<u32>, spin: Duration) -> Result<Machine, Fault> {
        let Self(mut ends) = self;
        for end in &mut ends {
            end.device.set_nonblocking(true).map_err(|why| Fault::of("the TUN device", why))?;
        }
        let process = |pid: u32| {
            let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or(Errno::SRCH)?;
            pidfd_open(pid, PidfdFlags::empty())
        };
        let command =
            command.map(process).transpose().map_err(|why| Fault::of("the command's process", why))?;
        // Without this setting, waits end later. This concerns precision only, so a failure is ignored.
        set_current_timer_slack(Some(SLACK_NS)).unwrap_or_default();
        Ok(Machine { began: now(), ends, command, spin, buffer: vec![0; LONGEST] })
    }
}

/// Opens a TUN device in a network namespace. A thread of its own enters the namespace and then ends.
fn open(namespace: &Path, device: &str) -> Result<End, Fault> {
    let shown = namespace.display();
    let enter = || {
        let file = File::open(namespace).map_err(|why| Fault::of(&format!("namespace {shown}"), why))?;
        move_into_link_name_space(file.as_fd(), Some(LinkNameSpaceType::Network))
            .map_err(|why| Fault::of(&format!("entering namespace {shown}"), why))?;
        let name = Interface::new(device).map_err(|why| Fault::of(&format!("device name {device}"), why))?;
        let what = format!("TUN device {device} in namespace {shown}");
        let device = Tun::new_named(name).map_err(|why| Fault::of(&what, why))?;
        Ok(End { device, sockets: Sockets::open()? })
    };
    thread::scope(|scope| {
        let entered = scope.spawn(enter).join();
        entered.unwrap_or_else(|_| Err(Fault::Device("the thread that opens a device has failed".to_owned())))
    })
}

#[expect(clippy::disallowed_methods, reason = "the clock of an emulation, which runs in real time")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

/// The machine on which an emulation runs.
pub struct Machine {
    began: std::time::Instant,
    ends: [End; 2],
    command: Option<OwnedFd>,
    spin: Duration,
    buffer: Vec<u8>,
}

impl Machine {
    /// Waits for a packet, for the command's end, or for `time` to pass; returns false if the time has passed.
    fn poll(&self, time: Duration) -> Result<bool, Fault> {
        let mut watched: Vec<PollFd<'_>> =
            self.ends.iter().map(|end| PollFd::from_borrowed_fd(end.device.as_fd(), PollFlags::IN)).collect();
        watched.extend(self.command.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
        let ns = time.ps() / 1000;
        let timeout = Timespec { tv_sec: (ns / 1_000_000_000) as i64, tv_nsec: (ns % 1_000_000_000) as i64 };
        match poll(&mut watched, Some(&timeout)) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(true),
            Err(why) => Err(Fault::of("waiting for the TUN devices", why)),
        }
    }
}

impl Outside for Machine {
    fn now(&mut self) -> Instant {
        let ns = now().duration_since(self.began).as_nanos();
        Instant::from_ps(u64::try_from(ns * 1000).unwrap_or(u64::MAX))
    }

    fn wait(&mut self, until: Instant) -> Result<(), Fault> {
        let until = until.min(self.now() + LONGEST_WAIT);
        loop {
            let now = self.now();
            if now >= until {
                return Ok(());
            }
            let asleep = Duration::from_ps(until.since(now).ps().saturating_sub(self.spin.ps()));
            if self.poll(asleep)? {
                return Ok(());
            }
        }
    }

    fn read(&mut self, side: usize) -> Result<Option<Vec<u8>>, Fault> {
        match self.ends[side].device.recv(&mut self.buffer) {
            Ok(length) => Ok(Some(self.buffer[..length].to_vec())),
            Err(why) if matches!(why.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                Ok(None)
            }
            Err(why) => Err(Fault::of("reading a TUN device", why)),
        }
    }

    fn write(&mut self, side: usize, bytes: &[u8]) -> Result<bool, Fault> {
        // A device that is down, or whose queue is full, accepts no packet. This does not end the emulation; the packet
        // counts as refused.
        Ok(self.ends[side].device.send(bytes).is_ok())
    }

    fn senders(&mut self, side: usize) -> Vec<SenderSample> {
        let mut samples = Vec::new();
        // A sample that fails is missing in the traces; the next one may succeed.
        self.ends[side].sockets.sample(&mut samples).unwrap_or_default();
        samples
    }

    fn has_ended(&mut self) -> bool {
        let Some(fd) = &self.command else { return false };
        let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut [PollFd::new(fd, PollFlags::IN)], Some(&zero)).is_ok_and(|ready| ready > 0)
    }
}
