//! Short forms in a document, which are written out before it is read: `queue = 8`, `loss = 0.001`, `count = 4`, and
//! a stack that is given as a variant of TCP.

use super::ScenarioError;
use base::Duration;
use base::units::parse_duration;
use net::queue::{Config, PRODUCTS};
use quic::Stack;
use settings::node::Data;
use settings::{Choice, Kinds, Node, Setting, nearest};
use stack::Stacks;
use std::borrow::Cow;

/// Maximum number of tables in a list, including copies by `count`; reading this many takes a second or two.
const MOST: u64 = 100_000;
/// Keys of a queue's table that limit its size.
pub(super) const LIMITS: [&str; 4] = ["packets", "bytes", PRODUCTS, "unlimited"];
/// Placeholder for the number of a copy, in texts.
const NUMBER: &str = "{i}";
/// Beginning of a placeholder for a number further on, such as `{i+1}`.
const FURTHER: &str = "{i+";
/// Keys whose value may have a step from copy to copy: `"0s + 0.5s"`.
const STAGGERED: [&str; 3] = ["start", "stop", "delay"];

/// Returns the document with its short forms written out, so that it can be read. A document without short forms is not
/// copied.
///
/// # Errors
/// If a `count` is not valid, or a step from copy to copy cannot be read.
pub(super) fn expand<'a>(root: &'a Node, stacks: &Stacks) -> Result<Cow<'a, Node>, ScenarioError> {
    if !has_any(root, stacks) {
        return Ok(Cow::Borrowed(root));
    }
    let mut root = written_out(root, stacks)?;
    for link in root.get_mut("link").map(Node::items_mut).unwrap_or_default() {
        spell_out_queue(link, |_| true);
        if let Some(reverse) = link.get_mut("reverse") {
            spell_out_queue(reverse, |_| true);
        }
    }
    Ok(Cow::Owned(root))
}

/// Returns true if a document may have short forms. The test is quick, so that large documents without short forms are
/// not copied.
fn has_any(root: &Node, stacks: &Stacks) -> bool {
    let items = |key| root.get(key).and_then(Node::as_list).unwrap_or_default();
    let short = |table: &Node, key, full: fn(&Node) -> bool| table.get(key).is_some_and(|node| !full(node));
    let counted = |table: &Node| table.get("count").is_some() || table.get("step").is_some();
    let queue = |table: &Node| short(table, "queue", Node::is_table);
    items("node").iter().any(counted)
        || items("flow")
            .iter()
            .any(|flow| counted(flow) || is_quic(flow) || is_own(flow, stacks) || is_kernel(flow))
        || items("link").iter().any(|link| {
            counted(link)
                || queue(link)
                || link.get("reverse").is_some_and(queue)
                || short(link, "loss", |loss| !matches!(loss.data, Data::Number(_)))
        })
}

/// Returns the document with its short forms written out, except sizes in bandwidth-delay products, which depend on
/// other tables.
///
/// # Errors
/// If a `count` is not valid, or a step from copy to copy cannot be read.
pub(super) fn written_out(root: &Node, stacks: &Stacks) -> Result<Node, ScenarioError> {
    let mut root = root.clone();
    let fixed = |table: &Node| table.get(PRODUCTS).is_none();
    let nodes = counted_nodes(&root);
    number_copies_of_nodes(&mut root, &nodes);
    for key in ["node", "link", "flow"] {
        repeat(&mut root, key, &nodes)?;
    }
    for flow in root.get_mut("flow").map(Node::items_mut).unwrap_or_default() {
        // An unknown stack is moved to `kernel` as well, because the error of `kernel` lists the stacks.
        if is_kernel(flow)
            && let Some(table) = flow.remove("tcp")
        {
            flow.insert("kernel", table);
        }
        if is_own(flow, stacks)
            && let Some(table) = flow.remove("tcp")
        {
            flow.insert("stack", table);
        }
        if is_quic(flow)
            && let Some(table) = flow.remove("tcp")
        {
            flow.insert("quic", table);
        }
    }
    for link in root.get_mut("link").map(Node::items_mut).unwrap_or_default() {
        let far = link.get("between").and_then(Node::as_list).and_then(|ends| ends.get(1)).cloned();
        if let Some(loss) = link.get_mut("loss")
            && matches!(loss.data, Data::Number(_))
        {
            let mut table = Node { line: loss.line, ..Node::table() };
            table.insert("kind", "random");
            table.insert("rate", loss.clone());
            if let Some(far) = far {
                table.insert("toward", far);
            }
            *loss = table;
        }
        spell_out_queue(link, fixed);
        if let Some(reverse) = link.get_mut("reverse") {
            spell_out_queue(reverse, fixed);
        }
    }
    Ok(root)
}

