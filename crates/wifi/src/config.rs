//! What a network is made of: plain values, to be checked with [`Config::check`].

use crate::association::Association;
use crate::edca::Edca;
use crate::mixed::NonErp;
use crate::protection::Protection;
use crate::rate::RateControl;
use crate::routing;
use crate::timing::{Dsss, GuardInterval, Ht, Mode, Ofdm, Preamble, Rounding, Standard, Vht, Width};
use crate::txop::TxopProtection;
use base::Duration;
use radio::access::Station;
use radio::{Position, mobility, propagation};

/// A network of stations on one channel.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The standard that its stations follow.
    pub standard: Standard,
    /// Where the stations are, by number.
    pub sites: Vec<Site>,
    /// Stations of 802.11b among those of 802.11g, set by [`Config::set_non_erp`]; `None`: there are none.
    pub non_erp: Option<NonErp>,
    /// Which station is the access point, through which all others send; `None`: ad hoc.
    pub access_point: Option<Station>,
    /// Signals.
    pub phy: Phy,
    /// Medium access.
    pub mac: Mac,
    /// Each station's queue.
    pub queue: Queue,
    /// How packets find stations that are not in reach; in infrastructure mode all go through the access point.
    pub routing: routing::Config,
}

/// Where a station is, and how it moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Site {
    /// Where it starts.
    pub position: Position,
    /// How it moves.
    pub mobility: mobility::Config,
}

impl Site {
    /// A station that stays where it is.
    pub const fn fixed(position: Position) -> Self {
        Self { position, mobility: mobility::Config::Constant }
    }
}

/// Signals: how they are sent, how they travel, how they are received.
#[derive(Clone, PartialEq, Debug)]
pub struct Phy {
    /// Mode of data frames to one station; with rate control the fastest of them.
    pub data: Mode,
    /// How that of each frame is chosen.
    pub rate_control: RateControl,
    /// Mode of RTS, broadcast and management frames.
    pub control: Mode,
    /// Modes for CTS, ACK and Block ACK: each takes the fastest of them that is not faster than the frame that it answers
    /// (9.7.6.5), and the slowest where all are faster. With an access point these are the basic rates, in an ad hoc network
    /// all mandatory ones.
    pub responses: Vec<Mode>,
    /// How airtimes are rounded.
    pub rounding: Rounding,
    /// Transmit power, dBm.
    pub power: f64,
    /// How signals travel.
    pub propagation: propagation::Config,
    /// What becomes of signals at a receiver.
    pub reception: Reception,
    /// How long a signal must last until a station senses it: what arrives within this time before the end of a backoff slot
    /// goes unnoticed in it.
    pub cca_time: Duration,
    /// How old the positions of moving stations may be where powers are computed; zero: computed anew for each frame.
    pub position_interval: Duration,
}

/// What becomes of signals at a receiver.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reception {
    /// By power alone: what comes first survives newcomers that are weaker by a ratio, else both are lost. No noise.
    /// What comes while the station transmits is lost, but keeps its receiver from later frames alike.
    /// A frame that is sensed but not received, or lost to another, counts as errored (EIFS).
    Capture {
        /// Weakest frame that is received, dBm.
        receive: f64,
        /// Weakest frame that is sensed and that disturbs, dBm.
        sense: f64,
        /// By how much the frame being received must be stronger than a newcomer to survive it, dB.
        ratio: f64,
        /// Whether a newcomer that is survived reserves the medium at this station until EIFS after its end: ns-2. The
        /// station then answers no RTS meanwhile, which costs chains of four and six hops a sixth of their goodput.
        reserves: bool,
    },
    /// Against thermal noise and all interference: a receiver locks to a preamble that stands out, and then loses bits by the
    /// error rate of each stretch of the frame ([`radio::error_rate`]). While it is locked nothing else is received. Two
    /// preambles within 4 us of which the first does not stand out are both lost, and what follows is mere energy, no
    /// errored frame. Energy is compared signal by signal, not as a sum.
    Sinr {
        /// Noise figure of the receivers, dB.
        noise_figure: f64,
        /// Least ratio of a preamble to noise and interference, dB.
        preamble_snr: f64,
        /// Weakest preamble that is received, dBm.
        preamble_power: f64,
        /// Weakest signal whose preamble was not received that makes the medium busy, dBm: -62 by 18.3.10.6; ns-3 tells frames of
        /// 802.11 from others, and takes -82 for these.
        energy_detection: f64,
    },
}

