//! Commands as the page gives them, and their answers.

use engine::Control;
use serde_json::{Value, json};
use sim::scenario::Document;
use sim::{RunOptions, run};
use web::Lab;

const SCENARIO: &str = r#"
duration = "5s"
link = [{ name = "path", between = ["a", "b"], rate = "10Mbps", delay = "20ms", queue = { kind = "droptail", packets = 20 } }]
flow = [{ from = "a", to = "b", tcp = { variant = "cubic" } }]
"#;

fn value(lab: &mut Lab, command: &Value) -> Value {
    serde_json::from_slice(&lab.call(command.to_string().as_bytes()).expect("an answer")).expect("JSON")
}

fn problems(lab: &mut Lab, command: &Value) -> Vec<Value> {
    let problem = lab.call(command.to_string().as_bytes()).expect_err("a problem");
    let value: Value = serde_json::from_slice(&problem.to_json()).expect("JSON");
    value["problems"].as_array().expect("a list").clone()
}

/// Runs to the end in steps; returns the number of steps and the last progress.
fn finish(lab: &mut Lab, looks: u32) -> (u32, Value) {
    for steps in 1.. {
        let progress = value(lab, &json!({ "do": "step", "looks": looks }));
        if progress["done"] == true {
            return (steps, progress);
        }
    }
    unreachable!()
}

