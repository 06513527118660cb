//! Connections between this process and a guest: messages of fixed sizes, and file descriptors that come with them.

use crate::fault::{Fault, PATIENCE};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketAddrUnix, SocketType, accept, bind, listen, recvmsg, sendmsg,
    socket,
};
use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

/// Maximum number of file descriptors that come with one message.
const DESCRIPTORS: usize = 8;

/// Returns a socket that listens at `path`.
pub(crate) fn listener(path: &Path) -> Result<OwnedFd, Fault> {
    let here = || -> rustix::io::Result<OwnedFd> {
        let socket = socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
        bind(&socket, &SocketAddrUnix::new(path)?)?;
        listen(&socket, 4)?;
        Ok(socket)
    };
    here().map_err(|why| Fault::of("a socket for the guest", why))
}

/// Accepts the connection that waits at `listener`, and returns it.
pub(crate) fn accepted(listener: &OwnedFd) -> Result<OwnedFd, Fault> {
    accept(listener).map_err(|why| Fault::of("a connection of the guest", why))
}

/// Waits until one of `sockets` has something to read, or is closed; returns the index of that socket.
///
/// # Errors
/// If nothing comes for [`PATIENCE`] seconds, or if nothing comes for a second and `ended` returns true.
pub(crate) fn ready(sockets: &[BorrowedFd<'_>], ended: &mut dyn FnMut() -> bool) -> Result<usize, Fault> {
    let mut polled: Vec<PollFd<'_>> =
        sockets.iter().map(|s| PollFd::from_borrowed_fd(*s, PollFlags::IN)).collect();
    let second = Timespec { tv_sec: 1, tv_nsec: 0 };
    for _ in 0..PATIENCE {
        match poll(&mut polled, Some(&second)) {
            Err(Errno::INTR) => {}
            Err(why) => return Err(Fault::of("waiting for the guest", why)),
            Ok(0) if ended() => return Err(Fault("the guest has ended".to_owned())),
            Ok(0) => {}
            Ok(_) => {
                let found = polled.iter().position(|one| !one.revents().is_empty());
                return found.ok_or_else(|| Fault("waiting for the guest gave nothing".to_owned()));
            }
        }
    }
    Err(Fault(format!("the guest hangs: it has said nothing for {PATIENCE} s")))
}

/// Sends a whole message, with file descriptors.
pub(crate) fn send(to: impl AsFd, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> Result<(), Fault> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut with = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !with.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(Fault("too many descriptors for one message".to_owned()));
    }
    let sent = sendmsg(to, &[IoSlice::new(bytes)], &mut with, SendFlags::NOSIGNAL);
    match sent {
        Ok(length) if length == bytes.len() => Ok(()),
        Ok(_) => Err(Fault("a message to the guest was cut".to_owned())),
        Err(why) => Err(Fault::of("the guest has ended: a message to it", why)),
    }
}

/// Receives as many bytes as fit into `bytes`; returns the file descriptors that came with them, or `None` if the
/// connection is closed.
pub(crate) fn receive(from: impl AsFd, bytes: &mut [u8]) -> Result<Option<Vec<OwnedFd>>, Fault> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
        let mut with = RecvAncillaryBuffer::new(&mut space);
        let mut into = [IoSliceMut::new(&mut bytes[at..])];
        match recvmsg(&from, &mut into, &mut with, RecvFlags::WAITALL | RecvFlags::CMSG_CLOEXEC) {
            Err(Errno::INTR) => continue,
            Err(Errno::CONNRESET) => return Ok(None),
            Err(why) => return Err(Fault::of("a message of the guest", why)),
            Ok(got) if got.bytes == 0 => return Ok(None),
            Ok(got) => at += got.bytes,
        }
        for message in with.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                found.extend(descriptors);
            }
        }
    }
    Ok(Some(found))
}
