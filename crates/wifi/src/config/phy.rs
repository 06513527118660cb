//! Settings of the physical layer: transmission, propagation and reception of signals.

use super::times::TIMES;
use crate::phy::timing::{Mode, Ofdm, Rounding};
use crate::rate::settings::RateControl;
use base::Duration;
use radio::error_rate::ErrorModel;
use radio::propagation::{self, Fading};
use radio::quantity::Power;
use settings::{Choice, Error, Kinds, Settings};

/// Physical layer. Defaults are those of 802.11a.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Phy {
    /// Mode of unicast data frames; with rate control the mode with the highest rate.
    #[setting(skip, default = Mode::Ofdm(Ofdm { rate: 54, erp: false }))]
    pub data: Mode,
    /// Rate control: the choice of the mode of each data frame.
    #[setting(skip)]
    pub rate_control: RateControl,
    /// Mode of RTS, broadcast and management frames.
    #[setting(skip, default = Mode::Ofdm(Ofdm { rate: 6, erp: false }))]
    pub control: Mode,
    /// Modes for CTS, ACK and Block ACK. A response takes the fastest of them that is not faster than the frame that
    /// it answers (9.7.6.5), or the slowest if all are faster. With an access point they are the basic rates, in an
    /// ad hoc network all mandatory rates.
    #[setting(skip, default = Ofdm::MANDATORY.map(|rate| Mode::Ofdm(Ofdm { rate, erp: false })).to_vec())]
    pub responses: Vec<Mode>,
    /// Rounding of frame durations.
    #[setting(skip, default = Rounding::Standard)]
    pub rounding: Rounding,
    /// Transmit power of the stations.
    #[setting(name = "tx_power", default = 16.0206, form = Power)]
    pub power: f64,
    /// Propagation of signals.
    #[setting(flatten, default = propagation::Config { frequency: 5.18e9, ..propagation::Config::ns3() })]
    pub propagation: propagation::Config,
    /// Fading, drawn anew for each frame.
    #[setting(default = Fading::None)]
    pub fading: Fading,
    /// Model of the reception of signals.
    #[setting(default = Reception::Sinr(Sinr::default()), absent = "{ kind = \"sinr\" }, in profile \"ns2\" \"capture\"")]
    pub reception: Reception,
    /// Error rates of OFDM frames, with reception "sinr".
    #[setting(default = ErrorModel::Nist, absent = "\"nist\", in profile \"ns3\" \"table\"")]
    pub error_model: ErrorModel,
    /// Power of each spatial stream of a frame with several, with reception "sinr".
    #[setting(default = StreamPower::Split, absent = "\"split\", in profile \"ns3\" \"whole\"")]
    pub stream_power: StreamPower,
    /// ED threshold of `b_stations` for OFDM frames: the weakest that they sense, as mere energy.
    #[setting(form = Power, absent = "\"-70dBm\", in profile \"ns3\" \"-62dBm\", in \"ns2\" that of the other stations")]
    pub b_energy_detection: Option<f64>,
    /// Time that a station needs to sense a signal (aCCATime). A signal that arrives less than this before the end of
    /// a backoff slot is not sensed in that slot.
    #[setting(default = Duration::from_us(4), range = TIMES, absent = "\"4us\", with slots of 20 us of b, or of g with `protection` \"15us\", in profile \"ns2\" \"0s\"")]
    pub cca_time: Duration,
    /// Greatest age of the positions of moving stations in computations of received power; "0s": positions are
    /// computed for each frame.
    #[setting(default = Duration::from_ms(10), range = TIMES)]
    pub position_interval: Duration,
}

/// Power of each spatial stream of a frame with several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum StreamPower {
    /// an equal share of the signal's power
    Split,
    /// the whole power of the signal, and whether the frame is received depends on the bits of one stream (ns-3)
    Whole,
}

