//! Parameters as written in a document. Those not given are taken from a base, such as a profile.

use super::Config;
use super::choices::{FullAckWindow, PartialAckTimer, PartialWindow, Reduction};
use super::forms::{LARGEST_WINDOW, OfControl, Segments};
use super::groups::{Acks, LARGEST, Sizes};
use base::Duration;
use base::units::parse_bytes;
use settings::Size;
use settings::table::{self, Default as Given};
use settings::{Data, Error, Field, Form, Node, Schemas, Setting, Settings, schema::Json};

/// Parameters that are windows and may be given as sizes.
const WINDOWS: [&str; 5] =
    ["initial_window", "initial_ssthresh", "max_window", "receive_window", "syn_loss_window"];
/// Delay for `delayed_ack = true` if the profile has none (also the delay of ns-2's TCPSink/DelAck).
const USUAL_DELAY: Duration = Duration::from_ms(100);
/// Key of the table of the congestion control's own parameters.
const CONTROL: &str = "control";

/// Derives the value of the second parameter of a pair from the value of the first; `None` if the first value
/// is not allowed.
type Follow = fn(&Node) -> Option<Node>;

/// Pairs of parameters: if the second is not given, its value is derived from the first.
const FOLLOWERS: [(&str, &str, Follow); 8] = [
    // ns-2 and the studies set both parameters together.
    ("partial_ack_timer", "partial_window", |timer| {
        let every = PartialAckTimer::read(timer).ok()? == PartialAckTimer::Every;
        Some(if every { PartialWindow::Reset } else { PartialWindow::Deflate }.write())
    }),
    // `exit_growth` once had the effects of both parameters. It still does, so that scenarios of that time
    // keep their meaning.
    ("exit_growth", "full_ack_window", |grows| {
        let window = if bool::read(grows).ok()? { FullAckWindow::Ssthresh } else { FullAckWindow::Flight };
        Some(window.write())
    }),
    ("window_clamp", "receive_window_only", alike),
    ("dup_ack_timer", "dup_ack_timing", alike),
    ("whole_growth", "avoidance_by_segments", alike),
    ("clock_tick", "time_retransmissions", |tick| Some((!Duration::read(tick).ok()?.is_zero()).into())),
    ("exit_burst", "clear_scoreboard_on_exit", |burst| Some((u32::read(burst).ok()? > 0).into())),
    ("reduction", "backoff_keeps_ssthresh", |base| {
        Some((Reduction::read(base).ok()? != Reduction::Window).into())
    }),
];

fn alike(switch: &Node) -> Option<Node> {
    bool::read(switch).ok().map(Node::from)
}

/// Parameters of a `tcp` table as written, including those of the congestion control.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters(Node);

impl Default for Parameters {
    /// Returns a table that gives no parameter.
    fn default() -> Self {
        Self(Node::table())
    }
}

impl Parameters {
    /// Returns all parameters of `config`, each as if a document gave it.
    pub fn of(config: &Config) -> Self {
        let mut table = Node::table();
        table.insert(CONTROL, config.control.write());
        config.write_fields(&mut table);
        Self(table)
    }

