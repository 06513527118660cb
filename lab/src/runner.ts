// Control of a worker from the page. A worker makes one run at a time; a newer run replaces it. A worker that does not
// answer is replaced.

import LabWorker from "./worker?worker&inline";
import type { FromWorker, Replication, Run, ToWorker } from "./worker";
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
  checked?(scenario: unknown, hash: string): void;
}

/** Time after which a worker that was asked to stop is replaced, milliseconds. */
const PATIENCE = 400;

export class Runner {
  private worker: Worker | null = null;
  private id = 0;
  private heard: Heard = {};
  private busy = false;
  private waiting: (() => void) | null = null;
  private timer = 0;

  constructor(private module: Promise<WebAssembly.Module>) {}

  /** Begins a run or a check; a run in progress is stopped first. */
  start(given: Run["given"], heard: Heard, options: { most?: number; check?: boolean; replications?: Run["replications"] } = {}) {
    const run = () => void this.send(given, heard, options);
    if (!this.busy) return run();
    this.waiting = run;
    this.stop();
  }

  /** Stops the current run. */
  stop() {
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
    this.busy = false;
    const next = this.waiting;
    this.waiting = null;
    next?.();
  }

  private async send(given: Run["given"], heard: Heard, { most, check, replications }: { most?: number; check?: boolean; replications?: Run["replications"] }) {
    this.busy = true;
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
    const run = { id, given, most, replications };
    this.worker?.postMessage((check ? { check: run } : { run }) satisfies ToWorker);
  }

  private hear(worker: Worker, data: FromWorker) {
    if (worker !== this.worker || !("id" in data)) return;
    const mine = data.id === this.id && !this.waiting;
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
      if ("checked" in data) this.heard.checked?.(data.checked.scenario, data.checked.scenario_hash);
      if ("outcome" in data) this.heard.done?.(data.outcome);
    }
    this.free();
  }
}
