//! Registry entries of algorithms: names, sources and parameters.

/// A parameter that an algorithm takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// Its name in scenario files.
    pub name: &'static str,
    /// Its unit, empty if it has none.
    pub unit: &'static str,
    /// Its default value.
    pub default: f64,
    /// The least allowed.
    pub min: f64,
    /// The most allowed.
    pub max: f64,
    /// The words that it may be, if it is not a number: its value is then the index of one, from `min` 0 to `max`, the
    /// last. Empty for a number.
    pub choices: &'static [&'static str],
    /// Its effect, one line.
    pub summary: &'static str,
}

impl Parameter {
    /// Declares a number.
    pub(crate) const fn number(
        name: &'static str,
        unit: &'static str,
        default: f64,
        min: f64,
        max: f64,
        summary: &'static str,
    ) -> Self {
        Self { name, unit, default, min, max, choices: &[], summary }
    }

    /// Declares a choice among `choices`, by default the one at index `default`.
    pub(crate) const fn words(
        name: &'static str,
        choices: &'static [&'static str],
        default: u8,
        summary: &'static str,
    ) -> Self {
        let max = choices.len() as f64 - 1.0;
        Self { name, unit: "", default: default as f64, min: 0.0, max, choices, summary }
    }
}

/// The type of a parameter in an algorithm's `Config`: a number, or the meaning of a word.
pub(crate) trait Value: Copy {
    /// Returns the value of a number, or of the index of a word.
    fn of(number: f64) -> Self;
    /// Returns the number, or the index of the word.
    fn number(self) -> f64;
}

impl Value for f64 {
    fn of(number: f64) -> Self {
        number
    }
    fn number(self) -> f64 {
        self
    }
}

/// True for the second of two words.
impl Value for bool {
    fn of(number: f64) -> Self {
        number != 0.0
    }
    fn number(self) -> f64 {
        f64::from(u8::from(self))
    }
}

/// Declares the parameters of an algorithm: `Config` with a field for each, which has the parameter's name unless `as`
/// gives another; and `PARAMETERS`, their entries in lists.
macro_rules! parameters {
    ($(#[$about:meta])+ $($field:ident $(as $name:literal)?: $type:ty = $kind:ident($($argument:expr),+; $summary:literal)),+ $(,)?) => {
        pub(in $crate::congestion) const PARAMETERS: &[$crate::congestion::algorithm::Parameter] = &[$(
            $crate::congestion::algorithm::Parameter::$kind(
                $crate::congestion::algorithm::parameters!(@name $field $($name)?), $($argument),+, $summary,
            )
        ),+];

        $(#[$about])+
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct Config {
            $(#[doc = $summary] pub $field: $type,)+
        }

        impl Config {
            /// Creates it from values by parameter name.
            pub fn new(value: &dyn Fn(&str) -> f64) -> Self {
                use $crate::congestion::algorithm::Value;
                Self { $($field: Value::of(value($crate::congestion::algorithm::parameters!(@name $field $($name)?))),)+ }
            }

            /// Returns its values, in the order of [`ALGORITHM`]'s parameters.
            pub fn values(&self) -> Vec<f64> {
                use $crate::congestion::algorithm::Value;
                vec![$(self.$field.number()),+]
            }
        }
    };
    (@name $field:ident $name:literal) => { $name };
    (@name $field:ident) => { stringify!($field) };
}
pub(crate) use parameters;

/// The registry entry of an algorithm, for lists, schemas and docs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Algorithm {
    /// Its name.
    pub name: &'static str,
    /// Its effect, one line.
    pub summary: &'static str,
    /// The RFC or paper it follows.
    pub source: &'static str,
    /// Names of users of ns-2, ns-3 and Linux; matched without regard to case.
    pub aliases: &'static [&'static str],
    /// True if ns-2's TCP-Linux has it too, or its paper ran it there: then there is a preset `tcp-linux-NAME`.
    pub linux: bool,
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

impl Algorithm {
    /// Returns the default of one of its parameters.
    ///
    /// # Panics
    /// If the algorithm has no such parameter: a bug of the algorithm.
    pub fn default_of(&self, parameter: &str) -> f64 {
        let found = self.parameters.iter().find(|p| p.name == parameter);
        found.unwrap_or_else(|| panic!("{} has no parameter {parameter}", self.name)).default
    }
}
