//! Forms in which the values of parameters are written.

use super::choices::HyStartForm;
use base::Duration;
use settings::setting::{misplaced, number, unfit};
use settings::{
    Data, Error, Form, Node, Own, Schemas, Setting, nearest,
    schema::{Json, json},
};

/// Shortest time of a timer. With a timer of picoseconds a run would handle little but its expiries.
pub(super) const SHORTEST: Duration = Duration::from_us(1);
/// Limit on outstanding segments in every configuration. A single acknowledgment can release a whole window
/// of segments, and a run keeps some hundred bytes for each. The limit is 1.5 GB of full segments, the data
/// in flight at 100 Gb/s over 117 ms.
pub const LARGEST_WINDOW: f64 = 1e6;

/// Form of a window, segments: a number of at least 1, a size, or "unlimited".
pub(super) struct Segments;

const WINDOW: &str = "segments (20), a size (\"64KiB\"), or \"unlimited\"";
const THRESHOLD: &str = "segments (20), a size (\"64KiB\"), \"max_window\", or \"unlimited\"";

/// Reads a window: a number of segments, or "unlimited". For any other text the error suggests the nearest of
/// `words`.
fn window(node: &Node, expected: &str, words: &[&str]) -> Result<f64, Error> {
    match &node.data {
        Data::Number(_) => {
            let segments = node.as_f64().unwrap_or_default();
            if (1.0..=LARGEST_WINDOW).contains(&segments) {
                return Ok(segments);
            }
            Err(Error::new("", format!("a window is at least 1 segment and at most {LARGEST_WINDOW}"))
                .allowed(expected))
        }
        Data::Text(text) if &**text == "unlimited" => Ok(f64::INFINITY),
        Data::Text(text) => Err(Error::new("", format!("{node} is not a window"))
            .allowed(expected)
            .near(nearest(text, words.iter().copied()))),
        _ => Err(unfit(node, expected)),
    }
}

impl Form<f64> for Segments {
    fn expected() -> String {
        WINDOW.to_owned()
    }
    fn value() -> String {
        "window".to_owned()
    }
    fn read(node: &Node) -> Result<f64, Error> {
        window(node, WINDOW, &["unlimited"])
    }
    fn write(segments: &f64) -> Node {
        if segments.is_finite() { number(*segments) } else { "unlimited".into() }
    }
    fn schema(schemas: &mut Schemas) -> Json {
        let mut size = base::Bytes::schema(schemas);
        size["description"] = "bytes of payload".into();
        if let Some(size) = size.as_object_mut() {
            size.remove("examples");
        }
        json!({ "anyOf": [
            { "type": "number", "minimum": 1, "maximum": LARGEST_WINDOW, "description": "segments" }, { "const": "unlimited" }, size,
        ] })
    }
}

/// Form of a slow-start threshold: a window, or "max_window" for the value of that parameter.
pub(super) struct Threshold;

impl Form<f64> for Threshold {
    fn expected() -> String {
        THRESHOLD.to_owned()
    }
    fn value() -> String {
        "window, \"max_window\"".to_owned()
    }
    fn read(node: &Node) -> Result<f64, Error> {
        window(node, THRESHOLD, &["unlimited", "max_window"])
    }
    fn write(segments: &f64) -> Node {
        Segments::write(segments)
    }
    fn schema(schemas: &mut Schemas) -> Json {
        json!({ "anyOf": [{ "const": "max_window" }, Segments::schema(schemas)] })
    }
}

/// Form of a number that can be fractional; a whole number is written without a decimal point.
pub(super) struct Plain;

impl Form<f64> for Plain {
    fn expected() -> String {
        "a number".to_owned()
    }
    fn value() -> String {
        "number".to_owned()
    }
    fn read(node: &Node) -> Result<f64, Error> {
        f64::read(node)
    }
    fn write(value: &f64) -> Node {
        number(*value)
    }
    fn schema(schemas: &mut Schemas) -> Json {
        f64::schema(schemas)
    }
}

/// Form of the size of a SYN: a size, or "segment" for the size of a full segment with its header.
pub(super) struct SynSize;

impl Form<u32> for SynSize {
    fn expected() -> String {
        "a size (\"40B\"), or \"segment\": a full segment with its header".to_owned()
    }
    fn value() -> String {
        "size, \"segment\"".to_owned()
    }
    fn read(node: &Node) -> Result<u32, Error> {
        match &node.data {
            Data::Text(_) | Data::Number(_) => <settings::Size as Form<u32>>::read(node),
            _ => Err(unfit(node, <Self as Form<u32>>::expected())),
        }
    }
    fn write(bytes: &u32) -> Node {
        <settings::Size as Form<u32>>::write(bytes)
    }
    fn schema(schemas: &mut Schemas) -> Json {
        json!({ "anyOf": [{ "const": "segment" }, base::Bytes::schema(schemas)] })
    }
    fn out_of_range(value: &u32, low: &u32, high: &u32) -> (String, String) {
        <settings::Size as Form<u32>>::out_of_range(value, low, high)
    }
}

