//! Form of a setting that accepts one name or several.

use serde_json::json;
use settings::node::Data;
use settings::{Error, Form, Node, Schemas, Setting, schema};

/// Form of a name, or a list of names.
pub(super) struct Names;

impl Form<Vec<String>> for Names {
    fn expected() -> String {
        "a name, or a list of names".to_owned()
    }
    fn value() -> String {
        "text, or a list".to_owned()
    }
    fn read(node: &Node) -> Result<Vec<String>, Error> {
        let names: Vec<String> = match node.data {
            Data::List(_) => Vec::read(node)?,
            _ => vec![String::read(node)?],
        };
        if names.is_empty() {
            return Err(Error::new("", "an empty list").allowed("at least one name"));
        }
        Ok(names)
    }
    fn write(names: &Vec<String>) -> Node {
        match names.as_slice() {
            [name] => name.write(),
            _ => names.write(),
        }
    }
    fn schema(schemas: &mut Schemas) -> schema::Json {
        let one = String::schema(schemas);
        json!({ "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }] })
    }
}
