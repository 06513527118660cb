//! TCP's sender and receiver under arbitrary sequences of calls.

use super::draw::Draw;
use base::{AckHeader, Advertised, DataHeader, Duration, Instant, SackBlock};
use std::collections::BTreeSet;
use std::sync::Arc;
use tcp::config::{Config, Ecn, Syn};
use tcp::{Phase, Receiver, Sender, Table};

/// Returns the configuration of a random variant in a random profile, with some settings changed.
///
/// `None` if the profile does not have the variant.
pub fn config(draw: &mut Draw<'_>) -> Option<Config> {
    profile_and_config(draw).map(|(_, config)| config)
}

/// Returns the profile's name and the configuration that [`config`] returns.
pub fn profile_and_config(draw: &mut Draw<'_>) -> Option<(&'static str, Config)> {
    let pair = |draw: &mut Draw<'_>| {
        let recovery = draw.of(tcp::recovery::Recovery::ALL).0;
        format!("{}+{}", recovery.name(), draw.of(tcp::congestion::Control::ALL).name)
    };
    let variant = if draw.flag() { pair(draw) } else { draw.of(tcp::variants()).name.to_owned() };
    let profile = draw.of(tcp::profiles()).name;
    let table = Table { variant: Some(variant), profile: Some(profile.to_owned()), ..Table::default() };
    let (_, mut config) = table.resolve().ok()?;
    let changes = draw.byte();
    if changes & 1 > 0 {
        config.options.ecn = draw.of(&[Ecn::Off, Ecn::Classic, Ecn::Dctcp]);
    }
    if changes & 2 > 0 {
        config.options.timestamps = draw.flag();
    }
    if changes & 4 > 0 {
        config.acks.delayed_ack = Duration::from_ms(draw.below(200));
        config.acks.ack_every = 1 + draw.below(4) as u32;
    }
    if changes & 8 > 0 {
        config.windows.max_window = draw.of(&[1.0, 2.0, 3.0, 10.0, 28.0]);
    }
    if changes & 16 > 0 {
        config.growth.pacing = draw.flag();
    }
    config.windows.max_window = config.windows.max_window.min(MOST);
    config.windows.receive_window = config.windows.receive_window.min(MOST);
    Some((profile, config))
}

/// Largest window of these senders, segments.
const MOST: f64 = 64.0;

/// Segments that may be outstanding beyond the largest window: two of Limited Transmit (RFC 3042), and a FIN.
const BEYOND: f64 = 3.0;

/// Returns the maximum number of segments that a sender may have outstanding: the smaller of its largest window and the
/// receiver's window, plus `BEYOND`. With `receive_window_only`, as in TCP-Linux, only the receiver's window counts.
pub fn most_outstanding(config: &Config) -> f64 {
    let windows = &config.windows;
    let most = if windows.receive_window_only { f64::INFINITY } else { windows.max_window };
    most.min(windows.receive_window) + BEYOND
}

/// Returns the least window of a sender: 1 segment, or 0 if `inflation` or `loss_floor` allow the window to close, as
/// in ns-2.
pub fn least_window(config: &Config) -> f64 {
    let names = config.control.algorithm().parameters.iter().map(|parameter| parameter.name);
    let closes = names.zip(config.control.values()).any(|(name, value)| name == "inflation" && value > 0.0);
    if closes || config.decrease.loss_floor < 1.0 { 0.0 } else { 1.0 }
}

/// Returns the least slow-start threshold of a sender, segments: 2, or 0 with a user's control, which may answer less.
fn least_ssthresh(config: &Config) -> f64 {
    if config.control.custom().is_some() { 0.0 } else { 2.0 }
}

/// Hands a sender arbitrary acknowledgments, SACK blocks, marks, timers, windows from a program, and gaps in time.
///
/// Asserts that windows stay within bounds, that at most a window is outstanding, and that a timer runs while data are
/// outstanding.
pub fn tcp_sender(data: &[u8]) {
    let mut draw = Draw::new(data);
    let Some(config) = config(&mut draw) else { return };
    let sender = Sender::new(&Arc::new(config.clone()), Duration::from_ms(draw.below(100)));
    drive(sender, &config, &mut draw);
}

/// Calls a sender with `config` as [`tcp_sender`] does, until the input is used up.
pub fn drive(mut sender: Sender, config: &Config, draw: &mut Draw<'_>) {
    let (least, most) = (least_window(config), most_outstanding(config));
    let mut now = Instant::ZERO;
    let size = draw.flag().then(|| 1 + draw.below(65_536));
    sender.open(now, size);
    while !draw.is_empty() {
        now = draw.later(now);
        match draw.below(16) {
            0 => sender.set_cwnd(f64::from(draw.byte())),
            1 => sender.hold_cwnd(draw.flag().then(|| 1.0 + f64::from(draw.byte()))),
            2..=4 => {
                if let Some(timer) = sender.timer() {
                    now = now.max(timer.at);
                    sender.on_timer(now);
                }
            }
            5 => now = sender.release().map_or(now, |release| now.max(release.at)),
            _ => {
                let ack = acknowledgment(draw, &sender);
                sender.on_ack(now, &ack);
            }
        }
        let mut sent = 0.0;
        while sender.poll(now).is_some() {
            sent += 1.0;
            assert!(sent <= 4.0 * MOST + 8.0, "poll never ends");
        }
        let (una, next, max) = sender.sequence();
        assert!(una <= next && una <= max, "una {una}, next {next}, max {max}");
        let name = (config.recovery.name(), config.control.algorithm().name);
        assert!(
            (max - una) as f64 <= most,
            "{name:?}: {} outstanding of {most}, cwnd {}, {:?}",
            max - una,
            sender.cwnd(),
            sender.sequence()
        );
        assert!(sender.cwnd() >= least && sender.cwnd().is_finite(), "cwnd {}", sender.cwnd());
        assert!(sender.ssthresh() >= least_ssthresh(config), "ssthresh {}", sender.ssthresh());
        assert!(una == max || sender.phase() == Phase::Closed || sender.timer().is_some(), "no timer");
        assert!(size.is_none_or(|size| sender.stats().acked_bytes <= size), "more acknowledged than sent");
    }
}

