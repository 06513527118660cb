//! Data rates and sizes as types, and the parser of quantities with units.
//!
//! Rates have SI prefixes (`1Mbps` = 1 000 000 bit/s). `B` is a byte, `b` a bit. Sizes have SI (`kB`) or
//! binary (`KiB`) prefixes. A number without a unit is an error, whose message shows the number with a unit.

use crate::time::{Duration, PS_PER_S};
use std::fmt;

/// A data rate in bit/s, at least 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DataRate(u64);

/// A number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Bytes(pub u64);

impl DataRate {
    /// Allowed rates of links and traffic, 100 bit/s to 10 Tb/s; outside this range, times of packets do not
    /// fit the clock.
    pub const RANGE: std::ops::RangeInclusive<Self> = Self(100)..=Self(10_000_000_000_000);

    /// Returns a rate of `bps` bit/s; `None` for zero.
    pub const fn from_bps(bps: u64) -> Option<Self> {
        if bps == 0 { None } else { Some(Self(bps)) }
    }

    /// Returns the rate in bit/s.
    pub const fn bps(self) -> u64 {
        self.0
    }

    /// Returns the time to send `bytes` bytes, rounded to the nearest picosecond.
    ///
    /// ```
    /// use base::{DataRate, Duration};
    ///
    /// let rate = DataRate::from_bps(8_000_000).expect("not zero");
    /// assert_eq!(rate.time_for(1500), Duration::from_us(1500));
    /// ```
    pub const fn time_for(self, bytes: u64) -> Duration {
        let bits = bytes as u128 * 8 * PS_PER_S as u128;
        Duration::from_ps(((bits + self.0 as u128 / 2) / self.0 as u128) as u64)
    }
}

/// Error for text that is not a valid quantity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitError {
    /// The problem, in one line.
    pub message: String,
    /// Description of the allowed form.
    pub allowed: String,
    /// Value that was probably meant.
    pub nearest: Option<String>,
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.allowed)
    }
}

impl std::error::Error for UnitError {}

/// A kind of quantity (rate, time or size) with its units.
struct Kind {
    what: &'static str,
    example: &'static str,
    /// Name of each unit, with the number of base units in it.
    units: &'static [(&'static str, u128)],
    /// Endings of unit names in other programs, with the endings used here.
    others: &'static [(&'static str, &'static str)],
}

const RATE: Kind = Kind {
    what: "rate",
    example: "10Mbps",
    units: &[
        ("bps", 1),
        ("kbps", 1_000),
        ("Mbps", 1_000_000),
        ("Gbps", 1_000_000_000),
        ("Tbps", 1_000_000_000_000),
        ("bit/s", 1),
        ("kbit/s", 1_000),
        ("Mbit/s", 1_000_000),
        ("Gbit/s", 1_000_000_000),
        ("kb/s", 1_000),
        ("Mb/s", 1_000_000),
        ("Gb/s", 1_000_000_000),
        ("Bps", 8),
        ("kBps", 8_000),
        ("MBps", 8_000_000),
        ("GBps", 8_000_000_000),
        ("B/s", 8),
        ("kB/s", 8_000),
        ("MB/s", 8_000_000),
        ("GB/s", 8_000_000_000),
    ],
    others: &[("byte/s", "Bps"), ("byte", "Bps"), ("B", "Bps"), ("bit", "bps"), ("b", "bps"), ("", "bps")],
};

const TIME: Kind = Kind {
    what: "time",
    example: "20ms",
    units: &[
        ("ps", 1),
        ("ns", 1_000),
        ("us", 1_000_000),
        ("µs", 1_000_000),
        ("ms", 1_000_000_000),
        ("s", PS_PER_S as u128),
        ("min", 60 * PS_PER_S as u128),
        ("h", 3600 * PS_PER_S as u128),
    ],
    others: &[
        ("mins", "min"),
        ("minute", "min"),
        ("minutes", "min"),
        ("hr", "h"),
        ("hrs", "h"),
        ("hour", "h"),
        ("hours", "h"),
    ],
};

