//! Durations of frames and interframe spaces in a network.

use crate::config::{
    Aggregation, Capture, Config, DurationField, Eifs, Mac, Phy, Protection, Reception, RequestRate, Sinr,
    Timeout,
};
use crate::phy::air::{Kind, Transmission};
use crate::phy::reception::Robustness;
use crate::phy::timing::{Mode, Rounding};
use crate::rate::link_modes::LinkModes;
use crate::rate::modes::modes;
use base::{Duration, Instant};

/// Length of an ACK or CTS, bytes.
pub(crate) const ACK: u32 = 14;
/// Length of an RTS, bytes.
pub(crate) const RTS: u32 = 20;
/// Length of a compressed Block ACK, bytes (8.3.1.9.3).
pub(crate) const BLOCK_ACK: u32 = 32;
/// Length of a compressed Block ACK of 256 bits instead of 64, bytes (IEEE Std 802.11ax-2021, 9.3.1.8.2).
pub(crate) const LONG_BLOCK_ACK: u32 = 56;
/// Length of a compressed Block ACK request, bytes (8.3.1.8.3).
pub(crate) const BLOCK_ACK_REQ: u32 = 24;

/// Length of a CF-End, bytes (8.3.1.6).
pub(crate) const CF_END: u32 = 20;

/// Numbers of the modes of control frames and of CTS; those of data rates follow.
pub(crate) const CONTROL_MODE: u8 = 0;
pub(crate) const CTS_MODE: u8 = 1;

/// Frame of fixed length and mode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ControlFrame {
    pub(crate) mode: u8,
    pub(crate) bytes: u32,
    pub(crate) airtime: Duration,
    /// Duration of the preamble. A sender that senses the preamble of the response before its timeout does not give
    /// up.
    preamble: Duration,
}

/// Data rate, with its control frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    pub(crate) data: Mode,
    /// Number of the rate's mode; the mode of its responses has the next number.
    pub(crate) mode: u8,
    pub(crate) ack: ControlFrame,
    pub(crate) block_ack: ControlFrame,
    /// Block ACK request after data at this rate, and the Block ACK that answers it (`requested`).
    pub(crate) request: ControlFrame,
    pub(crate) requested: ControlFrame,
    /// Length of the longest A-MPDU that keeps to the longest duration, bytes.
    pub(crate) longest: u32,
    /// Cache: the last length of a data frame, bytes, and its airtime.
    last: (u32, Duration),
}

/// Durations of frames and interframe spaces in a network.
#[derive(Clone, Debug)]
pub(crate) struct Durations {
    rounding: Rounding,
    /// DIFS or AIFS (`ifs`), and PIFS, after which the access point sends its beacon.
    pub(crate) ifs: Duration,
    pub(crate) pifs: Duration,
    pub(crate) sifs: Duration,
    slot: Duration,
    allowance: Duration,
    timeout: Timeout,
    control: Mode,
    /// Data rates, set by set, slowest first in each. The first set is that of links with the network's usual
    /// rates; with a constant rate a set has one rate.
    pub(crate) rates: Vec<Rate>,
    /// Set of rates of each link; `begins` are the indices in `rates` at which the sets begin.
    link_modes: LinkModes,
    begins: Vec<u8>,
    pub(crate) rts: ControlFrame,
    pub(crate) cts: ControlFrame,
    pub(crate) cts_to_self: ControlFrame,
    pub(crate) cf_end: ControlFrame,
    pub(crate) beacon: ControlFrame,
    lowest_ack: Duration,
    /// Bytes that a data frame adds to an IP packet.
    pub(crate) header: u32,
    /// Delimiter of a data frame with a single MPDU, bytes; not zero in VHT and HE, where every frame is an A-MPDU.
    pub(crate) delimiter: u32,
    /// For each set of rates, the least received power at which data frames arrive on a silent channel, dBm.
    reach: Vec<f64>,
    modes: Vec<Mode>,
    rts_threshold: u32,
    protection: Protection,
}

/// Returns the length of the longest A-MPDU in this mode that keeps to the longest duration, bytes. Without
/// aggregation there is no limit.
fn longest(data: Mode, mac: &Mac, rounding: Rounding) -> u32 {
    let limits = mac.aggregation;
    if limits.is_on() { data.most_bytes(limits.duration, rounding) } else { u32::MAX }
}