impl Reception {
    /// ns-2's rule and thresholds: 250 m and 550 m with its two-ray ground and power.
    pub const CAPTURE: Self = Self::Capture {
        // 3.652e-10 W and 1.559e-11 W.
        receive: -64.374_692_311,
        sense: -78.071_538_849,
        ratio: 10.0,
        reserves: true,
    };
    /// ns-3's thresholds of preambles, the standard's of energy.
    pub const SINR: Self =
        Self::Sinr { noise_figure: 7.0, preamble_snr: 4.0, preamble_power: -82.0, energy_detection: -62.0 };
}

/// Medium access. Names as in IEEE Std 802.11-2012, clause 9.
#[derive(Clone, PartialEq, Debug)]
pub struct Mac {
    /// aSlotTime.
    pub slot: Duration,
    /// aSIFSTime.
    pub sifs: Duration,
    /// Slots after SIFS before the first backoff slot: 2 makes DIFS, EDCA's best effort has 3.
    pub aifsn: u32,
    /// aCWmin: least contention window, slots.
    pub cw_min: u32,
    /// aCWmax: greatest contention window, slots.
    pub cw_max: u32,
    /// EDCA, set by [`Config::set_edca`]: `aifsn`, `cw_min` and `cw_max` are then those of no category; `None`: DCF.
    pub edca: Option<Edca>,
    /// How far frames of a TXOP reserve the medium.
    pub txop_protection: TxopProtection,
    /// Whether a CF-End frame ends a TXOP that nothing more is sent in (9.19.2.7).
    pub cf_end: bool,
    /// What a backoff is drawn from.
    pub draw: Draw,
    /// Which slots count down a backoff.
    pub countdown: Countdown,
    /// How long a station waits after a frame with errors.
    pub eifs: Eifs,
    /// How long a sender waits for CTS and ACK.
    pub timeout: Timeout,
    /// What a timeout allows for propagation, each way.
    pub propagation_allowance: Duration,
    /// Whether DIFS begins anew when a timeout ends (EDCA, 9.19.2.3), or idle time before counts (DCF, 9.3.4.3).
    pub defer_after_timeout: bool,
    /// When a packet that finds the medium idle and no backoff running is sent.
    pub idle_access: IdleAccess,
    /// Whether a NAV set by an RTS ends when no frame follows (9.3.2.4).
    pub nav_reset: bool,
    /// dot11ShortRetryLimit: attempts at an RTS, or at a frame without one, before the frame is given up.
    pub short_retry_limit: u32,
    /// dot11LongRetryLimit: attempts at a frame with RTS, counting those that were answered by CTS.
    pub long_retry_limit: u32,
    /// dot11RTSThreshold: an RTS goes before frames of more bytes, MAC header and FCS included; [`Protection::RtsCts`] has it before all in
    /// OFDM.
    pub rts_threshold: u32,
    /// What goes before data frames where there are stations of 802.11b, set by [`Config::set_protection`].
    pub protection: Protection,
    /// Bytes around an IP packet: MAC header, LLC/SNAP and FCS.
    pub header: u32,
    /// How packets are aggregated; `None`: each goes by itself.
    pub aggregation: Option<Aggregation>,
    /// The most bytes of packets with their headers in one MPDU, an A-MSDU: up to 7935, in an A-MPDU of HT fewer than 4095; 0: each
    /// has its own.
    pub amsdu: u32,
    /// Whether a lost Block ACK is asked for by a request; else the frame is sent again.
    pub block_ack_request: bool,
    /// Time between two beacons: of the access point, or of an ad hoc network, whose stations send them in turn; `None`: there are none.
    pub beacons: Option<Duration>,
    /// Length of a beacon.
    pub beacon_bytes: u32,
    /// How a station comes to belong to the access point.
    pub association: Association,
    /// How many beacons in a row a station misses until it no longer does; with [`Association::Exchange`].
    pub missed_beacons: u32,
    /// How long a station waits for the response to a request: AuthenticationFailureTimeout and AssociateFailureTimeout (6.3.5.2, 6.3.7.2).
    pub association_timeout: Duration,
}

