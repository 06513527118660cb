//! Counting for the growth of windows, by acknowledgments or by segments: mean windows with delayed ACKs and
//! periodic losses against formulas, and the pages that say how each control counts in each profile. Also
//! constants of profile `ns3`.

use crate::path::Bottleneck;
use base::Duration;
use settings::{Node, Setting};
use tcp::config::{AckCounting, WindowReduction};
use tcp::congestion::Control;
use tcp::{Config, Table, profiles};

fn resolve(text: &str) -> Config {
    let table = Table::read(&Node::from_toml(text).expect("TOML")).expect("a table");
    table.resolve().expect("a variant").1
}

/// Returns the mean window, segments: the segments that are delivered per round trip of `rtt` seconds while
/// one of `every` segments is lost. Slow start ends at `near`.
fn window(table: &str, rtt: f64, every: u64, near: f64) -> f64 {
    let unlimited = "max_window = 'unlimited'\nreceive_window = 'unlimited'";
    let mut config = resolve(&format!("{table}\ninitial_ssthresh = {near:.0}\n{unlimited}"));
    config.growth.pacing = false;
    assert_eq!(config.acks.delayed_ack, Duration::from_ms(100), "every second segment is acknowledged");
    let path = Bottleneck { rate: 1e7, delay: Duration::from_secs_f64(rtt), buffer: usize::MAX };
    let seconds = 1500.0 * rtt;
    let moments = path.run_losing(&config, Duration::from_secs_f64(seconds), every);
    let from = moments.iter().position(|m| m.time_s > seconds / 3.0).expect("it goes on");
    let (first, last) = (moments[from], moments[moments.len() - 1]);
    (last.delivered - first.delivered) as f64 / (last.time_s - first.time_s) * rtt
}

/// The window is for Reno sqrt(3 / (2 b p)), with b segments per acknowledgment that counts (Padhye et al.
/// 1998); for CUBIC in the Reno-friendly region the same with b = 1 (RFC 9438 section 4.3); for HighSpeed
/// 0.12 / p^0.835 (RFC 3649 section 5). Scalable adds 0.01 for each of 1 / (b p) acknowledgments between
/// losses and grows exponentially; a loss takes 1/8.
#[test]
fn windows_under_delayed_acknowledgments() {
    let reno = |b: f64, every: f64| libm::sqrt(1.5 * every / b);
    let scalable = |b: f64, every: f64| 0.01 * every / b / -libm::log(1.0 - 0.125);
    let highspeed = |every: f64| 0.12 * libm::pow(every, 0.835);
    let mut wrong = Vec::new();
    for (table, rtt, every, formula) in [
        ("variant = 'sack'", 0.01, 1000, reno(2.0, 1000.0)),
        ("variant = 'sack'\nack_counting = 'segments'", 0.01, 1000, reno(1.0, 1000.0)),
        ("variant = 'cubic'", 0.01, 1000, reno(1.0, 1000.0)),
        ("variant = 'cubic'\nack_counting = 'segments'", 0.01, 1000, reno(1.0, 1000.0)),
        ("variant = 'cubic'\ncontrol = { friendly_counting = 'acks' }", 0.01, 1000, reno(2.0, 1000.0)),
        ("variant = 'highspeed'", 0.044, 5000, highspeed(5000.0)),
        ("variant = 'scalable'", 0.044, 5000, scalable(2.0, 5000.0)),
        ("variant = 'scalable'\nack_counting = 'segments'", 0.044, 5000, scalable(1.0, 5000.0)),
    ] {
        let found = window(table, rtt, every, formula);
        wrong.extend(
            ((found / formula - 1.0).abs() >= 0.1)
                .then(|| format!("{table}: {found:.1}, by formula {formula:.1}")),
        );
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    let by_acks = window("variant = 'highspeed'\navoidance_by_segments = false", 0.044, 5000, 90.0);
    assert!(by_acks < 0.65 * highspeed(5000.0), "{by_acks:.1}");
}

/// Folder of the pages, and the marks around the generated text.
const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/controls");
const BEGIN: &str = "<!-- begin counting -->\n";
const END: &str = "<!-- end counting -->";

/// Controls that count delivered segments by themselves, whatever the endpoint counts.
const OWN: [&str; 4] = ["bbr", "bbr3", "copa", "ledbat"];

/// Returns true if the control's own parameter `name` is `word`.
fn is_set(config: &Config, name: &str, word: &str) -> bool {
    let parameters = config.control.algorithm().parameters.iter().zip(config.control.values());
    parameters
        .into_iter()
        .any(|(parameter, value)| parameter.name == name && parameter.choices[value as usize] == word)
}

/// Returns true if the control's own parameter `name` makes it count segments.
fn by_segments(config: &Config, name: &str) -> bool {
    is_set(config, name, "segments")
}

fn counting(control: &str, profile: &str) -> &'static str {
    let config = resolve(&format!("variant = 'sack+{control}'\nprofile = '{profile}'"));
    match (OWN.contains(&control), config.growth.ack_counting, config.growth.avoidance_by_segments) {
        (true, ..) => "delivered segments",
        (_, AckCounting::Segments | AckCounting::Delivered, _)
            if control == "hybla" && is_set(&config, "form", "linux") =>
        {
            "ACKs"
        }
        (_, AckCounting::Segments | AckCounting::Delivered, _)
            if control == "highspeed" && is_set(&config, "form", "linux") =>
        {
            "segments; ACKs in congestion avoidance"
        }
        (_, AckCounting::Segments | AckCounting::Delivered, _) => "segments",
        (_, AckCounting::Acks, true) => "ACKs; segments in congestion avoidance",
        (_, AckCounting::Acks, false) if by_segments(&config, "friendly_counting") => {
            "ACKs; segments in the Reno-friendly region"
        }
        (_, AckCounting::Acks, false) if by_segments(&config, "fast_counting") => {
            "ACKs; segments while it is fast"
        }
        (_, AckCounting::Acks, false) => "ACKs",
    }
}

