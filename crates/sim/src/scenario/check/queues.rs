//! Queues: room, thresholds, times.

use super::links;
use crate::model::{Queue as Checked, QueueLimit};
use crate::scenario::error::ScenarioError;
use crate::scenario::wire::queues::{
    CoDel, DropTail, FqCoDel, Pie, Priority, Queue, Red, TokenBucket, TxRing,
};
use crate::scenario::wire::scalar::{Size, Time};
use base::Duration;
use net::queue::{codel, drop_tail, fq_codel, pie, priority, red, token_bucket, tx_ring};

/// Room of a queue where none is given.
const DEFAULT_ROOM: QueueLimit = QueueLimit::Packets(1000);
/// The queue where none is given.
pub const DEFAULT_QUEUE: Checked = Checked::DropTail(drop_tail::Config { limit: DEFAULT_ROOM });
/// The largest IPv4 packet.
const LARGEST: u64 = 65_535;
/// The longest time that a queue may have as a parameter: an hour.
const LONGEST: Duration = Duration::from_secs(3600);
/// The shortest time between PIE's updates.
const SHORTEST_UPDATE: Duration = Duration::from_us(10);
/// Bands of a priority queue.
const MOST_BANDS: usize = 8;
/// Queues of FQ-CoDel.
const MOST_QUEUES: u32 = 65_536;

/// A queue.
pub fn queue(queue: &Queue, path: &str) -> Result<Checked, ScenarioError> {
    match queue {
        Queue::DropTail(q) => drop_tail(q, path).map(Checked::DropTail),
        Queue::Red(q) => red(q, path).map(Checked::Red),
        Queue::CoDel(q) => codel(q, path).map(Checked::CoDel),
        Queue::FqCoDel(q) => fq_codel(q, path).map(Checked::FqCoDel),
        Queue::Pie(q) => pie(q, path).map(Checked::Pie),
        Queue::TokenBucket(q) => token_bucket(q, path).map(Checked::TokenBucket),
        Queue::TxRing(q) => tx_ring(q, path).map(Checked::TxRing),
        Queue::Priority(q) => priority(q, path).map(Checked::Priority),
    }
}

/// What a queue says of its room: packets, bytes, unlimited.
type Room = (Option<u32>, Option<Size>, Option<bool>);

fn limit(room: Room, default: QueueLimit, path: &str) -> Result<QueueLimit, ScenarioError> {
    let (packets, bytes, unlimited) = room;
    let limit = match (packets, bytes, unlimited.unwrap_or(false)) {
        (None, None, false) => default,
        (Some(packets), None, false) => QueueLimit::Packets(packets),
        (None, Some(bytes), false) => QueueLimit::Bytes(bytes.0.0),
        (None, None, true) => QueueLimit::Unlimited,
        _ => {
            let message = "a queue has one limit, and this gives several";
            return Err(ScenarioError::new(path, message)
                .allowed("packets = 50, bytes = \"64KiB\", or unlimited = true"));
        }
    };
    let (key, least) = match limit {
        QueueLimit::Packets(n) => ("packets", u64::from(n)),
        QueueLimit::Bytes(n) => ("bytes", n),
        QueueLimit::Unlimited => ("unlimited", 1),
    };
    if least == 0 {
        let message = "a queue without room passes nothing: the packet in transmission takes a place too";
        return Err(ScenarioError::new(format!("{path}.{key}"), message).allowed("at least 1"));
    }
    Ok(limit)
}

/// A time above nothing and up to an hour, or the default.
fn time(given: Option<Time>, default: Duration, path: &str, key: &str) -> Result<Duration, ScenarioError> {
    let time = given.map_or(default, |t| t.0);
    if !time.is_zero() && time <= LONGEST {
        return Ok(time);
    }
    let message = format!("`{key}` is more than no time and at most an hour");
    Err(ScenarioError::new(format!("{path}.{key}"), message).allowed(format!("a time, like \"{default}\"")))
}

