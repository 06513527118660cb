//! Queues, losses, impairments and traces in scenario files: defaults, refused values, and files that a scenario names.

use super::{SMALL, small};
use crate::model::{Queue, QueueLimit, Rate};
use crate::scenario::{Document, describe};
use base::{DataRate, Duration};
use net::queue::{codel, fq_codel, pie, red};
use std::path::Path;
use tempfile::TempDir;

fn queue(text: &str) -> Queue {
    small(&[("link.0.queue", text)]).unwrap_or_else(|e| panic!("{e}")).links[0].directions[1].queue.clone()
}

/// Queue parameters have the values of the RFCs by default.
#[test]
fn defaults() {
    assert_eq!(queue("{ kind = \"red\" }"), Queue::Red(red::Config::default()));
    assert_eq!(queue("{ kind = \"codel\" }"), Queue::CoDel(codel::Config::default()));
    assert_eq!(queue("{ kind = \"fq-codel\" }"), Queue::FqCoDel(fq_codel::Config::default()));
    assert_eq!(queue("{ kind = \"pie\" }"), Queue::Pie(pie::Config::default()));
    let codel = codel::Config::default();
    assert_eq!((codel.law.target, codel.law.interval), (Duration::from_ms(5), Duration::from_ms(100)));
    assert_eq!(
        (codel.limit, pie::Config::default().target),
        (QueueLimit::Packets(1000), Duration::from_ms(15))
    );
}

#[test]
fn queues_hold_queues() {
    let text = "{ kind = \"token-bucket\", rate = \"1Mbps\", burst = \"3kB\", queue = { kind = \"priority\", \
                bands = [{ kind = \"droptail\", packets = 5 }, { kind = \"codel\", target = \"10ms\" }] } }";
    let Queue::TokenBucket(bucket) = queue(text) else { panic!("no token bucket") };
    let Queue::Priority(inner) = *bucket.queue else { panic!("no bands") };
    assert_eq!((bucket.burst, inner.bands.len()), (3000, 2));
    let Queue::CoDel(second) = &inner.bands[1] else { panic!("no codel") };
    assert_eq!(second.law.target, Duration::from_ms(10));
}