/// Returns true if a path sets the number of copies of a table, or the step between their numbers.
pub(super) fn is_of_copies(path: &str) -> bool {
    let mut parts = path.split('.');
    let list = parts.next();
    matches!(
        (list, parts.nth(1), parts.next()),
        (Some("node" | "link" | "flow"), Some("count"), None) | (Some("link" | "flow"), Some("step"), None)
    )
}

/// Returns true if a flow's TCP variant names a QUIC stack, as in `tcp = { variant = "quinn-cubic" }`, or a misspelling
/// of a stack, and the flow has no table `quic`. Programs that set variants need not know about QUIC, and the error for
/// a misspelling lists the stack's variants. The key `stack` of the TCP may name it as well.
fn is_quic(flow: &Node) -> bool {
    let variant = variant(flow);
    let means_one = |name: &str| {
        let before = name.split_once('-').map_or(name, |(stack, _)| stack);
        quic_stacks().any(|stack| name.starts_with(stack)) || nearest(before, quic_stacks()).is_some()
    };
    flow.get("quic").is_none()
        && (names_quic_stack(flow) || variant.is_some_and(|name| means_one(&name.to_ascii_lowercase())))
}

/// Returns the names of the stacks that ship with the simulator and run over UDP.
fn quic_stacks() -> impl Iterator<Item = &'static str> {
    Stack::WORDS.iter().map(|stack| stack.name)
}

/// Returns true if the key `stack` of a flow's TCP names a QUIC stack.
fn names_quic_stack(flow: &Node) -> bool {
    let stack = flow.get("tcp").and_then(|tcp| tcp.get("stack")).and_then(Node::as_text);
    stack.is_some_and(|name| quic_stacks().any(|stack| stack == name))
}

/// Returns the variant of a flow's TCP.
fn variant(flow: &Node) -> Option<&str> {
    flow.get("tcp").and_then(|tcp| tcp.get("variant")).and_then(Node::as_text)
}

/// Returns true if a flow's TCP variant names one of `stacks`, and the flow has no table `stack`.
fn is_own(flow: &Node, stacks: &Stacks) -> bool {
    flow.get("stack").is_none() && variant(flow).is_some_and(|name| stacks.get(name).is_some())
}

/// Returns true if a flow's TCP names a stack, as in `tcp = { stack = "linux", control = "cubic" }`, that is not a QUIC
/// stack, and the flow has no table `kernel`.
fn is_kernel(flow: &Node) -> bool {
    flow.get("kernel").is_none()
        && flow.get("tcp").is_some_and(|tcp| tcp.get("stack").is_some())
        && !names_quic_stack(flow)
}

fn spell_out_queue(table: &mut Node, wanted: impl Fn(&Node) -> bool) {
    if let Some(queue) = table.get_mut("queue")
        && let Some(full) = queue_table(queue)
        && wanted(&full)
    {
        *queue = full;
    }
}

/// Returns the table for a short form of a queue: `8` (packets), `"64KiB"`, `"2bdp"`, `"codel"`, `"codel:2bdp"`.
/// Returns `None` if the node is a table or no short form. Bandwidth-delay products become the key `bdp`, which the
/// check converts to packets.
pub(super) fn queue_table(node: &Node) -> Option<Node> {
    let mut table = Node { line: node.line, ..Node::table() };
    match &node.data {
        Data::Number(_) => {
            table.insert("kind", "droptail");
            table.insert("packets", Node { line: node.line, ..node.clone() });
        }
        Data::Text(text) => {
            let (kind, size) = match text.split_once(':') {
                Some((kind, size)) => (kind.trim(), Some(size.trim())),
                None if is_word(text.trim()) => (text.trim(), None),
                None => ("droptail", Some(text.trim())),
            };
            table.insert("kind", kind);
            match size {
                Some(size) if size.bytes().all(|b| b.is_ascii_digit()) => {
                    table.insert("packets", Node::from_setting(size));
                }
                Some(size) => match products(size) {
                    Some(products) => table.insert(PRODUCTS, settings::setting::float(products)),
                    None => table.insert("bytes", size),
                },
                None => {}
            }
        }
        _ => return None,
    }
    Some(table)
}

