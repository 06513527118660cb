//! Values of each standard and [`Profile`] that differ from the defaults of the settings, with reasons.

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
    /// Creates a configuration with the values of `profile`, at the highest rate of the standard (n, ac and ax: MCS 7
    /// at 20 MHz).
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
        // ns-3 does not round symbols with a short guard interval up to a multiple of 4 us.
        phy.rounding = Rounding::ShortSymbols;
        // CcaSensitivity: a frame of 802.11 makes the medium busy from -82 dBm on, even if its preamble was missed.
        phy.reception = Reception::Sinr(Sinr { energy_detection: -82.0, ..Sinr::default() });
        // TableBasedErrorRateModel. Each spatial stream has the whole power of the signal, however many there are.
        phy.error_model = ErrorModel::Table;
        phy.stream_power = StreamPower::Whole;
        // If data frames are in HT format, so are RTS, broadcast and management frames, at MCS 0.
        if let Mode::Ht(data) = phy.data {
            phy.control = Mode::Ht(Ht { mcs: 0, ..data });
        }
        // 802.11ax: the defaults of ns-3's GuardInterval, MpduBufferSize and BE_MaxAmpduSize.
        if let Mode::He(data) = &mut phy.data {
            (data.guard, data.training) = (GuardInterval::Us3_2, Training::Fixed);
            mac.aggregation = Aggregation::default();
        }
        // In ns-3, DCF waits DIFS anew after a timeout, too.
        mac.exchange.defer_after_timeout = true;
        mac.exchange.idle_access = IdleAccess::BetweenFrames;
        mac.block_ack_request_rate = RequestRate::Response;
        mac.access.txop_protection = TxopProtection::Multiple;
        mac.access.cf_end = true;
        // MaxSize and MaxDelay of WifiMacQueue, below the FQ-CoDel of the traffic control layer, which computes
        // square roots by Newton steps.
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
        // ns-2 has one basic rate, at which all frames are answered.
        phy.responses = vec![phy.control];
        // ns-2 sends every bit at the data rate, without service and tail bits and without signal extension.
        phy.rounding = Rounding::None;
        phy.propagation = propagation::Config::ns2();
        // Pt_ of Phy/WirelessPhy, 0.28183815 W, for a range of 250 m.
        phy.power = 24.499_997_795;
        phy.reception = Reception::Capture(Capture::default());
        // ns-2 senses a station in the slot in which it begins to transmit.
        phy.cca_time = Duration::ZERO;
        // ns-2 has no long slots in an IBSS of 802.11g stations.
        if self.standard != Standard::B {
            mac.access.slot = Duration::from_us(9);
        }
        // ns-2 draws Random::random() % cw_.
        mac.access.draw = Draw::Exclusive;
        // ns-2's bytes of MAC header and FCS.
        mac.exchange.header = 34;
        // ns-2's timeouts last until the whole response should have arrived; DSSS_MaxPropagationDelay is 2 us.
        mac.exchange.timeout = Timeout::Whole;
        mac.exchange.propagation_allowance = Duration::from_us(2);
        mac.exchange.idle_access = IdleAccess::Backoff;
        mac.exchange.nav_reset = false;
        // After a frame with errors ns-2 sets the NAV to EIFS; the backoff resumes one DIFS after the NAV ends.
        mac.exchange.eifs = Eifs::Reserved;
        // ns-2 rounds the Duration field by floor(us + 0.5).
        mac.exchange.duration_field = DurationField::Nearest;
        // RTSThreshold_ is 0: an RTS precedes every frame.
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
        // A BSS has the basic rates of IEEE Std 802.11-1997, 1 and 2 Mb/s. Without an access point, all mandatory
        // rates may be used.
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
    // An IBSS at 2.4 GHz has long slots (8.4.1.4).
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
        // Stations of 802.11n, ac and ax contend with the AIFS of best effort even without EDCA, and data frames have
        // a QoS Control field of two bytes.
        access.aifsn = 3;
        access.countdown = Countdown::Begun;
        exchange.defer_after_timeout = true;
        exchange.header = 38;
    }
    match standard {
        Standard::N => *aggregation = Aggregation::default(),
        Standard::Ac | Standard::Ax => {
            *aggregation = if standard == Standard::Ax { Aggregation::he() } else { Aggregation::vht() };
            // A-MPDUs of 802.11ac and 802.11ax exceed the usual threshold of 65535 bytes, which is meant to disable
            // RTS.
            exchange.rts_threshold = NEVER_RTS;
        }
        _ => {}
    }
    if access_point {
        bss.beacons = TimeOrNever(Some(Duration::from_us(102_400)));
    }
    // Lengths of ns-3.37's beacons. In an ad hoc network, the element IBSS Parameter Set is added.
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
