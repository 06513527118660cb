//! Modes of frames in scenario files.

use super::network::Config;
use super::protection::Protection;
use crate::phy::timing::{Dsss, GuardInterval, He, Mode, Preamble, Rounding, Standard, Training, Vht, Width};
use crate::rate::settings::RateControl;
use base::DataRate;
use settings::{Choice, Error, Setting, Settings};

/// Modes of frames. A mode that is not given comes from the standard and the profile.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Modulation {
    /// Channel number of the standard, which sets the frequency; two networks cannot have the same channel.
    #[setting(absent = "none: a channel of its own at `frequency`")]
    pub channel: Option<u32>,
    /// Rate of unicast data frames; with 802.11n, ac and ax a legacy rate, instead of `mcs`.
    #[setting(absent = "the standard's highest")]
    pub rate: Option<DataRate>,
    /// Rate of data frames from and to `b_stations`; with `rate_control` the highest rate.
    #[setting(absent = "\"11Mbps\"")]
    pub b_rate: Option<DataRate>,
    /// Modulation and coding scheme (MCS) of data frames (802.11n: 0 to 15, 802.11ac: 0 to 9, 802.11ax: 0 to 11),
    /// instead of `rate`.
    #[setting(absent = "7")]
    pub mcs: Option<u8>,
    /// Spatial streams with `mcs` of 802.11ac (1 or 2) and 802.11ax. An MCS of 802.11n implies one stream (0 to 7) or
    /// two (8 to 15).
    #[setting(absent = "1", range = 1..=He::STREAMS)]
    pub streams: Option<u8>,
    /// Channel width of data frames sent at an MCS (802.11n, ac and ax); not allowed with `rate`.
    #[setting(absent = "\"20MHz\"")]
    pub width: Option<Width>,
    /// Guard interval of data frames sent at an MCS (802.11n, ac and ax); not allowed with `rate`.
    #[setting(absent = "\"long\", for ax \"0.8us\", for ax in profile \"ns3\" \"3.2us\"")]
    pub guard_interval: Option<GuardInterval>,
    /// Length of the HE-LTF (training symbols) in 802.11ax frames.
    #[setting(absent = "\"2x\", with a guard interval of \"3.2us\" \"4x\", in profile \"ns3\" \"8us\"")]
    pub he_training: Option<Training>,
    /// Preamble of 802.11b data frames at 2 Mb/s and above.
    #[setting(absent = "\"long\"")]
    pub preamble: Option<Preamble>,
    /// Rate control: the choice of the data rate, up to `rate` or `mcs`.
    #[setting(absent = "{ kind = \"constant\" }")]
    pub rate_control: Option<RateControl>,
    /// Rate of RTS, broadcast and management frames.
    #[setting(
        absent = "the standard's lowest, with `protection` \"1Mbps\"; for n in profile \"ns3\" `control_mcs = 0` instead"
    )]
    pub control_rate: Option<DataRate>,
    /// MCS of RTS, broadcast and management frames of 802.11n in HT format, with the channel width of data frames;
    /// instead of `control_rate`.
    #[setting(absent = "none")]
    pub control_mcs: Option<u8>,
    /// Rates for CTS, ACK and Block ACK. A response takes the highest of them that does not exceed the rate of the
    /// frame that it answers.
    #[setting(
        absent = "for b with an access point \"1Mbps\" and \"2Mbps\", otherwise the mandatory rates; in profile \"ns2\" `control_rate`"
    )]
    pub response_rates: Option<Vec<DataRate>>,
    /// Rounding of frame durations.
    #[setting(absent = "\"standard\", in profile \"ns3\" \"short-symbols\", in \"ns2\" \"none\"")]
    pub rounding: Option<Rounding>,
}

/// Network context that decides the modes: 802.11b stations and protection.
pub(super) struct ModeContext {
    /// True if 802.11g data frames may need protection from 802.11b stations.
    pub(super) protected: bool,
    /// True if the network has 802.11b stations.
    pub(super) mixed: bool,
}

