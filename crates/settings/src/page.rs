//! Tables of reference pages, generated from the declarations of settings.

use crate::node::Node;
use crate::schema::Schemas;
use crate::table::{Choice, Default, Field, Kind, Kinds, Settings, plain_text};

/// Returns the Markdown table of the settings of `T`: key, value, default, meaning.
pub fn settings<T: Settings>() -> String {
    let mut page = "| key | value | default | meaning |\n|---|---|---|---|\n".to_owned();
    for field in T::fields(&mut Schemas::default()) {
        page += &format!("| `{}` | {} |\n", field.name, row(&field));
    }
    page
}

/// Returns the Markdown table of the settings of `T` for several sets of defaults: key, value, meaning, and a
/// column of defaults for each of `columns` (heading, table of values).
pub fn with_columns<T: Settings>(columns: &[(&str, Node)]) -> String {
    let headings: String = columns.iter().map(|(heading, _)| format!(" {heading} |")).collect();
    let mut page =
        format!("| key | value | meaning |{headings}\n|---|---|---|{}\n", "---|".repeat(columns.len()));
    for field in T::fields(&mut Schemas::default()) {
        let values =
            columns.iter().map(|(_, table)| table.get(field.name).map_or_else(String::new, plain_text));
        let values: String = values.map(|text| format!(" {} |", cell(text.trim_matches('"')))).collect();
        page += &format!("| `{}` | {} | {} |{values}\n", field.name, value(&field), meaning(&field));
    }
    page
}

/// Returns the Markdown table of the kinds of `T` and their settings: kind, key, value, default, meaning.
pub fn kinds<T: Kinds>() -> String {
    let mut page = format!("| {} | key | value | default | meaning |\n|---|---|---|---|---|\n", T::WHAT);
    for Kind { name, about, fields } in T::kinds(&mut Schemas::default()) {
        page += &format!("| `{name}` | | | | {} |\n", cell(about));
        for field in fields {
            page += &format!("| | `{}` | {} |\n", field.name, row(&field));
        }
    }
    page
}

/// Returns the Markdown table of the words of `T`: word, meaning.
pub fn choices<T: Choice>(heading: &str) -> String {
    let mut page = format!("| {heading} | meaning |\n|---|---|\n");
    for word in T::WORDS {
        page += &format!("| `\"{}\"` | {} |\n", word.name, cell(word.about));
    }
    page
}

fn row(field: &Field) -> String {
    let default = match &field.default {
        Default::Needed(_) => "needed".to_owned(),
        Default::Value(value) => format!("`{}`", plain_text(value)),
        Default::Absent(said) => (*said).to_owned(),
    };
    [value(field), cell(&default), meaning(field)].join(" | ")
}

/// Returns the description of the allowed values.
fn value(field: &Field) -> String {
    let range = field.span().map(|span| format!(", {span}"));
    cell(&format!("{}{}", field.value, range.unwrap_or_default()))
}

/// Returns the meaning of a setting, followed by its source in parentheses.
fn meaning(field: &Field) -> String {
    let source = if field.source.is_empty() { String::new() } else { format!(" ({})", field.source) };
    cell(&format!("{}{source}", field.about.trim_end_matches('.')))
}

/// Escapes a text for a table cell: on one line, with vertical bars escaped.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// Returns `page` with the text between `<!-- begin NAME -->` and `<!-- end NAME -->` replaced by `content`.
///
/// # Errors
/// If the page has no such markers.
pub fn put(page: &str, name: &str, content: &str) -> Result<String, String> {
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->"));
    let place = || format!("the page has no place between {} and {end}", begin.trim_end());
    let (before, rest) = page.split_once(&begin).ok_or_else(place)?;
    let (_, after) = rest.split_once(&end).ok_or_else(place)?;
    Ok(format!("{before}{begin}\n{content}\n{end}{after}"))
}
