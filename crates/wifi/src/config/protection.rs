//! Protection of 802.11g against stations of 802.11b, which do not receive OFDM (9.23.2). Each OFDM frame is preceded
//! by a frame that 802.11b stations understand and that reserves the medium.
//!
//! With stations of 802.11b present, slots are long (8.4.1.4: 20 us), and aCCATime is longer accordingly (19.8.4:
//! 15 us). Beacons and broadcast frames are sent at a rate of 802.11b, and EIFS is computed with the slowest ACK of
//! 802.11b. The behaviour of the 802.11b stations themselves is in [`super::NonErp`]. In a network without such
//! stations, protection models 802.11b stations of another network nearby: it costs the same airtime.

use settings::Choice;

/// Frame that protects OFDM data frames of 802.11g from stations of 802.11b.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Protection {
    /// no frame
    None,
    /// CTS-to-self, a CTS that the sender addresses to itself, at `control_rate`, a rate of 802.11b
    CtsToSelf,
    /// RTS and CTS, at the same rate
    RtsCts,
}
