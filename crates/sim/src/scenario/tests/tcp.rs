//! TCP variants, profiles, and the parameters of TCP endpoints.

use super::{endpoints, small};
use crate::scenario::{profiles, variants};
use base::Duration;
use settings::Setting;
use tcp::config::{
    AckCounting, PartialWindow, Reduction, Rounding, SackLoss, SackPipe, Syn, TickPhase, WindowReduction,
};
use tcp::congestion::Control;
use tcp::recovery::Recovery;

#[test]
fn names_of_other_simulators() {
    for (given, canonical) in [
        ("newreno", "newreno"),
        ("NewReno", "newreno"),
        ("Agent/TCP", "tahoe"),
        ("Agent/TCP/Reno", "reno"),
        ("TCP/Newreno", "newreno"),
        ("Sack1", "sack"),
        ("Agent/TCP/Sack1", "sack"),
        ("Fack", "fack"),
        ("Agent/TCP/Vegas", "vegas"),
        ("TcpNewReno", "sack"),
        ("ns3::TcpVegas", "sack+vegas"),
        ("sack+reno", "sack"),
        ("Reno + Vegas", "vegas"),
        ("sack+vegas", "sack+vegas"),
        ("tahoe+reno", "tahoe"),
    ] {
        assert_eq!(endpoints(&[("flow.0.tcp.variant", given)]).0, canonical, "{given}");
    }
}

