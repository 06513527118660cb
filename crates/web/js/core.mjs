// The core from JavaScript: commands go in as JSON, answers come back as values or typed arrays. Used by the page's
// worker and by tests in node. The module imports nothing.

/**
 * @typedef {{path: string, line: number | null, text: string}} Problem
 * @typedef {Float64Array | Int32Array} Numbers
 * @typedef {{type: "f64" | "i32", values: Numbers} | {type: "label", values: Uint32Array, names: string[]}} Column
 * @typedef {{rows: number, columns: Record<string, Column>}} Table
 * @typedef {{done: boolean, now_s: number, end_s: number, events: number, memory_bytes: number, sha256?: string}} Progress
 */

/** A command that the core refused: `problems` has one item for each mistake. */
export class Refused extends Error {
  /** @param {Problem[]} problems */
  constructor(problems) {
    super(problems.map((one) => one.text).join("\n"));
    /** @type {Problem[]} */
    this.problems = problems;
  }
}

/** A fault within the core, after which the instance cannot be used any more. */
export class Fault extends Error {}

/** One instance of the module, with room for one run. */
export class Core {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    const { exports } = new WebAssembly.Instance(module, {});
    /** @type {any} */
    this.exports = exports;
  }

  /**
   * Carries out a command and returns a copy of the answer.
   * @param {object} command
   * @returns {Uint8Array<ArrayBuffer>}
   */
  call(command) {
    const text = new TextEncoder().encode(JSON.stringify(command));
    const { memory, reserve, call, answer, answer_length } = this.exports;
    let failed;
    try {
      const at = reserve(text.length) >>> 0;
      new Uint8Array(memory.buffer, at, text.length).set(text);
      failed = call();
    } catch (why) {
      const taken = Math.round(memory.buffer.byteLength / 2 ** 20);
      throw new Fault(`the core stopped with ${taken} MiB of memory taken: the run does not fit into a page (${why})`);
    }
    // The memory may have grown, and its former buffer is void then.
    const bytes = new Uint8Array(memory.buffer, answer() >>> 0, answer_length() >>> 0).slice();
    if (failed) throw new Refused(JSON.parse(new TextDecoder().decode(bytes)).problems);
    return bytes;
  }

  /**
   * Carries out a command whose answer is JSON.
   * @param {object} command
   * @returns {any}
   */
  json(command) {
    return JSON.parse(this.text(command));
  }

  /**
   * Carries out a command whose answer is text.
   * @param {object} command
   */
  text(command) {
    return new TextDecoder().decode(this.call(command));
  }

  /**
   * Returns a table of the finished run. All columns share one buffer.
   * @param {string} name
   * @returns {Table}
   */
  table(name) {
    const bytes = this.call({ do: "table", name });
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    /** @type {Record<string, Column>} */
    const columns = {};
    for (const { name, type, at, names } of header.columns) {
      const from = 4 + length + at;
      if (type === "label") {
        columns[name] = { type, values: new Uint32Array(bytes.buffer, from, header.rows), names: names ?? [] };
      } else {
        const Kind = type === "i32" ? Int32Array : Float64Array;
        columns[name] = { type, values: new Kind(bytes.buffer, from, header.rows) };
      }
    }
    return { rows: header.rows, columns };
  }

  /**
   * Runs a scenario to its end and returns the last progress.
   * @param {object} given
   * @returns {Progress}
   */
  run(given) {
    this.json({ do: "start", ...given });
    for (;;) {
      const progress = this.json({ do: "step", looks: 1000 });
      if (progress.done) return progress;
    }
  }
}