    /// Returns the value of the parameter `key`; `None` if it is not given.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.0.get(key)
    }

    /// Sets the parameter `key` to `value`, which must be allowed.
    pub(crate) fn set(&mut self, key: &str, value: impl Into<Node>) {
        self.0.insert(key, value);
    }

    /// Removes the parameter `key`; has no effect if it is not given.
    pub fn remove(&mut self, key: &str) {
        self.0.remove(key);
    }

    /// Returns the names of the given parameters, except `control`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.each().map(|(key, _)| key).filter(|key| *key != CONTROL)
    }

    /// Returns the given parameters whose names are in `names`.
    #[must_use]
    pub fn only(&self, names: &[&str]) -> Self {
        let mut table = Node::table();
        for (key, value) in self.each().filter(|(key, _)| names.contains(key)) {
            table.insert(key, value.clone());
        }
        Self(table)
    }

    /// Completes the parameters. A parameter that is not given follows from another given parameter
    /// (`FOLLOWERS`), or else is taken from `base`.
    #[must_use]
    pub fn or(mut self, base: &Self) -> Self {
        for (leader, follower, value) in FOLLOWERS {
            let led = self.get(leader).filter(|_| self.get(follower).is_none()).and_then(value);
            if let Some(value) = led {
                self.set(follower, value);
            }
        }
        for (key, value) in base.each() {
            if self.0.get(key).is_none() {
                self.0.insert(key, value.clone());
            }
        }
        self
    }

    fn each(&self) -> impl Iterator<Item = (&str, &Node)> {
        let fields = match &self.0.data {
            Data::Table(fields) => fields.as_slice(),
            _ => &[],
        };
        fields.iter().map(|(key, value)| (&**key, value))
    }

    /// Returns true if `value` is a shorthand for `key` whose meaning depends on other parameters, such as a
    /// size for a window.
    fn is_shorthand(key: &str, value: &Node) -> bool {
        match (key, &value.data) {
            ("initial_ssthresh", Data::Text(text)) if &**text == "max_window" => true,
            ("syn_size", Data::Text(text)) => &**text == "segment",
            ("delayed_ack", Data::Bool(on)) => *on,
            (_, Data::Text(text)) => WINDOWS.contains(&key) && parse_bytes(text).is_ok(),
            _ => false,
        }
    }

    /// Returns the parameters without those given by shorthands.
    fn plain(&self) -> Node {
        let mut table = Node::table();
        for (key, value) in self.each().filter(|(key, value)| !Self::is_shorthand(key, value)) {
            table.insert(key, value.clone());
        }
        table
    }

    /// Returns the configuration of a connection. Parameters that are not given have their defaults. `delay`
    /// is the value of `delayed_ack = true`. Parameters are not checked against each other, and the
    /// congestion control's parameters are ignored.
    ///
    /// # Errors
    /// If a value is not allowed.
    pub(crate) fn connection(&self, delay: Duration) -> Result<Config, Error> {
        let mut table = self.plain();
        let Sizes { segment, header, .. } = Sizes::read_fields(&table, None)?;
        let shorthand = self.each().filter(|(key, value)| Self::is_shorthand(key, value));
        let mut as_window = false;
        for (key, value) in shorthand {
            match key {
                "syn_size" => table.insert(key, <Size as Form<u32>>::write(&(segment + header).min(LARGEST))),
                "delayed_ack" => table.insert(key, delay.write()),
                _ if value.as_text() == Some("max_window") => as_window = true,
                _ => table.insert(key, Segments::write(&segments(key, value, segment)?)),
            }
        }
        let mut config = Config::read_fields(&table, None)?;
        if as_window {
            config.windows.initial_ssthresh = config.windows.max_window;
        }
        Ok(config)
    }

    /// Returns the delay that `delayed_ack = true` means in the profile that consists of these parameters.
    pub(crate) fn delay(&self) -> Duration {
        let own = Acks::read_fields(&self.plain(), None).map_or(USUAL_DELAY, |acks| acks.delayed_ack);
        if own.is_zero() { USUAL_DELAY } else { own }
    }
}

/// Returns the number of whole segments in a size; fails if it is less than 1 or more than
/// [`LARGEST_WINDOW`].
fn segments(key: &str, size: &Node, segment: u32) -> Result<f64, Error> {
    let bytes = parse_bytes(size.as_text().unwrap_or_default()).map_or(0, |bytes| bytes.0);
    let whole = bytes / u64::from(segment);
    if whole as f64 > LARGEST_WINDOW {
        let message = format!("{bytes} B are {whole} segments of {segment} B");
        return Err(
            Error::new(key, message).allowed(format!("at most {LARGEST_WINDOW} segments, or \"unlimited\""))
        );
    }
    if whole > 0 {
        return Ok(whole as f64);
    }
    let message = format!("{bytes} B are less than one segment of {segment} B");
    Err(Error::new(key, message).allowed("room for at least one segment"))
}

impl Settings for Parameters {
    fn any_key(test: &mut dyn FnMut(&'static str) -> bool) -> bool {
        test(CONTROL) || Config::any_key(test)
    }

    fn fields(schemas: &mut Schemas) -> Vec<Field> {
        let control = Field {
            name: CONTROL,
            about: "Parameters of the congestion control, numbers or words, by name: for reno `increase` and `decrease`, for vegas \
                    `alpha`, `beta`, `gamma` (`ackclock list controls` shows each with its range).",
            source: "",
            was: "",
            value: OfControl::value(),
            range: None,
            default: Given::Absent(""),
            schema: OfControl::schema(schemas),
        };
        // A parameter that is not given comes from the profile.
        let of_profile = |field| Field { default: Given::Absent(""), ..field };
        std::iter::once(control).chain(Config::fields(schemas).into_iter().map(of_profile)).collect()
    }

    fn read_fields(given: &Node, base: Option<&Self>) -> Result<Self, Error> {
        let mut own = Node::table();
        if let Data::Table(fields) = &given.data {
            for (key, value) in fields.iter().filter(|(key, v)| Self::knows(key) && v.data != Data::Null) {
                own.insert(key, value.clone());
            }
        }
        let own = Self(own);
        if let Some(control) = own.get(CONTROL) {
            table::plain::<Node, OfControl>(control, CONTROL, None)?;
        }
        Config::read_fields(&own.plain(), None)?;
        Ok(match base {
            Some(base) => own.or(base),
            None => own,
        })
    }

    fn write_fields(&self, table: &mut Node) {
        for (key, value) in self.each() {
            table.insert(key, value.clone());
        }
    }
}

impl Setting for Parameters {
    fn expected() -> String {
        "a table".to_owned()
    }
    fn value() -> String {
        "table".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        table::read(node, "a table", None)
    }
    fn write(&self) -> Node {
        self.0.clone()
    }
    fn schema(schemas: &mut Schemas) -> Json {
        table::schema(&Self::fields(schemas), "Parameters of TCP")
    }
}
