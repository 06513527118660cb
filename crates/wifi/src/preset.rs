//! The values of each [`Profile`].

use crate::config::{
    Aggregation, Association, Config, Countdown, Draw, Eifs, IdleAccess, Mac, Phy, Protection, Queue,
    Reception, Site, Timeout, TxopProtection,
};
use crate::profile::Profile;
use crate::rate::settings::RateControl;
use crate::routing::settings as routing;
use crate::timing::{Dsss, GuardInterval, Ht, Mode, Ofdm, Preamble, Rounding, Standard, Width};
use base::Duration;
use radio::access::Station;
use radio::propagation;

/// Never an RTS; with the aggregates of VHT what dot11RTSThreshold is at most.
const NO_RTS: u32 = 65_535;
const NO_RTS_VHT: u32 = 4_692_480;

fn dsss(rate: u32) -> Mode {
    Mode::Dsss(Dsss { rate, preamble: Preamble::Long })
}

fn ofdm(rate: u32, erp: bool) -> Mode {
    Mode::Ofdm(Ofdm { rate, erp })
}

impl Config {
    /// A network with the values of `profile` at the standard's fastest rate (n and ac: MCS 7, 20 MHz).
    pub fn new(
        standard: Standard,
        profile: Profile,
        sites: Vec<Site>,
        access_point: Option<Station>,
    ) -> Self {
        let mut config = Self {
            standard,
            sites,
            non_erp: None,
            access_point,
            phy: phy(standard, access_point.is_some()),
            mac: mac(standard, access_point.is_some()),
            queue: Queue { packets: 50, lifetime: None, routing_first: true, discipline: None },
            routing: routing::Config::Direct,
        };
        match profile {
            Profile::Ieee => {}
            Profile::Ns3 => config.like_ns3(),
            Profile::Ns2 => config.like_ns2(),
        }
        config
    }

    fn like_ns3(&mut self) {
        self.phy.rounding = Rounding::ShortSymbols;
        self.mac.defer_after_timeout = true;
        self.mac.txop_protection = TxopProtection::Multiple;
        // CcaSensitivity: what is a frame of 802.11 is sensed as far as its preamble would be, though that was missed.
        if let Reception::Sinr { energy_detection, .. } = &mut self.phy.reception {
            *energy_detection = -82.0;
        }
        self.mac.cf_end = true;
        self.mac.idle_access = IdleAccess::BetweenFrames;
        if let Mode::Ht(data) = self.phy.data {
            self.phy.control = Mode::Ht(Ht { mcs: 0, ..data });
        }
        // A frame without RTS counts as short whatever its length, and one with RTS has four attempts.
        self.mac.long_retry_limit = 4;
        self.queue = Queue {
            packets: 500,
            lifetime: Some(Duration::from_ms(500)),
            routing_first: false,
            discipline: Some(net::queue::Config::FqCoDel(net::queue::fq_codel::Config {
                law: net::queue::codel::Law { newton: true, ..Default::default() },
                ..net::queue::fq_codel::Config::default()
            })),
        };
    }

    /// Mac/802_11 of ns-2.35: its 34 bytes of header, control at the basic rate, its timeouts and backoff.
    fn like_ns2(&mut self) {
        self.mac.slot = Duration::from_us(if self.standard == Standard::B { 20 } else { 9 });
        let basic = self.phy.control;
        self.phy.responses = vec![basic];
        self.phy.rounding = Rounding::None;
        self.phy.propagation = propagation::Config::ns2();
        self.phy.power = NS2_POWER;
        self.phy.reception = Reception::CAPTURE;
        self.phy.cca_time = Duration::ZERO;
        self.mac.header = 34;
        self.mac.draw = Draw::Exclusive;
        self.mac.timeout = Timeout::Whole;
        self.mac.propagation_allowance = Duration::from_us(2);
        self.mac.idle_access = IdleAccess::Backoff;
        self.mac.nav_reset = false;
        self.mac.long_retry_limit = 4;
        self.mac.rts_threshold = 0;
    }
}

/// 0.28183815 W in dBm.
const NS2_POWER: f64 = 24.499_997_795;

fn phy(standard: Standard, infrastructure: bool) -> Phy {
    let erp = standard == Standard::G;
    let (control, data) = match standard {
        Standard::B => (dsss(10), dsss(110)),
        Standard::G | Standard::A => (ofdm(6, erp), ofdm(54, erp)),
        Standard::N | Standard::Ac => {
            let fast = standard.mcs(7, Width::Mhz20, GuardInterval::Long);
            (ofdm(6, false), fast.unwrap_or(ofdm(54, false)))
        }
    };
    let responses = match standard {
        // The basic rates of a BSS are those of the first 802.11; without one all mandatory rates may be used.
        Standard::B if infrastructure => vec![dsss(10), dsss(20)],
        Standard::B => Dsss::RATES.map(dsss).to_vec(),
        _ => Ofdm::MANDATORY.map(|rate| ofdm(rate, erp)).to_vec(),
    };
    let frequency = if matches!(standard, Standard::B | Standard::G) { 2.412e9 } else { 5.18e9 };
    Phy {
        data,
        rate_control: RateControl::Constant,
        control,
        responses,
        rounding: Rounding::Standard,
        power: 16.0206,
        propagation: propagation::Config { frequency, ..propagation::Config::ns3() },
        reception: Reception::SINR,
        cca_time: Duration::from_us(if standard == Standard::B { 15 } else { 4 }),
        position_interval: Duration::from_ms(10),
    }
}

fn mac(standard: Standard, access_point: bool) -> Mac {
    let b = standard == Standard::B;
    let qos = standard.is_qos();
    Mac {
        // An IBSS has long slots at 2.4 GHz (8.4.1.4).
        slot: Duration::from_us(if b || (standard == Standard::G && !access_point) { 20 } else { 9 }),
        sifs: Duration::from_us(if matches!(standard, Standard::B | Standard::G) { 10 } else { 16 }),
        aifsn: if qos { 3 } else { 2 },
        cw_min: if b { 31 } else { 15 },
        cw_max: 1023,
        edca: None,
        txop_protection: TxopProtection::Single,
        cf_end: false,
        draw: Draw::Inclusive,
        countdown: if qos { Countdown::Begun } else { Countdown::Over },
        eifs: Eifs::Lowest,
        timeout: Timeout::Begin,
        propagation_allowance: Duration::ZERO,
        defer_after_timeout: qos,
        idle_access: IdleAccess::Immediate,
        nav_reset: true,
        short_retry_limit: 7,
        long_retry_limit: 4,
        rts_threshold: if standard == Standard::Ac { NO_RTS_VHT } else { NO_RTS },
        protection: Protection::None,
        // Header 24 (QoS 26), LLC and SNAP 8, FCS 4.
        header: if qos { 38 } else { 36 },
        aggregation: match standard {
            Standard::N => Some(Aggregation::HT),
            Standard::Ac => Some(Aggregation::VHT),
            _ => None,
        },
        amsdu: 0,
        block_ack_request: true,
        beacons: access_point.then_some(Duration::from_us(102_400)),
        // As ns-3.37's are; IBSS Parameter Set in place of nothing.
        beacon_bytes: if access_point { 0 } else { 4 }
            + match standard {
                Standard::B => 52,
                Standard::G => 65,
                Standard::A => 53,
                Standard::N => 131,
                Standard::Ac => 150,
            },
        association: Association::InReach,
        // As in ns-3.37: the standard leaves both open.
        missed_beacons: 10,
        association_timeout: Duration::from_ms(500),
    }
}
