//! Sessions conserve bytes and requests, take idle flows again, draw the same whatever the network does, and take the
//! time of a transfer alone if they are alone.

use super::state::Half;
use crate::flow::Kind;
use crate::run::{RunOptions, begin, run};
use crate::scenario::Document;
use base::{Duration, Instant, NoProbe};
use engine::Control;
use metrics::{FlowSummary, Observe};
use proptest::prelude::*;

const NET: &str = r#"
    duration = "60s"
    [[link]]
    name = "access"
    between = ["servers", "r"]
    rate = "100Mbps"
    delay = "1ms"
    [[link]]
    name = "bottleneck"
    between = ["r", "clients"]
    rate = "10Mbps"
    delay = "10ms"
    queue = 100
"#;

fn flow(name: &str, traffic: &str) -> String {
    format!(
        "[[flow]]\nname = '{name}'\nfrom = 'servers'\nto = 'clients'\nstop = '40s'\n\
         tcp = {{ variant = 'sack' }}\n[flow.traffic]\nkind = 'sessions'\n{traffic}\n"
    )
}

fn results(text: &str, seed: u64) -> crate::Results {
    let document = Document::from_toml(text).expect("it parses");
    let options = RunOptions { seed: Some(seed), ..RunOptions::default() };
    run(&document, &options, &Control::default()).expect("it runs")
}

fn row(text: &str, seed: u64) -> FlowSummary {
    results(text, seed).flows()[0].clone()
}

fn error(text: &str) -> String {
    Document::from_toml(text).and_then(|document| document.check()).expect_err(text).to_string()
}

const POISSON: &str = "arrivals = { kind = 'poisson', rate = 20 }";

/// Checks that each byte was delivered once, that each request is complete, and that no packet is missing.
fn conserves(row: &FlowSummary) {
    let (sessions, all) = (&row.sessions[0], &row.completions[0]);
    assert!(sessions.sessions > 0, "{sessions:?}");
    assert_eq!(sessions.sessions, sessions.completed_sessions + sessions.running_sessions);
    assert_eq!(sessions.running_sessions, 0, "{sessions:?}");
    assert_eq!(sessions.requests, sessions.completed_requests);
    assert_eq!(all.count, sessions.requests);
    assert_eq!(row.delivered_bytes, sessions.response_bytes);
    assert_eq!(row.acked_bytes, sessions.response_bytes);
    assert_eq!(row.in_flight_packets, 0);
    let classes = row.completions.iter().filter(|row| row.requests_of == "class");
    let (count, bytes) = classes.fold((0, 0), |(n, bytes), row| (n + row.count, bytes + row.response_bytes));
    assert_eq!((count, bytes), (all.count, all.response_bytes));
}

#[test]
fn bytes_and_requests_are_conserved() {
    for more in [
        "",
        "request = { kind = 'constant', size = '400B' }",
        "requests = 4\nthink = { kind = 'exponential', mean = '50ms' }",
        "requests = 5\nrequests_distribution = 'geometric'\nconnections = 2\nrequest = { kind = 'constant', size = '2kB' }",
        "requests = 3\nreuse = false\nrequest = { kind = 'constant', size = '1B' }",
    ] {
        let traffic = format!("{POISSON}\nresponse = {{ kind = 'exponential', mean = '8kB' }}\n{more}");
        conserves(&row(&format!("{NET}{}", flow("web", &traffic)), 1));
    }
}

/// Losses, duplicates and reordering bring packets of ended connections to the flows that later ones take.
#[test]
fn packets_of_earlier_connections_do_no_harm() {
    let bad = "loss = { kind = 'random', rate = 0.05 }\nduplicate = { rate = 0.1 }\n\
               reorder = { rate = 0.1, delay = '300ms' }\n";
    let net = NET.replace("queue = 100\n", &format!("queue = 100\n{bad}")).replace("60s", "400s");
    let traffic = "arrivals = { kind = 'poisson', rate = 50 }\nresponse = { kind = 'exponential', mean = '5kB' }\n\
                   request = { kind = 'constant', size = '300B' }\nrequests = 2";
    let row = row(&format!("{net}{}", flow("web", traffic)), 3);
    conserves(&row);
    assert!(row.duplicated_packets > 100 && row.retransmitted_packets > 100);
}

