//! Loss models: which packets a link loses, and why.

use base::{Body, DropCause, FlowId, Packet, Rng};

/// One loss model with its state.
#[derive(Clone, Debug)]
pub enum LossModel {
    /// Each packet by itself. A draw is made for every packet, so that two variants on one seed meet the same draws.
    Random {
        /// Probability of loss.
        rate: f64,
        /// Spare acknowledgments.
        data_only: bool,
        /// The model's own stream.
        rng: Rng,
    },
    /// Each bit by itself; one wrong bit loses the packet: `1 - (1 - rate)^(8 bytes)`.
    BitError {
        /// Probability of a wrong bit.
        rate: f64,
        /// The model's own stream.
        rng: Rng,
    },
    /// Listed packets, counted from 0 as they arrive.
    List {
        /// Whose packets are counted; everybody's where `None`.
        flow: Option<FlowId>,
        /// Which are lost, ascending.
        packets: Vec<u64>,
        /// Packets counted so far.
        seen: u64,
        /// Entries of `packets` used up.
        used: usize,
    },
}

impl LossModel {
    /// Whether `packet`, arriving now, is lost; and why.
    pub fn lose(&mut self, packet: &Packet) -> Option<DropCause> {
        match self {
            Self::Random { rate, data_only, rng } => {
                if *data_only && !packet.is_forward() {
                    return None;
                }
                (rng.uniform() < *rate).then_some(DropCause::Random)
            }
            Self::BitError { rate, rng } => {
                let bits = 8.0 * f64::from(packet.wire);
                let intact = libm::exp(bits * libm::log1p(-*rate));
                (rng.uniform() >= intact).then_some(DropCause::BitError)
            }
            Self::List { flow, packets, seen, used } => {
                let counted = match flow {
                    // A flow's list counts what it sends, not what is acknowledged to it.
                    Some(flow) => packet.flow == *flow && !matches!(packet.body, Body::Ack(_)),
                    None => true,
                };
                if !counted {
                    return None;
                }
                let number = *seen;
                *seen += 1;
                let lost = packets.get(*used) == Some(&number);
                *used += usize::from(lost);
                lost.then_some(DropCause::List)
            }
        }
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
    use base::{DataHeader, Ecn, Instant};

    fn packet(flow: u32, wire: u32) -> Packet {
        let body = Body::Data(DataHeader::default());
        Packet { sent: Instant::ZERO, flow: FlowId(flow), route: 0, wire, body, ecn: Ecn::NotEct, class: 0 }
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
    fn lists_count_one_flow() {
        let mut list = LossModel::List { flow: Some(FlowId(1)), packets: vec![0, 2], seen: 0, used: 0 };
        let lost: Vec<bool> = [1, 0, 1, 1, 1].map(|flow| list.lose(&packet(flow, 1500)).is_some()).to_vec();
        assert_eq!(lost, [true, false, false, true, false]);
    }
}
