// Runs scenarios in the core: `node summaries.mjs ackclock.wasm < scenarios.jsonl`. For each line, a scenario as the
// command `start` takes it, it prints a line with the hash of the summary, or with the problems.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Core, Fault, Refused } from "./core.mjs";

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
let core = new Core(module);
for await (const line of createInterface({ input: process.stdin })) {
  try {
    const { sha256, events, memory_bytes } = core.run(JSON.parse(line));
    console.log(JSON.stringify({ sha256, events, memory_bytes }));
  } catch (why) {
    if (!(why instanceof Refused || why instanceof Fault)) throw why;
    if (why instanceof Fault) core = new Core(module);
    console.log(JSON.stringify({ problems: why.problems ?? [], fault: why instanceof Fault ? why.message : null }));
  }
}
