//! Access categories: the standard's parameters, and what is laid over them.

use crate::model::{Radio, RadioKind};
use crate::scenario::ScenarioError;
use crate::scenario::wire::Flow;
use crate::scenario::wire::edca as wire;
use crate::scenario::wire::scalar::Time;
use crate::scenario::wire::wifi::Wifi;
use base::Duration;
use wifi::Config;
use wifi::edca::{AccessCategory, Edca};

/// The greatest TXOP limit that a beacon can announce: 65 535 units of 32 us.
const LONGEST: Duration = Duration::from_us(65_535 * 32);

/// Lays the table over the standard's parameter set.
pub fn edca(given: &Wifi, config: &mut Config, path: &str) -> Result<(), ScenarioError> {
    let Some(table) = &given.edca else { return Ok(()) };
    if given.aifsn.is_some() {
        let message = "with `edca` each access category has its own";
        return Err(ScenarioError::new(format!("{path}.aifsn"), message)
            .allowed("edca = { voice = { aifsn = 2 } }, or no `edca`"));
    }
    let mut edca = Edca::standard(config.standard, config.mac.cw_min, config.mac.cw_max);
    let each = [&table.background, &table.best_effort, &table.video, &table.voice];
    for ((access, own), name) in edca.0.iter_mut().zip(each).zip(NAMES) {
        let Some(wire::Access { aifsn, cw_min, cw_max, txop }) = own else { continue };
        access.aifsn = aifsn.unwrap_or(access.aifsn);
        access.cw_min = cw_min.unwrap_or(access.cw_min);
        access.cw_max = cw_max.unwrap_or(access.cw_max);
        if let Some(Time(txop)) = *txop {
            if txop > LONGEST {
                let path = format!("{path}.edca.{name}.txop");
                return Err(ScenarioError::new(path, "out of range").allowed("at most \"2097.12ms\""));
            }
            access.txop = txop;
        }
    }
    config.set_edca(edca);
    config.mac.defer_after_timeout = given.defer_after_timeout.unwrap_or(true);
    Ok(())
}

/// Keys of the categories, lowest first.
const NAMES: [&str; 4] = ["background", "best_effort", "video", "voice"];

/// A flow's access category: some network tells them apart.
pub fn category(flow: &Flow, path: &str, radios: &[Radio]) -> Result<AccessCategory, ScenarioError> {
    let Some(category) = &flow.access_category else { return Ok(AccessCategory::default()) };
    let tells = |radio: &Radio| match &radio.kind {
        RadioKind::Wifi(config) => config.mac.edca.is_some(),
        RadioKind::Lte(_) => false,
    };
    if !radios.iter().any(tells) {
        let message = "no network tells access categories apart";
        return Err(ScenarioError::new(format!("{path}.access_category"), message)
            .allowed("a [[wifi]] with edca = {}, or no `access_category`"));
    }
    Ok(category.0.0)
}
