//! Callbacks of user-defined controls, and the window and rate that a program may set.

use base::{AckHeader, Advertised, Duration, Instant};
use std::sync::{Arc, Mutex};
use tcp::config::{Config, Ecn, Syn};
use tcp::congestion::{
    AckSample, Algorithm, Arrival, CongestionControl, Control, Controls, Custom, LossSample, Needs, Reaction,
    RecoveryStep, Window,
};
use tcp::rate::RateSample;
use tcp::recovery::Recovery;
use tcp::{Sender, Table};

use crate::common::bench::{Bench, ack, at};
use crate::common::endpoint::endpoint;

const DIARY: Algorithm = Algorithm {
    name: "diary",
    summary: "a fixed window that writes down what it is told",
    source: "this test",
    aliases: &[],
    linux: false,
    parameters: &[],
};

/// A control that logs its callbacks; it sets its timer to 40 ms after each acknowledgment and 10 ms after each timer call.
#[derive(Clone, Debug)]
struct Diary {
    window: Window,
    told: Arc<Mutex<Vec<String>>>,
    wake: Option<Instant>,
    pacing: Option<f64>,
    spoil: Spoil,
}

/// A fault to inject into the callback of the given name.
type Spoil = fn(&mut Diary, &str);

impl Diary {
    fn note(&self, text: String) {
        self.told.lock().expect("one thread").push(text);
    }
}

fn ms(now: Instant) -> f64 {
    1e3 * now.since(Instant::ZERO).secs()
}

impl CongestionControl for Diary {
    tcp::own_window!();

    fn needs(&self) -> Needs {
        Needs { timer: true, arrivals: true, rates: true, segment_times: true, ..Needs::default() }
    }
    fn on_handshake(&mut self, now: Instant, rtt: Duration) {
        self.note(format!("{} handshake {}", ms(now), 1e3 * rtt.secs()));
        (self.spoil)(self, "on_handshake");
    }
    fn on_arrival(&mut self, arrival: &Arrival) {
        let Arrival { now, acked, outstanding, segment, srtt, marked } = *arrival;
        let srtt = srtt.map(|srtt| 1e3 * srtt.secs());
        self.note(format!("{} arrival {acked} of {outstanding}, {segment} B, {srtt:?}, {marked}", ms(now)));
        (self.spoil)(self, "on_arrival");
    }
    fn on_ack(&mut self, ack: &AckSample) {
        let AckSample { now, count, una_before, una, next, delayed, rtt, outstanding, grow, .. } = *ack;
        let rtt = rtt.map(|rtt| 1e3 * rtt.secs());
        self.note(format!(
            "{} ack {count} {una_before}..{una} {next} {delayed} {rtt:?} {outstanding} {grow}",
            ms(now)
        ));
        self.wake = Some(now + Duration::from_ms(40));
        (self.spoil)(self, "on_ack");
    }
    fn on_rate(&mut self, sample: &RateSample) {
        let RateSample { now, newly_delivered, delivered, in_flight, app_limited, .. } = *sample;
        self.note(format!("{} rate {newly_delivered} {delivered} {in_flight} {app_limited}", ms(now)));
        (self.spoil)(self, "on_rate");
    }
    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        let LossSample { now, why, base, una, outstanding, .. } = *loss;
        self.note(format!("{} {why:?} {base} {una} {outstanding}", ms(now)));
        (self.spoil)(self, "on_congestion");
        Reaction::CUT
    }
    fn on_recovery(&mut self, now: Instant, step: RecoveryStep) {
        self.note(format!("{} {step:?}", ms(now)));
        (self.spoil)(self, "on_recovery");
    }
    fn wake(&self) -> Option<Instant> {
        self.wake
    }
    fn on_timer(&mut self, now: Instant) {
        self.note(format!("{} timer", ms(now)));
        self.wake = Some(now + Duration::from_ms(10));
        self.window.cwnd += 1.0;
        (self.spoil)(self, "on_timer");
    }
    fn pacing_rate(&self) -> Option<f64> {
        self.pacing
    }
    fn state(&self) -> &'static str {
        "writing"
    }
    fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        show("half", self.window.cwnd / 2.0);
    }
}