/// Form of the delay of acknowledgments: a time, false for none, or true for the profile's delay.
pub(super) struct Delay;

impl Form<Duration> for Delay {
    fn expected() -> String {
        "a time (\"100ms\"), false, or true: the profile's time".to_owned()
    }
    fn value() -> String {
        "time, true, false".to_owned()
    }
    fn read(node: &Node) -> Result<Duration, Error> {
        match &node.data {
            Data::Bool(false) => Ok(Duration::ZERO),
            Data::Text(_) | Data::Number(_) => match Duration::read(node)? {
                time if time.is_zero() || time >= SHORTEST => Ok(time),
                _ => Err(Error::new("", format!("{node} is too short"))
                    .allowed(format!("false, or a time of {} or more", SHORTEST.write()))),
            },
            _ => Err(unfit(node, <Self as Form<Duration>>::expected())),
        }
    }
    fn write(time: &Duration) -> Node {
        if time.is_zero() { false.into() } else { time.write() }
    }
    fn schema(schemas: &mut Schemas) -> Json {
        json!({ "anyOf": [{ "type": "boolean" }, Duration::schema(schemas)] })
    }
}

/// Form of the rule that ends slow start: false for none, true for HyStart++ (RFC 9406), or a word.
pub(super) struct SlowStartEnd;

impl Form<HyStartForm> for SlowStartEnd {
    fn expected() -> String {
        "false, true: HyStart++ (RFC 9406), or \"linux\"".to_owned()
    }
    fn value() -> String {
        "true, false, \"linux\"".to_owned()
    }
    fn read(node: &Node) -> Result<HyStartForm, Error> {
        match &node.data {
            Data::Bool(false) => Ok(HyStartForm::None),
            Data::Bool(true) => Ok(HyStartForm::Rfc9406),
            Data::Text(_) => HyStartForm::read(node),
            _ => Err(unfit(node, <Self as Form<HyStartForm>>::expected())),
        }
    }
    fn write(form: &HyStartForm) -> Node {
        match form {
            HyStartForm::None => false.into(),
            HyStartForm::Rfc9406 => true.into(),
            HyStartForm::Linux => Setting::write(form),
        }
    }
    fn schema(schemas: &mut Schemas) -> Json {
        json!({ "anyOf": [{ "type": "boolean" }, HyStartForm::schema(schemas)] })
    }
}

/// Phase of the clock's tick at the start of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TickPhase {
    /// Uniform over one tick, drawn from the flow's random stream.
    Random,
    /// Time since the last tick.
    At(Duration),
}

impl Setting for TickPhase {
    fn expected() -> String {
        "\"random\", or a time within the tick, like \"0s\"".to_owned()
    }
    fn value() -> String {
        "time, \"random\"".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        match &node.data {
            Data::Text(text) if &**text == "random" => Ok(Self::Random),
            Data::Text(_) | Data::Number(_) => Duration::read(node).map(Self::At),
            _ => Err(unfit(node, <Self as Setting>::expected())),
        }
    }
    fn write(&self) -> Node {
        match self {
            Self::Random => "random".into(),
            Self::At(time) => time.write(),
        }
    }
    fn schema(schemas: &mut Schemas) -> Json {
        json!({ "anyOf": [{ "const": "random" }, Duration::schema(schemas)] })
    }
}

/// Form of the congestion control's own parameters: a table of numbers and words, which the control
/// interprets.
pub(super) struct OfControl;

impl Form<Node> for OfControl {
    fn expected() -> String {
        "a table".to_owned()
    }
    fn value() -> String {
        "table".to_owned()
    }
    fn read(node: &Node) -> Result<Node, Error> {
        let Data::Table(fields) = &node.data else {
            return Err(misplaced(node, <Self as Form<Node>>::expected()));
        };
        let odd = fields.iter().find(|(_, value)| !matches!(value.data, Data::Number(_) | Data::Text(_)));
        match odd {
            Some((key, value)) => Err(unfit(value, "a number, or one of the parameter's words").under(key)),
            None => <Own as Form<Node>>::read(node),
        }
    }
    fn write(table: &Node) -> Node {
        table.clone()
    }
    fn schema(_: &mut Schemas) -> Json {
        crate::congestion::schema()
    }
}
