//! Lists of choices (variants, controls, queues, ...) as JSON.

use crate::scenario::ScenarioError;
use metrics::Trace;
use metrics::glossary::result_tables;
use serde_json::{Value, json};
use stack::Stacks;
use std::collections::BTreeMap;
use tcp::Variant;
use tcp::congestion::{Algorithm, Control, Controls};
use tcp::recovery::Recovery;

/// Function that makes a list, given the user-defined controls and the stacks.
type List = fn(&Controls, &Stacks) -> Value;

/// Lists that are made on demand.
const LISTS: [(&str, List); 8] = [
    ("variants", variants),
    ("recoveries", recoveries),
    ("controls", controls),
    ("profiles", profile_list),
    ("stacks", stack_list),
    ("traces", traces),
    ("metrics", metric_list),
    ("former-names", former_names),
];

/// Other lists, by name, written to this file by a test, so that a process that runs a scenario need not contain the
/// code that makes them.
const GENERATED: &str = include_str!("lists.json");
/// List of the profiles of TCP, written likewise.
const PROFILES: &str = include_str!("profiles.json");

/// Returns the list called `what` as JSON: objects with `name`, `summary`, and further fields. The lists of variants
/// and controls include the user-defined controls in `outside`; that of stacks those in `stacks`.
///
/// # Errors
/// If there is no such list.
pub fn catalogue(what: &str, outside: &Controls, stacks: &Stacks) -> Result<String, ScenarioError> {
    if let Some((_, make)) = LISTS.iter().find(|(name, _)| *name == what) {
        return Ok(make(outside, stacks).to_string());
    }
    let generated: BTreeMap<&str, Value> = serde_json::from_str(GENERATED).unwrap_or_default();
    if let Some(list) = generated.get(what) {
        return Ok(list.to_string());
    }
    let names = LISTS.iter().map(|(name, _)| *name).chain(generated.keys().copied());
    Err(ScenarioError::new("", format!("there is no list of `{what}`")).names(what, names))
}

/// Returns the names of the lists, in the order in which they are shown: parts of TCP, networks, results.
pub fn catalogue_kinds() -> Vec<String> {
    let generated: serde_json::Map<String, Value> = serde_json::from_str(GENERATED).unwrap_or_default();
    let (before, after) = LISTS.split_at(5);
    let name = |(name, _): &(&str, List)| (*name).to_owned();
    let generated = generated.into_iter().map(|(name, _)| name);
    before.iter().map(name).chain(generated).chain(after.iter().map(name)).collect()
}

fn variants(outside: &Controls, _: &Stacks) -> Value {
    let one = |v: &Variant| {
        json!({
            "name": v.name, "summary": v.summary, "source": v.source, "aliases": v.aliases,
            "recovery": v.recovery.name(), "control": v.control,
        })
    };
    let of_outside = |a: &Algorithm| {
        json!({
            "name": a.name, "summary": a.summary, "source": a.source, "aliases": a.aliases,
            "recovery": tcp::CUSTOM_RECOVERY.name(), "control": a.name,
        })
    };
    tcp::variants().iter().map(one).chain(outside.algorithms().map(of_outside)).collect()
}

fn recoveries(_: &Controls, _: &Stacks) -> Value {
    let all = Recovery::ALL.iter();
    all.map(|(_, name, summary, source)| json!({ "name": name, "summary": summary, "source": source }))
        .collect()
}

fn controls(outside: &Controls, _: &Stacks) -> Value {
    let parameter = |p: &tcp::congestion::Parameter| {
        if let Some(word) = p.choices.get(p.default as usize) {
            return json!({ "name": p.name, "summary": p.summary, "default": word, "choices": p.choices });
        }
        json!({
            "name": p.name, "summary": p.summary, "unit": p.unit, "default": p.default, "minimum": p.min,
            "maximum": p.max,
        })
    };
    let one = |a: &Algorithm| {
        let parameters: Vec<_> = a.parameters.iter().map(parameter).collect();
        json!({ "name": a.name, "summary": a.summary, "source": a.source, "parameters": parameters })
    };
    Control::ALL.iter().copied().chain(outside.algorithms()).map(one).collect()
}

