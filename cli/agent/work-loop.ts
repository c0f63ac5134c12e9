import { setTimeout as pause } from "node:timers/promises";
import { maxWaitSeconds, maxWorkItems } from "#contracts/test-executioner/agent-limits.ts";
import type { AgentTask } from "#contracts/test-executioner/agent-work.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { productVersion } from "../version.ts";
import type { AgentLog } from "./log.ts";
import type { OccurrenceReporter } from "./occurrence-reporter.ts";
import type { Outbox } from "./outbox.ts";
import { type AgentCalls, Away, RefusedCall } from "./portal-calls.ts";
import type { ResultSender } from "./result-sender.ts";
import type { TaskRunner } from "./task-runner.ts";

export interface LoopParts {
  calls: AgentCalls;
  runner: TaskRunner;
  sender: ResultSender;
  outbox: Outbox;
  reporter: OccurrenceReporter;
  log: AgentLog;
  concurrency: number;
  /** Requests that the agent's own list of targets refused. */
  countBlocked(): number;
  /** Whether the agent reads Vault itself. */
  readsVault: boolean;
}

interface Work {
  leaseSeconds: number;
  items: AgentTask[];
  operations: Record<string, unknown>;
}

/** Long enough for the response to a wait that ends as late as it may. */
const callSeconds = maxWaitSeconds + 35;
/** Before the first response says how long leases last. */
const assumedLeaseSeconds = 60;
/** Of one call; results beyond have been sent before the next. */
const maxHeld = 10_000;
const maxPauseMilliseconds = 10_000;
/** An agent whose version is refused waits for the portal, or itself, to be upgraded. */
const refusedMilliseconds = 600_000;

/** Asks for work with one long poll, while less runs than may, and renews what is held. */
export class WorkLoop {
  #leaseSeconds = assumedLeaseSeconds;

  constructor(private readonly parts: LoopParts) {}

  /** @throws CommandError when the agent was revoked */
  async run(signal: AbortSignal): Promise<void> {
    const renewing = this.#renew(signal);
    try {
      await this.#poll(signal);
    } finally {
      // It ends with the signal, or with a refusal that this one has met, too.
      void renewing;
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const { runner, sender, log, concurrency } = this.parts;
    for (let failures = 0; !signal.aborted; ) {
      // Results first: the portal would hand out again what has one.
      if (sender.isAway) await orAborted(sender.settle(), signal);
      if (sender.refusal) throw revoked(sender.refusal);
      const capacity = concurrency - runner.size;
      // A few free ones are worth a call; one is, if that is all.
      if (capacity < Math.min(8, concurrency / 4) && runner.size > 0) {
        await orAborted(runner.whenOneEnds(), signal);
        continue;
      }
      try {
        await this.#report(signal);
        const { leaseSeconds, items, operations } = await this.#take(Math.min(capacity, maxWorkItems), signal);
        this.#leaseSeconds = leaseSeconds;
        for (const task of items) runner.start(task, operations);
        if (failures > 0) log.info("the portal is back");
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        const milliseconds = this.#describe(error, failures);
        failures += 1;
        await pause(milliseconds, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** Before work is asked for: the portal would start what has a result. */
  async #report(signal: AbortSignal): Promise<void> {
    const { reporter, sender } = this.parts;
    while (await reporter.report()) {
      await orAborted(sender.settle(), signal);
      if (signal.aborted) return;
    }
    await reporter.refresh();
  }

  async #take(max: number, signal: AbortSignal): Promise<Work> {
    const { calls, outbox, concurrency, countBlocked, readsVault } = this.parts;
    const body = {
      ...{ version: productVersion, max, waitSeconds: maxWaitSeconds, concurrency, readsVault },
      held: this.#listHeld(),
      ...{ blocked: countBlocked(), waitingResults: outbox.size },
    };
    return await calls.post<Work>("/api/v1/agent-work", body, { signal, seconds: callSeconds });
  }

  #listHeld() {
    const { runner, outbox } = this.parts;
    const sending = outbox.list().map(({ executionId, fence }) => ({ executionId, fence }));
    return [...runner.listHolds(), ...sending].slice(0, maxHeld);
  }

  /** @returns how long to wait before the next try */
  #describe(error: unknown, failures: number): number {
    const { log } = this.parts;
    if (error instanceof RefusedCall) {
      if (error.status === 401) throw revoked(error);
      log.warn(error.message);
      return refusedMilliseconds;
    }
    if (!(error instanceof Away)) throw error;
    if (failures === 0) log.warn(error.message);
    return Math.min(maxPauseMilliseconds, 500 * 2 ** failures) * (0.5 + Math.random() / 2);
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const { calls, runner } = this.parts;
    while (!signal.aborted) {
      await pause((this.#leaseSeconds * 1_000) / 3, undefined, { signal, ref: false }).catch(() => {});
      const held = runner.listHolds();
      const handedBack = runner.takeCancelled();
      if (signal.aborted || held.length + handedBack.length === 0) continue;
      try {
        const reply = await calls.post<{ held: string[]; cancelled: string[] }>("/api/v1/agent-leases", {
          held,
          handedBack,
        });
        runner.cancel(reply.cancelled);
        runner.keepOnly(new Set(reply.held), held);
      } catch {
        // What runs continues: its result is accepted as long as no other agent has taken it up.
      }
    }
  }
}

function revoked({ message }: RefusedCall): CommandError {
  return new CommandError(exitCodes.credentials, `The portal refuses this agent. ${message}`);
}

/** Resolves with the work, or when the signal aborts; leaves no listener behind. */
function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener("abort", end);
      resolve();
    };
    signal.addEventListener("abort", end);
    void work.then(end, end);
    if (signal.aborted) end();
  });
}
