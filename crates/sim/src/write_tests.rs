//! Applications that write to TCP over time, in whole runs.

use crate::{RunOptions, run, scenario::Document};
use engine::Control;
use serde_json::Value;

/// Runs a scenario and returns the summary of its first flow.
fn flow(scenario: &str) -> Value {
    let document = Document::from_toml(scenario).expect("TOML");
    let results = run(&document, &RunOptions::default(), &Control::default()).expect("a run");
    let summary: Value = serde_json::from_str(&results.summary()).expect("JSON");
    summary["flows"][0].clone()
}

#[test]
fn delays_of_writes_by_hand() {
    // A write of 1000 B every 100 ms over 8 Mb/s and 10 ms takes 1.04 ms on the wire. The first write waits for the
    // handshake, 40 us and 10 ms in each direction.
    let flow = flow(
        r#"
        duration = "1s"
        [[link]]
        between = ["a", "b"]
        rate = "8Mbps"
        delay = "10ms"
        [[flow]]
        from = "a"
        to = "b"
        traffic = { kind = "cbr", rate = "80kbps", packet = "1000B", transport = "tcp" }
        tcp = { variant = "newreno" }
        "#,
    );
    assert_eq!(
        (&flow["writes"], &flow["delivered_writes"], &flow["write_loss_ratio"]),
        (&10.into(), &10.into(), &0.0.into())
    );
    let ms = |name: &str| flow[name].as_f64().expect("a number") * 1e3;
    assert!((ms("transit_delay_mean_s") - 11.04).abs() < 1e-9);
    assert!((ms("write_delay_max_s") - (20.08 + 11.04)).abs() < 1e-9);
    assert!((ms("write_delay_mean_s") - (20.08 + 10.0 * 11.04) / 10.0).abs() < 1e-9);
    assert!((ms("write_jitter_mean_s") - 20.08 / 9.0).abs() < 1e-9);
    assert!(ms("transit_jitter_mean_s").abs() < 1e-9);
}

#[test]
fn every_write_is_delivered_once_whatever_its_size() {
    for profile in ["rfc", "linux", "ns2", "ns3"] {
        for (packet, rate) in [(300, "100kbps"), (700, "900kbps"), (1000, "2Mbps"), (2500, "600kbps")] {
            let flow = flow(&format!(
                r#"
                duration = "60s"
                [[link]]
                between = ["a", "b"]
                rate = "1Mbps"
                delay = "10ms"
                queue = {{ kind = "droptail", packets = 10 }}
                loss = {{ kind = "random", rate = 0.02 }}
                [[flow]]
                from = "a"
                to = "b"
                stop = "10s"
                traffic = {{ kind = "on-off", rate = "{rate}", packet = "{packet}B", on = "1s", off = "1s", transport = "tcp" }}
                tcp = {{ variant = "sack", profile = "{profile}", segment = "1000B" }}
                "#,
            ));
            let number = |name: &str| flow[name].as_u64().expect("a count");
            let writes = number("writes");
            assert!(writes > 50, "{profile} {packet}");
            assert_eq!(number("delivered_writes"), writes, "{profile} {packet}");
            let padded = if profile == "ns2" { 1000 * u64::div_ceil(packet, 1000) } else { packet };
            assert_eq!(number("delivered_bytes"), writes * padded, "{profile} {packet}");
            assert_eq!(number("acked_bytes"), writes * padded, "{profile} {packet}");
        }
    }
}

#[test]
fn what_waits_leaves_in_full_segments() {
    // Ten writes during the handshake leave as three full segments.
    let flow = flow(
        r#"
        duration = "2s"
        [[link]]
        between = ["a", "b"]
        rate = "8Mbps"
        delay = "50ms"
        [[flow]]
        from = "a"
        to = "b"
        stop = "99ms"
        traffic = { kind = "cbr", rate = "240kbps", packet = "300B", transport = "tcp" }
        tcp = { variant = "newreno", segment = "1000B" }
        "#,
    );
    assert_eq!((&flow["writes"], &flow["delivered_writes"]), (&10.into(), &10.into()));
    // The SYN and three segments.
    assert_eq!((&flow["sent_packets"], &flow["sent_bytes"]), (&4.into(), &3000.into()));
}

#[test]
fn a_video_over_udp_and_tcp() {
    // Video of 300 kb/s at 30 frames per second: 1250 B per frame, in packets of 1024 and 226 B.
    let over = |transport: &str, loss: &str| {
        let tcp = if transport == "tcp" { "tcp = { variant = \"newreno\" }" } else { "" };
        flow(&format!(
            r#"
            duration = "11s"
            [[link]]
            between = ["a", "b"]
            rate = "10Mbps"
            delay = "10ms"
            {loss}
            [[flow]]
            from = "a"
            to = "b"
            stop = "9.99s"
            traffic = {{ kind = "video", transport = "{transport}" }}
            {tcp}
            "#
        ))
    };
    for transport in ["udp", "tcp"] {
        let whole = over(transport, "");
        let all = whole["video"].as_array().and_then(|rows| rows.last()).expect("a row for all").clone();
        assert_eq!(
            (&all["frames"], &all["packets"], &all["undelivered_packets"]),
            (&300.into(), &600.into(), &0.into())
        );
        assert_eq!(
            (&all["decodable_ratio"], &all["psnr_mean_db"]),
            (&1.0.into(), &35.0.into()),
            "{transport}"
        );
        assert_eq!(whole["delivered_bytes"], 375_000);
    }
    let udp = over("udp", "loss = { kind = \"list\", packets = [0] }");
    let rows = udp["video"].as_array().expect("rows");
    let decodable: Vec<_> = rows.iter().map(|row| row["decodable_frames"].as_u64().unwrap_or(0)).collect();
    // Without its first frame a whole group of pictures (one I, three P and six B frames) cannot be decoded.
    assert_eq!(decodable, [29, 87, 174, 290]);
    assert_eq!(rows[3]["complete_frames"], 299);
    let tcp = over("tcp", "loss = { kind = \"list\", packets = [3] }");
    let all = &tcp["video"][3];
    assert_eq!((&all["decodable_frames"], &tcp["retransmitted_packets"]), (&300.into(), &1.into()));
    assert!(all["packet_delay_max_s"].as_f64() > Some(0.03), "{all}");
}

#[test]
fn a_video_from_a_trace() {
    let text = r#"
        duration = "1s"
        [[link]]
        between = ["a", "b"]
        rate = "8Mbps"
        delay = "10ms"
        [[flow]]
        from = "a"
        to = "b"
        traffic = { kind = "video", frames = "H29/1@0 I3036/3@0 P659/1@40000", header = "0B" }
        "#;
    let row = flow(text)["video"].as_array().and_then(|rows| rows.last()).expect("a row for all").clone();
    assert_eq!(
        (&row["frames"], &row["packets"], &row["decodable_frames"]),
        (&3.into(), &5.into(), &3.into())
    );
    // At 1 B/us: the I frame follows the header packet, and the last of its 3036 B is sent after 3065 us.
    assert!((row["frame_delay_max_s"].as_f64().expect("a delay") - 0.013_065).abs() < 1e-12);
    // The described scenario has the same results.
    let document = Document::from_toml(text).expect("TOML");
    let described = crate::scenario::describe(&document.check().expect("right"));
    let again = Document::from_json(&described).expect("JSON");
    let results = [&document, &again].map(|document| {
        let results = run(document, &RunOptions::default(), &Control::default()).expect("a run");
        let mut csv = Vec::new();
        results.table("video").expect("a table").write_csv(&mut csv).expect("memory");
        csv
    });
    assert_eq!(results[0], results[1]);
}
