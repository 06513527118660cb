// The checked scenario in the page's terms: nodes, links, flows, and the fields of its forms.

import { kindOf, parse } from "./quantity";
import { OWN } from "./model";
import type { Field, Node, Schema } from "./schema";

type Json = Record<string, unknown>;
/** A scenario with every parameter filled in, as the core gives it. */
export type Described = Json;

export interface Link {
  /** Part of a path that selects the link: its name or its number. */
  key: string;
  a: string;
  b: string;
  rate: number;
  delay: number;
  given: Json;
}

export interface Flow {
  key: string;
  name: string;
  from: string;
  to: string;
  variant: string;
  given: Json;
}

export interface Scenario {
  duration: number;
  seed: number;
  links: Link[];
  flows: Flow[];
  nodes: string[];
  radio: boolean;
  given: Json;
}

/** The control by formulas among the variants of a flow. */
const BY_FORMULAS = { value: OWN, about: "a control by your own formulas" };

const RATE = kindOf("bps")!;
const TIME = kindOf("ms|")!;

const list = (value: unknown) => (Array.isArray(value) ? (value as Json[]) : []);

/** Returns the scenario that the core described. */
export function read(given: Json): Scenario {
  const addressable = (name: unknown) => typeof name === "string" && /^[\w-]+$/.test(name) && !/^\d+$/.test(name);
  const links = list(given.link).map((link, i) => {
    const [a, b] = link.between as [string, string];
    const rate = typeof link.rate === "string" ? parse(RATE, link.rate) : NaN;
    const key = addressable(link.name) ? String(link.name) : String(i);
    return { key, a, b, rate, delay: parse(TIME, String(link.delay ?? "0s")), given: link };
  });
  const flows = list(given.flow).map((flow, i) => {
    const name = String(flow.name ?? i);
    const tcp = flow.tcp as Json | undefined;
    const traffic = flow.traffic as Json | undefined;
    const variant = String(tcp?.variant ?? (flow.quic as Json | undefined)?.variant ?? traffic?.kind ?? "");
    return { key: addressable(name) ? name : String(i), name, from: String(flow.from), to: String(flow.to), variant, given: flow };
  });
  const nodes = new Set<string>(list(given.node).map((node) => String(node.name)));
  for (const link of links) nodes.add(link.a).add(link.b);
  for (const flow of flows) nodes.add(flow.from).add(flow.to);
  return {
    duration: parse(TIME, String(given.duration)),
    seed: Number(given.seed),
    links,
    flows,
    nodes: [...nodes],
    radio: list(given.wifi).length + list(given.lte).length > 0,
    given,
  };
}

export interface Group {
  title: string;
  /** True if the group is unfolded at first. */
  open: boolean;
  fields: Field[];
}

const written = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Returns the field of a setting; null if the scenario has no such setting. */
function field(schema: Schema, list: string, key: string, given: Json, path: string, label: string): Field | null {
  let node: Node | undefined = schema.item(list);
  let here: unknown = given;
  for (const part of path.split(".")) {
    if (here === null || typeof here !== "object") return null;
    // `kind` selects an alternative of the table, so its schema is that of the table.
    if (part !== "kind") node = node && schema.child(node, part, here);
    here = (here as Json)[part];
  }
  if (!node || here === undefined) return null;
  return { path: `${list}.${key}.${path}`, label, about: schema.about(node), form: schema.form(node), value: written(here) };
}

/** Returns the fields that the page offers as sliders and choices: the most used settings of each flow and link. */
export function groups(schema: Schema, scenario: Scenario): Group[] {
  const some = (fields: (Field | null)[]) => fields.filter((one): one is Field => one !== null);
  const slowest = Math.min(...scenario.links.map((link) => link.rate).filter((rate) => rate > 0));
  const links = scenario.links.map((link) => {
    const of = (path: string, label: string) => field(schema, "link", link.key, link.given, path, label);
    const traced = typeof link.given.rate !== "string";
    const loss: Field[] = link.given.loss === undefined ? lossless(schema, link) : some([of("loss.rate", "Loss")]);
    const fields = [
      ...some([traced ? null : of("rate", "Rate"), of("delay", "Delay"), of("queue.kind", "Queue"), of("queue.packets", "Queue size")]),
      ...loss,
    ];
    return { title: `Link ${link.given.name ? link.key : `${link.a}–${link.b}`}`, open: traced || link.rate === slowest, fields };
  });
  links.sort((one, other) => Number(other.open) - Number(one.open));
  const flows = scenario.flows.map((flow) => {
    const of = (path: string, label: string) => field(schema, "flow", flow.key, flow.given, path, label);
    const variant = of("tcp.variant", "Variant");
    if (variant?.form.form === "choice") variant.form = { ...variant.form, options: [...variant.form.options, BY_FORMULAS] };
    const fields = some([
      variant, of("tcp.max_window", "Largest window"), of("traffic.rate", "Rate"), of("start", "Start"),
    ]);
    return { title: `Flow ${flow.name}`, open: scenario.flows.length <= 4, fields };
  });
  return [...flows, ...links.map((link, i) => ({ ...link, open: link.open && i < 2 }))].filter((group) => group.fields.length);
}

/** Returns the fields of the settings that a figure offers for all its runs; `*` stands for every flow or link. */
export function knobs(schema: Schema, scenario: Scenario, wanted: { path: string; label: string }[]): Group[] {
  const fields = wanted.flatMap(({ path, label }) => {
    const [list, key, ...rest] = path.split(".");
    const all: { key: string; given: Json }[] = list === "flow" ? scenario.flows : scenario.links;
    const one = all.find((each, i) => key === "*" || each.key === key || String(i) === key);
    const found = one && field(schema, list, key, one.given, rest.join("."), label);
    return found ? [found] : [];
  });
  return fields.length ? [{ title: "All runs of the figure", open: true, fields }] : [];
}

/** Returns the field with which the user adds losses to a link without losses. */
function lossless(schema: Schema, link: Link): Field[] {
  const node = schema.child(schema.item("link"), "loss", link.given);
  if (!node) return [];
  const about = "Share of the packets that the link loses at random, in both directions.";
  return [{ path: `link.${link.key}.loss`, label: "Loss", about, form: { form: "number", integer: false, low: 0, high: 1, words: [] }, value: "0" }];
}