/// Wrong settings of a link: key, value, and the first line of the error message.
const WRONG: &[(&str, &str, &str)] = &[
    ("link.0.queue", "{ kind = \"codel\", target = \"0s\" }", "link.0.queue.target: \"0s\" is out of range"),
    (
        "link.0.queue",
        "{ kind = \"codel\", target = \"1s\" }",
        "link.0.queue.target: the target is longer than the interval, which is 100ms",
    ),
    (
        "link.0.queue",
        "{ kind = \"red\", max = 5 }",
        "link.0.queue.max: `max` without `min`: what `min` is by itself depends on the rest",
    ),
    (
        "link.0.queue",
        "{ kind = \"red\", min = 5, max = 4 }",
        "link.0.queue.max: `max` is below `min`, which is 5",
    ),
    ("link.0.queue", "{ kind = \"red\", weight = 0 }", "link.0.queue.weight: 0 is out of range"),
    ("link.0.queue", "{ kind = \"pie\", update = \"1us\" }", "link.0.queue.update: \"1us\" is out of range"),
    ("link.0.queue", "{ kind = \"pie\", alpha = -1 }", "link.0.queue.alpha: -1 is out of range"),
    ("link.0.queue", "{ kind = \"fq-codel\", queues = 0 }", "link.0.queue.queues: 0 is out of range"),
    (
        "link.0.queue",
        "{ kind = \"fq-codel\", quantum = \"0B\" }",
        "link.0.queue.quantum: 0 B is out of range",
    ),
    ("link.0.queue", "{ kind = \"fq_codel\" }", "link.0.queue.kind: there is no queue \"fq_codel\""),
    (
        "link.0.queue",
        "{ kind = \"token-bucket\", rate = \"1Mbps\" }",
        "link.0.queue.burst: `burst` is missing",
    ),
    (
        "link.0.queue",
        "{ kind = \"token-bucket\", rate = \"1Mbps\", burst = \"1kB\", queue = { kind = \"red\", packets = 0 } }",
        "link.0.queue.queue.packets: a queue without room passes nothing: the packet in transmission takes a place too",
    ),
    (
        "link.0.queue",
        "{ kind = \"priority\", bands = [] }",
        "link.0.queue.bands: a priority queue has 1 to 8 bands, not 0",
    ),
    (
        "link.0.queue",
        "{ kind = \"priority\", bands = [{ kind = \"codel\", target = 5 }] }",
        "link.0.queue.bands.0.target: `5` needs a unit: write for example \"5ms\"",
    ),
    ("link.0.loss", "{ kind = \"gilbert-elliott\", p = 0.1 }", "link.0.loss.r: `r` is missing"),
    (
        "link.0.loss",
        "{ kind = \"gilbert-elliot\", p = 0.1, r = 0.3 }",
        "link.0.loss.kind: there is no loss \"gilbert-elliot\"",
    ),
    (
        "link.0.loss",
        "{ kind = \"periodic\", every = 0 }",
        "link.0.loss.every: one packet in none cannot be lost",
    ),
    ("link.0.loss", "{ kind = \"trace\" }", "link.0.loss.trace: `trace` is missing"),
    (
        "link.0.loss",
        "{ kind = \"trace\", lost = [3], length = 3 }",
        "link.0.loss.length: a trace is longer than the number of each packet that it loses",
    ),
    ("link.0.rate", "{ trace = \"a.trace\" }", "link.0.rate.trace: the file has not been read"),
    ("link.0.rate", "{ gaps = \"0x5\" }", "link.0.rate.gaps: these are no gaps of a rate trace"),
    ("link.0.rate", "{ file = \"a.trace\" }", "link.0.rate.file: there is no key `file` here"),
    ("link.0.jitter", "{ kind = \"uniform\" }", "link.0.jitter.max: `max` is missing"),
    ("link.0.jitter", "\"5ms\"", "link.0.jitter: a table belongs here"),
    (
        "link.0.jitter",
        "[{ kind = \"uniform\", max = \"5ms\" }, { kind = \"uniform\", max = \"5ms\", toward = \"b\" }]",
        "link.0.jitter.1: this direction has its jitter already",
    ),
    ("link.0.reorder", "{ rate = 2, delay = \"1ms\" }", "link.0.reorder.rate: 2 is not a probability"),
    ("link.0.reorder", "{ rate = 0.1 }", "link.0.reorder.delay: `delay` is missing"),
    (
        "link.0.duplicate",
        "{ rate = 0.1, toward = \"x\" }",
        "link.0.duplicate.toward: \"x\" is no end of this link",
    ),
    ("flow.0.class", "8", "flow.0.class: 8 is out of range"),
];

#[test]
fn what_is_refused() {
    for (path, value, said) in WRONG {
        let error = small(&[(path, value)]).expect_err(said).to_string();
        assert_eq!(error.lines().next(), Some(*said), "{path} = {value}");
    }
}

/// A temporary folder for the files of one test.
struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        Self(folder)
    }

    /// Returns `SMALL` with one setting changed and with the content of the files that the setting names.
    fn read(&self, path: &str, value: &str) -> Result<Document, crate::scenario::ScenarioError> {
        let mut document = Document::from_toml(SMALL)?;
        document.set(path, value)?;
        document.read_files(self.0.path())?;
        Ok(document)
    }
}

#[test]
fn files_become_part_of_the_document() {
    let folder = Folder::new(&[("good.trace", "1\n2\n3\n3\n"), ("good.loss", "00 1\n01\n")]);
    let document = folder.read("link.0.rate", "{ trace = \"good.trace\" }").expect("reads");
    let scenario = document.check().expect("is right");
    let Rate::Trace(trace) = &scenario.links[0].directions[0].rate else { panic!("no trace") };
    assert_eq!(
        (trace.times(), trace.mean_rate()),
        (&[1, 2, 3, 3][..], DataRate::from_bps(16_000_000).expect("positive"))
    );
    // The canonical document and the description need the file no more: both give the same scenario.
    for text in [document.canonical_json(), describe(&scenario)] {
        let mut again = Document::from_json(&text).expect("JSON");
        again.read_files(Path::new("/nowhere")).expect("has all it needs");
        let again = again.check().expect("is right");
        assert_eq!(format!("{:?}", again.links), format!("{:?}", scenario.links));
    }
    let document =
        folder.read("link.0.loss", "[{ kind = \"trace\", trace = \"good.loss\" }]").expect("reads");
    let value: serde_json::Value = serde_json::from_str(&document.to_json()).unwrap();
    let loss = &value["link"][0]["loss"][0];
    assert_eq!((loss["lost"].to_string(), loss["length"].as_u64()), ("[2,4]".to_owned(), Some(5)));
    document.check().expect("is right");
    let events = "[{ at = \"1s\", set = \"link.0.forward.rate\", to = { trace = \"good.trace\" } }]";
    folder.read("event", events).and_then(|d| d.check()).expect("is right");
}

