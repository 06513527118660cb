//! The network: packets enter at the gateway or at a UE, and leave at the other end or are lost.
//!
//! Everything on the air happens at the beginning of a subframe: received blocks are decoded, timers end, uplink
//! grants are used and given, the downlink is scheduled. A subframe in which nothing would happen is skipped.

use crate::air::{AirInterface, Decoding};
use crate::amc::Direction;
use crate::config::Config;
use crate::downlink::Downlink;
use crate::epc::Epc;
use crate::handover::Handovers;
use crate::rlc::{Fates, Pdu, Sdu};
use crate::stats::Stats;
use crate::subframe::{Tti, after, begins};
use crate::timers::Timer;
use crate::uplink::Uplink;
use base::{Buffer, DropCause, Instant, Packet};
use radio::access::{Outbox, Station};

/// An LTE network.
#[derive(Clone, Debug)]
pub struct Network {
    air: AirInterface,
    downlink: Downlink,
    uplink: Uplink,
    epc: Epc,
    handovers: Handovers,
    fates: Fates,
}

impl Network {
    /// Creates the network of `config`, which must have passed [`Config::check`]. Random draws come from streams of
    /// `seed` named after `name`.
    pub fn new(config: &Config, seed: u64, name: &str) -> Self {
        let mut air = AirInterface::new(config, seed, name);
        Self {
            downlink: Downlink::new(config),
            uplink: Uplink::new(config),
            epc: Epc::new(config, air.users.iter().map(|user| user.cell)),
            handovers: Handovers::new(config.handover, config.enbs.len(), &mut air),
            fates: Fates::default(),
            air,
        }
    }

    /// Accepts a packet at station `at` for station `to`: from the gateway to a UE, from a UE to the gateway, or from
    /// one UE to another.
    pub fn send(&mut self, now: Instant, at: Station, to: Station, packet: Packet, out: &mut Outbox) {
        let sdu = Sdu { packet, to: to.0 };
        match at.0.checked_sub(1) {
            None => self.enter_core(now, sdu, out),
            Some(ue) => self.enter_ue(now, ue, sdu, out),
        }
    }

    /// Returns the time at which [`Network::run`] must be called next; `None` if nothing happens until a packet
    /// enters.
    pub fn next(&self) -> Option<Instant> {
        let subframe = self.air.timers.due().map(begins);
        [self.epc.next_at_gateway(), subframe].into_iter().flatten().min()
    }

    /// Carries out everything that is due at or before `now`.
    pub fn run(&mut self, now: Instant, out: &mut Outbox) {
        while let Some(next) = self.next()
            && next <= now
        {
            if let Some(due) = self.air.timers.due()
                && begins(due) == next
            {
                self.subframe(due, out);
            }
            self.leave_core(next, out);
        }
    }

    /// Completes the counters at the end of the run.
    pub fn finish(&mut self, _now: Instant) {
        for (ue, (stats, user)) in self.air.stats.ues.iter_mut().zip(&self.air.users).enumerate() {
            stats.cell = user.cell;
            stats.cqi = self.downlink.last_cqi(ue);
        }
    }

    /// Returns the counters of UEs and cells, and the number of simulated subframes.
    pub fn stats(&self) -> &Stats {
        &self.air.stats
    }

    /// Reports to `see`, for each UE's RLC buffers down and up, how many packets and bytes wait for their first
    /// transmission.
    pub fn buffers(&self, see: &mut dyn FnMut(Station, Buffer, u64, u64)) {
        for (ue, user) in (1..).zip(&self.air.users) {
            see(Station(ue), Buffer::RlcDown, user.down.unsent_packets(), user.down.buffered());
            see(Station(ue), Buffer::RlcUp, user.up.unsent_packets(), user.up.buffered());
        }
    }

    /// Returns the number of packets that have entered and have neither left nor been lost.
    pub fn inside(&self) -> usize {
        let buffered = self.air.users.iter().map(|user| user.down.inside() + user.up.inside());
        self.epc.inside() + buffered.sum::<usize>()
    }

    /// Sends a packet for a UE from the gateway into the core network.
    fn enter_core(&mut self, now: Instant, sdu: Sdu, out: &mut Outbox) {
        let Some(ue) = sdu.to.checked_sub(1) else {
            // A packet from the gateway to itself.
            return out.delivered.push((Station(0), sdu.packet));
        };
        self.air.packets(ue, Direction::Down).entered += 1;
        match self.epc.send_down(now, ue, sdu) {
            Some(at) => self.air.timers.wake(after(at)),
            None => self.lose_in_core(ue, Direction::Down, sdu, out),
        }
    }

