//! The receiver: reorders segments, and acknowledges them at once or with a delay.

mod calm;
mod cheat;
mod misbehaviour;

use crate::calm::special;
use crate::config::{Config, Ecn as EcnMode, Syn};
use crate::receive_buffer::ReceiveBuffer;
use crate::runs::Runs;
use crate::stamps::timestamp;
use crate::wheel::Wheel;
use base::{AckHeader, Advertised, DataHeader, Duration, Instant, SackBlock, Stamp};
use cheat::Cheat;

/// Acknowledgments of out-of-order segments that are sent at once before SACK compression begins (DupThresh).
const PROMPT: u8 = 3;
/// SACK compression delays an acknowledgment by at most the round-trip time divided by this number.
const SHARE_OF_RTT: u64 = 20;
/// Time by which the timer of SACK compression is late (Linux's tcp_comp_sack_slack_ns).
const SLACK: Duration = Duration::from_us(100);

/// Number of no segment.
const NONE: u64 = u64::MAX;

/// Counters of one receiver.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ReceiverStats {
    /// Segments that arrived, duplicates included, but not handshakes, pure ACKs and window probes.
    pub received_packets: u64,
    /// Segments that had arrived before.
    pub duplicate_packets: u64,
    /// Acknowledgments sent.
    pub acks_sent: u64,
    /// Segments that arrived with CE marks.
    pub marked_packets: u64,
}

/// The receiving end of a connection.
// In memory the fields that every segment needs in calm come first, in two cache lines.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Receiver {
    /// RCV.NXT: next segment expected; all segments below it have arrived.
    expected: u64,
    segment: u32,
    /// Number of in-order segments that have not been acknowledged.
    unacked: u32,
    /// TSval to echo in acknowledgments; 0 if there is none.
    echo: u32,
    ack_size: u32,
    /// True if nothing special is on ([`Receiver::is_calm`]); false if that has not been looked at.
    calm: bool,
    /// True if an acknowledgment must be sent now.
    due: bool,
    timestamps: bool,
    /// Size of the options of an acknowledgment without SACK, bytes.
    options: u8,
    ack_every: u8,
    /// Number of next acknowledgments that are sent at once (quick acknowledgments).
    quick: u8,
    ecn: EcnMode,
    /// ECE flag of the next acknowledgment.
    ece: bool,
    /// True if the current segment has a CE mark.
    marked: bool,
    sack_blocks: u8,
    sack_option: u8,
    /// Acknowledgments of out-of-order segments sent at once since RCV.NXT last advanced, up to `PROMPT`.
    prompt: u8,
    /// Rounding of the time at which a delayed acknowledgment is sent.
    wheel: Wheel,
    delayed_ack: Duration,
    /// Buffer whose size is tuned; `None` if the window is constant.
    buffer: Option<Box<ReceiveBuffer>>,
    timer: Option<Stamp>,
    /// Acknowledgment number of the last acknowledgment sent.
    last_ack: u64,
    stats: ReceiverStats,
    /// Runs of out-of-order segments.
    runs: Runs,
    /// Segment that has arrived again, until it is reported; `NONE` if there is none.
    duplicate: u64,
    /// Number of the segment with the FIN; `NONE` until it arrives.
    fin_at: u64,
    /// True once the receiver's own FIN is acknowledged.
    closed: bool,
    /// True if the next acknowledgment must answer a SYN.
    answer_syn: bool,
    /// True if an acknowledgment of out-of-order segments waits for the timer.
    compressed: bool,
    /// True if that acknowledgment has a new SACK block.
    waits_with_block: bool,
    syn: Syn,
    sack_memory: u8,
    /// True if duplicates are reported (D-SACK).
    dsack: bool,
    /// Value of `quick` at the connection's start, and its least value after a duplicate segment.
    quick_acks: u8,
    syn_size: u16,
    first_payload: u8,
    /// Largest delay of an acknowledgment of out-of-order segments; zero if each is sent at once.
    sack_delay: Duration,
    fin_timeout: Duration,
    /// Misbehaviour of the receiver, with its state; `None` if it is honest.
    cheat: Option<Box<Cheat>>,
    /// State that only some receivers have; allocated when first needed.
    rare: Option<Box<Rare>>,
}

