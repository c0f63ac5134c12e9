import { maxReportedOccurrences } from "#contracts/test-executioner/agent-limits.ts";
import type { AgentPlan, OccurrenceOutcome } from "#contracts/test-executioner/agent-plans.ts";
import { productVersion } from "../version.ts";
import { type HeldOccurrences, keyOf } from "./held-occurrences.ts";
import type { AgentLog } from "./log.ts";
import type { OccurrenceStarter } from "./occurrence-starter.ts";
import type { Outbox } from "./outbox.ts";
import type { Plan } from "./plan.ts";
import { type AgentCalls, Away, RefusedCall } from "./portal-calls.ts";
import type { ResultSender } from "./result-sender.ts";

export interface ReporterParts {
  calls: AgentCalls;
  plan: Plan;
  held: HeldOccurrences;
  starter: OccurrenceStarter;
  sender: ResultSender;
  outbox: Outbox;
  log: AgentLog;
  /** Whether the agent reads Vault itself. */
  readsVault: boolean;
}

const planMilliseconds = 60_000;
/** A portal of the version before has no plans. */
const unknownMilliseconds = 600_000;

/** Reports what the agent started while the portal was away, and asks what it is to start next. */
export class OccurrenceReporter {
  /** By the process's clock. */
  #planAt = 0;
  #leftOut = 0;

  constructor(private readonly parts: ReporterParts) {}

  /**
   * Reports some of what has ended.
   * @returns whether there is more
   * @throws Away, or RefusedCall if the agent may not call any more
   */
  async report(): Promise<boolean> {
    const { calls, held, starter, log } = this.parts;
    const running = new Set(starter.list().map(keyOf));
    const ended = held.list().filter((occurrence) => !running.has(keyOf(occurrence)));
    const items = await Promise.all(
      ended
        .slice(0, maxReportedOccurrences)
        .map(async (occurrence) => ({ ...occurrence, generated: await held.readGenerated(occurrence) })),
    );
    if (items.length === 0) return false;
    try {
      const reply = await calls.post<{ items: OccurrenceOutcome[] }>(
        "/api/v1/agent-occurrences",
        { items },
        { seconds: 60 },
      );
      for (const outcome of reply.items) await this.#settle(outcome);
      // What needs something that is away is reported with the next plan.
      const isStuck = reply.items.every(({ outcome }) => outcome === "later");
      return ended.length > items.length && !isStuck;
    } catch (error) {
      if (!(error instanceof RefusedCall) || error.status === 401) throw error;
      log.warn("occurrences were refused", { occurrences: items.length, reason: error.message });
      for (const item of items) await held.remove(item);
      return ended.length > items.length;
    }
  }

  async #settle({ outcome, reason, executions, ...dueTime }: OccurrenceOutcome): Promise<void> {
    const { held, sender, outbox, log } = this.parts;
    if (outcome === "later" || !held.has(dueTime)) return;
    if (outcome === "refused") log.warn("an occurrence was refused", { ...dueTime, reason: reason ?? "" });
    for (const { position, executionId, fence } of executions) {
      const result = await held.read(dueTime, position);
      if (result) sender.add({ ...result, executionId, fence });
    }
    // A process that is killed in between reports it again, and gets the same fences.
    await outbox.store();
    await held.remove(dueTime);
  }

  /** Asks for the plan, each minute. @throws Away, or RefusedCall if the agent may not call any more */
  async refresh(): Promise<void> {
    if (performance.now() < this.#planAt) return;
    const { calls, plan, held, starter, log, readsVault } = this.parts;
    const names = [...starter.list(), ...held.list()];
    const body = {
      ...{ version: productVersion, readsVault, runsAll: true, known: plan.listKnown() },
      held: names.map(({ scheduleId, scheduledFor }) => ({ scheduleId, scheduledFor })),
    };
    try {
      const given = await calls.post<AgentPlan>("/api/v1/agent-plan", body, { seconds: 60 });
      await plan.replace(given);
      this.#planAt = performance.now() + planMilliseconds;
      if (given.leftOut !== this.#leftOut)
        log.info("schedules that can't be started while the portal is away", { schedules: given.leftOut });
      this.#leftOut = given.leftOut;
    } catch (error) {
      const status = error instanceof RefusedCall ? error.status : undefined;
      if (error instanceof Away || status === 401) throw error;
      this.#planAt = performance.now() + unknownMilliseconds;
      if (status !== 404)
        log.warn("there is no plan for when the portal is away", { reason: (error as Error).message });
    }
  }
}