    /// Puts a packet of UE `ue` into its uplink buffer.
    fn enter_ue(&mut self, now: Instant, ue: u32, sdu: Sdu, out: &mut Outbox) {
        self.air.packets(ue, Direction::Up).entered += 1;
        if self.air.users[ue as usize].up.push(sdu.packet, sdu.to) {
            self.uplink.on_packet(ue, after(now), &mut self.air);
        } else {
            self.air.packets(ue, Direction::Up).lost_buffer += 1;
            out.lost.push((Station(ue + 1), sdu.packet, DropCause::RlcBuffer));
        }
    }

    /// Delivers the packets from UEs that reach the gateway at or before `now`; a packet for another UE goes down
    /// again.
    fn leave_core(&mut self, now: Instant, out: &mut Outbox) {
        for cell in 0..self.epc.cells() {
            while let Some((at, ue, sdu)) = self.epc.pop_at_gateway(now, cell) {
                self.air.packets(ue, Direction::Up).delivered += 1;
                match sdu.to {
                    0 => out.delivered.push((Station(0), sdu.packet)),
                    _ => self.enter_core(at, sdu, out),
                }
            }
        }
    }

    fn subframe(&mut self, now: Tti, out: &mut Outbox) {
        self.air.timers.begin();
        self.air.stats.subframes += 1;
        while let Some(decoding) = self.air.pop_decoded(now) {
            self.decode(now, decoding, out);
        }
        while let Some((at, ue, timer)) = self.air.timers.pop(now) {
            self.expire(now, at, ue, timer, out);
        }
        self.enter_cells(now, out);
        self.uplink.subframe(now, &mut self.air, out);
        self.downlink.subframe(now, &mut self.air, out);
        self.sleep(now);
    }

    /// Moves packets that have reached eNodeBs before subframe `now` into the buffers of their UEs.
    fn enter_cells(&mut self, now: Tti, out: &mut Outbox) {
        let instant = begins(now);
        for cell in 0..self.epc.cells() {
            while let Some((ue, sdu)) = self.epc.pop_forwarded(instant, cell) {
                self.enter_buffer(ue, sdu, out);
            }
        }
        for cell in 0..self.epc.cells() {
            while let Some((ue, sdu)) = self.epc.pop_at_enb(instant, cell) {
                if self.air.users[ue as usize].cell != cell {
                    self.forward(now, ue, cell, sdu, out);
                } else if self.epc.detoured(ue, cell) {
                    self.epc.wait(ue, sdu);
                } else {
                    self.enter_buffer(ue, sdu, out);
                }
            }
        }
        for ue in 0..self.air.users.len() as u32 {
            if !self.epc.any_waits() {
                break;
            }
            while let Some(sdu) = self.epc.pop_waiting(ue, self.air.users[ue as usize].cell) {
                self.enter_buffer(ue, sdu, out);
            }
        }
    }

    /// Puts a packet into the downlink buffer of UE `ue`; drops it if the buffer is full.
    fn enter_buffer(&mut self, ue: u32, sdu: Sdu, out: &mut Outbox) {
        let user = &mut self.air.users[ue as usize];
        let stats = &mut self.air.stats.ues[ue as usize];
        if user.down.push(sdu.packet, sdu.to) {
            stats.longest_buffer = stats.longest_buffer.max(user.down.buffered());
            self.downlink.activate(ue, user);
        } else {
            stats.downlink.lost_buffer += 1;
            out.lost.push((Station(0), sdu.packet, DropCause::RlcBuffer));
        }
    }

    /// Schedules the next subframe after `now` in which something happens.
    fn sleep(&mut self, now: Tti) {
        let events = [
            self.air.next_decoded(),
            self.air.timers.next(),
            self.downlink.next(now),
            self.uplink.next(now),
            self.epc.next_at_enb().map(after),
        ];
        if let Some(due) = events.into_iter().flatten().min() {
            self.air.timers.wake(due.max(now + 1));
        }
    }

