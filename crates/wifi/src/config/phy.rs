//! Settings of the physical layer: sending, propagation and reception of signals.

use super::times::TIMES;
use crate::phy::timing::{Mode, Ofdm, Rounding};
use crate::rate::settings::RateControl;
use base::Duration;
use radio::error_rate::ErrorModel;
use radio::propagation::{self, Fading};
use radio::quantity::Power;
use settings::{Choice, Error, Kinds, Settings};

/// Signals: sending, propagation and reception. Defaults are those of 802.11a.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Phy {
    /// Mode of data frames to one station; with rate control the fastest of them.
    #[setting(skip, default = Mode::Ofdm(Ofdm { rate: 54, erp: false }))]
    pub data: Mode,
    /// Choice of the mode of each frame.
    #[setting(skip)]
    pub rate_control: RateControl,
    /// Mode of RTS, broadcast and management frames.
    #[setting(skip, default = Mode::Ofdm(Ofdm { rate: 6, erp: false }))]
    pub control: Mode,
    /// Modes for CTS, ACK and Block ACK: each takes the fastest of them that is not faster than the frame that it
    /// answers (9.7.6.5), and the slowest if all are faster. With an access point these are the basic rates, in an ad
    /// hoc network all mandatory ones.
    #[setting(skip, default = Ofdm::MANDATORY.map(|rate| Mode::Ofdm(Ofdm { rate, erp: false })).to_vec())]
    pub responses: Vec<Mode>,
    /// Rounding of airtimes.
    #[setting(skip, default = Rounding::Standard)]
    pub rounding: Rounding,
    /// Transmit power of stations.
    #[setting(name = "tx_power", default = 16.0206, form = Power)]
    pub power: f64,
    /// Propagation of signals.
    #[setting(flatten, default = propagation::Config { frequency: 5.18e9, ..propagation::Config::ns3() })]
    pub propagation: propagation::Config,
    /// Variation from frame to frame.
    #[setting(default = Fading::None)]
    pub fading: Fading,
    /// Reception of signals.
    #[setting(default = Reception::Sinr(Sinr::default()), absent = "{ kind = \"sinr\" }, in profile \"ns2\" \"capture\"")]
    pub reception: Reception,
    /// Error rates of frames in OFDM, with reception "sinr".
    #[setting(default = ErrorModel::Nist, absent = "\"nist\", in profile \"ns3\" \"table\"")]
    pub error_model: ErrorModel,
    /// The power of each of several spatial streams, with reception "sinr".
    #[setting(default = StreamPower::Split, absent = "\"split\", in profile \"ns3\" \"whole\"")]
    pub stream_power: StreamPower,
    /// Weakest frame in OFDM that `b_stations` sense, as mere energy: the ED threshold.
    #[setting(form = Power, absent = "\"-70dBm\", in profile \"ns3\" -62, in \"ns2\" what all sense")]
    pub b_energy_detection: Option<f64>,
    /// Duration of a signal until a station senses it. A signal that arrives within this time before the end of a
    /// backoff slot goes unnoticed in it.
    #[setting(default = Duration::from_us(4), range = TIMES, absent = "\"4us\", with slots of 20 us of b, or of g with `protection` \"15us\", in profile \"ns2\" \"0s\"")]
    pub cca_time: Duration,
    /// Age up to which positions of moving stations are used for powers; "0s": computed anew for each frame.
    #[setting(default = Duration::from_ms(10), range = TIMES)]
    pub position_interval: Duration,
}

/// Power of each of the spatial streams of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum StreamPower {
    /// the streams share the power of the signal
    Split,
    /// each has the power of the signal, and the bits of one decide whether a frame arrives (ns-3)
    Whole,
}

/// Reception of signals.
#[derive(Clone, Copy, PartialEq, Debug, Kinds)]
#[settings(what = "reception", overlay)]
pub enum Reception {
    /// By power alone: the frame received first survives newcomers that are weaker by a ratio, else both are lost. No
    /// noise.
    Capture(Capture),
    /// Against thermal noise and all interference, with error rates; a receiver locks to the first preamble that stands out.
    Sinr(Sinr),
}

/// First-frame capture. A frame that comes while the station transmits is lost, but keeps its receiver from later
/// frames alike. A frame that is sensed but not received, or lost to another, counts as errored (EIFS). Defaults are
/// ns-2's: 250 m and 550 m with its two-ray ground and power, 3.652e-10 W and 1.559e-11 W.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(check)]
pub struct Capture {
    /// Weakest frame that is received.
    #[setting(default = -64.374_692_311, form = Power)]
    pub receive: f64,
    /// Weakest frame that is sensed and disturbs.
    #[setting(default = -78.071_538_849, form = Power)]
    pub sense: f64,
    /// Lead of the frame being received over a newcomer that it survives, dB.
    #[setting(default = 10.0, range = -300.0..=300.0)]
    pub ratio: f64,
    /// Such a newcomer reserves the medium at the receiver until EIFS after its end: ns-2. The station then answers no
    /// RTS in that time, which costs chains of four and six hops a sixth of their goodput.
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

/// Reception against noise and interference: a receiver locks to a preamble that stands out, and then loses bits by the error rate of each stretch of
/// the frame ([`radio::error_rate`]). While it is locked nothing else is received. Two preambles within 4 us of which the first does not stand out are
/// both lost, and what follows is mere energy, no errored frame. Energy is compared signal by signal, not as a sum. Defaults are ns-3's thresholds of
/// preambles, the standard's of energy.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Sinr {
    /// Noise figure of receivers, dB.
    #[setting(default = 7.0, range = -300.0..=300.0)]
    pub noise_figure: f64,
    /// Least ratio of a preamble to noise and interference, dB.
    #[setting(default = 4.0, range = -300.0..=300.0)]
    pub preamble_snr: f64,
    /// Weakest preamble that is received.
    #[setting(default = -82.0, form = Power)]
    pub preamble_power: f64,
    /// Weakest signal that makes the medium busy after its preamble was missed (18.3.10.6); in profile ns3 -82 dBm: it
    /// tells frames of 802.11 from others.
    #[setting(default = -62.0, form = Power)]
    pub energy_detection: f64,
    /// A frame may survive others that it meets, by its ratio to them. Else two frames that meet are both lost if both
    /// could be received, as in models of saturation.
    #[setting(default = true)]
    pub capture: bool,
    /// Lead by which a preamble that comes later takes the receiver (frame capture), dB. The earlier frame is then
    /// lost, and interferes. ns-3's SimpleFrameCaptureModel has a margin of 5, and is off by default.
    #[setting(range = 0.0..=300.0, absent = "none: the receiver stays with the frame that it is locked to")]
    pub frame_capture: Option<f64>,
    /// With `frame_capture`: time after the begin of a frame within which another may take the receiver; "1s" is as
    /// long as any frame lasts. As ns-3's CaptureWindow.
    #[setting(default = Duration::from_us(16), range = TIMES)]
    pub capture_window: Duration,
}