/// Limits of an A-MPDU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Aggregation {
    /// Bytes: 65 535 in HT.
    pub bytes: u32,
    /// Frames, which is also the window of a Block ACK: at most 64.
    pub frames: u32,
    /// Duration on the air: 5.484 ms where stations without HT read the legacy header.
    pub duration: Duration,
}

/// What a backoff is drawn from, with a contention window of CW.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Draw {
    /// 0 to CW: the standard (9.3.3).
    #[default]
    Inclusive,
    /// 0 to CW - 1: ns-2.
    Exclusive,
}

/// How long a station waits after a frame with errors: SIFS, DIFS and the time of an ACK.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Eifs {
    /// The ACK at the lowest rate of all responses (9.3.7).
    #[default]
    Lowest,
    /// The response that the frame would have had: dynamic EIFS (IEEE Std 802.11-2016, 10.3.2.3.7).
    Dynamic,
}

/// How long a sender waits for CTS and ACK after the end of its frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Timeout {
    /// The response must begin: SIFS, a slot, and its preamble (9.3.2.8, 9.3.2.6).
    #[default]
    Begin,
    /// The response must be there: SIFS and its airtime: ns-2.
    Whole,
}

/// When a slot counts down a backoff. Without a transmission of another both end alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Countdown {
    /// Once it is over: a slot in which another begins to transmit does not count (DCF, 9.3.4.3).
    #[default]
    Over,
    /// As it begins: a slot in which another begins to transmit does (EDCA, 9.19.2.3).
    Begun,
}

/// When a packet that finds the medium idle and no backoff running is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IdleAccess {
    /// At once where the medium has been idle for DIFS (9.3.4.2).
    #[default]
    Immediate,
    /// Likewise, also where it comes in the SIFS before an answer of its own, when the medium is silent: DIFS after that answer. So it is in
    /// ns-3, where TCP's acknowledgment comes at the end of the data frame, and what is passed on at that of the hop before.
    BetweenFrames,
    /// After DIFS and a backoff of its own, counted from when it came: ns-2.
    Backoff,
}

/// A station's queue: drop-tail.
#[derive(Clone, PartialEq, Debug)]
pub struct Queue {
    /// Packets that find room, without those that are being transmitted.
    pub packets: u32,
    /// After which time a waiting packet is dropped; `None`: never.
    pub lifetime: Option<Duration>,
    /// Whether packets of a routing protocol go first.
    pub routing_first: bool,
    /// What packets pass before it: the queue is filled from there as it has room. `None`: packets join the queue itself.
    pub discipline: Option<net::queue::Config>,
}

impl Aggregation {
    /// The limits of HT, as long as a legacy header can announce (20.3.2).
    pub const HT: Self = Self { bytes: 65_535, frames: 64, duration: Duration::from_us(5484) };
    /// The limits of VHT: the longest A-MPDU that a station may be able to receive (IEEE Std 802.11ac-2013, 8.4.2.160.2), for as long
    /// as a legacy header can announce.
    pub const VHT: Self = Self { bytes: 1_048_575, ..Self::HT };
}

