//! Samples of the kernel's TCP connections in a network namespace, as `ss -ti` shows them (sock_diag(7)).

use crate::Fault;
use base::ip::{Ends, protocol};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send, socket_with,
};
use sim::SenderSample;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::OwnedFd;

/// Least value of ssthresh that stands for an ssthresh that was never set.
const NO_THRESHOLD: u32 = 0x7fff_ffff;

/// Length of the header of a message (`nlmsghdr`, netlink(7)), bytes.
const HEADER: usize = 16;
/// Length of a request: the header and `inet_diag_req_v2` (sock_diag(7)), bytes.
const REQUEST: usize = HEADER + 56;
/// Length of `inet_diag_msg` (sock_diag(7)), bytes.
const MESSAGE: usize = 72;

/// Type of a request for sockets (sock_diag(7)).
const SOCK_DIAG_BY_FAMILY: u16 = 20;
/// Type of a message that reports an error (netlink(7)).
const NLMSG_ERROR: u16 = 2;
/// Type of the last message of a list (netlink(7)).
const NLMSG_DONE: u16 = 3;
/// Flags of a request for a list: NLM_F_REQUEST and NLM_F_DUMP (netlink(7)).
const DUMP: u16 = 0x301;
/// Type of the attribute that has a connection's `tcp_info` (sock_diag(7)).
const INET_DIAG_INFO: u16 = 2;
/// Connections that are established or being closed by either end: TCP states 1, 4, 5 and 8.
const STATES: u32 = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 8;
const INET: u8 = 2;
const INET6: u8 = 10;

/// Source of samples of the connections in one namespace.
pub(crate) struct Sockets {
    socket: OwnedFd,
    buffer: Vec<u8>,
}

impl Sockets {
    /// Opens the source for the namespace of the calling thread.
    pub(crate) fn open() -> Result<Self, Fault> {
        let socket = socket_with(
            AddressFamily::NETLINK,
            SocketType::RAW,
            SocketFlags::CLOEXEC,
            Some(netlink::SOCK_DIAG),
        );
        let socket = socket.map_err(|why| Fault::of("the kernel's list of connections (sock_diag)", why))?;
        Ok(Self { socket, buffer: vec![0; 1 << 16] })
    }

    /// Appends a sample of each TCP connection to `samples`.
    pub(crate) fn sample(&mut self, samples: &mut Vec<SenderSample>) -> Result<(), Errno> {
        for family in [INET, INET6] {
            send(&self.socket, &request(family), SendFlags::empty())?;
            while !self.receive(samples)? {}
        }
        Ok(())
    }

    /// Reads messages of the kernel; returns true after the last message of a list.
    fn receive(&mut self, samples: &mut Vec<SenderSample>) -> Result<bool, Errno> {
        let (length, _) = recv(&self.socket, &mut self.buffer[..], RecvFlags::empty())?;
        let mut rest = &self.buffer[..length];
        while let (Some(size), Some(kind)) = (word(rest, 0), half(rest, 4)) {
            let size = (size as usize).clamp(HEADER, rest.len().max(HEADER));
            if matches!(kind, NLMSG_DONE | NLMSG_ERROR) {
                return Ok(true);
            }
            samples.extend(rest.get(HEADER..size).and_then(sample));
            rest = rest.get(size.next_multiple_of(4)..).unwrap_or_default();
        }
        Ok(length == 0)
    }
}

/// Returns the request for all TCP connections of an address family: `inet_diag_req_v2`.
fn request(family: u8) -> [u8; REQUEST] {
    let mut bytes = [0; REQUEST];
    bytes[..4].copy_from_slice(&(REQUEST as u32).to_ne_bytes());
    bytes[4..6].copy_from_slice(&SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    bytes[6..8].copy_from_slice(&DUMP.to_ne_bytes());
    bytes[HEADER..HEADER + 3].copy_from_slice(&[family, protocol::TCP, 1 << (INET_DIAG_INFO - 1)]);
    bytes[HEADER + 4..HEADER + 8].copy_from_slice(&STATES.to_ne_bytes());
    bytes
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

/// Reads a connection: `inet_diag_msg` and its attributes; `None` if the message is too short or has no `tcp_info`.
fn sample(message: &[u8]) -> Option<SenderSample> {
    let family = *message.first()?;
    let port = |at: usize| Some(u16::from_be_bytes(message.get(at..at + 2)?.try_into().ok()?));
    let address = |at: usize| -> Option<IpAddr> {
        if family == INET {
            return Some(Ipv4Addr::from(<[u8; 4]>::try_from(message.get(at..at + 4)?).ok()?).into());
        }
        Some(Ipv6Addr::from(<[u8; 16]>::try_from(message.get(at..at + 16)?).ok()?).to_canonical())
    };
    let ends = Ends {
        protocol: protocol::TCP,
        source: SocketAddr::new(address(8)?, port(4)?),
        destination: SocketAddr::new(address(24)?, port(6)?),
    };
    let mut rest = message.get(MESSAGE..)?;
    while let (Some(size), Some(kind)) = (half(rest, 0), half(rest, 2)) {
        let size = usize::from(size).max(4);
        if kind == INET_DIAG_INFO {
            return info(ends, rest.get(4..size)?);
        }
        rest = rest.get(size.next_multiple_of(4)..)?;
    }
    None
}

/// Reads a `tcp_info`; `None` if it is too short.
fn info(ends: Ends, info: &[u8]) -> Option<SenderSample> {
    let micros = |at: usize| Some(f64::from(word(info, at)?) / 1e6);
    Some(SenderSample {
        ends,
        recovery: *info.get(1)?,
        rto_s: micros(8)?,
        in_flight: word(info, 24)?,
        srtt_s: micros(68)?,
        ssthresh: word(info, 76).filter(|ssthresh| *ssthresh < NO_THRESHOLD),
        cwnd: word(info, 80)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn the_kernel_tells_of_a_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (_server, _) = listener.accept().unwrap();
        client.write_all(&[1; 1000]).unwrap();
        let mut samples = Vec::new();
        Sockets::open().unwrap().sample(&mut samples).unwrap();
        let (source, destination) = (client.local_addr().unwrap(), client.peer_addr().unwrap());
        let own = samples.iter().find(|s| s.ends.source == source && s.ends.destination == destination);
        let own = own.expect("the connection is in the list");
        assert!(own.cwnd >= 2 && own.rto_s > 0.0 && own.rto_s < 10.0, "{own:?}");
        assert_eq!((own.recovery, own.ssthresh), (0, None));
        // The other end is a connection of its own.
        assert!(samples.iter().any(|s| s.ends.source == destination && s.ends.destination == source));
    }

    #[test]
    fn what_is_cut_short_is_no_sample() {
        for length in 0..MESSAGE {
            assert_eq!(sample(&vec![INET; length]), None);
        }
        assert_eq!(info(Ends::of(&[0x45; 20]).unwrap(), &[0; 83]), None);
    }
}
