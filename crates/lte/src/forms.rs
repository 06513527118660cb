//! Form of LTE's settings that are durations in subframes: scenario files give them as times in whole
//! milliseconds.

use base::Duration;
use settings::schema::Json;
use settings::{Error, Form, Node, Schemas, Setting};

/// Form of a number of subframes of 1 ms, written as a time: `"5ms"`.
pub(crate) struct Subframes;

impl Form<u32> for Subframes {
    fn expected() -> String {
        Duration::expected()
    }
    fn value() -> String {
        "whole milliseconds".to_owned()
    }
    fn read(node: &Node) -> Result<u32, Error> {
        let (time, subframe) = (Duration::read(node)?.ps(), Duration::from_ms(1).ps());
        let whole = time.is_multiple_of(subframe).then_some(time / subframe);
        whole.and_then(|n| u32::try_from(n).ok()).ok_or_else(|| {
            Error::new("", "a subframe takes 1 ms: whole milliseconds").allowed("like \"5ms\"")
        })
    }
    fn write(value: &u32) -> Node {
        Duration::from_ms((*value).into()).write()
    }
    fn schema(schemas: &mut Schemas) -> Json {
        Duration::schema(schemas)
    }
}