/// Opens a connection of 1000 segments with a control that logs its callbacks; returns the connection and the
/// log.
fn diary(
    recovery: Recovery,
    spoil: Spoil,
    change: impl FnOnce(&mut Config),
) -> (Bench, Arc<Mutex<Vec<String>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let shared = Arc::clone(&told);
    let mut controls = Controls::default();
    controls.add(Custom::new(&DIARY, move |_, window| Diary {
        window,
        told: Arc::clone(&shared),
        wake: None,
        pacing: None,
        spoil,
    }));
    let variant = Some("sack+diary".to_owned());
    let table = Table { variant, ..Table::preset("sack", &controls).expect("a preset") };
    let control = table.resolve().expect("a variant").1.control;
    let mut config = Config { control, ..endpoint(recovery) };
    config.windows.initial_window = 4.0;
    change(&mut config);
    (Bench::new(config, 1000), told)
}

fn read(told: &Mutex<Vec<String>>) -> Vec<String> {
    std::mem::take(&mut *told.lock().expect("one thread"))
}

/// Segments 0 to 3 leave at 0 ms. The control's timer expires before the retransmission timer, and the
/// segments that it permits leave at once.
#[test]
fn a_control_is_called_when_it_asked_to_be() {
    let (mut bench, told) = diary(Recovery::NewReno, |_, _| (), |_| ());
    assert_eq!(bench.sent(0), [0, 1, 2, 3]);
    assert_eq!(bench.due(), at(1000), "the retransmission timer alone");
    assert_eq!(bench.ack(100, 1, &[]), [4]);
    assert_eq!(
        read(&told),
        [
            "100 arrival 1 of 4, 1000 B, None, false",
            "100 ack 1 0..1 4 false Some(100.0) 4 true",
            "100 rate 1 1 3 false"
        ]
    );
    // The control's timer expires at 100 + 40 ms, then every 10 ms, and each time permits one more segment.
    assert_eq!(bench.expire(140), [5]);
    assert_eq!(bench.expire(150), [6]);
    assert_eq!(read(&told), ["140 timer", "150 timer"]);
    let stats = bench.0.stats();
    assert_eq!((stats.timeouts, bench.0.cwnd()), (0, 6.0));
    // The acknowledgment replaces the control's next time, 160 ms, by a later one.
    assert_eq!(bench.ack(155, 2, &[]), [7]);
    assert_eq!(bench.due(), at(195));
    assert_eq!(
        read(&told),
        [
            "155 arrival 1 of 6, 1000 B, Some(100.0), false",
            "155 ack 1 1..2 7 false Some(155.0) 6 true",
            "155 rate 1 2 5 false"
        ]
    );
}

/// The control is called even if its timer is handled late. The segments that it then permits are sent,
/// although a duplicate ACK before permitted none.
#[test]
fn a_control_is_called_late_rather_than_never() {
    let without = |config: &mut Config| config.detection.limited_transmit = false;
    let (mut bench, told) = diary(Recovery::NewReno, |_, _| (), without);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    assert!(bench.ack(130, 1, &[]).is_empty());
    read(&told);
    assert!(bench.sent(141).is_empty());
    assert_eq!(bench.due(), at(140), "it waits to be called");
    bench.0.on_timer(at(142));
    assert_eq!((bench.sent(142), read(&told)), (vec![5], vec!["142 timer".to_owned()]));
    assert_eq!(bench.due(), at(152));
}

