//! HyStart++: the first slow start ends when round-trip times grow, before a queue overflows (RFC 9406).
//!
//! A round ends with the acknowledgment of the segment that was next to be sent when the round began. When a
//! round has eight samples of the round-trip time, and the least of them exceeds that of the last round by
//!
//! ```text
//! clamp(least of the last round / 8, 4 ms, 16 ms)
//! ```
//!
//! the sender enters Conservative Slow Start (CSS), in which the window grows a quarter as fast. If the least
//! round-trip time of a round is below the one at which CSS began, the sender returns to slow start. After
//! five rounds, including the one in which CSS began, ssthresh is set to the window. If segments are not
//! paced, an acknowledgment counts for at most 8 segments. A loss or a mark ends HyStart++ for the
//! connection, because later slow starts have a ssthresh.

use crate::congestion::{AckSample, CongestionControl, State};
use base::Duration;

/// MIN_RTT_THRESH and MAX_RTT_THRESH: bounds of the increase of the round-trip time that begins CSS.
const THRESHOLD: [Duration; 2] = [Duration::from_ms(4), Duration::from_ms(16)];
/// MIN_RTT_DIVISOR: the least round-trip time divided by this is that increase, within the bounds.
const SHARE: u64 = 8;
/// N_RTT_SAMPLE: samples of a round after which its least round-trip time is compared.
const SAMPLES: u32 = 8;
/// CSS_GROWTH_DIVISOR: factor by which the window grows more slowly in CSS.
const SLOWER: f64 = 4.0;
/// CSS_ROUNDS: number of rounds after which CSS ends slow start.
const ROUNDS: u32 = 5;
/// L of section 4.3: largest number of segments for which an acknowledgment counts without pacing.
const MOST: f64 = 8.0;

/// State of Conservative Slow Start.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Conservative {
    /// cssBaselineMinRtt: least round-trip time when CSS began.
    baseline: Duration,
    /// Rounds that have ended in CSS, the one in which it began included.
    rounds: u32,
}

/// State of a connection in its first slow start.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PlusPlus {
    /// Largest number of segments that an acknowledgment counts for; infinite if segments are paced.
    most: f64,
    /// windowEnd: segment whose acknowledgment ends the round.
    end: Option<u64>,
    /// lastRoundMinRTT: least round-trip time of the last round.
    last: Option<Duration>,
    /// currentRoundMinRTT: least round-trip time of the current round.
    current: Option<Duration>,
    samples: u32,
    conservative: Option<Conservative>,
}

impl PlusPlus {
    pub(super) fn new(paced: bool) -> Self {
        let most = if paced { f64::INFINITY } else { MOST };
        Self { most, end: None, last: None, current: None, samples: 0, conservative: None }
    }

    /// Increases the window of `control` for an acknowledgment in slow start, or ends slow start; returns
    /// true if slow start continues.
    pub(super) fn on_ack(&mut self, control: &mut State, ack: &AckSample) -> bool {
        let before = control.window().cwnd;
        if !self.judge(ack) {
            control.window_mut().ssthresh = before.max(2.0);
            control.on_ack(ack);
            return false;
        }
        control.on_ack(&AckSample { count: ack.count.min(self.most), ..*ack });
        let window = control.window_mut();
        if self.conservative.is_some() && window.cwnd > before {
            window.cwnd = before + (window.cwnd - before) / SLOWER;
        }
        true
    }

    /// Adds a sample to the round, after beginning a new round if the last has ended; returns true if slow
    /// start continues (section 4.2).
    fn judge(&mut self, ack: &AckSample) -> bool {
        if *self.end.get_or_insert(ack.next) < ack.una {
            self.end = Some(ack.next);
            self.last = self.current.take();
            self.samples = 0;
            if let Some(since) = &mut self.conservative {
                since.rounds += 1;
                if since.rounds == ROUNDS {
                    return false;
                }
            }
        }
        if let Some(rtt) = ack.rtt {
            self.current = Some(self.current.map_or(rtt, |least| least.min(rtt)));
            self.samples += 1;
        }
        if let Some(current) = self.current
            && self.samples >= SAMPLES
        {
            self.conservative = match self.conservative {
                Some(since) => (current >= since.baseline).then_some(since),
                None => {
                    let longer = self.last.is_some_and(|last| current >= last + threshold(last));
                    longer.then_some(Conservative { baseline: current, rounds: 0 })
                }
            };
        }
        true
    }
}

