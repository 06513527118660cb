// Control of a worker from the page. A worker makes one run at a time; a newer run replaces it. A worker that does not
// answer is replaced.

import LabWorker from "./worker?worker&inline";
import type { Checked, FromWorker, Replication, Run, ToWorker } from "./worker";
import type { Outcome } from "./traces";

export interface Problem {
  path: string;
  line: number | null;
  text: string;
}

export interface Heard {
  progress?(fraction: number, events: number): void;
  long?(events: number, fraction: number): void;
  refused?(problems: Problem[]): void;
  done?(outcome: Outcome): void;
  replicated?(one: Replication): void;
  replicatedAll?(): void;
  checked?(checked: Checked): void;
}

/** Time that a run has before the next one stops it, so that the page shows one run after another while a slider moves, milliseconds. */
const SHORT = 700;
/** Time after which a worker that was asked to stop is replaced, milliseconds. */
const PATIENCE = 400;

export class Runner {
  private worker: Worker | null = null;
  private id = 0;
  private heard: Heard = {};
  private busy = false;
  private waiting: (() => void) | null = null;
  private timer = 0;
  private grace = 0;
  /** Time after which the next run may stop the present one, by the page's clock, milliseconds. */
  private until = 0;

  constructor(private module: Promise<WebAssembly.Module>) {}

  /** Begins a run. A run in progress is stopped first, unless it began just now: it may end within a short time. */
  start(given: Run["given"], heard: Heard, options: { most?: number; replications?: Run["replications"] } = {}) {
    const run = () => void this.send(given, heard, options);
    if (!this.busy) return run();
    this.waiting = run;
    window.clearTimeout(this.grace);
    this.grace = window.setTimeout(() => this.halt(), Math.max(this.until - performance.now(), 0));
  }

  /** Stops the current run and forgets the next one. */
  stop() {
    this.waiting = null;
    window.clearTimeout(this.grace);
    this.halt();
  }

  /** Stops the current run. */
  private halt() {
    if (!this.busy) return;
    this.worker?.postMessage({ stop: ++this.id } satisfies ToWorker);
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.replace(), PATIENCE);
  }

  private replace() {
    this.worker?.terminate();
    this.worker = null;
    this.free();
  }

  private free() {
    window.clearTimeout(this.timer);
    window.clearTimeout(this.grace);
    this.busy = false;
    const next = this.waiting;
    this.waiting = null;
    next?.();
  }

  private async send(given: Run["given"], heard: Heard, { most, replications }: { most?: number; replications?: Run["replications"] }) {
    this.busy = true;
    // Replications are many runs, of which none is shown by itself.
    this.until = performance.now() + (replications ? 0 : SHORT);
    const id = ++this.id;
    this.heard = heard;
    if (!this.worker) {
      const worker = new LabWorker();
      this.worker = worker;
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(worker, data);
      worker.onerror = (event) => {
        if (worker !== this.worker) return;
        event.preventDefault();
        this.heard.refused?.([{ path: "", line: null, text: `the core stopped: ${event.message}` }]);
        this.replace();
      };
      worker.postMessage({ module: await this.module } satisfies ToWorker);
    }
    this.worker?.postMessage({ run: { id, given, most, replications } } satisfies ToWorker);
  }

  private hear(worker: Worker, data: FromWorker) {
    if (worker !== this.worker || !("id" in data)) return;
    // Messages of a stopped run carry an earlier number.
    const mine = data.id === this.id;
    if ("checked" in data) {
      if (mine) this.heard.checked?.(data.checked);
      return;
    }
    if ("progress" in data) {
      if (mine) this.heard.progress?.(data.progress, data.events);
      return;
    }
    if ("replication" in data) {
      if (mine) this.heard.replicated?.(data.replication);
      return;
    }
    if (mine) {
      if ("replicated" in data) this.heard.replicatedAll?.();
      if ("long" in data) this.heard.long?.(data.long.events, data.long.fraction);
      if ("refused" in data) this.heard.refused?.(data.refused);
      if ("fault" in data) this.heard.refused?.([{ path: "", line: null, text: data.fault }]);
      if ("outcome" in data) this.heard.done?.(data.outcome);
    }
    this.free();
  }
}
