//! The values of each standard and [`Profile`] that differ from the defaults of the settings, with reasons.

use crate::config::Profile;
use crate::config::{
    Aggregation, Capture, Config, Countdown, Discipline, Draw, DurationField, Eifs, IdleAccess, Mac,
    NEVER_RTS, Phy, Queue, Reception, RequestRate, Sinr, Site, StreamPower, Timeout, TxopProtection,
};
use settings::TimeOrNever;

use crate::phy::timing::{
    Dsss, GuardInterval, Ht, Mode, Ofdm, Preamble, Rounding, Standard, Training, Width,
};
use base::Duration;
use radio::access::Station;
use radio::error_rate::ErrorModel;
use radio::propagation;

fn dsss(rate: u32) -> Mode {
    Mode::Dsss(Dsss { rate, preamble: Preamble::Long })
}

fn ofdm(rate: u32, erp: bool) -> Mode {
    Mode::Ofdm(Ofdm { rate, erp })
}

impl Config {
    /// Creates a network with the values of `profile` at the standard's fastest rate (n, ac and ax: MCS 7, 20 MHz).
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
            station_rates: Vec::new(),
            access_point,
            other_access_points: Vec::new(),
            phy: phy(standard, access_point.is_some()),
            mac: mac(standard, access_point.is_some()),
            queue: Queue::default(),
            routing: routing::Config::Direct,
        };
        match profile {
            Profile::Ieee => {}
            Profile::Ns3 => config.like_ns3(),
            Profile::Ns2 => config.like_ns2(),
        }
        config
    }

    /// Sets the values of ns-3.37.
    fn like_ns3(&mut self) {
        let Self { phy, mac, queue, .. } = self;
        // Symbols with a short guard interval are not rounded up.
        phy.rounding = Rounding::ShortSymbols;
        // CcaSensitivity: a frame of 802.11 is sensed as far as its preamble would be, even if that was missed.
        phy.reception = Reception::Sinr(Sinr { energy_detection: -82.0, ..Sinr::default() });
        // TableBasedErrorRateModel; the noise of a stream is that of the channel, whatever the number of streams.
        phy.error_model = ErrorModel::Table;
        phy.stream_power = StreamPower::Whole;
        // RTS, broadcast and management frames are in HT format if data are, at the lowest MCS.
        if let Mode::Ht(data) = phy.data {
            phy.control = Mode::Ht(Ht { mcs: 0, ..data });
        }
        // 802.11ax: the defaults of ns-3's GuardInterval, MpduBufferSize and BE_MaxAmpduSize.
        if let Mode::He(data) = &mut phy.data {
            (data.guard, data.training) = (GuardInterval::Us3_2, Training::Fixed);
            mac.aggregation = Aggregation::default();
        }
        // DCF waits anew after a timeout, too.
        mac.exchange.defer_after_timeout = true;
        mac.exchange.idle_access = IdleAccess::BetweenFrames;
        mac.block_ack_request_rate = RequestRate::Response;
        mac.access.txop_protection = TxopProtection::Multiple;
        mac.access.cf_end = true;
        // WifiMacQueue's MaxSize and MaxDelay, under the FQ-CoDel of the traffic control layer, which steps to square roots by Newton's rule.
        queue.packets = 500;
        queue.lifetime = TimeOrNever(Some(Duration::from_ms(500)));
        queue.routing_first = false;
        queue.discipline = Discipline::Queue(net::queue::Config::FqCoDel(net::queue::fq_codel::Config {
            law: net::queue::codel::Law { newton: true, ..Default::default() },
            ..net::queue::fq_codel::Config::default()
        }));
    }

    /// Sets the values of Mac/802_11 of ns-2.35 on its usual radio.
    fn like_ns2(&mut self) {
        let Self { phy, mac, .. } = self;
        // It has one basic rate, at which all frames are answered.
        phy.responses = vec![phy.control];
        // Every bit at the data rate: no service and tail bits, no signal extension.
        phy.rounding = Rounding::None;
        phy.propagation = propagation::Config::ns2();
        // Pt_ of Phy/WirelessPhy, 0.28183815 W: 250 m.
        phy.power = 24.499_997_795;
        phy.reception = Reception::Capture(Capture::default());
        // A station that begins in a slot is sensed in it.
        phy.cca_time = Duration::ZERO;
        // It has no long slots of an IBSS of g.
        if self.standard != Standard::B {
            mac.access.slot = Duration::from_us(9);
        }
        // Random::random() % cw_.
        mac.access.draw = Draw::Exclusive;
        // The bytes of its MAC header.
        mac.exchange.header = 34;
        // Its timers run until the whole answer should have arrived; DSSS_MaxPropagationDelay is 2 us.
        mac.exchange.timeout = Timeout::Whole;
        mac.exchange.propagation_allowance = Duration::from_us(2);
        mac.exchange.idle_access = IdleAccess::Backoff;
        mac.exchange.nav_reset = false;
        // After a frame with errors ns-2 sets the NAV to EIFS; the backoff resumes one DIFS after the NAV ends.
        mac.exchange.eifs = Eifs::Reserved;
        // Its frames' Duration: floor(us + 0.5).
        mac.exchange.duration_field = DurationField::Nearest;
        // RTSThreshold_ 0: before every frame.
        mac.exchange.rts_threshold = 0;
    }
}

