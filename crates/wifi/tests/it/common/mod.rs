//! Saturated networks, and Bianchi's model of their throughput.

#![allow(dead_code, reason = "each test uses a part of it")]

pub mod timeline;

pub mod slots;

/// Durations in 802.11g with 802.11b stations present, us: CTS and RTS at 1 Mb/s, data at 54 Mb/s, ACK at 24 Mb/s.
pub mod erp {
    pub const CTS: u64 = 304;
    pub const RTS: u64 = 352;
    pub const DATA: u64 = 254;
    pub const ACK: u64 = 34;
    pub const SIFS: u64 = 10;
    pub const DIFS: u64 = 50;
    pub const SLOT: u64 = 20;
}

use base::{Body, Duration, Ecn, FlowId, Instant, LOWEST_CLASS, Packet};
use radio::Position;
use radio::access::{Outbox, Station};
use settings::TimeOrNever;
use wifi::config::Aggregation;
use wifi::config::Capture;
use wifi::config::{Eifs, Reception, Timeout};
use wifi::edca::AccessCategory;
use wifi::timing::{GuardInterval, Standard, Width};
use wifi::{Config, Network, Profile, Site};

/// RTS thresholds, bytes: never an RTS, and always an RTS.
pub const BASIC: u32 = 4_692_480;
pub const RTS: u32 = 0;

/// Returns a datagram of 1500 bytes, 1472 of them payload.
pub fn packet(flow: u32, seq: u64) -> Packet {
    Packet {
        sent: Instant::ZERO,
        flow: FlowId(flow),
        route: 0,
        wire: 1500,
        body: Body::Datagram { seq, payload: 1472 },
        ecn: Ecn::NotEct,
        class: LOWEST_CLASS,
    }
}

/// Returns a network of a receiver, station 0, and `n` stations, all at the same position.
pub fn crowd(standard: Standard, profile: Profile, n: usize, access_point: bool) -> Config {
    let sites = vec![Site::fixed(Position::default()); n + 1];
    let mut config = Config::new(standard, profile, sites, access_point.then_some(Station(0)));
    config.mac.exchange.rts_threshold = BASIC;
    config.mac.exchange.long_retry_limit = config.mac.exchange.short_retry_limit;
    config
}

/// Sets Bianchi's assumptions: after a collision every station waits as long as after a success.
pub fn as_modelled(config: &mut Config) {
    config.phy.reception =
        Reception::Capture(Capture { receive: -82.0, sense: -82.0, ratio: 10.0, reserves: false });
    config.mac.exchange.eifs = Eifs::Dynamic;
    config.mac.exchange.timeout = Timeout::Whole;
    config.mac.exchange.propagation_allowance = Duration::from_us(1);
    config.mac.exchange.defer_after_timeout = true;
    config.mac.bss.beacons = TimeOrNever(None);
}

/// Sets 802.11n at MCS 7 and 20 MHz, with or without A-MPDUs.
pub fn high_throughput(config: &mut Config, guard: GuardInterval, aggregated: bool) {
    config.set_mode(Standard::N.mcs(7, Width::Mhz20, guard).expect("an MCS of the standard"));
    if !aggregated {
        config.mac.aggregation = Aggregation::none();
    }
}

/// Sets 802.11ac at MCS 9 and 80 MHz (390 Mb/s), with or without A-MPDUs.
pub fn very_high_throughput(config: &mut Config, aggregated: bool) {
    config.set_mode(Standard::Ac.mcs(9, Width::Mhz80, GuardInterval::Long).expect("an MCS of the standard"));
    if !aggregated {
        config.mac.aggregation = Aggregation::none();
    }
}

/// Sets 802.11ax at MCS 11 and 80 MHz with one stream and the shortest guard interval (600 Mb/s), with or without
/// A-MPDUs of up to 256 packets.
pub fn high_efficiency(config: &mut Config, aggregated: bool) {
    let mode = Standard::Ax.mcs(11, Width::Mhz80, GuardInterval::Us0_8);
    config.set_mode(mode.expect("an MCS of the standard"));
    config.mac.aggregation = if aggregated { Aggregation::he() } else { Aggregation::none() };
}

/// Results of a saturated network.
pub struct Saturation {
    /// Payload delivered, Mb/s.
    pub goodput: f64,
    /// Number of calls of the network model per packet delivered.
    pub steps: f64,
    /// Packets lost per packet delivered.
    pub lost: f64,
    /// Packets delivered, by sender.
    pub from: Vec<u64>,
}

