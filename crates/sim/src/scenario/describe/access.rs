//! Access categories of 802.11 written back.

use crate::scenario::wire::edca::{Access, Edca};
use crate::scenario::wire::scalar::Time;

/// The parameters of EDCA.
pub(super) fn edca(edca: wifi::edca::Edca) -> Edca {
    let access = |access: wifi::edca::Access| {
        Some(Access {
            aifsn: Some(access.aifsn),
            cw_min: Some(access.cw_min),
            cw_max: Some(access.cw_max),
            txop: Some(Time(access.txop)),
        })
    };
    let [background, best_effort, video, voice] = edca.0.map(access);
    Edca { background, best_effort, video, voice }
}
