// Numbers with units, as scenario files write them: "2Mbps", "20ms", "64KiB".

/** A kind of quantity, with its units; each unit has its size in bit/s, seconds or bytes. */
export interface Kind {
  name: "rate" | "time" | "size";
  units: [string, number][];
}

const RATE: Kind = { name: "rate", units: [["bps", 1], ["kbps", 1e3], ["Mbps", 1e6], ["Gbps", 1e9]] };
const TIME: Kind = { name: "time", units: [["ns", 1e-9], ["us", 1e-6], ["ms", 1e-3], ["s", 1]] };
const SIZE: Kind = { name: "size", units: [["B", 1], ["kB", 1e3], ["MB", 1e6], ["GB", 1e9]] };

/** Other units that scenario files may use, each with its size. */
const MORE: Record<Kind["name"], Record<string, number>> = {
  rate: { "bit/s": 1, "kbit/s": 1e3, "Mbit/s": 1e6, "Gbit/s": 1e9, "b/s": 1, "kb/s": 1e3, "Mb/s": 1e6, "Gb/s": 1e9, Bps: 8, kBps: 8e3, MBps: 8e6 },
  time: { ps: 1e-12, "µs": 1e-6, min: 60, h: 3600 },
  size: { KiB: 1024, MiB: 1048576, GiB: 1073741824 },
};

/** Returns the kind of quantity that a schema's pattern describes; null if it describes none. */
export function kindOf(pattern: string | undefined): Kind | null {
  if (!pattern) return null;
  if (pattern.includes("bps")) return RATE;
  if (pattern.includes("ms|")) return TIME;
  if (pattern.includes("KMGT]iB") || pattern.includes("T]?B")) return SIZE;
  return null;
}

/** Returns the value of a text in bit/s, seconds or bytes; NaN if the text is no such quantity. A decimal comma is accepted. */
export function parse(kind: Kind, text: string): number {
  const found = /^\s*([0-9.,_+]+(?:[eE][-+]?[0-9]+)?)\s*([A-Za-zµ/]*)\s*$/.exec(text);
  if (!found) return NaN;
  const number = Number(found[1].replace(",", ".").replaceAll("_", ""));
  if (number === 0) return 0;
  const size = kind.units.find(([unit]) => unit === found[2])?.[1] ?? MORE[kind.name][found[2]];
  return size === undefined ? NaN : number * size;
}

/** Returns a value as text, in the largest unit in which the number is at least 1. */
export function format(kind: Kind, value: number, digits = 3): string {
  const [unit, size] = [...kind.units].reverse().find(([, size]) => value >= size * 0.9995) ?? kind.units[0];
  return `${short(value / size, digits)}${unit}`;
}

/** Returns a number with `digits` significant digits, without trailing zeros. */
export function short(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return "–";
  const rounded = Number(value.toPrecision(digits));
  return Math.abs(rounded) >= 1e6 || (rounded !== 0 && Math.abs(rounded) < 1e-4) ? rounded.toExponential() : String(rounded);
}

/** Returns a rate as text for display, such as "2 Mb/s". */
export function rate(bps: number): string {
  return format(RATE, bps).replace(/bps$/, "b/s").replace(/(\D+)$/, " $1");
}