const SIZE: Kind = Kind {
    what: "size",
    example: "1500B",
    units: &[
        ("B", 1),
        ("kB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("TB", 1_000_000_000_000),
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
    ],
    others: &[("byte", "B"), ("i", "iB"), ("", "B")],
};

/// Words in names of units, in lower case, with the abbreviations that replace them.
const WORDS: &[(&str, &str)] = &[
    (" ", ""),
    ("seconds", "s"),
    ("second", "s"),
    ("secs", "s"),
    ("sec", "s"),
    ("bits", "bit"),
    ("bytes", "byte"),
    ("per", "/"),
    ("bps/s", "bps"),
    ("kilo", "k"),
    ("mega", "m"),
    ("giga", "g"),
    ("milli", "m"),
    ("micro", "u"),
    ("nano", "n"),
];

impl Kind {
    fn parse(&self, text: &str) -> Result<u64, UnitError> {
        let trimmed = text.trim();
        let split = trimmed
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | '_')))
            .unwrap_or(trimmed.len());
        // An exponent is a part of the number: "1e3ms".
        let split = match trimmed[split..].strip_prefix(['e', 'E']) {
            Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+') => {
                let digits = rest[1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - 1);
                split + 2 + digits
            }
            _ => split,
        };
        let (number, unit) = (&trimmed[..split], trimmed[split..].trim());
        if number.is_empty() {
            return Err(self.error(format!("`{text}` is not a {}", self.what)));
        }
        if number.starts_with('-') {
            return Err(self.error(format!("a {} cannot be negative: `{text}`", self.what)));
        }
        if unit.is_empty() {
            let example = self.example.trim_start_matches(|c: char| c.is_ascii_digit());
            let message = format!("`{text}` needs a unit: write for example \"{number}{example}\"");
            return Err(UnitError { message, allowed: self.allowed(), nearest: None });
        }
        let Some((_, scale)) = self.units.iter().find(|(name, _)| *name == unit) else {
            let message = format!("unknown unit `{unit}` in `{text}`");
            let Some(meant) = self.meant(unit) else { return Err(self.error(message)) };
            let nearest = Some(format!("{number}{meant}"));
            return Err(UnitError { message, allowed: self.example(), nearest });
        };
        decimal(number, *scale).ok_or_else(|| {
            self.error(format!("`{text}` is not a {}, or too large or too fine to represent", self.what))
        })
    }

    /// Returns the unit that the unknown unit `unit` probably means: `Mbps` for `mbit`, `s` for `seconds`.
    fn meant(&self, unit: &str) -> Option<&'static str> {
        let plain = WORDS.iter().fold(unit.to_lowercase(), |text, (word, short)| text.replace(word, short));
        let names = || self.units.iter().map(|(name, _)| *name);
        let ending = |theirs: &str, ours: &str| {
            let prefix = unit.strip_suffix(theirs).or_else(|| plain.strip_suffix(theirs))?;
            names().find(|name| name.strip_suffix(ours).is_some_and(|p| p.eq_ignore_ascii_case(prefix)))
        };
        let same = |wanted: &str| names().find(|name| name.eq_ignore_ascii_case(wanted));
        same(unit).or_else(|| same(&plain)).or_else(|| self.others.iter().find_map(|(a, b)| ending(a, b)))
    }

    fn error(&self, message: String) -> UnitError {
        UnitError { message, allowed: format!("{}; {}", self.example(), self.allowed()), nearest: None }
    }

    fn example(&self) -> String {
        format!("a {} is written like \"{}\"", self.what, self.example)
    }

    fn allowed(&self) -> String {
        let names: Vec<_> = self.units.iter().map(|(name, _)| *name).collect();
        format!("units: {}", names.join(", "))
    }
}

