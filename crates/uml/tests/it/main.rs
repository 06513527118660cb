//! Tests of a guest over a simulated wire. They need a kernel (`make kernel`); without a kernel they print a note and
//! pass.
#![cfg(target_os = "linux")]

use base::ip::Segment;
use base::{Duration, Ecn, Instant};
use std::collections::BTreeMap;
use uml::{Control, Datagram, Side, Stack, Table, Transfer, installed};

/// Every packet that was sent: time, end that sent it, and bytes.
type Log = Vec<(Instant, Side, Vec<u8>)>;

fn table(control: Control) -> Table {
    Table { stack: Stack::Linux, control, ecn: false, receive_buffer: 131_072 }
}

/// Runs a transfer over a wire that takes `delay` in each direction and has no rate limit. `fate` gets the number of
/// each packet of the client, and the packet; it returns the packet's new ECN field, or `None` to lose it. Returns the
/// transfer and every packet that was sent.
fn run(
    mut transfer: Transfer,
    delay: Duration,
    fate: impl Fn(usize, &Datagram) -> Option<Ecn>,
    until: Instant,
) -> (Transfer, Log) {
    let mut wire: BTreeMap<(Instant, usize), (Side, Datagram)> = BTreeMap::new();
    let mut log = Log::new();
    let mut now = Instant::ZERO;
    let mut count = 0;
    transfer.open(now);
    loop {
        assert_eq!(transfer.fault(), None);
        while let Some(datagram) = transfer.poll(Side::Client) {
            log.push((now, Side::Client, datagram.bytes.clone()));
            if let Some(ecn) = fate(count, &datagram) {
                wire.insert((now + delay, log.len()), (Side::Server, Datagram { ecn, ..datagram }));
            }
            count += 1;
        }
        while let Some(datagram) = transfer.poll(Side::Server) {
            log.push((now, Side::Server, datagram.bytes.clone()));
            wire.insert((now + delay, log.len()), (Side::Client, datagram));
        }
        let timer = transfer.timer();
        let arrival = wire.keys().next().copied();
        match (arrival, timer) {
            (Some(key), timer) if key.0 <= until && timer.is_none_or(|due| key.0 <= due) => {
                now = key.0;
                if let Some((to, datagram)) = wire.remove(&key) {
                    transfer.receive(now, to, datagram);
                }
            }
            (_, Some(due)) if due <= until => {
                now = due;
                transfer.on_timer(now);
            }
            _ => return (transfer, log),
        }
    }
}

fn untouched(_: usize, datagram: &Datagram) -> Option<Ecn> {
    Some(datagram.ecn)
}

fn is_there() -> bool {
    let found = installed();
    if let Err(fault) = &found {
        eprintln!("not tested: {fault}");
    }
    found.is_ok()
}

fn second() -> Instant {
    Instant::ZERO + Duration::from_secs(1)
}

const SIZE: u64 = 300 * 1448;

#[test]
fn a_file_arrives_and_a_run_repeats_to_the_byte() {
    if !is_there() {
        return;
    }
    let one = || {
        let transfer = Transfer::new(table(Control::Cubic), Some(SIZE), Duration::from_secs(1), 7);
        run(transfer, Duration::from_ms(10), untouched, second())
    };
    let (transfer, log) = one();
    assert_eq!(transfer.acked_bytes(), SIZE);
    assert_eq!(transfer.delivered_bytes(), SIZE);
    assert_eq!(transfer.acked_segments(), 300);
    // The data takes windows of 10, 20, 40, 80 and 160 segments: five round trips after the round trip of the
    // handshake.
    let finished = transfer.finished().expect("all is acknowledged").secs();
    assert!((0.119..0.1201).contains(&finished), "{finished}");
    assert!(transfer.state().cwnd >= 160);
    assert!(one().1 == log, "another run sent something else");
    let first = Segment::of(&log[0].2).expect("a segment");
    // Reading its clock takes the guest some nanoseconds.
    assert!(first.syn && log[0].0.secs() < 1e-6, "{:?} at {:?}", first, log[0].0);
}

#[test]
fn another_seed_has_other_sequence_numbers() {
    if !is_there() {
        return;
    }
    let syn = |seed| {
        let transfer = Transfer::new(table(Control::Reno), Some(1448), Duration::from_secs(1), seed);
        let (_, log) = run(transfer, Duration::from_ms(10), untouched, second());
        Segment::of(&log[0].2).map(|segment| segment.seq)
    };
    assert_ne!(syn(1), syn(2));
}

#[test]
fn a_lost_segment_is_sent_again() {
    if !is_there() {
        return;
    }
    // Packet 0 is the SYN, packet 1 the ACK of the handshake; data begins with packet 2.
    let transfer = Transfer::new(table(Control::Reno), Some(SIZE), Duration::from_secs(2), 1);
    let (transfer, log) =
        run(transfer, Duration::from_ms(10), |number, sent| (number != 30).then_some(sent.ecn), second());
    let sent = log.iter().filter(|(_, side, bytes)| {
        *side == Side::Client && Segment::of(bytes).is_some_and(|segment| segment.payload > 0)
    });
    assert_eq!(sent.count(), 301);
    assert_eq!(transfer.acked_bytes(), SIZE);
    let state = transfer.state();
    assert_eq!((state.recoveries, state.timeouts), (1, 0));
}

#[test]
fn a_marked_packet_is_echoed() {
    if !is_there() {
        return;
    }
    let dctcp = Table { ecn: true, ..table(Control::Dctcp) };
    let transfer = Transfer::new(dctcp, Some(SIZE), Duration::from_secs(1), 1);
    let marks = |_: usize, sent: &Datagram| {
        let data = Segment::of(&sent.bytes).is_some_and(|segment| segment.payload > 0);
        Some(if data && sent.ecn == Ecn::Ect0 { Ecn::Ce } else { sent.ecn })
    };
    let (transfer, log) = run(transfer, Duration::from_ms(10), marks, second());
    // Segments with ECE, except the SYN-ACK, in which it only means that the receiver supports ECN.
    let echoed = log.iter().filter(|(_, side, bytes)| *side == Side::Server && bytes[33] & 0x42 == 0x40);
    let echoed = echoed.count();
    assert!(echoed > 20, "{echoed} of {}", log.len());
    assert!(transfer.state().cwnd < 20, "{:?}", transfer.state());
}
