//! Receivers that misbehave (Savage, Cardwell, Wetherall and Anderson 1999): effects worked by hand, laws that hold for every
//! control, and a golden file that shows each acknowledgment of a short transfer: `golden/misbehaviour.txt`.
//! `make pages` writes the file anew: read the difference before you commit it.

use crate::common::bench::at;
use crate::common::endpoint::endpoint;
use base::{AckHeader, DataHeader, Duration, Instant, Rng};
use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use tcp::config::{AckCounting, Config, Ecn, Misbehaviour, Syn};
use tcp::congestion::Control;
use tcp::recovery::Recovery;
use tcp::{Receiver, Sender};

/// An honest receiver.
const HONEST: Misbehaviour = Misbehaviour {
    ack_division: 1,
    dupack_spoofing: 0,
    optimistic_acks: 0,
    conceal_losses: false,
    conceal_marks: false,
};

/// A transfer over a path of a fixed delay, with random losses.
struct Path {
    sender: Sender,
    receiver: Receiver,
    out: VecDeque<(Instant, DataHeader)>,
    back: VecDeque<(Instant, AckHeader)>,
    /// Numbers of the segments sent, and of those that arrived.
    sent: BTreeSet<u64>,
    arrived: BTreeSet<u64>,
    /// Acknowledgment that the sender has just received.
    acked: Option<AckHeader>,
    now: Instant,
}

impl Path {
    /// Time in which a segment is sent, and propagation each way.
    const SERVICE: Duration = Duration::from_ms(1);
    const DELAY: Duration = Duration::from_ms(50);

    fn new(config: &Config, size: u64) -> Self {
        let mut sender = Sender::new(&Arc::new(config.clone()), Duration::ZERO);
        sender.set_rng(Rng::stream(1, "control"));
        sender.open(Instant::ZERO, Some(size));
        Self {
            sender,
            receiver: Receiver::new(config),
            out: VecDeque::new(),
            back: VecDeque::new(),
            sent: BTreeSet::new(),
            arrived: BTreeSet::new(),
            acked: None,
            now: Instant::ZERO,
        }
    }

    /// Carries the transfer on until it ends, or until `end`; loses each segment with probability `loss`. Returns the
    /// time of the last acknowledgment.
    fn run(&mut self, loss: f64, end: Instant) -> Option<Instant> {
        let mut rng = Rng::stream(7, "loss");
        loop {
            self.send(|_| rng.uniform() < loss);
            if self.sender.finished().is_some() || !self.advance(end) {
                return self.sender.finished();
            }
        }
    }

    /// Handles the next arrival or timer; returns false if there is none up to `end`.
    fn advance(&mut self, end: Instant) -> bool {
        let due = [
            self.out.front().map(|next| next.0),
            self.back.front().map(|next| next.0),
            self.sender.release().map(|stamp| stamp.at),
            self.sender.timer().map(|stamp| stamp.at),
            self.receiver.timer().map(|stamp| stamp.at),
        ];
        let Some(next) = due.into_iter().flatten().min().filter(|next| *next <= end) else { return false };
        self.now = next;
        self.step(due);
        true
    }

    /// Sends what the sender may send; `lost` says if a segment gets lost.
    fn send(&mut self, mut lost: impl FnMut(u64) -> bool) {
        while let Some((segment, _)) = self.sender.poll(self.now) {
            self.sent.insert(segment.seq);
            if !lost(segment.seq) {
                let free = self.out.back().map_or(self.now, |last| (last.0 - Self::DELAY).max(self.now));
                self.out.push_back((free + Self::SERVICE + Self::DELAY, segment));
            }
        }
    }

    fn step(&mut self, due: [Option<Instant>; 5]) {
        let now = Some(self.now);
        if due[0] == now || due[4] == now {
            match self.out.pop_front().filter(|_| due[0] == now) {
                Some((_, segment)) => {
                    self.arrived.insert(segment.seq);
                    self.receiver.on_segment(self.now, &segment);
                }
                None => self.receiver.on_timer(self.now),
            }
            while let Some((ack, _)) = self.receiver.poll(self.now) {
                self.back.push_back((self.now + Self::DELAY, ack));
            }
        } else if due[1] == now {
            if let Some((_, ack)) = self.back.pop_front() {
                self.acked = Some(ack);
                self.sender.on_ack(self.now, &ack);
            }
        } else if due[3] == now && due[2] != now {
            self.sender.on_timer(self.now);
        }
    }
}

