//! Protection of 802.11g against stations of 802.11b, which do not hear OFDM (9.23.2): before each frame in OFDM one goes out that they
//! understand, and that reserves the medium.
//!
//! With b stations present slots are long (8.4.1.4: 20 us) and CCA takes as long as they allow (19.8.4: 15 us), beacons and broadcast
//! frames go at a rate of 802.11b, and EIFS lasts as its slowest ACK does. What the b stations themselves do is in [`super::NonErp`]; without
//! any in the network protection costs what their presence nearby does.

/// What goes before a data frame in OFDM.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protection {
    /// Nothing: no b stations.
    #[default]
    None,
    /// A CTS of the sender to itself.
    CtsToSelf,
    /// RTS and CTS.
    RtsCts,
}