/// Returns the table of page `counting`: how each control counts in each profile.
fn table() -> String {
    let mut table = String::from("\n| control |");
    profiles().iter().for_each(|profile| table.push_str(&format!(" `{}` |", profile.name)));
    table.push_str(&format!("\n|---|{}\n", "---|".repeat(profiles().len())));
    for control in Control::ALL {
        table.push_str(&format!("| `{}` |", control.name));
        profiles().iter().for_each(|p| table.push_str(&format!(" {} |", counting(control.name, p.name))));
        table.push('\n');
    }
    table.push('\n');
    table
}

/// Returns the paragraph for the control's own page.
fn sentence(control: &str) -> String {
    let each = profiles().iter().map(|p| format!("`{}`: {}", p.name, counting(control, p.name)));
    let each = each.collect::<Vec<_>>().join(".\n");
    format!("\n[Counted](counting.md) for growth, by profile.\n{each}.\n\n")
}

/// Returns the path of each page that exists, its text, and the text that it should have.
fn pages() -> Vec<(String, String, String)> {
    let own = Control::ALL.iter().map(|control| (control.name, sentence(control.name)));
    let found = own.chain([("counting", table())]).filter_map(|(name, written)| {
        let path = format!("{PAGES}/{name}.md");
        let page = std::fs::read_to_string(&path).ok()?;
        let (before, rest) = page.split_once(BEGIN).unwrap_or_else(|| panic!("{path}: {BEGIN}"));
        let (_, after) = rest.split_once(END).unwrap_or_else(|| panic!("{path}: {END}"));
        let renewed = format!("{before}{BEGIN}{written}{END}{after}");
        Some((path, page, renewed))
    });
    found.collect()
}

#[test]
fn pages_say_how_each_control_counts() {
    let pages = pages();
    assert!(pages.len() > 19, "{}", pages.len());
    for (path, page, renewed) in pages {
        assert!(page == renewed, "{path} is not what the profiles say: make pages");
    }
}

#[test]
#[ignore = "writes docs/reference/controls"]
fn renew_the_pages() {
    for (path, _, renewed) in pages() {
        std::fs::write(path, renewed).expect("it can be written");
    }
}

/// The profile has the defaults of ns-3.37's attributes.
#[test]
fn profile_ns3_has_the_constants_of_its_controls() {
    for (control, name, value) in [
        ("bic", "decrease", 0.2),
        ("bic", "search", 4.0),
        ("bic", "max_increment", 16.0),
        ("scalable", "form", 1.0),
        ("scalable", "decrease", 0.125),
        ("hybla", "reference_rtt", 50.0),
        ("hybla", "estimate", 0.0),
        ("vegas", "alpha", 2.0),
        ("vegas", "beta", 4.0),
    ] {
        let config = resolve(&format!("variant = 'sack+{control}'\nprofile = 'ns3'"));
        let at = config.control.algorithm().parameters.iter().position(|parameter| parameter.name == name);
        assert_eq!(at.map(|at| config.control.values()[at]), Some(value), "{control}: {name}");
        assert_eq!(config.decrease.window_reduction, WindowReduction::PrrNs3);
    }
}

/// RFC 5681 section 3.1: in profiles whose Reno counts acknowledgments, an acknowledgment of two segments
/// adds one segment in slow start. Counted in segments, it adds two.
#[test]
fn slow_start_adds_at_most_a_segment_per_acknowledgment() {
    for (counted, most) in
        [("profile = 'rfc'", 1.0), ("profile = 'ns3'", 1.0), ("ack_counting = 'segments'", 2.0)]
    {
        for variant in ["sack", "highspeed", "bic"] {
            let config =
                resolve(&format!("variant = '{variant}'\n{counted}\nmax_window = 200\nreceive_window = 200"));
            let path = Bottleneck { rate: 1e6, delay: Duration::from_ms(20), buffer: usize::MAX };
            let moments = path.run_with(&config, Duration::from_ms(200));
            let steps = moments.windows(2).map(|pair| pair[1].cwnd - pair[0].cwnd);
            let largest = steps.fold(0.0, f64::max);
            assert_eq!(largest, most, "{variant}, {counted}");
        }
    }
}