impl Durations {
    pub(crate) fn new(config: &Config) -> Self {
        let (phy, mac): (&Phy, &Mac) = (&config.phy, &config.mac);
        let cts = response(phy, phy.control);
        let lowest = phy.responses.iter().copied().min_by_key(|mode| mode.bps()).unwrap_or(phy.control);
        let mut all = vec![phy.control, cts];
        let link_modes = LinkModes::new(config);
        let (mut data, mut begins, mut reaches) = (Vec::new(), Vec::new(), Vec::new());
        for fastest in &link_modes.fastest {
            let set = modes(*fastest, &phy.rate_control);
            begins.push(data.len() as u8);
            reaches.push(reach(phy, &set));
            data.extend(set);
        }
        all.extend(data.iter().flat_map(|data| [*data, response(phy, *data)]));
        let fixed = |mode: u8, bytes| {
            let of = all[usize::from(mode)];
            ControlFrame { mode, bytes, airtime: of.airtime(bytes, phy.rounding), preamble: of.preamble() }
        };
        let block_ack = if mac.aggregation.frames > Aggregation::FRAMES { LONG_BLOCK_ACK } else { BLOCK_ACK };
        let request = |response: u8| match mac.block_ack_request_rate {
            RequestRate::Control => [fixed(CONTROL_MODE, BLOCK_ACK_REQ), fixed(CTS_MODE, block_ack)],
            RequestRate::Response => [fixed(response, BLOCK_ACK_REQ), fixed(response, block_ack)],
        };
        let rates = data.iter().zip((2..).step_by(2)).map(|(data, mode)| Rate {
            data: *data,
            mode,
            ack: fixed(mode + 1, ACK),
            block_ack: fixed(mode + 1, block_ack),
            request: request(mode + 1)[0],
            requested: request(mode + 1)[1],
            longest: longest(*data, mac, phy.rounding),
            last: (0, Duration::ZERO),
        });
        Self {
            rounding: phy.rounding,
            ifs: mac.access.sifs + mac.access.slot * u64::from(mac.access.aifsn),
            pifs: mac.access.sifs + mac.access.slot,
            sifs: mac.access.sifs,
            slot: mac.access.slot,
            allowance: mac.exchange.propagation_allowance,
            timeout: mac.exchange.timeout,
            control: phy.control,
            rates: rates.collect(),
            link_modes,
            begins,
            rts: fixed(CONTROL_MODE, RTS),
            cts: fixed(CTS_MODE, ACK),
            cts_to_self: fixed(CONTROL_MODE, ACK),
            cf_end: fixed(CONTROL_MODE, CF_END),
            beacon: fixed(CONTROL_MODE, mac.bss.beacon_size),
            lowest_ack: lowest.airtime(ACK, phy.rounding),
            header: mac.exchange.header,
            delimiter: if matches!(phy.data, Mode::Vht(_) | Mode::He(_)) { 4 } else { 0 },
            reach: reaches,
            modes: all,
            rts_threshold: mac.exchange.rts_threshold,
            protection: mac.exchange.protection,
        }
    }

    /// Returns the error model of each mode, by number; empty if reception depends on power alone.
    pub(crate) fn robustness(&self, phy: &Phy) -> Vec<Robustness> {
        match phy.reception {
            Reception::Capture(_) => Vec::new(),
            Reception::Sinr(Sinr { noise_figure, .. }) => {
                self.modes.iter().map(|mode| Robustness::new(*mode, phy, noise_figure)).collect()
            }
        }
    }

    /// Returns for each mode, by number, true if it is DSSS or CCK.
    pub(crate) fn dsss(&self) -> Vec<bool> {
        self.modes.iter().map(|mode| mode.is_dsss()).collect()
    }

