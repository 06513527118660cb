//! Settings that are declared once, in the crate that uses them.
//!
//! A struct with `#[derive(Settings)]` declares the keys of a table in a document. A field's name is the key,
//! its doc comment the description, and its attribute gives default and bounds. The derive generates
//! `Default`, reading with errors that name the path and the allowed values, writing, JSON Schema, lists, and
//! the tables of reference pages. `#[derive(Choice)]` declares the words that a setting can have, and
//! `#[derive(Kinds)]` a table whose key `kind` selects its other keys.
//!
//! ```
//! use base::Duration;
//! use settings::{Node, Setting, Settings};
//!
//! /// A queue that drops what has waited too long.
//! #[derive(Clone, PartialEq, Debug, Settings)]
//! struct Patience {
//!     /// How long a packet may wait.
//!     #[setting(default = Duration::from_ms(5), range = Duration::from_us(1)..=Duration::from_secs(1))]
//!     target: Duration,
//!     /// Mark packets of flows that use ECN instead of dropping them.
//!     #[setting(default = true)]
//!     ecn: bool,
//! }
//!
//! let given = Node::from_toml("target = \"2ms\"").unwrap();
//! let read = Patience::read(&given).unwrap();
//! assert_eq!(read, Patience { target: Duration::from_ms(2), ..Patience::default() });
//! assert_eq!(read.write().to_json(), r#"{"target":"2ms","ecn":true}"#);
//!
//! let wrong = Patience::read(&Node::from_toml("tarket = \"2ms\"").unwrap()).unwrap_err();
//! assert_eq!(wrong.nearest.as_deref(), Some("target"));
//! ```
//!
//! - `node`: a document as written, with line numbers; `error`: errors of documents
//! - `setting`: the value of one key; `quantity`: times, rates and sizes; `share`: numbers from 0 to 1;
//!   `time_or_never`: a time, or the word "never"
//! - `table`: tables, kinds and words, which the derives use; `shared`: kinds with settings in common
//! - `overlay`: settings that replace those of a base, such as a profile
//! - `schema`, `stubs`, `page`: JSON Schema for editors, types for Python, tables of reference pages

#![warn(unreachable_pub)]

// Lets the derives use the crate's name `settings` within the crate itself.
extern crate self as settings;

pub mod error;
pub mod json;
pub mod node;
pub mod overlay;
pub mod page;
mod quantity;
pub mod schema;
pub mod setting;
mod share;
mod shared;
pub mod stubs;
pub mod table;
mod time_or_never;

pub use error::{Error, nearest};
pub use node::{Data, Node, invisible};
pub use overlay::Overlay;
pub use quantity::Size;
pub use schema::Schemas;
pub use setting::{Form, OneOrMore, Own, Setting};
pub use settings_derive::{Choice, Kinds, Settings};
pub use share::{Fraction, Probability};
pub use shared::Shared;
pub use table::{Choice, Field, Kind, Kinds, Settings, Word};
pub use time_or_never::TimeOrNever;
