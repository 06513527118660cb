//! Tables that are declared once. From the declaration of a row, `table!` generates the struct, the columns,
//! and their definitions in the [`glossary`](crate::glossary):
//!
//! ```text
//! table! {
//!     "crossings", RUN;
//!     /// The contents of the table, and so the struct's meaning.
//!     #[derive(Serialize)]
//!     pub struct Crossing with pub fn new(stats: &Stats) {
//!         /// what is counted, or the formula
//!         packets: u64 ["packets", "link"] = stats.packets;
//!         /// likewise
//!         delay_mean_s: Option<f64> ["s", "link, one way", over AT, as "one-way delay of RFC 7679"] = stats.mean();
//!     }
//! }
//! ```
//!
//! The type of a field determines its column ([`Cell`]). The brackets hold unit and layer of observation;
//! then, if given, the interval (`over`), the equivalent in a standard or another program (`as`), and the
//! name in the previous version (`was`). A field without brackets is either another struct, whose columns are
//! inserted, or a list that only the JSON has. If `with` is given, the struct gets a function `new` with
//! these arguments, which computes each field by the expression after `=`.
//!
//! `table!` is a declarative macro, which costs no separate compilation: the column follows from the field's
//! type by trait, so the macro need not parse types.

use crate::spill::{CHUNK, Spill};
use crate::subjects::Subjects;
use crate::table::{Column, NO_LABEL, Table};
use base::{DropCause, FlowId, Instant, LinkId, NodeId, Place};

/// Interval of a flow's rates.
pub(crate) const FLOW: &str = "flow: its start to its stop, or to the end of the run";
/// Interval of counts over the whole run.
pub(crate) const RUN: &str = "whole run";
/// Interval of a value taken at one instant.
pub(crate) const AT: &str = "instant";
/// Interval of counts in a bin of time.
pub(crate) const BIN: &str = "bin";

/// Definition of one metric or one column of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// Table of the metric or column: a result table, `run`, `runs`, or a trace.
    pub table: &'static str,
    /// Name of the metric or column within the table.
    pub name: &'static str,
    /// Unit; empty if there is none.
    pub unit: &'static str,
    /// Layer at which the value is observed.
    pub layer: &'static str,
    /// Interval over which the value is taken.
    pub interval: &'static str,
    /// Formula, or description of what is counted.
    pub definition: &'static str,
    /// Standard or program that defines the same quantity; empty if there is none.
    pub equals: &'static str,
    /// Name in the previous version; empty if unchanged.
    pub was: &'static str,
}

impl Term {
    /// Creates a definition without unit and layer. The text `definition` comes from a doc comment and so
    /// begins with a space.
    pub(crate) const fn new(
        table: &'static str,
        interval: &'static str,
        name: &'static str,
        definition: &'static str,
    ) -> Self {
        let definition = definition.trim_ascii_start();
        Self { table, name, unit: "", layer: "", interval, definition, equals: "", was: "" }
    }

    pub(crate) const fn of(self, unit: &'static str, layer: &'static str) -> Self {
        Self { unit, layer, ..self }
    }

    pub(crate) const fn over(self, interval: &'static str) -> Self {
        Self { interval, ..self }
    }

    pub(crate) const fn was(self, was: &'static str) -> Self {
        Self { was, ..self }
    }

    pub(crate) const fn equals(self, equals: &'static str) -> Self {
        Self { equals, ..self }
    }
}

/// Declaration of a table: its name, its content and the definitions of its columns.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// Name of the table.
    pub name: &'static str,
    /// Content of the table in one or more sentences, as the reference page shows it.
    pub holds: &'static str,
    /// Adds the terms in the order of columns.
    pub(crate) terms: fn(&mut Vec<Term>),
    /// Function that returns the table without rows. For metrics without a row type it has no columns either.
    pub(crate) empty: fn() -> Table,
}

impl Declared {
    /// Returns the terms in the order of columns.
    pub fn terms(&self) -> Vec<Term> {
        let mut terms = Vec::new();
        (self.terms)(&mut terms);
        terms
    }

    /// Returns the table without rows: its columns with their types.
    pub fn empty(&self) -> Table {
        (self.empty)()
    }
}

/// Row of a table.
pub trait Row: Cell {
    /// Declaration of the row's table.
    const TABLE: Declared;

    /// Returns a table with `rows`. They must not refer to nodes or links, whose names are not known here.
    fn table<'a>(rows: impl IntoIterator<Item = &'a Self>) -> Table
    where
        Self: 'a,
    {
        let mut table = Rows::<Self>::default();
        rows.into_iter().for_each(|row| table.push(row));
        table.into_table(&Subjects::default())
    }
}

/// Table under construction, stored by column.
pub(crate) struct Rows<R: Cell> {
    values: R::Values,
    /// Rows in memory that [`Rows::push_bounded`] has added since rows were last moved to disk.
    count: usize,
    spill: Option<Spill>,
}

