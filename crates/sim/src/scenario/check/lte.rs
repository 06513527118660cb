//! LTE networks: values in range, and the nodes at their ends.

use super::links;
use super::nodes::{Nodes, name};
use super::propagation::{channel_keys, decibels, lay_channel};
use super::radios::stations;
use crate::model::{Place, Radio, RadioKind, Start};
use crate::scenario::ScenarioError;
use crate::scenario::wire::lte::{self as wire, Lte, LteFading, ModeName, SchedulerName};
use crate::scenario::wire::scalar::{Size, Time};
use base::{Bytes, Duration};
use lte::config::Handover;
use lte::config::{Backhaul, Config, Enb, Ue, Uplink};
use lte::fading;
use lte::rlc::{self, AmConfig, Mode, SequenceNumber, UmConfig};
use lte::scheduler::Scheduler;
use radio::mobility;
use std::collections::BTreeMap;

/// The largest buffer of radio link control, bytes.
const LARGEST_BUFFER: u64 = 1 << 32;

/// Network number `index`.
pub fn network(
    given: &Lte,
    index: usize,
    nodes: &Nodes,
    places: &[Option<Place>],
) -> Result<Radio, ScenarioError> {
    let path = format!("lte.{index}");
    let gateway = nodes.find(&given.gateway, &format!("{path}.gateway"))?;
    let ues = stations(&given.ue, &format!("{path}.ue"), nodes, places)?;
    if let Some(at) = ues.iter().position(|ue| *ue == gateway) {
        let message = format!("\"{}\" is the gateway", given.gateway);
        return Err(ScenarioError::new(format!("{path}.ue.{at}"), message).allowed("another node"));
    }
    let reader = Reader { given, path: &path };
    let config = reader.config(ues.iter().map(|ue| places[*ue].as_ref()))?;
    let members = std::iter::once(gateway).chain(ues).collect();
    let name = given.name.clone().unwrap_or_else(|| format!("lte{index}"));
    Ok(Radio { name, stations: members, kind: RadioKind::Lte(Box::new(config)) })
}

/// Reads one table.
struct Reader<'a> {
    given: &'a Lte,
    path: &'a str,
}

