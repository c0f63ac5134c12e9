import type { AgentHold, AgentResult, AgentTask } from "#contracts/test-executioner/agent-work.ts";
import type { AgentKeys } from "#libraries/agent-keys/agent-keys.ts";
import { CancelledWait, Interrupted } from "#libraries/running/pause.ts";
import { runTest } from "#libraries/running/run-test.ts";
import type { TestResult } from "#libraries/running/test-to-run.ts";
import type { AgentLog } from "./log.ts";
import { type OwnSecrets, openTask, type SharedParts } from "./task.ts";

interface Running extends AgentHold {
  stop: AbortController;
  /** Ends a wait only: what was sent is finished. */
  cancel: AbortController;
}

export interface RunnerParts {
  shared: SharedParts;
  keys: AgentKeys;
  secrets: OwnSecrets;
  log: AgentLog;
  onResult(result: AgentResult): void;
}

/** Whether egress refused the target: the portal asked for more than this agent allows. */
export function isBlocked({ attempts }: Pick<TestResult, "attempts">): boolean {
  return attempts.some(({ cause }) => cause?.code === "target_not_allowed");
}

/** Runs what the portal hands out. */
export class TaskRunner {
  readonly #running = new Map<string, Running>();
  readonly #cancelled: AgentHold[] = [];
  #idle: (() => void)[] = [];
  /** Requests that the agent's own list of targets refused. */
  blocked = 0;

  constructor(private readonly parts: RunnerParts) {}

  get size(): number {
    return this.#running.size;
  }

  listHolds(): AgentHold[] {
    return [...this.#running.values()].map(({ executionId, fence }) => ({ executionId, fence }));
  }

  start(task: AgentTask, operations: Record<string, unknown>): void {
    const { executionId, fence } = task;
    // Handed out again, since a claim was lost: the newest counts.
    this.#running.get(executionId)?.stop.abort();
    const running = { executionId, fence, stop: new AbortController(), cancel: new AbortController() };
    this.#running.set(executionId, running);
    void this.#run(task, operations, running).finally(() => this.#leave(running));
  }

  /** Ends waits whose run was cancelled. */
  cancel(ids: readonly string[]): void {
    for (const id of ids) this.#running.get(id)?.cancel.abort(new CancelledWait());
  }

  /** Ends what belongs to another agent by now. */
  keepOnly(ids: ReadonlySet<string>, asked: readonly AgentHold[]): void {
    for (const { executionId, fence } of asked) {
      const running = this.#running.get(executionId);
      if (running?.fence === fence && !ids.has(executionId)) running.stop.abort();
    }
  }

  /** Waits that were ended since the last call, to be handed back. */
  takeCancelled(): AgentHold[] {
    return this.#cancelled.splice(0);
  }

  /** Resolves when the next one has ended, or at once if nothing runs. */
  whenOneEnds(): Promise<void> {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  async whenIdle(): Promise<void> {
    while (this.size > 0) await this.whenOneEnds();
  }

  /** Ends everything, and returns what that was. */
  interrupt(): AgentHold[] {
    const holds = this.listHolds();
    for (const { stop } of this.#running.values()) stop.abort();
    return [...holds, ...this.takeCancelled()];
  }

  #leave(running: Running): void {
    if (this.#running.get(running.executionId) === running) this.#running.delete(running.executionId);
    for (const notify of this.#idle.splice(0)) notify();
  }

  async #run(task: AgentTask, operations: Record<string, unknown>, running: Running): Promise<void> {
    const { shared, keys, secrets, log, onResult } = this.parts;
    const { executionId, fence, stop, cancel } = running;
    try {
      const { parts, test } = await openTask(task, operations, shared, { keys, secrets, now: shared.clock.now() });
      const result = await runTest(parts, test, { signal: stop.signal, cancelled: cancel.signal });
      if (stop.signal.aborted) return;
      if (isBlocked(result)) this.blocked += 1;
      onResult(toAgentResult({ executionId, fence }, result));
    } catch (error) {
      if (error instanceof CancelledWait) this.#cancelled.push({ executionId, fence });
      if (error instanceof Interrupted || stop.signal.aborted) return;
      log.warn("an execution could not be run", { execution: executionId, reason: (error as Error).message });
      onResult(
        failed({ executionId, fence }, "The agent could not run the test. Its log says why.", shared.clock.now()),
      );
    }
  }
}

export function toAgentResult({ executionId, fence }: AgentHold, { finishedAt, ...result }: TestResult): AgentResult {
  return { executionId, fence, ...result, finishedAt: finishedAt.toISOString() };
}

/** An execution that ended errored by the agent itself. */
export function failed(hold: AgentHold, detail: string, now: Date): AgentResult {
  return {
    ...{
      executionId: hold.executionId,
      fence: hold.fence,
      verdict: "errored",
      cause: { code: "agent_failed", detail },
    },
    ...{ attempts: [], attemptCount: 0, verifications: [], captures: [] },
    ...{ statusCode: null, responseMilliseconds: null, sendingMilliseconds: null, finishedAt: now.toISOString() },
  };
}