/// Why a configuration cannot be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    /// The field, as `mac.cw_min`.
    pub field: &'static str,
    /// What is wrong, and what is allowed; one line.
    pub message: String,
}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl std::error::Error for ConfigError {}

impl Standard {
    /// A mode of an 802.11b, g or a network by its data rate, bit/s.
    ///
    /// # Errors
    /// With the rates that there are, when the standard lacks this one.
    pub fn mode(self, bps: u64) -> Result<Mode, ConfigError> {
        let modes = self.rates();
        modes.iter().copied().find(|mode| mode.bps() == bps).ok_or_else(|| {
            let names: Vec<_> = modes.iter().map(|mode| format!("{}", mode.bps() as f64 / 1e6)).collect();
            let hint = if self.is_qos() { "; faster ones by `mcs`" } else { "" };
            ConfigError {
                field: "phy.data",
                message: format!(
                    "802.11{} has no rate of {} Mb/s: it has {}{hint}",
                    self.name(),
                    bps as f64 / 1e6,
                    names.join(", ")
                ),
            }
        })
    }

    /// The modes of the standard below HT, slowest first; the legacy rates of 802.11n at 5 GHz and ac.
    pub fn rates(self) -> Vec<Mode> {
        match self {
            Self::B => Dsss::RATES.map(|rate| Mode::Dsss(Dsss { rate, preamble: Preamble::Long })).to_vec(),
            _ => Ofdm::RATES.map(|rate| Mode::Ofdm(Ofdm { rate, erp: self == Self::G })).to_vec(),
        }
    }

    /// A mode of HT or VHT by its MCS index; in 802.11ac with one stream.
    ///
    /// # Errors
    /// When the standard has no such MCS, or not with this width.
    pub fn mcs(self, mcs: u8, width: Width, guard: GuardInterval) -> Result<Mode, ConfigError> {
        let vht = Vht { mcs, streams: 1, width, guard };
        match self {
            Self::N if mcs <= 15 && width != Width::Mhz80 => {
                Ok(Mode::Ht(Ht { mcs, width, guard, erp: false }))
            }
            Self::Ac if vht.exists() => Ok(Mode::Vht(vht)),
            Self::N => Err(ConfigError {
                field: "phy.data",
                message: format!(
                    "802.11n has MCS 0 to 15 at 20 and 40 MHz, not {mcs} at {} MHz",
                    width.hz() / 1e6
                ),
            }),
            Self::Ac => Err(ConfigError {
                field: "phy.data",
                message: format!(
                    "802.11ac has MCS 0 to 9, 9 not at 20 MHz: not {mcs} at {} MHz",
                    width.hz() / 1e6
                ),
            }),
            _ => Err(ConfigError {
                field: "phy.data",
                message: format!("802.11{} has rates, no MCS: give `rate`", self.name()),
            }),
        }
    }
}

impl Config {
    /// Sends data in `mode`, and RTS in HT format as wide and at the lowest MCS where they are in HT format.
    pub fn set_mode(&mut self, mode: Mode) {
        self.phy.data = mode;
        if let (Mode::Ht(_), Mode::Ht(data)) = (self.phy.control, mode) {
            self.phy.control = Mode::Ht(Ht { mcs: 0, ..data });
        }
    }

    /// Sets the carrier frequency, Hz. Below 4 GHz 802.11n is in the band at 2.4 GHz: SIFS of 10 us, a signal extension after
    /// each frame.
    pub fn set_frequency(&mut self, hz: f64) {
        self.phy.propagation.frequency = hz;
        if self.standard != Standard::N {
            return;
        }
        let low = hz < 4e9;
        self.mac.sifs = Duration::from_us(if low { 10 } else { 16 });
        // An IBSS has long slots at 2.4 GHz (8.4.1.4).
        self.mac.slot = Duration::from_us(if low && self.access_point.is_none() { 20 } else { 9 });
        let phy = &mut self.phy;
        for mode in phy.responses.iter_mut().chain([&mut phy.data, &mut phy.control]) {
            match mode {
                Mode::Ofdm(ofdm) => ofdm.erp = low,
                Mode::Ht(ht) => ht.erp = low,
                Mode::Dsss(_) | Mode::Vht(_) => {}
            }
        }
    }

