//! Path of the window to its reduced value in fast recovery ([`WindowReduction`]).
//!
//! Rate halving (Mathis, Semke and Mahdavi 1999): every second acknowledgment reduces the window by one
//! segment, so every other one releases a segment. The acknowledgment after one that shows a further loss
//! also reduces the window. Until the reduction ends, the window is at most one segment above the data in the
//! network, so that no acknowledgment releases two segments. If recovery lasts longer, the window can fall
//! below its target, as in TCP-Linux, down to `halving_floor` times the target.
//!
//! Proportional rate reduction (PRR, RFC 9937): the number of segments sent is to the number delivered since
//! the loss as the target is to the data in flight at the loss. Once less than the target is in the network,
//! as many segments are sent as are delivered (the conservative reduction bound), plus one if an
//! acknowledgment of new data shows no further loss (the slow-start reduction bound).
//!
//! ns-3.37's PRR computes prr_delivered times ssthresh in 32 bits, as a trace of its cwnd and bytes in flight
//! shows. The product wraps around, so that after a number of delivered segments nothing is sent until the
//! data in the network is down to ssthresh. From then on as many segments are sent as an acknowledgment
//! delivers. If it covers new data and shows no further loss, the segments that had been left unsent follow,
//! too.
//!
//! All three end at the target. A timeout that interrupts rate halving reduces the floor instead of the
//! window.

use crate::config::WindowReduction;

/// Progress of recovery that one acknowledgment shows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Progress {
    /// Segments that this acknowledgment newly shows to have arrived, cumulatively or selectively.
    pub delivered: u64,
    /// Segments in the network after this acknowledgment, before segments are sent in response.
    pub in_flight: u64,
    /// True if the acknowledgment covers new data and shows no further loss (SafeACK of RFC 9937).
    pub safe: bool,
    /// True if the acknowledgment shows a further loss during recovery.
    pub lost: bool,
}

/// State of the reduction in one recovery.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum ReductionInProgress {
    /// Rate halving: every second acknowledgment reduces the window by one segment.
    RateHalving {
        /// Window at the end of recovery, segments.
        target: f64,
        /// Least window during recovery, segments.
        floor: f64,
        /// True if the next acknowledgment reduces the window.
        counted: bool,
    },
    /// Proportional rate reduction (RFC 9937).
    Prr {
        /// ssthresh: window at the end of recovery, segments.
        target: f64,
        /// RecoverFS: segments outstanding before the acknowledgment that began recovery, except those that
        /// had arrived; 0 before recovery begins.
        flight: u64,
        /// prr_delivered: segments delivered in recovery.
        delivered: u64,
        /// prr_out: segments sent in recovery.
        out: u64,
        /// Bytes of a segment if the product of delivered bytes and target wraps at 32 bits (ns-3.37),
        /// otherwise 0.
        wraps: u32,
    },
}

/// Returns the number of segments that ns-3.37's PRR sends for `delivered` segments while more than the
/// target is in the network. The number is proportional to the target, except that a product of bytes wraps
/// at 32 bits.
fn wrapped_share(delivered: u64, target: f64, flight: u64, segment: u32) -> f64 {
    let bytes = |segments: f64| (segments * f64::from(segment)) as u64 as u32;
    let product = bytes(delivered as f64).wrapping_mul(bytes(target));
    libm::ceil(f64::from(product) / (flight as f64 * f64::from(segment))) / f64::from(segment)
}

impl ReductionInProgress {
    /// Creates the state for a reduction to `target`, with least window `floor`, of segments of `segment`
    /// bytes; returns `None` if `kind` reduces the window at once.
    pub(crate) fn new(kind: WindowReduction, target: f64, floor: f64, segment: u32) -> Option<Self> {
        let prr = |wraps| Some(Self::Prr { target, flight: 0, delivered: 0, out: 0, wraps });
        match kind {
            WindowReduction::AtOnce => None,
            WindowReduction::RateHalving => Some(Self::RateHalving { target, floor, counted: false }),
            WindowReduction::Prr => prr(0),
            WindowReduction::PrrNs3 => prr(segment),
        }
    }

    /// Begins recovery, unless it has begun; `in_doubt` is the number of segments that had been sent and had
    /// not arrived before the acknowledgment that showed the loss.
    pub(crate) fn begin(&mut self, in_doubt: u64) {
        if let Self::Prr { flight, .. } = self
            && *flight == 0
        {
            *flight = in_doubt.max(1);
        }
    }