/// Returns true if the text is the name of a kind of queue, or a misspelling of one.
fn is_word(text: &str) -> bool {
    Config::NAMES.contains(&text)
        || (text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphabetic() || c == '-' || c == '_'))
}

/// Returns the number in a text such as `2bdp`; `None` for other texts.
fn products(text: &str) -> Option<f64> {
    let number = text.to_ascii_lowercase();
    let products: f64 = number.strip_suffix("bdp")?.trim().parse().ok()?;
    (products.is_finite() && products > 0.0).then_some(products)
}

/// Lists of a radio network that name stations: key of the network, key of its list.
const STATIONS: [(&str, &str); 2] = [("wifi", "stations"), ("lte", "ue")];

/// Nodes with a `count`: the name with its placeholder, and the count.
type CountedNodes = [(String, u64)];

/// Returns the nodes that have a valid `count`.
fn counted_nodes(root: &Node) -> Vec<(String, u64)> {
    let nodes = root.get("node").and_then(Node::as_list).unwrap_or_default().iter();
    let counted = nodes.filter_map(|node| {
        // An invalid count is an error of the node itself.
        let count = node.get("count")?.as_u64().filter(|n| (1..=MOST).contains(n))?;
        let name = node.get("name")?.as_text()?;
        let pattern = if name.contains(NUMBER) { name.to_owned() } else { format!("{name}{NUMBER}") };
        Some((pattern, count))
    });
    counted.collect()
}

/// Returns the count of the node whose copies a text names, as `n{i}` or `n{i+1}` does.
fn count_of(text: &Node, nodes: &CountedNodes) -> Option<u64> {
    let text = text.as_text()?;
    let plain = offset(text).map(|(before, _, after)| format!("{before}{NUMBER}{after}"));
    let name = plain.as_deref().unwrap_or(text);
    nodes.iter().find(|(pattern, _)| pattern == name).map(|(_, count)| *count)
}

/// Expands references to the copies of a node (`name{i}`). A link or flow at such a node gets the node's `count`,
/// divided by its `step`, unless it has a `count` of its own. In a radio network's list of stations the names of all
/// copies replace the reference.
fn number_copies_of_nodes(root: &mut Node, nodes: &CountedNodes) {
    if nodes.is_empty() {
        return;
    }
    for key in ["link", "flow"] {
        for item in root.get_mut(key).map(Node::items_mut).unwrap_or_default() {
            let between = item.get("between").and_then(Node::as_list).unwrap_or_default().iter();
            let mut ends = between.chain(["from", "to"].into_iter().filter_map(|end| item.get(end)));
            // An invalid step is an error of the item itself.
            let step = item.get("step").and_then(Node::as_u64).unwrap_or(1).max(1);
            if item.get("count").is_none()
                && let Some(count) = ends.find_map(|end| count_of(end, nodes))
            {
                item.insert("count", settings::setting::number((count / step) as f64));
            }
        }
    }
    for (key, list) in STATIONS {
        for network in root.get_mut(key).map(Node::items_mut).unwrap_or_default() {
            let Some(Node { data: Data::List(names), .. }) = network.get_mut(list) else { continue };
            let all = std::mem::take(names).into_iter().flat_map(|name| {
                let count = count_of(&name, nodes);
                let copies = (0..count.unwrap_or(1)).map(move |number| {
                    let mut one = name.clone();
                    if count.is_some() {
                        numbered(&mut one, number, &[]);
                    }
                    one
                });
                copies.collect::<Vec<_>>()
            });
            *names = all.collect();
        }
    }
}

/// Replaces tables with a `count` in list `key` by their copies.
fn repeat(root: &mut Node, key: &str, nodes: &CountedNodes) -> Result<(), ScenarioError> {
    let Some(list) = root.get_mut(key) else { return Ok(()) };
    let Data::List(items) = &mut list.data else { return Ok(()) };
    if items.iter().all(|item| item.get("count").is_none() && item.get("step").is_none()) {
        return Ok(());
    }
    let copies = items
        .iter()
        .enumerate()
        .map(|(at, item)| copies_of(item).map_err(|e| e.under(&format!("{key}.{at}"))));
    let copies = copies.collect::<Result<Vec<_>, _>>()?;
    let sum: u64 = copies.iter().map(|copies| copies.map_or(1, |(count, _)| count)).sum();
    if sum > MOST {
        let allowed = format!("at most {MOST} of them, all counts taken together");
        return Err(ScenarioError::new(key, format!("{sum} tables `{key}`"))
            .given(sum.to_string())
            .allowed(allowed));
    }
    let mut all = Vec::with_capacity(sum as usize);
    for (at, (item, copies)) in items.iter().zip(copies).enumerate() {
        let Some((count, step)) = copies else {
            all.push(item.clone());
            continue;
        };
        for order in 0..count {
            all.push(copy(item, order, step, nodes).map_err(|e| e.under(&format!("{key}.{at}")))?);
        }
    }
    *items = all;
    Ok(())
}

