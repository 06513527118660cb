//! Stacks by name.

use crate::contract::Stack;
use crate::limits;
use base::Rng;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Registry entry of a stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About {
    /// Name, which variants use.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// Package and version, or document, of the stack.
    pub source: &'static str,
    /// Bytes that a datagram has on the wire beside its own: 28 for UDP over IPv4, 0 if the stack writes IP packets.
    pub headers: u32,
    /// Most bytes of a datagram, without [`About::headers`].
    pub largest: u32,
}

impl About {
    /// Returns the size of a full packet on the wire, bytes.
    pub fn packet(&self) -> u32 {
        self.largest + self.headers
    }
}

/// Both ends of a connection.
pub struct Ends {
    pub(crate) client: Box<dyn Stack>,
    pub(crate) server: Box<dyn Stack>,
    pub(crate) unread: u64,
}

impl Ends {
    /// Joins two ends that speak the same protocol.
    pub fn new(client: impl Stack + 'static, server: impl Stack + 'static) -> Self {
        Self { client: Box::new(client), server: Box::new(server), unread: limits::UNREAD }
    }

    /// Sets the most bytes that the buffers of both ends hold together, in place of [`limits::UNREAD`].
    #[must_use]
    pub fn buffering(self, bytes: u64) -> Self {
        Self { unread: bytes, ..self }
    }
}

type Build = dyn Fn(Rng) -> Ends + Send + Sync;

/// A stack that can be registered: its entry, and the function that creates both ends of a connection.
#[derive(Clone)]
pub struct Custom {
    about: &'static About,
    build: Arc<Build>,
}

impl Custom {
    /// Creates an entry. For each connection `build` is called with the flow's random stream.
    pub fn new(about: &'static About, build: impl Fn(Rng) -> Ends + Send + Sync + 'static) -> Self {
        Self { about, build: Arc::new(build) }
    }

    /// Returns the registry entry.
    pub fn about(&self) -> &'static About {
        self.about
    }

    /// Creates both ends of a connection, which draw their random numbers from `rng`.
    pub fn ends(&self, rng: Rng) -> Ends {
        (self.build)(rng)
    }
}

/// Two stacks are equal if they share registry entry and function.
impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.about, other.about) && Arc::ptr_eq(&self.build, &other.build)
    }
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Custom").field(&self.about.name).finish()
    }
}

/// Users' stacks, by the names that variants use.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stacks(BTreeMap<&'static str, Custom>);

impl Stacks {
    /// Adds a stack under its name, in place of any other of that name.
    pub fn add(&mut self, custom: Custom) {
        self.0.insert(custom.about.name, custom);
    }

    /// Returns the stack called `name`, in any case; `None` if no such stack was added.
    pub fn get(&self, name: &str) -> Option<&Custom> {
        self.0.values().find(|custom| custom.about.name.eq_ignore_ascii_case(name))
    }

    /// Adds all stacks of `others`.
    pub fn extend(&mut self, others: &Self) {
        self.0.extend(others.0.iter().map(|(name, custom)| (*name, custom.clone())));
    }

    /// Returns the registry entries in the order of names.
    pub fn entries(&self) -> impl Iterator<Item = &'static About> {
        self.0.values().map(|custom| custom.about)
    }

    /// Returns the names of the stacks.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.0.keys().copied()
    }
}