    /// Returns EIFS without DIFS after a frame of each type, and then after data at each rate but the slowest. Rule
    /// "dynamic": SIFS and the response, which for data is a Block ACK if frames are `aggregated`. Rule "reserved":
    /// EIFS with DIFS, rounded to the nearest microsecond.
    pub(crate) fn eifs(&self, rule: Eifs, aggregated: bool) -> Vec<Duration> {
        let after = |response: Duration| self.sifs + response;
        let faster = self.rates.len() - 1;
        let lowest = after(self.lowest_ack);
        match rule {
            Eifs::Lowest => return vec![lowest; Kind::COUNT + faster],
            Eifs::Reserved => {
                return vec![DurationField::Nearest.round(lowest + self.ifs); Kind::COUNT + faster];
            }
            Eifs::Dynamic => {}
        }
        let data = |rate: &Rate| after(if aggregated { rate.block_ack.airtime } else { rate.ack.airtime });
        let mut eifs = vec![Duration::ZERO; Kind::COUNT];
        eifs[Kind::Data as usize] = data(&self.rates[0]);
        eifs[Kind::Rts as usize] = after(self.cts.airtime);
        eifs[Kind::Management as usize] = after(self.cts.airtime);
        eifs[Kind::BlockAckReq as usize] = after(self.rates[0].requested.airtime);
        eifs.extend(self.rates[1..].iter().map(data));
        eifs
    }

    /// Returns the time after an RTS within which a frame must begin, so that the NAV set by the RTS stays (9.3.2.4).
    pub(crate) fn nav_reset(&self) -> Duration {
        self.sifs * 2 + self.cts.airtime + self.cts.preamble + self.slot * 2
    }

    /// Returns the data rate with this number.
    #[inline]
    pub(crate) fn rate(&self, rate: u8) -> &Rate {
        &self.rates[usize::from(rate)]
    }

    /// Returns the airtime of a data frame of `bytes` bytes at this rate.
    pub(crate) fn data_time(&mut self, rate: u8, bytes: u32) -> Duration {
        let rounding = self.rounding;
        let rate = &mut self.rates[usize::from(rate)];
        if rate.last.0 != bytes {
            rate.last = (bytes, rate.data.airtime(bytes, rounding));
        }
        rate.last.1
    }

    /// Returns the airtime of a frame of 8192 bits with its overhead: O + Bt / r of the airtime link metric (IEEE Std
    /// 802.11-2016, 14.9). O is the interframe space, a data frame without a packet, SIFS and the ACK.
    pub(crate) fn standard_frame(&self, rate: u8) -> Duration {
        let rate = &self.rates[usize::from(rate)];
        let overhead =
            self.ifs + rate.data.airtime(self.header, self.rounding) + self.sifs + rate.ack.airtime;
        overhead + Duration::from_ps((8192.0 * 1e12 / rate.data.bps() as f64) as u64)
    }

    /// Returns the airtime of a frame of `bytes` bytes in the mode of control frames.
    pub(crate) fn control_time(&self, bytes: u32) -> Duration {
        self.control.airtime(bytes, self.rounding)
    }

    /// Returns a broadcast frame of this length, in the mode of control frames.
    pub(crate) fn message(&self, bytes: u32) -> ControlFrame {
        let preamble = self.control.preamble();
        ControlFrame { mode: CONTROL_MODE, bytes, airtime: self.control_time(bytes), preamble }
    }

    /// Returns the most bytes of a data frame at this rate that lasts no longer than `limit`.
    pub(crate) fn most_bytes(&self, rate: u8, limit: Duration) -> u32 {
        self.rate(rate).data.most_bytes(limit, self.rounding)
    }

    /// Returns the response timeout, counted from the end of the sender's frame. The second value is the duration
    /// of the part of the response that must have arrived by then: its preamble, or all of it.
    pub(crate) fn response_timeout(&self, response: &ControlFrame) -> (Duration, Duration) {
        let allowed = self.allowance * 2;
        match self.timeout {
            Timeout::Begin => (self.sifs + self.slot + response.preamble + allowed, response.preamble),
            Timeout::Whole => (self.sifs + response.airtime + allowed, response.airtime),
        }
    }

    /// Returns the index of the set of rates between two stations.
    #[inline]
    pub(crate) fn set(&self, a: u32, b: u32) -> usize {
        self.link_modes.set(a, b)
    }