impl<R: Cell> Clone for Rows<R> {
    fn clone(&self) -> Self {
        Self { values: self.values.clone(), count: self.count, spill: self.spill.clone() }
    }
}

impl<R: Cell> Default for Rows<R> {
    fn default() -> Self {
        Self { values: R::Values::default(), count: 0, spill: None }
    }
}

impl<R: Cell> Rows<R> {
    pub(crate) fn push(&mut self, row: &R) {
        row.store(&mut self.values);
    }

    /// Appends a row to a table that may outgrow memory: when a chunk is full, it is moved to disk.
    #[inline]
    pub(crate) fn push_bounded(&mut self, subjects: &Subjects, row: &R) {
        row.store(&mut self.values);
        self.count += 1;
        if self.count == CHUNK {
            self.spill(subjects);
        }
    }

    #[cold]
    fn spill(&mut self, subjects: &Subjects) {
        self.count = 0;
        let mut chunk = Table::new();
        R::columns(std::mem::take(&mut self.values), "", subjects, &mut chunk);
        self.spill.get_or_insert_default().add(chunk.into_columns());
    }

    pub(crate) fn into_table(self, subjects: &Subjects) -> Table {
        // A table that may go to disk is marked as such even if its first chunk is not full.
        let spill = if self.count > 0 { Some(self.spill.unwrap_or_default()) } else { self.spill };
        let mut table = Table::new();
        R::columns(self.values, "", subjects, &mut table);
        table.after(spill)
    }
}

/// Value of a field of a row.
pub trait Cell: Sized {
    /// Storage for the values of many rows.
    type Values: Default + Clone + Send;

    /// Appends this value to `values`.
    fn store(&self, values: &mut Self::Values);

    /// Adds the column or columns of `values` to `table`, under `name`.
    fn columns(values: Self::Values, name: &'static str, subjects: &Subjects, table: &mut Table);

    /// Adds to `terms` the definitions of the columns in which the value is stored: by default one, `own`, which has
    /// the name and the text of the row's field.
    fn terms(own: &Term, terms: &mut Vec<Term>) {
        terms.push(*own);
    }
}

/// Implements [`Cell`] for types that are stored as plain numbers or strings.
macro_rules! plain {
    ($($type:ty: Vec<$value:ty> => $column:ident, |$cell:ident| $to:expr;)+) => {$(
        impl Cell for $type {
            type Values = Vec<$value>;

            #[inline]
            fn store(&self, values: &mut Vec<$value>) {
                let $cell = self;
                values.push($to);
            }

            fn columns(values: Vec<$value>, name: &'static str, _: &Subjects, table: &mut Table) {
                table.push(name, Column::$column(values));
            }
        }
    )+};
}

plain! {
    Instant: Vec<u64> => Time, |cell| cell.ps();
    f64: Vec<f64> => Float, |cell| *cell;
    Option<f64>: Vec<Option<f64>> => OptionalFloat, |cell| *cell;
    Option<u64>: Vec<Option<f64>> => OptionalFloat, |cell| cell.map(|count| count as f64);
    i64: Vec<i64> => Int, |cell| *cell;
    u64: Vec<i64> => Int, |cell| i64::try_from(*cell).unwrap_or(i64::MAX);
    u32: Vec<i32> => Int32, |cell| *cell as i32;
    FlowId: Vec<i32> => Int32, |cell| cell.0 as i32;
    Option<u32>: Vec<Option<i32>> => OptionalInt32, |cell| cell.map(|count| count as i32);
    Option<FlowId>: Vec<Option<i32>> => OptionalInt32, |cell| cell.map(|flow| flow.0 as i32);
    String: Vec<String> => Text, |cell| cell.clone();
}

/// Number of a radio network, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkId(pub u32);

/// Implements [`Cell`] for types that are stored as indices and shown as names.
macro_rules! named {
    ($($type:ty: Vec<$value:ty>, |$cell:ident| $to:expr, |$code:ident, $subjects:ident| $number:expr, $names:expr;)+) => {$(
        impl Cell for $type {
            type Values = Vec<$value>;

            #[inline]
            fn store(&self, values: &mut Vec<$value>) {
                let $cell = self;
                values.push($to);
            }

            fn columns(values: Vec<$value>, name: &'static str, $subjects: &Subjects, table: &mut Table) {
                let codes = values.into_iter().map(|$code| $number).collect();
                table.push(name, Column::Label { names: $names, codes });
            }
        }
    )+};
}

named! {
    NodeId: Vec<u32>, |cell| cell.0, |code, subjects| code, subjects.nodes.clone();
    Option<NodeId>: Vec<u32>, |cell| cell.map_or(NO_LABEL, |node| node.0), |code, subjects| code, subjects.nodes.clone();
    LinkId: Vec<u32>, |cell| cell.0, |code, subjects| code, subjects.link_names();
    NetworkId: Vec<u32>, |cell| cell.0, |code, subjects| code, subjects.networks.clone();
    Place: Vec<Place>, |cell| *cell, |place, subjects| subjects.place_code(place), subjects.place_names();
    Option<DropCause>: Vec<u32>, |cell| cell.map_or(NO_LABEL, |cause| cause as u32), |code, _subjects| code,
        DropCause::ALL.map(|cause| cause.name().to_owned()).to_vec();
}

/// Dictionary-encoded strings: each distinct string once, and for each row an index into them.
#[derive(Clone, Default)]
pub struct Words {
    names: Vec<&'static str>,
    codes: Vec<u32>,
}

impl Cell for &'static str {
    type Values = Words;

