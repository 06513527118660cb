//! Both ends of a connection in one guest, as a sans-IO endpoint: each call gets the present time `now`.

use crate::errand::{BEGIN, Errand};
use crate::{Fault, Guest, SEGMENT, Table};
use base::ip::{self, Segment, Stream};
use base::{Duration, Ecn, Instant};
use std::collections::VecDeque;

/// Length of an Ethernet header, bytes.
const ETHERNET: usize = 14;
/// Ethernet type of frames with IPv4.
const IPV4: [u8; 2] = [8, 0];
/// Ethernet type of frames with samples (`guest/init.c`).
const SAMPLE: [u8; 2] = [0x88, 0xb5];
/// Least value of ssthresh that stands for an ssthresh that was never set.
const NO_THRESHOLD: u32 = 0x7fff_ffff;

/// An end of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The end that connects and sends.
    Client,
    /// The end that receives.
    Server,
}

impl Side {
    fn of(device: usize) -> Self {
        if device == 0 { Self::Client } else { Self::Server }
    }
}

/// An IP packet that one end sends to the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datagram {
    /// The whole packet, with its header.
    pub bytes: Vec<u8>,
    /// ECN field of the header.
    pub ecn: Ecn,
    /// True if the packet is a retransmission.
    pub again: bool,
    /// Stream offset of the first byte of payload; in packets of the server, of the next byte that the server expects.
    pub offset: u64,
}

/// The sender as the kernel shows it (TCP_INFO and its counters), sampled every 10 ms.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct State {
    /// Congestion window, segments.
    pub cwnd: u32,
    /// Slow-start threshold, segments; `None` until it is set.
    pub ssthresh: Option<u32>,
    /// Smoothed round-trip time, microseconds.
    pub srtt_us: u32,
    /// Retransmission timeout, microseconds.
    pub rto_us: u32,
    /// State of the sender's recovery: 0 open, 1 disorder, 2 window reduced, 3 recovery, 4 loss.
    pub recovery: u32,
    /// Segments in flight.
    pub in_flight: u32,
    /// Number of recoveries that SACK began.
    pub recoveries: u32,
    /// Number of retransmission timeouts.
    pub timeouts: u32,
}

/// A connection between the two ends, over which the client transfers data.
pub struct Transfer {
    errand: Errand,
    began: Instant,
    /// Virtual time of the guest at `began`, nanoseconds.
    zero: u64,
    guest: Option<Guest>,
    fault: Option<Fault>,
    out: [VecDeque<Datagram>; 2],
    state: State,
    sampled: bool,
    stream: Stream,
    finished: Option<Instant>,
}

impl Transfer {
    /// Creates a transfer of `size` bytes (endless if `None`) that offers data for `lasts`. The guest is not booted
    /// yet.
    pub fn new(table: Table, size: Option<u64>, lasts: Duration, seed: u64) -> Self {
        Self {
            errand: Errand { table, seed, size, lasts },
            began: Instant::ZERO,
            zero: BEGIN,
            guest: None,
            fault: None,
            out: Default::default(),
            state: State::default(),
            sampled: false,
            stream: Stream::default(),
            finished: None,
        }
    }

    /// Starts the guest and the transfer. If the guest does not boot, [`Transfer::fault`] returns the reason.
    pub fn open(&mut self, now: Instant) {
        self.began = now;
        match Guest::boot(&self.errand) {
            Ok(guest) => self.guest = Some(guest),
            Err(fault) => self.fault = Some(fault),
        }
        // Until the flow begins the guest only waits. Frames that its devices send before that do not belong to the
        // flow.
        let done = self.go_on(|due| due < BEGIN);
        self.keep(done);
        self.zero = self.guest.as_ref().and_then(|guest| guest.next().ok()?).unwrap_or(BEGIN);
        while self.guest.as_mut().is_some_and(|guest| guest.sent().is_some()) {}
        self.on_timer(now);
    }

    fn keep(&mut self, done: Result<(), Fault>) {
        if let Err(fault) = done {
            self.fault = Some(fault);
            self.guest = None;
        }
    }

    /// Runs the guest at each time for which it asks, as long as `due` is true of that time.
    fn go_on(&mut self, due: impl Fn(u64) -> bool) -> Result<(), Fault> {
        let Some(guest) = &mut self.guest else { return Ok(()) };
        while let Some(at) = guest.next()?.filter(|&at| due(at)) {
            guest.run(at)?;
        }
        Ok(())
    }

    /// Returns the guest's time at `now`, nanoseconds.
    fn there(&self, now: Instant) -> u64 {
        self.zero + now.since(self.began).ps() / 1000
    }

    /// Handles the expiry of the timer ([`Transfer::timer`]).
    pub fn on_timer(&mut self, now: Instant) {
        let there = self.there(now);
        let done = self.go_on(|due| due <= there);
        self.keep(done);
        self.collect();
    }