/// State of a receiver that has short segments, or a limit on the runs that it reports.
#[derive(Clone, Debug, Default)]
struct Rare {
    /// Runs to report in SACK blocks if their number is limited by `sack_memory`, most recently changed
    /// first.
    reported: Vec<(u64, u64)>,
    /// Segments shorter than full segments, each with the stream offset of its end: the out-of-order ones,
    /// and the highest in-order one.
    shorts: Vec<(u64, u64)>,
}

impl Receiver {
    /// Creates a receiver to which no segment has arrived.
    pub fn new(config: &Config) -> Self {
        Self {
            syn: config.connection.syn,
            segment: config.sizes.segment,
            ack_size: config.sizes.ack_size,
            // The settings' bounds let both values fit: 65 535 bytes for the SYN, 40 bytes for the options.
            syn_size: config.sizes.syn_size as u16,
            sack_option: config.sizes.sack_option as u8,
            first_payload: config.first_payload() as u8,
            sack_blocks: config.acks.sack_blocks.min(3),
            delayed_ack: config.acks.delayed_ack,
            wheel: Wheel::new(config.timers.timer_wheel),
            ack_every: u8::try_from(config.acks.ack_every).unwrap_or(u8::MAX),
            quick: config.acks.quick_acks,
            quick_acks: config.acks.quick_acks,
            buffer: ReceiveBuffer::new(config).map(Box::new),
            timestamps: config.options.timestamps,
            options: config.options_size(false) as u8,
            fin_timeout: config.timers.initial_rto,
            expected: 0,
            runs: Runs::default(),
            sack_memory: config.acks.sack_memory,
            dsack: config.acks.dsack,
            duplicate: NONE,
            sack_delay: config.acks.sack_delay,
            prompt: 0,
            compressed: false,
            waits_with_block: false,
            unacked: 0,
            due: false,
            timer: None,
            cheat: Cheat::new(config).map(Box::new),
            ecn: if config.misbehaviour.conceal_marks { EcnMode::Off } else { config.options.ecn },
            ece: false,
            marked: false,
            echo: 0,
            last_ack: 0,
            answer_syn: false,
            fin_at: NONE,
            closed: false,
            rare: None,
            stats: ReceiverStats::default(),
            calm: false,
        }
    }

    /// Sets the ECN field of the next segment, which is ECN-capable; `marked` is true for CE. The caller must
    /// call [`Receiver::poll`] afterwards: with DCTCP, a delayed acknowledgment is sent before ECE changes
    /// (RFC 8257 section 3.2).
    pub fn on_ecn(&mut self, marked: bool) {
        self.stats.marked_packets += u64::from(marked);
        self.marked = marked;
        self.calm &= !marked;
        if self.ecn == EcnMode::Dctcp && marked != self.ece && self.unacked > 0 {
            self.due = true;
        }
    }

    /// Handles an arriving segment.
    #[inline(always)]
    pub fn on_segment(&mut self, now: Instant, segment: &DataHeader) {
        if self.calm && self.takes_calmly(segment) {
            self.take::<true>(now, segment);
        } else {
            self.on_general_segment(now, segment);
            self.calm = self.is_calm();
        }
    }

    /// Handles an arriving segment by all rules.
    #[inline(never)]
    fn on_general_segment(&mut self, now: Instant, segment: &DataHeader) {
        if segment.bare_ack || segment.probe || (segment.syn && self.syn == Syn::Handshake) {
            self.on_control(now, segment);
        } else {
            self.take::<false>(now, segment);
        }
    }

