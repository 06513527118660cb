//! Values at the ends of their types, times too short for a timer, and names that look like others.

use super::small;

/// Paths of settings, refused values, and the first lines of the error.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "flow.0.tcp.min_rto",
        "1ps",
        "flow.0.tcp.min_rto: \"1ps\" is out of range\n  given:   \"1ps\"\n  allowed: a time, \"1us\" to \"3600s\"",
    ),
    ("flow.0.tcp.delayed_ack", "999ns", "flow.0.tcp.delayed_ack: \"999ns\" is too short"),
    ("flow.0.tcp.clock_tick", "1ps", "flow.0.tcp.clock_tick: a tick of \"1ps\" is too short"),
    (
        "link.0.queue",
        "{ kind = \"codel\", interval = \"1ps\" }",
        "link.0.queue.interval: \"1ps\" is out of range",
    ),
    ("link.0.queue", "{ kind = \"pie\", target = \"1ps\" }", "link.0.queue.target: \"1ps\" is out of range"),
    (
        "flow.0",
        "{ from = \"a\", to = \"b\", traffic = { kind = \"on-off\", rate = \"1Mbps\", packet = \"100B\", on = \"1ps\", off = \"1s\" } }",
        "flow.0.traffic.on: \"1ps\" is out of range\n  given:   \"1ps\"\n  allowed: \"1us\" or more",
    ),
    ("seed", "18446744073709551616", "seed: 18446744073709551616 is out of range"),
    (
        "flow.0.class",
        "9223372036854775808",
        "flow.0.class: 9223372036854775808 is out of range\n  given:   9223372036854775808\n  allowed: a whole number from 0 to 255",
    ),
    (
        "link.0.queue",
        "1e300bdp",
        "link.0.queue: 1e300 bandwidth-delay products are more packets than a queue can have",
    ),
    ("link.0.loss", "{ kind = \"random\", rate = 1e300 }", "link.0.loss.rate: 1e300 is not a probability"),
    ("link.0.loss", "{ kind = \"random\", rate = nan }", "link.0.loss.rate: \"nan\" does not belong here"),
    (
        "flow.0.name",
        "\"a\u{202e}b\"",
        "flow.0.name: not a name: U+202E in it is invisible\n  given:   \"a\\u202eb\"",
    ),
    ("flow.0.name", "\"a\u{200b}\"", "flow.0.name: not a name: U+200B in it is invisible"),
    ("link.0.name", "\"\u{feff}x\"", "link.0.name: not a name: U+FEFF in it is invisible"),
    (
        "flow.0.name",
        "\"a\u{e0020}\"",
        "flow.0.name: not a name: U+E0020 in it is invisible\n  given:   \"a\\U000e0020\"",
    ),
];

#[test]
fn values_at_the_ends_of_their_types_are_refused_in_words() {
    for (path, value, said) in REFUSED {
        let error = small(&[(path, value)]).expect_err(said).to_string();
        assert!(error.starts_with(said), "{path} = {value}: {error}");
    }
}

#[test]
fn the_largest_seed_and_names_of_any_script_are_accepted() {
    for (path, value) in
        [("seed", "18446744073709551615"), ("flow.0.name", "\"節点é\""), ("flow.0.tcp.min_rto", "1us")]
    {
        small(&[(path, value)]).unwrap_or_else(|error| panic!("{error}"));
    }
}