    /// Handles the end of `timer` of UE `ue`, which was set for subframe `at`.
    fn expire(&mut self, now: Tti, at: Tti, ue: u32, timer: Timer, out: &mut Outbox) {
        let user = &mut self.air.users[ue as usize];
        match timer {
            // A later call of `arm` has replaced this timer. If both timers acted and started another, timers would
            // multiply.
            Timer::Rlc(direction) if user.armed[direction as usize] != at => {}
            Timer::Rlc(direction) => {
                user.armed[direction as usize] = Tti::MAX;
                let mut fates = std::mem::take(&mut self.fates);
                user.entity(direction).expire(now, &mut fates);
                self.settle(now, ue, direction, fates, out);
            }
            Timer::Request { stay } if stay == user.stay => self.uplink.on_request(ue, user.cell),
            Timer::Request { .. } => {}
            Timer::Measure => self.handovers.measure(now, ue, &mut self.air),
            Timer::Trigger { since } => self.handovers.trigger(now, ue, since, &mut self.air),
            Timer::Command { cell } => self.hand_over(now, ue, cell, out),
            Timer::Attach => self.attach(now, ue),
            Timer::Switch => self.epc.switch_path(ue, user.cell),
        }
    }

    /// Handles a transport block that has been decoded, or that HARQ has given up.
    fn decode(&mut self, now: Tti, decoding: Decoding, out: &mut Outbox) {
        let Decoding { direction, received, block, .. } = decoding;
        let ue = block.ue;
        let user = &mut self.air.users[ue as usize];
        if block.stay == user.stay {
            // A status report is about the PDUs of the other direction.
            if received && block.pdus.iter().any(|pdu| matches!(pdu, Pdu::Status(_))) {
                let other = direction.other();
                let mut fates = std::mem::take(&mut self.fates);
                for pdu in &block.pdus {
                    if let Pdu::Status(status) = pdu {
                        user.entity(other).status(now, status, &mut fates);
                    }
                }
                self.settle(now, ue, other, fates, out);
            }
            let mut fates = std::mem::take(&mut self.fates);
            let user = &mut self.air.users[ue as usize];
            for pdu in &block.pdus {
                match received {
                    true => user.entity(direction).arrive(now, pdu, &mut fates),
                    false => user.entity(direction).gave_up(pdu, &mut fates),
                }
            }
            if direction == Direction::Up {
                self.uplink.on_block(&block, received, user.cell);
            }
            self.settle(now, ue, direction, fates, out);
        }
        self.air.recycle(block.pdus);
    }

    /// Reports the packets that UE `ue`'s entity of `direction` has delivered or lost, then starts the timers and
    /// requests that the UE's two entities need.
    fn settle(&mut self, now: Tti, ue: u32, direction: Direction, mut fates: Fates, out: &mut Outbox) {
        let here = Station(ue + 1);
        for sdu in fates.lost.drain(..) {
            self.air.packets(ue, direction).lost_harq += 1;
            out.lost.push((here, sdu.packet, DropCause::Harq));
        }
        for sdu in fates.delivered.drain(..) {
            match direction {
                Direction::Down => {
                    self.air.packets(ue, direction).delivered += 1;
                    out.delivered.push((here, sdu.packet));
                }
                Direction::Up => {
                    let cell = self.air.users[ue as usize].cell;
                    if self.epc.send_up(begins(now), cell, ue, sdu).is_none() {
                        self.lose_in_core(ue, direction, sdu, out);
                    }
                }
            }
        }
        self.fates = fates;
        for direction in [Direction::Down, Direction::Up] {
            self.air.arm(now, ue, direction);
        }
        self.activate(now, ue);
        self.uplink.request(ue, now + 1, &mut self.air);
    }

    /// Adds UE `ue` to the downlink scheduler if data or a status report waits for it.
    fn activate(&mut self, now: Tti, ue: u32) {
        let user = &self.air.users[ue as usize];
        if user.waits_down(now) > 0 {
            self.downlink.activate(ue, user);
        }
    }

    /// Carries out the handover command: UE `ue` leaves its cell for `cell`.
    fn hand_over(&mut self, now: Tti, ue: u32, cell: usize, out: &mut Outbox) {
        let user = &mut self.air.users[ue as usize];
        let old = user.cell;
        user.cell = cell;
        user.stay += 1;
        user.attached = false;
        self.epc.detour(ue);
        self.downlink.leave(ue, old);
        self.uplink.leave(now, ue, old);
        self.handovers.leave(now, ue, &mut self.air);
        let mut fates = Fates::default();
        let keeps = self.handovers.keeps_waiting();
        for (sdu, again) in self.air.users[ue as usize].down.restart(&mut fates) {
            match again && keeps {
                true => self.forward(now, ue, old, sdu, out),
                false => self.lose_at_handover(ue, Direction::Down, sdu, out),
            }
        }
        self.settle(now, ue, Direction::Down, fates, out);
        let mut fates = Fates::default();
        for (sdu, again) in self.air.users[ue as usize].up.restart(&mut fates) {
            // Packets that may be sent in the new cell stay in the UE, if its buffer has room for them.
            if !(again && keeps && self.air.users[ue as usize].up.push(sdu.packet, sdu.to)) {
                self.lose_at_handover(ue, Direction::Up, sdu, out);
            }
        }
        self.settle(now, ue, Direction::Up, fates, out);
    }