    /// Handles an arriving segment of the stream.
    #[inline(always)]
    fn take<const CALM: bool>(&mut self, now: Instant, segment: &DataHeader) {
        self.stats.received_packets += 1;
        // Without a mark now or before there is nothing to echo.
        if special::<CALM>(self.marked || self.ece) && self.ecn != EcnMode::Off {
            self.echo_mark(segment);
        }
        if self.timestamps && (segment.seq <= self.last_ack || self.echo == 0) {
            self.echo = segment.ts_val;
        }
        // A SYN without data is not a part of the stream. A SYN with data (ns-2) can be a short segment.
        let without_data = special::<CALM>(segment.syn) && segment.payload == 0;
        if special::<CALM>(segment.fin) || (special::<CALM>(segment.payload != self.segment) && !without_data)
        {
            self.is_short(segment);
        }
        if special::<CALM>(segment.fin) {
            self.fin_at = segment.seq;
        }
        if special::<CALM>(self.cheat.is_some()) && self.conceal(segment) {
            self.due = true;
            return;
        }
        if !special::<CALM>(segment.seq != self.expected) {
            self.expected += 1;
            if !special::<CALM>(!self.runs.is_empty()) {
                self.in_order(now, segment);
                // A segment with data and SYN is acknowledged at once (ns-2: SYN_immediate_ack_).
                self.due |= special::<CALM>(segment.syn);
            } else {
                // The segment fills a hole, so an acknowledgment is sent at once (RFC 5681 section 4.2).
                self.join();
                self.prompt = 0;
                self.due = true;
                if let Some(buffer) = &mut self.buffer {
                    self.quick |= u8::from(buffer.widen(segment));
                    buffer.read(now, segment, self.expected);
                }
            }
        } else {
            let again = segment.seq < self.expected || self.runs.contain(segment.seq);
            if again {
                self.stats.duplicate_packets += 1;
                self.duplicate = if self.dsack { segment.seq } else { NONE };
                self.quick = self.quick.max(self.quick_acks);
            } else if let Some(buffer) = &mut self.buffer {
                self.quick |= u8::from(buffer.widen(segment));
            }
            let alone = segment.seq > self.expected && self.store(segment.seq);
            self.due |= again || !self.compresses(now, alone);
        }
        if special::<CALM>(self.fin_at != NONE) && self.fin_at < self.expected {
            self.due = true;
        }
    }

    #[cold]
    fn is_short(&mut self, segment: &DataHeader) {
        let entry = (segment.seq, segment.offset + u64::from(segment.payload));
        let shorts = &mut self.rare.get_or_insert_default().shorts;
        let at = shorts.partition_point(|short| short.0 < segment.seq);
        if shorts.get(at) != Some(&entry) && (at > 0 || segment.seq >= self.expected) {
            shorts.insert(at, entry);
        }
        // Keeps the highest in-order short segment, whose end gives the position in the stream.
        let past = shorts.partition_point(|short| short.0 < self.expected);
        shorts.drain(..past.saturating_sub(1));
    }

    #[cold]
    fn echo_mark(&mut self, segment: &DataHeader) {
        let marked = std::mem::take(&mut self.marked);
        match self.ecn {
            EcnMode::Off => {}
            EcnMode::Classic => self.ece = marked || (self.ece && !segment.cwr),
            EcnMode::Dctcp => self.ece = marked,
        }
    }

    #[inline]
    fn in_order(&mut self, now: Instant, segment: &DataHeader) {
        self.unacked += 1;
        if let Some(buffer) = &mut self.buffer {
            // A segment that widens the window is acknowledged at once; Linux sets the lowest bit of this
            // counter.
            self.quick |= u8::from(buffer.widen(segment));
            buffer.read(now, segment, self.expected);
        }
        let at_once = self.delayed_ack.is_zero() || segment.push || self.quick > 0;
        if at_once || self.unacked >= u32::from(self.ack_every) {
            self.due = true;
        } else if self.timer.is_none() {
            self.timer = Some(Stamp::new(self.wheel.expiry(now, self.delayed_ack), now));
        }
    }

    /// Moves the run that begins at `expected`, if there is one, to the in-order data.
    fn join(&mut self) {
        if let Some(end) = self.runs.take(self.expected) {
            self.expected = end;
        }
    }

