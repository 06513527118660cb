//! What ends when: timers of radio link control, requests, measurements, handovers.

use crate::Tti;
use crate::amc::Direction;
use crate::network::Network;
use radio::access::Outbox;
use std::cmp::Reverse;

/// What a timer is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Timer {
    /// One of radio link control's, by direction.
    Rlc(Direction),
    /// A scheduling request arrives at the eNodeB.
    Request {
        /// The stay that it was sent in.
        stay: u32,
    },
    /// The UE measures its cells.
    Measure,
    /// The UE is told to go to another cell.
    Command {
        /// Which.
        cell: usize,
    },
    /// The UE arrives in its new cell.
    Attach,
    /// Its packets come to the new cell directly.
    Switch,
}

impl Network {
    /// `timer` of UE `ue`, set for `at`, ends.
    pub(crate) fn expire(&mut self, now: Tti, at: Tti, ue: u32, timer: Timer, out: &mut Outbox) {
        let user = &mut self.users[ue as usize];
        match timer {
            // An earlier one has taken its place: each left alive would set another, and they would pile up.
            Timer::Rlc(direction) if user.armed[direction as usize] != at => {}
            Timer::Rlc(direction) => {
                user.armed[direction as usize] = Tti::MAX;
                let mut fates = std::mem::take(&mut self.fates);
                self.users[ue as usize].entity(direction).expire(now, &mut fates);
                self.settle(now, ue, direction, fates, out);
            }
            Timer::Request { stay } if stay == user.stay => {
                user.asking = false;
                if let Some((_, bytes)) = user.telling.pop_front() {
                    user.reported = bytes;
                    self.grant_to(ue);
                } else if user.reported == 0 && user.grants.is_empty() {
                    user.reported = self.config.uplink.first_grant.into();
                    self.grant_to(ue);
                }
            }
            Timer::Request { .. } => {}
            Timer::Measure => self.measure(now, ue),
            Timer::Command { cell } => self.command(now, ue, cell, out),
            Timer::Attach => self.attach(now, ue),
            Timer::Switch => self.switch_path(ue),
        }
    }

    /// Starts `timer`.
    pub(crate) fn start(&mut self, at: Tti, ue: u32, timer: Timer) {
        self.timers.push(Reverse((at, ue, timer)));
        self.wake(at);
    }

    /// Starts the timer that UE `ue`'s entity of `direction` waits for.
    pub(crate) fn arm(&mut self, now: Tti, ue: u32, direction: Direction) {
        let user = &mut self.users[ue as usize];
        if let Some(at) = user.entity(direction).deadline(now)
            && at < user.armed[direction as usize]
        {
            user.armed[direction as usize] = at;
            self.start(at, ue, Timer::Rlc(direction));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Enb, Ue};
    use crate::rlc::{AmConfig, Mode};
    use base::{Body, Duration, Ecn, FlowId, Instant, LOWEST_CLASS, Packet};
    use radio::access::Station;

    /// In acknowledged mode a nearer deadline can come between: that leaves one timer too many, which must not set another.
    #[test]
    fn timers_do_not_pile_up() {
        let mut config = Config { enbs: vec![Enb::default()], ues: vec![Ue::default()], ..Config::default() };
        config.rlc.mode = Mode::Am(AmConfig::default());
        let mut network = Network::new(&config, 1, "cell");
        let mut out = Outbox::default();
        let mut most = 0;
        for seq in 0..20_000 {
            let now = Instant::ZERO + Duration::from_us(400) * seq;
            network.run(now, &mut out);
            let (from, to, wire) = if seq % 2 == 0 { (0, 1, 1500) } else { (1, 0, 40) };
            let body = Body::Datagram { seq, payload: wire - 28 };
            let (flow, ecn) = (FlowId(0), Ecn::NotEct);
            let packet = Packet { sent: now, flow, route: 0, wire, body, ecn, class: LOWEST_CLASS };
            network.send(now, Station(from), Station(to), packet, &mut out);
            most = most.max(network.timers.len());
        }
        assert!(most < 50, "{most} timers");
    }
}
