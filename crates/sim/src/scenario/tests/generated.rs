//! Files generated from the declared settings: the JSON Schema for editors, and the reference pages' lists of choices.

use crate::scenario::wire::losses::Loss;
use crate::scenario::wire::lte::{Enb, Lte};
use crate::scenario::wire::paths::{Duplicate, Jitter, Reorder};
use crate::scenario::wire::wifi::Wifi;
use crate::scenario::wire::{File, Flow, Link, Node};
use radio::{mobility, placement};
use serde_json::{Value, json};
use settings::{Schemas, Setting, Settings, page};
use std::collections::BTreeMap;

type Gateway = gateway::Config<tcp::Table>;

const REFERENCE: &str = "docs/reference/scenario.md";
const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");

/// Returns the JSON Schema of the scenario file.
pub(super) fn schema() -> Value {
    let mut schemas = Schemas::default();
    let file = File::schema(&mut schemas);
    schemas.document("ackclock scenario", file)
}

/// Returns the generated tables of the reference page, each with the name of its marker on the page.
fn pages() -> Vec<(&'static str, String)> {
    vec![
        ("file", page::settings::<File>()),
        ("node", page::settings::<Node>()),
        ("gateway", page::kinds::<Gateway>()),
        ("placement", page::kinds::<placement::Config>()),
        ("mobility", page::kinds::<mobility::Config>()),
        ("link", page::settings::<Link>()),
        ("queue", page::kinds::<net::queue::Config>()),
        ("loss", page::kinds::<Loss>()),
        ("jitter", page::kinds::<Jitter>()),
        ("reorder", page::settings::<Reorder>()),
        ("duplicate", page::settings::<Duplicate>()),
        ("lte", page::settings::<Lte>()),
        ("lte-enb", page::settings::<Enb>()),
        ("lte-fading", page::kinds::<lte::fading::Config>()),
        ("lte-rlc", page::settings::<lte::rlc::Config>()),
        ("lte-uplink", page::settings::<lte::config::Uplink>()),
        ("lte-backhaul", page::settings::<lte::config::Backhaul>()),
        ("lte-handover", page::kinds::<lte::config::Handover>()),
        ("wifi", page::settings::<Wifi>()),
        ("wifi-edca", page::settings::<wifi::edca::Access>()),
        ("wifi-aggregation", page::settings::<wifi::config::Aggregation>()),
        ("wifi-words", words()),
        ("propagation", page::kinds::<radio::propagation::PathLoss>()),
        ("fading", page::kinds::<radio::propagation::Fading>()),
        ("reception", page::kinds::<wifi::config::Reception>()),
        ("flow", page::settings::<Flow>()),
        ("traffic", page::kinds::<traffic::Config>()),
        ("routing", page::kinds::<routing::Given>()),
        ("tcp", tcp_parameters()),
        ("quic", page::settings::<quic::Table>()),
        ("quic-variants", page::choices::<quic::Control>("`variant`")),
        ("stack", page::settings::<stack::Table>()),
        ("kernel", page::settings::<uml::Table>()),
        ("kernel-controls", page::choices::<uml::Control>("`control`")),
        ("rate-control", page::kinds::<wifi::rate::RateControl>()),
        ("former", former_table()),
    ]
}

/// Returns the table of TCP parameters with their value in each profile.
fn tcp_parameters() -> String {
    let columns: Vec<_> =
        tcp::profiles().iter().map(|profile| (profile.name, profile.values().write())).collect();
    page::with_columns::<tcp::Config>(&columns)
}

/// Returns the text of the reference page with its generated tables up to date.
fn reference() -> String {
    let page = std::fs::read_to_string(format!("{PROJECT}{REFERENCE}")).unwrap();
    pages().iter().fold(page, |page, (name, table)| page::put(&page, name, table).unwrap())
}

/// Returns (former name, name) of every renamed setting in a table of `schema` and in the tables within.
fn former(schema: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(was) = property[settings::table::WAS].as_str() {
            found.push(json!({ "was": was, "name": name }));
        }
    }
    let within = schema.as_object().into_iter().flatten().map(|(_, value)| value);
    for value in within.chain(schema.as_array().into_iter().flatten()) {
        found.extend(former(value));
    }
    found.sort_by_key(|one| one["was"].to_string());
    found.dedup();
    found
}