    /// Returns the new window, segments, for an acknowledgment at the beginning of recovery or during it;
    /// `window` is the window before the acknowledgment.
    pub(crate) fn on_ack(&mut self, window: f64, progress: Progress) -> f64 {
        let in_flight = progress.in_flight as f64;
        match self {
            // More segments are in the network than the window allows; the window shrinks once there are
            // fewer.
            Self::RateHalving { .. } if in_flight >= window => window,
            Self::RateHalving { floor, counted, .. } => {
                let less = if *counted { window - 1.0 } else { window };
                *counted = !*counted || progress.lost;
                less.min(in_flight + 1.0).max(*floor)
            }
            Self::Prr { .. } if progress.delivered == 0 => window,
            Self::Prr { target, flight, delivered, out, wraps } => {
                *delivered += progress.delivered;
                let sent = *out as f64;
                let room = if in_flight > *target && *wraps > 0 {
                    wrapped_share(*delivered, *target, *flight, *wraps) - sent
                } else if in_flight > *target {
                    libm::ceil(*delivered as f64 * *target / *flight as f64) - sent
                } else if *wraps > 0 {
                    let behind = if progress.safe { *delivered as f64 - sent } else { 0.0 };
                    behind.max(progress.delivered as f64).min(*target - in_flight)
                } else {
                    let arrived = (*delivered as f64 - sent).max(progress.delivered as f64);
                    (arrived + f64::from(u8::from(progress.safe))).min(*target - in_flight)
                };
                // At the beginning of recovery the window allows at least the retransmission.
                let room = if *out == 0 { room.max(1.0) } else { room.max(0.0) };
                in_flight + room
            }
        }
    }

    /// Returns the new window, segments, if a timer and not an acknowledgment begins recovery; with PRR one
    /// segment may be sent.
    pub(crate) fn on_timer(&self, window: f64, in_flight: u64) -> f64 {
        let one = in_flight as f64 + 1.0;
        match self {
            Self::RateHalving { floor, .. } => window.min(one).max(*floor),
            Self::Prr { .. } => one,
        }
    }

    /// Counts a segment that is sent in recovery, for PRR.
    pub(crate) fn on_sent(&mut self) {
        if let Self::Prr { out, .. } = self {
            *out += 1;
        }
    }

    /// Returns the window at the end of recovery, segments.
    pub(crate) fn target(&self) -> f64 {
        match self {
            Self::RateHalving { target, .. } | Self::Prr { target, .. } => *target,
        }
    }