fn phy(standard: Standard, infrastructure: bool) -> Phy {
    let erp = standard == Standard::G;
    let (control, data) = match standard {
        Standard::B => (dsss(10), dsss(110)),
        Standard::G | Standard::A => (ofdm(6, erp), ofdm(54, erp)),
        Standard::N | Standard::Ac | Standard::Ax => {
            let guard = if standard == Standard::Ax { GuardInterval::Us0_8 } else { GuardInterval::Long };
            let fast = standard.mcs(7, Width::Mhz20, guard);
            (ofdm(6, false), fast.unwrap_or(ofdm(54, false)))
        }
    };
    let responses = match standard {
        // The basic rates of a BSS are those of the first 802.11; without one all mandatory rates may be used.
        Standard::B if infrastructure => vec![dsss(10), dsss(20)],
        Standard::B => Dsss::RATES.map(dsss).to_vec(),
        _ => Ofdm::MANDATORY.map(|rate| ofdm(rate, erp)).to_vec(),
    };
    let mut phy = Phy { data, control, responses, ..Phy::default() };
    if matches!(standard, Standard::B | Standard::G) {
        phy.propagation.frequency = 2.412e9;
    }
    if standard == Standard::B {
        // aCCATime of 17.3.3.
        phy.cca_time = Duration::from_us(15);
    }
    phy
}

fn mac(standard: Standard, access_point: bool) -> Mac {
    let mut mac = Mac { aggregation: Aggregation::none(), ..Mac::default() };
    let Mac { access, exchange, aggregation, bss, .. } = &mut mac;
    // An IBSS has long slots at 2.4 GHz (8.4.1.4).
    if standard == Standard::B || (standard == Standard::G && !access_point) {
        access.slot = Duration::from_us(20);
    }
    if matches!(standard, Standard::B | Standard::G) {
        access.sifs = Duration::from_us(10);
    }
    if standard == Standard::B {
        access.cw_min = 31;
    }
    if standard.is_qos() {
        // Best effort of EDCA, even without EDCA in the network, with a QoS Control field of two bytes.
        access.aifsn = 3;
        access.countdown = Countdown::Begun;
        exchange.defer_after_timeout = true;
        exchange.header = 38;
    }
    match standard {
        Standard::N => *aggregation = Aggregation::default(),
        Standard::Ac | Standard::Ax => {
            *aggregation = if standard == Standard::Ax { Aggregation::he() } else { Aggregation::vht() };
            // Its aggregates are longer than the usual threshold, which is to mean never.
            exchange.rts_threshold = NEVER_RTS;
        }
        _ => {}
    }
    if access_point {
        bss.beacons = TimeOrNever(Some(Duration::from_us(102_400)));
    }
    // As those of ns-3.37; IBSS Parameter Set instead of nothing.
    let beacon = match standard {
        Standard::B => 52,
        Standard::G => 65,
        Standard::A => 53,
        Standard::N => 131,
        Standard::Ac => 150,
        Standard::Ax => 192,
    };
    bss.beacon_size = if access_point { beacon } else { beacon + 4 };
    mac
}
