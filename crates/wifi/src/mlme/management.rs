//! Management frames to one station, with their lengths.
//!
//! Lengths have the mandatory elements of 8.3.3, with an SSID of one byte.

use crate::config::Config;
use crate::phy::timing::Standard;

/// The subtype of a management frame to one station.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subtype {
    /// Open system: of a station the request, of the access point the response.
    Authentication,
    AssociationRequest,
    AssociationResponse,
    /// From one access point to another.
    ReassociationRequest,
    ReassociationResponse,
    Disassociation,
}

/// A management frame to one station.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Management {
    pub(crate) subtype: Subtype,
    /// Its length, header and FCS included.
    pub(crate) bytes: u32,
}

impl Management {
    /// Returns the standard's name, shortened.
    pub(crate) const fn name(self) -> &'static str {
        match self.subtype {
            Subtype::Authentication => "AUTH",
            Subtype::AssociationRequest => "ASSOC-REQ",
            Subtype::AssociationResponse => "ASSOC-RESP",
            Subtype::ReassociationRequest => "REASSOC-REQ",
            Subtype::ReassociationResponse => "REASSOC-RESP",
            Subtype::Disassociation => "DISASSOC",
        }
    }

    /// Creates a frame: MAC header 24 bytes, FCS 4, and the elements of 8.3.3.
    pub(crate) fn new(subtype: Subtype, config: &Config) -> Self {
        const AROUND: u32 = 28;
        let standard = config.standard;
        // Supported Rates, of g with the Extended ones.
        let rates = match standard {
            Standard::B => 6,
            Standard::G => 10 + 6,
            Standard::A | Standard::N | Standard::Ac | Standard::Ax => 10,
        };
        let where_so = |is: bool, bytes: u32| if is { bytes } else { 0 };
        let (qos, he) = (standard.is_qos(), standard == Standard::Ax);
        // A station of ax at 5 GHz is one of ac, too.
        let vht = standard == Standard::Ac || (he && config.phy.propagation.frequency >= 4e9);
        let edca = qos || config.mac.access.edca.is_some();
        let body = match subtype {
            // Algorithm, transaction, status.
            Subtype::Authentication => 6,
            // Capabilities, listen interval, SSID; QoS Capability, HT, VHT and HE Capabilities. In a reassociation also
            // the access point that the station leaves.
            Subtype::AssociationRequest | Subtype::ReassociationRequest => {
                where_so(subtype == Subtype::ReassociationRequest, 6)
                    + 2
                    + 2
                    + 3
                    + rates
                    + where_so(edca, 3)
                    + where_so(qos, 28)
                    + where_so(vht, 14)
                    + where_so(he, 24)
            }
            // Capabilities, status, AID; EDCA Parameter Set, HT, VHT and HE Capabilities and Operation.
            Subtype::AssociationResponse | Subtype::ReassociationResponse => {
                2 + 2
                    + 2
                    + rates
                    + where_so(edca, 20)
                    + where_so(qos, 28 + 24)
                    + where_so(vht, 14 + 7)
                    + where_so(he, 24 + 9)
            }
            // Reason.
            Subtype::Disassociation => 2,
        };
        Self { subtype, bytes: AROUND + body }
    }
}
