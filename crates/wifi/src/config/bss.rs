//! Settings of beacons, and of association with an access point.

use super::times::{SCANS, SHORT, SIZES};
use base::Duration;
use settings::Size;
use settings::TimeOrNever;
use settings::{Choice, Error, Settings};

/// Beacons and association.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Bss {
    /// Time between two beacons of the access point, or of an ad hoc network, whose stations take turns. The beacons
    /// of a mesh are settings of `hwmp`.
    #[setting(default = TimeOrNever(None), absent = "\"102.4ms\" with an access point, otherwise \"never\"")]
    pub beacons: TimeOrNever,
    /// Length of a beacon with MAC header and FCS.
    #[setting(default = 53, range = SIZES, form = Size, absent = "as in ns-3.37, by standard: \"52B\" to \"192B\"; without an access point 4 bytes more")]
    pub beacon_size: u32,
    /// Procedure by which a station associates with the access point.
    #[setting(default = Association::InReach)]
    pub association: Association,
    /// With association "exchange": consecutive beacons missed after which a station loses its association. The
    /// standard leaves this open; unless given, it is ns-3.37's number.
    #[setting(default = 10, range = 1..=u32::MAX)]
    pub missed_beacons: u32,
    /// With association "exchange": time for which a station waits for a response before it scans again
    /// (AuthenticationFailureTimeout, 6.3.5.2; AssociateFailureTimeout, 6.3.7.2).
    #[setting(default = Duration::from_ms(500), range = SHORT)]
    pub association_timeout: Duration,
    /// With several access points: condition under which a station changes its access point.
    #[setting(default = Roaming::Stronger)]
    pub roaming: Roaming,
    /// With roaming "stronger": lead by which the other access point's beacons must exceed those of the station's
    /// own, dB. The standard leaves this open; unless given, it is that of Apple's telephones and tablets.
    #[setting(default = 8.0, range = 0.0..=100.0)]
    pub roaming_margin: f64,
    /// With roaming "stronger": consecutive beacons of the other access point that must be stronger. If a station has
    /// missed as many beacons of its own access point, any other access point counts as stronger.
    #[setting(default = 3, range = 1..=u32::MAX)]
    pub roaming_beacons: u32,
    /// With several access points: time for which a station without an access point scans before it asks the one with
    /// the strongest beacon. Unless given, it is ns-3.37's WaitBeaconTimeout.
    #[setting(default = Duration::from_ms(120), range = SCANS)]
    pub scan_time: Duration,
}

impl Bss {
    /// Checks the settings against one another, for a network with this number of access points.
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

/// Procedure by which a station associates with the access point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Association {
    /// without frames: a station is associated as soon as it or the access point has a packet for the other and both
    /// are in reach; the association never ends
    InReach,
    /// by a beacon, then authentication and association frames; the association ends when beacons are missed
    Exchange,
}

/// Condition under which a station changes its access point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Roaming {
    /// when another access point's beacons are stronger by `roaming_margin`; the station stays associated until the
    /// other one has answered
    Stronger,
    /// only when the station has lost its association
    Lost,
}
