//! Dependencies between the files of a crate: for each file, the files whose items it names.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;

/// Path of a module from the root of its crate.
pub type Key = Vec<String>;

struct Use {
    path: Key,
    /// Name that the import has in this module; `*` for a glob import.
    name: String,
    public: bool,
}

#[derive(Default)]
struct Module {
    file: String,
    items: BTreeSet<String>,
    uses: Vec<Use>,
    /// Paths outside of `use`, including single names.
    paths: BTreeSet<Key>,
}

impl Module {
    /// Reads the tokens of a file, or of a group within; items are recorded only if `top` is true.
    fn read(&mut self, tokens: TokenStream, top: bool, inner: &mut Vec<(String, TokenStream)>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let word = |i: usize| tokens.get(i).map_or(String::new(), ToString::to_string);
        let joined = |i: usize| word(i) == ":" && word(i + 1) == ":";
        let (mut i, mut public) = (0, false);
        while i < tokens.len() {
            let at = i;
            i += 1;
            match (&tokens[at], word(at).as_str()) {
                (_, "#") => {
                    let attribute = word(i + usize::from(word(i) == "!"));
                    i += 1 + usize::from(word(i) == "!");
                    if attribute.replace(' ', "") == "[cfg(test)]" {
                        let ends = |t: &TokenTree| {
                            matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace)
                                || t.to_string() == ";"
                        };
                        i += tokens[i..].iter().position(ends).map_or(0, |length| length + 1);
                    }
                }
                (_, "use") => {
                    let end = i + tokens[i..].iter().position(|t| t.to_string() == ";").unwrap_or(0);
                    self.read_use(&tokens[i..end], &Key::new(), public);
                    i = end;
                }
                (_, "mod") if top => {
                    if let Some(TokenTree::Group(body)) = tokens.get(i + 1) {
                        inner.push((word(i), body.stream()));
                    }
                    i += 2;
                }
                (_, "macro_rules") => drop(self.items.insert(word(at + 2))),
                (_, "struct" | "enum" | "union" | "trait" | "type" | "fn" | "const" | "static") if top => {
                    self.items.insert(word(i + usize::from(word(i) == "mut")));
                }
                (TokenTree::Group(group), _) => self.read(group.stream(), false, inner),
                (TokenTree::Ident(_), first) if first != "pub" => {
                    let mut path = vec![first.to_owned()];
                    while joined(i) && matches!(tokens.get(i + 2), Some(TokenTree::Ident(_))) {
                        path.push(word(i + 2));
                        i += 3;
                    }
                    let member = at > 0 && word(at - 1) == "." && (at == 1 || word(at - 2) != ".");
                    if !member {
                        self.paths.insert(path);
                    }
                }
                _ => {}
            }
            // `pub`, possibly followed by brackets as in `pub(crate)`.
            public = word(at) == "pub" || public && matches!(tokens[at], TokenTree::Group(_));
        }
    }

    /// Reads the trees of a `use` declaration whose paths all begin with `before`.
    fn read_use(&mut self, trees: &[TokenTree], before: &Key, public: bool) {
        'trees: for tree in trees.split(|t| t.to_string() == ",").filter(|tree| !tree.is_empty()) {
            let (mut path, mut name) = (before.clone(), None);
            for (i, token) in tree.iter().enumerate() {
                match (token, token.to_string().as_str()) {
                    (TokenTree::Group(group), _) => {
                        let inner: Vec<_> = group.stream().into_iter().collect();
                        self.read_use(&inner, &path, public);
                        continue 'trees;
                    }
                    (_, "as") => name = tree.get(i + 1).map(ToString::to_string),
                    (_, "*") => name = Some("*".to_owned()),
                    (_, "self") if !path.is_empty() => {}
                    (TokenTree::Ident(_), segment) if name.is_none() => path.push(segment.to_owned()),
                    _ => {}
                }
            }
            let name = name.unwrap_or_else(|| path[path.len() - 1].clone());
            self.uses.push(Use { path, name, public });
        }
    }
}

/// Target of a path: a module, or an item and the module that defines it.
#[derive(Clone)]
enum Target {
    Module(Key),
    Item(Key, String),
}

/// Files whose items a file names, for each file, with the names of these items.
type References<'a> = BTreeMap<&'a str, BTreeMap<&'a str, BTreeSet<String>>>;

