//! TCP over chains of 802.11b stations 200 m apart, compared with ns-2.35 and ns-3.37 (`reference/wireless`:
//! `ns2_chain.json`, `ns3_chain.json`, means over 3 to 5 seeds). Tolerance of the goodput: 10 %; for ns-2,
//! where routes do not break, 4 %.

use engine::Control;
use serde_json::Value;
use sim::{RunOptions, scenario::Document};
use std::fmt::Write;

/// Returns a scenario of a chain of `hops` hops; `wifi` and `tcp` are further keys of the tables of these names.
fn chain(hops: u32, seconds: u32, wifi: &str, tcp: &str) -> String {
    let mut text = format!("duration = \"{seconds}s\"\nseed = 1\n");
    for k in 0..=hops {
        let x = 200 * k;
        writeln!(text, "[[node]]\nname = \"n{k}\"\nposition = [{x}, 0, 0]").expect("text");
    }
    let names: Vec<String> = (0..=hops).map(|k| format!("\"n{k}\"")).collect();
    let names = names.join(", ");
    write!(
        text,
        "[[wifi]]\nstandard = \"b\"\nstations = [{names}]\n{wifi}\n\
         [[flow]]\nfrom = \"n0\"\nto = \"n{hops}\"\nstart = \"1s\"\ntcp = {{ {tcp} }}\n"
    )
    .expect("text");
    text
}

/// Returns the flow's goodput in Mb/s, the mean over seeds 1 to `seeds`.
fn goodput(text: &str, seeds: u64) -> f64 {
    (1..=seeds).map(|seed| goodput_once(text, seed)).sum::<f64>() / seeds as f64
}

fn goodput_once(text: &str, seed: u64) -> f64 {
    let document = Document::from_toml(text).expect("a scenario");
    let options = RunOptions { seed: Some(seed), ..RunOptions::default() };
    let results = sim::run(&document, &options, &Control::default()).expect("a run");
    let summary: Value = serde_json::from_str(&results.summary()).expect("JSON");
    let flow = &summary["flows"][0];
    let value = |key: &str| flow[key].as_f64().expect("a number");
    value("delivered_bytes") * 8.0 / value("interval_s") / 1e6
}

fn within(got: f64, want: f64, part: f64, what: &str) {
    assert!((got / want - 1.0).abs() < part, "{what}: {got:.4} instead of {want:.4} Mb/s");
}

/// ns-2.35: data rate in Mb/s, RTS on or off, window in segments, and goodput in Mb/s over 1, 2, 4 and 6 hops.
const NS2: [(u32, bool, u32, [f64; 4]); 8] = [
    (2, false, 4, [1.4155, 0.7246, 0.3470, 0.2837]),
    (2, false, 32, [1.4032, 0.7224, 0.2985, 0.2222]),
    (2, true, 4, [1.2531, 0.6286, 0.2643, 0.2277]),
    (2, true, 32, [1.2550, 0.6284, 0.2512, 0.1973]),
    (11, false, 4, [4.2582, 2.1792, 1.0711, 0.8780]),
    (11, false, 32, [4.2607, 2.1888, 1.0437, 0.8286]),
    (11, true, 4, [2.8813, 1.4508, 0.6367, 0.5337]),
    (11, true, 32, [2.8916, 1.4555, 0.5708, 0.4590]),
];

#[test]
#[ignore = "takes seconds of processor time: `make test` runs it"]
fn goodput_over_aodv_is_ns2s() {
    for (rate, rts, window, reference) in NS2 {
        for (hops, want) in [1, 2, 4, 6].into_iter().zip(reference) {
            let threshold = if rts { 0 } else { 3000 };
            let wifi = format!(
                "profile = \"ns2\"\nrate = \"{rate}Mbps\"\nrts_threshold = \"{threshold}B\"\nrouting = {{ kind = \"aodv\" }}"
            );
            let tcp = format!(
                "variant = \"newreno\", profile = \"ns2\", segment = \"1460B\", max_window = {window}"
            );
            // Runs in which routes keep breaking differ much: use the reference's five seeds and a wider tolerance.
            let (seeds, part) = if window == 32 && hops > 2 { (5, 0.1) } else { (1, 0.04) };
            let got = goodput(&chain(hops, 101, &wifi, &tcp), seeds);
            within(got, want, part, &format!("{rate} Mb/s, RTS {rts}, window {window}, {hops} hops"));
        }
    }
}

