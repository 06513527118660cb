//! Error of a document: path, given value, allowed values, and the nearest valid name.

use std::borrow::Cow;
use std::fmt;

/// Longest path or user's value that an error shows in full, characters.
const GIVEN_LIMIT: usize = 80;
/// Longest message that an error shows in full, characters; messages can contain the user's text.
const MESSAGE_LIMIT: usize = 240;
/// Longest line of allowed values, characters.
const WIDTH: usize = 100;

/// Largest number of allowed names that are printed in full.
const READABLE: usize = 60;
/// Number of names that are printed of a list longer than [`READABLE`].
const MOST_ALIKE: usize = 12;
/// Longest text that is compared with names, characters. The cost of a comparison grows with the product of
/// lengths, and valid names are shorter.
const COMPARED: usize = 64;

/// A problem in a document. `Display` shows it in a few lines, with the fix.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Error {
    /// Path of the setting, as in `--set`: `flow.0.tcp.variant`; empty for the document as a whole.
    pub path: String,
    /// The user's value in TOML notation; empty if there is none.
    pub given: String,
    /// The allowed values; empty if the message is enough.
    pub allowed: String,
    /// The valid name most similar to the given one.
    pub nearest: Option<String>,
    /// Line of the value in the file, from 1; `None` if the value does not come from text or was set
    /// afterwards.
    pub line: Option<usize>,
    /// Description of the problem in one line.
    pub message: String,
    /// Further problems of the document, in the order of its lines.
    pub more: Vec<Self>,
}

impl Error {
    /// Creates an error at `path`.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), ..Self::default() }
    }

    /// Sets the user's value, which is shown after `given:`. If it is not set, the error of a scenario shows
    /// the value that the document has at the path.
    #[must_use]
    pub fn given(mut self, given: impl Into<String>) -> Self {
        self.given = given.into();
        self
    }

    /// Sets the text that is shown after `allowed:`.
    #[must_use]
    pub fn allowed(mut self, allowed: impl Into<String>) -> Self {
        self.allowed = allowed.into();
        self
    }

    /// Sets `names` as the allowed values, and suggests the name most similar to `given`.
    #[must_use]
    pub fn names<'a>(mut self, given: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> Self {
        self.nearest = nearest(given, names.clone());
        self.allowed = names.into_iter().collect::<Vec<_>>().join(", ");
        self
    }

    /// Suggests the name `nearest`; no suggestion if `None`.
    #[must_use]
    pub fn near(mut self, nearest: Option<String>) -> Self {
        self.nearest = nearest;
        self
    }

    /// Puts `prefix` before the path.
    #[must_use]
    pub fn under(mut self, prefix: &str) -> Self {
        self.path = join(prefix, &self.path);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.more.is_empty() {
            writeln!(f, "{} mistakes", self.more.len() + 1)?;
        }
        self.alone(f)?;
        self.more.iter().try_for_each(|other| {
            f.write_str("\n")?;
            other.alone(f)
        })
    }
}

impl Error {
    /// Writes the error without those in `more`.
    fn alone(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = shorten(&self.message, MESSAGE_LIMIT);
        match (shorten(&self.path, GIVEN_LIMIT).as_str(), self.line) {
            // A syntax error has line and column in its message.
            ("", _) => f.write_str(&message)?,
            (path, Some(line)) => write!(f, "{path} (line {line}): {message}")?,
            (path, None) => write!(f, "{path}: {message}")?,
        }
        if !self.given.is_empty() {
            write!(f, "\n  given:   {}", shorten(&self.given, GIVEN_LIMIT))?;
        }
        // If there is a suggestion, a shortened list of allowed names would add nothing.
        let answered = self.nearest.is_some() && self.allowed.split(", ").count() > READABLE;
        if !self.allowed.is_empty() && !answered {
            write!(f, "\n  allowed: {}", wrap(&readable(&self.allowed, &self.path)))?;
        }
        if let Some(nearest) = &self.nearest {
            write!(f, "\n  did you mean `{nearest}`?")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// Joins two paths with a dot; either may be empty.
pub fn join(a: &str, b: &str) -> String {
    match (a, b) {
        ("", _) => b.to_owned(),
        (_, "") => a.to_owned(),
        _ => format!("{a}.{b}"),
    }
}

/// Returns the first line of `text`, shortened to `limit` characters.
fn shorten(text: &str, limit: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= limit && line.len() == text.trim_end().len() {
        return line.to_owned();
    }
    line.chars().take(limit).chain("...".chars()).collect()
}

/// Shortens a long list of names to those most similar to the last part of `path`, and adds the number of
/// names left out.
fn readable<'a>(allowed: &'a str, path: &str) -> Cow<'a, str> {
    let mut names: Vec<&str> = allowed.split(", ").collect();
    if names.len() <= READABLE {
        return Cow::Borrowed(allowed);
    }
    let like = path.rsplit('.').next().unwrap_or_default();
    names.sort_by_key(|name| distance(like, name));
    let more = names.split_off(MOST_ALIKE).len();
    Cow::Owned(format!("{} and {more} more", names.join(", ")))
}

/// Breaks `text` into lines of at most [`WIDTH`] characters; continuation lines are indented to follow
/// "allowed: ".
fn wrap(text: &str) -> String {
    let mut lines = String::new();
    let mut length = 0;
    for word in text.split(' ') {
        let more = word.chars().count() + 1;
        if length > 0 && length + more > WIDTH {
            lines.push_str("\n           ");
            length = 0;
        } else if length > 0 {
            lines.push(' ');
        }
        lines.push_str(word);
        length += more;
    }
    lines
}

/// Returns the candidate most similar to `given`. Returns `None` if their edit distance is more than 1 and
/// more than a third of the longer text. Case is ignored.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let length = given.chars().count();
    if length == 0 || length > COMPARED {
        return None;
    }
    let (distance, best) =
        candidates.into_iter().map(|c| (distance(given, c), c)).min_by_key(|(distance, _)| *distance)?;
    (distance < length && distance <= (length.max(best.len()) / 3).max(1)).then(|| best.to_owned())
}

/// Returns the Damerau-Levenshtein distance between `given` and `name`; case is ignored.
fn distance(given: &str, name: &str) -> usize {
    let given: String = given.chars().take(COMPARED).collect();
    strsim::damerau_levenshtein(&given.to_lowercase(), &name.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_of_names_is_cut_to_those_most_alike() {
        let names: Vec<String> = (0..READABLE).map(|i| format!("name_{i:02}")).collect();
        let said = |names: &[&str]| Error::new("a.nme_07", "?").names("nme_07", names.iter().copied());
        let all: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(said(&all).to_string().contains("name_00, name_01"));
        let longer = said(&[&all[..], &["another"]].concat());
        assert_eq!(longer.allowed.split(", ").count(), READABLE + 1);
        let text = longer.to_string();
        assert_eq!(text, "a.nme_07: ?\n  did you mean `name_07`?");
        let far = Error::new("a.speed", "?").names("speed", [&all[..], &["another"]].concat());
        assert!(far.to_string().ends_with(" and 49 more"), "{far}");
    }
}
