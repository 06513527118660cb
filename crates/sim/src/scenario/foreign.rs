//! Explanations for names of ns-2 and ns-3, and for keys in the wrong table.

use super::ScenarioError;
use settings::node::Data;
use settings::{Node, nearest};

/// Names of ns-2 and ns-3 (in small letters, without `_`), the table in which they are used, and our keys.
const NAMES: &[(&str, &str, &str)] = &[
    ("minthresh", "queue", "min"),
    ("thresh", "queue", "min"),
    ("minth", "queue", "min"),
    ("maxthresh", "queue", "max"),
    ("maxth", "queue", "max"),
    ("qweight", "queue", "weight"),
    ("qw", "queue", "weight"),
    ("meanpktsize", "queue", "mean_packet"),
    ("setbit", "queue", "ecn"),
    ("useecn", "queue", "ecn"),
    ("limit", "queue", "packets"),
    ("queuelimit", "queue", "packets"),
    ("maxpackets", "queue", "packets"),
    ("maxsize", "queue", "packets"),
    ("maxbytes", "queue", "bytes"),
    ("queuelimit", "link", "queue"),
    ("limit", "link", "queue"),
    ("buffer", "link", "queue"),
    ("datarate", "link", "rate"),
    ("bandwidth", "link", "rate"),
    ("bw", "link", "rate"),
    ("capacity", "link", "rate"),
    ("latency", "link", "delay"),
    ("propagation", "link", "delay"),
    ("errorrate", "link", "loss"),
    ("lossrate", "link", "loss"),
    ("lossprobability", "link", "loss"),
    ("plr", "link", "loss"),
    ("nodes", "link", "between"),
    ("ends", "link", "between"),
    ("from", "link", "between"),
    ("to", "link", "between"),
    ("errorrate", "loss", "rate"),
    ("probability", "loss", "rate"),
    ("p", "loss", "rate"),
    ("window", "tcp", "max_window"),
    ("maxcwnd", "tcp", "max_window"),
    ("sndbufsize", "tcp", "max_window"),
    ("rcvbufsize", "tcp", "receive_window"),
    ("rwnd", "tcp", "receive_window"),
    ("windowinit", "tcp", "initial_window"),
    ("initialcwnd", "tcp", "initial_window"),
    ("initcwnd", "tcp", "initial_window"),
    ("iw", "tcp", "initial_window"),
    ("initialssthresh", "tcp", "initial_ssthresh"),
    ("ssthresh", "tcp", "initial_ssthresh"),
    ("packetsize", "tcp", "segment"),
    ("segmentsize", "tcp", "segment"),
    ("segsize", "tcp", "segment"),
    ("mss", "tcp", "segment"),
    ("minrto", "tcp", "min_rto"),
    ("maxrto", "tcp", "max_rto"),
    ("rto", "tcp", "initial_rto"),
    ("tcptick", "tcp", "clock_tick"),
    ("tcpiphdrsize", "tcp", "header"),
    ("delack", "tcp", "delayed_ack"),
    ("delacktimeout", "tcp", "delayed_ack"),
    ("delackcount", "tcp", "delayed_ack"),
    ("sack", "tcp", "sack_blocks"),
    ("timestamp", "tcp", "timestamps"),
    ("maxburst", "tcp", "max_burst"),
    ("numdupacks", "tcp", "duplicates"),
    ("dupthresh", "tcp", "duplicates"),
    ("bugfix", "tcp", "repeated_recovery"),
    ("overhead", "tcp", "send_overhead"),
    ("tsoptionsize", "tcp", "timestamps_size"),
    ("useecn", "tcp", "ecn"),
    ("sockettype", "tcp", "variant"),
    ("typeid", "tcp", "variant"),
    ("congestioncontrol", "tcp", "variant"),
    ("congestion", "tcp", "variant"),
    ("cc", "tcp", "variant"),
    ("algorithm", "tcp", "variant"),
    ("packetsize", "traffic", "packet"),
    ("datarate", "traffic", "rate"),
    ("interval", "traffic", "rate"),
    ("maxbytes", "traffic", "size"),
    ("bursttime", "traffic", "on"),
    ("ontime", "traffic", "on"),
    ("idletime", "traffic", "off"),
    ("offtime", "traffic", "off"),
    ("application", "flow", "traffic"),
    ("udp", "flow", "traffic"),
    ("app", "flow", "traffic"),
    ("src", "flow", "from"),
    ("source", "flow", "from"),
    ("sender", "flow", "from"),
    ("dst", "flow", "to"),
    ("dest", "flow", "to"),
    ("destination", "flow", "to"),
    ("sink", "flow", "to"),
    ("receiver", "flow", "to"),
    ("starttime", "flow", "start"),
    ("stoptime", "flow", "stop"),
    ("end", "flow", "stop"),
    ("time", "event", "at"),
    ("value", "event", "to"),
    ("stoptime", "", "duration"),
    ("simtime", "", "duration"),
    ("time", "", "duration"),
    ("rngrun", "", "seed"),
    ("rngseed", "", "seed"),
];