fn cheating(recovery: Recovery, misbehaviour: Misbehaviour) -> Config {
    let mut config = endpoint(recovery);
    config.windows.initial_window = 2.0;
    config.misbehaviour = misbehaviour;
    config
}

/// Returns the window after the acknowledgments of the first two segments of a transfer.
fn after_a_round_trip(config: &Config) -> f64 {
    let mut path = Path::new(config, 1_000_000);
    path.run(0.0, at(110));
    path.sender.cwnd()
}

/// Savage et al. 1999, section 3.1: with M acknowledgments for each segment the window of a sender that counts
/// acknowledgments grows to 1 + M times its size in a round trip of slow start, instead of twice.
#[test]
fn divided_acknowledgments_multiply_the_growth_by_acknowledgments() {
    for division in [1, 2, 10, 100] {
        let mut config = cheating(Recovery::NewReno, Misbehaviour { ack_division: division, ..HONEST });
        config.growth.count_parts_as_whole = true;
        assert_eq!(after_a_round_trip(&config), 2.0 + 2.0 * f64::from(division));
    }
}

/// RFC 5681 section 3.1 (min(N, SMSS)), RFC 3465, and Linux's count of whole segments.
#[test]
fn growth_by_bytes_gives_nothing_for_divided_acknowledgments() {
    for counting in [AckCounting::Acks, AckCounting::Segments, AckCounting::Delivered] {
        for division in [1, 3, 10, 1000] {
            let mut config = cheating(Recovery::Sack, Misbehaviour { ack_division: division, ..HONEST });
            config.growth.ack_counting = counting;
            let window = after_a_round_trip(&config);
            assert!((window - 4.0).abs() < 1e-9, "{counting:?}, {division}: {window}");
        }
    }
}

/// In congestion avoidance, too, the window grows by a segment in a round trip, or by one for each acknowledgment of a
/// segment.
#[test]
fn divided_acknowledgments_in_congestion_avoidance() {
    let window = |division: u32, whole: bool| {
        let mut config = cheating(Recovery::NewReno, Misbehaviour { ack_division: division, ..HONEST });
        config.windows.initial_window = 10.0;
        config.windows.initial_ssthresh = 2.0;
        config.growth.count_parts_as_whole = whole;
        let mut path = Path::new(&config, 1_000_000);
        path.run(0.0, at(111));
        path.sender.cwnd()
    };
    let honest = window(1, false);
    assert!((10.9..11.0).contains(&honest), "{honest}");
    assert!((window(10, false) - honest).abs() < 0.01, "{}", window(10, false));
    assert!((16.0..20.0).contains(&window(10, true)), "{}", window(10, true));
}

/// Section 3.2: after three duplicates each further one inflates the window by a segment, so that the sender sends a
/// segment for each. SACK's pipe counts no segment for a duplicate without a block.
#[test]
fn spoofed_duplicates_inflate_the_window_only_without_sack() {
    let sent = |recovery, spoofed| {
        let mut config = cheating(recovery, Misbehaviour { dupack_spoofing: spoofed, ..HONEST });
        config.acks.sack_blocks = if recovery == Recovery::Sack { 3 } else { 0 };
        let mut path = Path::new(&config, 10_000_000);
        // The first segment is acknowledged at 101 ms.
        path.run(0.0, at(101));
        path.sent.len()
    };
    assert_eq!(sent(Recovery::NewReno, 0), 4);
    // The window of 3 is cut to the least window of 2, and each of the 60 duplicates inflates it by one.
    assert_eq!(sent(Recovery::NewReno, 60), 1 + 2 + 60);
    assert!(sent(Recovery::Sack, 60) <= 6, "{}", sent(Recovery::Sack, 60));
}

/// Section 3.3: the acknowledgments of a transfer of 100 segments come earlier, although all of it is sent once.
#[test]
fn optimistic_acknowledgments_shorten_a_transfer() {
    let time = |optimistic_acks| {
        let config = cheating(Recovery::NewReno, Misbehaviour { optimistic_acks, ..HONEST });
        let mut path = Path::new(&config, 100_000);
        let ended = path.run(0.0, at(10_000)).expect("a transfer without losses ends");
        assert_eq!((path.sent.len(), path.receiver.missing()), (100, 0));
        ended.since(Instant::ZERO)
    };
    let (honest, cheat) = (time(0), time(50));
    assert!(cheat * 3 < honest * 2, "{cheat} after {honest}");
}

