//! Protection of 802.11g against stations of 802.11b, which do not receive OFDM (9.23.2): each frame in OFDM follows a
//! frame that they understand, and that reserves the medium.
//!
//! With b stations present slots are long (8.4.1.4: 20 us), and CCA takes as long as they allow (19.8.4: 15 us).
//! Beacons and broadcast frames go at a rate of 802.11b, and EIFS lasts as its slowest ACK does. The behaviour of the b
//! stations themselves is in [`super::NonErp`]; without any in the network protection costs the same as with some
//! nearby.

use settings::Choice;

/// Frame before a data frame of 802.11g in OFDM if there are stations of 802.11b.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Protection {
    /// nothing
    None,
    /// a CTS of the sender to itself, at `control_rate`, a rate of 802.11b
    CtsToSelf,
    /// RTS and CTS, at that rate
    RtsCts,
}