/// A number within bounds, or the default.
fn number(
    given: Option<f64>,
    default: f64,
    bounds: std::ops::RangeInclusive<f64>,
    path: &str,
    key: &str,
) -> Result<f64, ScenarioError> {
    let value = given.unwrap_or(default);
    if bounds.contains(&value) {
        return Ok(value);
    }
    let allowed = format!("a number from {} to {}", bounds.start(), bounds.end());
    Err(ScenarioError::new(format!("{path}.{key}"), "out of range").allowed(allowed))
}

/// A number of bytes from 1 to `most`, or the default.
fn bytes(given: Option<Size>, default: u32, most: u64, path: &str, key: &str) -> Result<u32, ScenarioError> {
    let value = given.map_or(u64::from(default), |size| size.0.0);
    match u32::try_from(value).ok().filter(|n| *n > 0 && value <= most) {
        Some(bytes) => Ok(bytes),
        None => Err(ScenarioError::new(format!("{path}.{key}"), "out of range")
            .allowed(format!("a size from 1B to {most}B"))),
    }
}

/// A drop-tail queue.
pub fn drop_tail(q: &DropTail, path: &str) -> Result<drop_tail::Config, ScenarioError> {
    Ok(drop_tail::Config { limit: limit((q.packets, q.bytes, q.unlimited), DEFAULT_ROOM, path)? })
}

fn red(q: &Red, path: &str) -> Result<red::Config, ScenarioError> {
    let d = red::Config::default();
    let lengths = 0.0..=1e9;
    let optional = |given: Option<f64>, key: &str| {
        given.map(|x| number(Some(x), x, lengths.clone(), path, key)).transpose()
    };
    let (min, max) = (optional(q.min, "min")?, optional(q.max, "max")?);
    match (min, max) {
        (None, Some(_)) => {
            let message = "`max` without `min`: what `min` is by itself depends on the rest";
            return Err(ScenarioError::new(format!("{path}.max"), message).allowed("min = 5, max = 15"));
        }
        (Some(min), Some(max)) if max < min => {
            let message = format!("`max` is below `min`, which is {min}");
            return Err(ScenarioError::new(format!("{path}.max"), message).allowed(format!("at least {min}")));
        }
        _ => {}
    }
    let weight = q.weight.map(|x| number(Some(x), x, f64::MIN_POSITIVE..=1.0, path, "weight")).transpose();
    Ok(red::Config {
        limit: limit((q.packets, q.bytes, q.unlimited), d.limit, path)?,
        min,
        max,
        weight: weight.map_err(|e| e.allowed("a number above 0, at most 1, like 0.002"))?,
        max_p: q.max_p.map_or(d.max_p, |p| p.0),
        gentle: q.gentle.unwrap_or(d.gentle),
        adaptive: q.adaptive.unwrap_or(d.adaptive),
        target_delay: time(q.target_delay, d.target_delay, path, "target_delay")?,
        mean_packet: bytes(q.mean_packet, d.mean_packet, LARGEST, path, "mean_packet")?,
        ecn: q.ecn.unwrap_or(d.ecn),
        drop_above: q.drop_above.unwrap_or(d.drop_above),
    })
}

/// CoDel's two times.
fn codel_times(
    target: Option<Time>,
    interval: Option<Time>,
    path: &str,
) -> Result<(Duration, Duration), ScenarioError> {
    let d = codel::Config::default();
    let target = time(target, d.target, path, "target")?;
    let interval = time(interval, d.interval, path, "interval")?;
    if target > interval {
        let message = format!("the target is longer than the interval, which is {interval}");
        return Err(ScenarioError::new(format!("{path}.target"), message)
            .allowed("a twentieth of the interval, like \"5ms\" of \"100ms\""));
    }
    Ok((target, interval))
}

fn codel(q: &CoDel, path: &str) -> Result<codel::Config, ScenarioError> {
    let d = codel::Config::default();
    let limit = limit((q.packets, q.bytes, q.unlimited), d.limit, path)?;
    let (target, interval) = codel_times(q.target, q.interval, path)?;
    let (ecn, newton) = (q.ecn.unwrap_or(d.ecn), q.newton.unwrap_or(d.newton));
    Ok(codel::Config { limit, target, interval, ecn, newton })
}