    /// Returns true if the acknowledgment of an out-of-order segment waits for the timer, and starts the timer. If
    /// the segment is a run by itself (`alone`), the acknowledgment waits only if it has no other new SACK block.
    #[inline]
    fn compresses(&mut self, now: Instant, alone: bool) -> bool {
        if self.sack_delay.is_zero() || self.quick > 0 {
            return false;
        }
        if self.prompt < PROMPT {
            self.prompt += 1;
            return false;
        }
        if alone && std::mem::replace(&mut self.waits_with_block, true) {
            return false;
        }
        let rtt = self.buffer.as_ref().map_or(Duration::ZERO, |buffer| buffer.round_trip());
        let most = if rtt.is_zero() { self.sack_delay } else { self.sack_delay.min(rtt / SHARE_OF_RTT) };
        self.compressed = true;
        self.timer.get_or_insert(Stamp::new(now + most + SLACK, now));
        true
    }

    /// Stores an out-of-order segment; its run becomes the most recent one for SACK blocks (RFC 2018 section
    /// 4). Returns true if the segment is a run by itself.
    fn store(&mut self, seq: u64) -> bool {
        let (from, to) = self.runs.add(seq);
        if self.sack_memory > 0 {
            let reported = &mut self.rare.get_or_insert_default().reported;
            reported.retain(|run| run.1 < from || to < run.0);
            reported.insert(0, (from, to));
            reported.truncate(self.sack_memory.into());
        }
        to == from + 1
    }

    #[cold]
    fn on_control(&mut self, now: Instant, segment: &DataHeader) {
        if segment.probe {
            self.due = true;
        } else if segment.syn {
            self.answer_syn = true;
            self.due = true;
            if self.timestamps {
                self.echo = segment.ts_val;
            }
        } else if segment.acks_fin {
            // An ACK that answers the receiver's SYN does not have `acks_fin`, so this ACK acknowledges the
            // receiver's FIN. A FIN that was not sent cannot be acknowledged (RFC 9293 section 3.10.7.4).
            if self.fin_received() {
                self.closed = true;
                self.timer = None;
            }
        } else if let Some(buffer) = &mut self.buffer {
            buffer.open(now);
        }
    }

    /// Makes the next [`Receiver::poll`] return an acknowledgment, for example after a change of the path.
    pub fn acknowledge(&mut self) {
        self.due = true;
    }

    /// Handles the expiry of the timer that [`Receiver::timer`] returned. An acknowledgment is then due if
    /// segments wait for one, or if the receiver's FIN is not acknowledged.
    pub fn on_timer(&mut self, _now: Instant) {
        self.timer = None;
        self.due = self.unacked > 0 || self.compressed || self.fin_received();
    }

    /// Returns true if the sender's stream has ended and the receiver's own FIN is not acknowledged.
    fn fin_received(&self) -> bool {
        !self.closed && self.fin_at < self.expected
    }

    /// Returns the acknowledgment to send now, and its size on the wire, bytes; `None` if none is due. A receiver that
    /// misbehaves can send several at a time, so the caller calls until there is none.
    // Inlined so that the result is written directly to the caller's memory. Reading a copy that was just
    // written would wait for the cache.
    #[inline(always)]
    pub fn poll(&mut self, now: Instant) -> Option<(AckHeader, u32)> {
        if !self.due {
            return None;
        }
        Some(if self.calm {
            self.answer::<true>(now)
        } else if let Some(mut cheat) = self.cheat.take() {
            let answer = self.misbehave(&mut cheat, now);
            self.cheat = Some(cheat);
            answer
        } else {
            self.answer::<false>(now)
        })
    }

