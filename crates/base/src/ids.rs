//! Ids of nodes, links, crossings and flows, each a type of its own.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the id as an index into a table of all nodes, links, crossings or flows.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

id!(
    /// A host or router, numbered in order of first appearance in the scenario.
    NodeId,
    "node "
);
id!(
    /// One direction of a link. Link `i` of the scenario has the directions `2 i` (as written) and `2 i + 1`
    /// (reverse).
    LinkId,
    "link direction "
);
id!(
    /// Crossing: the path through a radio network from one of its stations to another; on a route it takes the
    /// place of a link.
    CrossingId,
    "crossing "
);
id!(
    /// A flow, numbered in order of appearance in the scenario.
    FlowId,
    "flow "
);
