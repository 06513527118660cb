//! TCP: variant and profile to the endpoints' configuration.

use crate::scenario::ScenarioError;
use crate::scenario::decode::Refusal;
use crate::scenario::presets::{self, Chosen};
use crate::scenario::wire::scalar::{
    DelayedAck, Scalar, Size, SynSize, Threshold, Time, Window, Wire, not_a_choice,
};
use crate::scenario::wire::tcp::{ControlValue, FullAckWindow, PartialWindow, Tcp};
use ::tcp::Config;
use ::tcp::config;
use ::tcp::congestion::{Control, Parameter};
use ::tcp::recovery::Recovery;
use base::{Bytes, Duration};

/// The largest IPv4 packet.
const LARGEST: u64 = 65_535;
/// Delayed acknowledgment where it is switched on and the profile has none (also ns-2's TCPSink/DelAck).
const USUAL_DELAY: Duration = Duration::from_ms(100);
/// The longest timeout.
const LONGEST_RTO: Duration = Duration::from_secs(3600);

/// The variant's canonical name, and every parameter of both ends.
pub fn config(given: &Tcp, path: &str) -> Result<(String, Config), ScenarioError> {
    let variant = given.variant.as_deref().ok_or_else(|| {
        let names: Vec<_> = presets::variants().iter().filter(|v| !v.linux).map(|v| v.name).collect();
        let message = "a flow over TCP needs a variant";
        ScenarioError::new(format!("{path}.variant"), message)
            .allowed(format!("tcp = {{ variant = ... }}: {}", names.join(", ")))
    })?;
    let chosen = presets::variant(variant).map_err(|e| e.under(&format!("{path}.variant")))?;
    let profile = presets::profile(given.profile.as_deref().unwrap_or("rfc"));
    let profile = profile.map_err(|e| e.under(&format!("{path}.profile")))?;
    // Of the variant, of its control whatever the recovery, of all.
    let of = |name: &str| profile.variants.get(name).cloned().unwrap_or_default();
    let mut preset = of(&chosen.name).or(&of(&format!("+{}", chosen.control))).or(&profile.tcp);
    if chosen.linux {
        preset = presets::tcp_linux().over(&preset, chosen.control);
    }
    follow_exit_growth(given, &chosen, &mut preset);
    let reader = Reader { given, all: given.clone().or(&preset), preset, profile: profile.name, path };
    let config = reader.config(&chosen)?;
    Ok((chosen.name, config))
}

/// `exit_growth` once stood for four more rules of ns-2. If it is given, they follow it unless they are given themselves, so that
/// a scenario written then means the same.
fn follow_exit_growth(given: &Tcp, chosen: &Chosen, preset: &mut Tcp) {
    let Some(like_ns2) = given.exit_growth else { return };
    let window = if like_ns2 { config::FullAckWindow::Ssthresh } else { config::FullAckWindow::Flight };
    preset.full_ack_window = Some(FullAckWindow(window));
    if chosen.control == "vegas" {
        let words = [
            ("send_times", ["segments", "slots"]),
            ("unsent", ["waits", "expired"]),
            ("inflation", ["removed", "kept"]),
        ];
        let own = words.map(|(name, word)| {
            (name.to_owned(), ControlValue::Word(word[usize::from(like_ns2)].to_owned()))
        });
        preset.control.get_or_insert_default().extend(own);
    }
}

/// What a variant presets wherever it is used: of the default profile, by its name and by its control's.
pub fn variant_preset(variant: &str, path: &str) -> Result<Tcp, ScenarioError> {
    let chosen = presets::variant(variant).map_err(|e| e.under(&format!("{path}.variant")))?;
    let profile = &presets::profiles()[0];
    let of = |name: &str| profile.variants.get(name).cloned().unwrap_or_default();
    let preset = of(&chosen.name).or(&of(&format!("+{}", chosen.control)));
    Ok(if chosen.linux { presets::tcp_linux().over(&preset, chosen.control) } else { preset })
}

/// Reads one `tcp` table.
struct Reader<'a> {
    /// As the user wrote it.
    given: &'a Tcp,
    /// What the profile presets for this variant.
    preset: Tcp,
    /// The one over the other.
    all: Tcp,
    /// The profile's name.
    profile: &'static str,
    path: &'a str,
}

