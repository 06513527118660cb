//! Settings that replace some of the settings of a base.

use crate::error::Error;
use crate::node::Node;
use crate::schema::Schemas;
use crate::table::{self, Field, Settings};
use std::marker::PhantomData;

/// Some settings of `T`; the others are taken from a base, such as a profile.
#[derive(PartialEq, Debug)]
pub struct Overlay<T> {
    table: Node,
    of: PhantomData<T>,
}

impl<T> Clone for Overlay<T> {
    fn clone(&self) -> Self {
        Self { table: self.table.clone(), of: PhantomData }
    }
}

impl<T> Default for Overlay<T> {
    /// Creates an overlay without settings.
    fn default() -> Self {
        Self { table: Node::table(), of: PhantomData }
    }
}

impl<T: Settings> Overlay<T> {
    /// Creates an overlay with all settings of `value`.
    pub fn of(value: &T) -> Self {
        let mut table = Node::table();
        value.write_fields(&mut table);
        Self { table, of: PhantomData }
    }

    /// Removes the settings `keys`. Each is a key, or the key of a table and a key within the table:
    /// `queue.packets`.
    #[must_use]
    pub fn without(mut self, keys: &[&str]) -> Self {
        for key in keys {
            match key.split_once('.') {
                None => self.table.remove(key),
                Some((table, key)) => self.table.get_mut(table).and_then(|table| table.remove(key)),
            };
        }
        self
    }

    /// Returns true if the overlay has the setting `key`.
    pub fn gives(&self, key: &str) -> bool {
        self.table.get(key).is_some()
    }

    /// Returns `base` with the overlay's settings in place of its own.
    ///
    /// # Errors
    /// If a value is not allowed.
    pub fn over(&self, base: &T) -> Result<T, Error> {
        T::read_fields(&self.table, Some(base))
    }
}

impl<T: Settings> Settings for Overlay<T> {
    fn any_key(test: &mut dyn FnMut(&'static str) -> bool) -> bool {
        T::any_key(test)
    }
    fn fields(schemas: &mut Schemas) -> Vec<Field> {
        T::fields(schemas)
    }
    fn read_fields(table: &Node, base: Option<&Self>) -> Result<Self, Error> {
        let base = base.map(|base| T::read_fields(&base.table, None)).transpose()?;
        T::read_fields(table, base.as_ref())?;
        Ok(Self { table: table.clone(), of: PhantomData })
    }
    fn write_fields(&self, table: &mut Node) {
        for name in table::names::<T>() {
            if let Some(value) = self.table.get(name) {
                table.insert(name, value.clone());
            }
        }
    }
}