    /// Whether the values make a network.
    ///
    /// # Errors
    /// At the first field that does not, with what is allowed.
    pub fn check(&self) -> Result<(), ConfigError> {
        let fail = |field, message: String| Err(ConfigError { field, message });
        let (mac, phy) = (&self.mac, &self.phy);
        if self.sites.len() < 2 {
            return fail("sites", format!("a network has at least 2 stations, not {}", self.sites.len()));
        }
        if let Some(ap) = self.access_point.filter(|ap| ap.index() >= self.sites.len()) {
            return fail("access_point", format!("there is no station {}", ap.0));
        }
        let ours = match phy.data {
            Mode::Dsss(_) => self.standard == Standard::B,
            Mode::Ofdm(mode) => match self.standard {
                Standard::B => false,
                Standard::N => true,
                _ => mode.erp == (self.standard == Standard::G),
            },
            Mode::Ht(_) => matches!(self.standard, Standard::N | Standard::Ac),
            Mode::Vht(_) => self.standard == Standard::Ac,
        };
        if !ours {
            return fail(
                "phy.data",
                format!("802.11{} has no such mode: {:?}", self.standard.name(), phy.data),
            );
        }
        phy.rate_control.check()?;
        self.check_non_erp()?;
        self.check_protection()?;
        if phy.responses.is_empty() {
            return fail("phy.responses", "at least one mode".to_owned());
        }
        if mac.slot.is_zero() || mac.sifs.is_zero() {
            return fail("mac.slot", "slot and SIFS are longer than zero".to_owned());
        }
        if mac.aifsn == 0 {
            return fail("mac.aifsn", "at least 1".to_owned());
        }
        if mac.cw_min == 0 || mac.cw_min > mac.cw_max || mac.cw_max > 32_767 {
            return fail(
                "mac.cw_min",
                format!("1 <= cw_min <= cw_max <= 32767, not {} and {}", mac.cw_min, mac.cw_max),
            );
        }
        mac.edca.map_or(Ok(()), |edca| edca.check())?;
        if mac.short_retry_limit == 0 || mac.long_retry_limit == 0 {
            return fail("mac.short_retry_limit", "both limits are at least 1".to_owned());
        }
        if let Some(aggregation) = mac.aggregation {
            if !self.standard.is_qos() {
                let message = format!("802.11{} has no aggregation", self.standard.name());
                return fail("mac.aggregation", message);
            }
            if !(1..=64).contains(&aggregation.frames) {
                let message = format!("1 to 64 frames, not {}", aggregation.frames);
                return fail("mac.aggregation.frames", message);
            }
        }
        if mac.amsdu > 7935 || (mac.amsdu > 0 && !self.standard.is_qos()) {
            let message = format!("0 to 7935 bytes, with 802.11n and ac only: not {}", mac.amsdu);
            return fail("mac.amsdu", message);
        }
        if mac.amsdu > 0 && mac.header < 8 {
            return fail("mac.header", "at least 8 bytes with A-MSDU, those of LLC and SNAP".to_owned());
        }
        if mac.beacons.is_some_and(Duration::is_zero) {
            return fail("mac.beacons", "longer than zero".to_owned());
        }
        if mac.beacons.is_some() && matches!(self.routing, routing::Config::Hwmp(_)) {
            return fail(
                "mac.beacons",
                "a mesh has beacons of its own: `routing.beacon_interval`".to_owned(),
            );
        }
        self.check_association()?;
        if self.queue.packets == 0 {
            return fail("queue.packets", "at least 1".to_owned());
        }
        self.routing.check(self.sites.len())
    }
}
