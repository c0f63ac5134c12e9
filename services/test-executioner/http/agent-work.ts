import type { Logger } from "pino";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { Problem } from "#contracts/kit/problem.ts";
import { agentLeaseSeconds } from "#contracts/test-executioner/agent-limits.ts";
import type { AgentHold, AgentTask } from "#contracts/test-executioner/agent-work.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { databaseProblem, logFailure } from "../../kit/database/database-problem.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { explainVersion } from "../domain/agent-version.ts";
import { type TakingParts, takeResult } from "../jobs/agent-results.ts";
import { type Handed, type HandingParts, handOver } from "../jobs/agent-tasks.ts";
import { cancelWaiting } from "../jobs/leftovers.ts";
import type { ExecutionTask, Snapshots } from "../jobs/snapshots.ts";
import { type AgentAt, claimForAgent, holdForAgent, listEnded } from "../store/agent-claims.ts";
import { countRefused, findAgentByKey, noteSeen } from "../store/agents.ts";
import { listCancelledRuns } from "../store/cancellations.ts";
import {
  type ClaimedExecution,
  giveUpExecution,
  type Hold,
  markRunsStarted,
  releaseExecutions,
} from "../store/claims.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { notAnAgent } from "./agent-identity.ts";
import type { WaitForWork } from "./waiting-for-work.ts";

type WorkHandlers = Pick<
  Handlers<typeof testExecutionerContract>,
  "takeAgentWork" | "reportAgentResults" | "renewAgentLeases"
>;

export interface AgentWorkParts {
  db: ExecutionDatabase;
  snapshots: Snapshots;
  handing: HandingParts;
  taking: TakingParts;
  waitForWork: WaitForWork;
  version: string;
}

/** In one response; the rest is handed back. One task may be larger. */
const maxCharacters = 8 * 1_048_576;

/** Sealing takes a thread each. */
const preparedTogether = 16;

/** For whom tasks are prepared. */
interface Preparing {
  sealingKey: string;
  readsVault: boolean;
  log: Logger;
}

/** @returns how many characters it adds */
function addTask(
  { task, operation }: Extract<Handed, { task: AgentTask }>,
  items: AgentTask[],
  operations: Record<string, OperationWithComponents>,
): number {
  items.push(task);
  const own = JSON.stringify(task).length;
  if (!task.operation || !operation || task.operation in operations) return own;
  operations[task.operation] = operation;
  return own + JSON.stringify(operation).length;
}

const toAt = ({ organizationId, userId, agent }: Identity): AgentAt => ({
  ...{ organizationId, agentId: userId, locationId: agent!.locationId },
});
const toHold = ({ executionId, fence }: AgentHold): Hold => ({ id: executionId, fencing_token: fence });