    /// Returns the rates of each set, slowest first.
    pub(crate) fn sets(&self) -> impl Iterator<Item = &[Rate]> {
        let ends = self.begins.iter().skip(1).map(|end| usize::from(*end)).chain([self.rates.len()]);
        self.begins.iter().zip(ends).map(|(begin, end)| &self.rates[usize::from(*begin)..end])
    }

    /// Returns the number of the slowest rate between two stations.
    #[inline]
    pub(crate) fn slowest(&self, a: u32, b: u32) -> u8 {
        self.begins[self.set(a, b)]
    }

    /// Returns the number of the fastest rate of the first set, which has the network's usual rates.
    pub(crate) fn usual(&self) -> u8 {
        self.begins.get(1).map_or(self.rates.len() as u8, |begin| *begin) - 1
    }

    /// Returns the least received power, dBm, at which data frames between two stations arrive on a silent channel:
    /// the receive threshold, or with reception by SINR the power at which 90 % of frames of 1500 bytes are
    /// received.
    pub(crate) fn reach(&self, a: u32, b: u32) -> f64 {
        self.reach[self.set(a, b)]
    }

    /// Returns the protection of a data frame at this rate, or of a management frame (`None`). Frames in DSSS need
    /// none.
    fn protection_at(&self, rate: Option<u8>) -> Protection {
        let in_ofdm = rate.is_some_and(|rate| !self.rate(rate).data.is_dsss());
        if in_ofdm { self.protection } else { Protection::None }
    }

    /// Returns true if an RTS precedes a data frame at this rate, or a management frame (`None`), of this length.
    pub(crate) fn has_rts(&self, rate: Option<u8>, bytes: u32) -> bool {
        bytes > self.rts_threshold || self.protection_at(rate) == Protection::RtsCts
    }

    /// Returns the time that RTS and CTS, or CTS-to-self, and the SIFS after them take before a frame. `covered`: the
    /// receiver has already acknowledged a frame in this TXOP, so that no RTS is needed for the threshold.
    pub(crate) fn protection_time(&self, rate: Option<u8>, bytes: u32, covered: bool) -> Duration {
        let protection = self.protection_at(rate);
        if self.has_rts(rate, bytes) && !(covered && protection == Protection::None) {
            return self.rts.airtime + self.cts.airtime + self.sifs * 2;
        }
        match protection {
            Protection::CtsToSelf => self.cts_to_self.airtime + self.sifs,
            Protection::None | Protection::RtsCts => Duration::ZERO,
        }
    }
}

impl ControlFrame {
    /// Returns the frame as a transmission whose Duration field is zero.
    pub(crate) fn transmission(&self, kind: Kind, from: u32, to: u32, begins: Instant) -> Transmission {
        Transmission {
            from,
            to,
            kind,
            begins,
            ends: begins + self.airtime,
            reserves: Duration::ZERO,
            bytes: self.bytes,
            mode: self.mode,
            rate: 0,
            aggregates: 0,
            eifs: Duration::ZERO,
            clear: false,
            flow: None,
        }
    }
}

/// Returns the least received power, dBm, at which frames in at least one of these modes arrive on a silent
/// channel.
fn reach(phy: &Phy, modes: &[Mode]) -> f64 {
    match phy.reception {
        Reception::Capture(Capture { receive, .. }) => receive,
        Reception::Sinr(Sinr { noise_figure, preamble_power, .. }) => {
            let reach = modes.iter().map(|mode| Robustness::new(*mode, phy, noise_figure).reach());
            reach.fold(f64::INFINITY, f64::min).max(preamble_power)
        }
    }
}