/// If the receiver's window limits the sender, the rate samples of the next segments are marked as limited.
#[test]
fn a_control_is_told_what_held_the_sender_back() {
    let (mut bench, told) = diary(Recovery::NewReno, |_, _| (), |_| ());
    bench.sent(0);
    let room = |to, segments: u64| AckHeader { window: Advertised::of(1000 * segments), ..ack(to, &[]) };
    bench.0.on_ack(at(100), &room(1, 3));
    assert!(bench.sent(100).is_empty(), "three of four are outstanding");
    bench.0.on_ack(at(110), &room(2, 10));
    assert_eq!(bench.sent(110), [4, 5]);
    (3..=6).for_each(|to| bench.0.on_ack(at(200 + to), &room(to, 10)));
    let told = read(&told);
    let limited: Vec<bool> =
        told.iter().filter(|line| line.contains("rate")).map(|line| line.ends_with("true")).collect();
    assert_eq!(limited, [false, false, false, false, true, true]);
}

/// Segments 1 and 2 of 0 to 6 are lost. The first duplicate ACKs release 7 and 8, which do not count in the flight size. The third
/// inflates the window of six by three, which releases 9. The partial acknowledgment releases 10.
#[test]
fn a_control_is_told_of_every_step_of_a_recovery() {
    let (mut bench, told) = diary(Recovery::NewReno, |_, _| (), |config| config.windows.initial_window = 6.0);
    assert_eq!(bench.sent(0).len(), 6);
    bench.ack(100, 1, &[]);
    let sent: Vec<u64> = (1..=3).flat_map(|n| bench.ack(100 + n, 1, &[])).collect();
    assert_eq!(sent, [7, 8, 1, 9]);
    assert_eq!(bench.ack(130, 2, &[]), [2, 10]);
    bench.ack(135, 9, &[]);
    let told = read(&told);
    let steps =
        told.iter().map(String::as_str).filter(|line| !line.contains("arrival") && !line.contains("rate"));
    assert_eq!(
        steps.collect::<Vec<_>>(),
        [
            "100 ack 1 0..1 6 false Some(100.0) 6 true",
            "103 FastLoss 6 1 8",
            "103 Retransmission { outstanding: 8 }",
            "135 End",
            "135 Deflation { inflation: 3 }",
            "135 ack 1 2..9 11 false Some(33.0) 9 false",
        ]
    );
}

/// Each acknowledgment with ECN-Echo reports the mark to the control; the control is asked to react once per window, and the
/// window does not grow.
#[test]
fn a_control_is_told_of_marks() {
    let (mut bench, told) = diary(Recovery::Sack, |_, _| (), |config| config.options.ecn = Ecn::Classic);
    bench.sent(0);
    bench.0.on_ack(at(100), &AckHeader { ece: true, ..ack(1, &[]) });
    bench.0.on_ack(at(101), &AckHeader { ece: true, ..ack(2, &[]) });
    let told = read(&told);
    assert_eq!(told[0], "100 arrival 1 of 4, 1000 B, None, true");
    assert_eq!(told[1], "100 ack 1 0..1 4 false Some(100.0) 4 false");
    assert_eq!(told[2], "100 Mark 3 1 3");
    assert_eq!(told.iter().filter(|line| line.contains("Mark")).count(), 1);
}

#[test]
fn a_control_is_told_of_the_handshake() {
    let (mut bench, told) = diary(
        Recovery::Sack,
        |_, _| (),
        |config| {
            config.connection.syn = Syn::Handshake;
            config.acks.delayed_ack = Duration::from_ms(40);
        },
    );
    bench.sent(10);
    bench.0.on_ack(at(90), &AckHeader { syn: true, ..ack(0, &[]) });
    assert_eq!(read(&told), ["90 handshake 90"]);
    assert_eq!(bench.sent(90).len(), 4);
    bench.ack(180, 1, &[]);
    assert_eq!(read(&told)[1], "180 ack 1 0..1 4 true Some(90.0) 4 true");
}

