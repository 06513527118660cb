// Conversion between values of settings and positions of sliders.

import { format, parse, short } from "./quantity";
import type { Field } from "./schema";

export const STEPS = 1000;
/** A slider ranges from the scenario's original value divided by this factor to that value times this factor. */
const REACH = 16;

export interface Scale {
  position(value: string): number;
  value(position: number): string;
  /** Labels of the two ends. */
  ends: [string, string];
}

/** Returns the scale of a field whose original value was `first`; null if the field has no slider. */
export function scale(field: Field, first: string, duration: number): Scale | null {
  const { form } = field;
  if (form.form === "quantity") {
    const centre = parse(form.kind, first);
    if (Number.isNaN(centre)) return null;
    const read = (value: string) => parse(form.kind, value);
    if (centre === 0) return straight(0, form.kind.name === "time" ? duration : 1, read, (value) => format(form.kind, value, 2));
    return logarithmic(centre / REACH, centre * REACH, read, (value) => format(form.kind, value, 2));
  }
  if (form.form !== "number") return null;
  const centre = Number(first);
  if (form.high === 1 && !form.integer) return squared(0.1);
  if (Number.isNaN(centre)) {
    // The right end stands for no limit.
    const none = form.words[0];
    if (!none) return null;
    const inner = logarithmic(Math.max(form.low, 1), 512, Number, (value) => String(Math.round(value)));
    return {
      position: (value) => (value === none ? STEPS : Math.min(inner.position(value), STEPS - 1)),
      value: (position) => (position >= STEPS ? none : inner.value(position)),
      ends: [inner.ends[0], none],
    };
  }
  if (centre <= 0) return null;
  const [low, high] = [Math.max(centre / REACH, form.low), Math.min(centre * REACH, form.high)];
  return logarithmic(form.integer ? Math.max(1, low) : low, high, Number, (value) => (form.integer ? String(Math.round(value)) : short(value, 2)));
}

function made(low: number, high: number, to: (part: number) => number, from: (value: number) => number, read: (text: string) => number, write: (value: number) => string): Scale {
  return {
    position(text) {
      const value = read(text);
      return Number.isNaN(value) ? 0 : Math.round(STEPS * Math.min(Math.max(from(value), 0), 1));
    },
    value: (position) => write(to(position / STEPS)),
    ends: [write(low), write(high)],
  };
}

const logarithmic = (low: number, high: number, read: (text: string) => number, write: (value: number) => string) =>
  made(low, high, (part) => low * (high / low) ** part, (value) => Math.log(value / low) / Math.log(high / low), read, write);

const straight = (low: number, high: number, read: (text: string) => number, write: (value: number) => string) =>
  made(low, high, (part) => low + (high - low) * part, (value) => (value - low) / (high - low), read, write);

const squared = (high: number) =>
  made(0, high, (part) => high * part * part, (value) => Math.sqrt(value / high), Number, (value) => short(value, 2));