impl Modulation {
    /// Returns the modes of a configuration in the form of a scenario file.
    pub(super) fn of(config: &Config) -> Self {
        let phy = &config.phy;
        let rate = |mode: Mode| DataRate::from_bps(mode.bps());
        let mut given = Self {
            b_rate: config.non_erp.as_ref().and_then(|b| rate(b.data)),
            rate_control: Some(phy.rate_control),
            response_rates: Some(phy.responses.iter().filter_map(|mode| rate(*mode)).collect()),
            rounding: Some(phy.rounding),
            ..Self::default()
        };
        let mut mcs = |mcs, width, guard| {
            (given.mcs, given.width, given.guard_interval) = (Some(mcs), Some(width), Some(guard));
        };
        match phy.data {
            Mode::Dsss(mode) => (given.rate, given.preamble) = (rate(phy.data), Some(mode.preamble)),
            Mode::Ofdm(_) => given.rate = rate(phy.data),
            Mode::Ht(mode) => mcs(mode.mcs, mode.width, mode.guard),
            Mode::Vht(mode) => {
                mcs(mode.mcs, mode.width, mode.guard);
                given.streams = Some(mode.streams);
            }
            Mode::He(mode) => {
                mcs(mode.mcs, mode.width, mode.guard);
                (given.streams, given.he_training) = (Some(mode.streams), Some(mode.training));
            }
        }
        match phy.control {
            Mode::Ht(mode) => given.control_mcs = Some(mode.mcs),
            control => given.control_rate = rate(control),
        }
        given
    }

    /// Sets the mode of data frames in `config`.
    pub(super) fn set_data(&self, config: &mut Config) -> Result<(), Error> {
        let standard = config.standard;
        if let Some(rate) = self.rate {
            let keys = ["mcs", "streams", "width", "guard_interval", "he_training"];
            let there = [
                self.mcs.is_some(),
                self.streams.is_some(),
                self.width.is_some(),
                self.guard_interval.is_some(),
                self.he_training.is_some(),
            ];
            if let Some((key, _)) = keys.iter().zip(there).find(|(_, there)| *there) {
                return Err(Error::new(*key, format!("with `rate` a frame has no `{key}`"))
                    .allowed("`rate`, or `mcs` with `width` and `guard_interval`"));
            }
            config.set_mode(mode(rate, standard, &standard.rates()).map_err(|e| e.under("rate"))?);
        } else if self.mcs.or(self.streams).is_some()
            || self.width.is_some()
            || self.guard_interval.is_some()
            || self.he_training.is_some()
        {
            config.set_mode(self.mcs(config)?);
        }
        let Some(preamble) = self.preamble else { return Ok(()) };
        let refuse = |message, allowed| Err(Error::new("preamble", message).allowed(allowed));
        match config.phy.data {
            Mode::Dsss(mode) if preamble == Preamble::Short && mode.rate == Dsss::RATES[0] => {
                refuse("frames of 1 Mb/s have the long preamble", "\"long\", or a higher rate")
            }
            Mode::Dsss(mode) => {
                config.phy.data = Mode::Dsss(Dsss { preamble, ..mode });
                Ok(())
            }
            _ => refuse("only 802.11b has a choice of preambles", "standard = \"b\""),
        }
    }

    /// Returns the mode of data frames with the given MCS.
    fn mcs(&self, config: &Config) -> Result<Mode, Error> {
        let standard = config.standard;
        let (usual, guard) = match config.phy.data {
            Mode::Ht(mode) => (mode.mcs, GuardInterval::Long),
            Mode::Vht(mode) => (mode.mcs, GuardInterval::Long),
            Mode::He(mode) => (mode.mcs, mode.guard),
            Mode::Dsss(_) | Mode::Ofdm(_) => (0, GuardInterval::Long),
        };
        let (width, guard) = (self.width.unwrap_or_default(), self.guard_interval.unwrap_or(guard));
        let mode = standard.mcs(self.mcs.unwrap_or(usual), width, guard).map_err(|mut e| {
            if self.mcs.is_none() && e.path == "mcs" {
                e.path = "width".to_owned();
            }
            if standard.is_qos() { e } else { e.allowed(format!("rate = {}", names(&standard.rates()))) }
        })?;
        if let Mode::He(mode) = mode {
            return self.he(config, mode);
        }
        if self.he_training.is_some() {
            let message = format!("802.11{} has no choice of training symbols", standard.name());
            return Err(Error::new("he_training", message).allowed("standard = \"ax\""));
        }
        match (self.streams, mode) {
            (None, _) => Ok(mode),
            (Some(streams), Mode::Vht(mode)) => vht(mode, streams),
            (Some(_), _) => {
                let message =
                    format!("802.11{} has no choice of spatial streams with `mcs`", standard.name());
                Err(Error::new("streams", message)
                    .allowed("standard = \"ac\" or \"ax\"; in n: mcs = 8 to 15 has two"))
            }
        }
    }

