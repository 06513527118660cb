//! Serialization into Python objects: what `json.loads` makes of the JSON of a value, without its text.

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde::ser::{Error, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use std::cell::RefCell;
use std::fmt::{self, Display};

/// Returns `value` as Python objects: dictionaries with text as keys, lists, text, numbers, booleans and None. Numbers
/// that JSON does not have are None.
pub(crate) fn objects<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let keys = RefCell::new(Keys { known: Vec::new(), last: 0 });
    value.serialize(Objects { py, keys: &keys, is_key: false }).map_err(|Failed(error)| error)
}

/// Keys of dictionaries, which equal keys of all rows share.
struct Keys<'py> {
    known: Vec<Key<'py>>,
    /// Number of the key that was asked for last.
    last: usize,
}

struct Key<'py> {
    text: String,
    object: Bound<'py, PyAny>,
    /// Number of the key that followed this one last time: rows repeat their keys in the same order.
    next: usize,
}

impl<'py> Keys<'py> {
    fn get(&mut self, py: Python<'py>, text: &str) -> Bound<'py, PyAny> {
        let Self { known, last } = self;
        let guess = known.get(*last).map_or(0, |key| key.next);
        let is = |number: usize| known.get(number).is_some_and(|key| key.text == text);
        let number = if is(guess) { Some(guess) } else { known.iter().position(|key| key.text == text) };
        let number = number.unwrap_or_else(|| {
            let object = PyString::new(py, text).into_any();
            known.push(Key { text: text.to_owned(), object, next: 0 });
            known.len() - 1
        });
        known[*last].next = number;
        *last = number;
        known[number].object.clone()
    }
}

/// Serializer that makes Python objects.
#[derive(Clone, Copy)]
struct Objects<'a, 'py> {
    py: Python<'py>,
    keys: &'a RefCell<Keys<'py>>,
    /// True if the value is the key of a dictionary.
    is_key: bool,
}

/// Exception that Python raised, or a type that no value of ours has.
#[derive(Debug)]
struct Failed(PyErr);

impl Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Failed {}

impl Error for Failed {
    fn custom<T: Display>(message: T) -> Self {
        Self(PyTypeError::new_err(message.to_string()))
    }
}

impl From<PyErr> for Failed {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

type Made<'py> = Result<Bound<'py, PyAny>, Failed>;

/// Implements methods for types that Python has.
macro_rules! plain {
    ($($method:ident: $type:ty;)+) => {
        $(fn $method(self, value: $type) -> Made<'py> {
            Ok(value.into_bound_py_any(self.py)?)
        })+
    };
}

impl<'a, 'py> Serializer for Objects<'a, 'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;
    type SerializeSeq = List<'a, 'py>;
    type SerializeTuple = Impossible<Self::Ok, Failed>;
    type SerializeTupleStruct = Impossible<Self::Ok, Failed>;
    type SerializeTupleVariant = Impossible<Self::Ok, Failed>;
    type SerializeMap = Dict<'a, 'py>;
    type SerializeStruct = Dict<'a, 'py>;
    type SerializeStructVariant = Impossible<Self::Ok, Failed>;

    plain! {
        serialize_bool: bool;
        serialize_i8: i8;
        serialize_i16: i16;
        serialize_i32: i32;
        serialize_i64: i64;
        serialize_u8: u8;
        serialize_u16: u16;
        serialize_u32: u32;
        serialize_u64: u64;
        serialize_char: char;
    }

    fn serialize_f32(self, value: f32) -> Made<'py> {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Made<'py> {
        if value.is_finite() { Ok(value.into_bound_py_any(self.py)?) } else { self.serialize_unit() }
    }

    fn serialize_str(self, text: &str) -> Made<'py> {
        if self.is_key {
            return Ok(self.keys.borrow_mut().get(self.py, text));
        }
        Ok(PyString::new(self.py, text).into_any())
    }

    fn serialize_bytes(self, _: &[u8]) -> Made<'py> {
        Err(unknown("bytes"))
    }

    fn serialize_none(self) -> Made<'py> {
        self.serialize_unit()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Made<'py> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Made<'py> {
        Ok(self.py.None().into_bound(self.py))
    }

    fn serialize_unit_struct(self, _: &'static str) -> Made<'py> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Made<'py> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Made<'py> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Made<'py> {
        Err(unknown(name))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<List<'a, 'py>, Failed> {
        Ok(List { of: self, items: Vec::with_capacity(length.unwrap_or(0)) })
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Failed> {
        Err(unknown("a tuple"))
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Failed> {
        Err(unknown(name))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Failed> {
        Err(unknown(name))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Dict<'a, 'py>, Failed> {
        Ok(Dict { of: self, made: PyDict::new(self.py), key: None })
    }

    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Dict<'a, 'py>, Failed> {
        self.serialize_map(Some(length))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Failed> {
        Err(unknown(name))
    }
}

fn unknown(kind: &str) -> Failed {
    Failed::custom(format!("results have no {kind}"))
}

/// List under construction.
struct List<'a, 'py> {
    of: Objects<'a, 'py>,
    items: Vec<Bound<'py, PyAny>>,
}

impl<'py> SerializeSeq for List<'_, 'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Failed> {
        self.items.push(value.serialize(self.of)?);
        Ok(())
    }

    fn end(self) -> Made<'py> {
        Ok(PyList::new(self.of.py, self.items)?.into_any())
    }
}

/// Dictionary under construction.
struct Dict<'a, 'py> {
    of: Objects<'a, 'py>,
    made: Bound<'py, PyDict>,
    /// Key of the next value.
    key: Option<Bound<'py, PyAny>>,
}

impl<'py> SerializeMap for Dict<'_, 'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Failed> {
        self.key = Some(key.serialize(Objects { is_key: true, ..self.of })?);
        Ok(())
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Failed> {
        let key = self.key.take().ok_or_else(|| unknown("value without a key"))?;
        Ok(self.made.set_item(key, value.serialize(self.of)?)?)
    }

    fn end(self) -> Made<'py> {
        Ok(self.made.into_any())
    }
}

impl<'py> SerializeStruct for Dict<'_, 'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<(), Failed> {
        self.serialize_entry(key, value)
    }

    fn end(self) -> Made<'py> {
        SerializeMap::end(self)
    }
}