/// The sender ignores acknowledgments of segments that it has not sent, and the application never gets concealed ones.
#[test]
fn concealed_losses_are_missing_and_no_byte_counts_twice() {
    for optimistic_acks in [0, 1, 20] {
        let misbehaviour = Misbehaviour { conceal_losses: true, optimistic_acks, ..HONEST };
        let mut config = cheating(Recovery::Sack, misbehaviour);
        config.windows.max_window = 40.0;
        let mut path = Path::new(&config, 500_000);
        path.run(0.05, at(60_000)).expect("the sender has acknowledgments of all");
        assert_eq!(path.sender.stats().acked_bytes, 500_000);
        assert_eq!(path.receiver.delivered_bytes(), 1000 * path.arrived.len() as u64);
        assert_eq!(path.sent.len() as u64, 500);
        let tail = path.sent.last().map_or(0, |last| last + 1) - path.receiver.expected();
        assert_eq!(path.arrived.len() as u64 + path.receiver.missing() + tail, 500);
        assert!(path.receiver.missing() > 10, "{}", path.receiver.missing());
    }
}

/// A segment that arrives after it was acknowledged is not missing any more, and a second copy of it is a duplicate.
#[test]
fn a_late_segment_fills_its_hole_once() {
    let config = cheating(Recovery::Sack, Misbehaviour { conceal_losses: true, ..HONEST });
    let mut receiver = Receiver::new(&config);
    let mut arrive = |seq: u64| {
        let segment = DataHeader { seq, offset: 1000 * seq, payload: 1000, ..DataHeader::default() };
        receiver.on_segment(at(seq), &segment);
        let ack = receiver.poll(at(seq)).map(|(ack, _)| (ack.ack, ack.blocks));
        (ack, receiver.missing(), receiver.delivered_bytes(), receiver.stats().duplicate_packets)
    };
    assert_eq!(arrive(0), (Some((1, 0)), 0, 1000, 0));
    assert_eq!(arrive(4), (Some((5, 0)), 3, 2000, 0));
    assert_eq!(arrive(2), (Some((5, 0)), 2, 3000, 0));
    assert_eq!(arrive(2), (Some((5, 0)), 2, 3000, 1));
    assert_eq!(arrive(5), (Some((6, 0)), 2, 4000, 1));
}

/// RFC 3168 section 7: a receiver that conceals marks never sets ECE; it counts the marks all the same.
#[test]
fn concealed_marks_are_not_echoed() {
    for (conceal_marks, mode) in
        [(false, Ecn::Classic), (true, Ecn::Classic), (false, Ecn::Dctcp), (true, Ecn::Dctcp)]
    {
        let mut config = cheating(Recovery::Sack, Misbehaviour { conceal_marks, ..HONEST });
        config.options.ecn = mode;
        let mut receiver = Receiver::new(&config);
        for seq in 0..4 {
            receiver.on_ecn(seq == 2);
            let segment = DataHeader { seq, offset: 1000 * seq, payload: 1000, ..DataHeader::default() };
            receiver.on_segment(at(seq), &segment);
            let (ack, _) = receiver.poll(at(seq)).expect("each segment is acknowledged");
            let echoes = if mode == Ecn::Classic { seq >= 2 } else { seq == 2 };
            assert_eq!((ack.ack, ack.ece), (seq + 1, echoes && !conceal_marks));
        }
        assert_eq!(receiver.stats().marked_packets, 1);
    }
}

