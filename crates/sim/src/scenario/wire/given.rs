//! Settings laid over values that the document says elsewhere.

use settings::{Error, Field, Node, Schemas, Settings};
use std::marker::PhantomData;

/// Settings of `T` as they are given: what is not given holds from elsewhere, such as a profile.
#[derive(Clone, PartialEq, Debug)]
pub struct Given<T> {
    table: Node,
    of: PhantomData<T>,
}

impl<T: Settings> Given<T> {
    /// All settings of a value.
    pub fn of(value: &T) -> Self {
        let mut table = Node::table();
        value.write_fields(&mut table);
        Self { table, of: PhantomData }
    }

    /// What is given over `base`.
    pub fn over(&self, base: &T) -> Result<T, Error> {
        T::read_fields(&self.table, Some(base))
    }
}

impl<T: Settings> Settings for Given<T> {
    fn knows(key: &str) -> bool {
        T::knows(key)
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
        for name in settings::table::names::<T>() {
            if let Some(value) = self.table.get(name) {
                table.insert(name, value.clone());
            }
        }
    }
}
