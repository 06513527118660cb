// Forms from the JSON Schema of scenarios: which settings a scenario has, with types, units, bounds and descriptions.

import { kindOf, type Kind } from "./quantity";

export interface Node {
  $ref?: string;
  $defs?: Record<string, Node>;
  type?: string;
  description?: string;
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  oneOf?: Node[];
  enum?: string[];
  const?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  default?: unknown;
}

/** Form in which a setting is edited. */
export type Form =
  | { form: "choice"; options: { value: string; about: string }[] }
  | { form: "quantity"; kind: Kind }
  | { form: "number"; integer: boolean; low: number; high: number; words: string[] }
  | { form: "switch" }
  | { form: "text" };

export interface Field {
  path: string;
  label: string;
  about: string;
  form: Form;
  /** Value in the checked scenario, in the notation of `--set`. */
  value: string;
}

export class Schema {
  private forms = new WeakMap<Node, Form>();
  private all = new WeakMap<Node, Node[]>();
  private items = new Map<string, Node>();

  constructor(private top: Node) {}

  private resolved(node: Node): Node {
    const name = node.$ref?.replace("#/$defs/", "").replaceAll("~1", "/").replaceAll("%20", " ");
    return name ? { ...this.top.$defs?.[name], ...(node.description ? { description: node.description } : {}) } : node;
  }

  /** Returns a schema and all of its alternatives (`anyOf`, `oneOf`). */
  private alternatives(node: Node): Node[] {
    const known = this.all.get(node);
    if (known) return known;
    const here = this.resolved(node);
    const inner = [...(here.anyOf ?? []), ...(here.oneOf ?? [])];
    const found = inner.length ? [here, ...inner.flatMap((one) => this.alternatives(one))] : [here];
    this.all.set(node, found);
    return found;
  }

  /** Returns the schema of a key of a table; if there are several kinds of table, `value.kind` selects one. */
  child(node: Node, key: string, value: unknown): Node | undefined {
    const tables = this.alternatives(node).filter((one) => one.properties && key in one.properties);
    const kind = (value as Record<string, unknown> | null)?.kind;
    const same = tables.find((one) => one.properties?.kind?.const === kind);
    return (same ?? tables[0])?.properties?.[key];
  }

  /** Returns the schema of the items of a list of the scenario, such as `link`. */
  item(list: string): Node {
    const known = this.items.get(list) ?? this.resolved(this.resolved(this.top.properties?.[list] ?? {}).items ?? {});
    this.items.set(list, known);
    return known;
  }

  /** Returns the schema of the entries if a node is a list, otherwise the node itself. */
  entries(node: Node): Node {
    const list = this.alternatives(node).find((one) => one.items);
    return list?.items ? this.resolved(list.items) : node;
  }

  /** Returns the keys of a table with their descriptions. */
  keys(node: Node): { word: string; about: string }[] {
    return this.paths("", node, 1).map(({ path, about }) => ({ word: path.slice(1), about }));
  }

  /** Returns the values that a table's `kind` can have. */
  kinds(node: Node): { value: string; about: string }[] {
    const form = this.form(node);
    return form.form === "choice" ? form.options : [];
  }

  get root(): Node {
    return this.top;
  }

  about(node: Node): string {
    return node.description ?? this.resolved(node).description ?? "";
  }

  /** Returns the form in which a setting is edited; the same object each time, so that the page does not draw its fields anew. */
  form(node: Node): Form {
    const found = this.forms.get(node) ?? this.formOf(node);
    this.forms.set(node, found);
    return found;
  }

  private formOf(node: Node): Form {
    const all = this.alternatives(node);
    const kinds = all.flatMap((one) => {
      const kind = one.properties?.kind?.const;
      return typeof kind === "string" ? [{ value: kind, about: one.description ?? "" }] : [];
    });
    if (kinds.length > 1) return { form: "choice", options: kinds };
    const words = all.flatMap((one) => one.enum ?? (typeof one.const === "string" ? [one.const] : []));
    const number = all.find((one) => one.type === "integer" || one.type === "number");
    if (number) {
      const low = number.minimum ?? number.exclusiveMinimum ?? 0;
      const high = number.maximum ?? number.exclusiveMaximum ?? Infinity;
      return { form: "number", integer: number.type === "integer", low, high, words };
    }
    const kind = all.map((one) => kindOf(one.pattern)).find((kind) => kind);
    if (kind) return { form: "quantity", kind };
    if (all.some((one) => one.type === "boolean")) return { form: "switch" };
    if (words.length > 1) {
      const about = (word: string) => all.find((one) => one.const === word)?.description ?? "";
      return { form: "choice", options: words.map((value) => ({ value, about: about(value) })) };
    }
    return { form: "text" };
  }

  /** Returns the settings of the scenario's tables, from which the user chooses one in a list. */
  paths(prefix: string, node: Node, depth = 3): { path: string; about: string }[] {
    if (depth === 0) return [];
    const out = new Map<string, string>();
    for (const table of this.alternatives(node)) {
      for (const [key, value] of Object.entries(table.properties ?? {})) {
        const path = `${prefix}.${key}`;
        if (!out.has(path)) out.set(path, this.about(value));
        for (const one of this.paths(path, value, depth - 1)) if (!out.has(one.path)) out.set(one.path, one.about);
      }
    }
    return [...out].map(([path, about]) => ({ path, about }));
  }
}
