//! The `tcp` table of a scenario: the connections that it configures, and the values that it refuses.

use base::Duration;
use settings::{Node, Setting};
use tcp::config::{FullAckWindow, Parameters, PartialWindow, TickPhase};
use tcp::recovery::Recovery;
use tcp::{Config, Table, profiles, variants};

/// Resolves a `tcp` table in TOML with `; ` between its lines.
fn resolve(text: &str) -> Result<(String, Config), String> {
    let node = Node::from_toml(&text.replace("; ", "\n")).expect("TOML");
    let table = Table::read(&node).map_err(|error| error.to_string())?;
    table.resolve().map_err(|error| error.to_string())
}

fn config(text: &str) -> Config {
    resolve(text).unwrap_or_else(|error| panic!("{text}: {error}")).1
}

/// Refused tables with their error: path, problem, allowed values (unless the list is long), and nearest name.
const REFUSED: &[(&str, &str)] = &[
    (r#""#, r#"variant: a flow over TCP needs a variant"#),
    (r#"variant = "renno""#, r#"variant: there is no TCP variant "renno" / did you mean `reno`?"#),
    (
        r#"variant = "TCP/Newrenoo""#,
        r#"variant: there is no TCP variant "TCP/Newrenoo" / did you mean `newreno`?"#,
    ),
    (
        r#"variant = "sak+reno""#,
        r#"variant: there is no loss recovery "sak" / allowed: tahoe, reno, newreno, sack, fack, rack / did you mean `sack+reno`?"#,
    ),
    (
        r#"variant = "sack+cubc""#,
        r#"variant: there is no congestion control "cubc" / did you mean `sack+cubic`?"#,
    ),
    (
        r#"variant = "sack"; profile = "ns4""#,
        r#"profile: there is no profile "ns4" / allowed: rfc, linux, ns2, ns3 / did you mean `ns2`?"#,
    ),
    (
        r#"variant = "sack"; segment = "65500B""#,
        r#"segment: a segment of 65500 B and its header of 40 B exceed 65535 B / allowed: together at most "65535B""#,
    ),
    (
        r#"variant = "sack"; header = "65000B""#,
        r#"header: a segment of 1460 B and its header of 65000 B exceed 65535 B / allowed: together at most "65535B""#,
    ),
    (
        r#"variant = "sack"; initial_window = "unlimited""#,
        r#"initial_window: initial_window has a limit / allowed: segments (10) or a size ("14600B")"#,
    ),
    (
        r#"variant = "sack"; syn_loss_window = "unlimited""#,
        r#"syn_loss_window: syn_loss_window has a limit / allowed: segments (10) or a size ("14600B")"#,
    ),
    (
        r#"variant = "sack"; initial_window = 1000001"#,
        r#"initial_window: a window is at least 1 segment and at most 1000000 / allowed: segments (20), a size ("64KiB"), or "unlimited""#,
    ),
    (
        r#"variant = "sack"; initial_window = 0.5"#,
        r#"initial_window: a window is at least 1 segment and at most 1000000 / allowed: segments (20), a size ("64KiB"), or "unlimited""#,
    ),
    (
        r#"variant = "sack"; initial_window = "100B""#,
        r#"initial_window: 100 B are less than one segment of 1460 B / allowed: room for at least one segment"#,
    ),
    (
        r#"variant = "sack"; initial_window = "unlimitd""#,
        r#"initial_window: "unlimitd" is not a window / allowed: segments (20), a size ("64KiB"), or "unlimited" / did you mean `unlimited`?"#,
    ),
    (
        r#"variant = "sack"; initial_window = true"#,
        r#"initial_window: true does not belong here / allowed: segments (20), a size ("64KiB"), or "unlimited""#,
    ),
    (
        r#"variant = "sack"; min_rto = "61s""#,
        r#"min_rto: min_rto (61s) exceeds max_rto (60s, from profile rfc) / allowed: min_rto and initial_rto up to max_rto"#,
    ),
    (
        r#"variant = "sack"; max_rto = "500ms""#,
        r#"max_rto: min_rto (1s, from profile rfc) exceeds max_rto (500ms) / allowed: min_rto and initial_rto up to max_rto"#,
    ),
    (
        r#"variant = "sack"; initial_rto = "61s"; max_rto = "60s""#,
        r#"max_rto: initial_rto (61s) exceeds max_rto (60s) / allowed: min_rto and initial_rto up to max_rto"#,
    ),
    (
        r#"variant = "sack"; profile = "ns2"; tick_phase = "10ms""#,
        r#"tick_phase: a phase lies within one tick of 10ms / allowed: "random", or a time below clock_tick"#,
    ),
    (
        r#"variant = "rack"; duplicates = 4"#,
        r#"duplicates: recovery rack counts segments that arrived beyond a hole, not duplicates / allowed: 3; or recovery sack with sack_pipe = "counter""#,
    ),
    (
        r#"variant = "sack"; duplicates = 2"#,
        r#"duplicates: recovery sack counts segments that arrived beyond a hole, not duplicates / allowed: 3; or recovery sack with sack_pipe = "counter""#,
    ),
    (
        r#"variant = "fack"; sack_blocks = 0"#,
        r#"sack_blocks: recovery fack works by SACK blocks / allowed: 1 to 3"#,
    ),
    (
        r#"variant = "sack"; syn_size = true"#,
        r#"syn_size: true does not belong here / allowed: a size ("40B"), or "segment": a full segment with its header"#,
    ),
    (
        r#"variant = "sack"; delayed_ack = [1]"#,
        r#"delayed_ack: a list does not belong here / allowed: a time ("100ms"), false, or true: the profile's time"#,
    ),
    (
        r#"variant = "sack"; tick_phase = true"#,
        r#"tick_phase: true does not belong here / allowed: "random", or a time within the tick, like "0s""#,
    ),
    (r#"variant = "sack"; control = 5"#, r#"control: number `5` does not belong here / allowed: a table"#),
    (
        r#"variant = "sack"; control = { decrease = true }"#,
        r#"control.decrease: true does not belong here / allowed: a number, or one of the parameter's words"#,
    ),
    (
        r#"variant = "sack"; control = { decreese = 0.5 }"#,
        r#"control.decreese: congestion control reno has no parameter `decreese` / allowed: increase, decrease / did you mean `decrease`?"#,
    ),
    (
        r#"variant = "sack"; control = { decrease = 1.5 }"#,
        r#"control.decrease: 1.5 is out of range / allowed: 0 to 1"#,
    ),
    (
        r#"variant = "sack"; control = { increase = 0 }"#,
        r#"control.increase: 0 is out of range / allowed: 0.001 to 1000 segments per round trip"#,
    ),
    (
        r#"variant = "tcp-linux-vegas"; control = { rounds = "last" }"#,
        r#"control.rounds: "last" is not a choice here / allowed: "mean", "least", "smoothed", "linux" / did you mean `least`?"#,
    ),
    (
        r#"variant = "sack"; control = { decrease = "half" }"#,
        r#"control.decrease: string "half" does not belong here / allowed: a number, without quotes"#,
    ),
];

#[test]
fn what_is_refused_says_why() {
    for (text, expected) in REFUSED {
        let error = resolve(text).expect_err(text);
        let mut parts: Vec<String> = Vec::new();
        for line in error.lines().map(str::trim) {
            match parts.last_mut() {
                Some(last) if !line.starts_with("allowed:") && !line.starts_with("did you mean") => {
                    *last = format!("{last} {line}");
                }
                _ => parts.push(line.to_owned()),
            }
        }
        parts.retain(|part| !part.starts_with("allowed:") || part.len() <= 130);
        assert_eq!(parts.join(" / "), *expected, "{text}");
    }
}

/// Values equal to a bound are accepted.
#[test]
fn what_lies_on_a_bound_is_taken() {
    let sizes = config("variant = 'sack'; segment = '65495B'").sizes;
    assert_eq!(sizes.segment + sizes.header, 65_535);
    assert_eq!(config("variant = 'sack'; initial_window = 1000000").windows.initial_window, 1e6);
    assert_eq!(config("variant = 'sack'; initial_window = 1").windows.initial_window, 1.0);
    assert_eq!(config("variant = 'sack'; min_rto = '60s'").timers.min_rto, Duration::from_secs(60));
    let phase = config("variant = 'sack'; profile = 'ns2'; tick_phase = '9.9ms'").timers.tick_phase;
    assert_eq!(phase, TickPhase::At(Duration::from_us(9900)));
    assert_eq!(config("variant = 'sack'; tick_phase = 'random'").timers.tick_phase, TickPhase::Random);
    assert_eq!(config("variant = 'newreno'; sack_blocks = 0; duplicates = 4").detection.duplicates, 4);
    let counted = config("variant = 'sack'; sack_pipe = 'counter'; duplicates = 2");
    assert_eq!(counted.detection.duplicates, 2);
}

/// Sizes are rounded to whole segments, "segment" and "max_window" refer to these settings, and `true` means the profile's own time
/// or 100 ms.
#[test]
fn some_values_stand_for_others() {
    let windows = config("variant = 'sack'; segment = '1000B'; initial_window = '4500B'; max_window = '64kB'; initial_ssthresh = 'max_window'").windows;
    assert_eq!((windows.initial_window, windows.max_window, windows.initial_ssthresh), (4.0, 64.0, 64.0));
    let unlimited = config("variant = 'sack'; max_window = 'unlimited'; receive_window = 7.5").windows;
    assert_eq!((unlimited.max_window, unlimited.receive_window), (f64::INFINITY, 7.5));
    assert_eq!(config("variant = 'sack'; segment = '1000B'; syn_size = 'segment'").sizes.syn_size, 1040);
    assert_eq!(config("variant = 'sack'; syn_size = '60B'").sizes.syn_size, 60);
    for (text, wait) in [
        ("delayed_ack = true", 100),
        ("delayed_ack = true; profile = 'linux'", 40),
        ("delayed_ack = true; profile = 'ns2'", 100),
        ("delayed_ack = false", 0),
        ("delayed_ack = '7ms'", 7),
    ] {
        let config = config(&format!("variant = 'sack'; {text}"));
        assert_eq!(config.acks.delayed_ack, Duration::from_ms(wait), "{text}");
    }
}

/// A parameter implied by another one in the table overrides the profile, unless the parameter is given itself.
#[test]
fn some_parameters_bring_others_along() {
    let flags = |text: &str| {
        let config = config(&format!("variant = 'sack'; {text}"));
        let Config { windows, timers, growth, fast_recovery, decrease, .. } = config;
        [
            fast_recovery.partial_window == PartialWindow::Reset,
            fast_recovery.full_ack_window == FullAckWindow::Ssthresh,
            windows.receive_window_only,
            timers.dup_ack_timing,
            growth.avoidance_by_segments,
            timers.time_retransmissions,
            fast_recovery.clear_scoreboard_on_exit,
            !decrease.backoff_keeps_ssthresh,
        ]
    };
    assert_eq!(flags(""), [false; 8]);
    let all = "partial_ack_timer = 'every'; exit_growth = true; window_clamp = true; dup_ack_timer = true; whole_growth = true; \
               clock_tick = '10ms'; exit_burst = 3; reduction = 'window'";
    assert_eq!(flags(all), [true; 8]);
    let none = "partial_ack_timer = 'first'; exit_growth = false; window_clamp = false; dup_ack_timer = false; whole_growth = false; \
                clock_tick = '0s'; exit_burst = 0; reduction = 'pipe'; profile = 'ns2'";
    assert_eq!(flags(none), [false; 8]);
    let against = "partial_window = 'deflate'; full_ack_window = 'flight'; receive_window_only = false; dup_ack_timing = false; \
                   avoidance_by_segments = false; time_retransmissions = false; clear_scoreboard_on_exit = false; backoff_keeps_ssthresh = true";
    assert_eq!(flags(&format!("{all}; {against}")), [false; 8]);
}

#[test]
fn names_are_found_as_users_type_them() {
    for (text, name, recovery) in [
        ("Agent/TCP/Newreno", "newreno", Recovery::NewReno),
        (" tcp/SACK1 ", "sack", Recovery::Sack),
        ("NewReno+Vegas", "newreno+vegas", Recovery::NewReno),
        ("sack + westwood+", "westwood+", Recovery::Sack),
        ("reno+vegas", "vegas", Recovery::Reno),
        ("sack+reno", "sack", Recovery::Sack),
        ("rack+cubic", "rack+cubic", Recovery::Rack),
        ("TCP-LINUX-cubic", "tcp-linux-cubic", Recovery::Sack),
    ] {
        let (found, config) = resolve(&format!("variant = '{text}'")).expect("a variant");
        assert_eq!((found.as_str(), config.recovery), (name, recovery), "{text}");
    }
}

/// Every variant in every profile, written as a table and read back, gives the same connection.
#[test]
fn every_connection_is_written_and_read_back() {
    for profile in profiles() {
        for variant in variants() {
            let text = format!("variant = '{}'; profile = '{}'", variant.name, profile.name);
            let (name, config) = resolve(&text).expect("a preset");
            let table = Table::of(&name, &config);
            let written = Table::read(&Setting::write(&table)).expect("what was written");
            // A preset `tcp-linux-NAME` overrides values from elsewhere, but here all values are given.
            assert_eq!(written.resolve().expect("the same"), (name, config), "{text}");
            let own = table.parameters.only(&["segment", "control"]);
            assert_eq!(own.names().collect::<Vec<_>>(), ["segment"]);
            assert_eq!(
                own.or(&table.parameters).names().count(),
                Parameters::of(&Config::default()).names().count()
            );
        }
    }
}

/// In profile `linux` a control named alone has RACK; a pair, and a preset named after a recovery, stay what they are.
#[test]
fn a_control_named_alone_takes_its_recovery_from_the_profile() {
    for (text, name, recovery) in [
        ("cubic", "rack+cubic", Recovery::Rack),
        ("reno", "rack", Recovery::Rack),
        ("vegas", "rack+vegas", Recovery::Rack),
        ("sack", "sack", Recovery::Sack),
        ("newreno", "newreno", Recovery::NewReno),
        ("sack+cubic", "cubic", Recovery::Sack),
        ("reno+reno", "reno", Recovery::Reno),
        ("tcp-linux-cubic", "tcp-linux-cubic", Recovery::Sack),
    ] {
        let (found, config) = resolve(&format!("variant = '{text}'; profile = 'linux'")).expect("a variant");
        assert_eq!((found.as_str(), config.recovery), (name, recovery), "{text}");
    }
    assert_eq!(resolve("variant = 'reno'").expect("a variant").1.recovery, Recovery::Reno);
}
