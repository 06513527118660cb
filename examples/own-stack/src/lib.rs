//! A transport stack outside of ackclock: the TCP of smoltcp 0.14, which takes its time from outside and its random
//! numbers from a seed. It makes two variants, `smoltcp-reno` and `smoltcp-cubic`.

use base::{Instant, Rng};
use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::socket::tcp::{CongestionControl, Socket, SocketBuffer, State};
use smoltcp::time::Instant as Time;
use smoltcp::wire::{HardwareAddress, IpAddress, IpCidr};
use stack::{About, Custom, Datagram, Ends, Side, Stack, Stacks};
use std::collections::VecDeque;

/// Largest IP packet, bytes.
const MTU: u32 = 1500;
/// Buffers of each socket, bytes.
const BUFFER: usize = 1 << 20;
/// Port of the server.
const PORT: u16 = 80;
/// Port of the client.
const FROM: u16 = 49_152;

/// Registry entries. smoltcp writes whole IP packets, so nothing is added to them on the wire.
static RENO: About = about("smoltcp-reno", "smoltcp's TCP with its Reno");
static CUBIC: About = about("smoltcp-cubic", "smoltcp's TCP with its CUBIC");

const fn about(name: &'static str, summary: &'static str) -> About {
    About { name, summary, source: "smoltcp 0.14", headers: 0, largest: MTU }
}

/// Network card of an end: queues of IP packets.
#[derive(Default)]
struct Card {
    arrived: VecDeque<Vec<u8>>,
    to_send: VecDeque<Vec<u8>>,
}

/// A packet that has arrived.
struct Arrived(Vec<u8>);

impl RxToken for Arrived {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, read: F) -> R {
        read(&self.0)
    }
}

/// Room for a packet to send.
struct Room<'a>(&'a mut VecDeque<Vec<u8>>);

impl TxToken for Room<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, length: usize, write: F) -> R {
        let mut bytes = vec![0; length];
        let answer = write(&mut bytes);
        self.0.push_back(bytes);
        answer
    }
}

impl Device for Card {
    type RxToken<'a> = Arrived;
    type TxToken<'a> = Room<'a>;

    fn capabilities(&self) -> DeviceCapabilities {
        let mut can = DeviceCapabilities::default();
        can.medium = Medium::Ip;
        can.max_transmission_unit = MTU as usize;
        can
    }

    fn receive(&mut self, _: Time) -> Option<(Arrived, Room<'_>)> {
        let bytes = self.arrived.pop_front()?;
        Some((Arrived(bytes), Room(&mut self.to_send)))
    }

    fn transmit(&mut self, _: Time) -> Option<Room<'_>> {
        Some(Room(&mut self.to_send))
    }
}

/// One end of a connection: an interface of smoltcp with one socket.
struct End {
    card: Card,
    interface: Interface,
    sockets: SocketSet<'static>,
    handle: SocketHandle,
    now: Time,
    /// True once the client's stream has ended.
    ended: bool,
}

/// Returns smoltcp's time, which has microseconds.
fn time(at: Instant) -> Time {
    Time::from_micros((at.ps() / 1_000_000) as i64)
}

fn address(side: Side) -> IpAddress {
    IpAddress::v4(192, 0, 2, if side == Side::Client { 1 } else { 2 })
}

impl End {
    fn new(side: Side, control: CongestionControl, seed: u64) -> Self {
        let mut card = Card::default();
        let mut config = Config::new(HardwareAddress::Ip);
        config.random_seed = seed;
        let mut interface = Interface::new(config, &mut card, Time::ZERO);
        interface.update_ip_addrs(|all| {
            let _ = all.push(IpCidr::new(address(side), 24));
        });
        let buffer = || SocketBuffer::new(vec![0; BUFFER]);
        let mut socket = Socket::new(buffer(), buffer());
        socket.set_congestion_control(control);
        if side == Side::Server {
            socket.listen(PORT).expect("the socket is closed");
        }
        let mut sockets = SocketSet::new(Vec::new());
        let handle = sockets.add(socket);
        Self { card, interface, sockets, handle, now: Time::ZERO, ended: false }
    }

    fn socket(&mut self) -> &mut Socket<'static> {
        self.sockets.get_mut(self.handle)
    }

    /// Lets smoltcp handle what has arrived and what is due.
    fn work(&mut self, now: Instant) {
        self.now = time(now);
        self.interface.poll(self.now, &mut self.card, &mut self.sockets);
    }
}

impl Stack for End {
    fn open(&mut self, _: Instant) {
        let socket = self.sockets.get_mut::<Socket<'_>>(self.handle);
        let to = (address(Side::Server), PORT);
        socket.connect(self.interface.context(), to, FROM).expect("the socket is closed");
    }

    fn receive(&mut self, now: Instant, datagram: Datagram) {
        self.card.arrived.push_back(datagram.bytes);
        self.work(now);
    }

    fn on_timeout(&mut self, now: Instant) {
        self.work(now);
    }

    fn next_timeout(&mut self) -> Option<Instant> {
        let at = self.interface.poll_at(self.now, &self.sockets)?;
        Some(Instant::from_ps(at.total_micros().max(0) as u64 * 1_000_000))
    }

    fn transmit(&mut self, now: Instant) -> Option<Datagram> {
        if self.card.to_send.is_empty() {
            self.work(now);
        }
        self.card.to_send.pop_front().map(Datagram::new)
    }

    fn write(&mut self, _: Instant, bytes: &[u8]) -> usize {
        self.socket().send_slice(bytes).unwrap_or(0)
    }

    fn end(&mut self, _: Instant) -> bool {
        let open = self.socket().may_send();
        if open {
            self.socket().close();
            self.ended = true;
        }
        open
    }

    fn read(&mut self, _: Instant, into: &mut Vec<u8>) -> bool {
        let socket = self.socket();
        while socket.can_recv() {
            let read = socket.recv(|bytes| {
                into.extend_from_slice(bytes);
                (bytes.len(), ())
            });
            if read.is_err() {
                break;
            }
        }
        let over = socket.state() == State::CloseWait && socket.recv_queue() == 0;
        if over {
            socket.close();
        }
        over
    }

    fn finished(&self) -> bool {
        let state = self.sockets.get::<Socket<'_>>(self.handle).state();
        self.ended && matches!(state, State::FinWait2 | State::TimeWait | State::Closed)
    }
}

/// Returns the stacks that this crate adds.
pub fn stacks() -> Stacks {
    let mut stacks = Stacks::default();
    for (about, control) in [(&RENO, CongestionControl::Reno), (&CUBIC, CongestionControl::Cubic)] {
        stacks.add(Custom::new(about, move |mut rng: Rng| {
            let mut end = |side| End::new(side, control, rng.bits());
            Ends::new(end(Side::Client), end(Side::Server)).buffering(2 * BUFFER as u64)
        }));
    }
    stacks
}

#[cfg(test)]
mod tests {
    use super::*;
    use stack::Repeats;

    #[test]
    fn it_keeps_the_contract_and_repeats_each_byte() {
        let stacks = stacks();
        for name in ["smoltcp-reno", "smoltcp-cubic"] {
            let held = stack::hold(stacks.get(name).expect("it is there"), 1_000_000);
            assert!(held.violations.is_empty(), "{held}");
            assert_eq!(held.repeats, Repeats::Bytes, "{held}");
        }
    }
}
