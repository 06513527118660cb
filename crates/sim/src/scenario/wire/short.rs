//! Forms of settings with short forms (queues and losses), for schemas and reference pages. `scenario::shorthand`
//! writes them out before a document is read.

use super::losses::Losses;
use net::queue::Config;
use serde_json::json;
use settings::{Error, Form, Node, Own, Probability, Schemas, schema};

/// Form of a queue: a table, or packets, bytes, bandwidth-delay products, a kind.
pub(super) struct ShortQueue;

impl Form<Config> for ShortQueue {
    fn expected() -> String {
        "packets (8), bytes (\"64KiB\"), products (\"2bdp\"), a kind (\"codel\"), or a table".to_owned()
    }
    fn value() -> String {
        "queue".to_owned()
    }
    fn read(node: &Node) -> Result<Config, Error> {
        <Own as Form<Config>>::read(node)
    }
    fn read_over(node: &Node, base: &Config) -> Result<Config, Error> {
        <Own as Form<Config>>::read_over(node, base)
    }
    fn write(value: &Config) -> Node {
        <Own as Form<Config>>::write(value)
    }
    fn schema(schemas: &mut Schemas) -> schema::Json {
        let table = <Own as Form<Config>>::schema(schemas);
        json!({ "anyOf": [{ "type": "integer", "minimum": 1 }, { "type": "string" }, table] })
    }
}

/// Form of losses: tables, or a probability.
pub(super) struct ShortLoss;

impl Form<Losses> for ShortLoss {
    fn expected() -> String {
        "a probability (0.001), a table, or a list of tables".to_owned()
    }
    fn value() -> String {
        "loss, or a list".to_owned()
    }
    fn read(node: &Node) -> Result<Losses, Error> {
        // A text is never a valid loss. Reading it as a probability gives the better error, which for "1%" says what to
        // write.
        if node.as_text().is_some() {
            <Probability as Form<f64>>::read(node)?;
        }
        <Own as Form<Losses>>::read(node)
    }
    fn write(value: &Losses) -> Node {
        <Own as Form<Losses>>::write(value)
    }
    fn schema(schemas: &mut Schemas) -> schema::Json {
        let tables = <Own as Form<Losses>>::schema(schemas);
        json!({ "anyOf": [{ "type": "number", "minimum": 0, "maximum": 1 }, tables] })
    }
}
