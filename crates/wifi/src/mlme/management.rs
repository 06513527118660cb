//! Unicast management frames, with their lengths.
//!
//! Frames have the mandatory elements of 8.3.3, with an SSID of one byte.

use crate::config::Config;
use crate::phy::timing::Standard;

/// Subtype of a unicast management frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subtype {
    /// Open-system authentication: the request of a station, or the response of an access point.
    Authentication,
    AssociationRequest,
    AssociationResponse,
    /// Sent by a station that changes from one access point to another.
    ReassociationRequest,
    ReassociationResponse,
    Disassociation,
}

/// Unicast management frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Management {
    pub(crate) subtype: Subtype,
    /// Length with MAC header and FCS, bytes.
    pub(crate) bytes: u32,
}

impl Management {
    /// Returns the standard's name of the subtype, shortened.
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

    /// Creates a frame with a MAC header of 24 bytes, an FCS of 4 bytes, and the elements of 8.3.3.
    pub(crate) fn new(subtype: Subtype, config: &Config) -> Self {
        const AROUND: u32 = 28;
        let standard = config.standard;
        // Element Supported Rates; in g also Extended Supported Rates.
        let rates = match standard {
            Standard::B => 6,
            Standard::G => 10 + 6,
            Standard::A | Standard::N | Standard::Ac | Standard::Ax => 10,
        };
        let where_so = |is: bool, bytes: u32| if is { bytes } else { 0 };
        let (qos, he) = (standard.is_qos(), standard == Standard::Ax);
        // At 5 GHz an 802.11ax station is also an 802.11ac station.
        let vht = standard == Standard::Ac || (he && config.phy.propagation.frequency >= 4e9);
        let edca = qos || config.mac.access.edca.is_some();
        let body = match subtype {
            // Authentication algorithm, transaction sequence number, status code.
            Subtype::Authentication => 6,
            // Capabilities, listen interval, SSID; QoS Capability, HT, VHT and HE Capabilities. A reassociation
            // request also has the address of the current access point.
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
            // Capabilities, status code, AID; EDCA Parameter Set, HT, VHT and HE Capabilities and Operation.
            Subtype::AssociationResponse | Subtype::ReassociationResponse => {
                2 + 2
                    + 2
                    + rates
                    + where_so(edca, 20)
                    + where_so(qos, 28 + 24)
                    + where_so(vht, 14 + 7)
                    + where_so(he, 24 + 9)
            }
            // Reason code.
            Subtype::Disassociation => 2,
        };
        Self { subtype, bytes: AROUND + body }
    }
}