/// Returns the table of former names for the reference page.
fn former_table() -> String {
    let row = |one: &Value| {
        format!("| `{}` | `{}` |\n", one["was"].as_str().unwrap(), one["name"].as_str().unwrap())
    };
    let rows: String = former(&schema()).iter().map(row).collect();
    format!("| former name | name |\n|---|---|\n{rows}")
}

/// Returns the list of the profiles of TCP.
fn profiles() -> Value {
    let one = |p: &tcp::Profile| {
        let values = p.values();
        let each = tcp::Config::fields(&mut Schemas::default()).into_iter();
        let parameters = each.map(
            |field| json!({ "name": field.name, "value": values.get(field.name), "summary": field.about }),
        );
        let variants = p.variants.iter().map(|(name, own)| (name.as_str(), own.write()));
        json!({
            "name": p.name, "summary": p.summary, "source": p.source,
            "parameters": parameters.collect::<Vec<_>>(), "variants": variants.collect::<BTreeMap<_, _>>(),
        })
    };
    tcp::profiles().iter().map(one).collect()
}

/// Returns each generated file with its text.
fn files() -> [(&'static str, String); 6] {
    let lists = json!({
        "queues": settings::table::listed::<net::queue::Config>(),
        "losses": settings::table::listed::<Loss>(),
        "gateways": settings::table::listed::<Gateway>(),
        "quic-variants": settings::table::listed_words::<quic::Control>(),
        "traffic": settings::table::listed::<traffic::Config>(),
        "placements": settings::table::listed::<placement::Config>(),
        "mobility": settings::table::listed::<mobility::Config>(),
        "propagation": settings::table::listed::<radio::propagation::PathLoss>(),
        "fading": settings::table::listed::<radio::propagation::Fading>(),
        "wifi-standards": settings::table::listed_words::<wifi::timing::Standard>(),
        "wifi-profiles": settings::table::listed_words::<wifi::Profile>(),
        "rate-controls": settings::table::listed::<wifi::rate::RateControl>(),
        "routing": settings::table::listed::<routing::Given>(),
        "lte-bandwidths": settings::table::listed_words::<lte::bandwidth::Bandwidth>(),
        "lte-schedulers": settings::table::listed_words::<lte::scheduler::Name>(),
    });
    [
        ("python/ackclock/scenario.schema.json", format!("{:#}\n", schema())),
        ("crates/sim/src/scenario/lists.json", format!("{lists}\n")),
        ("crates/sim/src/scenario/profiles.json", format!("{}\n", profiles())),
        ("crates/sim/src/scenario/former.json", format!("{}\n", json!(former(&schema())))),
        ("python/ackclock/types.py", settings::stubs::python(&schema(), "File")),
        (REFERENCE, reference()),
    ]
}

/// Returns the page's tables of 802.11 choices: for each setting its values with their meanings.
fn words() -> String {
    use wifi::config::{
        Association, Countdown, Draw, DurationField, Eifs, IdleAccess, Protection, Timeout, TxopProtection,
    };
    let tables = [
        page::choices::<wifi::Profile>("`profile`"),
        page::choices::<wifi::timing::Rounding>("`rounding`"),
        page::choices::<TxopProtection>("`txop_protection`"),
        page::choices::<Draw>("`draw`"),
        page::choices::<Countdown>("`countdown`"),
        page::choices::<Eifs>("`eifs`"),
        page::choices::<Timeout>("`timeout`"),
        page::choices::<IdleAccess>("`idle_access`"),
        page::choices::<DurationField>("`duration_field`"),
        page::choices::<Protection>("`protection`"),
        page::choices::<Association>("`association`"),
    ];
    tables.join("\n")
}

#[test]
fn files_are_of_these_tables() {
    for (name, content) in files() {
        let written = std::fs::read_to_string(format!("{PROJECT}{name}")).unwrap_or_default();
        assert!(written == content, "{name} is not what the tables say: make pages");
    }
}

#[test]
#[ignore = "writes the schema and the lists"]
fn renew_the_page() {
    for (name, content) in files() {
        std::fs::write(format!("{PROJECT}{name}"), content).unwrap();
    }
}