impl Reader<'_> {
    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    fn error(&self, key: &str, message: impl Into<String>) -> ScenarioError {
        ScenarioError::new(self.at(key), message)
    }

    fn config<'p>(&self, places: impl Iterator<Item = Option<&'p Place>>) -> Result<Config, ScenarioError> {
        let given = self.given;
        let mut config = Config { enbs: self.enbs()?, ..Config::default() };
        config.ues = given.ue.iter().zip(places).map(|(name, place)| self.ue(name, place)).collect();
        lay_channel(&channel_keys!(given), self.path, &mut config.propagation)?;
        config.blocks = given.blocks;
        if let Some(bandwidth) = given.bandwidth {
            config.bandwidth = bandwidth.0;
        }
        if let Some(granularity) = given.granularity {
            config.granularity = granularity.0;
        }
        config.control_symbols = given.control_symbols.unwrap_or(config.control_symbols);
        config.mimo = given.mimo.unwrap_or(config.mimo);
        config.transmissions = given.transmissions.unwrap_or(config.transmissions);
        config.processing = self.subframes("processing", given.processing, config.processing)?;
        config.cqi.period = self.subframes("cqi_period", given.cqi_period, config.cqi.period)?;
        config.cqi.delay = self.subframes("cqi_delay", given.cqi_delay, config.cqi.delay)?;
        let decibel_keys = [
            ("ue_noise_figure", given.ue_noise_figure, &mut config.ue_noise_figure),
            ("error_gap", given.error_gap, &mut config.curve.gap_db),
            ("error_slope", given.error_slope, &mut config.curve.slope_db),
        ];
        for (key, value, target) in decibel_keys {
            if let Some(value) = value {
                *target = decibels(value, &self.at(key))?;
            }
        }
        config.scheduler = self.scheduler()?;
        if let Some(rlc) = &given.rlc {
            config.rlc = self.rlc(rlc, config.rlc)?;
        }
        if let Some(uplink) = &given.uplink {
            config.uplink = self.uplink(uplink, config.uplink)?;
        }
        if let Some(s1) = &given.s1 {
            config.s1 = self.backhaul("s1", s1, config.s1)?;
        }
        config.fading = self.fading();
        if let Some(handover) = &given.handover {
            config.handover = self.handover(handover)?;
        }
        config.check().map_err(|e| {
            let key = match e.field.as_str() {
                "cqi.period" => "cqi_period",
                "cqi.delay" => "cqi_delay",
                "curve.gap_db" => "error_gap",
                "curve.slope_db" => "error_slope",
                // A UE out of range: the node's name is what this table has of it.
                field => field.strip_suffix(".position").unwrap_or(field),
            };
            self.error(key, e.message)
        })?;
        Ok(config)
    }

    fn enbs(&self) -> Result<Vec<Enb>, ScenarioError> {
        let mut seen = BTreeMap::new();
        let each = self.given.enb.iter().enumerate().map(|(i, given)| {
            let usual = Enb::default();
            let own = given.name.clone().unwrap_or_else(|| format!("enb{i}"));
            let path = self.at(&format!("enb.{i}"));
            name(&own).map_err(|e| e.under(&format!("{path}.name")))?;
            if let Some(first) = seen.insert(own.clone(), i) {
                let message = format!("eNodeB {first} is called \"{own}\" already");
                return Err(ScenarioError::new(format!("{path}.name"), message).allowed("a name of its own"));
            }
            let noise = given.noise_figure.unwrap_or(usual.noise_figure);
            Ok(Enb {
                name: own,
                position: given.position.0,
                power: given.power.map_or(usual.power, |power| power.0),
                noise_figure: decibels(noise, &format!("{path}.noise_figure"))?,
            })
        });
        each.collect()
    }

    /// A time as so many subframes of 1 ms.
    fn subframes(&self, key: &str, given: Option<Time>, usual: u32) -> Result<u32, ScenarioError> {
        let Some(Time(time)) = given else { return Ok(usual) };
        let millisecond = Duration::from_ms(1).ps();
        let whole = (time.ps() % millisecond == 0).then_some(time.ps() / millisecond);
        whole.and_then(|n| u32::try_from(n).ok()).ok_or_else(|| {
            self.error(key, "a subframe takes 1 ms: whole milliseconds").allowed("like \"5ms\"")
        })
    }

    fn bytes(&self, key: &str, given: Option<Size>, usual: u32) -> Result<u32, ScenarioError> {
        let Some(Size(Bytes(bytes))) = given else { return Ok(usual) };
        u32::try_from(bytes).map_err(|_| self.error(key, "out of range").allowed("less than 4 GiB"))
    }

    fn scheduler(&self) -> Result<Scheduler, ScenarioError> {
        let given = self.given;
        let name = given.scheduler.map_or(SchedulerName::ProportionalFair, |scheduler| scheduler.0);
        let scheduler = match (name, given.scheduler_window) {
            (SchedulerName::ProportionalFair, None) => Scheduler::default(),
            (SchedulerName::ProportionalFair, Some(window @ 1..=1_000_000)) => {
                Scheduler::ProportionalFair { window }
            }
            (SchedulerName::ProportionalFair, Some(_)) => {
                return Err(self.error("scheduler_window", "out of range").allowed("1 to 1000000 subframes"));
            }
            (_, Some(_)) => {
                let message = "only the proportional fair scheduler takes an average";
                return Err(self
                    .error("scheduler_window", message)
                    .allowed("no `scheduler_window`, or scheduler = \"proportional-fair\""));
            }
            (SchedulerName::RoundRobin, None) => Scheduler::RoundRobin,
            (SchedulerName::MaxCi, None) => Scheduler::MaxCi,
        };
        Ok(scheduler)
    }

    fn rlc(&self, given: &wire::Rlc, usual: rlc::Config) -> Result<rlc::Config, ScenarioError> {
        let acknowledged = given.mode.is_some_and(|mode| mode.0 == ModeName::Am);
        let of_other = if acknowledged {
            [("sequence_bits", given.sequence_bits.is_some())].to_vec()
        } else {
            vec![
                ("poll_retransmit", given.poll_retransmit.is_some()),
                ("poll_pdus", given.poll_pdus.is_some()),
                ("poll_bytes", given.poll_bytes.is_some()),
                ("retransmissions", given.retransmissions.is_some()),
                ("status_prohibit", given.status_prohibit.is_some()),
            ]
        };
        if let Some((key, _)) = of_other.iter().find(|(_, there)| *there) {
            let [here, other] = if acknowledged { ["am", "um"] } else { ["um", "am"] };
            let message = format!("mode \"{here}\" has no `{key}`");
            return Err(self.error(&format!("rlc.{key}"), message).allowed(format!("mode = \"{other}\"")));
        }
        let time = |key: &str, given, usual| self.subframes(&format!("rlc.{key}"), given, usual);
        let mode = if acknowledged {
            let usual = AmConfig::default();
            Mode::Am(AmConfig {
                poll_retransmit: time("poll_retransmit", given.poll_retransmit, usual.poll_retransmit)?,
                poll_pdus: given.poll_pdus.unwrap_or(usual.poll_pdus),
                poll_bytes: self.bytes("rlc.poll_bytes", given.poll_bytes, usual.poll_bytes)?,
                retransmissions: given.retransmissions.unwrap_or(usual.retransmissions),
                reordering: time("reordering", given.reordering, usual.reordering)?,
                status_prohibit: time("status_prohibit", given.status_prohibit, usual.status_prohibit)?,
            })
        } else {
            let usual = UmConfig::default();
            Mode::Um(UmConfig {
                sequence_number: match given.sequence_bits {
                    None => usual.sequence_number,
                    Some(5) => SequenceNumber::Short,
                    Some(10) => SequenceNumber::Long,
                    Some(_) => {
                        let message = "a sequence number has 5 or 10 bits";
                        return Err(self.error("rlc.sequence_bits", message).allowed("5, 10"));
                    }
                },
                reordering: time("reordering", given.reordering, usual.reordering)?,
            })
        };
        let buffer = given.buffer.map_or(usual.buffer, |Size(Bytes(bytes))| bytes);
        if buffer == 0 || buffer > LARGEST_BUFFER {
            return Err(self.error("rlc.buffer", "out of range").allowed("room for a packet to \"4GiB\""));
        }
        let pdcp_header = self.bytes("rlc.pdcp_header", given.pdcp_header, usual.pdcp_header)?;
        Ok(rlc::Config { mode, buffer, pdcp_header })
    }

    fn uplink(&self, given: &wire::Uplink, usual: Uplink) -> Result<Uplink, ScenarioError> {
        let noise_rise = given.noise_rise.unwrap_or(usual.noise_rise);
        let period = self.subframes("uplink.request_period", given.request_period, usual.request_period)?;
        Ok(Uplink {
            power: given.power.map_or(usual.power, |power| power.0),
            request_period: period,
            grants: given.grants.map_or(usual.grants, |grants| grants.0),
            first_grant: self.bytes("uplink.first_grant", given.first_grant, usual.first_grant)?,
            control_blocks: given.control_blocks.unwrap_or(usual.control_blocks),
            qam64: given.qam64.unwrap_or(usual.qam64),
            noise_rise: decibels(noise_rise, &self.at("uplink.noise_rise"))?,
        })
    }

    /// A UE at its node's place; where that is drawn from the run's seed, it is filled in later, and here beneath a cell.
    fn ue(&self, name: &str, place: Option<&Place>) -> Ue {
        let beneath = self.given.enb.first().map(|enb| enb.position.0).unwrap_or_default();
        let position = match place.map(|place| &place.start) {
            Some(Start::At(position)) => *position,
            Some(Start::Drawn(_)) | None => beneath,
        };
        let mobility = place.map_or(mobility::Config::Constant, |place| place.mobility.clone());
        Ue { name: name.to_owned(), position, mobility }
    }

    fn fading(&self) -> Option<fading::Config> {
        let (profile, given, usual) = match self.given.fading.as_ref()? {
            LteFading::None(_) => return None,
            LteFading::Epa(given) => (fading::Profile::Epa, given, 5.0),
            LteFading::Eva(given) => (fading::Profile::Eva, given, 70.0),
            LteFading::Etu(given) => (fading::Profile::Etu, given, 300.0),
        };
        Some(fading::Config { profile, doppler: given.doppler.unwrap_or(usual) })
    }

    fn handover(&self, given: &wire::Handover) -> Result<Option<Handover>, ScenarioError> {
        let given = match given {
            wire::Handover::None(_) => return Ok(None),
            wire::Handover::A3(given) => given,
        };
        let usual = Handover::default();
        let time = |key: &str, given, usual| self.subframes(&format!("handover.{key}"), given, usual);
        Ok(Some(Handover {
            offset: given.offset.unwrap_or(usual.offset),
            hysteresis: given.hysteresis.unwrap_or(usual.hysteresis),
            time_to_trigger: time("time_to_trigger", given.time_to_trigger, usual.time_to_trigger)?,
            period: time("period", given.period, usual.period)?,
            filter: given.filter.unwrap_or(usual.filter),
            preparation: time("preparation", given.preparation, usual.preparation)?,
            interruption: time("interruption", given.interruption, usual.interruption)?,
            path_switch: time("path_switch", given.path_switch, usual.path_switch)?,
            forwarding: given.forwarding.unwrap_or(usual.forwarding),
            x2: match &given.x2 {
                Some(x2) => self.backhaul("handover.x2", x2, usual.x2)?,
                None => usual.x2,
            },
        }))
    }

    fn backhaul(
        &self,
        key: &str,
        given: &wire::Backhaul,
        usual: Backhaul,
    ) -> Result<Backhaul, ScenarioError> {
        let rate = given.rate.map_or(usual.rate, |rate| rate.0);
        let delay = given.delay.map_or(usual.delay, |delay| delay.0);
        Ok(Backhaul {
            rate: links::rate(rate, &self.at(&format!("{key}.rate")))?,
            delay: links::delay(delay, &self.at(&format!("{key}.delay")))?,
            queue: match &given.queue {
                Some(queue) => queue.0.limit,
                None => usual.queue,
            },
        })
    }
}
