//! Registry entries of congestion controls: names, sources and parameters.

/// A parameter of an algorithm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// Name in scenario files.
    pub name: &'static str,
    /// Unit; empty if the parameter has none.
    pub unit: &'static str,
    /// Default value.
    pub default: f64,
    /// Least allowed value.
    pub min: f64,
    /// Largest allowed value.
    pub max: f64,
    /// Allowed words; empty if the parameter is a number. The value of a word is its index, so `min` is 0 and
    /// `max` the last index.
    pub choices: &'static [&'static str],
    /// Description in one line.
    pub summary: &'static str,
}

impl Parameter {
    /// Declares a parameter that is a number.
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

    /// Declares a parameter that is one of the words `choices`; `default` is the index of the default.
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

/// Type of a parameter's field in an algorithm's `Config`: a number, or a type that stands for words.
pub(crate) trait Value: Copy {
    /// Converts a number, or the index of a word.
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

/// A `bool` is a parameter with two words, of which the second means true.
impl Value for bool {
    fn of(number: f64) -> Self {
        number != 0.0
    }
    fn number(self) -> f64 {
        f64::from(u8::from(self))
    }
}

/// Value of the parameter `form` of algorithms whose implementations differ: the origin of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Its RFC, draft or paper.
    Published,
    /// ns-2's TCP-Linux: Linux 2.6.
    TcpLinux,
    /// Linux 6.12.
    Linux,
}

/// A form is given as a number, the index of its word.
impl Value for Form {
    fn of(number: f64) -> Self {
        match number as u64 {
            0 => Self::Published,
            1 => Self::TcpLinux,
            _ => Self::Linux,
        }
    }
    fn number(self) -> f64 {
        match self {
            Self::Published => 0.0,
            Self::TcpLinux => 1.0,
            Self::Linux => 2.0,
        }
    }
}

/// Declares the parameters of an algorithm. Generates `Config`, with a field for each, and `PARAMETERS` with
/// their registry entries. A parameter has the name of its field unless `as` gives another.
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
            /// Creates the parameters; `value` returns a parameter's value by its name.
            pub fn new(value: &dyn Fn(&str) -> f64) -> Self {
                use $crate::congestion::algorithm::Value;
                Self { $($field: Value::of(value($crate::congestion::algorithm::parameters!(@name $field $($name)?))),)+ }
            }

            /// Returns the values in the order of [`ALGORITHM`]'s parameters.
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

/// Registry entry of an algorithm, for lists, schemas and docs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Algorithm {
    /// Name in scenario files and variants.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// RFC or paper that the algorithm follows.
    pub source: &'static str,
    /// Names of the algorithm in ns-2, ns-3 and Linux; case is ignored.
    pub aliases: &'static [&'static str],
    /// True if ns-2's TCP-Linux has the algorithm, or its paper's authors ran it there; there is then a
    /// preset `tcp-linux-NAME`.
    pub linux: bool,
    /// Parameters of the algorithm.
    pub parameters: &'static [Parameter],
}

impl Algorithm {
    /// Returns the default value of `parameter`.
    ///
    /// # Panics
    /// If the algorithm has no such parameter, which is a bug.
    pub fn default_of(&self, parameter: &str) -> f64 {
        let found = self.parameters.iter().find(|p| p.name == parameter);
        found.unwrap_or_else(|| panic!("{} has no parameter {parameter}", self.name)).default
    }
}
