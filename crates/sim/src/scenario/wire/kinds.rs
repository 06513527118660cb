//! Tables that say their `kind`.

/// Declares a table that says its `kind`: the enum, and reading that keeps the whole path to an error.
macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$each:meta])* $kind:literal => $variant:ident($type:ty),)+ }) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Debug, serde::Serialize, schemars::JsonSchema)]
        #[serde(tag = "kind")]
        pub enum $name {
            $(
                $(#[$each])*
                #[serde(rename = $kind)]
                $variant($type),
            )+
        }

        impl $name {
            /// Every kind there is.
            pub const KINDS: &'static [&'static str] = &[$($kind),+];
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use $crate::scenario::decode::{by_kind, decode_inside, read_raw};
                read_raw(deserializer, |value| {
                    by_kind(value, $what, Self::KINDS, |kind, rest| match kind {
                        $($kind => Some(decode_inside(&rest).map(Self::$variant)),)+
                        _ => None,
                    })
                })
            }
        }
    };
}
pub(super) use kinds;