/// After an invalid window the control is no longer called, and the connection continues with the last valid window.
#[test]
fn a_broken_control_is_told_nothing_more() {
    let spoil: Spoil = |diary, call| {
        if call == "on_ack" {
            diary.window.cwnd = f64::NAN;
        }
    };
    let (mut bench, told) = diary(Recovery::NewReno, spoil, |_| ());
    bench.sent(0);
    assert!(bench.0.fault().is_none());
    bench.ack(100, 1, &[]);
    let fault = bench.0.fault().expect("its window is none");
    assert_eq!((fault.at, &fault.message[..11]), (at(100), "cwnd is NaN"));
    assert_eq!((bench.0.cwnd(), read(&told).len()), (4.0, 2));
    assert_eq!(bench.due(), at(400), "its timer has no effect");
    (1..=4).for_each(|n| drop(bench.ack(100 + n, 1, &[])));
    bench.ack(200, 3, &[]);
    assert!(read(&told).is_empty());
}

/// An invalid value after any callback is detected, and the error names the callback with its arguments.
#[test]
fn a_control_may_break_in_any_call() {
    let calls: [(&str, Spoil); 6] = [
        ("on_handshake(0.09, 0.09)", |diary, call| {
            diary.window.cwnd -= if call == "on_handshake" { 9.0 } else { 0.0 }
        }),
        ("on_arrival(", |diary, call| diary.window.cwnd -= if call == "on_arrival" { 9.0 } else { 0.0 }),
        ("on_rate(", |diary, call| diary.window.cwnd -= if call == "on_rate" { 9.0 } else { 0.0 }),
        ("on_timer(0.22)", |diary, call| diary.window.cwnd -= if call == "on_timer" { 9.0 } else { 0.0 }),
        ("on_congestion(", |diary, call| {
            diary.window.cwnd -= if call == "on_congestion" { 9.0 } else { 0.0 }
        }),
        ("on_recovery(0.233, Retransmission", |diary, call| {
            diary.window.cwnd -= if call == "on_recovery" { 9.0 } else { 0.0 };
        }),
    ];
    for (said, spoil) in calls {
        let (mut bench, _) = diary(Recovery::NewReno, spoil, |config| config.connection.syn = Syn::Handshake);
        bench.sent(0);
        bench.0.on_ack(at(90), &AckHeader { syn: true, ..ack(0, &[]) });
        bench.sent(90);
        bench.ack(180, 1, &[]);
        if bench.due() == at(220) {
            bench.expire(220);
        }
        (1..=3).for_each(|n| drop(bench.ack(230 + n, 1, &[])));
        let fault = bench.0.fault().unwrap_or_else(|| panic!("{said}"));
        assert!(fault.call.starts_with(said), "{said}: {}", fault.call);
        assert!(fault.message.starts_with("cwnd is -"), "{}", fault.message);
        assert!(bench.0.cwnd() >= 4.0);
    }
}

/// The contract's bounds: window at least 1, ssthresh at least 0 or infinite, pacing rate above 0.
#[test]
fn a_control_may_go_to_its_bounds_and_no_further() {
    let answers: [(Option<&str>, Spoil); 13] = [
        (None, |diary, _| diary.window.cwnd = 1.0),
        (None, |diary, _| diary.window.cwnd = 1e9),
        (Some("cwnd is 0.5; it is a number of segments from 1 to 1000000000"), |diary, _| {
            diary.window.cwnd = 0.5;
        }),
        (Some("cwnd is 0;"), |diary, _| diary.window.cwnd = 0.0),
        (Some("cwnd is 1000000001;"), |diary, _| diary.window.cwnd = 1e9 + 1.0),
        (None, |diary, _| diary.window.ssthresh = 0.0),
        (None, |diary, _| diary.pacing = Some(0.001)),
        (Some("cwnd is inf;"), |diary, _| diary.window.cwnd = f64::INFINITY),
        (Some("cwnd is -0.5;"), |diary, _| diary.window.cwnd = -0.5),
        (Some("ssthresh is NaN;"), |diary, _| diary.window.ssthresh = f64::NAN),
        (Some("ssthresh is -0.5;"), |diary, _| diary.window.ssthresh = -0.5),
        (Some("pacing_rate is 0;"), |diary, _| diary.pacing = Some(0.0)),
        (Some("pacing_rate is inf;"), |diary, _| diary.pacing = Some(f64::INFINITY)),
    ];
    for (message, spoil) in answers {
        let (mut bench, _) = diary(Recovery::NewReno, spoil, |_| ());
        bench.sent(0);
        bench.ack(100, 1, &[]);
        let found = bench.0.fault().map(|fault| fault.message.clone());
        assert_eq!(found.is_some(), message.is_some(), "{found:?} {message:?}");
        assert!(found.unwrap_or_default().starts_with(message.unwrap_or_default()), "{message:?}");
    }
}

