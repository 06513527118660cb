//! Methods of the TCB that schedule paced segments.

use super::{PACE, Pacing, SLOW_START_PACE};
use crate::congestion::CongestionControl;
use crate::tcb::block::Tcb;
use base::{Duration, Instant};

impl Tcb {
    /// Sets the time of the next segment by the pacing rate, for a segment of `wire` bytes that is sent now.
    #[inline(always)]
    pub(crate) fn pace(&mut self, now: Instant, wire: u32) {
        if self.pacing.pacer.is_some() {
            self.pace_next(now, wire);
        }
    }

    #[inline(never)]
    fn pace_next(&mut self, now: Instant, wire: u32) {
        let Pacing { pacer: Some(pacer), overhead, by_window } = &mut self.pacing else { return };
        let window = self.control.window();
        let rate = self.control.pacing_rate().or_else(|| {
            let gain = if window.cwnd < window.ssthresh { SLOW_START_PACE } else { PACE };
            self.round_trips.srtt().filter(|_| *by_window).map(|srtt| gain * window.cwnd / srtt.secs())
        });
        if let Some(rate) = rate {
            let full = f64::from(self.config.sizes.segment + self.config.sizes.header);
            let gap = Duration::from_secs_f64(f64::from(wire) / (full * rate));
            let ready = overhead.as_ref().map_or(now, |overhead| overhead.ready(now));
            pacer.sent(ready, gap.min(self.config.timers.max_rto));
        }
    }
}
