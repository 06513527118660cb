// Positions of the nodes in the picture.

import type { Scenario } from "./scenario";

export type Places = Record<string, [x: number, y: number]>;

/** Returns the positions of the nodes, from 0 to 1 in each direction. */
export function layout(scenario: Scenario, positions: Places): Places {
  const placed = Object.keys(positions);
  return placed.length > 1 ? geographic(scenario, positions) : layered(scenario);
}

/** Returns the positions that the scenario gives, scaled to the picture; other nodes are placed at the left. */
function geographic(scenario: Scenario, positions: Places): Places {
  const all = Object.values(positions);
  const span = (axis: 0 | 1) => {
    const low = Math.min(...all.map((one) => one[axis]));
    const high = Math.max(...all.map((one) => one[axis]));
    return [low, Math.max(high - low, 1e-9)] as const;
  };
  const [[x0, width], [y0, height]] = [span(0), span(1)];
  const size = Math.max(width, height * 1.6);
  const others = scenario.nodes.filter((node) => !positions[node]);
  const left = others.length ? 0.28 : 0.06;
  const out: Places = {};
  for (const [node, [x, y]] of Object.entries(positions)) {
    out[node] = [left + ((x - x0) / size + (1 - width / size) / 2) * (0.94 - left), 0.5 - ((y - y0 - height / 2) / size) * 1.3];
  }
  others.forEach((node, i) => (out[node] = [0.08, (i + 1) / (others.length + 1)]));
  return out;
}

/** Places the flow with the most hops from left to right, and each other node near the node through which it is reached. */
function layered(scenario: Scenario): Places {
  const beside = new Map<string, string[]>(scenario.nodes.map((node) => [node, []]));
  for (const { a, b } of scenario.links) {
    beside.get(a)?.push(b);
    beside.get(b)?.push(a);
  }
  const paths = scenario.flows.map((flow) => path(beside, flow.from, flow.to)).sort((one, other) => other.length - one.length);
  const spine = paths[0] ?? scenario.nodes.slice(0, 1);
  const column = new Map<string, number>(spine.map((node, i) => [node, i]));
  const sources = new Set(scenario.flows.map((flow) => flow.from));
  const seen = [...spine];
  for (let i = 0; i < seen.length; i++) {
    for (const next of beside.get(seen[i]) ?? []) {
      if (column.has(next)) continue;
      const step = sources.has(next) ? -1 : 1;
      const far = spine.length > 2 && (spine[0] === seen[i] || spine[spine.length - 1] === seen[i]) ? 0 : step;
      column.set(next, Math.min(Math.max((column.get(seen[i]) ?? 0) + far, 0), spine.length - 1));
      seen.push(next);
    }
  }
  for (const node of scenario.nodes) if (!column.has(node)) column.set(node, 0);
  const out: Places = {};
  for (let at = 0; at < spine.length; at++) {
    const here = scenario.nodes.filter((node) => column.get(node) === at);
    const core = spine[at];
    const inner = at > 0 && at < spine.length - 1;
    // An inner node of the path is placed in the middle of its column, other nodes above and below it. In the first and last
    // column all nodes are spread evenly.
    const order = inner ? [core, ...here.filter((node) => node !== core)] : here;
    order.forEach((node, i) => {
      const x = 0.07 + (0.86 * at) / Math.max(spine.length - 1, 1);
      const y = inner ? (i === 0 ? 0.5 : i % 2 ? 0.5 + 0.38 * Math.ceil(i / 2) * (2 / Math.max(order.length - 1, 2)) : 0.5 - 0.38 * (i / 2) * (2 / Math.max(order.length - 1, 2))) : (i + 0.5) / order.length;
      out[node] = [x, y];
    });
  }
  return out;
}

/** Returns a path with the fewest links; only the two ends if they are not connected. */
function path(beside: Map<string, string[]>, from: string, to: string): string[] {
  const before = new Map<string, string>([[from, from]]);
  const ahead = [from];
  for (let i = 0; i < ahead.length; i++) {
    for (const next of beside.get(ahead[i]) ?? []) {
      if (before.has(next)) continue;
      before.set(next, ahead[i]);
      ahead.push(next);
    }
  }
  if (!before.has(to)) return [from, to];
  const out = [to];
  while (out[0] !== from) out.unshift(before.get(out[0])!);
  return out;
}