#[test]
fn ended_connections_leave_their_flow_to_later_ones() {
    let traffic = format!(
        "{POISSON}\nresponse = {{ kind = 'constant', size = '5kB' }}\nrequest = {{ kind = 'constant', size = '100B' }}"
    );
    let document = Document::from_toml(&format!("{NET}{}", flow("web", &traffic))).expect("it parses");
    let scenario = document.check().expect("it is right");
    let (mut world, mut queue) =
        begin(&scenario, 1, Duration::ZERO, NoProbe, &Observe::default()).expect("it begins");
    engine::run(&mut world, &mut queue, Instant::ZERO + scenario.duration, &Control::default());
    let flows = world.flows.len();
    world.gather_sessions();
    let Kind::Sessions(sessions) = &world.flows[0].kind else { panic!("the flow has sessions") };
    let summary = sessions.stats.summary(0);
    assert!(summary.connections > 700, "{summary:?}");
    // Both directions of a closed connection occupy their flows until their last data are acknowledged, so
    // more flows are in use than two for each open connection.
    assert!(flows as u64 <= 1 + 4 * summary.most_connections, "{flows} flows, {summary:?}");
    assert!(Half::Responses != Half::Requests && world.flows.len() == 1);
}

/// The first session meets an empty network, so its slowdown is 1.
#[test]
fn a_session_alone_has_no_slowdown() {
    for variant in ["sack", "cubic", "bbr"] {
        for bytes in [1, 700, 1448, 1460, 3000, 14_599, 14_601, 100_000, 777_777, 5_000_000] {
            for request in ["", "request = { kind = 'constant', size = '5kB' }"] {
                let traffic = format!(
                    "arrivals = {{ kind = 'given', times = ['0.1s'] }}\nresponse = {{ kind = 'constant', size = '{bytes}B' }}\n{request}"
                );
                let text = format!("{NET}{}", flow("web", &traffic)).replace("queue = 100", "queue = 4000");
                let row = row(&text.replace("'sack'", &format!("'{variant}'")), 1);
                let found = row.completions[0].slowdown_mean.expect("one request");
                assert!((found - 1.0).abs() < 2e-3, "{variant}, {bytes} B, {request}: {found}");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let traffic = format!(
        "{POISSON}\nresponse = {{ kind = 'web-pages' }}\nrequests = 3\nthink = {{ kind = 'pareto', mean = '50ms' }}"
    );
    let text = format!("{NET}{}", flow("web", &traffic));
    let summary = |seed: u64| results(&text, seed).summary();
    assert_eq!(summary(5), summary(5));
    assert_ne!(summary(5), summary(6));
}

/// Arrivals of sessions do not depend on other flows on the path, but their slowdown does.
#[test]
fn sessions_are_the_same_beside_other_flows() {
    let traffic = format!("{POISSON}\nresponse = {{ kind = 'exponential', mean = '8kB' }}\nrequests = 2");
    let alone = format!("{NET}{}", flow("web", &traffic));
    let other = "[[flow]]\nname = 'other'\nfrom = 'servers'\nto = 'clients'\ntcp = { variant = 'cubic' }\n";
    let beside = row(&format!("{alone}{other}"), 1);
    let alone = row(&alone, 1);
    assert_eq!(alone.sessions[0].sessions, beside.sessions[0].sessions);
    assert!(beside.sessions[0].response_bytes > alone.sessions[0].response_bytes / 2);
    let mean = |row: &FlowSummary| row.completions[0].slowdown_mean.expect("requests");
    assert!(mean(&beside) > 1.5 * mean(&alone), "{} and {}", mean(&beside), mean(&alone));
}

/// All flows of a query answer at once; a query is complete with its slowest answer.
#[test]
fn queries_have_the_same_arrivals() {
    let traffic = format!("{POISSON}\nresponse = {{ kind = 'constant', size = '10kB' }}\nquery = 'q'");
    let text = format!("{NET}{}{}{}", flow("a", &traffic), flow("b", &traffic), flow("c", &traffic));
    let found = results(&text, 2);
    let rows = found.flows();
    assert!(rows.iter().all(|row| row.sessions[0].sessions == rows[0].sessions[0].sessions));
    let queries = rows[0].completions.iter().find(|row| row.requests_of == "queries").expect("queries");
    assert_eq!(queries.count, rows[0].sessions[0].sessions);
    assert_eq!(queries.response_bytes, 3 * rows[0].sessions[0].response_bytes);
    let slowest = rows.iter().map(|row| row.completions[0].fct_mean_s.expect("requests")).fold(0.0, f64::max);
    assert!(queries.fct_mean_s.expect("queries") >= slowest);
    assert!(rows[1].completions.iter().all(|row| row.requests_of != "queries"));
}

#[test]
fn a_load_is_the_links_share() {
    let traffic = "arrivals = { kind = 'poisson', load = 0.5, link = 'bottleneck' }\nresponse = { kind = 'exponential', mean = '10kB' }";
    let text = format!("{NET}{}", flow("web", traffic)).replace("60s", "200s").replace("stop = '40s'\n", "");
    let found = results(&text, 1);
    let payload = found.flows()[0].delivered_bytes as f64 * 8.0 / 200.0 / 10e6;
    assert!((payload - 0.5).abs() < 0.02, "{payload}");
    let link = found.links().iter().find(|link| link.name == "r>clients").expect("the link");
    assert!((0.5..0.56).contains(&link.utilisation), "{}", link.utilisation);
}

#[test]
fn wrong_sessions_are_refused() {
    let of = |traffic: &str| format!("{NET}{}", flow("web", traffic));
    let response = "response = { kind = 'constant', size = '8kB' }";
    for (text, said) in [
        (
            of(&format!("arrivals = {{ kind = 'poisson', load = 1.2, link = 'bottleneck' }}\n{response}")),
            "above 0, at most 1",
        ),
        (
            of(&format!("arrivals = {{ kind = 'poisson', load = 0.5, link = 'botleneck' }}\n{response}")),
            "bottleneck",
        ),
        (of(&format!("{POISSON}\nresponse = {{ kind = 'constant', size = '0B' }}")), "traffic.response.size"),
        (of(&format!("{POISSON}\nresponse = {{ kind = 'empirical', points = '' }}")), "there are no rows"),
        (
            of(&format!("{POISSON}\nresponse = {{ kind = 'empirical', points = '5:0.5 9:0.2 10:1' }}")),
            "decreases",
        ),
        (
            of(&format!("{POISSON}\n{response}"))
                .replace("tcp = { variant = 'sack' }", "quic = { variant = 'quinn-cubic' }"),
            "sends a file",
        ),
    ] {
        let found = error(&text);
        assert!(found.contains(said), "{found}");
    }
    let half = "arrivals = { kind = 'poisson', load = 0.6, link = 'bottleneck' }";
    let two = format!(
        "{NET}{}{}",
        flow("a", &format!("{half}\n{response}")),
        flow("b", &format!("{half}\n{response}"))
    );
    assert!(error(&two).contains("come to 120 %"), "{}", error(&two));
    let query =
        |rate: u32| format!("arrivals = {{ kind = 'poisson', rate = {rate} }}\n{response}\nquery = 'q'");
    let differ = format!("{NET}{}{}", flow("a", &query(1)), flow("b", &query(2)));
    assert!(error(&differ).contains("their arrivals differ"), "{}", error(&differ));
}

#[test]
fn traces_change_nothing_and_show_requests() {
    let traffic = format!(
        "{POISSON}\nresponse = {{ kind = 'constant', size = '8kB' }}\nrequest = {{ kind = 'constant', size = '99B' }}"
    );
    let other = "[[flow]]\nname = 'other'\nfrom = 'servers'\nto = 'clients'\ntcp = { variant = 'cubic' }\n";
    let text = format!("{NET}{}{other}", flow("web", &traffic));
    let text = text.replace("60s", "15s").replace("40s", "10s");
    let document = Document::from_toml(&text).expect("it parses");
    let names = metrics::Trace::ALL.map(|trace| trace.name().to_owned());
    let observe = Observe::parse(&names, Duration::from_ms(100)).expect("traces");
    let options = RunOptions { observe, ..RunOptions::default() };
    let traced = run(&document, &options, &Control::default()).expect("it runs");
    let plain = run(&document, &RunOptions::default(), &Control::default()).expect("it runs");
    assert_eq!(traced.summary(), plain.summary());
    let rows = |name: &str| traced.traces[name].rows() as u64;
    assert_eq!(rows("requests"), plain.flows()[0].sessions[0].completed_requests);
    let lost = plain.flows()[1].losses.lost_packets_total;
    assert!(lost > 0 && rows("drops") == lost, "{lost}");
    assert_eq!(rows("delay"), plain.flows()[1].received_packets);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_sessions_are_conserved(
        seed: u64,
        rate in 1u32..40,
        mean in 1u32..20_000,
        requests in 1u32..5,
        connections in 1u32..4,
        reuse: bool,
        asks: bool,
        loss in 0.0f64..0.03,
    ) {
        let request = if asks { "request = { kind = 'exponential', mean = '500B' }" } else { "" };
        let traffic = format!(
            "arrivals = {{ kind = 'poisson', rate = {rate}, most = 60 }}\n\
             response = {{ kind = 'exponential', mean = '{mean}B' }}\n\
             requests = {requests}\nconnections = {connections}\nreuse = {reuse}\n{request}"
        );
        let net = NET
            .replace("60s", "2000s")
            .replace("queue = 100", &format!("queue = 100\nloss = {{ kind = 'random', rate = {loss} }}"));
        conserves(&row(&format!("{net}{}", flow("web", &traffic)), seed));
    }
}