    fn attach(&mut self, now: Tti, ue: u32) {
        self.air.users[ue as usize].attached = true;
        self.activate(now, ue);
        self.uplink.request(ue, now, &mut self.air);
        self.handovers.attach(now, ue, &mut self.air);
    }

    /// Forwards a downlink packet over X2 from cell `from`, which UE `ue` has left; loses the packet if forwarding is
    /// off.
    fn forward(&mut self, now: Tti, ue: u32, from: usize, sdu: Sdu, out: &mut Outbox) {
        if !self.handovers.forwarding() {
            return self.lose_at_handover(ue, Direction::Down, sdu, out);
        }
        match self.epc.forward(begins(now), from, ue, sdu) {
            Some(at) => self.air.timers.wake(after(at)),
            None => self.lose_in_core(ue, Direction::Down, sdu, out),
        }
    }

    /// Counts a packet as lost because the queue of a link in the core network was full.
    fn lose_in_core(&mut self, ue: u32, direction: Direction, sdu: Sdu, out: &mut Outbox) {
        self.air.packets(ue, direction).lost_backhaul += 1;
        out.lost.push((Station(0), sdu.packet, DropCause::Queue));
    }

    /// Counts a packet as lost because it was left in the old cell.
    fn lose_at_handover(&mut self, ue: u32, direction: Direction, sdu: Sdu, out: &mut Outbox) {
        self.air.packets(ue, direction).lost_handover += 1;
        let at = if direction == Direction::Down { 0 } else { ue + 1 };
        out.lost.push((Station(at), sdu.packet, DropCause::Handover));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Enb, Grants, Ue};
    use crate::rlc::{AmConfig, Mode};
    use base::{Body, Duration, Ecn, FlowId, LOWEST_CLASS};

    /// Runs a network for 8 s with traffic of 15 Mb/s to its UE and 0.4 Mb/s from it; calls `see` every 0.4
    /// ms.
    fn both_ways(config: &Config, mut see: impl FnMut(&Network)) -> Network {
        let mut network = Network::new(config, 1, "cell");
        let mut out = Outbox::default();
        for seq in 0..20_000 {
            let now = Instant::ZERO + Duration::from_us(400) * seq;
            network.run(now, &mut out);
            let (from, to, wire) = if seq % 2 == 0 { (0, 1, 1500) } else { (1, 0, 40) };
            let body = Body::Datagram { seq, payload: wire - 28 };
            let (flow, ecn) = (FlowId(0), Ecn::NotEct);
            let packet = Packet { sent: now, flow, route: 0, wire, body, ecn, class: LOWEST_CLASS };
            network.send(now, Station(from), Station(to), packet, &mut out);
            see(&network);
        }
        network
    }

    fn acknowledged() -> Config {
        let mut config = Config { enbs: vec![Enb::default()], ues: vec![Ue::default()], ..Config::default() };
        config.rlc.mode = Mode::Am(AmConfig::default());
        config
    }

    /// In acknowledged mode an earlier deadline can leave one superfluous timer, which must not set further ones.
    #[test]
    fn timers_do_not_pile_up() {
        let mut most = 0;
        both_ways(&acknowledged(), |network| most = most.max(network.air.timers.len()));
        assert!(most < 50, "{most} timers");
    }

    /// A status report is due every 10 ms. In a transport block of its own it costs a full cell a tenth of its
    /// subframes; in a block shared with data it costs almost nothing.
    #[test]
    fn reports_alone_take_a_tenth_of_the_subframes() {
        let delivered = |separate_status_block| {
            let mut config = acknowledged();
            // The cell carries less than the 15 Mb/s that arrive.
            config.carrier.blocks = Some(16);
            // Each transport block empties the UE's buffer, and so polls for a report.
            config.uplink.grants = Grants::Shares;
            config.multiplexing.separate_status_block = separate_status_block;
            both_ways(&config, |_| {}).stats().ues[0].downlink.delivered as f64
        };
        let share = delivered(true) / delivered(false);
        assert!((0.88..0.93).contains(&share), "{share}");
    }
}