/// Model of the reception of signals.
#[derive(Clone, Copy, PartialEq, Debug, Kinds)]
#[settings(what = "reception", overlay)]
pub enum Reception {
    /// By power alone, without noise: the frame received first survives later frames that are weaker by a ratio;
    /// otherwise both are lost.
    Capture(Capture),
    /// By the ratio of the signal to thermal noise and interference (SINR), with error rates; a receiver locks to the
    /// first preamble that is strong enough.
    Sinr(Sinr),
}

/// First-frame capture. A frame that arrives while the station transmits is lost, but the receiver is locked to that
/// frame nevertheless. A frame that is sensed but not received, or lost in a collision, counts as errored (EIFS).
/// Defaults are ns-2's: 250 m and 550 m with its two-ray ground and transmit power, 3.652e-10 W and 1.559e-11 W.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(check)]
pub struct Capture {
    /// Power of the weakest frame that can be received.
    #[setting(default = -64.374_692_311, form = Power)]
    pub receive: f64,
    /// Power of the weakest frame that is sensed and that interferes.
    #[setting(default = -78.071_538_849, form = Power)]
    pub sense: f64,
    /// Least ratio of the frame being received to a later frame at which the former survives, dB.
    #[setting(default = 10.0, range = -300.0..=300.0)]
    pub ratio: f64,
    /// Let the later, weaker frame reserve the medium at the receiver until EIFS after its end (ns-2). During that
    /// time the station answers no RTS, which costs chains of four and six hops a sixth of their goodput.
    #[setting(default = true)]
    pub reserves: bool,
}

impl Capture {
    fn check(&self) -> Result<(), Error> {
        if self.sense <= self.receive {
            return Ok(());
        }
        let message = "what is received is sensed: the weakest frame sensed is no stronger";
        Err(Error::new("sense", message).allowed("at most `receive`"))
    }
}

/// Reception against noise and interference. A receiver locks to a preamble that is strong enough. Bits are then lost
/// by the error rate of each interval of the frame with constant interference ([`radio::error_rate`]). While locked,
/// the receiver receives nothing else. If a second preamble comes within 4 us of the first and lowers the first's
/// SINR too far, both are lost; the medium then counts as busy by energy, and no EIFS follows. The energy of each
/// signal is compared with the threshold by itself; energies are not added. Defaults are ns-3's thresholds of
/// preambles and the standard's of energy.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Sinr {
    /// Noise figure of receivers, dB.
    #[setting(default = 7.0, range = -300.0..=300.0)]
    pub noise_figure: f64,
    /// Least SINR at which a preamble is received, dB.
    #[setting(default = 4.0, range = -300.0..=300.0)]
    pub preamble_snr: f64,
    /// Power of the weakest preamble that is received.
    #[setting(default = -82.0, form = Power)]
    pub preamble_power: f64,
    /// Power of the weakest signal that makes the medium busy if the signal's preamble was missed (18.3.10.6). In
    /// profile ns3 this is -82 dBm for frames of 802.11.
    #[setting(default = -62.0, form = Power)]
    pub energy_detection: f64,
    /// Let a frame survive collisions with a probability that follows from its SINR. false: if two frames overlap and
    /// both could be received, both are lost, as models of saturation throughput assume.
    #[setting(default = true)]
    pub capture: bool,
    /// Lead by which a later preamble takes over the receiver (frame capture), dB. The earlier frame is then lost and
    /// interferes. ns-3's SimpleFrameCaptureModel has a margin of 5 dB, and is off by default.
    #[setting(range = 0.0..=300.0, absent = "none: the receiver stays with the frame that it is locked to")]
    pub frame_capture: Option<f64>,
    /// With `frame_capture`: time after the beginning of a frame within which a later preamble may take over the
    /// receiver (ns-3's CaptureWindow); "1s" is longer than any frame.
    #[setting(default = Duration::from_us(16), range = TIMES)]
    pub capture_window: Duration,
}