    /// Returns the acknowledgment that is due, and its size on the wire, bytes.
    #[inline(always)]
    fn answer<const CALM: bool>(&mut self, now: Instant) -> (AckHeader, u32) {
        self.due = false;
        if special::<CALM>(self.compressed || self.waits_with_block) {
            (self.compressed, self.waits_with_block) = (false, false);
        }
        self.unacked = 0;
        self.timer = None;
        let syn = special::<CALM>(self.answer_syn);
        self.quick = self.quick.saturating_sub(u8::from(!syn));
        self.last_ack = self.expected;
        self.stats.acks_sent += 1;
        let (mut sack, mut blocks) = ([SackBlock::default(); 3], 0);
        if special::<CALM>(!self.runs.is_empty() || self.duplicate != NONE) && self.sack_blocks > 0 {
            (sack, blocks) = self.sack();
        }
        let option = if blocks > 0 { u32::from(self.sack_option) + 8 * u32::from(blocks) } else { 0 };
        let size = if syn { u32::from(self.syn_size) } else { self.ack_size + option };
        if syn {
            self.answer_syn = false;
        }
        let fin = special::<CALM>(self.fin_at != NONE) && self.fin_received();
        if fin {
            self.timer = Some(Stamp::new(now + self.fin_timeout, now));
        }
        let (ts_val, ts_ecr) = if self.timestamps { (timestamp(now), self.echo) } else { (0, 0) };
        let window = self.buffer.as_ref().map_or(Advertised::NONE, |b| Advertised::of(b.window()));
        let (ack, ece) = (self.expected, self.ece);
        let header = AckHeader { ack, sack, blocks, syn, fin, ece, ts_val, ts_ecr, window };
        (header, size + u32::from(self.options))
    }

    /// Returns the SACK blocks to send, beginning with a D-SACK if one is due, and their number.
    #[inline(never)]
    fn sack(&mut self) -> ([SackBlock; 3], u8) {
        let expected = self.expected;
        if let Some(rare) = &mut self.rare {
            rare.reported.retain(|run| run.0 > expected);
        }
        let (mut sack, mut blocks) = ([SackBlock::default(); 3], 0);
        let mut places = sack[..usize::from(self.sack_blocks)].iter_mut();
        let mut report = |(place, (from, to)): (&mut SackBlock, (u64, u64))| {
            let relative = |seq: u64| seq.wrapping_sub(expected) as u32;
            *place = SackBlock { from: relative(from), to: relative(to) };
            blocks += 1;
        };
        let duplicate = std::mem::replace(&mut self.duplicate, NONE);
        if duplicate != NONE
            && let Some(first) = places.next()
        {
            report((first, (duplicate, duplicate + 1)));
        }
        if self.sack_memory > 0 {
            let reported = self.rare.iter().flat_map(|rare| rare.reported.iter().copied());
            places.zip(reported).for_each(&mut report);
        } else {
            places.zip(self.runs.recent()).for_each(&mut report);
        }
        (sack, blocks)
    }

    /// Returns the segments shorter than full segments ([`Rare::shorts`]).
    fn shorts(&self) -> &[(u64, u64)] {
        self.rare.as_ref().map_or(&[], |rare| &rare.shorts)
    }

    /// Returns the time at which the timer expires, and the time at which it was set.
    #[inline]
    pub fn timer(&self) -> Option<Stamp> {
        self.timer
    }

    /// Returns the counters so far.
    pub fn stats(&self) -> &ReceiverStats {
        &self.stats
    }

    /// Returns the next segment expected; all segments below it have arrived.
    pub fn expected(&self) -> u64 {
        self.expected
    }

    /// Returns the payload delivered in order, bytes; of a receiver that conceals losses the payload that arrived, in
    /// any order.
    pub fn delivered_bytes(&self) -> u64 {
        if let Some(arrived) = self.cheat.as_ref().and_then(|cheat| cheat.arrived_bytes()) {
            return arrived;
        }
        let shorts = self.shorts();
        let past = shorts.partition_point(|short| short.0 < self.expected);
        let (full, before) = match past.checked_sub(1).map(|last| shorts[last]) {
            Some((seq, end)) => (self.expected - seq - 1, end),
            None => (self.expected.saturating_sub(self.first_payload.into()), 0),
        };
        before + full * u64::from(self.segment)
    }
}