/// Two-ray ground at 914 MHz with a receiving range of 250 m and a carrier-sense range of 550 m.
const LIKE_NS2: &str = "propagation = { kind = \"two-ray\" }\nantenna_height = 1.5\ntx_power = \"24.5dBm\"\n\
    frequency = \"914MHz\"\n\
    reception = { kind = \"sinr\", preamble_power = \"-64.374692dBm\", energy_detection = \"-78.071538dBm\" }";
/// Range model: every frame is received up to 250 m, none beyond.
const RANGE: &str = "propagation = { kind = \"range\", range = 250 }";

/// ns-3.37: propagation, data rate in Mb/s, RTS on or off, and goodput in Mb/s over 1, 2, 4 and 6 hops.
const NS3: [(&str, u32, bool, [f64; 4]); 6] = [
    (LIKE_NS2, 2, false, [1.5423, 0.7836, 0.4418, 0.4160]),
    (LIKE_NS2, 2, true, [1.3758, 0.6950, 0.3663, 0.3155]),
    (LIKE_NS2, 11, false, [5.3050, 2.7686, 1.5233, 1.3797]),
    (LIKE_NS2, 11, true, [3.6402, 1.8694, 1.0086, 0.8988]),
    (RANGE, 11, false, [5.3050, 2.1700, 1.1374, 0.9295]),
    (RANGE, 11, true, [3.6402, 1.7578, 0.8922, 0.7175]),
];

#[test]
#[ignore = "takes seconds of processor time: `make test` runs it"]
fn goodput_over_static_routes_is_ns3s() {
    for (channel, rate, rts, reference) in NS3 {
        for (hops, want) in [1, 2, 4, 6].into_iter().zip(reference) {
            let threshold = if rts { 0 } else { 65_535 };
            let wifi = format!(
                "profile = \"ns3\"\nrate = \"{rate}Mbps\"\nrts_threshold = \"{threshold}B\"\n\
                 routing = {{ kind = \"fewest-hops\" }}\n{channel}"
            );
            // Delayed acknowledgments, timestamps and SACK with ns-3's values.
            let tcp = "variant = \"sack\", profile = \"rfc\", segment = \"1448B\", max_window = 32, min_rto = \"1s\", \
                       timestamps = true";
            let got = goodput(&chain(hops, 31, &wifi, tcp), 1);
            within(got, want, 0.1, &format!("{channel}, {rate} Mb/s, RTS {rts}, {hops} hops"));
        }
    }
}

/// A mesh has the goodput of a chain with fixed routes and headers 14 bytes longer. The mesh's own frames (beacons, path requests, path
/// replies) cost at most 2 %.
#[test]
#[ignore = "takes seconds of processor time: `make test` runs it"]
fn goodput_over_a_mesh_is_that_of_longer_headers_and_its_own_frames() {
    for (rate, window) in [(11, 4), (11, 32), (2, 4)] {
        for hops in [1, 2, 4, 6] {
            let run = |wifi: &str| {
                let wifi =
                    format!("profile = \"ns2\"\nrate = \"{rate}Mbps\"\nrts_threshold = \"3000B\"\n{wifi}");
                let tcp = format!(
                    "variant = \"newreno\", profile = \"ns2\", segment = \"1460B\", max_window = {window}"
                );
                // The flow starts at 5 s, once the mesh stations are peers.
                let text = chain(hops, 105, &wifi, &tcp).replace("start = \"1s\"", "start = \"5s\"");
                goodput(&text, 2)
            };
            let longer = run("routing = { kind = \"fewest-hops\" }\nheader = \"48B\"");
            let mesh = run("routing = { kind = \"hwmp\" }");
            let ratio = mesh / longer;
            let what = format!("{rate} Mb/s, window {window}, {hops} hops");
            assert!((0.98..1.0).contains(&ratio), "{what}: {mesh:.4} and {longer:.4} Mb/s");
        }
    }
}