    /// Returns the window, segments, that counts as cwnd if a timeout interrupts the reduction.
    pub(crate) fn abandoned(&self) -> f64 {
        match self {
            Self::RateHalving { floor, .. } => *floor,
            Self::Prr { target, .. } => *target,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(delivered: u64, in_flight: u64, safe: bool) -> Progress {
        Progress { delivered, in_flight, safe, lost: false }
    }

    /// Plays the first example of RFC 6937: twenty segments in flight, of which the first is lost.
    ///
    /// Limited Transmit sent two more segments at the first two duplicate ACKs. Each duplicate ACK takes one segment
    /// out of the network.
    fn one_loss(mut reduction: ReductionInProgress, acks: u64) -> String {
        // 22 segments were sent, three have arrived and one is lost: 18 are in the network.
        let (mut in_flight, mut window, mut sent) = (18, 20.0, String::new());
        reduction.begin(20);
        for _ in 0..acks {
            window = reduction.on_ack(window, progress(1, in_flight, false));
            let room = (window as u64).saturating_sub(in_flight);
            for _ in 0..room {
                reduction.on_sent();
            }
            sent.push_str(&room.to_string());
            in_flight = in_flight + room - 1;
        }
        sent
    }

    #[test]
    fn rate_halving_sends_on_every_second_acknowledgment() {
        let reduction =
            ReductionInProgress::new(WindowReduction::RateHalving, 10.0, 5.0, 1448).expect("by and by");
        assert_eq!(one_loss(reduction, 19), "1010101010101010101");
        assert_eq!(reduction.target(), 10.0);
        assert_eq!(reduction.abandoned(), 5.0);
    }

    #[test]
    fn prr_sends_in_proportion() {
        // To halve the window, every second acknowledgment sends a segment; once no more than the target is
        // in the network, every acknowledgment does.
        let half = ReductionInProgress::new(WindowReduction::Prr, 10.0, 0.0, 1448).expect("by and by");
        assert_eq!(one_loss(half, 19), "1010101010101010011");
        // CUBIC reduces the window to 0.7 of its size. By the n-th acknowledgment ceil(0.7 n) segments have
        // been sent.
        let cubic = ReductionInProgress::new(WindowReduction::Prr, 14.0, 0.0, 1448).expect("by and by");
        assert_eq!(one_loss(cubic, 10), "1110110110");
        assert_eq!(cubic.target(), 14.0);
    }

    /// RFC 9937: fifteen of twenty segments are lost, and the window is reduced to ten.
    #[test]
    fn prr_sends_what_arrives_once_less_is_in_the_network_than_it_may_be() {
        let mut reduction =
            ReductionInProgress::new(WindowReduction::Prr, 10.0, 0.0, 1448).expect("by and by");
        reduction.begin(20);
        // The acknowledgment that shows the losses leaves four segments in the network. By the conservative bound as
        // many may be sent as it delivered, one.
        assert_eq!(reduction.on_ack(20.0, progress(1, 4, false)), 5.0);
        reduction.on_sent();
        // After an acknowledgment of new data that shows no further loss, one more may be sent than it delivered
        // (slow-start bound).
        assert_eq!(reduction.on_ack(5.0, progress(1, 4, true)), 6.0);
        reduction.on_sent();
        reduction.on_sent();
        // Ten arrive at once. The slow-start bound would permit eleven, but seven are enough to reach ssthresh.
        assert_eq!(reduction.on_ack(6.0, progress(10, 3, true)), 10.0);
        // An acknowledgment that delivers nothing new changes nothing.
        assert_eq!(reduction.on_ack(10.0, progress(0, 3, false)), 10.0);
    }

    #[test]
    fn prr_always_sends_the_first_retransmission() {
        let mut reduction =
            ReductionInProgress::new(WindowReduction::Prr, 2.0, 0.0, 1448).expect("by and by");
        reduction.begin(40);
        // More is in the network than the target. In proportion to the one of forty that has arrived, 2 * 1 / 40
        // segments may be sent, rounded up to one.
        assert_eq!(reduction.on_ack(40.0, progress(1, 30, false)), 31.0);
        reduction.on_sent();
        assert_eq!(reduction.on_ack(31.0, progress(1, 30, false)), 30.0);
        let mut full = ReductionInProgress::new(WindowReduction::Prr, 4.0, 0.0, 1448).expect("by and by");
        full.begin(8);
        // The target is in the network already: only the retransmission may be sent.
        assert_eq!(full.on_ack(8.0, progress(1, 4, false)), 5.0);
    }

    /// A recovery of ns-3.37, from its trace of cwnd and bytes in flight: 78 segments of 1448 bytes outstanding, ssthresh 37. Its
    /// cwnd exceeds the data in flight by 0.4233 and 0.8978 segments after the third and fourth acknowledgment. 2^32 / (37 * 1448)
    /// bytes are 55.4 segments: from the 56th delivered segment on nothing is sent until 36 segments are in flight.
    #[test]
    fn ns3s_prr_stops_where_its_product_overflows() {
        let mut reduction =
            ReductionInProgress::new(WindowReduction::PrrNs3, 37.0, 0.0, 1448).expect("by and by");
        reduction.begin(78);
        let (mut in_flight, mut sent) = (74_u64, Vec::new());
        for ack in 1..=70_u64 {
            let window = reduction.on_ack(76.0, progress(1, in_flight, false));
            if let Some(excess) =
                [(3, 0.4233), (4, 0.8978)].iter().find_map(|(at, x)| (*at == ack).then_some(x))
            {
                assert!((window - in_flight as f64 - excess).abs() < 0.002, "{window}");
            }
            let room = (window as u64).saturating_sub(in_flight);
            sent.push(room);
            (0..room).for_each(|_| reduction.on_sent());
            in_flight = in_flight + room - 1;
        }
        let total = |range: std::ops::Range<usize>| sent[range].iter().sum::<u64>();
        assert_eq!((sent[0], total(0..55), total(55..64), total(64..70)), (1, 26, 0, 6), "{sent:?}");
    }

    /// Below ssthresh, ns-3.37's PRR sends as many segments as an acknowledgment delivers. If the
    /// acknowledgment covers new data and shows no further loss, PRR also sends what it had left unsent.
    #[test]
    fn ns3s_prr_catches_up_at_an_acknowledgment_of_new_data() {
        let mut reduction =
            ReductionInProgress::new(WindowReduction::PrrNs3, 1000.0, 0.0, 1448).expect("by and by");
        reduction.begin(2000);
        assert_eq!(reduction.on_ack(2000.0, progress(10, 1200, false)), 1201.0);
        reduction.on_sent();
        assert_eq!(reduction.on_ack(1201.0, progress(1, 500, false)), 501.0);
        reduction.on_sent();
        // Twelve segments have been delivered and two were sent.
        assert_eq!(reduction.on_ack(501.0, progress(1, 500, true)), 510.0);
    }
}
