//! Fast fading: multipath propagation that changes with motion.
//!
//! The taps are those of the Extended Pedestrian A, Extended Vehicular A and Extended Typical Urban profiles
//! (TS 36.101, tables B.2.1-2 to B.2.1-4). Each is a sum of eight plane waves with random phases from evenly
//! spaced directions (after Clarke 1968), so that the tap's power is nearly exponentially distributed and its
//! Doppler spectrum is that of Jakes. The frequency response is computed at up to 16 frequencies of the band.
//! The effective SINR is that of a flat channel with the same capacity: the geometric mean of `1 + SINR *
//! gain`, minus 1.
//!
//! Simplified: a transport block sees the response of the whole band, whichever resource blocks it occupies;
//! interference does not fade; the two directions fade independently, as in FDD.

use base::Rng;
use settings::{Kinds, Settings};
use std::f64::consts::TAU;

/// Delay profile of TS 36.101, annex B.2, with its delay spread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Profile {
    /// Extended Pedestrian A: delays up to 410 ns, nearly flat.
    Epa,
    /// Extended Vehicular A: delays up to 2.5 us.
    Eva,
    /// Extended Typical Urban: delays up to 5 us, strongly frequency-selective.
    Etu,
}

impl Profile {
    /// Returns the profile's name in the standard.
    #[cfg(test)]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Epa => "EPA",
            Self::Eva => "EVA",
            Self::Etu => "ETU",
        }
    }

    /// Returns the delay (ns) and the relative power (dB) of each tap.
    const fn taps(self) -> &'static [(f64, f64)] {
        match self {
            Self::Epa => &[
                (0.0, 0.0),
                (30.0, -1.0),
                (70.0, -2.0),
                (90.0, -3.0),
                (110.0, -8.0),
                (190.0, -17.2),
                (410.0, -20.8),
            ],
            Self::Eva => &[
                (0.0, 0.0),
                (30.0, -1.5),
                (150.0, -1.4),
                (310.0, -3.6),
                (370.0, -0.6),
                (710.0, -9.1),
                (1090.0, -7.0),
                (1730.0, -12.0),
                (2510.0, -16.9),
            ],
            Self::Etu => &[
                (0.0, -1.0),
                (50.0, -1.0),
                (120.0, -1.0),
                (200.0, 0.0),
                (230.0, 0.0),
                (500.0, 0.0),
                (1600.0, -3.0),
                (2300.0, -5.0),
                (5000.0, -7.0),
            ],
        }
    }
}

/// Fast fading of all channels of a network, by a delay profile of TS 36.101.
#[derive(Clone, Copy, PartialEq, Debug, Default, Kinds)]
#[settings(what = "fading", named = "lte-fading")]
pub enum Config {
    /// No fast fading.
    #[default]
    None,
    /// Extended Pedestrian A: delays up to 410 ns, nearly flat.
    Epa(Epa),
    /// Extended Vehicular A: delays up to 2.5 us.
    Eva(Eva),
    /// Extended Typical Urban: delays up to 5 us, strongly frequency-selective.
    Etu(Etu),
}

macro_rules! profiles {
    ($($name:ident: $doppler:literal),+) => {$(
        /// Settings of a delay profile.
        #[derive(Clone, Copy, PartialEq, Debug, Settings)]
        pub struct $name {
            /// Greatest Doppler shift, Hz: speed of the UE divided by the wavelength.
            #[setting(default = $doppler, range = 0.0..=2000.0)]
            pub doppler: f64,
        }
    )+};
}

// The standard combines each of these Doppler shifts with several profiles; the defaults pair each profile with one.
profiles! { Epa: 5.0, Eva: 70.0, Etu: 300.0 }

impl Config {
    /// Returns the profile and the greatest Doppler shift, Hz; `None` without fading.
    pub(crate) fn profile(&self) -> Option<(Profile, f64)> {
        match *self {
            Self::None => None,
            Self::Epa(Epa { doppler }) => Some((Profile::Epa, doppler)),
            Self::Eva(Eva { doppler }) => Some((Profile::Eva, doppler)),
            Self::Etu(Etu { doppler }) => Some((Profile::Etu, doppler)),
        }
    }
}

/// Plane waves per tap.
const WAVES: usize = 8;

/// Maximum number of frequencies at which the response is computed.
const PLACES: usize = 16;

/// Fading of one channel as a function of time.
#[derive(Clone, Debug)]
pub(crate) struct Fading {
    taps: Vec<Tap>,
    /// Cosine and sine of the phase of each tap at each frequency, frequency by frequency.
    turns: Vec<(f64, f64)>,
}

#[derive(Clone, Debug)]
struct Tap {
    amplitude: f64,
    /// Doppler angular frequency (rad/s) and phase (rad) of each wave.
    waves: [(f64, f64); WAVES],
}