#[test]
fn malformed_files_are_named_with_their_line() {
    let files = [
        ("words.trace", "1\n2\nthree\n"),
        ("back.trace", "1\n5\n\n4\n"),
        ("still.trace", "0\n0\n"),
        ("empty.trace", "\n"),
        ("far.trace", "9999999999999\n"),
        ("bad.loss", "0101\n0120\n"),
        ("empty.loss", "\n"),
    ];
    let folder = Folder::new(&files);
    let cases = [
        ("words.trace", "words.trace, line 3: \"three\" is no time"),
        ("back.trace", "back.trace, line 4: 4 comes before 5, which stands above it"),
        ("still.trace", "still.trace, line 2: the trace ends at 0 and takes no time"),
        ("empty.trace", "empty.trace, line 1: the file has no line with a time"),
        ("far.trace", "far.trace, line 1: 9999999999999 ms is more than 100 days"),
    ];
    for (file, said) in cases {
        let error = folder.read("link.0.rate", &format!("{{ trace = \"{file}\" }}")).expect_err(said);
        assert_eq!((error.path.as_str(), error.message.as_str()), ("link.0.rate.trace", said));
        assert!(error.allowed.starts_with("a time in whole milliseconds on each line"));
    }
    let error = folder.read("link.0.loss", "{ kind = \"trace\", trace = \"bad.loss\" }").expect_err("2");
    assert_eq!(error.message, "bad.loss, line 2: `2` is neither 0 nor 1");
    let error =
        folder.read("link.0.loss", "{ kind = \"trace\", trace = \"empty.loss\" }").expect_err("empty");
    assert_eq!(error.message, "empty.loss, line 1: the file has neither 0 nor 1");
    let error = folder.read("link.0.rate", "{ trace = \"none.trace\" }").expect_err("no file");
    assert!(error.message.starts_with("cannot read \"none.trace\": "), "{error}");
}

#[test]
fn framing_is_a_links_own_and_written_back() {
    let framed = small(&[("link.0.framing", "\"2B\"")]).expect("framed");
    assert!(framed.links[0].directions.iter().all(|direction| direction.framing == 2));
    let again = Document::from_json(&describe(&framed)).and_then(|document| document.check()).expect("again");
    assert_eq!(again.links[0].directions[1].framing, 2);
    assert_eq!(small(&[]).expect("plain").links[0].directions[0].framing, 0);
    assert!(small(&[("link.0.framing", "\"2kB\"")]).is_err());
}

#[test]
fn nodes_have_addresses_of_their_own() {
    let with = |node: &str| {
        let text = SMALL.replace("[[link]]", &format!("{node}\n[[link]]"));
        Document::from_toml(&text).and_then(|document| document.check())
    };
    let named = with("[[node]]\nname = \"b\"\naddress = \"192.168.0.2\"").expect("an address");
    assert_eq!((named.nodes[0].as_str(), named.addresses[0]), ("b", Some([192, 168, 0, 2])));
    assert_eq!(named.addresses[1], None);
    let error = with("[[node]]\nname = \"b\"\naddress = \"192.168.0.256\"").expect_err("no address");
    assert_eq!(error.path, "node.b.address");
    let error = with("[[node]]\nname = \"b\"\naddress = \"10.0.0.2\"").expect_err("that of node a");
    assert_eq!(error.message, "nodes 0 and 1 have the address 10.0.0.2");
}