export function createAgentWorkHandlers(parts: AgentWorkParts): WorkHandlers {
  const { db, snapshots, handing, taking, waitForWork, version } = parts;
  const { clock } = taking;

  async function claim(at: AgentAt, max: number, held: Hold[]): Promise<ClaimedExecution[]> {
    const claimed = await claimForAgent(db, at, { max, held, leaseSeconds: agentLeaseSeconds, now: clock.now() });
    await markRunsStarted(db, [...new Set(claimed.map(({ run_id }) => run_id))], clock.now());
    return claimed;
  }

  /** What has nothing to send ends at once; an internal error is retried after a pause, as a worker's. */
  async function prepareOne(
    task: ExecutionTask,
    { sealingKey, readsVault, log }: Preparing,
  ): Promise<Handed | undefined> {
    const { execution } = task;
    try {
      const handed = await handOver(handing, task, sealingKey, { readsVault });
      if ("result" in handed) {
        await taking.writeResult({ result: handed.result, isHeld: () => true, isUrgent: true });
      }
      return handed;
    } catch (error) {
      logFailure(log, error, "an execution could not be prepared for an agent", { executionId: execution.id });
      const counts = databaseProblem(error)?.code !== "service_unavailable";
      await giveUpExecution(db, execution, { pauseSeconds: 2 ** (execution.claims - 1), counts });
      return undefined;
    }
  }

  /** Tasks to send, and operations that they share. */
  async function prepare(claimed: ClaimedExecution[], preparing: Preparing) {
    const items: AgentTask[] = [];
    const operations: Record<string, OperationWithComponents> = {};
    const left = new Map(claimed.map((execution) => [execution.id, execution]));
    let characters = 0;
    try {
      const tasks = await snapshots.resolve(db, claimed);
      for (let first = 0; first < tasks.length && characters <= maxCharacters; first += preparedTogether) {
        const together = tasks.slice(first, first + preparedTogether);
        for (const handed of await Promise.all(together.map((task) => prepareOne(task, preparing)))) {
          if (handed && "task" in handed) characters += addTask(handed, items, operations);
        }
        for (const { execution } of together) left.delete(execution.id);
      }
    } finally {
      await releaseExecutions(db, [...left.values()]);
    }
    return { items, operations };
  }

  return {
    async takeAgentWork({ caller, body, request, log }) {
      const at = toAt(caller);
      const { max, waitSeconds, held, readsVault } = body;
      const preparing = { sealingKey: caller.agent!.sealingKey, readsVault, log };
      const refusal = explainVersion(body.version, version);
      if (refusal) throw new Problem("conflict", refusal);
      await noteSeen(db, at, { ...body, now: clock.now() });
      const deadline = performance.now() + waitSeconds * 1_000;
      for (;;) {
        const watch = waitForWork.begin(at.locationId);
        const claimed = max === 0 ? [] : await claim(at, max, held.map(toHold));
        if (request.signal.aborted) {
          await releaseExecutions(db, claimed);
          return { leaseSeconds: agentLeaseSeconds, items: [], operations: {} };
        }
        const prepared = await prepare(claimed, preparing);
        const left = deadline - performance.now();
        if (prepared.items.length > 0 || left <= 0 || waitForWork.isStopping()) {
          watch.end();
          return { leaseSeconds: agentLeaseSeconds, ...prepared };
        }
        // What ended without a request may have released the next members.
        if (claimed.length > 0) watch.end();
        else await watch.wait(left, request.signal);
        if (!(await findAgentByKey(db, at.agentId))) throw notAnAgent();
      }
    },

    async reportAgentResults({ caller, body, log }) {
      const at = toAt(caller);
      const given = new Map(body.items.map((item) => [item.executionId, item]));
      const held = await holdForAgent(db, at, [...given.values()].map(toHold), agentLeaseSeconds);
      const byId = new Map(held.map((execution) => [execution.id, execution]));
      const tasks = await snapshots.resolve(db, held);
      const written = new Set<string>();
      await Promise.all(
        tasks.map(async (task) => {
          const { id } = task.execution;
          const reported = { task, execution: byId.get(id)!, given: given.get(id)! };
          if (await takeResult(taking, reported)) written.add(id);
        }),
      );
      const others = [...given.keys()].filter((id) => !written.has(id));
      const ended = await listEnded(db, at.organizationId, others);
      const refused = others.filter((id) => !ended.has(id));
      if (refused.length > 0) {
        await countRefused(db, at, refused.length);
        log.info({ agentId: at.agentId, refused: refused.length }, "results of an agent were refused");
      }
      const getOutcome = (id: string) => (written.has(id) ? "recorded" : ended.has(id) ? "known" : "refused");
      return { items: [...given.keys()].map((executionId) => ({ executionId, outcome: getOutcome(executionId) })) };
    },

    async renewAgentLeases({ caller, body }) {
      const at = toAt(caller);
      const held = await holdForAgent(db, at, [...body.held, ...body.handedBack].map(toHold), agentLeaseSeconds);
      const returned = new Set(body.handedBack.map(({ executionId }) => executionId));
      const cancelled = await listCancelledRuns(db, [...new Set(held.map(({ run_id }) => run_id))]);
      const isCancelled = ({ run_id, phase }: ClaimedExecution) => cancelled.has(run_id) && phase !== "tearDown";
      const rest = held.filter(({ id }) => !returned.has(id));
      const given = held.filter(({ id }) => returned.has(id));
      await releaseExecutions(
        db,
        given.filter((execution) => !isCancelled(execution)),
      );
      for (const execution of given.filter(isCancelled)) await cancelWaiting(taking, execution);
      return { held: rest.map(({ id }) => id), cancelled: rest.filter(isCancelled).map(({ id }) => id) };
    },
  };
}