    /// Returns the mode of HE data frames with the given streams, width, guard interval and training.
    fn he(&self, config: &Config, mode: He) -> Result<Mode, Error> {
        let fixed = matches!(config.phy.data, Mode::He(He { training: Training::Fixed, .. }));
        let usual = if fixed { Training::Fixed } else { mode.training };
        let training = self.he_training.unwrap_or(usual);
        if !training.goes_with(mode.guard) {
            let message =
                format!("{:?} does not go with a guard interval of {}", training.word(), mode.guard.word());
            return Err(Error::new("he_training", message)
                .allowed("\"1x\" with \"0.8us\", \"2x\" with \"0.8us\" and \"1.6us\", \"4x\" with \"0.8us\" and \"3.2us\""));
        }
        Ok(Mode::He(He { streams: self.streams.unwrap_or(1), training, ..mode }))
    }

    /// Sets the modes of frames from and to 802.11b stations, of control frames, and of responses in `config`.
    pub(super) fn set_control(&self, config: &mut Config, around: &ModeContext) -> Result<(), Error> {
        let standard = config.standard;
        let mut rates = standard.rates();
        if around.protected || around.mixed {
            rates.extend(Standard::B.rates());
        }
        let phy = &mut config.phy;
        if let Some(rate) = self.control_rate {
            phy.control = mode(rate, standard, &rates).map_err(|e| e.under("control_rate"))?;
        }
        if let Some(mcs) = self.control_mcs {
            let Mode::Ht(data) = phy.data else {
                let message = "only with data frames in HT format";
                return Err(Error::new("control_mcs", message).allowed("standard = \"n\" with `mcs`"));
            };
            let mode = standard.mcs(mcs, data.width, data.guard);
            phy.control = mode.map_err(|e| Error { path: "control_mcs".to_owned(), ..e })?;
        }
        if let Some(given) = &self.response_rates {
            let at = |(i, rate): (usize, &DataRate)| {
                mode(*rate, standard, &rates).map_err(|e| e.under(&format!("response_rates.{i}")))
            };
            phy.responses = given.iter().enumerate().map(at).collect::<Result<_, _>>()?;
            phy.responses.sort_by_key(|mode| mode.bps());
        }
        phy.rounding = self.rounding.unwrap_or(phy.rounding);
        phy.rate_control = self.rate_control.unwrap_or(phy.rate_control);
        if let (Some(rate), Some(non_erp)) = (self.b_rate, &mut config.non_erp) {
            let rates = Standard::B.rates();
            non_erp.data = mode(rate, Standard::B, &rates).map_err(|e| e.under("b_rate"))?;
        }
        Ok(())
    }
}

impl ModeContext {
    /// Returns the context for a given `protection`; `mixed` is true if the network has 802.11b stations.
    pub(super) fn new(protection: Option<Protection>, mixed: bool) -> Self {
        Self { protected: protection.is_some_and(|given| given != Protection::None), mixed }
    }
}

/// Returns `mode` with this number of spatial streams.
pub(super) fn vht(mode: Vht, streams: u8) -> Result<Mode, Error> {
    if streams > Vht::STREAMS {
        let message = format!("1 or 2 spatial streams in 802.11ac, not {streams}");
        return Err(Error::new("streams", message).allowed("1 or 2, with standard \"ax\" to 4"));
    }
    Ok(Mode::Vht(Vht { streams, ..mode }))
}

/// Returns the mode with this rate among `modes`, the modes of `standard`.
pub(super) fn mode(rate: DataRate, standard: Standard, modes: &[Mode]) -> Result<Mode, Error> {
    modes.iter().copied().find(|mode| mode.bps() == rate.bps()).ok_or_else(|| {
        let shown = rate.write();
        let message =
            format!("802.11{} has no rate of {}", standard.name(), shown.as_text().unwrap_or_default());
        let faster = if standard.is_qos() { "; faster ones: mcs = 7" } else { "" };
        Error::new("", message).allowed(format!("{}{faster}", names(modes)))
    })
}

/// Returns the rates of modes as they are written in scenario files, for messages.
pub(super) fn names(modes: &[Mode]) -> String {
    let each = modes.iter().filter_map(|mode| DataRate::from_bps(mode.bps()));
    each.map(|rate| rate.write().to_string()).collect::<Vec<_>>().join(", ")
}
