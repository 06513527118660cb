//! Loss models: they decide which packets a link loses, and give the cause of each loss.
//!
//! A model is one file and one line of `losses!`. Its `Config` is its table in scenario files, schema and
//! lists, and builds the model's state. Drops of a model count under the [`DropCause`] of the same name. A
//! random model makes the same number of draws for every packet that it may lose, lost or not, so that two
//! variants with the same seed see the same draws.

pub mod bit_error;
pub mod counted;
pub mod gilbert_elliott;
pub mod hold;
pub mod list;
mod model;
mod numbers;
pub mod periodic;
pub mod random;
pub mod trace;

use base::{DropCause, Duration, Packet, Rng};
use hold::Hold;
use settings::{Error, Kinds};

pub use model::{Lose, LossSettings, Place};

/// Declares each loss model: its name, which is also the name of its [`DropCause`], and the type of its
/// settings.
macro_rules! losses {
    ($($(#[$doc:meta])* $name:ident($config:ty),)+) => {
        /// A loss model and its settings.
        #[derive(Clone, PartialEq, Debug, Kinds)]
        #[settings(what = "loss")]
        pub enum Config {
            $($(#[$doc])* $name($config),)+
        }

        /// A loss model with its state.
        #[derive(Clone, Debug)]
        pub enum LossModel {
            $($(#[$doc])* $name(<$config as LossSettings>::Model),)+
        }

        impl LossModel {
            /// Returns the cause if `packet`, which arrives now, is lost.
            pub fn lose(&mut self, packet: &Packet) -> Option<DropCause> {
                match self { $(Self::$name(model) => model.lose(packet).then_some(DropCause::$name),)+ }
            }
        }

        impl Config {
            /// Returns the position of the flow whose packets alone are counted; `None` if all packets are
            /// counted.
            pub fn flow(&self) -> Option<usize> {
                match self { $(Self::$name(config) => config.flow(),)+ }
            }

            fn complete(&mut self, at: Place) -> Result<(), Error> {
                match self { $(Self::$name(config) => config.complete(at),)+ }
            }

            fn hold(&self) -> Option<Hold> {
                match self { $(Self::$name(config) => config.hold(),)+ }
            }

            fn build(&self, rng: Rng) -> LossModel {
                match self { $(Self::$name(config) => LossModel::$name(config.build(rng)),)+ }
            }
        }
    };
}

losses! {
    /// Each packet independently with a probability.
    Random(random::Config),
    /// Each bit is wrong independently with a probability; one wrong bit loses the packet.
    BitError(bit_error::Config),
    /// In bursts: a good and a bad state, each with its own loss probability. Share lost: (loss_good r +
    /// loss_bad p) / (p + r).
    GilbertElliott(gilbert_elliott::Config),
    /// Packets listed by number.
    List(list::Config),
    /// Every N-th packet.
    Periodic(periodic::Config),
    /// By a file with a mark for each packet. The settings name the file, or have its content as `lost` and
    /// `length`.
    Trace(trace::Config),
}

/// A loss model on one direction of a link, with complete settings.
#[derive(Clone, PartialEq, Debug)]
pub struct Loss {
    config: Config,
    at: Place,
}

impl Loss {
    /// Creates a loss model at the place `at`; values that `config` leaves open are filled in.
    ///
    /// # Errors
    /// If settings exclude each other; the error's path is relative to the model's table.
    pub fn new(mut config: Config, at: Place) -> Result<Self, Error> {
        config.complete(at)?;
        Ok(Self { config, at })
    }

    /// Returns the settings, with derived values filled in.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the place where the model loses packets.
    pub fn at(&self) -> Place {
        self.at
    }

    /// Returns true if the model delays packets instead of losing them.
    pub fn holds(&self) -> bool {
        self.config.hold().is_some()
    }
}

/// Loss models at one place of a link. A packet passes through them in order, until one model loses the packet.
#[derive(Clone, Debug, Default)]
pub struct Losses(pub Vec<LossModel>);

impl Losses {
    /// Returns the cause if one of the models loses `packet`.
    #[inline]
    pub fn lose(&mut self, packet: &Packet) -> Option<DropCause> {
        if self.0.is_empty() { None } else { self.0.iter_mut().find_map(|model| model.lose(packet)) }
    }
}

/// Loss models of one direction of a link, by place.
#[derive(Clone, Debug, Default)]
pub struct LinkLosses {
    /// Models that delay listed packets before the queue; only stepped links have them.
    holds: Vec<Hold>,
    /// True if the next packet has been delayed already and must not be delayed again.
    passes: bool,
    /// Loss models before the queue.
    pub entry: Losses,
    /// Loss models behind the queue.
    pub wire: Losses,
}

impl LinkLosses {
    /// Builds the models of `losses`. Model number i draws from the stream `name.loss.i`.
    pub fn new(losses: &[Loss], seed: u64, name: &str) -> Self {
        let mut built = Self::default();
        for (i, loss) in losses.iter().enumerate() {
            if let Some(hold) = loss.config.hold() {
                built.holds.push(hold);
                continue;
            }
            let model = loss.config.build(Rng::stream(seed, &format!("{name}.loss.{i}")));
            match loss.at {
                Place::Entry => built.entry.0.push(model),
                Place::Wire => built.wire.0.push(model),
            }
        }
        built
    }

    /// Returns the time by which `packet`, which arrives now, is delayed before the queue; `None` if it is
    /// not delayed.
    pub fn hold(&mut self, packet: &Packet) -> Option<Duration> {
        if std::mem::take(&mut self.passes) {
            return None;
        }
        self.holds.iter_mut().find_map(|hold| hold.hold(packet))
    }

    /// Lets the next packet pass without another delay, because it has been delayed already.
    pub fn let_pass(&mut self) {
        self.passes = true;
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use base::{Body, DataHeader, Ecn, FlowId, Instant, LOWEST_CLASS};

    pub(crate) fn packet(flow: u32, wire: u32) -> Packet {
        let (body, ecn) = (Body::Data(DataHeader::default()), Ecn::NotEct);
        Packet { sent: Instant::ZERO, flow: FlowId(flow), route: 0, wire, body, ecn, class: LOWEST_CLASS }
    }

    /// Returns the numbers of the packets lost among the first `n`.
    pub(crate) fn lost(mut config: impl LossSettings, n: u64) -> Vec<u64> {
        config.complete(Place::Wire).unwrap();
        let mut model = config.build(Rng::stream(1, "test"));
        (0..n).filter(|_| model.lose(&packet(0, 1500))).collect()
    }

    fn share(config: impl LossSettings) -> f64 {
        lost(config, 200_000).len() as f64 / 200_000.0
    }

    #[test]
    fn rates_come_out() {
        let random = share(random::Config { rate: 0.03, spare_acks: false });
        assert!((random - 0.03).abs() < 0.002, "{random}");
        // Packets of 1500 bytes are lost with a probability of 1 - (1 - 1e-5)^12000 = 0.1131.
        let bits = share(bit_error::Config { rate: 1e-5 });
        assert!((bits - 0.1131).abs() < 0.003, "{bits}");
    }

    #[test]
    fn a_kind_and_its_cause_have_one_name() {
        let causes = DropCause::ALL.map(DropCause::name);
        assert!(Config::NAMES.iter().all(|kind| causes.contains(kind)), "{causes:?}");
    }
}
