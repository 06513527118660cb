//! Congestion control: one file per algorithm, one line here to register it.

pub mod reno;
pub mod vegas;

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
    /// What it does, one line.
    pub summary: &'static str,
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
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

macro_rules! algorithms {
    ($($variant:ident => $module:ident),+ $(,)?) => {
        /// A congestion control and its parameters: what a scenario chooses and a connection builds.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Control {
            $(#[doc = concat!("See [`", stringify!($module), "`].")] $variant($module::Config)),+
        }

        impl Control {
            /// Every algorithm there is, in order of registration.
            pub const ALL: &'static [&'static Algorithm] = &[$(&$module::ALGORITHM),+];

            /// The algorithm called `name`, its parameters at their defaults but for `values` (name, value), which the
            /// caller has checked against [`Algorithm::parameters`]; `None` where there is no such algorithm.
            pub fn by_name(name: &str, values: &[(String, f64)]) -> Option<Self> {
                $(if name == $module::ALGORITHM.name {
                    return Some(Self::$variant($module::Config::new(&|parameter| {
                        let given = values.iter().rev().find(|(n, _)| n == parameter).map(|(_, v)| *v);
                        given.unwrap_or_else(|| $module::ALGORITHM.default_of(parameter))
                    })));
                })+
                None
            }

            /// What the algorithm says of itself.
            pub fn algorithm(&self) -> &'static Algorithm {
                match self { $(Self::$variant(_) => &$module::ALGORITHM),+ }
            }
        }
    };
}

// The only registration: one line per algorithm.
algorithms! {
    Reno => reno,
    Vegas => vegas,
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
