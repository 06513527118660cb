//! Settings of what keeps a network together: beacons, and association with an access point.

use super::times::{SHORT, SIZES};
use crate::or_never::OrNever;
use base::Duration;
use settings::Size;
use settings::{Choice, Error, Settings};

/// Beacons and association.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Bss {
    /// Time between two beacons, of the access point or of an ad hoc network's stations in turn; a mesh has its own.
    #[setting(default = OrNever(None), absent = "\"102.4ms\" of an access point, else \"never\"")]
    pub beacons: OrNever,
    /// Length of a beacon.
    #[setting(default = 53, range = SIZES, form = Size, absent = "as in ns-3.37, by standard: \"52B\" to \"192B\", without an access point 4 more")]
    pub beacon_size: u32,
    /// How a station comes to belong to the access point.
    #[setting(default = Association::InReach)]
    pub association: Association,
    /// With association "exchange": beacons missed in a row after which a station no longer does; the standard leaves it open, this
    /// is ns-3.37's.
    #[setting(default = 10, range = 1..=u32::MAX)]
    pub missed_beacons: u32,
    /// Likewise how long a station waits for a response until it scans again: AuthenticationFailureTimeout and AssociateFailureTimeout
    /// (6.3.5.2, 6.3.7.2).
    #[setting(default = Duration::from_ms(500), range = SHORT)]
    pub association_timeout: Duration,
}

impl Bss {
    /// What is between the settings; `access_point`: whether there is one.
    pub(super) fn check(&self, access_point: bool) -> Result<(), Error> {
        if self.beacons.0.is_some_and(Duration::is_zero) {
            return Err(Error::new("beacons", "longer than zero"));
        }
        if access_point && self.association == Association::Exchange && self.beacons.0.is_none() {
            let message = "stations find an access point by its beacons: without them \"in-reach\"";
            return Err(Error::new("association", message));
        }
        Ok(())
    }
}

/// How a station comes to belong to the access point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Association {
    /// when the two first have a packet for each other and are in reach, for good, without a frame
    InReach,
    /// a beacon, then authentication and association, frame by frame; without beacons no longer
    Exchange,
}
