//! CoDel: controlled delay (Nichols, Jacobson, McGregor, Iyengar, RFC 8289).
//!
//! CoDel watches the least time that packets spend in the queue. If this sojourn time has been above the
//! target for an interval, CoDel enters its dropping state and drops a packet on dequeue. In that state the
//! next drop follows `interval / sqrt(count)` after the last, so that the rate of drops grows linearly with
//! time. If the dropping state begins again within 16 intervals after the last scheduled drop, `count` starts
//! near its last value (section 5.5).
//!
//! Left out: nothing of the pseudocode. The size below which a queue counts as empty, "an MTU", is that of
//! the largest packet seen. Validated: the sequence of drops against the control law by hand, and one TCP
//! flow's standing delay against the target (here and in `sim`'s tests).

use super::backlog::{Backlog, Fifo};
use super::discipline::{Decisions, Queued, Site, TIMES};
use super::limit::Limit;
use base::{DropCause, Duration, Instant, QueueVariable};
use settings::{Error, Settings};

/// Settings of CoDel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Config {
    /// Capacity of the queue. The RFC wants it so large that it never drops packets.
    #[setting(flatten)]
    pub limit: Limit,
    /// The control law.
    #[setting(flatten)]
    pub law: Law,
}

/// Settings of the control law, which FQ-CoDel shares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
#[settings(check)]
pub struct Law {
    /// Sojourn time that a standing queue may have.
    #[setting(default = Duration::from_ms(5), range = TIMES, source = "RFC 8289 section 4.4")]
    pub target: Duration,
    /// Time for which the sojourn time may exceed the target: a round-trip time that few connections exceed.
    #[setting(default = Duration::from_ms(100), range = TIMES, source = "RFC 8289 section 4.3")]
    pub interval: Duration,
    /// Mark packets of flows that use ECN instead of dropping them, one for each drop due.
    #[setting(default = true, source = "RFC 8289 section 5.1, RFC 3168")]
    pub ecn: bool,
    /// The inverse square root in the control law takes one step of Newton's iteration per drop, as in Linux
    /// and ns-3. Its first four values are then 1, 0.5, 0.5625, 0.488 instead of 1, 0.707, 0.577, 0.5.
    #[setting(default = false)]
    pub newton: bool,
}

impl Law {
    fn check(&self) -> Result<(), Error> {
        if self.target <= self.interval {
            return Ok(());
        }
        let message = format!("the target is longer than the interval, which is {}", self.interval);
        Err(Error::new("target", message).allowed("a twentieth of the interval, like \"5ms\" of \"100ms\""))
    }
}

/// State of the control law; FQ-CoDel has one for each of its queues.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Control {
    /// `first_above_time` of RFC 8289: time at which the sojourn time will have been above the target for an
    /// interval; `None` while the sojourn time is below the target, or at most `largest` bytes wait.
    first_above: Option<Instant>,
    /// Time at which the next packet is due to be dropped (`drop_next`).
    drop_next: Instant,
    /// Drops in this dropping state (`count` of RFC 8289); begins near the last state's value if that ended
    /// recently.
    count: u32,
    /// `count` when CoDel last entered the dropping state.
    last_count: u32,
    dropping: bool,
    /// Approximation of the inverse square root of `count`, used if `newton` is set; 0 before the first drop.
    root: f64,
    /// Size of the largest packet seen, bytes.
    largest: u32,
    /// Sojourn time of the packet that was dequeued last.
    waited: Duration,
}

impl Control {
    /// Returns true in the dropping state.
    pub(super) fn is_dropping(&self) -> bool {
        self.dropping
    }

    /// Removes and returns the packet to send next from `backlog`; drops and marks packets before it (RFC
    /// 8289, section 5.5).
    pub(super) fn dequeue(
        &mut self,
        law: &Law,
        now: Instant,
        backlog: &mut Backlog,
        out: &mut Decisions,
    ) -> Option<Queued> {
        let (mut head, mut above) = self.take(law, now, backlog);
        if self.dropping {
            self.dropping = above;
            while self.dropping && now >= self.drop_next {
                let held = head.as_mut()?;
                if out.mark(law.ecn, &mut held.packet) {
                    self.count += 1;
                    self.drop_next = self.after(self.drop_next, law);
                    return head;
                }
                out.drop(*held, DropCause::Aqm);
                (head, above) = self.take(law, now, backlog);
                if above {
                    self.count += 1;
                    self.drop_next = self.after(self.drop_next, law);
                } else {
                    self.dropping = false;
                }
            }
        } else if above {
            let held = head.as_mut()?;
            if !out.mark(law.ecn, &mut held.packet) {
                out.drop(*held, DropCause::Aqm);
                head = self.take(law, now, backlog).0;
            }
            self.dropping = true;
            let delta = self.count.saturating_sub(self.last_count);
            let recent = now.since(self.drop_next) < law.interval.saturating_mul(16);
            self.count = if delta > 1 && recent { delta } else { 1 };
            if self.count == 1 {
                self.root = 1.0;
            }
            self.drop_next = self.after(now, law);
            self.last_count = self.count;
        }
        head
    }