/// Nested tables whose keys are easily put into the outer table: the outer table, the inner table, and keys of the
/// inner one.
const INNER: &[(&str, &str, &[&str])] = &[
    (
        "flow",
        "tcp",
        &[
            "variant",
            "profile",
            "control",
            "segment",
            "max_window",
            "initial_window",
            "initial_ssthresh",
            "min_rto",
            "delayed_ack",
            "ecn",
            "timestamps",
            "pacing",
            "window",
            "mss",
            "cc",
        ],
    ),
    ("flow", "traffic", &["kind", "rate", "packet", "size", "transport", "spacing", "on", "off"]),
    ("link", "queue", &["packets", "bytes", "kind", "unlimited", "target", "min", "max"]),
];

/// Adds an explanation to an error that users of other simulators often cause, or that comes from a key in the wrong
/// table.
pub(super) fn explained(error: ScenarioError, root: &Node) -> ScenarioError {
    let (parent, key) = error.path.rsplit_once('.').unwrap_or(("", error.path.as_str()));
    let table = parent.rsplit('.').find(|part| part.parse::<usize>().is_err()).unwrap_or_default();
    if (table, key) == ("tcp", "ecn") && root.at(&error.path).is_some_and(|n| n.data == Data::Bool(true)) {
        return error.near(Some("classic".to_owned()));
    }
    // Messages show milliseconds as the example of a time, but these times are usually given in seconds.
    if ["duration", "start", "stop", "at"].contains(&key) && error.message.contains("needs a unit") {
        return ScenarioError { message: error.message.replace("ms\"", "s\""), ..error };
    }
    if (table, key) == ("queue", "bytes") && error.message.starts_with("unknown unit") {
        return products(error);
    }
    if !error.message.contains("there is no key") {
        return error;
    }
    let plain: String = key.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let allowed = |ours: &str| error.allowed.split(", ").any(|name| name == ours);
    let found = NAMES.iter().find(|(name, within, ours)| *name == plain && *within == table && allowed(ours));
    if let Some((_, _, ours)) = found {
        let message = format!("there is no key `{key}` here: it is `{ours}`");
        return ScenarioError { message, nearest: Some((*ours).to_owned()), ..error };
    }
    let inner =
        INNER.iter().find(|(outer, inner, keys)| *outer == table && keys.contains(&key) && allowed(inner));
    if let Some((_, inner, _)) = inner {
        let message = format!("there is no key `{key}` here: it belongs in `{inner}`");
        let value = root.at(&error.path).map(Node::to_string).unwrap_or_default();
        let allowed = format!("{inner} = {{ {key} = {value} }}");
        return ScenarioError { message, allowed, nearest: None, ..error };
    }
    error
}

/// Suggests `2bdp` for misspellings such as `2bpd`.
fn products(error: ScenarioError) -> ScenarioError {
    let unit = error.message.split('`').nth(1).unwrap_or_default();
    let number = error.message.split('`').nth(3).and_then(|text| text.strip_suffix(unit));
    match (nearest(unit, ["bdp"]), number) {
        (Some(bdp), Some(number)) => {
            let allowed = "bandwidth-delay products (\"1bdp\"), packets (50) or bytes (\"64KiB\")";
            let path = error.path.trim_end_matches(".bytes").to_owned();
            let near = Some(format!("{number}{bdp}"));
            ScenarioError { path, ..error }.allowed(allowed).near(near)
        }
        _ => error,
    }
}