/// If a program sets the pacing rate, the control still sets the window, and all of its callbacks are called
/// as before.
#[test]
fn a_control_beneath_a_rate_is_told_everything() {
    let (mut bench, told) =
        diary(Recovery::NewReno, |_, _| (), |config| config.connection.syn = Syn::Handshake);
    bench.0.set_pacing_rate(Some(1e6));
    bench.sent(0);
    bench.0.on_ack(at(90), &AckHeader { syn: true, ..ack(0, &[]) });
    for ms in 90..94 {
        bench.sent(ms);
    }
    bench.ack(180, 1, &[]);
    bench.expire(220);
    (1..=3).for_each(|n| drop(bench.ack(230 + n, 1, &[])));
    let told: Vec<String> =
        read(&told).iter().map(|line| line.split(' ').nth(1).unwrap_or_default().to_owned()).collect();
    for call in ["handshake", "arrival", "ack", "rate", "timer", "FastLoss", "Retransmission"] {
        assert!(told.iter().any(|told| told == call), "{call}: {told:?}");
    }
    let mut shown = Vec::new();
    bench.0.traced(&mut |name, value| shown.push((name.to_owned(), value)));
    assert_eq!(shown, [("pacing_rate".to_owned(), 1e6), ("half".to_owned(), bench.0.cwnd() / 2.0)]);
    assert_eq!((bench.0.control_state(), bench.0.fault().is_none()), ("writing", true));
}

/// Controls are found by name; adding a control replaces another of the same name.
#[test]
fn controls_are_known_by_their_names() {
    let made = |told: &Arc<Mutex<Vec<String>>>| {
        let told = Arc::clone(told);
        let control = move |_: &[f64], window| Diary {
            window,
            told: Arc::clone(&told),
            wake: None,
            pacing: None,
            spoil: |_, _| (),
        };
        Custom::new(&DIARY, control)
    };
    let told = Arc::new(Mutex::new(Vec::new()));
    let (one, other) = (made(&told), made(&told));
    assert!(one == one.clone() && one != other);
    let mut controls = Controls::default();
    assert!(controls.is_empty());
    let mut more = Controls::default();
    more.add(one.clone());
    controls.extend(&more);
    assert_eq!((controls.names().collect::<Vec<_>>(), controls.is_empty()), (vec!["diary"], false));
    assert_eq!(controls.algorithms().map(|algorithm| algorithm.source).collect::<Vec<_>>(), ["this test"]);
    assert!(controls.get("diary") == Some(&one) && controls.get("other").is_none());
    controls.add(other.clone());
    assert!(controls.get("diary") == Some(&other));
    // A `tcp` table finds user-defined controls by name, also behind the name of a loss recovery.
    for (name, canonical) in [("diary", "diary"), (" rack+diary", "rack+diary"), ("sack+reno", "sack")] {
        let variant = Some(name.to_owned());
        let table = Table { variant, ..Table::preset("sack", &controls).expect("a preset") };
        let (found, config) = table.resolve().expect("a variant");
        assert_eq!(found, canonical);
        assert_eq!(config.control.custom().is_some(), name.contains("diary"));
        assert_eq!(Table::of(&found, &config).resolve().expect("again"), (found, config));
    }
}