    /// Removes and returns the packet that has waited longest; the second value is true if the sojourn time
    /// has been above the target for an interval (`dodequeue` of RFC 8289).
    fn take(&mut self, law: &Law, now: Instant, backlog: &mut Backlog) -> (Option<Queued>, bool) {
        let Some(held) = backlog.pop() else {
            self.first_above = None;
            return (None, false);
        };
        self.largest = self.largest.max(held.packet.wire);
        let waited = now.since(held.arrived);
        self.waited = waited;
        if waited < law.target || backlog.bytes() <= u64::from(self.largest) {
            self.first_above = None;
            return (Some(held), false);
        }
        let since = *self.first_above.get_or_insert(now + law.interval);
        (Some(held), now >= since)
    }

    /// Returns the time of the drop that follows a drop at `from`: `from + interval / sqrt(count)`.
    fn after(&mut self, from: Instant, law: &Law) -> Instant {
        let (count, interval) = (f64::from(self.count), law.interval.ps() as f64);
        let wait = if law.newton {
            self.root *= (3.0 - count * self.root * self.root) / 2.0;
            interval * self.root
        } else {
            interval / libm::sqrt(count)
        };
        from + Duration::from_ps(libm::round(wait) as u64)
    }
}

/// State of a CoDel queue.
#[derive(Clone, Debug)]
pub struct CoDel {
    config: Config,
    backlog: Backlog,
    control: Control,
}

impl CoDel {
    pub(super) fn new(config: &Config, _: &Site) -> Self {
        Self { config: *config, backlog: Backlog::default(), control: Control::default() }
    }
}

impl Fifo for CoDel {
    fn backlog(&self) -> &Backlog {
        &self.backlog
    }

    fn backlog_mut(&mut self) -> &mut Backlog {
        &mut self.backlog
    }

    fn limit(&self) -> Limit {
        self.config.limit
    }

    fn take(&mut self, now: Instant, out: &mut Decisions) -> Option<Queued> {
        self.control.dequeue(&self.config.law, now, &mut self.backlog, out)
    }

    fn tell(&self, see: &mut dyn FnMut(QueueVariable, f64)) {
        see(QueueVariable::Dropping, f64::from(u8::from(self.control.dropping)));
        see(QueueVariable::Count, f64::from(self.control.count));
        see(QueueVariable::Delay, self.control.waited.secs());
        see(QueueVariable::Target, self.config.law.target.secs());
    }
}

#[cfg(test)]
mod tests {
    use super::super::Discipline;
    use super::super::tests::{datagram, ms, site};
    use super::*;
    use base::{Ecn, Packet};

    /// Simulates a persistent queue of 50 packets, of which one leaves every millisecond. The delay grows
    /// from 0 at the start to 100 ms. Returns the times of drops and marks, ms.
    fn behind(ecn: Ecn) -> Vec<u64> {
        let law = Law::default();
        let mut control = Control::default();
        let mut backlog = Backlog::default();
        let mut out = Decisions::default();
        let mut when = Vec::new();
        for at in 0u64..1000 {
            let before = out.dropped.len() + out.marked.len();
            while backlog.packets() < 50 {
                let packet = Packet { ecn, ..datagram(0, 1000) };
                backlog.push(Queued { arrived: ms(at.saturating_sub(50)), packet });
            }
            control.dequeue(&law, ms(at), &mut backlog, &mut out);
            for _ in before..out.dropped.len() + out.marked.len() {
                when.push(at);
            }
        }
        when
    }

    /// Newton's steps give the intervals of ns-3.37, where the queue of an 802.11 station dropped packets 100.9, 49.1, 56.6, 48.6, 44.3 and
    /// 40.4 ms apart.
    #[test]
    fn a_step_of_newton_at_each_drop() {
        let law = Law { newton: true, ..Law::default() };
        let mut control = Control { root: 1.0, ..Control::default() };
        let steps: Vec<u64> = (1..=6)
            .map(|count| {
                control.count = count;
                (control.after(Instant::ZERO, &law) - Instant::ZERO).ps() / 1_000_000
            })
            .collect();
        // Newton's step x (3 - n x^2) / 2 gives intervals of 1, 0.5, 0.5625, 0.48779, 0.44152 and 0.40406
        // times 100 ms, here in us.
        assert_eq!(steps, [100_000, 50_000, 56_250, 48_779, 44_152, 40_406]);
    }

    /// The first drop comes an interval of 100 ms after the delay exceeds the target; the next follow after
    /// 100, 70.7, 57.7, 50, ... ms.
    #[test]
    fn drops_follow_the_control_law() {
        let dropped = behind(Ecn::NotEct);
        // The queueing delay reaches the target of 5 ms at 5 ms; the first drop is due 100 ms later.
        let mut due = 105.0;
        let mut expected = vec![105];
        for count in 1u32.. {
            due += 100.0 / f64::from(count).sqrt();
            if due > 999.0 {
                break;
            }
            // A packet leaves every millisecond: the first one at or after the due time is dropped.
            expected.push(due.ceil() as u64);
        }
        assert_eq!(dropped, expected);
        assert_eq!(behind(Ecn::Ect0), expected, "marks come when drops would");
    }

    #[test]
    fn a_burst_shorter_than_an_interval_is_spared() {
        let mut queue = CoDel::new(&Config::default(), &site());
        let mut out = Decisions::default();
        for _ in 0..90 {
            queue.enqueue(ms(0), datagram(0, 1000), &mut out);
        }
        // At a packet per millisecond the burst has left the queue after 90 ms.
        for at in 0..90 {
            assert!(queue.dequeue(ms(at), &mut out).is_some());
            queue.sent();
        }
        assert!(out.dropped.is_empty());
    }
}