/// Modules of a crate by path; the path of the root is empty.
#[derive(Default)]
pub struct Modules(BTreeMap<Key, Module>);

impl Modules {
    /// Adds the module of a file and the inline modules inside it.
    pub fn add(&mut self, key: Key, file: &str, source: TokenStream) {
        let (mut module, mut inner) = (Module { file: file.to_owned(), ..Module::default() }, Vec::new());
        module.read(source, true, &mut inner);
        for (name, body) in inner {
            self.add([&key[..], &[name]].concat(), file, body);
        }
        self.0.insert(key, module);
    }

    /// Resolves `path` as seen from the module `at`. `depth` is the number of imports that may still be followed,
    /// which ends cycles of `use`.
    fn resolve(&self, at: &Key, path: &[String], depth: usize) -> Option<Target> {
        let mut here = Target::Module(at.clone());
        for (i, segment) in path.iter().enumerate() {
            let Target::Module(module) = &here else { break };
            here = match segment.as_str() {
                "crate" => Target::Module(Key::new()),
                "self" => continue,
                "super" => Target::Module(module[..module.len().checked_sub(1)?].to_vec()),
                name => match self.lookup(module, name, i + 1 == path.len(), depth.checked_sub(1)?) {
                    Some(target) => target,
                    // No such item is in the source, yet the crate compiles: a macro defines the item.
                    None if i > 0 => Target::Item(module.clone(), name.to_owned()),
                    None => return None,
                },
            };
        }
        Some(here)
    }

    fn lookup(&self, at: &Key, name: &str, last: bool, depth: usize) -> Option<Target> {
        let module = self.0.get(at)?;
        let child = [&at[..], &[name.to_owned()]].concat();
        let child = || self.0.contains_key(&child).then(|| Target::Module(child.clone()));
        let item = || {
            if module.items.contains(name) {
                return Some(Target::Item(at.clone(), name.to_owned()));
            }
            let named = module.uses.iter().filter(|u| u.name == name);
            let named = named.filter_map(|u| self.resolve(at, &u.path, depth)).next();
            named.or_else(|| {
                let globs = module.uses.iter().filter(|u| u.name == "*");
                globs
                    .filter_map(|u| match self.resolve(at, &u.path, depth)? {
                        Target::Module(from) if from != *at => {
                            self.lookup(&from, name, last, depth.checked_sub(1)?)
                        }
                        _ => None,
                    })
                    .next()
            })
        };
        // `run` may be the name of a module and of a function in it.
        if last { item().or_else(child) } else { child().or_else(item) }
    }

    fn references(&self) -> References<'_> {
        let mut references = References::new();
        for (key, module) in &self.0 {
            let uses = module.uses.iter().filter(|u| !u.public).map(|u| &u.path);
            for path in uses.chain(&module.paths) {
                if let Some(Target::Item(definer, name)) = self.resolve(key, path, 16) {
                    let definer = &self.0[&definer].file;
                    if *definer != module.file {
                        references.entry(&module.file).or_default().entry(definer).or_default().insert(name);
                    }
                }
            }
        }
        references
    }

    /// Returns, for each file in a cycle, the shortest cycle through the file: its files and the imported names. Each cycle occurs once.
    pub fn cycles(&self) -> BTreeSet<String> {
        let references = self.references();
        let cycles = references.keys().filter_map(|file| shortest(&references, file)).map(|mut files| {
            let first = (0..files.len()).min_by_key(|i| files[*i]).unwrap_or(0);
            files.rotate_left(first);
            let mut text = format!("a cycle of {}:\n", files.len());
            for (i, from) in files.iter().enumerate() {
                let to = files[(i + 1) % files.len()];
                let names: Vec<&str> = references[from][to].iter().map(String::as_str).collect();
                let _ = writeln!(text, "    {from} names {} of {to}", names.join(", "));
            }
            text
        });
        cycles.collect()
    }
}

/// Returns the files of the shortest cycle through `start`, if there is one.
fn shortest<'a>(references: &References<'a>, start: &'a str) -> Option<Vec<&'a str>> {
    let mut waiting = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = waiting.pop_front() {
        for next in references.get(way[way.len() - 1]).into_iter().flat_map(BTreeMap::keys) {
            if *next == start {
                return Some(way);
            }
            if seen.insert(*next) {
                waiting.push_back([&way[..], &[*next]].concat());
            }
        }
    }
    None
}
