//! Forms of settings that are numbers from 0 to 1.

use crate::error::Error;
use crate::node::Node;
use crate::schema::Schemas;
use crate::setting::{Form, float, number, shown, unfit};
use serde_json::{Value, json};

/// Form of a probability: a bare number from 0 to 1.
pub struct Probability;

impl Form<f64> for Probability {
    fn expected() -> String {
        "a probability from 0 to 1, like 0.01".to_owned()
    }
    fn value() -> String {
        "probability".to_owned()
    }
    fn read(node: &Node) -> Result<f64, Error> {
        let expected = <Self as Form<f64>>::expected();
        let Some(value) = node.as_f64() else {
            let percent = node.as_text().and_then(|text| text.trim().strip_suffix('%'));
            return Err(match percent.and_then(|p| p.trim().parse::<f64>().ok()) {
                Some(p) => {
                    let fix = p / 100.0;
                    Error::new("", format!("a probability is a bare number, not a percentage: write {fix}"))
                        .allowed(expected)
                }
                None => unfit(node, expected),
            });
        };
        if (0.0..=1.0).contains(&value) {
            return Ok(value);
        }
        Err(Error::new("", format!("{} is not a probability", shown(value))).allowed(expected))
    }
    fn write(value: &f64) -> Node {
        float(*value)
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}

/// Form of a fraction: a number from 0 to 1; 0 and 1 are written without a decimal point.
pub struct Fraction;

impl Form<f64> for Fraction {
    fn expected() -> String {
        "a number from 0 to 1, like 0.5".to_owned()
    }
    fn value() -> String {
        "0 to 1".to_owned()
    }
    fn read(node: &Node) -> Result<f64, Error> {
        let expected = <Self as Form<f64>>::expected();
        match node.as_f64() {
            Some(value) if (0.0..=1.0).contains(&value) => Ok(value),
            Some(value) => Err(Error::new("", format!("{} is out of range", shown(value))).allowed(expected)),
            None => Err(unfit(node, expected)),
        }
    }
    fn write(value: &f64) -> Node {
        number(*value)
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}