/// Measures a network whose queues are always filled, for `seconds` s after a first second.
pub fn saturate(config: &Config, seconds: f64, seed: u64) -> Saturation {
    saturate_active(config, config.sites.len() as u32 - 1, seconds, seed)
}

/// Measures as [`saturate`] does, but only stations 1 to `active` send.
pub fn saturate_active(config: &Config, active: u32, seconds: f64, seed: u64) -> Saturation {
    saturate_as(config, active, seconds, seed, |_| AccessCategory::default())
}

/// Measures as [`saturate_active`] does, with an access category for each station.
pub fn saturate_as(
    config: &Config,
    active: u32,
    seconds: f64,
    seed: u64,
    category: impl Fn(u32) -> AccessCategory,
) -> Saturation {
    // Bursts and aggregates need several queued packets.
    let alone = if config.mac.access.edca.is_some() || config.mac.aggregation.amsdu > 0 { 20 } else { 2 };
    let backlog =
        if config.mac.aggregation.is_on() { 2 * u64::from(config.mac.aggregation.frames) } else { alone };
    let mut config = config.clone();
    config.queue.packets = 2 * backlog as u32;
    let mut network = Network::new(&config, seed, "wlan");
    let mut out = Outbox::default();
    for station in 1..=active {
        for seq in 0..backlog {
            let (ends, packet) = ((Station(station), Station(0)), packet(station, seq));
            network.send_as(category(station), Instant::ZERO, ends, packet, &mut out);
        }
    }
    let begin = Instant::ZERO + Duration::from_secs(1);
    let end = begin + Duration::from_secs_f64(seconds);
    let (mut delivered, mut lost, mut steps) = (0u64, 0u64, 0u64);
    let mut from = vec![0; config.sites.len()];
    let mut again = Vec::new();
    while let Some(now) = network.next().filter(|now| *now <= end) {
        network.run(now, &mut out);
        if now >= begin {
            steps += 1;
            delivered += out.delivered.len() as u64;
            lost += out.lost.len() as u64;
            out.delivered.iter().for_each(|(_, packet)| from[packet.flow.index()] += 1);
        }
        again.extend(out.delivered.drain(..).map(|(_, packet)| packet));
        again.extend(out.lost.drain(..).map(|(_, packet, _)| packet));
        for packet in again.drain(..) {
            let station = packet.flow.0;
            network.send_as(category(station), now, (Station(station), Station(0)), packet, &mut out);
        }
    }
    let per_packet = |count: u64| count as f64 / delivered as f64;
    let goodput = delivered as f64 * 1472.0 * 8.0 / seconds / 1e6;
    Saturation { goodput, steps: per_packet(steps), lost: per_packet(lost), from }
}

/// Parameters of Bianchi's model ("Performance analysis of the IEEE 802.11 distributed coordination function", IEEE JSAC 18(3),
/// 2000), with a finite number of attempts.
pub struct Bianchi {
    /// Number of stations.
    pub n: u32,
    /// Minimum and maximum contention window, slots: backoffs are 0 to `window`.
    pub window: [f64; 2],
    /// Maximum number of attempts per packet.
    pub attempts: u32,
    /// Slot time, us.
    pub slot: f64,
    /// Durations of a success and of a collision, us, including the interframe space.
    pub success: f64,
    pub collision: f64,
    /// Payload of a success, bits.
    pub bits: f64,
}

impl Bianchi {
    /// Returns the probability that a station transmits in a slot if each attempt collides with probability `p`.
    pub fn attempt_rate(&self, p: f64) -> f64 {
        let (mut attempts, mut slots, mut weight, mut window) = (0.0, 0.0, 1.0, self.window[0]);
        for _ in 0..self.attempts {
            attempts += weight;
            slots += weight * (window / 2.0 + 1.0);
            weight *= p;
            window = (2.0 * window + 1.0).min(self.window[1]);
        }
        attempts / slots
    }

    /// Returns tau, the attempt rate per slot at the fixed point of Bianchi's model.
    pub fn tau(&self) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..100 {
            let p = f64::midpoint(low, high);
            let others = 1.0 - libm::pow(1.0 - self.attempt_rate(p), f64::from(self.n - 1));
            if others > p { low = p } else { high = p }
        }
        self.attempt_rate(low)
    }

    /// Returns the goodput, Mb/s.
    pub fn goodput(&self) -> f64 {
        let (tau, n) = (self.tau(), f64::from(self.n));
        let idle = libm::pow(1.0 - tau, n);
        let success = n * tau * libm::pow(1.0 - tau, n - 1.0);
        let time = idle * self.slot + success * self.success + (1.0 - idle - success) * self.collision;
        success * self.bits / time
    }
}
