//! TCP through an LTE cell in whole runs, compared with ns-3.37.

use engine::Control;
use serde_json::Value;
use sim::scenario::Document;
use sim::{RunOptions, run};

/// One UE near an eNodeB downloads for 12 s from a server 10 ms behind the gateway, in segments of 1400 bytes. As in the run of ns-3, whole
/// resource block groups are assigned, and the backbone's queues are unlimited.
const DOWNLOAD: &str = r#"
duration = "12s"
[[node]]
name = "ue"
position = [10, 0, 0]
[[link]]
between = ["server", "agw"]
rate = "100Gbps"
delay = "10ms"
queue = { kind = "droptail", packets = 100000 }
[[lte]]
gateway = "agw"
ue = ["ue"]
enb = [{ position = [0, 0, 0] }]
granularity = "whole-groups"
s1 = { queue = { packets = 100000 } }
[[flow]]
from = "server"
to = "ue"
tcp = { variant = "newreno", segment = "1400B", max_window = "4MB", min_rto = "1s" }
"#;

fn flow(settings: &[(&str, &str)]) -> Value {
    let mut document = Document::from_toml(DOWNLOAD).expect("TOML");
    for (path, value) in settings {
        document.set(path, value).expect("settable");
    }
    let results = run(&document, &RunOptions::default(), &Control::default()).expect("runs");
    let summary: Value = serde_json::from_str(&results.summary()).expect("JSON");
    summary["flows"][0].clone()
}

fn goodput(flow: &Value) -> f64 {
    flow["goodput_bps"].as_f64().expect("a rate") / 1e6
}

/// With an RLC buffer of 1 MB TCP fills the cell. The reference is the goodput in Mb/s of ns-3's NewReno with SACK from
/// 2 s to 12 s.
#[test]
fn a_large_buffer_fills_the_cell() {
    for (bandwidth, ns3) in [("1.4MHz", 3.8875), ("5MHz", 16.8806), ("20MHz", 72.4853)] {
        let found = flow(&[
            ("lte.0.bandwidth", bandwidth),
            ("lte.0.rlc", r#"{ mode = "um", buffer = "1000000B" }"#),
            ("flow.0.tcp.variant", "sack"),
        ]);
        let ours = goodput(&found);
        assert!((ours / ns3 - 1.0).abs() < 0.1, "{bandwidth}: {ours} against ns-3's {ns3}");
    }
}

/// ns-3's default RLC buffer of 10 240 bytes holds seven packets. From 3 MHz up a whole window arrives in one burst, whose ACKs share an uplink
/// subframe, so that the next window comes as a burst, too. A burst of more than seven packets overflows the buffer however fast the cell
/// is. ns-3 has 1.64 to 1.67 Mb/s at 5 and 20 MHz, and 3.44 Mb/s at 1.4 MHz, where the slow cell spreads the bursts.
#[test]
fn a_short_buffer_collapses() {
    let small = |bandwidth| {
        flow(&[("lte.0.bandwidth", bandwidth), ("lte.0.rlc", r#"{ mode = "um", buffer = "10240B" }"#)])
    };
    for bandwidth in ["3MHz", "5MHz", "10MHz", "20MHz"] {
        let found = small(bandwidth);
        let ours = goodput(&found);
        assert!((1.5..1.8).contains(&ours), "{bandwidth}: {ours}");
        let lost = found["lost_packets"].as_object().expect("by cause");
        for (cause, count) in lost {
            assert_eq!(count.as_u64() != Some(0), cause == "rlc-buffer", "{cause}: {count}");
        }
    }
    let narrow = goodput(&small("1.4MHz"));
    assert!((narrow / 3.4406 - 1.0).abs() < 0.1, "{narrow}");
}