/// The value of a parameter: every profile gives every parameter, and a test of this room holds them to it.
macro_rules! value {
    ($table:expr, $name:ident) => {
        $table.$name.expect(concat!("every profile gives ", stringify!($name)))
    };
}

impl Reader<'_> {
    fn config(&self, chosen: &Chosen) -> Result<Config, ScenarioError> {
        let all = &self.all;
        let segment = self.bytes("segment", value!(all, segment), 1..=LARGEST)?;
        let header = self.bytes("header", value!(all, header), 0..=LARGEST)?;
        if segment + header > LARGEST as u32 {
            let key = if self.given.header.is_some() { "header" } else { "segment" };
            let message = format!("a segment of {segment} B and its header of {header} B exceed {LARGEST} B");
            return Err(self.error(key, message).allowed("together at most \"65535B\""));
        }
        let syn_size = match value!(all, syn_size) {
            SynSize::Segment => segment + header,
            SynSize::Size(size) => self.bytes("syn_size", Size(size), 1..=LARGEST)?,
        };
        let max_window = self.window("max_window", value!(all, max_window), segment)?;
        let initial_ssthresh = match value!(all, initial_ssthresh) {
            Threshold::MaxWindow => max_window,
            Threshold::Window(window) => self.window("initial_ssthresh", window, segment)?,
        };
        let [min_rto, max_rto, initial_rto] = self.timeouts()?;
        let (clock_tick, tick_phase) = self.clock()?;
        Ok(Config {
            recovery: chosen.recovery,
            control: self.control(chosen.control)?,
            sizes: config::Sizes {
                segment,
                header,
                ack_size: self.bytes("ack_size", value!(all, ack_size), 1..=LARGEST)?,
                syn_size,
                timestamps_size: self.bytes("timestamps_size", value!(all, timestamps_size), 0..=40)?,
                sack_option: self.bytes("sack_option", value!(all, sack_option), 0..=40)?,
            },
            connection: config::Connection {
                syn: value!(all, syn).0,
                early_data: value!(all, early_data),
                pad_writes: value!(all, pad_writes),
                fin: value!(all, fin),
            },
            windows: config::Windows {
                initial_window: self.finite("initial_window", value!(all, initial_window), segment)?,
                initial_ssthresh,
                syn_loss_window: self.finite("syn_loss_window", value!(all, syn_loss_window), segment)?,
                max_window,
                receive_window: self.window("receive_window", value!(all, receive_window), segment)?,
                window_clamp: value!(all, window_clamp),
                idle_restart: value!(all, idle_restart),
            },
            timers: config::Timers {
                min_rto,
                max_rto,
                initial_rto,
                clock_tick,
                tick_phase,
                dup_ack_timer: value!(all, dup_ack_timer),
                timing_in_recovery: value!(all, timing_in_recovery),
                stamps_end_backoff: value!(all, stamps_end_backoff),
            },
            growth: config::Growth {
                ack_counting: value!(all, ack_counting).0,
                slow_start_at_threshold: value!(all, slow_start_at_threshold),
                whole_growth: value!(all, whole_growth),
                hystart: value!(all, hystart),
                pacing: value!(all, pacing),
            },
            detection: config::LossDetection {
                limited_transmit: value!(all, limited_transmit),
                sack_pipe: value!(all, sack_pipe).0,
                sack_loss: value!(all, sack_loss).0,
                lost_retransmission: value!(all, lost_retransmission),
                overtaken_retransmission: value!(all, overtaken_retransmission),
                reordering_window: value!(all, reordering_window).0,
                tail_loss_probe: value!(all, tail_loss_probe),
                max_ack_delay: value!(all, max_ack_delay).0,
            },
            decrease: config::Decrease {
                reduction: value!(all, reduction).0,
                window_rounding: value!(all, window_rounding).0,
                ssthresh_rounding: value!(all, ssthresh_rounding).0,
                loss_floor: value!(all, loss_floor).0,
                halve_in_slow_start: value!(all, halve_in_slow_start),
                early_halving: value!(all, early_halving),
                abe: value!(all, abe),
                window_reduction: value!(all, window_reduction).0,
                halving_floor: value!(all, halving_floor).0,
            },
            fast_recovery: config::FastRecovery {
                partial_ack_timer: value!(all, partial_ack_timer).0,
                partial_window: self.partial_window(),
                recovery_burst: value!(all, recovery_burst),
                full_ack_window: value!(all, full_ack_window).0,
                exit_growth: value!(all, exit_growth),
                exit_burst: value!(all, exit_burst),
            },
            acks: config::Acks {
                delayed_ack: self.delayed_ack(),
                sack_blocks: self.sack_blocks(chosen.recovery)?,
                sack_memory: value!(all, sack_memory),
            },
            options: config::Options { timestamps: value!(all, timestamps), ecn: value!(all, ecn).0 },
        })
    }

    fn error(&self, key: &str, message: impl Into<String>) -> ScenarioError {
        ScenarioError::new(format!("{}.{key}", self.path), message)
    }

    fn bytes(
        &self,
        key: &str,
        size: Size,
        range: std::ops::RangeInclusive<u64>,
    ) -> Result<u32, ScenarioError> {
        let Size(Bytes(bytes)) = size;
        if range.contains(&bytes) {
            return Ok(bytes as u32);
        }
        let allowed = format!("\"{}B\" to \"{}B\"", range.start(), range.end());
        Err(self.error(key, format!("{bytes} B is out of range")).allowed(allowed))
    }

    /// A window in segments, infinite where unlimited.
    fn window(&self, key: &str, window: Window, segment: u32) -> Result<f64, ScenarioError> {
        match window {
            Window::Segments(n) => Ok(n),
            Window::Unlimited => Ok(f64::INFINITY),
            Window::Size(Bytes(bytes)) => {
                let whole = bytes / u64::from(segment);
                if whole == 0 {
                    let message = format!("{bytes} B are less than one segment of {segment} B");
                    return Err(self.error(key, message).allowed("room for at least one segment"));
                }
                Ok(whole as f64)
            }
        }
    }

    /// A window that has a limit.
    fn finite(&self, key: &str, window: Window, segment: u32) -> Result<f64, ScenarioError> {
        let segments = self.window(key, window, segment)?;
        if segments.is_finite() {
            return Ok(segments);
        }
        Err(self.error(key, format!("{key} has a limit")).allowed("segments (10) or a size (\"14600B\")"))
    }

    fn timeouts(&self) -> Result<[Duration; 3], ScenarioError> {
        let all = &self.all;
        let (min, max, initial) =
            (value!(all, min_rto).0, value!(all, max_rto).0, value!(all, initial_rto).0);
        for (key, time) in [("min_rto", min), ("max_rto", max), ("initial_rto", initial)] {
            if time.is_zero() || time > LONGEST_RTO {
                return Err(self
                    .error(key, "a timeout is longer than no time and at most one hour")
                    .allowed("like \"200ms\""));
            }
        }
        let given = self.given;
        for (key, time, is_given) in
            [("min_rto", min, given.min_rto.is_some()), ("initial_rto", initial, given.initial_rto.is_some())]
        {
            if time > max {
                // The one that the user wrote is the one to change.
                let at = if given.max_rto.is_some() || !is_given { "max_rto" } else { key };
                let message = format!(
                    "{key} ({}) exceeds max_rto ({})",
                    self.said(Time(time), is_given),
                    self.said(Time(max), given.max_rto.is_some())
                );
                return Err(self.error(at, message).allowed("min_rto and initial_rto up to max_rto"));
            }
        }
        Ok([min, max, initial])
    }

    /// A value, and where it comes from unless the user gave it.
    fn said(&self, time: Time, given: bool) -> String {
        let text = time.write().as_str().unwrap_or_default().to_owned();
        if given { text } else { format!("{text}, from profile {}", self.profile) }
    }

    fn clock(&self) -> Result<(Duration, config::TickPhase), ScenarioError> {
        let (tick, phase) = (value!(self.all, clock_tick).0, value!(self.all, tick_phase).0);
        if tick > Duration::from_secs(10) {
            return Err(self.error("clock_tick", "out of range").allowed("at most \"10s\""));
        }
        if let config::TickPhase::At(at) = phase
            && !tick.is_zero()
            && at >= tick
        {
            let message = format!("a phase lies within one tick of {}", self.said(Time(tick), true));
            return Err(self.error("tick_phase", message).allowed("\"random\", or a time below clock_tick"));
        }
        Ok((tick, phase))
    }

    /// Where only `partial_ack_timer` is given, the window follows it: ns-2 and the studies set both together.
    fn partial_window(&self) -> config::PartialWindow {
        let follows = self.given.partial_ack_timer.map(|timer| match timer.0 {
            config::PartialAckTimer::Every => PartialWindow(config::PartialWindow::Reset),
            config::PartialAckTimer::First => PartialWindow(config::PartialWindow::Deflate),
        });
        self.given.partial_window.or(follows).unwrap_or(value!(self.preset, partial_window)).0
    }

    fn delayed_ack(&self) -> Duration {
        let time = |delayed| match delayed {
            DelayedAck::After(time) => Some(time),
            DelayedAck::Off | DelayedAck::On => None,
        };
        match value!(self.all, delayed_ack) {
            DelayedAck::Off => Duration::ZERO,
            DelayedAck::After(time) => time,
            DelayedAck::On => time(value!(self.preset, delayed_ack)).unwrap_or(USUAL_DELAY),
        }
    }

    fn sack_blocks(&self, recovery: Recovery) -> Result<u8, ScenarioError> {
        let needed = recovery.needs_sack();
        let blocks = match self.given.sack_blocks {
            Some(blocks) => blocks,
            None if needed => value!(self.preset, sack_blocks),
            None => 0,
        };
        if blocks > 3 || (blocks == 0 && needed) {
            let message = if blocks > 3 {
                "an acknowledgment has room for 3 SACK blocks".to_owned()
            } else {
                format!("recovery {} works by SACK blocks", recovery.name())
            };
            return Err(self.error("sack_blocks", message).allowed(if needed { "1 to 3" } else { "0 to 3" }));
        }
        Ok(blocks)
    }

    fn control(&self, name: &'static str) -> Result<Control, ScenarioError> {
        let algorithm =
            Control::ALL.iter().find(|a| a.name == name).expect("presets name registered controls");
        let mut values = Vec::new();
        // The later of two values of one name holds.
        for (key, value) in self.preset.control.iter().chain(&self.given.control).flatten() {
            let path = format!("control.{key}");
            let Some(parameter) = algorithm.parameters.iter().find(|p| p.name == key) else {
                let names = algorithm.parameters.iter().map(|p| p.name);
                return Err(self
                    .error(&path, format!("congestion control {name} has no parameter `{key}`"))
                    .names(key, names));
            };
            let value = control_value(parameter, value).map_err(|refusal| {
                let Refusal { message, allowed, nearest, .. } = refusal;
                ScenarioError { nearest, ..self.error(&path, message).allowed(allowed) }
            })?;
            values.push((key.clone(), value));
        }
        Ok(Control::by_name(name, &values).expect("presets name registered controls"))
    }
}

/// The number that `value` stands for: itself, or the index of a word.
fn control_value(parameter: &Parameter, value: &ControlValue) -> Result<f64, Refusal> {
    let words = parameter.choices.iter().copied();
    match value {
        ControlValue::Word(word) if parameter.choices.is_empty() => {
            Err(Refusal::new(format!("string \"{word}\" does not belong here"), "a number, without quotes"))
        }
        ControlValue::Word(word) => {
            let index = words.clone().position(|w| w == word);
            index.map(|i| i as f64).ok_or_else(|| not_a_choice(&Scalar::Text(word), words))
        }
        ControlValue::Number(x) if !parameter.choices.is_empty() => {
            Err(not_a_choice(&Scalar::Number(*x), words))
        }
        ControlValue::Number(x) if (parameter.min..=parameter.max).contains(x) => Ok(*x),
        ControlValue::Number(x) => {
            let unit = if parameter.unit.is_empty() { String::new() } else { format!(" {}", parameter.unit) };
            let allowed = format!("{} to {}{unit}", parameter.min, parameter.max);
            Err(Refusal::new(format!("{x} is out of range"), allowed))
        }
    }
}