/// Returns the number of copies of a table and the step between their numbers; `None` for a table without `count`.
///
/// # Errors
/// If one of the two is not valid, or if there is a step but no count.
fn copies_of(item: &Node) -> Result<Option<(u64, u64)>, ScenarioError> {
    let read =
        |key: &str, what: &str| {
            let Some(value) = item.get(key) else { return Ok(None) };
            value.as_u64().filter(|n| (1..=MOST).contains(n)).map(Some).ok_or_else(|| {
                ScenarioError::new(key, what).allowed(format!("a whole number from 1 to {MOST}"))
            })
        };
    let (count, step) = (read("count", "no number of copies")?, read("step", "no step between copies")?);
    match (count, step) {
        (None, Some(_)) => Err(ScenarioError::new("step", "there are no copies")
            .allowed("`count`, or ends that name copies of a node, as \"n{i}\" does")),
        (count, step) => Ok(count.map(|count| (count, step.unwrap_or(1)))),
    }
}

/// Returns copy number `order` of a table with a `count`. In texts, `{i}` becomes `order` times `step`; a name without
/// `{i}` gets that number at its end.
fn copy(item: &Node, order: u64, step: u64, nodes: &CountedNodes) -> Result<Node, ScenarioError> {
    let mut made = item.clone();
    made.remove("count");
    made.remove("step");
    let number = order * step;
    if let Some(name) = made.get_mut("name")
        && let Some(text) = name.as_text()
        && !text.contains(NUMBER)
    {
        name.data = Data::Text(format!("{text}{number}").into());
    }
    for key in STAGGERED {
        let Some(value) = made.get_mut(key) else { continue };
        let Some((first, step)) = value.as_text().and_then(|text| text.split_once('+')) else { continue };
        value.data = staggered(first, step, order).map_err(|e| e.under(key))?.data;
    }
    numbered(&mut made, number, nodes);
    Ok(made)
}

/// Returns the value of copy number `number`: `first + number * step`.
fn staggered(first: &str, step: &str, number: u64) -> Result<Node, ScenarioError> {
    let read = |text: &str| {
        parse_duration(text.trim())
            .map_err(|e| ScenarioError::new("", e.message).allowed("a time and a step: \"0s + 0.5s\""))
    };
    let (first, step) = (read(first)?, read(step)?);
    let all = step.ps().checked_mul(number).and_then(|more| first.ps().checked_add(more));
    let all = all.ok_or_else(|| ScenarioError::new("", "the last of these times is too late"))?;
    Ok(Duration::from_ps(all).write())
}

/// Replaces `{i}` by a number, and `{i+1}` by the next one. Among the copies of a node, the one after the last is the
/// first.
fn numbered(node: &mut Node, number: u64, nodes: &CountedNodes) {
    let count = count_of(node, nodes);
    match &mut node.data {
        Data::Text(text) => {
            if let Some((before, further, after)) = offset(text) {
                let sum = number.saturating_add(further);
                let wrapped = count.map_or(sum, |count| sum % count);
                *text = format!("{before}{wrapped}{after}").into();
            }
            if text.contains(NUMBER) {
                *text = text.replace(NUMBER, &number.to_string()).into();
            }
        }
        Data::List(items) => items.iter_mut().for_each(|item| numbered(item, number, nodes)),
        Data::Table(fields) => fields.iter_mut().for_each(|(_, value)| numbered(value, number, nodes)),
        _ => {}
    }
}

/// Returns the parts of a text such as `n{i+1}`: the text before the placeholder, its number, the text after it.
fn offset(text: &str) -> Option<(&str, u64, &str)> {
    let (before, rest) = text.split_once(FURTHER)?;
    let (number, after) = rest.split_once('}')?;
    Some((before, number.parse().ok()?, after))
}
