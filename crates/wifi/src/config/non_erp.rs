//! Stations of 802.11b in a network of 802.11g: NonERP stations, which neither send nor receive OFDM (clause 19 calls
//! stations that do ERP stations).
//!
//! Frames to or from a NonERP station are in DSSS or CCK, and so are the responses to them (9.7.6.5.2: in the
//! modulation class of the frame answered). Broadcast frames, beacons and RTS are in DSSS for all stations. To a
//! NonERP station an OFDM frame is mere energy, which keeps the medium busy above a threshold (17.4.8.5, CCA mode 1).
//! As there is no PHY-RXSTART, the frame sets no NAV, causes no EIFS, and does not count as the frame that follows an
//! RTS. The frame disturbs other receptions at any power. ERP stations receive DSSS as they receive OFDM.
//!
//! All stations have long slots (19.4.5), so aCCATime is 15 us. Without EDCA, aCWmin is 31 for a NonERP station and
//! 15 for an ERP station (9.3.3, aCWmin(0) and aCWmin(1)). EDCA parameters are announced and so common to all
//! stations. The settings are `b_cw_min` and `b_energy_detection`.
//!
//! Left out: CCA modes 4 and 5, which do not sense OFDM at all (a threshold above all signals has the same effect),
//! short preambles, ERP-PBCC and DSSS-OFDM.
//!
//! Validated (`tests/it/mixed.rs`) by timelines worked out by hand. The goodput of 1 to 5 saturated stations of each
//! kind, with and without protection, is within 0.9 % of ns-3.37's. With one station of each kind it is within 0.5 %
//! of a model of the medium's slots.

use crate::phy::timing::Mode;
use radio::access::Station;

/// Stations of 802.11b in a network of 802.11g.
#[derive(Clone, PartialEq, Debug)]
pub struct NonErp {
    /// Numbers of these stations.
    pub stations: Vec<Station>,
    /// Mode of data frames from and to these stations; with rate control the mode with the highest rate.
    pub data: Mode,
}
