//! What an algorithm says of itself.

/// A parameter that an algorithm takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// Its name in scenario files.
    pub name: &'static str,
    /// Its unit, empty where it has none.
    pub unit: &'static str,
    /// Its value where none is given.
    pub default: f64,
    /// The least allowed.
    pub min: f64,
    /// The most allowed.
    pub max: f64,
    /// The words it chooses among, where it is not a number: its value is then the index of one, from `min` 0 to `max`, the
    /// last; empty for a number.
    pub choices: &'static [&'static str],
    /// What it does, one line.
    pub summary: &'static str,
}

impl Parameter {
    /// Which of two forms of an algorithm it is: as published, the default, or as in TCP-Linux.
    pub(crate) const fn form(choices: &'static [&'static str], summary: &'static str) -> Self {
        Self { name: "form", unit: "", default: 0.0, min: 0.0, max: 1.0, choices, summary }
    }
}

/// What an algorithm says of itself to lists, schemas and docs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Algorithm {
    /// The one spelling.
    pub name: &'static str,
    /// What it does, one line.
    pub summary: &'static str,
    /// The RFC or paper it follows.
    pub source: &'static str,
    /// What users of ns-2, ns-3 and Linux type; matched without regard to case.
    pub aliases: &'static [&'static str],
    /// Whether ns-2's TCP-Linux has it too, or its paper ran it there: then there is a preset `linux-NAME`.
    pub linux: bool,
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

impl Algorithm {
    /// The default of one of its parameters.
    ///
    /// # Panics
    /// Where the algorithm has no such parameter: a bug of the algorithm.
    pub fn default_of(&self, parameter: &str) -> f64 {
        let found = self.parameters.iter().find(|p| p.name == parameter);
        found.unwrap_or_else(|| panic!("{} has no parameter {parameter}", self.name)).default
    }
}