/// Returns RttThresh: the increase of the round-trip time that begins CSS, if the last round's least one is
/// `last`.
fn threshold(last: Duration) -> Duration {
    let [least, most] = THRESHOLD;
    Duration::from_ps(last.ps() / SHARE).clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::{Control, Window};
    use base::Instant;

    /// A Reno sender that always fills its window; each segment has its own acknowledgment.
    struct Rounds {
        hystart: PlusPlus,
        control: State,
        una: u64,
        goes_on: bool,
    }

    impl Rounds {
        fn new(window: f64) -> Self {
            let control = Control::by_name("reno", &[]).expect("registered");
            Self {
                hystart: PlusPlus::new(false),
                control: control.build(Window { cwnd: window, ssthresh: f64::INFINITY }),
                una: 0,
                goes_on: true,
            }
        }

        fn ack(&mut self, next: u64, us: u64, count: f64) {
            self.una += 1;
            let ack = AckSample {
                now: Instant::ZERO,
                count,
                una_before: self.una - 1,
                una: self.una,
                next,
                delayed: false,
                rtt: Some(Duration::from_us(us)),
                srtt: None,
                one_way: None,
                outstanding: next - self.una + 1,
                grow: true,
            };
            self.goes_on = self.goes_on && self.hystart.on_ack(&mut self.control, &ack);
        }

        /// Plays a whole round with RTTs of `us` microseconds; returns the window after it, segments.
        fn round(&mut self, us: u64) -> f64 {
            for _ in 0..self.control.window().cwnd as u64 {
                self.ack(self.una + self.control.window().cwnd as u64, us, 1.0);
            }
            self.control.window().cwnd
        }
    }

    #[test]
    fn the_threshold_is_an_eighth_within_bounds() {
        let ms = Duration::from_ms;
        assert_eq!(
            [16, 32, 100, 128, 400].map(|last| threshold(ms(last)).ps() / 1_000_000),
            [4000, 4000, 12_500, 16_000, 16_000]
        );
    }

    /// After a round with an RTT of 100 ms growth slows down at 112.5 ms, an eighth more, but not at 112.4 ms. The
    /// first seven of twenty acknowledgments, before the eighth sample, still count whole, the other 13 a quarter. All
    /// of 30, 37, 47 and 58 acknowledgments in the next rounds count a quarter. After five such rounds slow start
    /// ends.
    #[test]
    fn longer_round_trips_end_slow_start_in_five_rounds() {
        let mut rounds = Rounds::new(10.0);
        assert_eq!([100_000, 112_400, 126_449].map(|us| rounds.round(us)), [20.0, 40.0, 80.0]);
        let mut rounds = Rounds::new(10.0);
        assert_eq!([100_000, 112_500].map(|us| rounds.round(us)), [20.0, 20.0 + 7.0 + 3.25]);
        for window in [37.75, 47.0, 58.75, 73.25] {
            assert_eq!(rounds.round(130_000), window);
        }
        assert!(rounds.goes_on);
        rounds.round(130_000);
        assert!(!rounds.goes_on);
        // The acknowledgment that ends slow start already increases the window as in congestion avoidance.
        let Window { cwnd, ssthresh } = *rounds.control.window();
        assert_eq!((cwnd, ssthresh), (73.25 + 1.0 / 73.25, 73.25));
    }

    /// A round-trip time below the one at which growth slowed down shows that there was no queue, and ends
    /// the slower growth. The first seven of thirty acknowledgments, before the eighth sample, still count a
    /// quarter.
    #[test]
    fn shorter_round_trips_take_it_back() {
        let mut rounds = Rounds::new(10.0);
        assert_eq!([100_000, 120_000].map(|us| rounds.round(us)), [20.0, 30.25]);
        assert_eq!(rounds.round(119_999), 30.25 + 1.75 + 23.0);
        assert!(rounds.hystart.conservative.is_none() && rounds.goes_on);
        assert_eq!(rounds.control.window().ssthresh, f64::INFINITY);
    }

    /// Fewer than eight samples do not end slow start. An acknowledgment of more than eight segments counts
    /// as eight if segments are not paced, and in full if they are.
    #[test]
    fn few_samples_say_nothing_and_large_steps_are_cut() {
        let mut rounds = Rounds::new(4.0);
        assert_eq!(rounds.round(100_000), 8.0);
        let mut few = Rounds::new(7.0);
        few.round(10_000);
        few.ack(8, 90_000, 1.0);
        assert!(few.hystart.conservative.is_none());
        few.ack(9, 10_000, 40.0);
        assert_eq!(few.control.window().cwnd, 14.0 + 1.0 + 8.0);
        let mut paced = Rounds::new(7.0);
        paced.hystart = PlusPlus::new(true);
        paced.ack(8, 10_000, 40.0);
        assert_eq!(paced.control.window().cwnd, 47.0);
    }
}