    #[inline]
    fn store(&self, words: &mut Words) {
        let known = words.names.iter().position(|name| name == self);
        let code = known.unwrap_or_else(|| {
            words.names.push(self);
            words.names.len() - 1
        });
        words.codes.push(code as u32);
    }

    fn columns(words: Words, name: &'static str, _: &Subjects, table: &mut Table) {
        let names = words.names.into_iter().map(str::to_owned).collect();
        table.push(name, Column::Label { names, codes: words.codes });
    }
}

/// A list within a row gives no column; only the JSON has it.
impl<T> Cell for Vec<T> {
    type Values = ();

    fn store(&self, (): &mut ()) {}

    fn columns((): (), _: &'static str, _: &Subjects, _: &mut Table) {}

    fn terms(_: &Term, _: &mut Vec<Term>) {}
}

/// Declares a table; see the [module](self) for the syntax.
macro_rules! table {
    (
        $table:literal, $interval:expr;
        $(#[doc = $holds:literal])+
        $(#[derive $derives:tt])?
        $vis:vis struct $row:ident with $new:vis fn new $arguments:tt { $($fields:tt)+ }
    ) => {
        table! {
            $table, $interval;
            $(#[doc = $holds])+
            $(#[derive $derives])?
            $vis struct $row { $($fields)+ }
        }
        table! { @new $new $row $arguments { $($fields)+ } }
    };
    (
        $table:literal, $interval:expr;
        $(#[doc = $holds:literal])+
        $(#[derive $derives:tt])?
        $vis:vis struct $row:ident {
            $(
                $(#[doc = $definition:literal])+
                $(#[serde $serde:tt])?
                $field:ident: $type:ty $([$($about:tt)+])? $(= $value:expr)?;
            )+
        }
    ) => {
        $(#[doc = $holds])+
        $(#[derive $derives])?
        $vis struct $row {
            $($(#[doc = $definition])+ $(#[serde $serde])? $vis $field: $type,)+
        }

        impl $crate::row::Row for $row {
            const TABLE: $crate::row::Declared = $crate::row::Declared {
                name: $table,
                holds: concat!($($holds),+).trim_ascii_start(),
                terms: |terms| <$row as $crate::row::Cell>::terms(&$crate::row::Term::new($table, $interval, "", ""), terms),
                empty: || <$row as $crate::row::Row>::table([]),
            };
        }

        const _: () = {
            use $crate::row::{Cell, Term};

            #[derive(Clone, Default)]
            $vis struct Values {
                $($field: <$type as Cell>::Values,)+
            }

            impl Cell for $row {
                type Values = Values;

                #[inline]
                fn store(&self, values: &mut Values) {
                    $(self.$field.store(&mut values.$field);)+
                }

                fn columns(
                    values: Values,
                    _: &'static str,
                    subjects: &$crate::subjects::Subjects,
                    table: &mut $crate::table::Table,
                ) {
                    $(<$type as Cell>::columns(values.$field, stringify!($field), subjects, table);)+
                }

                fn terms(_: &Term, terms: &mut Vec<Term>) {
                    const FIELDS: &[(Term, fn(&Term, &mut Vec<Term>))] = &[$({
                        const TERM: Term =
                            Term::new($table, $interval, stringify!($field), concat!($($definition),+));
                        (table!(@term TERM $($($about)+)?), <$type as Cell>::terms)
                    }),+];
                    FIELDS.iter().for_each(|(own, of_field)| of_field(own, terms));
                }
            }
        };
    };
    (
        @new $new:vis $row:ident ($($argument:ident: $of:ty),+) {
            $($(#[$meta:meta])+ $field:ident: $type:ty $([$($about:tt)+])? = $value:expr;)+
        }
    ) => {
        impl $row {
            /// Creates the row from these arguments.
            $new fn new($($argument: $of),+) -> Self {
                Self { $($field: $value,)+ }
            }
        }
    };
    (@term $term:ident) => { $term };
    (@term $term:ident $unit:literal, $layer:expr $(, over $interval:expr)? $(, as $equals:expr)? $(, was $was:literal)?) => {
        $term.of($unit, $layer)$(.over($interval))?$(.equals($equals))?$(.was($was))?
    };
}

pub(crate) use table;
