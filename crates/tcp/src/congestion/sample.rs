//! Declaration of the samples that a control receives: each field once, with unit and meaning.

use base::{Duration, Instant};
use std::fmt;

/// Description of a field of a sample, for lists and the reference page.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Field {
    /// Name, the same in Rust and in Python.
    pub name: &'static str,
    /// Unit; empty if there is none. Times are in seconds, as in Python.
    pub unit: &'static str,
    /// Description of the value.
    pub about: &'static str,
}

/// Conversion to text for messages: times in seconds, and Python's `None`, `True` and `False`.
pub(crate) trait Shown {
    /// Writes the value to `f`.
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl Shown for Instant {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.secs())
    }
}

impl Shown for Duration {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.secs())
    }
}

impl Shown for bool {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self { "True" } else { "False" })
    }
}

impl Shown for u64 {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Shown for f64 {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl<T: Shown> Shown for Option<T> {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            None => f.write_str("None"),
            Some(value) => value.show(f),
        }
    }
}

/// Declares a sample. Each field has its unit in brackets before its name; the unit is empty if there is
/// none.
macro_rules! sample {
    ($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $doc:literal])+ [$unit:literal] $field:ident: $type:ty,)+ }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $type,)+
        }

        impl $name {
            /// Descriptions of all fields.
            pub const FIELDS: &'static [$crate::congestion::Field] = &[$($crate::congestion::Field {
                name: stringify!($field),
                unit: $unit,
                about: concat!($($doc),+).trim_ascii_start(),
            }),+];
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($name), "("))?;
                let mut between = "";
                $(
                    f.write_str(between)?;
                    f.write_str(concat!(stringify!($field), "="))?;
                    $crate::congestion::sample::Shown::show(&self.$field, f)?;
                    between = ", ";
                )+
                let _ = between;
                f.write_str(")")
            }
        }
    };
}
pub(crate) use sample;