    /// Receives a packet at one end.
    pub fn receive(&mut self, now: Instant, side: Side, datagram: Datagram) {
        let Datagram { mut bytes, ecn, .. } = datagram;
        if ecn == Ecn::Ce {
            ip::mark(&mut bytes);
        }
        if side == Side::Client {
            self.on_ack(now, &bytes);
        }
        let there = self.there(now);
        let device = side as usize;
        let mut frame = Vec::with_capacity(ETHERNET + bytes.len());
        for end in [device, 1 - device] {
            frame.extend([2, 0, 0, 0, 0, end as u8 + 1]);
        }
        frame.extend(IPV4);
        frame.extend(bytes);
        if let Some(guest) = &mut self.guest {
            // The guest then asks to be run at this time, unless it is polling for frames.
            let done = guest.deliver(there, device, &frame);
            self.keep(done);
        }
        self.on_timer(now);
    }

    /// Records an acknowledgment that reaches the client, and the time at which all data is acknowledged.
    fn on_ack(&mut self, now: Instant, bytes: &[u8]) {
        if let Some(ack) = Segment::of(bytes).and_then(|segment| segment.ack) {
            self.stream.on_ack(ack);
        }
        if let Some(size) = self.errand.size
            && self.stream.acked() >= size
            && self.finished.is_none()
        {
            self.finished = Some(now);
        }
    }

    /// Takes the frames that the guest has sent: samples of the sender's state, and packets for the network.
    fn collect(&mut self) {
        while let Some((device, mut frame)) = self.guest.as_mut().and_then(Guest::sent) {
            let kind = frame.get(12..ETHERNET).map(<[u8]>::to_vec).unwrap_or_default();
            frame.drain(..ETHERNET.min(frame.len()));
            if kind == SAMPLE {
                self.sample(&frame);
            } else if kind == IPV4
                && let Some(segment) = Segment::of(&frame)
            {
                let (again, offset) = self.on_sent(Side::of(device), segment);
                self.out[device].push_back(Datagram { ecn: ip::ecn(&frame), bytes: frame, again, offset });
            }
        }
    }

    /// Records a segment that was sent; returns true if it is a retransmission, and its offset in the stream.
    fn on_sent(&mut self, side: Side, segment: Segment) -> (bool, u64) {
        let (again, number) = match side {
            Side::Client => (self.stream.on_sent(&segment).is_some(), Some(segment.seq)),
            Side::Server => {
                segment.ack.iter().for_each(|ack| self.stream.on_answer(*ack));
                (false, segment.ack)
            }
        };
        (again, number.and_then(|number| self.stream.offset(number)).unwrap_or(0))
    }

    fn sample(&mut self, frame: &[u8]) {
        let value = |at: usize| {
            frame.get(4 * at..4 * at + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        };
        let [cwnd, ssthresh, srtt_us, rto_us, recovery, in_flight, recoveries, timeouts] =
            [0, 1, 2, 3, 4, 5, 6, 7].map(value);
        let ssthresh = (ssthresh < NO_THRESHOLD).then_some(ssthresh);
        self.sampled = true;
        self.state = State { cwnd, ssthresh, srtt_us, rto_us, recovery, in_flight, recoveries, timeouts };
    }

    /// Returns the next packet that an end sends now, if there is one.
    pub fn poll(&mut self, side: Side) -> Option<Datagram> {
        self.out[side as usize].pop_front()
    }

    /// Returns the time at which [`Transfer::on_timer`] must be called; `None` if the guest does not want to run.
    pub fn timer(&self) -> Option<Instant> {
        let due = self.guest.as_ref()?.next().ok()??;
        Some(self.began + Duration::from_ps(due.saturating_sub(self.zero).saturating_mul(1000)))
    }

    /// Returns the sender's state at the last sample.
    pub fn state(&self) -> State {
        self.state
    }

    /// Returns the sender's state if it was sampled since the last call.
    pub fn take_sample(&mut self) -> Option<State> {
        std::mem::take(&mut self.sampled).then_some(self.state)
    }

    /// Returns the number of bytes acknowledged to the client.
    pub fn acked_bytes(&self) -> u64 {
        self.stream.acked()
    }

    /// Returns the number of full segments that hold [`Transfer::acked_bytes`], rounded up.
    pub fn acked_segments(&self) -> u64 {
        self.acked_bytes().div_ceil(SEGMENT.into())
    }

    /// Returns the number of bytes that have arrived in order.
    pub fn delivered_bytes(&self) -> u64 {
        self.stream.delivered()
    }

    /// Returns the time at which all data was acknowledged to the client.
    pub fn finished(&self) -> Option<Instant> {
        self.finished
    }

    /// Returns the reason why the guest has ended; `None` while it works.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }
}