/// Whatever the receiver does, the sender counts no byte as acknowledged that it has not sent, its window stays finite, and
/// a receiver that conceals nothing gets every byte once.
#[test]
fn laws_hold_for_every_control_and_recovery() {
    let cheats = [
        Misbehaviour { ack_division: 7, ..HONEST },
        Misbehaviour { dupack_spoofing: 5, ..HONEST },
        Misbehaviour { conceal_losses: true, ..HONEST },
        Misbehaviour { optimistic_acks: 9, ..HONEST },
        Misbehaviour { ack_division: 3, dupack_spoofing: 2, optimistic_acks: 4, ..HONEST },
    ];
    let recoveries =
        [Recovery::Tahoe, Recovery::Reno, Recovery::NewReno, Recovery::Sack, Recovery::Fack, Recovery::Rack];
    for (number, algorithm) in Control::ALL.iter().enumerate() {
        let recovery = recoveries[number % recoveries.len()];
        for (case, misbehaviour) in cheats.iter().enumerate() {
            let control = Control::by_name(algorithm.name, &[]).expect("registered");
            let mut config = crate::common::config(recovery, control, case % 2 == 1, number % 2 == 0);
            config.connection.syn = [Syn::None, Syn::Handshake, Syn::Packet][(number + case) % 3];
            config.growth.count_parts_as_whole = number % 2 == 1;
            config.windows.max_window = 64.0;
            config.misbehaviour = *misbehaviour;
            let mut path = Path::new(&config, 123_456);
            path.run(0.03, at(600_000))
                .unwrap_or_else(|| panic!("{} ends: {misbehaviour:?}", algorithm.name));
            let sender = path.sender.stats();
            assert!(path.sender.cwnd().is_finite(), "{}", algorithm.name);
            assert_eq!(sender.acked_bytes, 123_456, "{}", algorithm.name);
            let got = path.receiver.delivered_bytes();
            if misbehaviour.conceals_losses() {
                assert!(got <= 123_456 && got > 60_000, "{}: {got}", algorithm.name);
            } else {
                assert_eq!(got, 123_456, "{}", algorithm.name);
            }
        }
    }
}

/// Returns the acknowledgments of a transfer of 12 segments, of which the path loses the first copy of one, as text.
fn trace(title: &str, misbehaviour: Misbehaviour) -> String {
    let mut config = cheating(Recovery::NewReno, misbehaviour);
    config.growth.count_parts_as_whole = true;
    let mut path = Path::new(&config, 12_000);
    let mut text = format!("\n{title}\n");
    let mut lost = false;
    loop {
        let mut sent = String::new();
        path.send(|seq| {
            let loses = seq == 4 && !lost;
            lost |= loses;
            let _ = write!(sent, " {seq}{}", if loses { "x" } else { "" });
            loses
        });
        let (cwnd, time) = (path.sender.cwnd(), path.now.since(Instant::ZERO).secs() * 1e3);
        if !sent.is_empty() || path.acked.is_some() {
            let ack = path.acked.take().map_or("open".to_owned(), |ack| match ack.part() {
                0 => format!("ack {}", ack.ack),
                part => format!("ack {} and {part} B", ack.ack),
            });
            let _ = writeln!(text, "{time:.0} ms {ack}: {cwnd:.2};{sent}");
        }
        if path.sender.finished().is_some() || !path.advance(at(10_000)) {
            break;
        }
    }
    // Segments that are still under way arrive, too.
    while !path.out.is_empty() && path.advance(at(10_000)) {}
    let (missing, bytes) = (path.receiver.missing(), path.receiver.delivered_bytes());
    let _ = writeln!(text, "delivered {bytes} B, {missing} segments missing");
    text
}

fn traces() -> String {
    let head = "newreno in profile rfc, initial window 2, 50 ms each way, 1 ms for each segment; the first copy of segment 4 is lost\n\
                time, acknowledgment: cwnd; segments sent (x: lost)\n";
    let cases = [
        ("honest", HONEST),
        ("ack_division = 4, count_parts_as_whole = true", Misbehaviour { ack_division: 4, ..HONEST }),
        ("dupack_spoofing = 4", Misbehaviour { dupack_spoofing: 4, ..HONEST }),
        ("conceal_losses = true", Misbehaviour { conceal_losses: true, ..HONEST }),
        ("optimistic_acks = 2", Misbehaviour { optimistic_acks: 2, ..HONEST }),
    ];
    cases.iter().fold(head.to_owned(), |text, (title, cheat)| text + &trace(title, *cheat))
}

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/misbehaviour.txt")
}

#[test]
fn the_acknowledgments_are_those_of_the_golden_file() {
    let known = std::fs::read_to_string(golden()).expect("the file is there");
    assert!(known == traces(), "golden/misbehaviour.txt differs; `make pages` writes it anew");
}

#[test]
#[ignore = "writes golden/misbehaviour.txt"]
fn renew_the_pages() {
    std::fs::write(golden(), traces()).expect("writable");
}
