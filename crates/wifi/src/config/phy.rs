//! Settings of the physical layer: how signals are sent, how they travel, how they are received.

use crate::rate::settings::RateControl;
use crate::timing::{Mode, Rounding};
use base::Duration;
use radio::propagation;

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
