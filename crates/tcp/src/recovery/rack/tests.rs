//! Equality of the fast path and all rules: in unit tests each acknowledgment that takes the fast path is
//! handled by all rules as well, and the results are compared.

use super::State;
use crate::config::Parameters;
use crate::congestion::Controls;
use crate::tcb::Tcb;
use crate::{Receiver, Sender, Table};
use base::{AckHeader, DataHeader, Duration, Instant, Rng};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

impl State {
    /// Returns the state to be compared after an acknowledgment, with that of the sender, as text.
    pub(super) fn essence(&self, tcb: &Tcb) -> String {
        let deliveries = &self.deliveries;
        let times = (deliveries.newest, deliveries.rtt, deliveries.min_rtt, deliveries.measured);
        let order = (deliveries.fack, deliveries.reordering_seen, self.sendings.late.len());
        format!(
            "{tcb:?} {:?} {:?} {times:?} {order:?} {:?}",
            self.board,
            (self.active, self.calm, self.probe, self.urgent),
            self.alarm
        )
    }

    /// Clears what only the handling of one acknowledgment uses, and the next one begins by clearing.
    pub(crate) fn clear_scratch(&mut self) {
        self.deliveries.latest = None;
        self.deliveries.earliest = None;
    }

    /// Returns the state after `ack` has been handled by all rules.
    pub(super) fn after_all_rules(&self, tcb: &Tcb, now: Instant, ack: &AckHeader) -> String {
        let (mut state, mut tcb) = (self.clone(), tcb.clone());
        state.on_ack(&mut tcb, now, ack);
        state.essence(&tcb)
    }
}

/// Transfers `segments` over a path with 1 ms per segment and a round-trip time of 40 ms. It loses each
/// packet with probability `loss`, and delays one segment of twenty by up to 30 ms; returns the number of
/// acknowledgments.
fn transfer(variant: &str, segments: u64, loss: f64, seed: u64) -> u64 {
    let table = Table {
        variant: Some(variant.into()),
        profile: Some("linux".into()),
        parameters: Parameters::default(),
        controls: Controls::default(),
    };
    let (_, config) = table.resolve().expect("a variant");
    let mut rng = Rng::stream(seed, "path");
    let mut sender = Sender::new(&Arc::new(config.clone()), Duration::ZERO);
    let mut receiver = Receiver::new(&config);
    let mut flying: BTreeMap<(Instant, u64), Result<DataHeader, AckHeader>> = BTreeMap::new();
    let (mut now, mut free, mut number, mut acks) = (Instant::ZERO, Instant::ZERO, 0, 0);
    sender.open(now, Some(segments * 1448));
    while sender.finished().is_none() && now < Instant::ZERO + Duration::from_secs(2000) {
        while let Some((segment, _)) = sender.poll(now) {
            free = free.max(now) + Duration::from_ms(1);
            let late =
                if rng.uniform() < 0.05 { rng.duration_below(Duration::from_ms(30)) } else { Duration::ZERO };
            if rng.uniform() >= loss {
                number += 1;
                flying.insert((free + Duration::from_ms(20) + late, number), Ok(segment));
            }
        }
        while let Some((ack, _)) = receiver.poll(now) {
            if rng.uniform() >= loss {
                number += 1;
                flying.insert((now + Duration::from_ms(20), number), Err(ack));
            }
        }
        let arrival = flying.first_key_value().map(|((at, _), _)| *at);
        let timers =
            [sender.timer(), sender.release(), receiver.timer()].map(|timer| timer.map(|timer| timer.at));
        now = timers.into_iter().chain([arrival]).flatten().min().expect("the connection is stuck");
        if arrival == Some(now) {
            match flying.pop_first().expect("it is there").1 {
                Ok(segment) => receiver.on_segment(now, &segment),
                Err(ack) => {
                    acks += 1;
                    sender.on_ack(now, &ack);
                }
            }
        } else if timers[0] == Some(now) {
            sender.on_timer(now);
        } else if timers[1] != Some(now) {
            receiver.on_timer(now);
        }
    }
    acks
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// The comparison itself is in `State::on_calm_ack`.
    #[test]
    fn the_short_way_is_that_of_all_rules(
        variant in prop::sample::select(vec!["reno", "cubic", "dctcp", "bbr", "rack+vegas"]),
        loss in prop::sample::select(vec![0.0, 0.003, 0.02, 0.1]),
        seed in any::<u64>(),
    ) {
        let acks = transfer(variant, 300, loss, seed);
        prop_assert!(acks > 100);
    }
}
