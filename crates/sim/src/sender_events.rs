//! Events of TCP senders, converted for metrics and probes.

use crate::losses::FlowLosses;
use base::{FlowId, Instant, Observation, Probe, Variable};
use metrics::FlowStats;
use tcp::congestion::LossClassification;

/// Records the events of the sender of flow `id`.
#[inline(always)]
pub(crate) fn record_events<P: Probe>(
    now: Instant,
    id: FlowId,
    sender: &mut tcp::Sender,
    stats: &mut FlowStats,
    losses: &mut [FlowLosses],
    probe: &mut P,
) {
    while let Some(event) = sender.poll_event() {
        match event {
            tcp::Event::Loss(loss) => {
                let random = loss.classification == LossClassification::Random;
                losses[id.index()].reactions.on_reaction(now, loss.seq, loss.timeout, random);
            }
            tcp::Event::RoundTrip(rtt) => {
                stats.rtt.add(rtt);
                if P::VARIABLES {
                    probe.observe(now, Observation::Variable(id, Variable::Rtt, rtt.secs()));
                }
            }
            tcp::Event::Acked(bytes) => {
                if P::PACKETS {
                    probe.observe(now, Observation::Acked(id, bytes));
                }
            }
            tcp::Event::Variable(variable, value) => {
                if P::VARIABLES {
                    probe.observe(now, Observation::Variable(id, variable, value));
                }
            }
        }
    }
}
