// Completion in the text of a scenario: keys of the table that the cursor is in, and values of the key before it.

import type { Node, Schema } from "./schema";

export interface Proposal {
  word: string;
  about: string;
}

export interface Completion {
  /** Part of the text that a proposal replaces. */
  from: number;
  to: number;
  proposals: Proposal[];
}

const MOST = 12;

/** Returns the schema of the table that a path of keys leads to. */
function reached(schema: Schema, path: string[]): Node | undefined {
  let node: Node | undefined = schema.root;
  for (const key of path) {
    if (!node) return undefined;
    const next: Node | undefined = schema.child(node, key, null);
    node = next && schema.entries(next);
  }
  return node;
}

/** Returns the keys of the inline tables that are open at the end of a line: `tcp = { control = {` gives both. */
function inline(line: string): string[] {
  const open: string[] = [];
  const quoted = line.replace(/"[^"]*"?/g, (text) => "_".repeat(text.length));
  for (const found of quoted.matchAll(/([\w-]+)\s*=\s*\{|\{|\}/g)) {
    if (found[0] === "}") open.pop();
    else open.push(found[1] ?? "");
  }
  return open.filter(Boolean);
}

/** Returns what can stand at a place of a text; null if nothing is known. */
export function complete(schema: Schema, text: string, at: number): Completion | null {
  const begin = text.lastIndexOf("\n", at - 1) + 1;
  const line = text.slice(begin, at);
  if (/^\s*(#|\[)/.test(line)) return null;
  const header = [...text.slice(0, begin).matchAll(/^\s*\[\[?\s*([\w.-]+)\s*\]\]?/gm)].at(-1)?.[1]?.split(".") ?? [];
  const path = [...header, ...inline(line)];
  const table = reached(schema, path);
  if (!table) return null;
  const value = /([\w-]+)\s*=\s*("?)([\w+.-]*)$/.exec(line);
  if (value) {
    const [, key, quote, word] = value;
    const node = schema.child(table, key, null);
    const form = node && schema.form(node);
    const options =
      key === "kind" ? schema.kinds(table) : form?.form === "choice" ? form.options : form?.form === "switch" ? ["true", "false"].map((value) => ({ value, about: "" })) : [];
    const bare = form?.form === "switch";
    return matching(options.map(({ value, about }) => ({ word: bare ? value : `"${value}"`, about })), `${quote}${word}`, at - word.length - quote.length, text[at] === '"' && quote ? at + 1 : at);
  }
  const word = /([\w-]*)$/.exec(line)![1];
  const given = new Set([...line.matchAll(/([\w-]+)\s*=/g)].map((found) => found[1]));
  const keys = schema.keys(table).filter(({ word }) => !given.has(word));
  return /(^|[{,])\s*[\w-]*$/.test(line) ? matching(keys.map(({ word, about }) => ({ word: `${word} = `, about })), word, at - word.length, at) : null;
}

function matching(all: Proposal[], begun: string, from: number, to: number): Completion | null {
  const bare = (word: string) => word.replace(/^"/, "").toLowerCase();
  const sorted = all.filter(({ word }) => bare(word).startsWith(bare(begun)));
  const proposals = sorted.slice(0, MOST);
  return proposals.length ? { from, to, proposals } : null;
}