fn profile_list(_: &Controls, _: &Stacks) -> Value {
    serde_json::from_str(PROFILES).unwrap_or_default()
}

fn stack_list(_: &Controls, stacks: &Stacks) -> Value {
    let quinn = quic::Control::ALL.iter().map(|control| control.about());
    let one = |about: &stack::About| {
        json!({
            "name": about.name, "summary": about.summary, "source": about.source, "packet_bytes": about.packet(),
        })
    };
    quinn.chain(stacks.entries()).map(one).collect()
}

fn traces(_: &Controls, _: &Stacks) -> Value {
    Trace::ALL
        .iter()
        .map(|t| json!({ "name": t.name(), "summary": t.summary(), "words": t.words() }))
        .collect()
}

fn metric_list(_: &Controls, _: &Stacks) -> Value {
    let one = |t: metrics::Term| {
        json!({
            "name": t.name, "summary": t.definition, "table": t.table, "unit": t.unit, "layer": t.layer,
            "interval": t.interval, "source": t.equals,
        })
    };
    result_tables().flat_map(|table| table.terms()).map(one).collect()
}

fn former_names(_: &Controls, _: &Stacks) -> Value {
    let settings = super::former::SETTINGS.iter().map(|one| {
        let summary = format!("setting: now {}", one.name);
        json!({ "name": one.was, "now": one.name, "table": "", "summary": summary })
    });
    let columns = metrics::glossary::renamed().map(|term| {
        let summary = format!("column of {}: now {}", term.table, term.name);
        json!({ "name": term.was, "now": term.name, "table": term.table, "summary": summary })
    });
    let variants = tcp::former_variants().map(|(was, now)| {
        json!({ "name": was, "now": now, "table": "", "summary": format!("variant: now {now}") })
    });
    settings.chain(columns).chain(variants).collect()
}

/// Returns the page `docs/reference/controls.md`: all named variants, and the parameters of all congestion controls.
pub fn controls_page() -> String {
    let mut page = String::from(
        "# Variants and congestion controls\n\n\
         Written from what the algorithms say of themselves (`make pages` renews it). A variant is a pair of loss recovery and\n\
         congestion control. Any pair goes (`variant = \"newreno+vegas\"`); these have names:\n\n\
         | variant | recovery | control | what it does | source |\n|---|---|---|---|---|\n",
    );
    for v in tcp::variants() {
        let cells = [v.recovery.name(), v.control, v.summary, v.source].join(" | ");
        page.push_str(&format!("| `{}` | {cells} |\n", v.name));
    }
    page.push_str(
        "\n## Parameters of the controls\n\nGiven as `tcp = { variant = \"reno\", control = { decrease = 0.7 } }`.\n\n\
         | control | parameter | unit | default | allowed | meaning |\n|---|---|---|---|---|---|\n",
    );
    for algorithm in Control::ALL {
        for p in algorithm.parameters {
            let (default, allowed) = match p.choices.get(p.default as usize) {
                Some(word) => (format!("\"{word}\""), format!("\"{}\"", p.choices.join("\", \""))),
                None => (p.default.to_string(), format!("{} to {}", p.min, p.max)),
            };
            let cells = [p.unit, &default, &allowed, p.summary].join(" | ");
            page.push_str(&format!("| `{}` | `{}` | {cells} |\n", algorithm.name, p.name));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/controls.md");

    #[test]
    fn the_page_is_current() {
        let page = std::fs::read_to_string(PAGE).unwrap();
        assert!(
            page == controls_page(),
            "docs/reference/controls.md is not what the controls say: make pages"
        );
    }

    #[test]
    #[ignore = "writes docs/reference/controls.md"]
    fn renew_the_page() {
        std::fs::write(PAGE, controls_page()).unwrap();
    }
}