/// Returns the mode of the response to a frame in mode `to` (9.7.6.5), of the same modulation class if possible.
fn response(phy: &Phy, to: Mode) -> Mode {
    let class = phy.responses.iter().filter(|mode| mode.is_dsss() == to.is_dsss());
    let all =
        if class.clone().count() > 0 { class.collect() } else { phy.responses.iter().collect::<Vec<_>>() };
    let slow_enough = all.iter().copied().copied().filter(|mode| mode.bps() <= to.reference_bps());
    let slowest = all.iter().copied().copied().min_by_key(|mode| mode.bps());
    slow_enough.max_by_key(|mode| mode.bps()).or(slowest).unwrap_or(to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Profile;
    use crate::config::Site;
    use crate::phy::timing::{GuardInterval, Standard, Width};
    use radio::Position;
    use radio::access::Station;

    fn frames(standard: Standard, access_point: bool) -> Durations {
        let sites = vec![Site::fixed(Position::default()); 2];
        Durations::new(&Config::new(standard, Profile::Ieee, sites, access_point.then_some(Station(0))))
    }

    fn us(time: Duration) -> u64 {
        assert_eq!(time.ps() % 1_000_000, 0);
        time.ps() / 1_000_000
    }

    /// Airtimes of ACK, CTS, RTS and Block ACK frames follow from the rates at which ns-3.37 sends them; DIFS or
    /// AIFS is that of the standard.
    #[test]
    fn responses_and_spaces_of_each_standard() {
        let cases = [
            (Standard::B, true, [50, 248, 304, 352]),
            (Standard::B, false, [50, 203, 304, 352]),
            (Standard::G, true, [28, 34, 50, 58]),
            (Standard::A, false, [34, 28, 44, 52]),
            (Standard::N, true, [43, 28, 44, 52]),
        ];
        for (standard, access_point, expected) in cases {
            let f = frames(standard, access_point);
            let got = [f.ifs, f.rate(0).ack.airtime, f.cts.airtime, f.rts.airtime].map(us);
            assert_eq!(got, expected, "{standard:?}");
        }
        let n = frames(Standard::N, true);
        assert_eq!([us(n.rate(0).block_ack.airtime), us(n.rate(0).requested.airtime)], [32, 68]);
    }

    /// The response rate follows from the MCS's modulation and coding in non-HT format: Block ACKs to MCS 1 use 12 Mb/s.
    #[test]
    fn responses_to_a_slow_mcs_are_slow() {
        let sites = vec![Site::fixed(Position::default()); 2];
        let mut config = Config::new(Standard::N, Profile::Ns3, sites, None);
        config.set_mode(Standard::N.mcs(1, Width::Mhz40, GuardInterval::Short).expect("an MCS"));
        let f = Durations::new(&config);
        assert_eq!([us(f.rate(0).block_ack.airtime), us(f.rate(0).ack.airtime)], [44, 32]);
        // ns-3 sends the RTS in HT format, which takes 50.4 us.
        assert_eq!(f.rts.airtime.ps(), 50_400_000);
    }

    /// A frame takes DIFS, preamble and header, SIFS, ACK and 8192 bits. In 802.11b preamble and 36 bytes of header
    /// take 192 + 27 us: 50 + 219 + 10 + 203 + 744.73 us. In 802.11a: 34 + 28 + 16 + 28 + 151.70 us.
    #[test]
    fn a_standard_frame_of_the_airtime_metric() {
        let ns = |standard| frames(standard, false).standard_frame(0).ps() / 1000;
        assert_eq!([Standard::B, Standard::A].map(ns), [1_226_727, 257_703]);
    }

    /// EIFS - DIFS = SIFS + ACK at the lowest rate: 10 + 304 in 802.11b, 16 + 44 in 802.11a.
    #[test]
    fn eifs_is_of_the_lowest_rate_or_of_the_response() {
        let (b, a) = (frames(Standard::B, true), frames(Standard::A, true));
        assert_eq!(b.eifs(Eifs::Lowest, false), [Duration::from_us(314); Kind::COUNT]);
        assert_eq!(a.eifs(Eifs::Lowest, false), [Duration::from_us(60); Kind::COUNT]);
        let dynamic = b.eifs(Eifs::Dynamic, false);
        assert_eq!(us(dynamic[Kind::Data as usize]), 258);
        assert_eq!(us(dynamic[Kind::Ack as usize]), 0);
        // `Eifs::Reserved` includes DIFS: 314 + 50 us in 802.11b, 60 + 34 us in 802.11a.
        assert_eq!(b.eifs(Eifs::Reserved, false), [Duration::from_us(364); Kind::COUNT]);
        assert_eq!(a.eifs(Eifs::Reserved, false), [Duration::from_us(94); Kind::COUNT]);
    }
}
