//! Forms of settings that are powers or frequencies with a unit.

use settings::setting::unfit;
use settings::{Data, Error, Form, Node, Schemas, schema::Json};

/// Form of a frequency in Hz, written as `"2.4GHz"`.
pub struct Frequency;

/// Form of a power in dBm, written as `"16dBm"` or `"100mW"`.
pub struct Power;

/// Splits a string into a number and its unit; `None` if there is no number.
fn split(node: &Node) -> Option<(f64, &str)> {
    let text = node.as_text()?.trim();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || "+-._eE".contains(c)).trim_start();
    let digits = text[..text.len() - unit.len()].trim().replace('_', "");
    digits.parse().ok().filter(|number: &f64| number.is_finite()).map(|number| (number, unit))
}

/// Returns the error for a value that is not a number with a unit. For a number without a unit, the error proposes
/// the unit `usual`.
fn no_quantity(node: &Node, usual: &str, expected: String) -> Error {
    match node.data {
        Data::Number(_) => {
            let message = format!("`{node}` needs a unit: write for example \"{node}{usual}\"");
            Error::new("", message).allowed(expected)
        }
        _ => unfit(node, expected),
    }
}

impl Form<f64> for Frequency {
    fn expected() -> String {
        "a frequency with its unit, like \"2.4GHz\" (Hz, kHz, MHz, GHz)".to_owned()
    }
    fn value() -> String {
        "frequency".to_owned()
    }
    fn read(node: &Node) -> Result<f64, Error> {
        let hertz = split(node).and_then(|(number, unit)| {
            let scale = match unit {
                "Hz" => 1.0,
                "kHz" => 1e3,
                "MHz" => 1e6,
                "GHz" => 1e9,
                _ => return None,
            };
            Some(number * scale)
        });
        let hertz = hertz.ok_or_else(|| no_quantity(node, "MHz", <Self as Form<f64>>::expected()))?;
        if (1e6..=1e12).contains(&hertz) {
            return Ok(hertz);
        }
        Err(Error::new("", "out of range").allowed("a frequency from \"1MHz\" to \"1000GHz\""))
    }
    fn write(value: &f64) -> Node {
        let mega = value / 1e6;
        // Writes the shortest text that reads back as the same number.
        if mega * 1e6 == *value { format!("{mega}MHz").into() } else { format!("{value}Hz").into() }
    }
    fn schema(_: &mut Schemas) -> Json {
        schema(r"^\s*[0-9._+eE-]+\s*(Hz|kHz|MHz|GHz)\s*$", &["2.4GHz"])
    }
}

impl Form<f64> for Power {
    fn expected() -> String {
        "a power with its unit, like \"16dBm\" or \"100mW\" (dBm, nW, uW, mW, W)".to_owned()
    }
    fn value() -> String {
        "power".to_owned()
    }
    fn read(node: &Node) -> Result<f64, Error> {
        let refusal = || no_quantity(node, "dBm", <Self as Form<f64>>::expected());
        let (number, unit) = split(node).ok_or_else(refusal)?;
        let milliwatts = match unit {
            "dBm" => 0.0,
            "nW" => 1e-6,
            "uW" | "µW" => 1e-3,
            "mW" => 1.0,
            "W" => 1e3,
            _ => return Err(refusal()),
        };
        let dbm = if unit == "dBm" { number } else { 10.0 * libm::log10(number * milliwatts) };
        if (-200.0..=100.0).contains(&dbm) {
            return Ok(dbm);
        }
        Err(Error::new("", "out of range").allowed("a power from \"-200dBm\" to \"100dBm\""))
    }
    fn write(value: &f64) -> Node {
        format!("{value}dBm").into()
    }
    fn schema(_: &mut Schemas) -> Json {
        schema(r"^\s*[0-9._+eE-]+\s*(dBm|nW|uW|µW|mW|W)\s*$", &["16dBm", "100mW"])
    }
}

/// Returns the schema of a string that matches `pattern`.
fn schema(pattern: &str, examples: &[&str]) -> Json {
    Json::from_iter([
        ("type".to_owned(), Json::from("string")),
        ("pattern".to_owned(), pattern.into()),
        ("examples".to_owned(), examples.to_vec().into()),
    ])
}
