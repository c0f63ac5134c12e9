import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Plans } from "../../kit/plan/plan-ledger.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { triggerFor } from "../domain/trigger.ts";
import { isDeleted } from "../store/deleted-tests.ts";
import { listFindings } from "../store/exploration-findings.ts";
import {
  cancelExploration,
  type ExplorationRow,
  findExploration,
  insertExploration,
  listExplorations,
  parseExplored,
  toExplorationSummary,
} from "../store/explorations.ts";
import { explainNoQuota } from "../store/plan-quota.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import type { RequireApi } from "./apis.ts";
import { streamEvents } from "./event-stream.ts";
import { resolveSurroundings } from "./surroundings.ts";

type ExplorationHandlers = Pick<
  Handlers<typeof testExecutionerContract>,
  "startExploration" | "listExplorations" | "getExploration" | "watchExploration" | "cancelExploration"
>;

export interface ExplorationHandlerParts {
  db: ExecutionDatabase;
  clock: Clock;
  requireApi: RequireApi;
  plans: Plans;
  stopping: AbortSignal;
}

/** Seeds have 32 bits. */
const seeds = 2 ** 32;
/** Progress is stored once a second. */
const lookMilliseconds = 1_000;

const notDisposable =
  "The data of this API is not marked as disposable. Mark it on the API's edit page, or explore with safe methods only.";

export function createExplorationHandlers(parts: ExplorationHandlerParts): ExplorationHandlers {
  const { db, clock, requireApi, plans, stopping } = parts;

  async function requireExploration(organizationId: string, id: string): Promise<ExplorationRow> {
    const row = await findExploration(db, organizationId, id);
    if (!row) throw notFound("exploration");
    return row;
  }

  /** Its requests are no executions and are not counted, but a plan without executions left sends nothing. */
  async function requireQuota(organizationId: string, requestId: string): Promise<void> {
    const known = await plans.require(organizationId, requestId);
    const month = clock.now().toISOString().slice(0, "2026-04".length);
    const noQuota = explainNoQuota(known, { organizationId, executions: 1, month });
    if (noQuota) throw noQuota;
  }

  return {
    async startExploration({ caller, params: { apiId }, body, requestId, record }) {
      const { organizationId } = caller;
      const api = await requireApi({ organizationId, requestId }, apiId);
      resolveSurroundings(api, { environment: body.environment ?? undefined }, "environment");
      if (body.changes && !api.api.isDisposable) {
        throw new Problem("invalid_input", undefined, { errors: [{ path: "changes", message: notDisposable }] });
      }
      await requireQuota(organizationId, requestId);
      const input = { ...body, seed: body.seed ?? randomInt(seeds) };
      const trigger = triggerFor(caller, undefined);
      const given = { organizationId, id: uuidv7(), apiId, input, trigger, now: clock.now() };
      await db.transaction().execute(async (transaction) => {
        if (await isDeleted(transaction, organizationId, apiId)) throw notFound("API");
        if (!(await insertExploration(transaction, given))) {
          throw new Problem(
            "conflict",
            "Another exploration of this API has not ended. Wait for its end, or cancel it.",
          );
        }
        await record(transaction, { id: given.id, after: { apiId, ...input } });
      });
      return toExplorationSummary(await requireExploration(organizationId, given.id));
    },

    async listExplorations({ caller: { organizationId }, params: { apiId }, query, requestId }) {
      const page = await listExplorations(db, organizationId, { apiId, ...query });
      if (page.items.length === 0) await requireApi({ organizationId, requestId }, apiId);
      return page;
    },

    async getExploration({ caller: { organizationId }, params: { explorationId } }) {
      const row = await requireExploration(organizationId, explorationId);
      const found = await listFindings(db, organizationId, { id: row.id, apiId: row.api_id });
      return { ...toExplorationSummary(row), explored: parseExplored(row), found };
    },

    async watchExploration({ caller, params: { explorationId }, request }) {
      const { organizationId } = caller;
      await requireExploration(organizationId, explorationId);
      return streamEvents({ request, caller }, stopping, async (send, signal) => {
        let sent = "";
        while (!signal.aborted) {
          const row = await findExploration(db, organizationId, explorationId);
          if (!row) return;
          const summary = toExplorationSummary(row);
          const text = JSON.stringify(summary);
          if (text !== sent && !(await send("exploration", summary))) return;
          sent = text;
          if (row.finished_at) return;
          // The client went away: the loop ends.
          await pause(lookMilliseconds, undefined, { signal }).catch(() => {});
        }
      });
    },

    async cancelExploration({ caller: { organizationId }, params: { explorationId }, record }) {
      const before = await db.transaction().execute(async (transaction) => {
        const row = await cancelExploration(transaction, organizationId, explorationId, clock.now());
        if (!row) throw notFound("exploration");
        await record(transaction, { id: row.id, before: { state: row.state } });
        return row;
      });
      // Cancelling a cancelled one succeeds; one that ended otherwise is reported.
      if (before.finished_at && before.state !== "cancelled") {
        throw new Problem("conflict", "This exploration has ended.");
      }
      return toExplorationSummary(await requireExploration(organizationId, explorationId));
    },
  };
}