fn fq_codel(q: &FqCoDel, path: &str) -> Result<fq_codel::Config, ScenarioError> {
    let d = fq_codel::Config::default();
    let limit = limit((q.packets, q.bytes, q.unlimited), d.limit, path)?;
    let (target, interval) = codel_times(q.target, q.interval, path)?;
    let queues = q.queues.unwrap_or(d.queues);
    if queues == 0 || queues > MOST_QUEUES {
        return Err(ScenarioError::new(format!("{path}.queues"), "out of range")
            .allowed(format!("1 to {MOST_QUEUES}")));
    }
    let quantum = bytes(q.quantum, d.quantum, 1 << 20, path, "quantum")?;
    let (ecn, newton) = (q.ecn.unwrap_or(d.ecn), q.newton.unwrap_or(d.newton));
    Ok(fq_codel::Config { limit, target, interval, quantum, queues, ecn, newton })
}

fn pie(q: &Pie, path: &str) -> Result<pie::Config, ScenarioError> {
    let d = pie::Config::default();
    let update = time(q.update, d.update, path, "update")?;
    if update < SHORTEST_UPDATE {
        return Err(ScenarioError::new(format!("{path}.update"), "out of range")
            .allowed(format!("at least \"{SHORTEST_UPDATE}\"")));
    }
    let max_burst = q.max_burst.map_or(d.max_burst, |t| t.0);
    if max_burst > LONGEST {
        return Err(
            ScenarioError::new(format!("{path}.max_burst"), "out of range").allowed("at most an hour")
        );
    }
    Ok(pie::Config {
        limit: limit((q.packets, q.bytes, q.unlimited), d.limit, path)?,
        target: time(q.target, d.target, path, "target")?,
        update,
        alpha: number(q.alpha, d.alpha, 0.0..=100.0, path, "alpha")?,
        beta: number(q.beta, d.beta, 0.0..=100.0, path, "beta")?,
        max_burst,
        mean_packet: bytes(q.mean_packet, d.mean_packet, LARGEST, path, "mean_packet")?,
        ecn: q.ecn.unwrap_or(d.ecn),
        mark_below: q.mark_below.map_or(d.mark_below, |p| p.0),
    })
}

fn token_bucket(q: &TokenBucket, path: &str) -> Result<token_bucket::Config, ScenarioError> {
    let inner = q.queue.as_ref().map_or(Ok(DEFAULT_QUEUE), |q| queue(q, &format!("{path}.queue")))?;
    let rate = links::rate(q.rate.0, &format!("{path}.rate"))?;
    // Times of the bucket must fit the clock: at 100 bit/s, 64 MiB take two months.
    let burst = bytes(Some(q.burst), 0, 1 << 26, path, "burst")?;
    Ok(token_bucket::Config { rate, burst: burst.into(), queue: Box::new(inner) })
}

fn tx_ring(q: &TxRing, path: &str) -> Result<tx_ring::Config, ScenarioError> {
    if q.packets == 0 {
        return Err(ScenarioError::new(format!("{path}.packets"), "a ring has room for at least one packet")
            .allowed("like 100"));
    }
    let above = q.queue.as_ref().map_or(Ok(DEFAULT_QUEUE), |q| queue(q, &format!("{path}.queue")))?;
    Ok(tx_ring::Config { packets: q.packets, queue: Box::new(above) })
}

fn priority(q: &Priority, path: &str) -> Result<priority::Config, ScenarioError> {
    if q.bands.is_empty() || q.bands.len() > MOST_BANDS {
        let message = format!("a priority queue has 1 to {MOST_BANDS} bands, not {}", q.bands.len());
        return Err(ScenarioError::new(format!("{path}.bands"), message)
            .allowed("a queue for each: bands = [{ kind = \"droptail\" }, { kind = \"fq-codel\" }]"));
    }
    let band = |(i, inner)| queue(inner, &format!("{path}.bands.{i}"));
    Ok(priority::Config { bands: q.bands.iter().enumerate().map(band).collect::<Result<_, _>>()? })
}