#[test]
fn every_name_means_one_thing() {
    let mut names: Vec<String> = Vec::new();
    for v in variants() {
        names.push(v.name.to_lowercase());
        names.extend(v.aliases.iter().map(|a| a.to_lowercase()));
        assert!(Control::by_name(v.control, &[]).is_some(), "{}", v.name);
        // For a variant of Linux's TCP the name `recovery+control` chooses another variant: the preset of that pair.
        if v.linux {
            continue;
        }
        let pair = format!("{}+{}", v.recovery.name(), v.control);
        assert_eq!(endpoints(&[("flow.0.tcp.variant", &pair)]).0, v.name);
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn every_profile_goes_with_every_variant() {
    for profile in profiles() {
        for v in variants() {
            endpoints(&[("flow.0.tcp.variant", v.name), ("flow.0.tcp.profile", profile.name)]);
        }
    }
}

#[test]
fn rfc() {
    let (_, c) = endpoints(&[("flow.0.tcp.variant", "sack")]);
    assert_eq!(
        (c.sizes.segment, c.sizes.header, c.sizes.ack_size, c.sizes.syn_size, c.connection.syn),
        (1460, 40, 40, 40, Syn::Handshake)
    );
    assert_eq!(
        (c.windows.initial_window, c.decrease.loss_floor, c.windows.syn_loss_window),
        (10.0, 2.0, 1.0)
    );
    assert!(
        [c.windows.initial_ssthresh, c.windows.max_window, c.windows.receive_window]
            .iter()
            .all(|w| w.is_infinite())
    );
    assert_eq!((c.timers.min_rto, c.timers.max_rto), (Duration::from_secs(1), Duration::from_secs(60)));
    assert_eq!((c.timers.initial_rto, c.timers.clock_tick), (Duration::from_secs(1), Duration::ZERO));
    assert_eq!((c.decrease.window_rounding, c.decrease.ssthresh_rounding), (Rounding::None, Rounding::None));
    assert_eq!((c.decrease.reduction, c.detection.sack_pipe), (Reduction::Flight, SackPipe::Scoreboard));
    assert_eq!((c.acks.delayed_ack, c.growth.ack_counting), (Duration::from_ms(100), AckCounting::Acks));
    assert_eq!(
        (c.acks.sack_blocks, c.sizes.sack_option, c.options.timestamps, c.sizes.timestamps_size),
        (3, 4, false, 12)
    );
    assert!(
        c.detection.limited_transmit
            && c.connection.fin
            && !c.fast_recovery.exit_growth
            && !c.windows.window_clamp
    );
}

#[test]
fn linux_differs_where_it_says() {
    let (_, c) = endpoints(&[("flow.0.tcp.profile", "linux")]);
    assert_eq!(
        (c.sizes.segment, c.timers.min_rto, c.timers.max_rto),
        (1448, Duration::from_ms(200), Duration::from_secs(120))
    );
    assert_eq!((c.acks.delayed_ack, c.growth.ack_counting), (Duration::from_ms(40), AckCounting::Delivered));
    assert!(c.options.timestamps && c.windows.window_clamp);
}

/// The profile `ns2` has the values of `reference/wired/agent_defaults.json`.
#[test]
fn ns2() {
    let (_, c) = endpoints(&[("flow.0.tcp.profile", "ns2")]);
    assert_eq!(
        (c.sizes.segment, c.sizes.header, c.sizes.ack_size, c.sizes.syn_size, c.connection.syn),
        (1000, 40, 40, 40, Syn::Packet)
    );
    assert_eq!(
        (c.windows.initial_window, c.windows.initial_ssthresh, c.windows.max_window),
        (2.0, 20.0, 20.0)
    );
    assert_eq!((c.timers.min_rto, c.timers.max_rto), (Duration::from_ms(200), Duration::from_secs(60)));
    assert_eq!((c.timers.initial_rto, c.timers.clock_tick), (Duration::from_secs(3), Duration::from_ms(10)));
    assert_eq!(
        (c.timers.tick_phase, c.decrease.reduction),
        (TickPhase::At(Duration::from_us(5600)), Reduction::Window)
    );
    assert_eq!(
        (c.decrease.window_rounding, c.decrease.ssthresh_rounding),
        (Rounding::None, Rounding::Integer)
    );
    assert_eq!(
        (c.fast_recovery.recovery_burst, c.acks.delayed_ack, c.fast_recovery.partial_window),
        (2, Duration::ZERO, PartialWindow::Deflate)
    );
    assert!(
        c.fast_recovery.exit_growth
            && c.detection.limited_transmit
            && !c.connection.fin
            && !c.options.timestamps
    );
    assert_eq!((c.acks.sack_blocks, c.sizes.timestamps_size, c.decrease.loss_floor), (0, 10, 0.0));
}

#[test]
fn the_header_that_vegas_leaves_out_in_ns2() {
    let ns2 = ("flow.0.tcp.profile", "ns2");
    let vegas = ("flow.0.tcp.variant", "vegas");
    let (_, c) = endpoints(&[ns2, vegas]);
    assert_eq!((c.sizes.header, c.sizes.syn_size), (0, 1000));
    let (_, c) = endpoints(&[ns2, vegas, ("flow.0.tcp.header", "40B")]);
    assert_eq!((c.sizes.header, c.sizes.syn_size), (40, 1040));
    let (_, c) = endpoints(&[vegas]);
    assert_eq!((c.sizes.header, c.sizes.syn_size), (40, 40));
}

#[test]
fn windows_in_segments_or_bytes() {
    let (_, c) = endpoints(&[
        ("flow.0.tcp.max_window", "64KiB"),
        ("flow.0.tcp.receive_window", "12.5"),
        ("flow.0.tcp.initial_ssthresh", "max_window"),
    ]);
    assert_eq!(
        (c.windows.max_window, c.windows.receive_window, c.windows.initial_ssthresh),
        (44.0, 12.5, 44.0)
    );
}

#[test]
fn the_partial_window_follows_the_partial_timer() {
    let window = |settings: &[(&str, &str)]| endpoints(settings).1.fast_recovery.partial_window;
    let every = ("flow.0.tcp.partial_ack_timer", "every");
    assert_eq!(window(&[]), PartialWindow::Deflate);
    assert_eq!(window(&[every]), PartialWindow::Reset);
    assert_eq!(window(&[every, ("flow.0.tcp.partial_window", "deflate")]), PartialWindow::Deflate);
}

#[test]
fn delayed_acknowledgments() {
    let delay = |profile, value| {
        endpoints(&[("flow.0.tcp.profile", profile), ("flow.0.tcp.delayed_ack", value)]).1.acks.delayed_ack
    };
    assert_eq!(delay("rfc", "false"), Duration::ZERO);
    assert_eq!(delay("rfc", "0s"), Duration::ZERO);
    assert_eq!(delay("linux", "true"), Duration::from_ms(40));
    assert_eq!(delay("ns2", "true"), Duration::from_ms(100));
    assert_eq!(delay("ns2", "200ms"), Duration::from_ms(200));
}

#[test]
fn sack_blocks_go_with_the_recovery() {
    let blocks = |settings: &[(&str, &str)]| endpoints(settings).1.acks.sack_blocks;
    assert_eq!(blocks(&[("flow.0.tcp.variant", "fack")]), 3);
    assert_eq!(blocks(&[("flow.0.tcp.variant", "reno")]), 0);
    assert_eq!(blocks(&[("flow.0.tcp.variant", "reno"), ("flow.0.tcp.sack_blocks", "2")]), 2);
    let error = small(&[("flow.0.tcp.variant", "sack"), ("flow.0.tcp.sack_blocks", "0")]).unwrap_err();
    assert_eq!(error.path, "flow.0.tcp.sack_blocks");
}

#[test]
fn the_control_takes_its_own_parameters() {
    let (_, c) = endpoints(&[("flow.0.tcp.control", "{ decrease = 0.7 }")]);
    assert_eq!(c.recovery, Recovery::NewReno);
    assert_eq!(c.control.values(), [1.0, 0.7]);
}

#[test]
fn the_endpoint_of_tcp_linux() {
    let linux = |settings: &[(&str, &str)]| {
        let preset = ("flow.0.tcp.variant", "tcp-linux-reno");
        let profile = ("flow.0.tcp.profile", "ns2");
        endpoints(&[&[preset, profile], settings].concat())
    };
    let (name, c) = linux(&[]);
    assert_eq!((name.as_str(), c.recovery), ("tcp-linux-reno", Recovery::Sack));
    assert_eq!((c.timers.clock_tick, c.timers.max_rto), (Duration::from_ms(1), Duration::from_secs(120)));
    assert_eq!((c.detection.sack_pipe, c.detection.sack_loss), (SackPipe::Scoreboard, SackLoss::Forward));
    assert_eq!((c.decrease.window_reduction, c.decrease.halving_floor), (WindowReduction::RateHalving, 0.5));
    assert_eq!((c.detection.lost_retransmission, c.detection.overtaken_retransmission), (1, 5));
    assert_eq!((c.fast_recovery.exit_burst, c.decrease.loss_floor), (3, 2.0));
    assert!(
        c.connection.early_data
            && c.timers.timing_in_recovery
            && c.timers.dup_ack_timer
            && c.windows.window_clamp
            && !c.fast_recovery.exit_growth
    );
    // All other values are the profile's; settings of the flow take precedence over both.
    assert_eq!(
        (c.sizes.segment, c.connection.syn, c.timers.min_rto),
        (1000, Syn::Packet, Duration::from_ms(200))
    );
    let (_, c) = linux(&[("flow.0.tcp.window_reduction", "prr"), ("flow.0.tcp.exit_burst", "0")]);
    assert_eq!((c.decrease.window_reduction, c.fast_recovery.exit_burst), (WindowReduction::Prr, 0));
}

#[test]
fn a_switch_that_once_stood_for_two_rules_still_does_unless_both_are_given() {
    let both = [
        ("window_clamp", "true", "receive_window_only"),
        ("dup_ack_timer", "true", "dup_ack_timing"),
        ("whole_growth", "true", "avoidance_by_segments"),
        ("clock_tick", "10ms", "time_retransmissions"),
        ("exit_burst", "3", "clear_scoreboard_on_exit"),
    ];
    let follower = |settings: &[(&str, &str)], name: &str| {
        let (_, config) = endpoints(settings);
        tcp::config::Parameters::of(&config).get(name).and_then(|on| bool::read(on).ok())
    };
    for (switch, value, name) in both {
        let (switch, own) = (format!("flow.0.tcp.{switch}"), format!("flow.0.tcp.{name}"));
        assert_eq!(follower(&[], name), Some(false), "{name}");
        assert_eq!(follower(&[(&switch, value)], name), Some(true), "{name}");
        assert_eq!(follower(&[(&switch, value), (&own, "false")], name), Some(false), "{name}");
        assert_eq!(follower(&[(&own, "true")], name), Some(true), "{name}");
    }
    let keeps = |settings: &[(&str, &str)]| follower(settings, "backoff_keeps_ssthresh");
    let (profile, reduction) = (("flow.0.tcp.profile", "ns2"), "flow.0.tcp.reduction");
    assert_eq!((keeps(&[]), keeps(&[profile])), (Some(true), Some(false)));
    assert_eq!(
        (keeps(&[(reduction, "window")]), keeps(&[profile, (reduction, "flight")])),
        (Some(false), Some(true))
    );
}

#[test]
fn fractions_lie_between_nothing_and_all() {
    let error = small(&[("flow.0.tcp.halving_floor", "1.5")]).unwrap_err();
    assert_eq!(error.path, "flow.0.tcp.halving_floor");
}
