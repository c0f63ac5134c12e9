import type { ClaimedExecution } from "../store/claims.ts";
import type { ExecutionResult } from "../store/results.ts";
import type { ExecutionTask } from "./snapshots.ts";

interface Start {
  task: ExecutionTask;
  result: Promise<ExecutionResult>;
}

/**
 * A member that runs while the transaction which claims it is still storing the previous result. If that fails, its
 * request was sent in vain: so only safe methods get a head start (RFC 9110, 9.2.1).
 */
export class HeadStart {
  readonly executionId: string;
  readonly #ending = new AbortController();
  readonly #start: Promise<Start | undefined>;
  #isKept = false;
  #end!: () => void;
  /** Resolves when its transaction has ended, so that reads find what it stored, or when this head start is over. */
  readonly #ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  constructor(
    { id }: ClaimedExecution,
    stopping: AbortSignal,
    task: Promise<ExecutionTask | undefined>,
    run: (task: ExecutionTask, signal: AbortSignal, stored: Promise<void>) => Promise<ExecutionResult>,
  ) {
    this.executionId = id;
    const end = () => this.#ending.abort();
    stopping.addEventListener("abort", end, { once: true });
    this.#start = task.then(
      (resolved) => resolved && { task: resolved, result: run(resolved, this.#ending.signal, this.#ended) },
    );
    // Callers of `keep` receive its failure.
    this.#start
      .then((start) => start?.result)
      .catch(() => {})
      .finally(() => stopping.removeEventListener("abort", end));
  }

  /** To be called once its transaction has committed. */
  keep(): Promise<Start | undefined> {
    this.#isKept = true;
    this.#end();
    return this.#start;
  }

  /** Aborts it unless it was kept. */
  drop(): void {
    if (!this.#isKept) this.#ending.abort();
    this.#end();
  }
}