impl Fading {
    pub(crate) fn new(profile: Profile, doppler: f64, bandwidth: f64, rng: &mut Rng) -> Self {
        let profile = profile.taps();
        let power = |db: f64| libm::pow(10.0, db / 10.0);
        let total: f64 = profile.iter().map(|&(_, db)| power(db)).sum();
        let taps = profile
            .iter()
            .map(|&(_, db)| {
                let turn = rng.uniform();
                let mut waves = [(0.0, 0.0); WAVES];
                for (i, wave) in waves.iter_mut().enumerate() {
                    // Evenly spaced directions, rotated by a common random angle.
                    let direction = TAU * (i as f64 + turn) / WAVES as f64;
                    *wave = (TAU * doppler * libm::cos(direction), TAU * rng.uniform());
                }
                Tap { amplitude: libm::sqrt(power(db) / total / WAVES as f64), waves }
            })
            .collect();
        // About one frequency for every two resource blocks, at least two.
        let places = ((bandwidth / 360e3) as usize).clamp(2, PLACES);
        let turns = (0..places)
            .flat_map(|place| {
                let frequency = bandwidth * ((place as f64 + 0.5) / places as f64 - 0.5);
                profile.iter().map(move |&(delay, _)| {
                    let angle = -TAU * frequency * delay * 1e-9;
                    (libm::cos(angle), libm::sin(angle))
                })
            })
            .collect();
        Self { taps, turns }
    }

    /// Returns the effective SINR (linear) at time `seconds`; `quality` is the mean SINR.
    pub(crate) fn effective(&self, quality: f64, seconds: f64) -> f64 {
        let mut responses = [(0.0, 0.0); 9];
        for (tap, response) in self.taps.iter().zip(&mut responses) {
            for &(frequency, phase) in &tap.waves {
                let (sin, cos) = libm::sincos(frequency * seconds + phase);
                response.0 += tap.amplitude * cos;
                response.1 += tap.amplitude * sin;
            }
        }
        let responses = &responses[..self.taps.len()];
        let mut capacity = 1.0;
        let mut places = 0;
        for turns in self.turns.chunks_exact(self.taps.len()) {
            let (mut re, mut im) = (0.0, 0.0);
            for (&(cos, sin), &(x, y)) in turns.iter().zip(responses) {
                re += x * cos - y * sin;
                im += x * sin + y * cos;
            }
            capacity *= 1.0 + quality * (re * re + im * im);
            places += 1;
        }
        libm::pow(capacity, 1.0 / f64::from(places)) - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fading(profile: Profile, bandwidth: f64, name: &str) -> Fading {
        Fading::new(profile, 70.0, bandwidth, &mut Rng::stream(1, name))
    }

    /// The mean power is 1: at low SNR the capacity is linear in the power, so that the mean over time gives the mean power.
    #[test]
    fn mean_power_is_one() {
        for profile in [Profile::Epa, Profile::Eva, Profile::Etu] {
            let mut sum = 0.0;
            for channel in 0..20 {
                let fading = fading(profile, 4.5e6, &format!("{channel}"));
                sum += (0..1000).map(|i| fading.effective(1e-6, f64::from(i) * 0.037) / 1e-6).sum::<f64>();
            }
            let mean = sum / 20_000.0;
            assert!((mean - 1.0).abs() < 0.03, "{}: {mean}", profile.name());
        }
    }

    /// Over a band far wider than 1 / delay spread the power is the sum of the taps' exponential powers, with a standard deviation of
    /// `sqrt(sum of p^2)`, 0.359 for ETU. A narrow band fades as a single tap does, with a standard deviation of 1.
    #[test]
    fn wide_bands_fade_less() {
        let deviation = |profile, bandwidth| {
            let (mut sum, mut squares) = (0.0, 0.0);
            for channel in 0..40 {
                let fading = fading(profile, bandwidth, &format!("{channel}"));
                for i in 0..500 {
                    let power = fading.effective(1e-6, f64::from(i) * 0.031) / 1e-6;
                    sum += power;
                    squares += power * power;
                }
            }
            let mean = sum / 20_000.0;
            libm::sqrt(squares / 20_000.0 - mean * mean)
        };
        let flat = deviation(Profile::Epa, 0.18e6);
        let selective = deviation(Profile::Etu, 18e6);
        assert!((flat - 1.0).abs() < 0.1, "{flat}");
        assert!((selective - 0.359).abs() < 0.04, "{selective}");
    }

    /// The first zero of Clarke's autocorrelation J0(2 pi f t) is at 2 pi f t = 2.405: at 5.5 ms for a Doppler shift of 70 Hz.
    #[test]
    fn it_changes_as_fast_as_doppler_says() {
        let lag = 2.4048 / (TAU * 70.0);
        let (mut near, mut far, mut zero) = (0.0, 0.0, 0.0);
        for channel in 0..60 {
            let fading = fading(Profile::Epa, 180e3, &format!("{channel}"));
            for i in 0..300 {
                let at = |t: f64| fading.effective(1e-6, t) / 1e-6 - 1.0;
                let t = f64::from(i) * 0.0313;
                zero += at(t) * at(t);
                near += at(t) * at(t + 0.0002);
                far += at(t) * at(t + lag);
            }
        }
        assert!(near / zero > 0.97, "{}", near / zero);
        assert!((far / zero).abs() < 0.12, "{}", far / zero);
    }
}
