//! Methods of the TCB that schedule paced segments.

use super::trains::{LEAST, PATIENCE, SHARE};
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

    /// Returns the pacing rate, segments per second: that of congestion control, or by window and round-trip time;
    /// `None` before the first round trip.
    pub(crate) fn paced_rate(&self) -> Option<f64> {
        self.control.pacing_rate().or_else(|| self.rate_by_window())
    }

    fn rate_by_window(&self) -> Option<f64> {
        let window = self.control.window();
        let gain = if window.cwnd < window.ssthresh { SLOW_START_PACE } else { PACE };
        self.round_trips.srtt().map(|srtt| gain * window.cwnd / srtt.secs())
    }

    #[inline(never)]
    fn pace_next(&mut self, now: Instant, wire: u32) {
        let own = self.control.pacing_rate();
        let by_window = self.rate_by_window();
        let Pacing { pacer: Some(pacer), host } = &mut self.pacing else { return };
        let rate = own.or_else(|| by_window.filter(|_| pacer.by_window));
        if let Some(rate) = rate {
            let sizes = &self.config.sizes;
            let options = if self.control.paces_options() { self.config.options_size(true) } else { 0 };
            let full = f64::from(sizes.segment + sizes.header + options);
            let gap = Duration::from_secs_f64(f64::from(wire) / (full * rate));
            let trains = host.as_mut().and_then(|host| host.trains.as_mut());
            let Some(gap) = trains.map_or(Some(gap), |trains| trains.add_gap(gap)) else { return };
            let overhead = host.as_ref().and_then(|host| host.overhead.as_ref());
            let ready = overhead.map_or(now, |overhead| overhead.ready(now));
            pacer.sent(ready, gap.min(self.config.timers.max_rto));
        }
    }

    /// Returns true if the next segment may be sent as far as trains are concerned, and counts it to its train. Of the
    /// window `in_flight` segments are in use; `at_once` is true if nothing may be held back (recovery).
    pub(crate) fn has_train(&mut self, now: Instant, in_flight: u64, at_once: bool) -> bool {
        let rate = self.paced_rate().unwrap_or(0.0);
        let own = self.control.pacing_rate().is_some();
        let (srtt, window) = (self.round_trips.srtt(), self.window() as u64);
        let payload = self.config.sizes.segment.into();
        let data = self.stream.available().saturating_sub(self.snd.nxt());
        let recent = now.since(self.last_sent()) < PATIENCE;
        let Some(trains) = self.pacing.host.as_mut().and_then(|host| host.trains.as_mut()) else {
            return true;
        };
        if trains.continues(now) {
            return true;
        }
        let wanted = trains.size(rate, payload, srtt, own);
        let room = window.saturating_sub(in_flight);
        let short = wanted > LEAST && room < wanted.min(data) && room * SHARE < window;
        trains.waits = short && recent && !at_once;
        if trains.waits {
            return false;
        }
        trains.begin(now, wanted.min(room.max(1)));
        true
    }

    /// Returns the number of outstanding segments for congestion control: at least the window if a train is held
    /// back, since it is the window that limits the sender then.
    #[inline]
    pub(crate) fn outstanding_or_held(&self) -> u64 {
        let outstanding = self.snd.outstanding();
        match self.pacing.trains() {
            Some(trains) if trains.waits => outstanding.max(self.control.window().cwnd as u64),
            _ => outstanding,
        }
    }
}
