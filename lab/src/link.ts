// The state in a link: compressed JSON after the `#` of the address. A link may come from anybody, so each part is checked.

import type { Formulas, LabState, Setting } from "./model";

/** Greatest length of a link that is read, characters. */
const LONGEST = 64_000;
/** Greatest size of the unpacked state of a link, bytes. */
const LARGEST = 1_000_000;

async function through(bytes: Uint8Array<ArrayBuffer>, by: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(by).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error(`it unpacks to more than ${most / 1e6} MB`);
    }
    parts.push(value);
  }
  const out = new Uint8Array(length);
  parts.reduce((at, part) => (out.set(part, at), at + part.length), 0);
  return out;
}

/** Returns the unpacked bytes of the page's element with this id. */
export function carried(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = fromBase64(document.getElementById(id)?.textContent?.trim() ?? "");
  return through(bytes, new DecompressionStream("gzip"), 1 << 28);
}

/** Decodes base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) out[i] = binary.charCodeAt(i);
  return out;
}

export async function pack(state: LabState): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify(state));
  const bytes = await through(json, new CompressionStream("deflate-raw"), Infinity);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `#lab=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Returns the name of the guide in the part of an address after `#`; null if there is none. */
export function guided(hash: string): string | null {
  return /^#learn=([\w-]{1,40})$/.exec(hash)?.[1] ?? null;
}

/** Returns the state in an address after `#`; null if there is none. Throws an error with the reason if the state is damaged. */
export async function unpack(hash: string): Promise<LabState | null> {
  const found = /^#lab=(.*)$/s.exec(hash);
  if (!found) return null;
  if (hash.length > LONGEST) throw new Error(`it has ${hash.length} characters, and at most ${LONGEST} are read`);
  if (!/^[\w-]*$/.test(found[1])) throw new Error("it has characters that no link of the laboratory has");
  let value: unknown;
  try {
    const bytes = fromBase64(found[1].replaceAll("-", "+").replaceAll("_", "/"));
    value = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"), LARGEST)));
  } catch (why) {
    throw new Error(why instanceof Error && why.message.startsWith("it ") ? why.message : "it is damaged or was cut off");
  }
  return state(value);
}

function isSettings(value: unknown): value is Setting[] {
  return Array.isArray(value) && value.length <= 500 && value.every((one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === "string"));
}

function isFormulas(value: unknown): value is Formulas {
  const { grow, cut } = (value ?? {}) as Record<string, unknown>;
  return [grow, cut].every((one) => typeof one === "string" && one.length <= 1000);
}

function state(value: unknown): LabState {
  const given = (value ?? {}) as Record<string, unknown>;
  const { example, text, set, b, two, seed, jitter, experiment, own } = given;
  const sound =
    (example === null || typeof example === "string") && typeof text === "string" && isSettings(set) && isSettings(b) &&
    typeof two === "boolean" && Number.isSafeInteger(seed) && (seed as number) >= 0 && (jitter === undefined || (typeof jitter === "number" && jitter >= 0 && jitter <= 1e6)) &&
    (experiment === undefined || typeof experiment === "string") && (own === undefined || isFormulas(own));
  if (!sound) throw new Error("it holds no laboratory");
  return { example, text, set, b, two, seed, jitter, experiment, own } as LabState;
}
