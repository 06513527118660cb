//! What there is to choose from, as JSON: one list for each kind of thing.

use super::error::ScenarioError;
use super::presets::{VARIANTS, profiles};
use super::wire::parts::{Loss, Queue, Traffic};
use super::wire::tcp::Tcp;
use metrics::Trace;
use metrics::glossary::TERMS;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};
use tcp::congestion::Control;
use tcp::recovery::Recovery;

/// Makes a list.
type List = fn() -> Value;

/// The lists there are.
const LISTS: [(&str, List); 9] = [
    ("variants", variants),
    ("recoveries", recoveries),
    ("controls", controls),
    ("profiles", profile_list),
    ("queues", kinds::<Queue>),
    ("losses", kinds::<Loss>),
    ("traffic", kinds::<Traffic>),
    ("traces", traces),
    ("metrics", metric_list),
];

/// The list called `what` as JSON: objects with `name`, `summary`, and what more there is to say.
///
/// # Errors
/// Where there is no such list.
pub fn catalogue(what: &str) -> Result<String, ScenarioError> {
    let list = LISTS.iter().find(|(name, _)| *name == what);
    let (_, make) = list.ok_or_else(|| {
        ScenarioError::new("", format!("there is no list of `{what}`"))
            .names(what, LISTS.iter().map(|(name, _)| *name))
    })?;
    Ok(make().to_string())
}

fn variants() -> Value {
    let one = |v: &super::Variant| {
        json!({
            "name": v.name, "summary": v.summary, "source": v.source, "aliases": v.aliases,
            "recovery": v.recovery.name(), "control": v.control,
        })
    };
    VARIANTS.iter().map(one).collect()
}

fn recoveries() -> Value {
    let all = Recovery::ALL.iter();
    all.map(|(_, name, summary, source)| json!({ "name": name, "summary": summary, "source": source }))
        .collect()
}

fn controls() -> Value {
    let parameter = |p: &tcp::congestion::Parameter| {
        json!({
            "name": p.name, "summary": p.summary, "unit": p.unit, "default": p.default, "minimum": p.min,
            "maximum": p.max,
        })
    };
    let one = |a: &&tcp::congestion::Algorithm| {
        let parameters: Vec<_> = a.parameters.iter().map(parameter).collect();
        json!({ "name": a.name, "summary": a.summary, "source": a.source, "parameters": parameters })
    };
    Control::ALL.iter().map(one).collect()
}

fn profile_list() -> Value {
    let one = |p: &super::Profile| {
        let values = json!(p.tcp);
        let each = Tcp::PARAMETERS.iter();
        let parameters = each
            .map(|(name, about)| json!({ "name": name, "value": values[*name], "summary": about.trim() }));
        json!({
            "name": p.name, "summary": p.summary, "source": p.source,
            "parameters": parameters.collect::<Vec<_>>(), "variants": p.variants,
        })
    };
    profiles().iter().map(one).collect()
}

fn traces() -> Value {
    Trace::ALL.iter().map(|t| json!({ "name": t.name(), "summary": t.summary() })).collect()
}

fn metric_list() -> Value {
    let one = |t: &metrics::glossary::Term| {
        json!({
            "name": t.name, "summary": t.definition, "table": t.table, "unit": t.unit, "layer": t.layer,
            "interval": t.interval, "source": t.equals,
        })
    };
    TERMS.iter().filter(|t| ["flows", "links", "run"].contains(&t.table)).map(one).collect()
}

/// The kinds of a table, read from its schema: what editors are told is what lists say.
fn kinds<T: JsonSchema>() -> Value {
    let mut settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let schema = T::json_schema(&mut SchemaGenerator::new(settings)).to_value();
    let each = schema["oneOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    each.iter().map(kind).collect()
}

fn kind(schema: &Value) -> Value {
    let none = serde_json::Map::new();
    let required = |name: &String| schema["required"].as_array().is_some_and(|r| r.iter().any(|n| n == name));
    let keys = schema["properties"].as_object().unwrap_or(&none).iter().filter(|(name, _)| *name != "kind");
    let parameters = keys
        .map(|(name, s)| json!({ "name": name, "summary": s["description"], "required": required(name) }));
    json!({
        "name": schema["properties"]["kind"]["const"], "summary": schema["description"],
        "parameters": parameters.collect::<Vec<_>>(),
    })
}