/// Returns `number * scale` rounded to the nearest integer, without floating-point error; `None` if `number`
/// is not a decimal number or the result does not fit.
fn decimal(number: &str, scale: u128) -> Option<u64> {
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((m, e)) => (m, e.parse::<i32>().ok()?),
        None => (number, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: String = whole.chars().chain(fraction.chars()).filter(|c| *c != '_' && *c != '+').collect();
    if digits.is_empty() || digits.len() > 24 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let shift = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let value = digits.parse::<u128>().ok()?;
    let ten = |n: u32| 10u128.checked_pow(n);
    let scaled = if shift >= 0 {
        value.checked_mul(ten(shift.unsigned_abs())?)?.checked_mul(scale)?
    } else {
        let by = ten(shift.unsigned_abs())?;
        (value.checked_mul(scale)? + by / 2) / by
    };
    u64::try_from(scaled).ok()
}

/// Parses a rate such as `"0.3Mbps"`.
///
/// ```
/// use base::units::parse_rate;
///
/// assert_eq!(parse_rate("0.3Mbps")?.bps(), 300_000);
/// assert!(parse_rate("10").unwrap_err().message.contains("write for example \"10Mbps\""));
/// # Ok::<(), base::UnitError>(())
/// ```
///
/// # Errors If the text is not a number with a known unit, or the rate is not positive or too large.
pub fn parse_rate(text: &str) -> Result<DataRate, UnitError> {
    let bps = RATE.parse(text)?;
    DataRate::from_bps(bps).ok_or_else(|| RATE.error(format!("a rate must be positive: `{text}`")))
}

/// Parses a time such as `"20ms"`.
///
/// # Errors If the text is neither "0" nor a number with a known unit, or the time is negative or too long.
pub fn parse_duration(text: &str) -> Result<Duration, UnitError> {
    if text.trim() == "0" {
        return Ok(Duration::ZERO);
    }
    TIME.parse(text).map(Duration::from_ps)
}

/// Parses a size such as `"64KiB"`.
///
/// # Errors If the text is not a number with a known unit, or the size is negative or too large.
pub fn parse_bytes(text: &str) -> Result<Bytes, UnitError> {
    SIZE.parse(text).map(Bytes)
}

impl fmt::Display for DataRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bps = self.0 as f64;
        match self.0 {
            1_000_000_000.. => write!(f, "{}Gbps", bps / 1e9),
            1_000_000.. => write!(f, "{}Mbps", bps / 1e6),
            1_000.. => write!(f, "{}kbps", bps / 1e3),
            _ => write!(f, "{}bps", self.0),
        }
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}B", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        assert_eq!(parse_rate("0.3Mbps").unwrap().bps(), 300_000);
        assert_eq!(parse_rate("10 Mbps").unwrap().bps(), 10_000_000);
        assert_eq!(parse_rate("1MBps").unwrap().bps(), 8_000_000);
        assert_eq!(parse_duration("1.5ms").unwrap(), Duration::from_us(1500));
        assert_eq!(parse_duration("1e-3s").unwrap(), Duration::from_ms(1));
        assert_eq!(parse_bytes("64KiB").unwrap(), Bytes(65_536));
    }

    #[test]
    fn refuses_with_the_fix() {
        assert!(parse_rate("10").unwrap_err().message.contains("10Mbps"));
        for (given, meant) in [
            ("10mbps", Some("10Mbps")),
            ("10mbit", Some("10Mbps")),
            ("10Mb", Some("10Mbps")),
            ("10M", Some("10Mbps")),
            ("10 megabits per second", Some("10Mbit/s")),
            ("10Mbps/s", Some("10Mbps")),
            ("10MB", Some("10MBps")),
            ("10 mbyte/s", Some("10MBps")),
            ("10furlongs", None),
        ] {
            assert_eq!(parse_rate(given).unwrap_err().nearest.as_deref(), meant, "{given}");
        }
        for (given, meant) in
            [("20sec", "20s"), ("20 seconds", "20s"), ("5msec", "5ms"), ("2 minutes", "2min"), ("1hr", "1h")]
        {
            assert_eq!(parse_duration(given).unwrap_err().nearest.as_deref(), Some(meant), "{given}");
        }
        for (given, meant) in
            [("64K", "64kB"), ("1500 bytes", "1500B"), ("64kbytes", "64kB"), ("64Ki", "64KiB")]
        {
            assert_eq!(parse_bytes(given).unwrap_err().nearest.as_deref(), Some(meant), "{given}");
        }
        assert!(parse_rate("-1Mbps").unwrap_err().message.contains("negative"));
        assert!(parse_duration("20").unwrap_err().message.contains("20ms"));
        assert!(parse_bytes("fast").is_err());
        assert!(parse_rate("0bps").unwrap_err().message.contains("positive"));
    }

    #[test]
    fn transmission_times_are_exact() {
        let rate = parse_rate("0.3Mbps").unwrap();
        assert_eq!(rate.time_for(1040).ps(), 27_733_333_333);
        assert_eq!(parse_rate("8Mbps").unwrap().time_for(1040), Duration::from_us(1040));
    }
}
