//! Settings of a flow over a user's stack: the table `stack`.

use crate::registry::{Custom, Stacks};
use settings::{Error, Settings};

/// Settings of a flow over a stack that was built into the program: packet format, loss recovery and congestion control
/// are those of the stack.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "stack", expecting = "a table: { variant = \"NAME\" }")]
pub struct Table {
    /// Name of the stack (ackclock list stacks). `tcp = { variant = "NAME" }` has the same meaning.
    #[setting(needed = "a stack of this program: variant = \"NAME\"")]
    pub variant: String,
    /// Stacks that `variant` can name.
    #[setting(skip, default = Stacks::default())]
    pub stacks: Stacks,
}

impl Table {
    /// Returns a table that names `custom`.
    pub fn of(custom: &Custom) -> Self {
        let mut stacks = Stacks::default();
        stacks.add(custom.clone());
        Self { variant: custom.about().name.to_owned(), stacks }
    }

    /// Returns the stack that the table names.
    ///
    /// # Errors
    /// If the program has no such stack; the error's path is relative to the table.
    pub fn resolve(&self) -> Result<Custom, Error> {
        let Self { variant, stacks } = self;
        stacks.get(variant).cloned().ok_or_else(|| {
            let message = format!("this program has no stack `{variant}`");
            let error = Error::new("variant", message).given(variant.clone());
            if stacks.names().next().is_none() {
                return error.allowed("none was built into it: docs/howto/own-stack.md shows how to add one");
            }
            error.names(variant, stacks.names())
        })
    }
}
