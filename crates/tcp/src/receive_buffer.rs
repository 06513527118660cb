//! Receive buffer that grows with the rate of arrival, and the window that it offers (receive-window autotuning).
//!
//! Linux, by experiments with 6.12 and by the description of `tcp_rmem` and `tcp_moderate_rcvbuf` in tcp(7):
//!
//! - A packet takes more memory than its payload. The largest window is half of the buffer at first, and 158/256
//!   of it once a segment of 1448 bytes has arrived.
//! - The window opens slowly: each segment widens it by twice its payload, up to the largest window. The
//!   receiver acknowledges a segment that widens the window at once.
//! - Once per round trip the receiver compares C, the bytes of that round trip, with S, the most bytes of an
//!   earlier one (dynamic right-sizing; Fisk and Feng 2001). If C is larger, the buffer becomes large enough
//!   for a window of `W + 2 W (C - S) / S` with `W = 2 C + 16 segments`.
//!
//! The application reads all data at once. Left out: memory of segments that wait for a hole to be filled, and
//! round-trip times without timestamps, with which the buffer does not grow.

use crate::config::Config;
use crate::stamps::timestamp;
use base::{DataHeader, Duration, Instant};

/// Segments of the window in addition to twice the data of a round trip.
const SPARE: u64 = 16;
/// Segments that the first round trip is expected to bring.
const FIRST: u64 = 10;

/// State of the receiver's buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReceiveBuffer {
    /// Payload of a full segment, bytes.
    segment: u64,
    /// Largest size of the buffer, bytes.
    limit: u64,
    /// Window that the buffer can offer, bytes.
    room: u64,
    /// Window offered, bytes.
    window: u64,
    /// S: most data in a round trip so far, bytes; at first the data that the first round trip is expected to
    /// bring.
    space: u64,
    /// Time at which the current round trip began, and segments that had arrived in order by then.
    began: Option<Instant>,
    from: u64,
    /// Smoothed round-trip time, us; 0 before the first sample.
    rtt: u64,
    /// Echoed timestamp of the last sample.
    stamp: u32,
}

/// Returns the window for which a buffer of `bytes` has memory.
fn window_of(bytes: u64) -> u64 {
    bytes / 256 * 158
}

impl ReceiveBuffer {
    /// Creates the buffer of a connection; returns `None` if its size is constant.
    pub(crate) fn new(config: &Config) -> Option<Self> {
        let (bytes, segment) = (config.acks.receive_buffer, u64::from(config.sizes.segment));
        // The MSS that the SYN announces includes the timestamps option.
        let whole = segment + u64::from(config.options_size(true));
        let window = bytes / 2 / whole * whole;
        (bytes > 0).then_some(Self {
            segment,
            limit: config.acks.largest_receive_buffer.max(bytes),
            room: window_of(bytes),
            window,
            space: window.min(FIRST * segment),
            began: None,
            from: 0,
            rtt: 0,
            stamp: 0,
        })
    }

    /// Returns the window to offer, bytes.
    pub(crate) fn window(&self) -> u64 {
        self.window
    }

    /// Returns the smoothed round-trip time; zero before the first sample.
    pub(crate) fn round_trip(&self) -> Duration {
        Duration::from_us(self.rtt)
    }

    /// Begins the first round trip, at the end of the handshake.
    pub(crate) fn open(&mut self, now: Instant) {
        self.began.get_or_insert(now);
    }

    /// Increases the window for a new segment by twice its payload, up to what the buffer can offer; returns
    /// true if the window could grow.
    #[inline]
    pub(crate) fn widen(&mut self, segment: &DataHeader) -> bool {
        let widens = self.window < self.room;
        if widens {
            let more = 2 * u64::from(segment.payload);
            self.window = self.room.min(self.window + more);
        }
        widens
    }

    /// Handles the arrival of `segment`, whose data the application reads at once; segments below `expected`
    /// have arrived in order.
    #[inline]
    pub(crate) fn read(&mut self, now: Instant, segment: &DataHeader, expected: u64) {
        if segment.ts_ecr != self.stamp {
            self.measure(now, segment);
        }
        let Some(began) = self.began else { return self.open(now) };
        if self.rtt > 0 && now.since(began).ps() >= self.rtt * 1_000_000 {
            self.size(now, expected);
        }
    }

    /// Takes a sample of the round-trip time from the timestamp that `segment` echoes, if it is a full
    /// segment.
    fn measure(&mut self, now: Instant, segment: &DataHeader) {
        self.stamp = segment.ts_ecr;
        if u64::from(segment.payload) >= self.segment && segment.ts_ecr != 0 {
            // Linux's timestamps are in milliseconds.
            let ms = |stamp: u32| stamp.wrapping_sub(1) / 1000;
            let rtt = 1000 * u64::from(ms(timestamp(now)).wrapping_sub(ms(segment.ts_ecr)).max(1));
            // A shorter round-trip time replaces the smoothed one, a longer one has weight 1/8.
            self.rtt = if self.rtt == 0 || rtt < self.rtt { rtt } else { (7 * self.rtt + rtt) / 8 };
        }
    }

    /// Ends a round trip: if it brought more data than any before, the buffer is enlarged.
    #[cold]
    fn size(&mut self, now: Instant, expected: u64) {
        let copied = (expected - self.from) * self.segment;
        if copied > self.space {
            let wanted = 2 * copied + SPARE * self.segment;
            let more = 2 * wanted * (copied - self.space) / self.space.max(1);
            let room = (wanted + more).min(window_of(self.limit));
            self.room = self.room.max(room);
            self.space = copied;
        }
        self.began = Some(now);
        self.from = expected;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a buffer of 128 KiB with segments of 1448 bytes.
    fn buffer() -> ReceiveBuffer {
        let mut config = Config::default();
        config.sizes.segment = 1448;
        config.options.timestamps = true;
        config.acks.receive_buffer = 131_072;
        config.acks.largest_receive_buffer = 6_291_456;
        ReceiveBuffer::new(&config).expect("a buffer")
    }

    fn segment(ts_ecr: u32) -> DataHeader {
        DataHeader { payload: 1448, ts_ecr, ..DataHeader::default() }
    }

    /// 128 KiB offer 44 segments of 1460 bytes at first. Six segments widen the window by 2896 bytes
    /// each, up to 80 896 bytes.
    #[test]
    fn the_window_opens_by_twice_the_payload() {
        let mut buffer = buffer();
        assert_eq!(buffer.window(), 64_240);
        let widened = (0..10).filter(|_| buffer.widen(&segment(1))).count();
        assert_eq!((widened, buffer.window()), (6, 80_896));
    }

    /// With 10 segments expected and 20 arrived in a round trip, `W = 2 * 28 960 + 23 168 = 81 088`, and C is twice S: the
    /// window can become 3 W.
    #[test]
    fn more_data_in_a_round_trip_enlarges_the_buffer() {
        let mut buffer = buffer();
        let at = |ms| Instant::ZERO + Duration::from_ms(ms);
        buffer.open(at(0));
        // The first echo gives a round-trip time of 40 ms.
        buffer.read(at(40), &segment(timestamp(at(0))), 1);
        assert_eq!(buffer.rtt, 40_000);
        assert_eq!((buffer.space, buffer.room), (14_480, 80_896), "fewer than expected");
        buffer.read(at(80), &segment(timestamp(at(0))), 21);
        assert_eq!((buffer.space, buffer.room), (28_960, 3 * 81_088));
        buffer.read(at(120), &segment(timestamp(at(0))), 41);
        assert_eq!(buffer.room, 3 * 81_088, "as many as before");
    }
}
