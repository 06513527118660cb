//! MAC sublayer management entity (MLME): beacons, association, roaming.

pub(crate) mod association;
pub(crate) mod beacons;
pub(crate) mod management;
mod roaming;