#[test]
fn a_run_in_steps_gives_the_summary_of_a_whole_run() {
    let mut document = Document::from_toml(SCENARIO).expect("a scenario");
    document.set("link.path.rate", "3Mbps").expect("a setting");
    let options = RunOptions { seed: Some(7), ..RunOptions::default() };
    let whole = run(&document, &options, &Control::default()).expect("a run").summary();
    let mut hashes = Vec::new();
    for looks in [1, 1000] {
        let mut lab = Lab::default();
        let start = json!({
            "do": "start", "scenario": SCENARIO, "set": [["link.path.rate", "3Mbps"]], "seed": 7,
            "traces": ["cwnd", "segments", "hops"],
        });
        assert_eq!(value(&mut lab, &start)["now_s"], 0.0);
        let (_, progress) = finish(&mut lab, looks);
        hashes.push(progress["sha256"].as_str().expect("a hash").to_owned());
        let summary = lab.call(br#"{ "do": "summary" }"#).expect("a summary");
        assert_eq!(String::from_utf8(summary).expect("text"), whole);
    }
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn starts_are_delayed_as_in_replications() {
    let document = Document::from_toml(SCENARIO).expect("a scenario");
    let jitter = base::Duration::from_ms(100);
    let options = RunOptions { seed: Some(3), jitter, ..RunOptions::default() };
    let whole = run(&document, &options, &Control::default()).expect("a run").summary();
    let mut lab = Lab::default();
    value(&mut lab, &json!({ "do": "start", "scenario": SCENARIO, "seed": 3, "jitter_s": 0.1 }));
    finish(&mut lab, 1000);
    let summary = lab.call(br#"{ "do": "summary" }"#).expect("a summary");
    assert_eq!(String::from_utf8(summary).expect("text"), whole);
}

#[test]
fn a_step_handles_a_bounded_number_of_events() {
    let mut lab = Lab::default();
    let rate = json!([["link.path.rate", "1Gbps"], ["link.path.queue.packets", "5000"]]);
    value(&mut lab, &json!({ "do": "start", "scenario": SCENARIO, "set": rate }));
    let mut before = 0;
    for _ in 0..5 {
        let progress = value(&mut lab, &json!({ "do": "step", "looks": 1 }));
        let events = progress["events"].as_u64().expect("a number");
        assert!((1..=20_000).contains(&(events - before)), "{events} after {before}");
        assert_eq!(progress["done"], false);
        before = events;
    }
}

#[test]
fn a_table_can_be_read_as_arrays() {
    let mut lab = Lab::default();
    value(&mut lab, &json!({ "do": "start", "scenario": SCENARIO, "traces": ["cwnd"] }));
    finish(&mut lab, 1000);
    let bytes = lab.call(br#"{ "do": "table", "name": "cwnd" }"#).expect("a table");
    let length = u32::from_le_bytes(bytes[..4].try_into().expect("four bytes")) as usize;
    assert_eq!((4 + length) % 8, 0);
    let header: Value = serde_json::from_slice(&bytes[4..4 + length]).expect("JSON");
    let column = |name: &str| {
        let columns = header["columns"].as_array().expect("a list");
        columns.iter().find(|column| column["name"] == name).expect("a column").clone()
    };
    let rows = header["rows"].as_u64().expect("a number") as usize;
    assert!(rows > 100);
    let at = |name: &str| 4 + length + column(name)["at"].as_u64().expect("a place") as usize;
    let float = |name: &str, row: usize| {
        let from = at(name) + 8 * row;
        f64::from_le_bytes(bytes[from..from + 8].try_into().expect("eight bytes"))
    };
    let code = |row: usize| {
        let from = at("variable") + 4 * row;
        u32::from_le_bytes(bytes[from..from + 4].try_into().expect("four bytes")) as usize
    };
    assert_eq!(column("variable")["type"], "label");
    let names = column("variable")["names"].clone();
    let first = (0..rows).find(|row| names[code(*row)] == "cwnd").expect("a window");
    assert_eq!((float("time_s", first), float("value", first)), (0.0, 10.0));
    assert!((0..rows).all(|row| row == 0 || float("time_s", row) >= float("time_s", row - 1)));
}

#[test]
fn mistakes_have_their_lines() {
    let mut lab = Lab::default();
    let wrong = SCENARIO.replace("droptail", "droptial");
    let found = problems(&mut lab, &json!({ "do": "check", "scenario": wrong }));
    assert_eq!(
        (found[0]["path"].as_str(), found[0]["line"].as_u64()),
        (Some("link.path.queue.kind"), Some(3))
    );
    assert!(found[0]["text"].as_str().expect("text").contains("did you mean `droptail`?"));
    let broken = problems(&mut lab, &json!({ "do": "check", "scenario": "duration = \"5s\"\nlink = [" }));
    assert_eq!(broken[0]["line"].as_u64(), Some(2), "{broken:?}");
}

#[test]
fn a_described_scenario_has_every_setting() {
    let mut lab = Lab::default();
    let found = value(&mut lab, &json!({ "do": "check", "scenario": SCENARIO }));
    let document = Document::from_toml(SCENARIO).expect("a scenario");
    assert_eq!(found["scenario_hash"], sim::scenario_hash(&document));
    assert_eq!(found["scenario"]["flow"][0]["tcp"]["variant"], "cubic");
    assert_eq!(found["scenario"]["link"][0]["delay"], "20ms");
}

#[test]
fn files_come_with_the_command() {
    let mut lab = Lab::default();
    let traced = SCENARIO.replace("\"10Mbps\"", "{ trace = \"a.trace\" }");
    let found = problems(&mut lab, &json!({ "do": "check", "scenario": traced }));
    assert!(found[0]["text"].as_str().expect("text").contains("not among the files given"), "{found:?}");
    let given = json!({ "do": "check", "scenario": traced, "files": { "a.trace": "1\n2\n4\n" } });
    assert!(value(&mut lab, &given)["scenario"]["link"][0]["rate"]["gaps"].is_string());
}

#[test]
fn commands_out_of_order_are_told() {
    let mut lab = Lab::default();
    assert_eq!(
        problems(&mut lab, &json!({ "do": "step", "looks": 1 }))[0]["text"],
        "no run has been started"
    );
    assert_eq!(problems(&mut lab, &json!({ "do": "summary" }))[0]["text"], "no run has ended");
    assert!(!problems(&mut lab, &json!({ "do": "fly" })).is_empty());
    value(&mut lab, &json!({ "do": "start", "scenario": SCENARIO }));
    finish(&mut lab, 1000);
    let missing = problems(&mut lab, &json!({ "do": "table", "name": "cwnd" }));
    assert!(missing[0]["text"].as_str().expect("text").contains("has no table `cwnd`: it has flows, links"));
}

/// Returns the command that begins a run with a control by formulas in place of the scenario's.
fn own(grow: &str, cut: &str) -> Value {
    json!({
        "do": "start", "scenario": SCENARIO, "set": [["flow.0.tcp.variant", "own"], ["duration", "20s"]],
        "own": { "grow": grow, "cut": cut },
    })
}

/// Returns the summary's first flow of a run of SACK's recovery with a control.
fn flow(lab: &mut Lab, start: &Value) -> Value {
    value(lab, start);
    finish(lab, 1000);
    value(lab, &json!({ "do": "summary" }))["flows"][0].clone()
}

#[test]
fn a_control_by_formulas_is_reno_if_the_formulas_are() {
    let mut lab = Lab::default();
    let mut start = own("1", "flight / 2");
    let mine = flow(&mut lab, &start);
    start["set"][0][1] = json!("sack+reno");
    let reno = flow(&mut lab, &start);
    for column in ["goodput_bps", "lost_packets_total", "retransmitted_packets", "sampled_rtt_mean_s"] {
        assert_eq!(mine[column], reno[column], "{column}");
    }
    let timid = flow(&mut lab, &own("1", "1"));
    assert!(timid["goodput_bps"].as_f64() < mine["goodput_bps"].as_f64(), "{timid}");
    // A delay-based control keeps a few packets in the queue, and loses fewer packets than Reno.
    let delay = flow(&mut lab, &own("if(rtt > 1.1 * min_rtt, -1, 1)", "flight / 2"));
    assert!(delay["lost_packets_total"].as_f64() < mine["lost_packets_total"].as_f64(), "{delay}");
}

#[test]
fn a_wrong_formula_is_told_with_its_field() {
    let mut lab = Lab::default();
    let told = problems(&mut lab, &own("1", "flght / 2"));
    assert_eq!(told[0]["path"], "own.cut");
    assert!(told[0]["text"].as_str().expect("text").contains("`flght` at column 1"), "{told:?}");
    assert!(told[0]["text"].as_str().expect("text").contains("flight"), "{told:?}");
    let told = problems(
        &mut lab,
        &json!({
            "do": "check", "scenario": SCENARIO, "set": [["flow.0.tcp.variant", "own"]],
        }),
    );
    assert!(told[0]["text"].as_str().expect("text").contains("own"), "{told:?}");
}

#[test]
fn a_formula_without_a_value_stops_the_run_with_a_word() {
    let mut lab = Lab::default();
    for (grow, cut) in [("sqrt(-1)", "flight / 2"), ("1", "0 / 0"), ("1 / 0", "1")] {
        value(&mut lab, &own(grow, cut));
        let told = loop {
            let step = json!({ "do": "step", "looks": 1000 }).to_string();
            match lab.call(step.as_bytes()) {
                Err(problem) => break problem.problems[0].text.clone(),
                Ok(answer) => assert!(!answer.starts_with(br#"{"done":true"#), "{grow} {cut}"),
            }
        };
        assert!(told.contains("own") && told.contains("cwnd is"), "{told}");
    }
}