fn steady() -> Bench {
    let control = Control::by_name("reno", &[]).expect("registered");
    let mut bench = Bench::new(Config { control, ..endpoint(Recovery::NewReno) }, 1000);
    assert_eq!(bench.sent(0).len(), 10);
    bench.ack(100, 1, &[]);
    bench
}

/// With twelve segments in flight a window of 16 is set; the four segments that it permits leave at once.
#[test]
fn a_window_that_is_set_holds_until_the_control_moves_it() {
    let mut bench = steady();
    // One duplicate ACK, too few for recovery, releases segment 12 (Limited Transmit).
    bench.ack(110, 1, &[]);
    bench.0.set_cwnd(16.0);
    assert_eq!(bench.sent(111), [13, 14, 15, 16]);
    assert_eq!((bench.0.cwnd(), bench.0.sequence()), (16.0, (1, 17, 17)));
    bench.ack(120, 2, &[]);
    assert_eq!(bench.0.cwnd(), 17.0);
}

#[test]
fn a_window_that_is_held_stays_whatever_the_control_says() {
    let mut bench = steady();
    bench.0.hold_cwnd(Some(14.0));
    assert_eq!(bench.sent(101), [12, 13, 14]);
    bench.ack(110, 2, &[]);
    (1..=4).for_each(|n| drop(bench.ack(110 + n, 2, &[])));
    assert_eq!((bench.0.cwnd(), bench.0.stats().fast_retransmits), (14.0, 1));
    // A timeout restarts with one segment, and acknowledgments restore the held window.
    let due = bench.due();
    bench.0.on_timer(due);
    assert_eq!(bench.0.cwnd(), 1.0);
    bench.ack(600, 3, &[]);
    assert_eq!(bench.0.cwnd(), 2.0);
    (4..=16).for_each(|to| drop(bench.ack(600 + to, to, &[])));
    assert_eq!(bench.0.cwnd(), 14.0, "no further");
    bench.0.hold_cwnd(None);
    bench.ack(620, 17, &[]);
    assert!(bench.0.cwnd() > 14.0, "the control goes on");
}

/// At a rate of 100 segments per second one segment leaves every 10 ms.
#[test]
fn a_rate_that_is_set_paces_the_segments() {
    let mut bench = steady();
    assert_eq!(bench.0.pacing_rate(), None);
    bench.0.set_pacing_rate(Some(100.0));
    bench.0.set_cwnd(15.0);
    assert_eq!(bench.0.pacing_rate(), Some(100.0));
    let mut times = Vec::new();
    let mut now = at(101);
    while times.len() < 3 {
        match bench.0.poll(now) {
            Some((segment, _)) => times.push((segment.seq, now)),
            None => now = bench.0.release().expect("it waits").at,
        }
    }
    assert_eq!(times, [(12, at(101)), (13, at(111)), (14, at(121))]);
    bench.0.set_pacing_rate(None);
    assert_eq!(bench.0.pacing_rate(), None);
}

/// A sender is stalled only if it has data to send, nothing outstanding, no timer, and no control segment to send.
#[test]
fn a_sender_says_that_it_is_stalled() {
    let mut sender = Sender::new(&Arc::new(endpoint(Recovery::Sack)), Duration::ZERO);
    sender.open_stream(at(5));
    sender.offer(at(5), 4000);
    let mut bench = Bench(sender);
    assert_eq!(bench.sent(5).len(), 4);
    assert_eq!(bench.0.stalled(), None, "four are under way");
    bench.ack(100, 4, &[]);
    assert_eq!(bench.0.stalled(), None, "there is nothing to send");
    bench.0.set_cwnd(0.5);
    assert_eq!(bench.0.cwnd(), 1.0, "a program cannot set less than a segment");
    bench.0.offer(at(200), 8000);
    assert_eq!((bench.sent(200), bench.0.stalled()), (vec![4], None));
}
