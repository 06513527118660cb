//! Stations of 802.11b in a network of 802.11g: NonERP stations, which neither send nor understand OFDM (clause 19
//! calls those that do ERP stations).
//!
//! Frames to or from such a station are in DSSS or CCK, and so are their answers (9.7.6.5.2: in the modulation class of
//! the frame answered); broadcast frames, beacons and RTS are in DSSS for all. A frame in OFDM is mere energy to a
//! NonERP station: it keeps the medium busy from a threshold on (17.4.8.5, CCA mode 1). But there is no PHY-RXSTART, so
//! it sets no NAV, calls for no EIFS and does not show that the exchange announced by an RTS has begun. It disturbs
//! other receptions at any strength. ERP stations receive DSSS as they do OFDM.
//!
//! Slots are long for all (19.4.5), which gives CCA 15 us. Without EDCA each kind has its own CWmin: 31 for a NonERP
//! station, 15 for an ERP station (9.3.3, aCWmin(0) and aCWmin(1)). EDCA's parameters are those that are announced, and
//! so common to all. The values are `b_cw_min` and `b_energy_detection`.
//!
//! Left out: CCA modes 4 and 5, which do not sense OFDM at all (a threshold above all signals has the same effect),
//! short preambles, ERP-PBCC and DSSS-OFDM.
//!
//! Validated (`tests/it/mixed.rs`): timelines by hand; 1 to 5 saturated stations of each kind with and without
//! protection within 0.9 % of ns-3.37, one of each within 0.5 % of a model of the medium's slots.

use crate::phy::timing::Mode;
use radio::access::Station;

/// The stations of 802.11b in a network of 802.11g.
#[derive(Clone, PartialEq, Debug)]
pub struct NonErp {
    /// Their numbers.
    pub stations: Vec<Station>,
    /// Mode of data frames that they send or receive; with rate control the fastest of them.
    pub data: Mode,
}
