//! Changes of the network during the run: the events of the scenario, and link rates that a program sets.

use crate::event::Event;
use crate::links;
use crate::model::{ChangeKind, Rate};
use crate::world::World;
use base::{DataRate, Instant, LinkId, Probe, Stamp};
use engine::EventQueue;

impl<P: Probe> World<P> {
    /// Applies the change with index `at` in the scenario's list of changes.
    #[cold]
    pub(crate) fn change(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let change = self.changes[at as usize].clone();
        if let ChangeKind::Gateway { gateway, up } = change.what {
            self.proxies.gateways[gateway].set_up(up);
        }
        for (link, direction) in change.directions {
            let id = LinkId((2 * link + direction) as u32);
            let hop = &mut self.network.links.hops[id.index()];
            match &change.what {
                ChangeKind::Rate(rate) => {
                    links::set_rate(&mut hop.link, stamp.at, rate);
                    self.network.links.begin(stamp.at, id, queue, &mut self.probe);
                }
                ChangeKind::Delay(delay) => hop.link.set_delay(*delay),
                ChangeKind::Queue(config) => {
                    let name = format!("{}.{direction}.change.{}", self.streams[&link], stamp.at.ps());
                    if let Some(stepped) = hop.link.stepped_mut() {
                        stepped.set_queue(config, self.seed, &name);
                    }
                    self.network.links.begin(stamp.at, id, queue, &mut self.probe);
                }
                ChangeKind::Losses(losses) => {
                    let name = format!("{}.{direction}.change.{}", self.streams[&link], stamp.at.ps());
                    links::losses(&mut hop.link, losses, self.seed, &name);
                }
                // A gateway's crash or return changes no link.
                ChangeKind::Gateway { .. } => {}
                ChangeKind::Up(false) => self.network.take_down(stamp.at, id, &mut self.probe),
                ChangeKind::Up(true) => {
                    if let Some(stepped) = hop.link.stepped_mut() {
                        stepped.bring_up();
                    }
                    self.network.links.begin(stamp.at, id, queue, &mut self.probe);
                }
            }
        }
    }

    /// Sets the rate of both directions of a link that is served step by step.
    pub(crate) fn set_rate(
        &mut self,
        now: Instant,
        link: usize,
        rate: DataRate,
        queue: &mut EventQueue<Event>,
    ) {
        for hop in [2 * link, 2 * link + 1] {
            links::set_rate(&mut self.network.links.hops[hop].link, now, &Rate::Constant(rate));
            self.network.links.begin(now, LinkId(hop as u32), queue, &mut self.probe);
        }
    }
}
