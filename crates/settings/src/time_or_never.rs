//! A setting that is a time or the word "never".

use crate::schema::{Json, any};
use crate::{Error, Node, Schemas, Setting};
use base::Duration;
use settings_derive::Choice;

/// A time; `None` means never.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct TimeOrNever(pub Option<Duration>);

/// The word that stands for `None`.
#[derive(Clone, Copy, Choice)]
enum Word {
    /// never
    Never,
}

impl Setting for TimeOrNever {
    fn expected() -> String {
        "a time with its unit, like \"500ms\", or \"never\"".to_owned()
    }
    fn value() -> String {
        "time or `\"never\"`".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        match node.as_text() {
            Some("never") => Ok(Self(None)),
            _ => Duration::read(node).map(|time| Self(Some(time))),
        }
    }
    fn write(&self) -> Node {
        self.0.map_or_else(|| "never".into(), |time| time.write())
    }
    fn schema(schemas: &mut Schemas) -> Json {
        any([Word::schema(schemas), Duration::schema(schemas)])
    }
}