/// Returns an acknowledgment with numbers near those of outstanding segments, or with arbitrary numbers.
fn acknowledgment(draw: &mut Draw<'_>, sender: &Sender) -> AckHeader {
    let (una, next, max) = sender.sequence();
    let ack = match draw.below(16) {
        0 => draw.number(),
        1 => max,
        2 => next,
        3 => una.saturating_sub(draw.below(8)),
        4..=9 => una,
        _ => una + draw.below(max - una + 2),
    };
    let mut sack = [SackBlock::default(); 3];
    let blocks = draw.below(4) as u8;
    for block in &mut sack[..usize::from(blocks)] {
        let from = match draw.below(16) {
            0 => draw.number() as u32,
            _ => 1 + draw.below(max.saturating_sub(ack).min(200) + 1) as u32,
        };
        let to =
            if draw.below(32) == 0 { draw.number() as u32 } else { from.wrapping_add(draw.below(8) as u32) };
        *block = SackBlock { from, to };
    }
    let flags = draw.byte();
    AckHeader {
        ack,
        sack,
        blocks,
        syn: flags == 1,
        fin: flags == 2,
        ece: flags & 7 == 7,
        ts_val: draw.byte().into(),
        ts_ecr: if flags & 8 > 0 { draw.number() as u32 } else { 0 },
        window: if flags & 0x70 == 0 { Advertised::of(draw.number()) } else { Advertised::NONE },
    }
}

/// Hands a receiver segments of one stream in arbitrary order, repeated and marked, among control segments.
///
/// Asserts that it acknowledges and delivers what the set of arrived segments requires.
pub fn tcp_receiver(data: &[u8]) {
    let mut draw = Draw::new(data);
    let Some(mut config) = config(&mut draw) else { return };
    config.connection.syn = Syn::None;
    let segment = config.sizes.segment;
    let last = 1 + draw.below(300);
    let short = 1 + draw.below(segment.min(60_000).into()) as u32;
    let mut receiver = Receiver::new(&config);
    let mut arrived = BTreeSet::new();
    let mut now = Instant::ZERO;
    let mut acknowledged = 0;
    while !draw.is_empty() {
        now = draw.later(now);
        let expected = (0..).find(|seq| !arrived.contains(seq)).unwrap_or_default();
        let control = draw.below(32);
        match control {
            0..=2 => {
                if let Some(timer) = receiver.timer() {
                    now = now.max(timer.at);
                    receiver.on_timer(now);
                }
            }
            3 => receiver.acknowledge(),
            4 => receiver.on_segment(now, &DataHeader { probe: true, ..DataHeader::default() }),
            5 => {
                let acks_fin = draw.flag();
                receiver.on_segment(now, &DataHeader { bare_ack: true, acks_fin, ..DataHeader::default() });
            }
            _ => {
                let seq = if control < 20 { expected.min(last) } else { draw.below(last + 1) };
                let payload = if seq == last { short } else { segment };
                if draw.below(8) == 0 {
                    receiver.on_ecn(draw.flag());
                    let _ = receiver.poll(now);
                }
                let (ts_val, fin) = (draw.byte().into(), seq == last && config.connection.fin);
                let offset = seq * u64::from(segment);
                receiver.on_segment(
                    now,
                    &DataHeader { seq, offset, payload, ts_val, fin, ..DataHeader::default() },
                );
                arrived.insert(seq);
            }
        }
        let expected = (0..).find(|seq| !arrived.contains(seq)).unwrap_or_default();
        let whole = expected.min(last) * u64::from(segment);
        let delivered = whole + if expected > last { u64::from(short) } else { 0 };
        assert_eq!((receiver.expected(), receiver.delivered_bytes()), (expected, delivered));
        while let Some((ack, _)) = receiver.poll(now) {
            assert!(ack.ack == expected && ack.ack >= acknowledged, "{ack:?}, expected {expected}");
            acknowledged = ack.ack;
            for block in ack.sacked() {
                let (from, to) = (ack.segment_at(block.from), ack.segment_at(block.to));
                assert!(expected < from && from < to && to <= last + 1, "{ack:?}");
                // A block may cover only a part of a range of arrived segments.
                assert!((from..to).all(|seq| arrived.contains(&seq)), "{ack:?} of {arrived:?}");
            }
            if let Some((from, to)) = ack.duplicate() {
                assert!(to == from + 1 && arrived.contains(&from), "{ack:?}");
            }
        }
        let waiting = receiver.timer().is_some();
        assert!(waiting || acknowledged == expected, "segments below {expected} wait without a timer");
    }
}
