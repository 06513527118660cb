//! LTE cells in scenario files: defaults, profiles, refused values.

use crate::model::{RadioKind, Scenario};
use crate::scenario::{Document, ScenarioError, describe};
use lte::config::{Grants, Handover};
use lte::rlc::Mode;
use radio::Position;

/// A scenario with one LTE cell, whose gateway is behind a link.
const CELL: &str = r#"duration = "10s"

[[node]]
name = "ue"
position = [100, 0, 1.5]

[[link]]
between = ["server", "agw"]
rate = "1Gbps"
delay = "10ms"

[[lte]]
gateway = "agw"
ue = ["ue"]
enb = [{ position = [0, 0, 30] }]
bandwidth = "10MHz"
rlc = { buffer = "10240B" }

[[flow]]
from = "server"
to = "ue"
tcp = { variant = "newreno" }
"#;

fn cell(settings: &[(&str, &str)]) -> Result<Scenario, ScenarioError> {
    let mut document = Document::from_toml(CELL).unwrap();
    for (path, value) in settings {
        document.set(path, value)?;
    }
    document.check()
}

#[test]
fn a_cell() {
    let scenario = cell(&[]).unwrap_or_else(|e| panic!("{e}"));
    let RadioKind::Lte(config) = &scenario.radios[0].kind else { panic!("no LTE") };
    assert_eq!((config.carrier.bandwidth.blocks(), config.rlc.buffer, config.ues.len()), (50, 10_240, 1));
    assert_eq!(config.enbs[0].position, Position::new(0.0, 0.0, 30.0));
    for settings in [
        &[][..],
        &[
            ("lte.0.rlc", "{ mode = \"am\" }"),
            ("lte.0.scheduler", "max-ci"),
            ("lte.0.fading", "{ kind = \"eva\" }"),
            ("lte.0.handover", "{ kind = \"none\" }"),
        ],
        &[("lte.0.profile", "ns3"), ("lte.0.idle_interference", "true")],
    ] {
        let scenario = cell(settings).unwrap_or_else(|e| panic!("{e}"));
        let written = describe(&scenario);
        let again =
            Document::from_json(&written).unwrap().check().unwrap_or_else(|e| panic!("{e}\n{written}"));
        assert_eq!(describe(&again), written);
        assert_eq!(format!("{:?}", again.radios), format!("{:?}", scenario.radios));
    }
}

/// A setting that is given takes precedence over the profile, also within one group of settings.
#[test]
fn a_cell_like_that_of_ns3() {
    let given = [("lte.0.profile", "ns3"), ("lte.0.idle_interference", "true")];
    let scenario = cell(&given).unwrap_or_else(|e| panic!("{e}"));
    let RadioKind::Lte(config) = &scenario.radios[0].kind else { panic!("no LTE") };
    assert_eq!(config.reception.error_model, lte::amc::ErrorModel::MiesmNs3);
    assert!(config.reception.idle_interference);
    assert_eq!(config.downlink_blocks(), 48);
    assert_eq!(config.uplink.grants, Grants::Shares);
}

/// A profile gives values to nested tables, too: to those that belong to the RLC mode and the handover kind in use.
#[test]
fn tables_of_a_cell_like_that_of_ns3() {
    let config = |given: &[(&str, &str)]| {
        let scenario = cell(&[given, &[("lte.0.profile", "ns3")]].concat()).unwrap_or_else(|e| panic!("{e}"));
        let RadioKind::Lte(config) = &scenario.radios[0].kind else { panic!("no LTE") };
        config.clone()
    };
    let um = config(&[]);
    let Mode::Um(rlc) = um.rlc.mode else { panic!("{:?}", um.rlc) };
    assert_eq!((rlc.reordering, um.rlc.buffer), (100, 10_240), "the file's buffer");
    let Handover::A3(a3) = um.handover else { panic!("{:?}", um.handover) };
    assert_eq!((a3.offset, a3.hysteresis, a3.interruption, a3.keep_waiting), (0.0, 3.0, 6, false));
    let own = config(&[
        ("lte.0.rlc", "{ mode = \"am\", reordering = \"20ms\" }"),
        ("lte.0.uplink", "{ grants = \"requested\" }"),
        ("lte.0.handover", "{ kind = \"a3\", interruption = \"30ms\" }"),
    ]);
    let Mode::Am(rlc) = own.rlc.mode else { panic!("{:?}", own.rlc) };
    assert_eq!((rlc.reordering, rlc.poll_pdus, rlc.poll_retransmit), (20, 1, 20));
    assert_eq!(own.uplink.grants, Grants::Requested);
    let Handover::A3(a3) = own.handover else { panic!("{:?}", own.handover) };
    assert_eq!((a3.offset, a3.hysteresis, a3.interruption), (0.0, 3.0, 30));
    assert_eq!(config(&[("lte.0.handover", "{ kind = \"none\" }")]).handover, Handover::None);
}

#[test]
fn what_is_wrong_with_a_cell_is_said() {
    let cases = [
        (
            "lte.0.bandwidth",
            "7MHz",
            "lte.0.bandwidth: \"7MHz\" is not a choice here\n  given:   \"7MHz\"\n  allowed: \"1.4MHz\", \"3MHz\", \"5MHz\", \"10MHz\", \"15MHz\", \"20MHz\"\n  did you mean `3MHz`?",
        ),
        ("lte.0.blocks", "51", "lte.0.blocks: 51: 10MHz has 1 to 50 resource blocks\n  given:   51"),
        (
            "lte.0.cqi_period",
            "1.5ms",
            "lte.0.cqi_period: a subframe takes 1 ms: whole milliseconds\n  given:   \"1.5ms\"\n  allowed: like \"5ms\"",
        ),
        (
            "lte.0.rlc.poll_pdus",
            "8",
            "lte.0.rlc.poll_pdus: mode \"um\" has no `poll_pdus`\n  given:   8\n  allowed: mode = \"am\"",
        ),
        (
            "node.0.position",
            "[300000, 0]",
            "lte.0.ue.0 (line 14): no cell in range: the strongest, enb0, reaches ue with -23.1 dB, below CQI 1\n  given:   \"ue\"",
        ),
        (
            "lte.0.gateway",
            "ue",
            "lte.0.ue.0 (line 14): \"ue\" is the gateway\n  given:   \"ue\"\n  allowed: another node",
        ),
    ];
    for (path, value, expected) in cases {
        assert_eq!(cell(&[(path, value)]).expect_err("something is wrong").to_string(), expected);
    }
}
