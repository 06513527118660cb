//! Loss models: which packets a link loses, and why.
//!
//! | model | loses | source |
//! |---|---|---|
//! | [`LossModel::Random`] | each packet by itself with a probability | |
//! | [`LossModel::BitError`] | each packet with at least one wrong bit: `1 - (1 - rate)^(8 bytes)` | |
//! | [`LossModel::GilbertElliott`] | in bursts: [`gilbert_elliott`] | Gilbert 1960, Elliott 1963 |
//! | [`LossModel::List`], [`LossModel::Periodic`], [`LossModel::Trace`] | packets by their number, counted as they arrive: [`counted`] | |
//!
//! Random models draw as often for every packet, lost or not, so that two variants on one seed meet the same draws.

pub mod counted;
pub mod gilbert_elliott;

use base::{DropCause, Packet, Rng};
use counted::{Counter, List, Periodic, Trace};
use gilbert_elliott::GilbertElliott;

/// One loss model with its state.
#[derive(Clone, Debug)]
pub enum LossModel {
    /// Each packet by itself.
    Random {
        /// Probability of loss.
        rate: f64,
        /// Spare acknowledgments.
        data_only: bool,
        /// The model's own stream.
        rng: Rng,
    },
    /// Each bit by itself; one wrong bit loses the packet.
    BitError {
        /// Probability of a wrong bit.
        rate: f64,
        /// The model's own stream.
        rng: Rng,
    },
    /// In bursts.
    GilbertElliott(GilbertElliott),
    /// Listed packets.
    List(Counter, List),
    /// One packet in every N.
    Periodic(Counter, Periodic),
    /// What a trace says.
    Trace(Counter, Trace),
}

impl LossModel {
    /// Whether `packet`, arriving now, is lost; and why.
    pub fn lose(&mut self, packet: &Packet) -> Option<DropCause> {
        let (lost, cause) = match self {
            Self::Random { data_only: true, .. } if !packet.is_forward() => return None,
            Self::Random { rate, rng, .. } => (rng.uniform() < *rate, DropCause::Random),
            Self::BitError { rate, rng } => {
                let bits = 8.0 * f64::from(packet.wire);
                let intact = libm::exp(bits * libm::log1p(-*rate));
                (rng.uniform() >= intact, DropCause::BitError)
            }
            Self::GilbertElliott(model) => (model.lose(), DropCause::GilbertElliott),
            Self::List(counter, list) => (list.lose(counter.number(packet)?), DropCause::List),
            Self::Periodic(counter, every) => (every.lose(counter.number(packet)?), DropCause::Periodic),
            Self::Trace(counter, trace) => (trace.lose(counter.number(packet)?), DropCause::Trace),
        };
        lost.then_some(cause)
    }
}

/// The loss models of one place, each asked in turn until one takes the packet.
#[derive(Clone, Debug, Default)]
pub struct Losses(pub Vec<LossModel>);

impl Losses {
    /// Whether `packet` is lost; and why.
    #[inline]
    pub fn lose(&mut self, packet: &Packet) -> Option<DropCause> {
        if self.0.is_empty() { None } else { self.0.iter_mut().find_map(|model| model.lose(packet)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Body, DataHeader, Ecn, FlowId, Instant, LOWEST_CLASS};

    fn packet(flow: u32, wire: u32) -> Packet {
        let (body, ecn) = (Body::Data(DataHeader::default()), Ecn::NotEct);
        Packet { sent: Instant::ZERO, flow: FlowId(flow), route: 0, wire, body, ecn, class: LOWEST_CLASS }
    }

    fn share(model: &mut LossModel, wire: u32) -> f64 {
        let n = 200_000;
        (0..n).filter(|_| model.lose(&packet(0, wire)).is_some()).count() as f64 / f64::from(n)
    }

    #[test]
    fn rates_come_out() {
        let rng = Rng::stream(1, "test");
        let random = share(&mut LossModel::Random { rate: 0.03, data_only: false, rng: rng.clone() }, 1500);
        assert!((random - 0.03).abs() < 0.002, "{random}");
        // 1 - (1 - 1e-5)^12000 = 0.1131
        let bits = share(&mut LossModel::BitError { rate: 1e-5, rng }, 1500);
        assert!((bits - 0.1131).abs() < 0.003, "{bits}");
    }

    #[test]
    fn numbers_count_one_flow() {
        let mut list = LossModel::List(Counter::of(Some(FlowId(1))), List::new(vec![0, 2]));
        let lost: Vec<bool> = [1, 0, 1, 1, 1].map(|flow| list.lose(&packet(flow, 1500)).is_some()).to_vec();
        assert_eq!(lost, [true, false, false, true, false]);
    }
}
