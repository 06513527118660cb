//! Every example scenario of the repository passes the check, and has the content that its comment states.

use crate::model::{self, ChangeKind, FlowKind, QueueLimit, Scenario};
use crate::scenario::Document;
use crate::scenario::wire::losses::Loss;
use crate::scenario::wire::paths::Jitter;
use crate::scenario::wire::wifi::Wifi;
use base::Duration;
use radio::{mobility, placement};
use settings::Kinds;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/ackclock/scenarios")
}

/// Returns file name and text of every example, sorted by name.
pub(super) fn texts() -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder()).unwrap().map(|e| e.unwrap().path());
    let mut files: Vec<_> = entries.filter(|p| p.extension().is_some_and(|e| e == "toml")).collect();
    files.sort();
    files
        .iter()
        .map(|p| (p.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(p).unwrap()))
        .collect()
}

/// Parses an example and reads the files that it names.
pub(super) fn read(text: &str) -> Document {
    let mut document = Document::from_toml(text).unwrap_or_else(|e| panic!("{e}"));
    document.read_files(&folder()).unwrap_or_else(|e| panic!("{e}"));
    document
}

fn example(name: &str) -> Scenario {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    read(&text).check().unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn tcp(scenario: &Scenario, flow: usize) -> (&str, &tcp::Config) {
    match &scenario.flows[flow].kind {
        FlowKind::Tcp { variant, tcp, .. } => (variant, tcp),
        _ => panic!("flow {flow} is no TCP"),
    }
}

#[test]
fn every_example_holds() {
    let texts = texts();
    assert!(texts.len() >= 6);
    for (name, text) in texts {
        let document = read(&text);
        let scenario = document.check().unwrap_or_else(|e| panic!("{name}: {e}"));
        // The canonical document gives the same scenario.
        let again = Document::from_json(&document.canonical_json()).unwrap();
        assert_eq!(again.canonical_json(), document.canonical_json(), "{name}");
        assert_eq!(format!("{scenario:?}"), format!("{:?}", again.check().unwrap()), "{name}");
    }
}

fn drop_tail(packets: u32) -> model::Queue {
    model::Queue::DropTail(net::queue::drop_tail::Config { limit: QueueLimit::Packets(packets) })
}

#[test]
fn dumbbell() {
    let s = example("dumbbell.toml");
    assert_eq!(s.nodes, ["n0", "n2", "n1", "n3", "n4", "n5"]);
    assert_eq!(s.links.len(), 5);
    assert_eq!(s.links[2].directions[1].queue, drop_tail(20));
    assert_eq!(s.links[0].directions[0].queue, drop_tail(1000));
    assert_eq!((s.flows[0].name.as_str(), s.flows[0].from, s.flows[0].to), ("newreno", 0, 4));
    assert_eq!(tcp(&s, 1).0, "vegas");
    assert_eq!(tcp(&s, 0).1.acks.sack_blocks, 0);
}

#[test]
fn fall_floyd() {
    let s = example("fall-floyd.toml");
    let [there, back] = &s.links[1].directions;
    let counted = net::loss::counted::Counted { flow: Some(0) };
    let list = net::loss::list::Config { counted, packets: vec![14, 28], delay: None };
    assert_eq!(there.losses[0].at(), net::loss::Place::Entry);
    assert_eq!(there.losses[0].config(), &net::loss::Config::List(list));
    assert!(back.losses.is_empty());
    let (variant, tcp) = tcp(&s, 0);
    assert_eq!(variant, "newreno");
    assert_eq!(tcp.windows.initial_ssthresh, 28.0);
    assert_eq!(tcp.fast_recovery.partial_window, tcp::config::PartialWindow::Reset);
    assert_eq!(tcp.timers.clock_tick, Duration::from_ms(10));
    assert!(matches!(s.flows[0].kind, FlowKind::Tcp { packet_numbers: true, .. }));
    assert_eq!(*s.flows[0].traffic, traffic::Config::ENDLESS);
}

#[test]
fn link_change() {
    let s = example("link-change.toml");
    assert_eq!(s.changes[0].directions, [(1, 0), (1, 1)]);
    assert_eq!(s.changes[2].directions, [(1, 0)]);
    assert_eq!(s.changes[3].what, ChangeKind::Up(false));
    // A change of the loss toward b sets both directions: the given loss toward b, none on the way back.
    let losses = s.changes[5..].iter().map(|c| match &c.what {
        ChangeKind::Losses(l) => l.len(),
        other => panic!("{other:?}"),
    });
    assert_eq!(losses.collect::<Vec<_>>(), [1, 0]);
}

/// The examples on the file format's reference page pass the check, and the page lists every parameter and kind.
#[test]
fn the_page_on_the_format() {
    let page = std::fs::read_to_string(folder().join("../../../docs/reference/scenario.md")).unwrap();
    let blocks: Vec<_> = page.split("```toml\n").skip(1).filter_map(|b| b.split("```").next()).collect();
    assert!(blocks.len() >= 5);
    for block in blocks {
        Document::from_toml(block).and_then(|d| d.check()).unwrap_or_else(|e| panic!("{e}\nin\n{block}"));
    }
    let kinds = [net::queue::Config::NAMES, Loss::NAMES, Jitter::NAMES, traffic::Config::NAMES].concat();
    let places = [
        placement::Config::NAMES,
        mobility::Config::NAMES,
        radio::propagation::PathLoss::NAMES,
        radio::propagation::Fading::NAMES,
        wifi::config::Reception::NAMES,
        routing::Given::NAMES,
        wifi::rate::RateControl::NAMES,
    ]
    .concat();
    let keys = settings::table::names::<Wifi>();
    for name in kinds.into_iter().chain(places).chain(keys) {
        assert!(page.contains(&format!("`{name}`")), "docs/reference/scenario.md does not name `{name}`");
    }
}

/// A scenario of 10 000 nodes and 1000 flows is checked within seconds.
#[test]
fn a_large_network() {
    let (nodes, flows) = (10_000, 1_000);
    let mut text = String::from("duration = \"1s\"\n");
    for i in 1..nodes {
        text.push_str(&format!(
            "[[link]]\nbetween = [\"n{}\", \"n{i}\"]\nrate = \"1Mbps\"\ndelay = \"1ms\"\n",
            i / 2
        ));
    }
    for i in 0..flows {
        text.push_str(&format!(
            "[[flow]]\nfrom = \"n{i}\"\nto = \"n{}\"\ntcp = {{ variant = \"sack\" }}\n",
            nodes - 1 - i
        ));
    }
    let mut document = Document::from_toml(&text).unwrap();
    let paths: Vec<String> = (0..flows).map(|i| format!("flow.{i}.tcp.variant")).collect();
    document.set_all(paths.iter().map(|path| (path.as_str(), "newreno"))).unwrap();
    let scenario = document.check().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((scenario.nodes.len(), scenario.flows.len()), (nodes, flows));
}
