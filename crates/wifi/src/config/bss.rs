//! Settings of beacons, and of association with an access point.

use super::times::{SCANS, SHORT, SIZES};
use base::Duration;
use settings::Size;
use settings::TimeOrNever;
use settings::{Choice, Error, Settings};

/// Beacons and association.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Bss {
    /// Time between two beacons, of the access point or of an ad hoc network's stations in turn; a mesh has its own.
    #[setting(default = TimeOrNever(None), absent = "\"102.4ms\" of an access point, else \"never\"")]
    pub beacons: TimeOrNever,
    /// Length of a beacon.
    #[setting(default = 53, range = SIZES, form = Size, absent = "as in ns-3.37, by standard: \"52B\" to \"192B\", without an access point 4 more")]
    pub beacon_size: u32,
    /// The procedure by which a station associates with the access point.
    #[setting(default = Association::InReach)]
    pub association: Association,
    /// With association "exchange": beacons missed in a row after which a station loses its association; the standard
    /// leaves it open, this is ns-3.37's.
    #[setting(default = 10, range = 1..=u32::MAX)]
    pub missed_beacons: u32,
    /// With association "exchange": time for which a station waits for a response until it scans again:
    /// AuthenticationFailureTimeout and AssociateFailureTimeout (6.3.5.2, 6.3.7.2).
    #[setting(default = Duration::from_ms(500), range = SHORT)]
    pub association_timeout: Duration,
    /// With several access points: condition for a station to change from one to another.
    #[setting(default = Roaming::Stronger)]
    pub roaming: Roaming,
    /// With roaming "stronger": least lead of the other's beacons, dB; the standard leaves it open, and 8 dB is the
    /// value of Apple's telephones and tablets.
    #[setting(default = 8.0, range = 0.0..=100.0)]
    pub roaming_margin: f64,
    /// With roaming "stronger": number of the other's beacons in a row that have to be stronger. If this number of its
    /// own have not come, their power counts as none.
    #[setting(default = 3, range = 1..=u32::MAX)]
    pub roaming_beacons: u32,
    /// With several access points: time for which a station without one listens until it asks the one with the
    /// strongest beacons. This is ns-3.37's WaitBeaconTimeout.
    #[setting(default = Duration::from_ms(120), range = SCANS)]
    pub scan_time: Duration,
}

impl Bss {
    /// Checks between the settings, for this number of access points.
    pub(super) fn check(&self, access_points: usize) -> Result<(), Error> {
        let access_point = access_points > 0;
        if self.beacons.0.is_some_and(Duration::is_zero) {
            return Err(Error::new("beacons", "longer than zero"));
        }
        if access_points > 1 && self.beacons.0.is_none() {
            let message = "stations go between several access points by their beacons";
            return Err(Error::new("beacons", message).allowed("a time, or one `access_point`"));
        }
        if access_point && self.association == Association::Exchange && self.beacons.0.is_none() {
            let message = "stations find an access point by its beacons: without them \"in-reach\"";
            return Err(Error::new("association", message));
        }
        if access_points > 1 && self.association == Association::InReach {
            let message = "between several access points a station goes by their beacons and by frames";
            return Err(Error::new("association", message).allowed("\"exchange\", or one `access_point`"));
        }
        Ok(())
    }
}

/// The procedure by which a station associates with the access point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Association {
    /// when the two first have a packet for each other and are in reach, for good, without a frame
    InReach,
    /// a beacon, then authentication and association, frame by frame; without beacons no longer
    Exchange,
}

/// Condition for a station to change from one access point to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Roaming {
    /// when the beacons of another are stronger by `roaming_margin`; it keeps its own until the other has answered
    Stronger,
    /// when it has lost its own, not before
    Lost,
}
